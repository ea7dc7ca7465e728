#include "config.h"

#include "c2g-entries.h"
#include "c2g-file-summary.h"

#include <glib/gi18n.h>

static void
add_blob (C2gFileSummary *self,
          C2gBlobSummary *blob)
{
  g_ptr_array_add (self->blobs, blob);
  self->n_tensors += blob->has_dims;
  self->n_elements += blob->n_elements;
  self->n_bytes += blob->n_bytes;
}

static void
summarize_memory (C2gFileSummary    *self,
                  C2gMemoryReporter *reporter)
{
  self->current_bytes = c2g_memory_reporter_get_current_bytes (reporter, NULL);
  self->peak_bytes = c2g_memory_reporter_get_peak_bytes (reporter, NULL);
  self->n_blocks = c2g_memory_reporter_get_n_blocks (reporter, NULL);
  /* What had been asked for before is that of another file. */
  self->total_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL) - self->total_bytes;
}

/* Adds one blob, with its values if there is a workspace that has them. */
static gboolean
summarize_entry (C2gFileSummary  *self,
                 C2gFileEntry    *entry,
                 C2gWorkspace    *workspace,
                 GError         **error)
{
  g_autoptr (C2gBlobSummary) summary = c2g_blob_summary_new (entry);
  g_autoptr (C2gBlob) blob = NULL;

  if (workspace != NULL && !c2g_workspace_has_blob (workspace, c2g_file_entry_get_name (entry)))
    summary->is_unsupported = TRUE;
  else if (workspace != NULL)
    {
      blob = c2g_workspace_get_blob (workspace, c2g_file_entry_get_name (entry), error);
      if (blob == NULL || !c2g_blob_summary_add_values (summary, blob, error))
        return FALSE;
    }
  add_blob (self, g_steal_pointer (&summary));
  return TRUE;
}

static gboolean
summarize_entries (C2gFileSummary  *self,
                   C2gWorkspace    *workspace,
                   GCancellable    *cancellable,
                   GError         **error)
{
  g_autoptr (GPtrArray) entries = c2g_entries_new (self->model_file);

  for (guint i = 0; i < entries->len; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !summarize_entry (self, entries->pdata[i], workspace, error))
      return FALSE;
  return TRUE;
}

/* Of a blob that nothing reads there is at least something to say, beside others. */
static char **
load (C2gFileSummary  *self,
      C2gWorkspace    *workspace,
      C2gWatch        *watch,
      GError         **error)
{
  C2gModelFileKind kind = c2g_model_file_get_kind (self->model_file);
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();

  c2g_load_options_set_skip_unsupported (options, kind != C2G_MODEL_FILE_KIND_BLOB);
  c2g_load_options_set_progress (options, c2g_watch_begin_progress (watch, _("Reading")));
  return c2g_model_file_load_with_options (self->model_file, workspace, options,
                                           c2g_watch_get_cancellable (watch), error);
}

static gboolean
summarize_values (C2gFileSummary  *self,
                  C2gWatch        *watch,
                  GError         **error)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  GCancellable *cancellable = c2g_watch_get_cancellable (watch);
  g_auto (GStrv) names = NULL;

  c2g_memory_reporter_reset_peak (reporter);
  self->total_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL);
  names = load (self, workspace, watch, error);
  if (names == NULL || !summarize_entries (self, workspace, cancellable, error))
    return FALSE;

  summarize_memory (self, reporter);
  return TRUE;
}

/* In bytes a plan reads as a net whose operators have no type, and as a text as none. */
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
  /* Nothing at all reads as a plan, too. */
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

  self->model_file = c2g_open (file, NULL, cancellable, error);
  if (self->model_file == NULL)
    return FALSE;
  if (self->is_list)
    return summarize_entries (self, NULL, cancellable, error);
  return summarize_values (self, watch, error);
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
