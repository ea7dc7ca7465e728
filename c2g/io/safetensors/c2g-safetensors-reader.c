/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/safetensors/c2g-safetensors-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/safetensors/c2g-safetensors-type-private.h>
#include <c2g/io/stream/c2g-json-reader-private.h>

#include <string.h>

/* Lists the tensors in a .safetensors file as entries.
 *
 * The format: the length of the header in eight bytes, the header in JSON, and the values:
 *
 *   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
 *
 * As in the reference implementation, every byte of the values belongs to exactly one tensor.
 * Anything that the format does not define is refused, since it may change the meaning.
 */

#define LENGTH_BYTES 8

/* Limit: a dimension takes more memory than it takes bytes in the file. */
#define MAX_DIMS 65536

/* A tensor in the header. */
typedef struct
{
  char   *dtype;
  GArray *dims;
  gint64  begin;
  gint64  end;
} TensorInfo;

typedef struct
{
  C2gSource     *source;
  C2gJsonReader  json;

  /* Offset and size of the values. */
  guint64        data_offset;
  guint64        n_data_bytes;

  /* Entries in the order of the header, and the set of their names. */
  GPtrArray     *entries;
  GHashTable    *names;
  GHashTable    *metadata;
} Reader;

static void
tensor_info_clear (TensorInfo *self)
{
  g_clear_pointer (&self->dtype, g_free);
  g_clear_pointer (&self->dims, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TensorInfo, tensor_info_clear)

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->metadata, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

gboolean
c2g_safetensors_looks_like (const guint8 *data,
                            gsize         n_bytes,
                            guint64       n_bytes_file)
{
  guint64 length;

  if (n_bytes <= LENGTH_BYTES || n_bytes_file <= LENGTH_BYTES)
    return FALSE;

  memcpy (&length, data, sizeof length);
  length = GUINT64_FROM_LE (length);
  return length >= 2 && length <= C2G_SAFETENSORS_MAX_HEADER &&
         length <= n_bytes_file - LENGTH_BYTES && data[LENGTH_BYTES] == '{';
}

static C2gBlob *
load_tensor (C2gFileEntry  *self,
             const C2gJob  *job,
             GError       **error)
{
  return c2g_raw_tensor_to_blob (
    c2g_raw_tensor_read (self->data, self->offset, self->data_type, self->dims, self->n_dims,
                         G_BYTE_ORDER == G_BIG_ENDIAN, job, error));
}

/* Fails with the name of the type. Other tensors of the file can still be loaded. */
static C2gBlob *
load_foreign (C2gFileEntry  *self,
              const C2gJob  *job,
              GError       **error)
{
  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                        _("The elements are of type “%s”, which c2g does not have"),
                        (const char *) self->data);
}

static gboolean
fail_twice (Reader      *self,
            const char  *key,
            GError     **error)
{
  g_autofree char *what = g_strdup_printf (_("“%s” comes twice"), key);

  return c2g_json_reader_fail (&self->json, what, error);
}

static gboolean
read_metadata (Reader  *self,
               GError **error)
{
  if (self->metadata != NULL)
    return fail_twice (self, C2G_SAFETENSORS_METADATA, error);

  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!c2g_json_reader_begin_object (&self->json, error))
    return FALSE;

  for (;;)
    {
      g_autofree char *key = NULL;
      g_autofree char *value = NULL;

      if (!c2g_json_reader_next_member (&self->json, &key, error))
        return FALSE;
      if (key == NULL)
        return TRUE;
      if (g_hash_table_contains (self->metadata, key))
        return fail_twice (self, key, error);
      if (!c2g_json_reader_read_string (&self->json, &value, error))
        return FALSE;
      g_hash_table_insert (self->metadata, g_steal_pointer (&key), g_steal_pointer (&value));
    }
}

static gboolean
read_shape (Reader      *self,
            TensorInfo  *info,
            GError     **error)
{
  if (!c2g_json_reader_begin_array (&self->json, error))
    return FALSE;

  info->dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (;;)
    {
      gboolean is_end;
      gint64 dim;

      if (!c2g_json_reader_next_element (&self->json, &is_end, error))
        return FALSE;
      if (is_end)
        return TRUE;
      if (info->dims->len == MAX_DIMS)
        return c2g_json_reader_fail (&self->json, _("too many dimensions"), error);
      if (!c2g_json_reader_read_integer (&self->json, &dim, error))
        return FALSE;
      g_array_append_val (info->dims, dim);
    }
}

static gboolean
read_offsets (Reader      *self,
              TensorInfo  *info,
              GError     **error)
{
  gboolean is_end = FALSE;

  if (!c2g_json_reader_begin_array (&self->json, error) ||
      !c2g_json_reader_read_integer (&self->json, &info->begin, error) ||
      !c2g_json_reader_next_element (&self->json, &is_end, error))
    return FALSE;
  if (is_end)
    return c2g_json_reader_fail (&self->json, _("expected two offsets"), error);
  if (!c2g_json_reader_read_integer (&self->json, &info->end, error) ||
      !c2g_json_reader_next_element (&self->json, &is_end, error))
    return FALSE;
  return is_end || c2g_json_reader_fail (&self->json, _("expected two offsets"), error);
}

