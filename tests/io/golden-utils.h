/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <json-glib/json-glib.h>

#include <string.h>

/* Files that Caffe2 wrote, and files that it accepts or refuses, with their values. */

static inline char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "golden", name, NULL);
}

static inline GBytes *
golden_read (const char *name)
{
  g_autofree char *path = golden_path (name);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize n_bytes;

  g_file_get_contents (path, &data, &n_bytes, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (data, n_bytes);
}

/* Calls FUNC for every entry of a list in the manifest. */
static inline void
golden_foreach (const char *list,
                void      (*func) (JsonObject *entry))
{
  g_autofree char *path = golden_path ("manifest.json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonArray *entries;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  entries = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                          list);
  g_assert_cmpuint (json_array_get_length (entries), >, 0);
  for (guint i = 0; i < json_array_get_length (entries); i++)
    func (json_array_get_object_element (entries, i));
}

/* Returns the elements in the form of the .bin files, where strings have their lengths. */
static inline GBytes *
golden_raw (C2gTensor *tensor)
{
  GByteArray *raw = g_byte_array_new ();
  GBytes *const *items;

  if (c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_STRING)
    {
      g_byte_array_unref (raw);
      return c2g_tensor_dup_bytes (tensor, NULL);
    }

  items = c2g_tensor_data (tensor, C2G_DATA_TYPE_STRING, NULL);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      gsize n_bytes = 0;
      gconstpointer data = items[i] == NULL ? NULL : g_bytes_get_data (items[i], &n_bytes);
      guint32 length = GUINT32_TO_LE ((guint32) n_bytes);

      g_byte_array_append (raw, (const guint8 *) &length, sizeof length);
      if (n_bytes > 0)
        g_byte_array_append (raw, data, n_bytes);
    }

  return g_byte_array_free_to_bytes (raw);
}

static inline void
golden_assert_tensor (C2gTensor  *tensor,
                      JsonObject *entry)
{
  g_autoptr (GBytes) expected = golden_read (json_object_get_string_member (entry, "raw"));
  g_autoptr (GBytes) raw = golden_raw (tensor);
  JsonArray *dims = json_object_get_array_member (entry, "dims");
  const char *data_type = json_object_get_string_member (entry, "dtype");
  const gint64 *own_dims;
  gsize n_dims;

  own_dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_assert_cmpuint (n_dims, ==, json_array_get_length (dims));
  for (gsize i = 0; i < n_dims; i++)
    g_assert_cmpint (own_dims[i], ==, json_array_get_int_element (dims, i));

  if (g_str_equal (data_type, "float32"))
    data_type = "float";
  g_assert_cmpstr (c2g_data_type_get_name (c2g_tensor_get_data_type (tensor)), ==, data_type);
  g_assert_cmpmem (g_bytes_get_data (raw, NULL), g_bytes_get_size (raw),
                   g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}
