/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/io-utils.h"

#include <gio/gio.h>

static inline C2gModelFile *
io_open_bytes (GByteArray  *array,
               const char  *file_name,
               GError     **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);

  return c2g_model_file_new_from_bytes (bytes, file_name, error);
}

static inline char **
io_load_bytes (GBytes        *bytes,
               C2gWorkspace  *workspace,
               GError       **error)
{
  g_autoptr (C2gModelFile) model_file = c2g_model_file_new_from_bytes (bytes, "test-file", error);

  return model_file == NULL ? NULL : c2g_model_file_load (model_file, workspace, NULL, NULL, error);
}

static inline char **
io_load_text (const char    *text,
              C2gWorkspace  *workspace,
              GError       **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return io_load_bytes (bytes, workspace, error);
}

static inline GBytes *
io_new_string (const char *name,
               const char *content)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_set_string (g_value_init (&value, G_TYPE_STRING), content);
  c2g_blob_set_value (blob, &value);
  return c2g_blob_serialize (blob, name, NULL);
}

static inline void
io_assert_floats (C2gWorkspace *workspace,
                  const char   *name,
                  gint64        n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  C2gTensor *tensor;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, n);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, i);
}

/* Makes a small checkpoint with a tensor in chunks, which are out of order and mixed with other
 * records. */
static inline GByteArray *
io_new_checkpoint (void)
{
  GByteArray *database = g_byte_array_new ();

  io_put_record (database, "big#%2", io_new_chunk ("big", 10, 8, 10));
  io_put_record (database, "note", io_new_string ("note", "text"));
  io_put_record (database, "big#%0", io_new_chunk ("big", 10, 0, 4));
  io_put_record (database, "one#%0", io_new_chunk ("one", 3, 0, 3));
  io_put_record (database, "none#%0", io_new_chunk ("none", 0, 0, 0));
  io_put_record (database, "big#%1", io_new_chunk ("another name", 10, 4, 8));
  return database;
}

/* Checks that damaged bytes load, or give an error and leave the workspace empty. */
static inline void
io_check_damaged (GBytes   *damaged,
                  gpointer  user_data)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) kept = c2g_workspace_create_blob (workspace, "kept", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  names = io_load_bytes (damaged, workspace, &error);
  g_assert_cmpint (names == NULL, ==, error != NULL);
  if (names == NULL)
    {
      g_auto (GStrv) left = c2g_workspace_list_blobs (workspace);

      g_assert_cmpuint (g_strv_length (left), ==, 1);
    }
}
