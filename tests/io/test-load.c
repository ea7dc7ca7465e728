/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/load-files.h"
#include "tests/io/memory-db.h"

/* The cases of Caffe2's load_save_test.py, and those of c2g. The files are written here record by
 * record; saving has tests of its own. */

/* With and without kept devices, all blobs or by name, into an empty workspace and over existing
 * blobs. */
static void
test_load_save (void)
{
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
      g_auto (GStrv) names = load_new_names (0, LOAD_N_TYPES);

      c2g_load_options_set_keep_device (options, i & 1);
      c2g_load_options_set_load_all (options, i & 2);
      if (i & 4)
        c2g_load_options_set_names (options, (const char *const *) names);
      for (guint j = 0; j < 2; j++)
        {
          load_assert_loads (workspace, file, options, LOAD_N_TYPES);
          load_assert_n_blobs (workspace, LOAD_N_TYPES);
          load_assert_blobs (workspace, 0, LOAD_N_TYPES);
        }
    }
}

/* Makes a database with a float saved on the GPU of this number. */
static GByteArray *
new_gpu_database (char index)
{
  static const char begin[] = "\x0a\x01x\x12\x06Tensor\x1a\x10\x08\x01\x10\x01"
                              "\x1a\x04\0\0\x80\x3f\x42\x04\x08\x01\x10";
  GByteArray *message = g_byte_array_new ();
  GByteArray *database = g_byte_array_new ();

  g_byte_array_append (message, (const guint8 *) begin, sizeof begin - 1);
  g_byte_array_append (message, (const guint8 *) &index, 1);
  io_put_record (database, "x#%0", g_byte_array_free_to_bytes (message));
  return database;
}

static void
assert_first (C2gWorkspace *workspace,
              const char   *name,
              double        value)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);

  g_assert_true (c2g_tensor_get_device (tensor) == c2g_device_cpu ());
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, value);
}

/* The other half of the cases: tensors saved on a GPU come to the CPU, or to a GPU if there is one. */
static void
test_keep_device (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (C2gContext) gpu = NULL;
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;
  GFile *other;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", new_gpu_database (0));
  other = load_folder_add (&folder, "other", new_gpu_database (127));
  gpu = c2g_context_for_device (c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL), NULL);

  c2g_load_options_set_keep_device (options, TRUE);
  load_assert_refuses (workspace, other, options, C2G_ERROR_DEVICE, "Blob “x”: ");
  if (gpu == NULL)
    load_assert_refuses (workspace, file, options, C2G_ERROR_DEVICE, "Blob “x”: ");
  else
    load_assert_loads (workspace, file, options, 1);

  c2g_load_options_set_keep_device (options, FALSE);
  load_assert_loads (workspace, file, options, 1);
  assert_first (workspace, "x", 1);
  load_assert_loads (workspace, other, options, 1);
  assert_first (workspace, "x", 1);
  load_assert_loads (workspace, other, NULL, 1);
  assert_first (workspace, "x", 1);
}

/* A file with a single tensor is handled the same way by all functions. */
static void
test_keep_device_alone (void)
{
  static const char message[] = "\x0a\x01x\x12\x06Tensor\x1a\x10\x08\x01\x10\x01"
                                "\x1a\x04\0\0\x80\x3f\x42\x04\x08\x01\x10\x7f";
  GByteArray *content = g_byte_array_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (LoadFolder) folder = { 0 };
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) same_names = NULL;
  g_auto (GStrv) more_names = NULL;
  GFile *file;

  g_byte_array_append (content, (const guint8 *) message, sizeof message - 1);
  load_folder_init (&folder);
  file = load_folder_add (&folder, "x.pb", content);
  load_assert_loads (workspace, file, options, 1);
  load_assert_loads (workspace, file, NULL, 1);
  assert_first (workspace, "x", 1);

  model_file = c2g_model_file_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  same_names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  more_names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);
  g_assert_no_error (error);
  blob = c2g_model_file_load_blob (model_file, "x", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_blob_is_tensor (blob, c2g_device_cpu ()));

  c2g_load_options_set_keep_device (options, TRUE);
  load_assert_refuses (workspace, file, options, C2G_ERROR_DEVICE, "Blob “x”: ");
}

