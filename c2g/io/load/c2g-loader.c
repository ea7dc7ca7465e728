/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-loader-private.h>

#include <c2g/io/content/c2g-blob-record-private.h>
#include <c2g/io/content/c2g-serializer-private.h>
#include <c2g/io/load/c2g-load-plan-private.h>
#include <c2g/io/load/c2g-model-file-private.h>
#include <c2g/io/load/c2g-staging-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Loads files into a workspace in three steps: select, read, commit. */

struct _C2gLoader
{
  C2gLoadOptions *options;
  /* Arrays of C2gModelFile, and of C2gLoadItem, which borrow from the files. */
  GPtrArray      *files;
  GPtrArray      *items;

  /* NULL if nothing is kept. */
  C2gStaging     *staging;
};

/* Takes ownership of the options. */
static C2gLoader *
new_loader (C2gModelFile   *file,
            C2gLoadOptions *options)
{
  C2gLoader *self = g_new0 (C2gLoader, 1);

  self->options = options;
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->files, g_object_ref (file));
  return self;
}

static gboolean
open_others (C2gLoader     *self,
             GCancellable  *cancellable,
             GError       **error)
{
  GListModel *files = self->options->files;

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      C2gModelFile *model_file = c2g_model_file_open (file, self->options, cancellable, error);

      if (model_file == NULL)
        return FALSE;
      g_ptr_array_add (self->files, model_file);
    }

  return TRUE;
}

C2gLoader *
c2g_loader_new (C2gModelFile    *file,
                C2gLoadOptions  *options,
                GCancellable    *cancellable,
                GError         **error)
{
  g_autoptr (C2gLoader) self = NULL;

  self = new_loader (file, options == NULL ? c2g_load_options_new () : g_object_ref (options));
  self->staging = c2g_staging_new ();
  if (!open_others (self, cancellable, error))
    return NULL;
  self->items = c2g_load_plan_make (self->files, self->options, error);
  return self->items == NULL ? NULL : g_steal_pointer (&self);
}

C2gLoader *
c2g_loader_new_for_file (GFile           *file,
                         C2gLoadOptions  *options,
                         GCancellable    *cancellable,
                         GError         **error)
{
  g_autoptr (C2gModelFile) model_file = NULL;

  model_file = c2g_model_file_open (file, options, cancellable, error);
  return model_file == NULL ? NULL : c2g_loader_new (model_file, options, cancellable, error);
}

C2gLoader *
c2g_loader_new_for_check (C2gModelFile *file)
{
  C2gLoader *self = new_loader (file, c2g_load_options_new ());

  self->items = c2g_load_plan_make (self->files, self->options, NULL);
  return self;
}

void
c2g_loader_free (C2gLoader *self)
{
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->staging, c2g_staging_free);
  g_ptr_array_unref (self->files);
  g_object_unref (self->options);
  g_free (self);
}

/* Returns TRUE if loading runs a serializer of the program: for its own blob types and element
 * types. */
static gboolean
is_foreign (C2gFileEntry *entry)
{
  g_autoptr (C2gSerializer) serializer = NULL;

  if (g_str_equal (entry->blob_type, C2G_BLOB_TYPE_TENSOR))
    return entry->data_type == C2G_DATA_TYPE_UNDEFINED;
  if (*entry->blob_type == '\0')
    return FALSE;

  serializer = c2g_serializer_lookup_for_blob_type (entry->blob_type, NULL);
  return serializer != NULL && C2G_SERIALIZER_GET_CLASS (serializer)->funcs == NULL;
}

/* Finds the device to load to according to the options. */
static gboolean
find_device (C2gLoader     *self,
             C2gFileEntry  *entry,
             C2gDevice    **device,
             GError       **error)
{
  *device = self->options->device;
  if (*device != NULL)
    return c2g_context_can_share (*device, error);
  if (!self->options->keep_device || !entry->has_device)
    return TRUE;

  *device = c2g_file_entry_find_device (entry->device_type, entry->device_index, error);
  if (*device == NULL)
    g_prefix_error (error, _("Blob “%s”: "), entry->name);
  return *device != NULL;
}

