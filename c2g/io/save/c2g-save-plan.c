/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-save-plan-private.h>

#include <c2g/io/load/c2g-caffe-files-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/safetensors/c2g-safetensors-private.h>
#include <c2g/io/stream/c2g-name-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>
#include <c2g/io/content/c2g-snapshot-private.h>
#include <c2g/io/save/c2g-save-options-private.h>

#include <string.h>

/* Checks the blobs and options of a save before anything is written, and takes snapshots of the
 * blobs. */

/* The limit of Caffe2. */
#define DEFAULT_MAX_THREADS 16

/* Upper estimate for the fields of a message besides values, dims and name. */
#define MESSAGE_BYTES 256

/* With fewer bytes a further thread costs more than it saves. */
#define MIN_BYTES_PER_THREAD (1u << 20)

static void
free_entry (gpointer data)
{
  C2gSaveEntry *self = data;

  g_free (self->item.name);
  g_clear_object (&self->item.blob);
  g_clear_object (&self->item.diff);
  g_free (self->source_name);
  g_clear_object (&self->serializer);
  g_free (self);
}

void
c2g_save_plan_free (C2gSavePlan *self)
{
  g_free (self->db_type);
  g_ptr_array_unref (self->entries);
  g_clear_pointer (&self->metadata, g_hash_table_unref);
  g_clear_object (&self->progress);
  g_free (self);
}

/* As in Caffe2, the text before the prefix is removed too. */
static const char *
strip (const char *name,
       const char *prefix)
{
  const char *match = prefix != NULL ? strstr (name, prefix) : NULL;

  return match != NULL ? match + strlen (prefix) : name;
}

static gboolean
check_names (C2gSaveOptions  *options,
             gsize            n_blobs,
             GError         **error)
{
  const char *const *new_names = c2g_save_options_get_new_names (options);
  const char *prefix = c2g_save_options_get_strip_prefix (options);
  gsize n_new_names = new_names != NULL ? g_strv_length ((char **) new_names) : 0;

  if (new_names != NULL && prefix != NULL && *prefix != '\0')
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Blobs cannot be given new names and lose a prefix at once"));
  if (new_names != NULL && n_new_names != n_blobs)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("There are %zu new names for %zu blobs"),
                     n_new_names, n_blobs);

  return TRUE;
}

/* Checks the name in the file and adds it to the set of used names. */
static gboolean
check_name (C2gSavePlan   *self,
            C2gSaveEntry  *entry,
            GHashTable    *sources,
            GError       **error)
{
  const char *other = g_hash_table_lookup (sources, entry->item.name);

  if (*entry->item.name == '\0')
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Blob “%s” would have no name in the file"), entry->source_name);
  if (!g_utf8_validate (entry->item.name, -1, NULL))
    {
      g_autofree char *name = g_utf8_make_valid (entry->item.name, -1);

      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       _("The name of a blob must be UTF-8, got “%s”"), name);
    }
  if (other != NULL)
    return c2g_fail (error, C2G_ERROR_EXISTS,
                     _("Blobs “%s” and “%s” would both be called “%s” in the file"), other,
                     entry->source_name, entry->item.name);
  if (self->layout == C2G_SAVE_LAYOUT_DATABASE && strstr (entry->item.name, "#%") != NULL)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Blob “%s” cannot be called “%s” in a database: “#%%” ends the name there"),
                     entry->source_name, entry->item.name);

  g_hash_table_insert (sources, entry->item.name, entry->source_name);
  return TRUE;
}

/* Refuses a blob that is empty, or a tensor without memory, unless the tensor has a type and no
 * elements. */
static gboolean
check_content (C2gBlob  *blob,
               GError  **error)
{
  GObject *object = c2g_blob_get_object (blob);

  if (c2g_blob_is_empty (blob))
    return c2g_fail (error, C2G_ERROR_TYPE, _("There is nothing in it"));
  if (object == NULL || !C2G_IS_TENSOR (object) || c2g_tensor_is_allocated (C2G_TENSOR (object)))
    return TRUE;
  if (c2g_tensor_get_n_elements (C2G_TENSOR (object)) == 0 &&
      c2g_tensor_get_type_meta (C2G_TENSOR (object)) != NULL)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_FAILED, _("The tensor has not been allocated"));
}