static void
test_excess_blobs (void)
{
  static const char *const twice[] = { "0", "1", "0", NULL };
  static const char *const one_too_many[] = { "9", "10", NULL };
  static const char *const two_too_many[] = { "10", "11", NULL };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));

  c2g_load_options_set_names (options, twice);
  load_assert_refuses (workspace, file, options, C2G_ERROR_INVALID_ARGUMENT, "“0” is given twice");
  for (guint load_all = 0; load_all < 2; load_all++)
    {
      c2g_load_options_set_load_all (options, load_all);
      c2g_load_options_set_names (options, one_too_many);
      load_assert_refuses (workspace, file, options, C2G_ERROR_NOT_FOUND,
                           "db: Blobs that are not there: “10”");
      c2g_load_options_set_names (options, two_too_many);
      load_assert_refuses (workspace, file, options, C2G_ERROR_NOT_FOUND, "“10”, “11”");
    }

  /* An error about many names lists the first ones. */
  {
    g_auto (GStrv) many = load_new_names (100, 50);

    c2g_load_options_set_names (options, (const char *const *) many);
    load_assert_refuses (workspace, file, options, C2G_ERROR_NOT_FOUND,
                         "Blobs that are not there: “100”, ");
    load_assert_refuses (workspace, file, options, C2G_ERROR_NOT_FOUND, "“119”, … (50 in all)");
  }
}

static void
test_truncated_file (void)
{
  g_autoptr (GByteArray) database = load_new_database ("", 0);
  g_auto (GStrv) names = load_new_names (0, LOAD_N_TYPES);

  for (guint n = 4; n < database->len; n += 7)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
      g_auto (LoadFolder) folder = { 0 };
      GByteArray *part = g_byte_array_new ();
      GFile *file;

      load_folder_init (&folder);
      g_byte_array_append (part, database->data, n);
      file = load_folder_add (&folder, "db", part);

      /* The rest may still be complete records, or not a minidb any more. */
      c2g_load_options_set_names (options, (const char *const *) names);
      g_assert_null (c2g_workspace_load_checkpoint (workspace, file, options, NULL, NULL));
      load_assert_n_blobs (workspace, 0);
    }
}

/* As in Caffe2's test: with zeros after the end. */
static void
test_lengthened_file (void)
{
  static const guint8 zeros[20];
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (GStrv) names = load_new_names (0, LOAD_N_TYPES);
  g_auto (LoadFolder) folder = { 0 };
  GByteArray *database = load_new_database ("", 0);
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", g_byte_array_append (database, zeros, sizeof zeros));
  load_assert_refuses (workspace, file, NULL, C2G_ERROR_CORRUPT, "db: Damaged at offset ");
  c2g_load_options_set_names (options, (const char *const *) names);
  load_assert_refuses (workspace, file, options, C2G_ERROR_CORRUPT, "db: Damaged at offset ");
}

static void
test_source_names (void)
{
  static const char *const names[] = { "blob_x", "blob_y", "blob_z", NULL };
  static const char *const source_names[] = { "0", "1", "2", NULL };
  static const char *const first_name[] = { "blob_x", NULL };
  static const char *const first_source[] = { "0", NULL };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));

  c2g_load_options_set_names (options, first_name);
  c2g_load_options_set_source_names (options, first_source);
  load_assert_loads (workspace, file, options, 1);
  load_assert_blob (workspace, "blob_x", 0);
  load_assert_n_blobs (workspace, 1);

  c2g_load_options_set_names (options, names);
  c2g_load_options_set_source_names (options, source_names);
  load_assert_loads (workspace, file, options, 3);
  for (guint i = 0; i < 3; i++)
    load_assert_blob (workspace, names[i], i);
  load_assert_n_blobs (workspace, 3);

  /* The source names alone select the blobs. */
  c2g_load_options_set_names (options, NULL);
  load_assert_loads (workspace, file, options, 3);
  load_assert_blob (workspace, "2", 2);
  load_assert_n_blobs (workspace, 6);
}

