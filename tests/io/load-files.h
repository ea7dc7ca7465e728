/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/load-utils.h"

#include <glib/gstdio.h>

static const C2gDataType load_data_types[] = {
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_UINT16,
};

#define LOAD_N_TYPES G_N_ELEMENTS (load_data_types)

/* A temporary folder, which is removed with its files. */
typedef struct
{
  char      *path;
  GPtrArray *files;
} LoadFolder;

static inline void
load_folder_init (LoadFolder *self)
{
  self->path = g_dir_make_tmp ("c2g-load-XXXXXX", NULL);
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  g_assert_nonnull (self->path);
}

static inline void
load_folder_clear (LoadFolder *self)
{
  for (guint i = 0; i < self->files->len; i++)
    g_file_delete (self->files->pdata[i], NULL, NULL);
  g_assert_cmpint (g_rmdir (self->path), ==, 0);
  g_ptr_array_unref (self->files);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoadFolder, load_folder_clear)

/* Takes ownership of the content. */
static inline GFile *
load_folder_add (LoadFolder  *self,
                 const char  *name,
                 GByteArray  *content)
{
  GFile *file = g_file_new_build_filename (self->path, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (g_file_peek_path (file), (const char *) content->data, content->len,
                       &error);
  g_assert_no_error (error);
  g_byte_array_unref (content);
  g_ptr_array_add (self->files, file);
  return file;
}

/* The elements of a 2 × 3 tensor: a permutation that differs for each id. */
static inline double
load_element (guint id,
              guint i)
{
  return load_data_types[id % LOAD_N_TYPES] == C2G_DATA_TYPE_BOOL ? (i + id) % 2 : (i * 5 + id) % 6;
}

static inline GBytes *
load_new_message (guint       id,
                  const char *name)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  GBytes *bytes;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2, 3), NULL));
  g_assert_true (c2g_tensor_allocate (tensor, load_data_types[id % LOAD_N_TYPES], NULL));
  for (guint i = 0; i < 6; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, load_element (id, i), NULL));
  bytes = c2g_blob_serialize (blob, name, &error);
  g_assert_no_error (error);
  return bytes;
}

/* Makes a database with blobs of every type, named by numbers from FIRST_ID on. */
static inline GByteArray *
load_new_database (const char *prefix,
                   guint       first_id)
{
  GByteArray *database = g_byte_array_new ();

  for (guint id = first_id; id < first_id + LOAD_N_TYPES; id++)
    {
      g_autofree char *name = g_strdup_printf ("%s%u", prefix, id);
      g_autofree char *key = g_strconcat (name, "#%0", NULL);

      io_put_record (database, key, load_new_message (id, name));
    }

  return database;
}

static inline void
load_assert_blob (C2gWorkspace *workspace,
                  const char   *name,
                  guint         id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  C2gTensor *tensor;
  gsize n_dims;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, load_data_types[id % LOAD_N_TYPES]);
  g_assert_true (c2g_tensor_get_device (tensor) == c2g_device_cpu ());
  g_assert_cmpint (c2g_tensor_get_dims (tensor, &n_dims)[1], ==, 3);
  g_assert_cmpuint (n_dims, ==, 2);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, load_element (id, i));
}

static inline void
load_assert_blobs (C2gWorkspace *workspace,
                   guint         first_id,
                   guint         n)
{
  for (guint id = first_id; id < first_id + n; id++)
    {
      g_autofree char *name = g_strdup_printf ("%u", id);

      load_assert_blob (workspace, name, id);
    }
}

static inline void
load_assert_n_blobs (C2gWorkspace *workspace,
                     guint         n)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  g_assert_cmpuint (g_strv_length (names), ==, n);
}

/* Returns the names "0", "1", … */
static inline char **
load_new_names (guint first_id,
                guint n)
{
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = g_strdup_printf ("%u", first_id + i);
  return names;
}

static inline void
load_assert_loads (C2gWorkspace   *workspace,
                   GFile          *file,
                   C2gLoadOptions *options,
                   guint           n)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = c2g_workspace_load_checkpoint (workspace, file, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, n);
}

/* Checks that loading fails and does not change the workspace. */
static inline void
load_assert_refuses (C2gWorkspace   *workspace,
                     GFile          *file,
                     C2gLoadOptions *options,
                     C2gError        code,
                     const char     *message)
{
  g_auto (GStrv) before = c2g_workspace_list_blobs (workspace);
  g_auto (GStrv) after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_workspace_load_checkpoint (workspace, file, options, NULL, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
  if (strstr (error->message, message) == NULL)
    g_error ("“%s” is not in “%s”", message, error->message);
  after = c2g_workspace_list_blobs (workspace);
  g_assert_true (g_strv_equal ((const char *const *) before, (const char *const *) after));
}
