/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "c2g-file-summary.h"

#include <glib/gi18n.h>

#include <stdio.h>
#include <unistd.h>

/* Colour is for people who look, and did not ask for none. */
static gboolean
wants_colour (void)
{
  const char *no_colour = g_getenv ("NO_COLOR");
  const char *terminal = g_getenv ("TERM");

  if (no_colour != NULL && *no_colour != '\0')
    return FALSE;
  return isatty (STDOUT_FILENO) && g_strcmp0 (terminal, "dumb") != 0;
}

/* In UTF-8 whatever the locale, as JSON is. */
static gboolean
print_json (GPtrArray *summaries)
{
  g_autofree char *json = c2g_file_summaries_to_json (summaries);

  return fputs (json, stdout) >= 0 && fflush (stdout) == 0;
}

static int
summarize_files (char     **files,
                 gboolean   as_json)
{
  g_autoptr (GPtrArray) summaries = NULL;
  int status = C2G_STATUS_SUCCESS;

  summaries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_summary_free);
  for (char **file = files; *file != NULL; file++)
    {
      C2gFileSummary *summary = c2g_file_summary_new (*file);

      g_ptr_array_add (summaries, summary);
      if (summary->error != NULL)
        {
          c2g_command_print_error (summary->error->message);
          status = C2G_STATUS_FAILURE;
        }
      else if (!as_json)
        {
          if (summaries->len > 1)
            g_print ("\n");
          c2g_file_summary_print (summary, wants_colour ());
        }
    }

  if (as_json && !print_json (summaries))
    return C2G_STATUS_FAILURE;
  return status;
}

int
c2g_command_info (int    argc,
                  char **argv)
{
  gboolean as_json = FALSE;
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_("Print JSON for programs"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (N_("FILE…"));
  g_autoptr (GError) error = NULL;

  g_set_prgname ("c2g info");
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_summary (context,
                                N_("Shows what is in files of Caffe2: blobs, tensors, nets and "
                                   "minidb checkpoints."));

  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      c2g_command_print_error (error->message);
      g_printerr ("%s\n", _("Try 'c2g info --help'."));
      return C2G_STATUS_USAGE;
    }
  if (files == NULL)
    {
      c2g_command_print_error (_("No file was given"));
      g_printerr ("%s\n", _("Try 'c2g info --help'."));
      return C2G_STATUS_USAGE;
    }

  return summarize_files (files, as_json);
}
