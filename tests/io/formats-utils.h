/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/io-utils.h"

#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/message/c2g-entry-private.h>
#include <c2g/io/stream/c2g-progress-private.h>

#include <glib/gstdio.h>

/* All numeric types. */
static const C2gDataType formats_numbers[] = {
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_UINT64,
  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_BFLOAT16,
};

/* Makes a tensor whose bytes count up by STEP; 0 makes all bytes zero. */
static inline C2gTensor *
formats_new_tensor (C2gDataType   data_type,
                    const gint64 *dims,
                    gsize         n_dims,
                    guint         step)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  guint8 *data;

  g_assert_no_error (error);
  data = c2g_tensor_mutable_data (tensor, data_type, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < c2g_tensor_get_n_bytes (tensor); i++)
    data[i] = data_type == C2G_DATA_TYPE_BOOL ? i % 3 == 0 : (guint8) (i * step);
  return tensor;
}

/* Makes a tensor of strings, which may be NULL. */
static inline C2gTensor *
formats_new_strings (const char *const *strings,
                     gint64             n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, &error);
  GBytes **items;

  g_assert_no_error (error);
  items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_STRING, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    if (strings[i] != NULL)
      items[i] = g_bytes_new (strings[i], strlen (strings[i]));
  return tensor;
}

static inline void
formats_free_item (gpointer data)
{
  C2gSaveItem *item = data;

  g_free (item->name);
  g_object_unref (item->blob);
  g_free (item);
}

static inline GPtrArray *
formats_new_items (void)
{
  return g_ptr_array_new_with_free_func (formats_free_item);
}

static inline C2gSaveItem *
formats_add_blob (GPtrArray  *items,
                  const char *name,
                  C2gBlob    *blob)
{
  C2gSaveItem *item = g_new (C2gSaveItem, 1);

  item->name = g_strdup (name);
  item->blob = blob;
  g_ptr_array_add (items, item);
  return item;
}

/* Takes ownership of the tensor. */
static inline C2gSaveItem *
formats_add (GPtrArray  *items,
             const char *name,
             C2gTensor  *tensor)
{
  C2gBlob *blob = c2g_blob_new ();

  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_object_unref (tensor);
  return formats_add_blob (items, name, blob);
}

static inline C2gFileEntry *
formats_find (GPtrArray  *entries,
              const char *name)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_str_equal (c2g_file_entry_get_name (entries->pdata[i]), name))
      return entries->pdata[i];

  g_test_message ("no entry '%s'", name);
  g_assert_not_reached ();
}

/* Loads the tensor of an entry. */
static inline C2gTensor *
formats_load (GPtrArray  *entries,
              const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_file_entry_load (formats_find (entries, name), NULL, &error);
  C2gTensor *tensor;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  return g_object_ref (tensor);
}

/* Compares shape, type and values, including strings. */
static inline void
formats_assert_equal (C2gTensor *a,
                      C2gTensor *b)
{
  gint64 n = c2g_tensor_get_n_elements (a);
  gsize n_a, n_b;
  const gint64 *dims_a = c2g_tensor_get_dims (a, &n_a);
  const gint64 *dims_b = c2g_tensor_get_dims (b, &n_b);

  g_assert_cmpint (c2g_tensor_get_data_type (a), ==, c2g_tensor_get_data_type (b));
  g_assert_cmpmem (dims_a, n_a * sizeof *dims_a, dims_b, n_b * sizeof *dims_b);

  if (c2g_tensor_get_data_type (a) != C2G_DATA_TYPE_STRING)
    g_assert_cmpmem (c2g_tensor_raw_data (a, NULL), c2g_tensor_get_n_bytes (a),
                     c2g_tensor_raw_data (b, NULL), c2g_tensor_get_n_bytes (b));
  else
    for (gint64 i = 0; i < n; i++)
      {
        GBytes *string_a = ((GBytes *const *) c2g_tensor_raw_data (a, NULL))[i];
        GBytes *string_b = ((GBytes *const *) c2g_tensor_raw_data (b, NULL))[i];

        g_assert_true ((string_a == NULL) == (string_b == NULL));
        g_assert_true (string_a == NULL || g_bytes_equal (string_a, string_b));
      }
}

