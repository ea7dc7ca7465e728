/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-arguments.h"
#include "c2g-commands.h"
#include "c2g-file-summary.h"
#include "c2g-output.h"
#include "c2g-terminal.h"

#include <glib/gi18n.h>

#include <unistd.h>

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
          c2g_output_error (summary->error->message);
          status = C2G_STATUS_FAILURE;
        }
      else if (!as_json)
        {
          if (summaries->len > 1)
            g_print ("\n");
          c2g_file_summary_print (summary, c2g_terminal_has_colour (STDOUT_FILENO));
        }
    }

  if (as_json)
    c2g_file_summaries_print_json (summaries);
  return status;
}

static const C2gUsage usage = {
  .name = "info",
  .parameters = N_("FILE…"),
  .summary = N_("Shows what is in files of Caffe2: blobs, tensors, nets and minidb checkpoints."),
  .least_parameters = 1,
};

int
c2g_command_info (int    argc,
                  char **argv)
{
  gboolean as_json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_("Print JSON for programs"), NULL },
    { NULL },
  };
  g_auto (GStrv) files = c2g_arguments_parse (&usage, entries, argc, argv);

  if (files == NULL)
    return C2G_STATUS_USAGE;
  return summarize_files (files, as_json);
}