/* Content whose size was only estimated may take fewer bytes: report the missing ones, so that
 * the total is reached. */
static gboolean
settle (const C2gJob  *job,
        guint64        n_bytes_before,
        guint64        n_bytes_promised,
        GError       **error)
{
  guint64 n_bytes;

  if (job == NULL || job->progress == NULL)
    return TRUE;

  n_bytes = c2g_progress_get_n_bytes_done (job->progress) - n_bytes_before;
  return n_bytes >= n_bytes_promised ||
         c2g_job_advance (job, n_bytes_promised - n_bytes, error);
}

/* Skips the item if the options allow it for this error. Takes ownership of PROBLEM. */
static gboolean
skip_item (C2gLoader          *self,
           const C2gLoadItem  *item,
           GError             *problem,
           GError            **error)
{
  if (!self->options->skip_unsupported ||
      !g_error_matches (problem, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }

  g_debug ("Left out of the workspace: %s", problem->message);
  g_error_free (problem);
  if (self->staging != NULL)
    c2g_staging_remove (self->staging, item->name);
  return TRUE;
}

static gboolean
read_item (C2gLoader          *self,
           const C2gLoadItem  *item,
           const C2gJob       *job,
           GError            **error)
{
  C2gJob item_job = { 0 };
  guint64 n_bytes_before = 0;
  g_autoptr (C2gBlob) blob = NULL;
  GError *problem = NULL;

  if (job != NULL)
    item_job = *job;
  if (!find_device (self, item->entry, &item_job.device, error))
    {
      c2g_model_file_prefix_error (item->file, error);
      return FALSE;
    }

  if (job != NULL && job->progress != NULL)
    n_bytes_before = c2g_progress_get_n_bytes_done (job->progress);
  if (job != NULL && g_cancellable_set_error_if_cancelled (job->cancellable, error))
    return FALSE;

  /* If nothing is kept, one element of a constant is enough for the check. */
  blob = c2g_model_file_load_entry (item->file, item->entry, self->staging == NULL, &item_job,
                                    &problem);
  if ((blob == NULL && !skip_item (self, item, problem, error)) ||
      !settle (job, n_bytes_before, item->entry->n_job_bytes, error))
    return FALSE;
  if (blob == NULL)
    return TRUE;

  if (self->staging != NULL)
    c2g_staging_put (self->staging, item->name, g_steal_pointer (&blob));
  return TRUE;
}

static gboolean
read_items (C2gLoader     *self,
            gboolean       foreign,
            const C2gJob  *job,
            GError       **error)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const C2gLoadItem *item = self->items->pdata[i];

      if (is_foreign (item->entry) == foreign && !read_item (self, item, job, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
c2g_loader_read (C2gLoader     *self,
                 const C2gJob  *job,
                 GError       **error)
{
  guint64 n_bytes = 0;

  /* Reserve the places first, so that the order of the blobs does not depend on what is read
   * first. */
  for (guint i = 0; i < self->items->len; i++)
    {
      const C2gLoadItem *item = self->items->pdata[i];

      if (self->staging != NULL)
        c2g_staging_put (self->staging, item->name, c2g_blob_new ());
      n_bytes += item->entry->n_job_bytes;
    }

  c2g_job_expect (job, n_bytes);
  return read_items (self, FALSE, job, error);
}

gboolean
c2g_loader_read_foreign (C2gLoader     *self,
                         const C2gJob  *job,
                         GError       **error)
{
  if (!read_items (self, TRUE, job, error))
    return FALSE;

  for (guint i = 0; i < self->files->len; i++)
    if (!c2g_model_file_check_current (self->files->pdata[i], error))
      return FALSE;

  return TRUE;
}

char **
c2g_loader_commit (C2gLoader     *self,
                   C2gWorkspace  *workspace,
                   GError       **error)
{
  return c2g_staging_commit (self->staging, workspace, error);
}
