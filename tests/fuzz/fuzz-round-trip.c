/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <glib/gstdio.h>

/* The ways in which a workspace can be saved. */
typedef struct
{
  C2gModelFileKind  kind;
  const char       *file_name;
  gint64            chunk_size;
  guint             n_threads;
  gboolean          compress;
  gboolean          float16_as_bytes;
  /* The file holds only one blob, and may not store its name. */
  gboolean          is_single;
} Way;

static const Way ways[] = {
  { C2G_MODEL_FILE_KIND_MINIDB, "blobs.minidb", C2G_DEFAULT_CHUNK_SIZE, 1, FALSE, FALSE, FALSE },
  { C2G_MODEL_FILE_KIND_MINIDB, "blobs.minidb", 3, 4, FALSE, TRUE, FALSE },
  { C2G_MODEL_FILE_KIND_LMDB, "blobs.lmdb", 5, 1, FALSE, FALSE, FALSE },
  { C2G_MODEL_FILE_KIND_SAFETENSORS, "blobs.safetensors", 0, 1, FALSE, FALSE, FALSE },
  { C2G_MODEL_FILE_KIND_NPZ, "blobs.npz", 0, 1, FALSE, FALSE, FALSE },
  { C2G_MODEL_FILE_KIND_NPZ, "blobs.npz", 0, 1, TRUE, FALSE, FALSE },
  { C2G_MODEL_FILE_KIND_NPY, "blob.npy", 0, 1, FALSE, FALSE, TRUE },
  { C2G_MODEL_FILE_KIND_BLOB, "blob.pb", 0, 1, FALSE, FALSE, TRUE },
};

/* The largest number of elements of the largest blob in one chunk. */
#define MAX_CHUNKS 1000

/* A blob without content cannot be saved. */
static char **
list_names (C2gWorkspace *workspace,
            gint64       *max_elements)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  *max_elements = 0;
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, NULL);

      if (c2g_blob_is_empty (blob))
        continue;
      g_strv_builder_add (builder, *name);
      *max_elements = MAX (*max_elements, (gint64) c2g_blob_get_n_bytes (blob));
    }

  return g_strv_builder_end (builder);
}

static C2gSaveOptions *
new_options (const Way          *way,
             const char *const  *names,
             gint64              max_elements)
{
  C2gSaveOptions *options = c2g_save_options_new ();
  gint64 chunk_size = way->chunk_size;

  if (chunk_size > 0)
    chunk_size += max_elements / MAX_CHUNKS;
  c2g_save_options_set_kind (options, way->kind);
  c2g_save_options_set_names (options, names);
  c2g_save_options_set_chunk_size (options, chunk_size);
  c2g_save_options_set_n_threads (options, way->n_threads);
  c2g_save_options_set_compress (options, way->compress);
  c2g_save_options_set_float16_as_bytes (options, way->float16_as_bytes);
  c2g_save_options_set_skip_unsupported (options, TRUE);
  return options;
}

static void
remove_database (const char *folder)
{
  static const char *const names[] = { "data.mdb", "lock.mdb" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
  g_remove (folder);
}

/* Returns the content of its data.mdb. */
static GBytes *
save_database (C2gWorkspace    *workspace,
               C2gSaveOptions  *options,
               GError         **error)
{
  g_autofree char *folder = g_build_filename (fuzz_get_folder (), "saved.lmdb", NULL);
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  gboolean is_saved;
  char *data;
  gsize n_bytes;

  remove_database (folder);
  is_saved = c2g_workspace_save_checkpoint (workspace, file, options, NULL, error);
  /* Saving gives a complete file, or none. */
  g_assert_true (is_saved == g_file_test (folder, G_FILE_TEST_EXISTS));
  if (!is_saved)
    return NULL;

  g_assert_true (g_file_get_contents (path, &data, &n_bytes, NULL));
  return g_bytes_new_take (data, n_bytes);
}

static GBytes *
save (C2gWorkspace    *workspace,
      C2gSaveOptions  *options,
      GError         **error)
{
  if (c2g_save_options_get_kind (options) == C2G_MODEL_FILE_KIND_LMDB)
    return save_database (workspace, options, error);
  return c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, error);
}

/* Tells whether an input makes saving impossible: names that the file cannot have, no blob or
 * several for a file of one, and kinds that c2g was built without. */