static void
test_missing_file (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (GFile) missing = NULL;
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;
  GError *error = NULL;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  missing = g_file_new_build_filename (folder.path, "missing", NULL);

  g_assert_null (c2g_workspace_load_checkpoint (workspace, missing, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, g_file_peek_path (missing)));
  g_clear_error (&error);

  c2g_load_options_set_files (options, &missing, 1);
  g_assert_null (c2g_workspace_load_checkpoint (workspace, file, options, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  load_assert_n_blobs (workspace, 0);
}

/* Two files: with names, with source names, and with both. */
static void
test_multiple_files (void)
{
  g_auto (LoadFolder) folder = { 0 };
  g_auto (GStrv) names = load_new_names (0, 2 * LOAD_N_TYPES);
  GFile *first;
  GFile *second;

  load_folder_init (&folder);
  first = load_folder_add (&folder, "db1", load_new_database ("", 0));
  second = load_folder_add (&folder, "db2", load_new_database ("", LOAD_N_TYPES));

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();

      c2g_load_options_set_files (options, &second, 1);
      if (i < 2)
        c2g_load_options_set_names (options, (const char *const *) names);
      if (i < 1)
        c2g_load_options_set_source_names (options, (const char *const *) names);
      c2g_load_options_set_load_all (options, i == 2);
      load_assert_loads (workspace, first, options, 2 * LOAD_N_TYPES);
      load_assert_blobs (workspace, 0, 2 * LOAD_N_TYPES);
      load_assert_n_blobs (workspace, 2 * LOAD_N_TYPES);
    }
}

static void
test_same_key (void)
{
  static const char *const other[] = { "5", NULL };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GFile *first;
  GFile *second;

  load_folder_init (&folder);
  first = load_folder_add (&folder, "db1", load_new_database ("", 0));
  second = load_folder_add (&folder, "db2", load_new_database ("", LOAD_N_TYPES - 1));
  c2g_load_options_set_files (options, &second, 1);

  c2g_load_options_set_load_all (options, TRUE);
  load_assert_refuses (workspace, first, options, C2G_ERROR_EXISTS, "Two files have a blob “9”: ");
  /* Blobs that are not wanted do not matter. */
  c2g_load_options_set_load_all (options, FALSE);
  c2g_load_options_set_names (options, other);
  load_assert_loads (workspace, first, options, 1);
}

static void
test_repeated_files (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (GStrv) names = load_new_names (0, LOAD_N_TYPES);
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  c2g_load_options_set_files (options, &file, 1);
  c2g_load_options_set_names (options, (const char *const *) names);
  load_assert_refuses (workspace, file, options, C2G_ERROR_INVALID_ARGUMENT, "is given twice");
}

/* A given database type counts, even if the file looks different. */
static void
test_db_type (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (GFile) memory = g_file_new_for_path ("/memory/of/test-load");
  g_autoptr (GBytes) key = g_bytes_new_static ("3#%0", 4);
  g_autoptr (GBytes) value = load_new_message (3, "3");
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  c2g_load_options_set_db_type (options, "minidb");
  load_assert_loads (workspace, file, options, LOAD_N_TYPES);
  c2g_load_options_set_db_type (options, "lmdb");
  load_assert_refuses (workspace, file, options, C2G_ERROR_CORRUPT,
                       "db: This is no database of type “lmdb”, it looks like minidb; as that");
  c2g_load_options_set_db_type (options, "MiniDB");
  model_file = c2g_model_file_open (file, options, NULL, NULL);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_MINIDB);
  g_clear_object (&model_file);
  c2g_load_options_set_db_type (options, "no such type");
  load_assert_refuses (workspace, file, options, C2G_ERROR_NOT_FOUND, "no such type");

  memory_db_register ();
  db = c2g_db_open ("memory", memory, C2G_DB_MODE_NEW, NULL, NULL);
  transaction = c2g_db_new_transaction (db, NULL);
  g_assert_true (c2g_db_transaction_put (transaction, key, value, NULL));
  g_assert_true (c2g_db_transaction_commit (transaction, NULL));
  c2g_load_options_set_db_type (options, "memory");
  c2g_workspace_clear (workspace);
  load_assert_loads (workspace, memory, options, 1);
  load_assert_blob (workspace, "3", 3);
  model_file = c2g_model_file_open (memory, options, NULL, NULL);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_DB);
}

