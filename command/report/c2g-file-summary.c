/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-file-summary.h"
#include "model/c2g-model.h"
#include "output/c2g-entries.h"
#include "output/c2g-memory.h"

#include <glib/gi18n.h>

/* Reads a file for info, blob by blob. */

static void
add_blob (C2gFileSummary *self,
          C2gBlobSummary *blob)
{
  g_ptr_array_add (self->blobs, blob);
  self->n_tensors += blob->has_dims;
  self->n_elements += blob->n_elements;
  self->n_bytes += blob->n_bytes;
}

/* Returns TRUE if a blob that cannot be read is only marked as such. It is an error if it is the
 * only blob of the file. */
static gboolean
may_skip (C2gFileSummary *self,
          const GError   *problem)
{
  return g_error_matches (problem, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED) &&
         c2g_model_file_get_kind (self->model_file) != C2G_MODEL_FILE_KIND_BLOB;
}

/* Describes a constant without creating it, because its shape may be huge. */
static gboolean
add_constant (C2gFileSummary  *self,
              C2gBlobSummary  *summary,
              C2gFileEntry    *entry,
              GError         **error)
{
  g_autoptr (C2gTensor) sample = c2g_entry_load_constant (self->model_file, entry, error);

  if (sample == NULL)
    return FALSE;
  if (c2g_blob_summary_add_constant (summary, sample, error))
    return TRUE;

  c2g_entry_prefix_error (self->model_file, entry, error);
  return FALSE;
}

static gboolean
add_values (C2gFileSummary  *self,
            C2gBlobSummary  *summary,
            C2gFileEntry    *entry,
            GCancellable    *cancellable,
            GError         **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  if (!c2g_memory_check_strings (self->model_file, entry, error))
    return FALSE;

  blob = c2g_model_file_load_blob (self->model_file, c2g_file_entry_get_name (entry), cancellable,
                                   &problem);
  if (blob != NULL && !c2g_blob_summary_add_values (summary, blob, error))
    {
      c2g_entry_prefix_error (self->model_file, entry, error);
      return FALSE;
    }
  if (blob != NULL)
    return TRUE;

  summary->is_unsupported = may_skip (self, problem);
  if (!summary->is_unsupported)
    g_propagate_error (error, g_steal_pointer (&problem));
  return summary->is_unsupported;
}

/* Adds one blob; without values for a list. */
static gboolean
summarize_entry (C2gFileSummary  *self,
                 C2gFileEntry    *entry,
                 GCancellable    *cancellable,
                 GError         **error)
{
  g_autoptr (C2gBlobSummary) summary = c2g_blob_summary_new (entry);
  gboolean done = TRUE;

  if (!self->is_list && c2g_file_entry_is_constant (entry))
    done = add_constant (self, summary, entry, error);
  else if (!self->is_list)
    done = add_values (self, summary, entry, cancellable, error);
  if (done)
    add_blob (self, g_steal_pointer (&summary));
  return done;
}

/* Reads the blobs one by one, so that only one is in memory. */
static gboolean
summarize_entries (C2gFileSummary  *self,
                   C2gWatch        *watch,
                   GError         **error)
{
  g_autoptr (GPtrArray) entries = c2g_entries_new (self->model_file);
  GCancellable *cancellable = c2g_watch_get_cancellable (watch);

  c2g_watch_begin (watch, _("Reading"), c2g_entries_n_bytes (entries));
  for (guint i = 0; i < entries->len; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !summarize_entry (self, entries->pdata[i], cancellable, error))
        return FALSE;
      c2g_watch_advance (watch, c2g_file_entry_get_n_bytes (entries->pdata[i]));
    }
  return TRUE;
}

static gboolean
summarize_file (C2gFileSummary  *self,
                C2gWatch        *watch,
                GError         **error)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  guint64 total_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL);

  c2g_memory_reporter_reset_peak (reporter);
  if (!summarize_entries (self, watch, error))
    return FALSE;

  /* Subtract the memory that was allocated for earlier files. */
  self->total_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL) - total_bytes;
  self->peak_bytes = c2g_memory_reporter_get_peak_bytes (reporter, NULL);
  return TRUE;
}

/* A binary plan can be parsed as a net whose operators have no type; a text plan cannot be parsed
 * as a net. */
static gboolean
may_be_plan (C2gFileSummary *self)
{
  return self->model_file != NULL ? c2g_model_file_get_n_operators (self->model_file, "") > 0
                                  : g_error_matches (self->error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

static void
try_plan (C2gFileSummary *self,
          C2gWatch       *watch)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (self->argument);

  if (may_be_plan (self))
    self->plan = c2g_plan_def_load_file (file, c2g_watch_get_cancellable (watch), NULL);
  /* An empty file can be parsed as a plan too. */
  if (self->plan != NULL && c2g_plan_def_get_n_nets (self->plan) == 0 &&
      c2g_plan_def_get_n_steps (self->plan) == 0)
    g_clear_object (&self->plan);
  if (self->plan == NULL)
    return;

  g_clear_error (&self->error);
  g_ptr_array_set_size (self->blobs, 0);
}

static gboolean
summarize (C2gFileSummary  *self,
           C2gWatch        *watch,
           GError         **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (self->argument);
  GCancellable *cancellable = c2g_watch_get_cancellable (watch);

  c2g_memory_fit_file (file, cancellable);
  self->model_file = c2g_model_open_file (self->argument, cancellable, error);
  return self->model_file != NULL && summarize_file (self, watch, error);
}

C2gFileSummary *
c2g_file_summary_new (const char *argument,
                      gboolean    is_list,
                      C2gWatch   *watch)
{
  C2gFileSummary *self = g_new0 (C2gFileSummary, 1);

  self->argument = g_strdup (argument);
  self->is_list = is_list;
  self->blobs = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_blob_summary_free);
  summarize (self, watch, &self->error);
  try_plan (self, watch);
  return self;
}

void
c2g_file_summary_free (C2gFileSummary *self)
{
  g_free (self->argument);
  g_clear_error (&self->error);
  g_clear_object (&self->model_file);
  g_clear_object (&self->plan);
  g_ptr_array_unref (self->blobs);
  g_free (self);
}