/* Checks that every item is among the entries and loads with equal content. */
static inline void
formats_assert_loads (GPtrArray *entries,
                      GPtrArray *items)
{
  g_assert_cmpuint (entries->len, ==, items->len);
  for (guint i = 0; i < items->len; i++)
    {
      C2gSaveItem *item = items->pdata[i];
      g_autoptr (C2gTensor) tensor = formats_load (entries, item->name);
      C2gFileEntry *entry = formats_find (entries, item->name);
      gsize n_dims;

      formats_assert_equal (tensor, c2g_blob_get_tensor (item->blob, NULL));
      g_assert_cmpstr (c2g_file_entry_get_blob_type (entry), ==, "Tensor");
      g_assert_cmpint (c2g_file_entry_get_data_type (entry), ==, c2g_tensor_get_data_type (tensor));
      g_assert_cmpint (c2g_file_entry_get_n_elements (entry), ==,
                       c2g_tensor_get_n_elements (tensor));
      g_assert_cmpuint (c2g_file_entry_get_n_bytes (entry), ==, c2g_tensor_get_n_bytes (tensor));
      c2g_file_entry_get_dims (entry, &n_dims);
      g_assert_cmpuint (n_dims, ==, c2g_tensor_get_n_dims (tensor));
      g_assert_false (c2g_file_entry_get_segment (entry, NULL, NULL));
    }
}

/* Writes the bytes to a temporary file; formats_remove() removes it. */
static inline GFile *
formats_new_file (GBytes *bytes)
{
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  GFile *file = g_file_new_tmp ("c2g-formats-XXXXXX", &stream, &error);

  g_assert_no_error (error);
  g_file_replace_contents (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL,
                           FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

static inline void
formats_remove (GFile *file)
{
  g_assert_true (g_file_delete (file, NULL, NULL));
  g_object_unref (file);
}

typedef GPtrArray *(*FormatsReadFunc) (C2gSource  *source,
                                       GError    **error);

/* Reads the same file from memory, with pread(), and mapped. */
static inline void
formats_assert_reads (GBytes          *bytes,
                      FormatsReadFunc  read,
                      GPtrArray       *items)
{
  GFile *file = formats_new_file (bytes);

  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (C2gSource) source = NULL;
      g_autoptr (GError) error = NULL;

      if (kind == 0)
        source = c2g_source_new_for_bytes (bytes, "bytes");
      else if (kind == 1)
        source = c2g_source_new_for_file (file, NULL, &error);
      else
        source = c2g_source_new_mapped (file, NULL, &error);
      g_assert_no_error (error);
      entries = read (source, &error);
      g_assert_no_error (error);
      formats_assert_loads (entries, items);
    }

  formats_remove (file);
}

/* Lists the file and loads everything. Returns FALSE with the first error. */
static inline gboolean
formats_try (GBytes           *bytes,
             FormatsReadFunc   read,
             GError          **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (GPtrArray) entries = read (source, error);

  if (entries == NULL)
    return FALSE;

  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_file_entry_load (entries->pdata[i], NULL, error);

      if (blob == NULL)
        return FALSE;
    }

  return TRUE;
}

/* Checks that a damaged file can be read, or that the error has a message. */
static inline void
formats_check_damaged (GBytes   *bytes,
                       gpointer  read)
{
  g_autoptr (GError) error = NULL;
  gboolean loaded = formats_try (bytes, (FormatsReadFunc) read, &error);

  g_assert_true (loaded == (error == NULL));
  g_assert_true (error == NULL || error->domain == C2G_ERROR);
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
}

/* Checks that no truncated file is accepted. */
static inline void
formats_assert_no_part (GBytes          *bytes,
                        FormatsReadFunc  read)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  for (gsize n = 0; n < n_bytes; n++)
    {
      g_autoptr (GBytes) part = g_bytes_new (data, n);
      g_autoptr (GError) error = NULL;

      g_assert_false (formats_try (part, read, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}
