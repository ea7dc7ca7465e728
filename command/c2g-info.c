/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-output.h"
#include "output/c2g-terminal.h"
#include "report/c2g-file-summary.h"

#include <glib/gi18n.h>

#include <unistd.h>

/* The subcommand info: describes files and their blobs. */

/* Summarizes one file and prints the summary before the next file is read. */
static int
summarize_file (const char *file,
                GPtrArray  *summaries,
                gboolean    is_list,
                gboolean    as_json)
{
  g_autoptr (C2gWatch) watch = c2g_watch_new ();
  C2gFileSummary *summary = c2g_file_summary_new (file, is_list, watch);
  int status = c2g_watch_end (watch, summary->error, C2G_STATUS_FAILURE);

  g_ptr_array_add (summaries, summary);
  if (status == C2G_STATUS_SUCCESS && !as_json)
    {
      if (summaries->len > 1)
        g_print ("\n");
      c2g_file_summary_print (summary, c2g_terminal_has_colour (STDOUT_FILENO));
    }
  return status;
}

static int
summarize_files (char     **files,
                 gboolean   is_list,
                 gboolean   as_json)
{
  g_autoptr (GPtrArray) summaries = NULL;
  int result = C2G_STATUS_SUCCESS;

  summaries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_summary_free);
  for (char **file = files; *file != NULL; file++)
    {
      int status = summarize_file (*file, summaries, is_list, as_json);

      if (status > C2G_STATUS_SIGNAL)
        return status;
      result = MAX (result, status);
    }

  if (as_json)
    c2g_file_summaries_print_json (summaries);
  else
    c2g_file_summaries_print_totals (summaries);
  return result;
}

static const C2gUsage usage = {
  .name = "info",
  .parameters = N_("FILE…"),
  .summary = N_("Shows what is in files: blobs and their values, nets and their operators."),
  .least_parameters = 1,
};

int
c2g_command_info (int    argc,
                  char **argv)
{
  gboolean as_json = FALSE;
  gboolean is_list = FALSE;
  const GOptionEntry entries[] = {
    { "list", 'l', 0, G_OPTION_ARG_NONE, &is_list, N_("Read no values"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_("Print JSON for programs"), NULL },
    { NULL },
  };
  g_auto (GStrv) parameters = c2g_arguments_parse (&usage, entries, argc, argv);
  g_auto (GStrv) files = NULL;

  if (parameters == NULL)
    return C2G_STATUS_USAGE;
  files = c2g_model_expand_files (parameters);
  return summarize_files (files, is_list, as_json);
}