static gboolean
read_info_member (Reader      *self,
                  const char  *key,
                  TensorInfo  *info,
                  GError     **error)
{
  g_autofree char *what = NULL;

  if (g_str_equal (key, "dtype"))
    return info->dtype != NULL ? fail_twice (self, key, error)
                               : c2g_json_reader_read_string (&self->json, &info->dtype, error);
  if (g_str_equal (key, "shape"))
    return info->dims != NULL ? fail_twice (self, key, error) : read_shape (self, info, error);
  if (g_str_equal (key, "data_offsets"))
    return info->end >= 0 ? fail_twice (self, key, error) : read_offsets (self, info, error);

  what = g_strdup_printf (_("a tensor has no “%s”"), key);
  return c2g_json_reader_fail (&self->json, what, error);
}

static gboolean
read_info (Reader      *self,
           TensorInfo  *info,
           GError     **error)
{
  *info = (TensorInfo) { .end = -1 };
  if (!c2g_json_reader_begin_object (&self->json, error))
    return FALSE;

  for (;;)
    {
      g_autofree char *key = NULL;

      if (!c2g_json_reader_next_member (&self->json, &key, error))
        return FALSE;
      if (key == NULL)
        break;
      if (!read_info_member (self, key, info, error))
        return FALSE;
    }

  return (info->dtype != NULL && info->dims != NULL && info->end >= 0) ||
         c2g_json_reader_fail (&self->json,
                               _("a tensor without dtype, shape or data_offsets"), error);
}

/* Sets the shape of an entry whose element type c2g does not have. Its size may be less than a
 * byte, or unknown. */
static gboolean
set_foreign (C2gFileEntry              *entry,
             TensorInfo                *info,
             const C2gSafetensorsType  *type,
             GError                   **error)
{
  if (!c2g_shape_count ((const gint64 *) info->dims->data, info->dims->len,
                        &entry->n_elements, error))
    return FALSE;
  if (type != NULL && entry->n_elements > G_MAXINT64 / type->n_bits)
    return c2g_fail (error, C2G_ERROR_RANGE, _("%" PRId64 " elements of %u bits are too many"),
                     entry->n_elements, type->n_bits);

  entry->dims = g_memdup2 (info->dims->data, info->dims->len * sizeof (gint64));
  entry->n_dims = info->dims->len;
  entry->end = entry->n_elements;
  entry->n_bytes = type != NULL ? ((guint64) entry->n_elements * type->n_bits + 7) / 8
                                : (guint64) (info->end - info->begin);
  entry->load = load_foreign;
  entry->data = g_steal_pointer (&info->dtype);
  entry->destroy_data = g_free;
  return TRUE;
}

static gboolean
set_known (C2gFileEntry  *entry,
           TensorInfo    *info,
           C2gDataType    data_type,
           C2gSource     *source,
           GError       **error)
{
  if (!c2g_file_entry_set_tensor (entry, data_type, (const gint64 *) info->dims->data,
                                  info->dims->len, error))
    return FALSE;

  entry->load = load_tensor;
  entry->data = c2g_source_ref (source);
  entry->destroy_data = (GDestroyNotify) c2g_source_unref;
  return TRUE;
}

static gboolean
check_offsets (Reader        *self,
               C2gFileEntry  *entry,
               TensorInfo    *info,
               GError       **error)
{
  if (info->begin > info->end || (guint64) info->end > self->n_data_bytes)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Values from %" PRId64 " to %" PRId64 ", where the file has %" PRIu64 " bytes"),
                 info->begin, info->end, self->n_data_bytes);
  else if ((guint64) (info->end - info->begin) != entry->n_bytes)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %" PRIu64 " bytes of values, got %" PRId64),
                 entry->n_bytes, info->end - info->begin);
  else
    return TRUE;

  return FALSE;
}

/* Takes ownership of info->dtype if c2g does not have that type: the entry keeps it for its error. */
static gboolean
add_entry (Reader      *self,
           const char  *key,
           TensorInfo  *info,
           GError     **error)
{
  const C2gSafetensorsType *type = c2g_safetensors_type_from_name (info->dtype);
  g_autoptr (C2gFileEntry) entry = NULL;
  gboolean is_set;

  entry = c2g_file_entry_new (key, C2G_BLOB_TYPE_TENSOR, self->data_offset + info->begin);
  is_set = type != NULL && type->data_type != C2G_DATA_TYPE_UNDEFINED
             ? set_known (entry, info, type->data_type, self->source, error)
             : set_foreign (entry, info, type, error);
  if (!is_set || !check_offsets (self, entry, info, error))
    {
      g_prefix_error (error, _("Blob “%s”: "), key);
      return FALSE;
    }

  g_hash_table_add (self->names, entry->name);
  g_ptr_array_add (self->entries, g_steal_pointer (&entry));
  return TRUE;
}

