/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-loader-private.h>

#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/load/c2g-model-file-private.h>
#include <c2g/io/load/c2g-staging-private.h>
#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/message/c2g-entry-private.h>
#include <c2g/io/serializer/c2g-serializer-private.h>
#include <c2g/io/stream/c2g-name-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-names-private.h>

/* Loads files into a workspace in three steps: select, read, commit. The blobs are collected outside
 * the workspace until all are read, so that a damaged file leaves the workspace unchanged. */

/* An entry of a file, and the name to load it under. */
typedef struct
{
  char         *name;
  /* Both are borrowed. */
  C2gModelFile *file;
  C2gFileEntry *entry;
} C2gLoadItem;

typedef struct
{
  C2gLoadOptions *options;
  GPtrArray      *files;

  /* Maps a name in the files to the name to load it under; NULL if all blobs keep their names.
   * All strings are borrowed. */
  GHashTable     *wanted;

  GPtrArray      *items;
  GHashTable     *by_name;
} Plan;

static void
item_free (gpointer data)
{
  C2gLoadItem *item = data;

  g_free (item->name);
  g_free (item);
}

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->wanted, g_hash_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static gboolean
set_invalid (GError     **error,
             const char  *message)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

static gboolean
has_text (const char *text)
{
  return text != NULL && *text != '\0';
}

static gboolean
check_options (C2gLoadOptions  *options,
               GError         **error)
{
  guint n_names = options->names == NULL ? 0 : g_strv_length (options->names);
  guint n_source_names = options->source_names == NULL ? 0 : g_strv_length (options->source_names);

  if (!c2g_names_check_different ((const char *const *) options->names, error) ||
      !c2g_names_check_different ((const char *const *) options->source_names, error))
    return FALSE;
  if (options->source_names == NULL)
    return TRUE;

  if (has_text (options->strip_prefix))
    return set_invalid (error, _("Source names cannot be given together with a prefix to strip"));
  if (options->load_all)
    return set_invalid (error, _("Source names cannot be given where everything is loaded"));
  if (options->names == NULL || n_names == n_source_names)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Expected %u source names, as many as names, got %u"), n_names,
                   n_source_names);
}

static gboolean
check_files (GPtrArray  *files,
             GError    **error)
{
  for (guint i = 0; i < files->len; i++)
    for (guint j = 0; j < i; j++)
      {
        GFile *first = c2g_model_file_peek_file (files->pdata[j]);
        GFile *second = c2g_model_file_peek_file (files->pdata[i]);

        if (first != NULL && second != NULL && g_file_equal (first, second))
          return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The file %s is given twice"),
                           c2g_model_file_get_file_name (files->pdata[i]));
      }

  return TRUE;
}

static void
want_names (Plan *self)
{
  char **names = self->options->names;
  char **sources = self->options->source_names;

  if (names == NULL)
    names = sources;
  if (sources == NULL)
    sources = names;
  if (names == NULL)
    return;

  self->wanted = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; names[i] != NULL; i++)
    g_hash_table_insert (self->wanted, sources[i], names[i]);
}

/* Returns the name to load the blob under, or NULL if it is not wanted. */
static char *
dup_name (Plan       *self,
          const char *name)
{
  g_autofree char *key = c2g_load_options_dup_name (self->options, name);
  const char *wanted;

  if (self->wanted == NULL || self->options->load_all)
    return g_steal_pointer (&key);

  wanted = g_hash_table_lookup (self->wanted, key);
  return g_strdup (wanted);
}

static gboolean
set_exists (const C2gLoadItem  *first,
            C2gModelFile       *file,
            C2gFileEntry       *entry,
            GError            **error)
{
  if (first->file != file)
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("Two files have a blob “%s”: %s and %s"), first->name,
                 c2g_model_file_get_file_name (first->file), c2g_model_file_get_file_name (file));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("%s: Two blobs would be called “%s”: “%s” and “%s”"),
                 c2g_model_file_get_file_name (file), first->name, first->entry->name, entry->name);
  return FALSE;
}

static gboolean
add_entry (Plan          *self,
           C2gModelFile  *file,
           C2gFileEntry  *entry,
           GError       **error)
{
  g_autofree char *name = dup_name (self, entry->name);
  C2gLoadItem *item;

  if (name == NULL)
    return TRUE;
  if (*name == '\0')
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Nothing is left of the name “%s”"),
                     entry->name);

  item = g_hash_table_lookup (self->by_name, name);
  if (item != NULL)
    return set_exists (item, file, entry, error);

  item = g_new (C2gLoadItem, 1);
  *item = (C2gLoadItem) { g_steal_pointer (&name), file, entry };
  g_ptr_array_add (self->items, item);
  g_hash_table_insert (self->by_name, item->name, item);
  return TRUE;
}

static gboolean
add_file (Plan          *self,
          C2gModelFile  *file,
          GError       **error)
{
  GPtrArray *entries = c2g_model_file_peek_entries (file);

  for (guint i = 0; i < entries->len; i++)
    if (!add_entry (self, file, entries->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
set_missing (Plan       *self,
             GPtrArray  *names,
             GError    **error)
{
  g_autofree char *text = c2g_names_join ((const char *const *) names->pdata, names->len);

  if (self->files->len == 1)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("%s: Blobs that are not there: %s"),
                 c2g_model_file_get_file_name (self->files->pdata[0]), text);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                 _("Blobs that are in none of the files: %s"), text);
  return FALSE;
}

/* Lists missing blobs by their names in the files, in the order of the options. */
static gboolean
check_missing (Plan    *self,
               GError **error)
{
  char **names = self->options->names == NULL ? self->options->source_names : self->options->names;
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  if (self->options->allow_incomplete)
    return TRUE;

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    if (!g_hash_table_contains (self->by_name, names[i]))
      g_ptr_array_add (missing, self->options->source_names == NULL
                                  ? names[i]
                                  : self->options->source_names[i]);
  return missing->len == 0 || set_missing (self, missing, error);
}

/* Selects the entries of the files (C2gModelFile) that the options want. Returns C2gLoadItem in
 * the order of the files. Refuses inconsistent options, names that are in no file, and two blobs
 * for one name. */
static GPtrArray *
make_items (GPtrArray       *files,
            C2gLoadOptions  *options,
            GError         **error)
{
  g_auto (Plan) plan = { .options = options, .files = files };

  if (!check_options (options, error) || !check_files (files, error))
    return NULL;

  want_names (&plan);
  plan.items = g_ptr_array_new_with_free_func (item_free);
  plan.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < files->len; i++)
    if (!add_file (&plan, files->pdata[i], error))
      return NULL;

  return check_missing (&plan, error) ? g_steal_pointer (&plan.items) : NULL;
}

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
  self->items = make_items (self->files, self->options, error);
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

  /* This cannot fail: the default options keep all names, which are different in a file. */
  self->items = make_items (self->files, self->options, NULL);
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
 * types. An entry without a blob type is only declared in the file, and has no content. */
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
  if (self->options->fits_present &&
      !c2g_staging_fit (self->staging, workspace, self->options->device == NULL, error))
    return NULL;
  return c2g_staging_commit (self->staging, workspace, error);
}