/* Maximum size of an encoded element; 0 if there is none. A negative varint takes ten bytes. */
static guint
get_max_element_bytes (C2gDataType data_type)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      return 1;

    case C2G_DATA_TYPE_UINT8:
      return 2;

    case C2G_DATA_TYPE_UINT16:
    case C2G_DATA_TYPE_FLOAT16:
    case C2G_DATA_TYPE_BFLOAT16:
      return 3;

    case C2G_DATA_TYPE_FLOAT:
      return 4;

    case C2G_DATA_TYPE_DOUBLE:
      return 8;

    case C2G_DATA_TYPE_INT8:
    case C2G_DATA_TYPE_INT16:
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      return 10;

    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_BYTE:
    case C2G_DATA_TYPE_STRING:
    default:
      return 0;
    }
}

static guint64
get_max_chunk_bytes (C2gSavePlan  *self,
                     C2gSaveEntry *entry)
{
  GObject *object = c2g_blob_get_object (entry->item.blob);
  gint64 chunk_size = self->format.chunk_size;
  guint64 n_elements;
  guint n_element_bytes;
  gsize n_dims;

  if (object == NULL || !C2G_IS_TENSOR (object))
    return 0;

  n_element_bytes = get_max_element_bytes (c2g_tensor_get_data_type (C2G_TENSOR (object)));
  n_elements = c2g_tensor_get_n_elements (C2G_TENSOR (object));
  if (n_element_bytes == 0 || n_elements > G_MAXUINT32)
    return 0;

  if (chunk_size == C2G_DEFAULT_CHUNK_SIZE)
    chunk_size = C2G_CHUNK_ELEMENTS;
  if (chunk_size != C2G_NO_CHUNKING)
    n_elements = MIN (n_elements, (guint64) chunk_size);
  c2g_tensor_get_dims (C2G_TENSOR (object), &n_dims);
  return n_elements * n_element_bytes + 10 * n_dims + strlen (entry->item.name) + MESSAGE_BYTES;
}

/* A serializer of the program gets the blob of the workspace, not the snapshot. */
static gboolean
find_serializer (C2gSavePlan   *self,
                 C2gSaveEntry  *entry,
                 C2gBlob       *source,
                 GError       **error)
{
  C2gBlob *blob;

  entry->serializer = c2g_serializer_for_blob (entry->item.blob, error);
  if (entry->serializer == NULL)
    return FALSE;
  if (C2G_SERIALIZER_GET_CLASS (entry->serializer)->funcs == NULL)
    g_set_object (&entry->item.blob, source);

  blob = entry->item.blob;
  entry->n_chunks =
    c2g_serializer_get_n_chunks (entry->serializer, blob, self->format.chunk_size);
  entry->is_own = c2g_serializer_is_own (entry->serializer, blob);
  entry->max_chunk_bytes = get_max_chunk_bytes (self, entry);
  if (entry->n_chunks == 1 || self->layout == C2G_SAVE_LAYOUT_DATABASE)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("It is written in %u messages, and the file holds one"), entry->n_chunks);
}

/* Checks that the file can hold the blob. SOURCE is the blob that the snapshot was made of. */
static gboolean
check_entry (C2gSavePlan   *self,
             C2gSaveEntry  *entry,
             C2gBlob       *source,
             GError       **error)
{
  gboolean success;

  if (!check_content (entry->item.blob, error))
    {
      g_prefix_error (error, _("Blob “%s”: "), entry->source_name);
      return FALSE;
    }

  switch (self->layout)
    {
    case C2G_SAVE_LAYOUT_SAFETENSORS:
      return c2g_safetensors_check (&entry->item, error);

    case C2G_SAVE_LAYOUT_NPZ:
      return c2g_npz_check (&entry->item, error);

    case C2G_SAVE_LAYOUT_NPY:
      return c2g_npy_check (&entry->item, "npy", error);

    case C2G_SAVE_LAYOUT_CAFFEMODEL:
      return c2g_caffemodel_check (&entry->item, error);

    case C2G_SAVE_LAYOUT_BINARYPROTO:
      return c2g_caffe_mean_check (&entry->item, error);

    case C2G_SAVE_LAYOUT_DATABASE:
    case C2G_SAVE_LAYOUT_BLOB:
    default:
      success = find_serializer (self, entry, source, error);
      if (!success)
        g_prefix_error (error, _("Blob “%s”: "), entry->source_name);
      return success;
    }
}

/* Replaces the snapshot by one that also keeps the memory of its tensors. */
static gboolean
hold_memory (C2gSaveEntry  *entry,
             GError       **error)
{
  C2gBlob *held = c2g_snapshot_hold (entry->item.blob, entry->serializer, error);

  if (held == NULL)
    {
      g_prefix_error (error, _("Blob “%s”: "), entry->source_name);
      return FALSE;
    }

  g_object_unref (entry->item.blob);
  entry->item.blob = held;
  return TRUE;
}

