/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/safetensors/c2g-safetensors-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/safetensors/c2g-safetensors-type-private.h>

#include <string.h>

/* Writes tensors as a .safetensors file. */

#define FORMAT "safetensors"

/* The header is padded so that the values begin at a multiple of this. The reference
 * implementation refuses gaps, so each tensor begins where the one before ends. For alignment the
 * tensors are sorted by the largest power of two, up to 64, that divides their size: first
 * multiples of 64, then of 32, and so on. A size is a multiple of the element size, and all sizes
 * before it are multiples of at least the same power: so each tensor is aligned to its elements
 * and can be used in a mapped file. */
#define ALIGNMENT 64

typedef struct
{
  const char               *name;
  C2gTensor                *tensor;
  const C2gSafetensorsType *type;
  gsize                     n_bytes;
} Row;

static gboolean
check_name (const char  *name,
            GError     **error)
{
  if (*name != '\0' && g_utf8_validate (name, -1, NULL) &&
      !g_str_equal (name, C2G_SAFETENSORS_METADATA))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("%s cannot hold a blob named “%s”"), FORMAT,
                   name);
}

static gboolean
get_row (const C2gSaveItem  *item,
         Row                *row,
         GError            **error)
{
  C2gTensor *tensor;

  if (!check_name (item->name, error))
    return FALSE;
  tensor = c2g_raw_tensor_of_item (item, FORMAT, error);
  if (tensor == NULL)
    return FALSE;

  *row = (Row) {
    .name = item->name,
    .tensor = tensor,
    .type = c2g_safetensors_type_for (c2g_tensor_get_data_type (tensor)),
    .n_bytes = c2g_tensor_get_n_bytes (tensor),
  };
  if (row->type != NULL)
    return TRUE;

  c2g_raw_tensor_refuse (tensor, FORMAT, error);
  g_prefix_error (error, _("Blob “%s”: "), item->name);
  return FALSE;
}

gboolean
c2g_safetensors_check (const C2gSaveItem  *item,
                       GError            **error)
{
  Row row;

  return get_row (item, &row, error);
}

static gsize
alignment_of (gsize n_bytes)
{
  return n_bytes % ALIGNMENT == 0 ? ALIGNMENT : n_bytes & -n_bytes;
}

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const Row *first = a;
  const Row *second = b;
  gsize first_alignment = alignment_of (first->n_bytes);
  gsize second_alignment = alignment_of (second->n_bytes);

  if (first_alignment != second_alignment)
    return first_alignment > second_alignment ? -1 : 1;
  return strcmp (first->name, second->name);
}

static GArray *
get_rows (GPtrArray  *items,
          GError    **error)
{
  g_autoptr (GArray) rows = g_array_sized_new (FALSE, FALSE, sizeof (Row), items->len);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < items->len; i++)
    {
      const C2gSaveItem *item = items->pdata[i];
      Row row;

      if (!get_row (item, &row, error))
        return NULL;
      if (!g_hash_table_add (names, item->name))
        return c2g_fail_null (error, C2G_ERROR_EXISTS, _("There are two blobs named “%s”"),
                              item->name);
      g_array_append_val (rows, row);
    }

  g_array_sort (rows, compare_rows);
  return g_steal_pointer (&rows);
}

static void
put_string (GString    *json,
            const char *string)
{
  g_string_append_c (json, '"');
  for (const char *c = string; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (json, "\\%c", *c);
    else if ((guchar) *c < ' ')
      g_string_append_printf (json, "\\u%04x", (guint) *c);
    else
      g_string_append_c (json, *c);
  g_string_append_c (json, '"');
}

static gboolean
put_metadata (GString     *json,
              GHashTable  *metadata,
              GError     **error)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (metadata), (GCompareFunc) strcmp);
  const char *separator = "";

  put_string (json, C2G_SAFETENSORS_METADATA);
  g_string_append (json, ":{");
  for (GList *key = keys; key != NULL; key = key->next)
    {
      const char *value = g_hash_table_lookup (metadata, key->data);

      if (!g_utf8_validate (key->data, -1, NULL) || !g_utf8_validate (value, -1, NULL))
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The metadata “%s” is not in UTF-8"),
                         (const char *) key->data);
      g_string_append (json, separator);
      put_string (json, key->data);
      g_string_append_c (json, ':');
      put_string (json, value);
      separator = ",";
    }
  g_string_append_c (json, '}');
  return TRUE;
}

static gboolean
put_row (GString    *json,
         const Row  *row,
         guint64    *offset,
         GError    **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (row->tensor, &n_dims);

  if (!g_uint64_checked_add (offset, *offset, row->n_bytes) || *offset > G_MAXINT64)
    return c2g_fail (error, C2G_ERROR_RANGE, _("There are more values than a file can have"));

  put_string (json, row->name);
  g_string_append_printf (json, ":{\"dtype\":\"%s\",\"shape\":[", row->type->name);
  for (gsize i = 0; i < n_dims; i++)
    g_string_append_printf (json, "%s%" PRId64, i > 0 ? "," : "", dims[i]);
  g_string_append_printf (json, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}",
                          *offset - row->n_bytes, *offset);
  return TRUE;
}

static GString *
new_header (GArray      *rows,
            GHashTable  *metadata,
            GError     **error)
{
  gboolean has_metadata = metadata != NULL && g_hash_table_size (metadata) > 0;
  GString *json = g_string_new ("{");
  guint64 offset = 0;
  gboolean done = !has_metadata || put_metadata (json, metadata, error);

  for (guint i = 0; done && i < rows->len; i++)
    {
      if (i > 0 || has_metadata)
        g_string_append_c (json, ',');
      done = put_row (json, &g_array_index (rows, Row, i), &offset, error);
    }
  g_string_append_c (json, '}');
  while ((sizeof (guint64) + json->len) % ALIGNMENT != 0)
    g_string_append_c (json, ' ');

  if (done && json->len > C2G_SAFETENSORS_MAX_HEADER)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("A header of %zu bytes is needed, %d are allowed"),
                   json->len, C2G_SAFETENSORS_MAX_HEADER);
      done = FALSE;
    }
  if (!done)
    g_string_free (json, TRUE);
  return done ? json : NULL;
}

static gboolean
write_row (const Row     *row,
           C2gSink       *sink,
           const C2gJob  *job,
           GError       **error)
{
  if (c2g_raw_tensor_write (row->tensor, G_BYTE_ORDER == G_BIG_ENDIAN, sink, job, error))
    return TRUE;

  g_prefix_error (error, _("Blob “%s”: "), row->name);
  return FALSE;
}

gboolean
c2g_safetensors_write (GPtrArray     *items,
                       GHashTable    *metadata,
                       C2gSink       *sink,
                       const C2gJob  *job,
                       GError       **error)
{
  g_autoptr (GArray) rows = get_rows (items, error);
  GString *header = rows != NULL ? new_header (rows, metadata, error) : NULL;
  guint64 length;
  gboolean done;

  if (header == NULL)
    return FALSE;

  length = GUINT64_TO_LE (header->len);
  done = c2g_sink_write (sink, &length, sizeof length, NULL, error) &&
         c2g_sink_write (sink, header->str, header->len, NULL, error);
  g_string_free (header, TRUE);

  for (guint i = 0; done && i < rows->len; i++)
    done = write_row (&g_array_index (rows, Row, i), sink, job, error);
  return done;
}