static gboolean
read_member (Reader      *self,
             const char  *key,
             GError     **error)
{
  g_auto (TensorInfo) info = { 0 };

  if (g_str_equal (key, C2G_SAFETENSORS_METADATA))
    return read_metadata (self, error);
  if (*key == '\0')
    return c2g_json_reader_fail (&self->json, _("a name is empty"), error);
  if (g_hash_table_contains (self->names, key))
    return fail_twice (self, key, error);

  return read_info (self, &info, error) && add_entry (self, key, &info, error);
}

static gboolean
read_header (Reader  *self,
             GError **error)
{
  if (!c2g_json_reader_begin_object (&self->json, error))
    return FALSE;

  for (;;)
    {
      g_autofree char *key = NULL;

      if (!c2g_json_reader_next_member (&self->json, &key, error))
        return FALSE;
      if (key == NULL)
        return c2g_json_reader_finish (&self->json, error);
      if (!read_member (self, key, error))
        return FALSE;
    }
}

/* Sorts by offset. At the same offset an empty tensor comes first. */
static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const C2gFileEntry *first = *(C2gFileEntry *const *) a;
  const C2gFileEntry *second = *(C2gFileEntry *const *) b;

  if (first->offset != second->offset)
    return first->offset < second->offset ? -1 : 1;
  return (first->n_bytes > second->n_bytes) - (first->n_bytes < second->n_bytes);
}

/* Checks that the tensors cover the values without gaps or overlaps, to the end of the file. */
static gboolean
check_cover (Reader  *self,
             GError **error)
{
  guint64 offset = self->data_offset;

  for (guint i = 0; i < self->entries->len; i++)
    {
      C2gFileEntry *entry = self->entries->pdata[i];

      if (entry->offset != offset)
        return c2g_fail (error, C2G_ERROR_CORRUPT,
                         entry->offset < offset
                         ? _("Blob “%s” at offset %" PRIu64 " overlaps one that ends at %" PRIu64)
                         : _("Blob “%s” at offset %" PRIu64 " leaves a hole from %" PRIu64 " on"),
                         entry->name, entry->offset, offset);
      offset += entry->n_bytes;
    }

  if (offset == self->data_offset + self->n_data_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The values end at offset %" PRIu64 ", the file at %" PRIu64), offset,
                   self->data_offset + self->n_data_bytes);
}

static gboolean
read_length (C2gSource  *source,
             guint64    *length,
             GError    **error)
{
  guint64 n_bytes = c2g_source_get_n_bytes (source);

  if (!c2g_source_read (source, 0, length, sizeof *length, NULL, error))
    return FALSE;

  *length = GUINT64_FROM_LE (*length);
  if (*length > C2G_SAFETENSORS_MAX_HEADER || *length > n_bytes - LENGTH_BYTES)
    return c2g_fail (error, C2G_ERROR_CORRUPT,
                     _("A header of %" PRIu64 " bytes in a file of %" PRIu64
                       "; at most %d are allowed"),
                     *length, n_bytes, C2G_SAFETENSORS_MAX_HEADER);

  return TRUE;
}

static gboolean
check_text (const char  *text,
            gsize        n_bytes,
            GError     **error)
{
  if (n_bytes == 0 || *text != '{')
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                         _("The header does not begin with “{”"));
  else if (!g_utf8_validate_len (text, n_bytes, NULL))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("The header is not in UTF-8"));
  else
    return TRUE;

  return FALSE;
}

GPtrArray *
c2g_safetensors_read_entries (C2gSource   *source,
                              GHashTable **metadata,
                              GError     **error)
{
  g_auto (Reader) reader = { .source = source };
  g_autoptr (GBytes) header = NULL;
  guint64 length;
  const char *text;

  if (!read_length (source, &length, error))
    return NULL;
  header = c2g_source_ref_bytes (source, LENGTH_BYTES, length, NULL, error);
  if (header == NULL)
    return NULL;
  text = g_bytes_get_data (header, NULL);
  if (!check_text (text, length, error))
    return NULL;

  reader.data_offset = LENGTH_BYTES + length;
  reader.n_data_bytes = c2g_source_get_n_bytes (source) - reader.data_offset;
  reader.entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  reader.names = g_hash_table_new (g_str_hash, g_str_equal);
  c2g_json_reader_init (&reader.json, text, length);
  if (!read_header (&reader, error))
    return NULL;

  g_ptr_array_sort (reader.entries, compare_entries);
  if (!check_cover (&reader, error))
    return NULL;
  if (metadata != NULL)
    *metadata = g_steal_pointer (&reader.metadata);
  return g_steal_pointer (&reader.entries);
}