/* Returns TRUE if the kind of content is the problem: the blob could not be saved in this kind of
 * file under another name or with more memory either. */
static gboolean
is_unsupported (C2gBlob *blob,
                GError  *problem)
{
  return g_error_matches (problem, C2G_ERROR, C2G_ERROR_TYPE) ||
         g_error_matches (problem, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED) ||
         !check_content (blob, NULL);
}

/* Returns TRUE for a blob of Caffe that no serializer of the program writes. */
static gboolean
is_caffe_blob (C2gSavePlan  *self,
               C2gSaveEntry *entry)
{
  g_autoptr (C2gSerializer) serializer = NULL;

  if (!c2g_caffe_save_item_has_blob (&entry->item))
    return FALSE;
  if (self->layout == C2G_SAVE_LAYOUT_DATABASE || self->layout == C2G_SAVE_LAYOUT_BLOB)
    serializer = c2g_serializer_for_blob (entry->item.blob, NULL);
  return serializer == NULL;
}

static gboolean
take_caffe_blob (C2gSavePlan   *self,
                 C2gSaveEntry  *entry,
                 GError       **error)
{
  const gboolean has_diff = self->has_diffs && self->layout == C2G_SAVE_LAYOUT_CAFFEMODEL;

  if (c2g_caffe_save_item_take_data (&entry->item, has_diff, error))
    return TRUE;
  g_prefix_error (error, _("Blob “%s”: "), entry->source_name);
  return FALSE;
}

static gboolean
add_blob (C2gSavePlan   *self,
          C2gBlob       *blob,
          const char    *source_name,
          const char    *name,
          gboolean       skip_empty,
          gboolean       skip_unsupported,
          GHashTable    *sources,
          GError       **error)
{
  C2gSaveEntry *entry = g_new0 (C2gSaveEntry, 1);
  g_autoptr (GError) local_error = NULL;
  gboolean is_caffe;
  gboolean is_fine;

  entry->item.name = g_strdup (name);
  entry->item.blob = c2g_snapshot_new (blob);
  entry->source_name = g_strdup (source_name);

  if (skip_empty && c2g_blob_is_empty (entry->item.blob))
    {
      free_entry (entry);
      return TRUE;
    }

  is_caffe = is_caffe_blob (self, entry);
  is_fine = (!is_caffe || take_caffe_blob (self, entry, &local_error)) &&
            check_entry (self, entry, is_caffe ? entry->item.blob : blob, &local_error);
  if (!is_fine && skip_unsupported && is_unsupported (entry->item.blob, local_error))
    {
      g_debug ("Left out of the file: %s", local_error->message);
      free_entry (entry);
      return TRUE;
    }

  g_ptr_array_add (self->entries, entry);
  if (!is_fine)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  if (!hold_memory (entry, error))
    return FALSE;
  entry->n_bytes = c2g_blob_get_n_bytes (entry->item.blob);
  if (entry->item.diff != NULL)
    entry->n_bytes += c2g_tensor_get_n_bytes (entry->item.diff);
  self->n_bytes += entry->n_bytes;
  return check_name (self, entry, sources, error);
}

/* Returns the blobs of these names. NULL means all local blobs of the workspace at this moment,
 * and sets *NAMES. */
static GPtrArray *
choose_blobs (C2gWorkspace   *workspace,
              char         ***names,
              GError        **error)
{
  g_autoptr (GPtrArray) blobs = NULL;

  if (*names == NULL)
    return c2g_workspace_ref_local_blobs (workspace, names);

  blobs = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; (*names)[i] != NULL; i++)
    {
      C2gBlob *blob = c2g_workspace_get_blob (workspace, (*names)[i], error);

      if (blob == NULL)
        return NULL;
      g_ptr_array_add (blobs, blob);
    }

  return g_steal_pointer (&blobs);
}

