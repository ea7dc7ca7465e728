/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-file-summary.h"

static gboolean
summarize_blobs (C2gFileSummary  *self,
                 C2gWorkspace    *workspace,
                 char           **names,
                 GError         **error)
{
  gint64 segment[2];
  gboolean is_part = c2g_model_file_get_segment (self->model_file, &segment[0], &segment[1]);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, error);
      C2gBlobSummary *summary = NULL;

      if (blob != NULL)
        summary = c2g_blob_summary_new (blob, *name, is_part ? segment : NULL, error);
      if (summary == NULL)
        return FALSE;
      g_ptr_array_add (self->blobs, summary);
      self->n_tensors += summary->dims != NULL || summary->data_type != NULL;
      self->n_elements += summary->n_elements;
      self->n_bytes += summary->n_bytes;
    }

  return TRUE;
}

static void
summarize_memory (C2gFileSummary    *self,
                  C2gMemoryReporter *reporter)
{
  self->current_bytes = c2g_memory_reporter_get_current_bytes (reporter, NULL);
  self->peak_bytes = c2g_memory_reporter_get_peak_bytes (reporter, NULL);
  self->n_blocks = c2g_memory_reporter_get_n_blocks (reporter, NULL);
  self->report = c2g_memory_reporter_dup_report (reporter);
}

static gboolean
summarize (C2gFileSummary  *self,
           GError         **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (self->argument);
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = NULL;

  c2g_memory_reporter_reset_peak (reporter);
  self->model_file = c2g_model_file_open (file, NULL, error);
  if (self->model_file == NULL)
    return FALSE;
  names = c2g_model_file_load (self->model_file, workspace, error);
  if (names == NULL || !summarize_blobs (self, workspace, names, error))
    return FALSE;

  summarize_memory (self, reporter);
  return TRUE;
}

C2gFileSummary *
c2g_file_summary_new (const char *argument)
{
  C2gFileSummary *self = g_new0 (C2gFileSummary, 1);

  self->argument = g_strdup (argument);
  self->blobs = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_blob_summary_free);
  summarize (self, &self->error);
  return self;
}

void
c2g_file_summary_free (C2gFileSummary *self)
{
  g_free (self->argument);
  g_clear_error (&self->error);
  g_clear_object (&self->model_file);
  g_ptr_array_unref (self->blobs);
  g_free (self->report);
  g_free (self);
}
