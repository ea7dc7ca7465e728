/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <glib/gstdio.h>

#include <string.h>

/* Makes a temporary folder. */
static inline char *
save_new_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("c2g-save-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static inline guint
save_count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static inline void
save_remove (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      save_remove (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static inline GFile *
save_file (const char *folder,
           const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

static inline GBytes *
save_read (GFile *file)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = g_file_load_bytes (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return bytes;
}

static inline void
save_assert_bytes (GFile  *file,
                   GBytes *expected)
{
  g_autoptr (GBytes) bytes = save_read (file);

  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

/* Adds a tensor with the elements 0, 1, 2 …, as far as the type can hold them. */
static inline C2gTensor *
save_add (C2gWorkspace *workspace,
          const char   *name,
          C2gDataType   data_type,
          const gint64 *dims,
          gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, name, &error);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_resize (tensor, dims, n_dims, &error);
  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  g_assert_no_error (error);
  return tensor;
}

static inline C2gTensor *
save_add_numbers (C2gWorkspace *workspace,
                  const char   *name,
                  C2gDataType   data_type,
                  const gint64 *dims,
                  gsize         n_dims)
{
  C2gTensor *tensor = save_add (workspace, name, data_type, dims, n_dims);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      g_autoptr (GError) error = NULL;

      if (data_type == C2G_DATA_TYPE_STRING)
        {
          g_auto (GValue) value = G_VALUE_INIT;

          g_value_init (&value, G_TYPE_STRING);
          g_value_take_string (&value, g_strdup_printf ("text %" G_GINT64_FORMAT, i));
          c2g_tensor_set_element (tensor, i, &value, &error);
        }
      else
        c2g_tensor_set_value (tensor, i, data_type == C2G_DATA_TYPE_BOOL ? i % 2 : i % 120, &error);
      g_assert_no_error (error);
    }

  return tensor;
}

static inline void
save_add_text (C2gWorkspace *workspace,
               const char   *name,
               const char   *text)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, name, NULL);
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_take_boxed (g_value_init (&value, G_TYPE_BYTES), g_bytes_new (text, strlen (text)));
  c2g_blob_set_value (blob, &value);
}

/* Loads the file into a new workspace. */
static inline C2gWorkspace *
save_load (GFile *file)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);

  g_assert_no_error (error);
  return workspace;
}

/* Checks that two blobs have the same type and serialize to the same bytes. */
static inline void
save_assert_same_blob (C2gWorkspace *workspace,
                       const char   *name,
                       C2gWorkspace *other,
                       const char   *other_name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  g_autoptr (C2gBlob) other_blob = c2g_workspace_get_blob (other, other_name, &error);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) other_bytes = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (g_type_name (c2g_blob_get_content_type (blob)), ==,
                   g_type_name (c2g_blob_get_content_type (other_blob)));
  bytes = c2g_test_serialize (blob, "x", C2G_SERIALIZE_WITHOUT_DEVICE, &error);
  g_assert_no_error (error);
  other_bytes = c2g_test_serialize (other_blob, "x", C2G_SERIALIZE_WITHOUT_DEVICE, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   g_bytes_get_data (other_bytes, NULL), g_bytes_get_size (other_bytes));
}

/* Checks that the file has exactly the blobs of the workspace. */
static inline void
save_assert_same (C2gWorkspace *workspace,
                  GFile        *file)
{
  g_autoptr (C2gWorkspace) loaded = save_load (file);
  g_auto (GStrv) names = c2g_workspace_list_local_blobs (workspace);
  g_auto (GStrv) loaded_names = c2g_workspace_list_local_blobs (loaded);

  g_assert_cmpuint (g_strv_length (names), ==, g_strv_length (loaded_names));
  for (gsize i = 0; names[i] != NULL; i++)
    save_assert_same_blob (workspace, names[i], loaded, names[i]);
}

static inline void
save_to (C2gWorkspace   *workspace,
         GFile          *file,
         C2gSaveOptions *options)
{
  g_autoptr (GError) error = NULL;
  gboolean saved = c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (saved);
}

static inline GBytes *
save_to_bytes (C2gWorkspace   *workspace,
               C2gSaveOptions *options)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);

  g_assert_no_error (error);
  return bytes;
}

/* Checks that saving fails with this error and that its message contains the text. */
static inline void
save_assert_fails (C2gWorkspace   *workspace,
                   GFile          *file,
                   C2gSaveOptions *options,
                   GQuark          domain,
                   int             code,
                   const char     *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error));
  g_assert_error (error, domain, code);
  g_test_message ("%s", error->message);
  if (text != NULL)
    g_assert_nonnull (strstr (error->message, text));
}

/* Returns TRUE if this build can write such a file. */
static inline gboolean
save_can_make (const char *folder,
               const char *name)
{
  g_autoptr (GFile) file = save_file (folder, name);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;

  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1));
  if (c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, &error))
    {
      save_remove (g_file_peek_path (file));
      return TRUE;
    }

  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  return FALSE;
}