/* Without a workspace, BLOBS has one blob for each name. */
static gboolean
add_blobs (C2gSavePlan     *self,
           C2gWorkspace    *workspace,
           C2gBlob *const  *blobs,
           C2gSaveOptions  *options,
           GError         **error)
{
  /* Copies, because a serializer of the program may change the options. */
  g_auto (GStrv) names = g_strdupv (options->names);
  g_auto (GStrv) new_names = g_strdupv (options->new_names);
  g_autofree char *prefix = g_strdup (options->strip_prefix);
  gboolean skip_unsupported = c2g_save_options_get_skip_unsupported (options);
  /* Skip blobs that another thread created but has not filled. */
  gboolean skip_empty = names == NULL;
  g_autoptr (GPtrArray) chosen = NULL;
  g_autoptr (GHashTable) sources = g_hash_table_new (g_str_hash, g_str_equal);

  if (names != NULL && names[0] == NULL)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("No blob was named, and so there is nothing to save"));
  if (workspace != NULL)
    {
      chosen = choose_blobs (workspace, &names, error);
      if (chosen == NULL)
        return FALSE;
      blobs = (C2gBlob *const *) chosen->pdata;
    }
  if (!check_names (options, g_strv_length (names), error))
    return FALSE;

  for (gsize i = 0; names[i] != NULL; i++)
    {
      const char *name = new_names != NULL ? new_names[i] : strip (names[i], prefix);

      if (!add_blob (self, blobs[i], names[i], name, skip_empty, skip_unsupported, sources, error))
        return FALSE;
    }
  for (guint i = 0; i < self->entries->len; i++)
    {
      C2gSaveEntry *entry = self->entries->pdata[i];

      entry->device = c2g_save_options_get_device (options, entry->source_name);
    }

  return TRUE;
}

/* Checks the number of blobs for files that hold exactly one. */
static gboolean
check_number (C2gSavePlan  *self,
              GError      **error)
{
  if (self->entries->len == 1 ||
      (self->layout != C2G_SAVE_LAYOUT_NPY && self->layout != C2G_SAVE_LAYOUT_BINARYPROTO &&
       self->layout != C2G_SAVE_LAYOUT_BLOB))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The file holds exactly one blob, and there are %u to save"),
                   self->entries->len);
}

static guint
choose_n_threads (C2gSavePlan *self,
                  guint        n_threads)
{
  if (n_threads == 0)
    n_threads = MIN (g_get_num_processors (), DEFAULT_MAX_THREADS);

  return MIN (n_threads, 1 + self->n_bytes / MIN_BYTES_PER_THREAD);
}

C2gSerializeFormat
c2g_save_plan_get_format (const C2gSavePlan  *self,
                          const C2gSaveEntry *entry)
{
  C2gSerializeFormat format = self->format;

  format.device = entry->device;
  return format;
}

static GHashTable *
copy_metadata (GHashTable *metadata)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, metadata);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, g_strdup (key), g_strdup (value));
  return copy;
}

static C2gSavePlan *
new_plan (C2gWorkspace    *workspace,
          C2gBlob *const  *blobs,
          C2gSaveOptions  *options,
          GFile           *file,
          GError         **error)
{
  g_autoptr (C2gSavePlan) self = g_new0 (C2gSavePlan, 1);
  g_autoptr (C2gSaveOptions) chosen = NULL;

  chosen = options != NULL ? g_object_ref (options) : c2g_save_options_new ();
  self->entries = g_ptr_array_new_with_free_func (free_entry);
  self->format.float16_as_bytes = chosen->float16_as_bytes;
  self->format.keep_device = chosen->keep_device;
  self->compress = chosen->compress;
  self->has_diffs = chosen->caffe_diff;
  if (chosen->metadata != NULL)
    self->metadata = copy_metadata (chosen->metadata);
  g_set_object (&self->progress, chosen->progress);

  if (!c2g_save_layout_find (chosen, file, &self->layout, &self->db_type, error))
    return NULL;
  self->format.chunk_size = chosen->chunk_size;
  if (self->layout == C2G_SAVE_LAYOUT_BLOB)
    self->format.chunk_size = C2G_NO_CHUNKING;
  if (!add_blobs (self, workspace, blobs, chosen, error) || !check_number (self, error))
    return NULL;

  self->n_threads = choose_n_threads (self, chosen->n_threads);
  return g_steal_pointer (&self);
}

void
c2g_save_plan_name_file (GFile   *file,
                         GError **error)
{
  g_autofree char *name = file != NULL ? g_file_get_parse_name (file) : NULL;

  if (name != NULL)
    c2g_name_prefix_error (name, error);
}

C2gSavePlan *
c2g_save_plan_new (C2gWorkspace    *workspace,
                   C2gSaveOptions  *options,
                   GFile           *file,
                   GError         **error)
{
  C2gSavePlan *self = new_plan (workspace, NULL, options, file, error);

  if (self == NULL)
    c2g_save_plan_name_file (file, error);
  return self;
}

C2gSavePlan *
c2g_save_plan_new_for_blobs (C2gBlob *const  *blobs,
                             C2gSaveOptions  *options,
                             GFile           *file,
                             GError         **error)
{
  C2gSavePlan *self = new_plan (NULL, blobs, options, file, error);

  if (self == NULL)
    c2g_save_plan_name_file (file, error);
  return self;
}