static void
check_save_error (const GError *error)
{
  fuzz_check_error (error);
  if (error->domain == C2G_ERROR)
    g_assert_true (error->code == C2G_ERROR_INVALID_ARGUMENT || error->code == C2G_ERROR_EXISTS ||
                   error->code == C2G_ERROR_NOT_SUPPORTED || error->code == C2G_ERROR_RANGE ||
                   error->code == C2G_ERROR_NO_MEMORY);
}

static void
check_blobs (C2gWorkspace  *first,
             C2gWorkspace  *second,
             char         **names,
             const char    *own_name)
{
  for (char **name = names; *name != NULL; name++)
    {
      const char *first_name = own_name != NULL ? own_name : *name;
      g_autoptr (C2gBlob) first_blob = c2g_workspace_get_blob (first, first_name, NULL);
      g_autoptr (C2gBlob) second_blob = c2g_workspace_get_blob (second, *name, NULL);

      fuzz_check_equal (first_blob, second_blob);
    }
}

/* Tensors without a type cannot be saved. */
static gboolean
has_type (C2gBlob *blob)
{
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);

  return tensor == NULL || c2g_tensor_get_type_meta (tensor) != NULL;
}

/* NumPy's limit on dimensions. */
#define MAX_NPZ_DIMS 32

/* Float tensors, which every kind of file can hold. */
static gboolean
is_plain (C2gTensor *tensor,
          const Way *way)
{
  if (tensor == NULL || c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_FLOAT)
    return FALSE;
  return way->kind != C2G_MODEL_FILE_KIND_NPZ || c2g_tensor_get_n_dims (tensor) <= MAX_NPZ_DIMS;
}

/* A database saves every blob, and the other kinds save all float tensors. */
static void
check_complete (C2gWorkspace       *workspace,
                const Way          *way,
                const char *const  *names,
                char              **loaded_names)
{
  gboolean is_database = way->kind == C2G_MODEL_FILE_KIND_MINIDB ||
                         way->kind == C2G_MODEL_FILE_KIND_LMDB;

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, names[i], NULL);
      C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);

      if ((is_database && has_type (blob)) || is_plain (tensor, way))
        g_assert_true (g_strv_contains ((const char *const *) loaded_names, names[i]));
    }
}

static void
check_saved (C2gWorkspace       *workspace,
             const Way          *way,
             const char *const  *names,
             GBytes             *bytes)
{
  g_autoptr (C2gWorkspace) second = c2g_workspace_new ();
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) loaded_names = NULL;

  model_file = c2g_model_file_new_from_bytes (bytes, way->file_name, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, way->kind);
  loaded_names = c2g_model_file_load (model_file, second, NULL, NULL, &error);
  if (loaded_names == NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      return;
    }

  check_blobs (workspace, second, loaded_names, way->is_single ? names[0] : NULL);
  if (!way->is_single)
    check_complete (workspace, way, names, loaded_names);
}

static void
check_way (C2gWorkspace       *workspace,
           const Way          *way,
           const char *const  *names,
           gint64              max_elements)
{
  g_autoptr (C2gSaveOptions) options = new_options (way, names, max_elements);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = save (workspace, options, &error);
  g_autoptr (GBytes) again = NULL;

  if (bytes == NULL)
    {
      check_save_error (error);
      return;
    }

  check_saved (workspace, way, names, bytes);
  /* Saving again gives the same bytes, except that liblmdb leaves random bytes in unused places. */
  if (way->kind == C2G_MODEL_FILE_KIND_LMDB)
    return;
  again = save (workspace, options, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, again));
}

/* Saves the blobs of a file in every way, and reads them back. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gModelFile) model_file = c2g_model_file_new_from_bytes (bytes, "input.minidb", NULL);
  g_auto (GStrv) loaded_names = NULL;
  g_auto (GStrv) names = NULL;
  gint64 max_elements;

  if (model_file != NULL)
    loaded_names = c2g_model_file_load (model_file, workspace, NULL, NULL, NULL);
  if (loaded_names == NULL)
    return;

  names = list_names (workspace, &max_elements);
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    if (!ways[i].is_single)
      check_way (workspace, &ways[i], (const char *const *) names, max_elements);
    else
      for (gsize j = 0; names[j] != NULL; j++)
        check_way (workspace, &ways[i], (const char *const[]) { names[j], NULL }, max_elements);
}