/* Tensors that share memory see the loaded elements. */
static void
test_same_tensor (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "3", NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  load_assert_loads (workspace, file, NULL, LOAD_N_TYPES);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  load_assert_blob (workspace, "3", 3);
}

/* If memory runs out at any point, there is an error and the workspace is unchanged. */
static void
test_no_memory (void)
{
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_auto (LoadFolder) folder = { 0 };
  guint n_failures = 0;
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  for (guint64 max_bytes = 0; max_bytes < 250; max_bytes += 10)
    {
      g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (usual, max_bytes);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;

      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limited, NULL));
      names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);
      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));

      load_assert_n_blobs (workspace, names == NULL ? 0 : LOAD_N_TYPES);
      if (names == NULL)
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
          n_failures++;
        }
    }

  /* 6 elements of 1, 1, 1, 2, 2, 2, 4, 4, 8 and 8 bytes. */
  g_assert_cmpuint (n_failures, ==, (6 * 33 + 9) / 10);
}

static void
test_resolve_path (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFile) absolute = NULL;

  c2g_workspace_set_root_folder (workspace, "/some/folder");
  file = c2g_workspace_resolve_path (workspace, "a/db");
  g_assert_cmpstr (g_file_peek_path (file), ==, "/some/folder/a/db");
  absolute = c2g_workspace_resolve_path (workspace, "/tmp/db");
  g_assert_cmpstr (g_file_peek_path (absolute), ==, "/tmp/db");
}

static void
assert_read_only (C2gWorkspace *workspace,
                  gboolean      is_read_only)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, *name, NULL);

      if (tensor != NULL && c2g_tensor_get_n_elements (tensor) > 0)
        g_assert_cmpint (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)), ==,
                         is_read_only);
    }
}

/* A mapped tensor of safetensors is a read-only view. Blobs of a minidb are always copied. */
static void
test_memory_map (void)
{
  static const char header[] = "{\"__metadata__\":{\"format\":\"pt\"},\"x\":{\"dtype\":\"F32\","
                               "\"shape\":[2],\"data_offsets\":[0,8]}}   ";
  static const float values[] = { 0, 1 };
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GByteArray *content = g_byte_array_new ();
  guint64 n_header = GUINT64_TO_LE (strlen (header));
  GFile *files[2];

  g_byte_array_append (content, (const guint8 *) &n_header, sizeof n_header);
  g_byte_array_append (content, (const guint8 *) header, strlen (header));
  g_byte_array_append (content, (const guint8 *) values, sizeof values);
  load_folder_init (&folder);
  files[0] = load_folder_add (&folder, "x.safetensors", content);
  files[1] = load_folder_add (&folder, "db", load_new_database ("", 0));

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

      c2g_load_options_set_memory_map (options, i & 1);
      load_assert_loads (workspace, files[i / 2], options, i < 2 ? 1 : LOAD_N_TYPES);
      if (i < 2)
        io_assert_floats (workspace, "x", 2);
      else
        load_assert_blobs (workspace, 0, LOAD_N_TYPES);
      assert_read_only (workspace, i == 1);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/load/load-save", test_load_save);
  c2g_test_add_func ("/load/keep-device", test_keep_device);
  c2g_test_add_func ("/load/keep-device-alone", test_keep_device_alone);
  c2g_test_add_func ("/load/load-excess-blobs", test_excess_blobs);
  c2g_test_add_func ("/load/truncated-file", test_truncated_file);
  c2g_test_add_func ("/load/lengthened-file", test_lengthened_file);
  c2g_test_add_func ("/load/blob-name-overrides", test_source_names);
  c2g_test_add_func ("/load/missing-file", test_missing_file);
  c2g_test_add_func ("/load/multiple-files", test_multiple_files);
  c2g_test_add_func ("/load/multiple-files-with-same-key", test_same_key);
  c2g_test_add_func ("/load/repeated-files", test_repeated_files);
  c2g_test_add_func ("/load/db-type", test_db_type);
  c2g_test_add_func ("/load/same-tensor", test_same_tensor);
  c2g_test_add_func ("/load/no-memory", test_no_memory);
  c2g_test_add_func ("/load/resolve-path", test_resolve_path);
  c2g_test_add_func ("/load/memory-map", test_memory_map);

  return c2g_test_run ();
}
