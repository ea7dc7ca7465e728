/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/save-utils.h"

/* These tests cover which blobs are saved, under which names, and in what kind of file. */

static void
test_options (void)
{
  static const char *const names[] = { "a", "b", NULL };
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  g_autoptr (C2gSaveOptions) options = g_object_new (C2G_TYPE_SAVE_OPTIONS,
                                                     "names", names,
                                                     "new-names", names + 1,
                                                     "strip-prefix", "p",
                                                     "db-type", "minidb",
                                                     "chunk-size", G_GINT64_CONSTANT (5),
                                                     "float16-as-bytes", TRUE,
                                                     "keep-device", FALSE,
                                                     "compress", TRUE,
                                                     "skip-unsupported", TRUE,
                                                     "n-threads", 3u,
                                                     "progress", progress,
                                                     NULL);

  g_assert_true (g_strv_equal (c2g_save_options_get_names (options), names));
  g_assert_true (g_strv_equal (c2g_save_options_get_new_names (options), names + 1));
  g_assert_cmpstr (c2g_save_options_get_strip_prefix (options), ==, "p");
  g_assert_cmpstr (c2g_save_options_get_db_type (options), ==, "minidb");
  g_assert_cmpint (c2g_save_options_get_kind (options), ==, C2G_MODEL_FILE_KIND_UNKNOWN);
  g_assert_cmpint (c2g_save_options_get_chunk_size (options), ==, 5);
  g_assert_true (c2g_save_options_get_float16_as_bytes (options));
  g_assert_false (c2g_save_options_get_keep_device (options));
  g_assert_true (c2g_save_options_get_compress (options));
  g_assert_true (c2g_save_options_get_skip_unsupported (options));
  g_assert_cmpuint (c2g_save_options_get_n_threads (options), ==, 3);
  g_assert_true (c2g_save_options_get_progress (options) == progress);

  g_assert_null (c2g_save_options_get_metadata (options, "k"));
  c2g_save_options_set_metadata (options, "k", "v");
  g_assert_cmpstr (c2g_save_options_get_metadata (options, "k"), ==, "v");
  c2g_save_options_set_metadata (options, "k", NULL);
  g_assert_null (c2g_save_options_get_metadata (options, "k"));
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  int *n = user_data;

  (*n)++;
}

/* Each change of a property is notified once, and no change is not notified. */
static void
test_notify (void)
{
  static const char *const properties[] = {
    "names",
    "new-names",
    "strip-prefix",
    "kind",
    "db-type",
    "chunk-size",
    "float16-as-bytes",
    "keep-device",
    "compress",
    "skip-unsupported",
    "n-threads",
    "progress",
  };
  static const char *const names[] = { "a", NULL };
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  int n[G_N_ELEMENTS (properties)] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *signal = g_strconcat ("notify::", properties[i], NULL);

      g_signal_connect (options, signal, G_CALLBACK (count_cb), &n[i]);
    }

  for (int i = 0; i < 2; i++)
    {
      c2g_save_options_set_names (options, names);
      c2g_save_options_set_new_names (options, names);
      c2g_save_options_set_strip_prefix (options, "p");
      c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_NPZ);
      c2g_save_options_set_db_type (options, "lmdb");
      c2g_save_options_set_chunk_size (options, 7);
      c2g_save_options_set_float16_as_bytes (options, TRUE);
      c2g_save_options_set_keep_device (options, FALSE);
      c2g_save_options_set_compress (options, TRUE);
      c2g_save_options_set_skip_unsupported (options, TRUE);
      c2g_save_options_set_n_threads (options, 7);
      c2g_save_options_set_progress (options, progress);
      for (gsize j = 0; j < G_N_ELEMENTS (properties); j++)
        g_assert_cmpint (n[j], ==, 1);
    }

  c2g_save_options_set_names (options, NULL);
  c2g_save_options_set_strip_prefix (options, NULL);
  c2g_save_options_set_progress (options, NULL);
  g_assert_null (c2g_save_options_get_names (options));
  g_assert_cmpint (n[0], ==, 2);
}

/* Makes a child and a parent workspace, each with a blob. */
static C2gWorkspace *
new_family (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  C2gWorkspace *child = c2g_workspace_new_with_parent (parent);

  save_add_numbers (parent, "gpu_0/above", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2));
  save_add_numbers (child, "gpu_0/w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));
  save_add_numbers (child, "x/gpu_0/b", C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (3));
  save_add_numbers (child, "other", C2G_DATA_TYPE_DOUBLE, C2G_TEST_DIMS (1));
  return child;
}

static const struct
{
  const char *names;
  const char *new_names;
  const char *prefix;
  const char *expected;
  int         code;
} naming[] = {
  { NULL, NULL, NULL, "gpu_0/w x/gpu_0/b other" },
  { "other gpu_0/w", NULL, NULL, "other gpu_0/w" },
  { "gpu_0/above other", NULL, NULL, "gpu_0/above other" },
  { NULL, NULL, "gpu_0/", "w b other" },
  { NULL, NULL, "", "gpu_0/w x/gpu_0/b other" },
  { "gpu_0/above gpu_0/w", NULL, "gpu_0/", "above w" },
  { "other gpu_0/w", "1 2", NULL, "1 2" },
  { "other gpu_0/w", "1 2", "", "1 2" },
  { NULL, "1 2 3", NULL, "1 2 3" },
  { "other gpu_0/w", "gpu_0/w other", NULL, "gpu_0/w other" },
  { "nobody", NULL, NULL, "nobody", C2G_ERROR_NOT_FOUND },
  { "other other", NULL, NULL, "other", C2G_ERROR_EXISTS },
  { "other gpu_0/w", "1 1", NULL, "gpu_0/w", C2G_ERROR_EXISTS },
  { "other gpu_0/w", "1", NULL, "1", C2G_ERROR_INVALID_ARGUMENT },
  { "other", "1 2", NULL, "2", C2G_ERROR_INVALID_ARGUMENT },
  { "other", "1", "gpu_0/", "prefix", C2G_ERROR_INVALID_ARGUMENT },
  { "other", NULL, "other", "other", C2G_ERROR_INVALID_ARGUMENT },
  { "other", "a#%b", NULL, "a#%b", C2G_ERROR_INVALID_ARGUMENT },
  { "other", "\xff", NULL, "UTF-8", C2G_ERROR_INVALID_ARGUMENT },
};

static void
test_names (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_family ();

  for (gsize i = 0; i < G_N_ELEMENTS (naming); i++)
    {
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_auto (GStrv) names = naming[i].names ? g_strsplit (naming[i].names, " ", 0) : NULL;
      g_auto (GStrv) new_names =
        naming[i].new_names ? g_strsplit (naming[i].new_names, " ", 0) : NULL;
      g_autofree char *joined = NULL;
      g_autoptr (C2gWorkspace) loaded = NULL;
      g_auto (GStrv) loaded_names = NULL;

      c2g_save_options_set_names (options, (const char *const *) names);
      c2g_save_options_set_new_names (options, (const char *const *) new_names);
      c2g_save_options_set_strip_prefix (options, naming[i].prefix);
      if (naming[i].code != 0)
        {
          save_assert_fails (workspace, file, options, C2G_ERROR, naming[i].code,
                             naming[i].expected);
          g_assert_cmpuint (save_count_files (folder), ==, 0);
          continue;
        }

      save_to (workspace, file, options);
      loaded = save_load (file);
      loaded_names = c2g_workspace_list_local_blobs (loaded);
      joined = g_strjoinv (" ", loaded_names);
      g_assert_cmpstr (joined, ==, naming[i].expected);
      if (names != NULL)
        for (gsize j = 0; names[j] != NULL; j++)
          save_assert_same_blob (workspace, names[j], loaded, loaded_names[j]);
      g_assert_true (g_file_delete (file, NULL, NULL));
    }

  save_remove (folder);
}

/* The kind of file, by its name and by the options. */
static const struct
{
  const char       *name;
  C2gModelFileKind  kind;
  const char       *db_type;
  /* The first bytes of the file. */
  const char       *magic;
  int               code;
} kinds[] = {
  { "x.minidb", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "\x06" },
  { "x_minidb", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "\x06" },
  { "x.pb", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "\x0a" },
  { "x.npy", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "\x93NUMPY" },
  { "x.npz", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "PK" },
  { "x.safetensors", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, NULL },
  { "x.pb", C2G_MODEL_FILE_KIND_MINIDB, NULL, "\x06" },
  { "x", C2G_MODEL_FILE_KIND_BLOB, NULL, "\x0a" },
  { "x", C2G_MODEL_FILE_KIND_NPY, NULL, "\x93NUMPY" },
  { "x", C2G_MODEL_FILE_KIND_NPZ, NULL, "PK" },
  { "x", C2G_MODEL_FILE_KIND_SAFETENSORS, NULL, NULL },
  { "x.npz", C2G_MODEL_FILE_KIND_UNKNOWN, "minidb", "\x06" },
  { "x.npz", C2G_MODEL_FILE_KIND_NPY, "minidb", "\x06" },
  { "x.npz", C2G_MODEL_FILE_KIND_UNKNOWN, "MiniDB", "\x06" },
  { "x", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, ".safetensors", C2G_ERROR_INVALID_ARGUMENT },
  { "minidb", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, ".minidb", C2G_ERROR_INVALID_ARGUMENT },
  { "x.txt", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "x.txt", C2G_ERROR_INVALID_ARGUMENT },
  { "x.protodb", C2G_MODEL_FILE_KIND_UNKNOWN, NULL, "protodb", C2G_ERROR_NOT_SUPPORTED },
  { "x", C2G_MODEL_FILE_KIND_UNKNOWN, "protodb", "protodb", C2G_ERROR_NOT_SUPPORTED },
  { "x", C2G_MODEL_FILE_KIND_UNKNOWN, "ProtoDB", "protodb", C2G_ERROR_NOT_SUPPORTED },
  { "x", C2G_MODEL_FILE_KIND_PROTODB, NULL, "kind protodb", C2G_ERROR_NOT_SUPPORTED },
  { "x.pb", C2G_MODEL_FILE_KIND_NET, NULL, "kind net ", C2G_ERROR_NOT_SUPPORTED },
  { "x.pb", C2G_MODEL_FILE_KIND_NET_TEXT, NULL, "kind net-text", C2G_ERROR_NOT_SUPPORTED },
  { "x.pb", C2G_MODEL_FILE_KIND_TENSOR, NULL, "kind tensor", C2G_ERROR_NOT_SUPPORTED },
  { "x.minidb", C2G_MODEL_FILE_KIND_UNKNOWN, "leveldb", "leveldb", C2G_ERROR_NOT_FOUND },
};

static void
test_kinds (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  gboolean has_npz = save_can_make (folder, "probe.npz");

  save_add_numbers (workspace, "abc", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = save_file (folder, kinds[i].name);
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (GBytes) bytes = NULL;

      g_test_message ("%s, %d, %s", kinds[i].name, kinds[i].kind, kinds[i].db_type);
      c2g_save_options_set_kind (options, kinds[i].kind);
      c2g_save_options_set_db_type (options, kinds[i].db_type);
      if (kinds[i].code != 0)
        {
          save_assert_fails (workspace, file, options, C2G_ERROR, kinds[i].code, kinds[i].magic);
          g_assert_false (g_file_query_exists (file, NULL));
          continue;
        }
      if (!has_npz && g_strcmp0 (kinds[i].magic, "PK") == 0)
        continue;

      save_to (workspace, file, options);
      bytes = save_read (file);
      if (kinds[i].magic != NULL)
        g_assert_cmpmem (g_bytes_get_data (bytes, NULL), strlen (kinds[i].magic),
                         kinds[i].magic, strlen (kinds[i].magic));
      g_assert_true (g_file_delete (file, NULL, NULL));
    }

  save_remove (folder);
}

/* Saving to memory gives the same bytes as a file. */
static void
test_bytes (void)
{
  static const C2gModelFileKind bytes_kinds[] = {
    C2G_MODEL_FILE_KIND_MINIDB,
    C2G_MODEL_FILE_KIND_BLOB,
    C2G_MODEL_FILE_KIND_NPY,
    C2G_MODEL_FILE_KIND_SAFETENSORS,
  };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) lmdb = c2g_save_options_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) minidb = NULL;
  g_autoptr (GError) error = NULL;

  save_add_numbers (workspace, "abc", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (20, 30));
  for (gsize i = 0; i < G_N_ELEMENTS (bytes_kinds); i++)
    {
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (GBytes) content = NULL;

      c2g_save_options_set_kind (options, bytes_kinds[i]);
      c2g_save_options_set_chunk_size (options, 100);
      save_to (workspace, file, options);
      content = save_to_bytes (workspace, options);
      save_assert_bytes (file, content);
    }

  bytes = save_to_bytes (workspace, NULL);
  c2g_save_options_set_kind (lmdb, C2G_MODEL_FILE_KIND_MINIDB);
  minidb = save_to_bytes (workspace, lmdb);
  g_assert_true (g_bytes_equal (bytes, minidb));

  c2g_save_options_set_db_type (lmdb, "lmdb");
  g_assert_null (c2g_workspace_save_checkpoint_to_bytes (workspace, lmdb, NULL, &error));
  g_assert_true (error->domain == C2G_ERROR);
  save_remove (folder);
}

/* Files for one blob accept exactly one. */
static void
test_number (void)
{
  static const char *const names[] = { "x.pb", "x.npy" };
  g_autofree char *folder = save_new_folder ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = save_file (folder, names[i]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

      save_assert_fails (workspace, file, NULL, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, "0");
      save_add_numbers (workspace, "a", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2));
      save_to (workspace, file, NULL);
      save_add_numbers (workspace, "b", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2));
      save_assert_fails (workspace, file, NULL, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, "2");
      save_remove (g_file_peek_path (file));
    }

  save_remove (folder);
}

/* An empty workspace gives an empty file in formats for any number of blobs. */
static void
test_nothing (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors" };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = save_file (folder, names[i]);

      save_to (workspace, file, NULL);
      save_assert_same (workspace, file);
    }

  save_remove (folder);
}

/* A blob that cannot be saved is an error that names it before there is a file, or it is skipped. */
static void
test_unsupported (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors" };
  g_autofree char *folder = save_new_folder ();

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = save_file (folder, names[i / 2]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gWorkspace) loaded = NULL;
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_auto (GStrv) loaded_names = NULL;
      static const char *const bad[] = { "empty", "unallocated", "object" };

      save_add_numbers (workspace, "good", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2));
      for (gsize j = 0; j < G_N_ELEMENTS (bad); j++)
        {
          g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, bad[j], NULL);
          const char *list[] = { "good", bad[j], NULL };
          g_autoptr (GError) error = NULL;

          if (j == 1)
            c2g_tensor_resize (c2g_blob_ensure_tensor (blob, NULL, NULL), C2G_TEST_DIMS (2), NULL);
          if (j == 2)
            c2g_blob_ensure (blob, G_TYPE_SIMPLE_ACTION_GROUP, NULL, NULL);
          c2g_save_options_set_names (options, list);
          g_assert_false (c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error));
          g_assert_true (error->domain == C2G_ERROR);
          g_test_message ("%s", error->message);
          g_assert_nonnull (strstr (error->message, bad[j]));
          g_assert_cmpuint (save_count_files (folder), ==, 0);
        }

      c2g_save_options_set_names (options, NULL);
      c2g_save_options_set_skip_unsupported (options, TRUE);
      save_to (workspace, file, options);
      loaded = save_load (file);
      loaded_names = c2g_workspace_list_local_blobs (loaded);
      g_assert_cmpuint (g_strv_length (loaded_names), ==, 1);
      g_assert_cmpstr (loaded_names[0], ==, "good");
      g_assert_true (g_file_delete (file, NULL, NULL));
    }

  save_remove (folder);
}

/* A database can hold the element type, but other formats cannot. */
static void
test_text (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) minidb = save_file (folder, "x.minidb");
  g_autoptr (GFile) safetensors = save_file (folder, "x.safetensors");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gWorkspace) loaded = NULL;

  save_add_text (workspace, "note", "text");
  save_add_numbers (workspace, "strings", C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (3));
  save_to (workspace, minidb, NULL);
  save_assert_same (workspace, minidb);

  save_assert_fails (workspace, safetensors, NULL, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "note");
  c2g_save_options_set_skip_unsupported (options, TRUE);
  save_to (workspace, safetensors, options);
  loaded = save_load (safetensors);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (loaded)), ==, 0);
  save_remove (folder);
}

/* An invalid name is an error in the options, not a blob to skip. */
static void
test_names_are_not_skipped (void)
{
  static const struct
  {
    const char *file;
    const char *name;
  } rows[] = {
    { "x.minidb", "a#%b" },
    { "x.safetensors", "__metadata__" },
    { "x.npz", "" },
  };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (3));
  c2g_save_options_set_skip_unsupported (options, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GFile) file = save_file (folder, rows[i].file);
      const char *names[] = { rows[i].name, NULL };

      c2g_save_options_set_names (options, (const char *[]){ "w", NULL });
      c2g_save_options_set_new_names (options, names);
      save_assert_fails (workspace, file, options, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         rows[i].name);
    }

  save_remove (folder);
}

static void
test_metadata (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GBytes) bytes = NULL;

  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (3));
  c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_SAFETENSORS);
  c2g_save_options_set_metadata (options, "format", "c2g");
  bytes = save_to_bytes (workspace, options);
  g_assert_nonnull (g_strstr_len ((const char *) g_bytes_get_data (bytes, NULL) + 8,
                                  g_bytes_get_size (bytes) - 8,
                                  "\"__metadata__\":{\"format\":\"c2g\"}"));
}

/* The check gives the error that saving would give for the file's name. */
static void
test_check_file (void)
{
  static const struct
  {
    const char *name;
    const char *db_type;
    C2gError    code;
  } rows[] = {
    { "a.npz", NULL, 0 },
    { "a_lmdb", NULL, 0 },
    { "a", "minidb", 0 },
    { "a", NULL, C2G_ERROR_INVALID_ARGUMENT },
    { "a.jpeg", NULL, C2G_ERROR_INVALID_ARGUMENT },
    { "a.npz", "leveldb", C2G_ERROR_NOT_FOUND },
    { "a.minidb", "protodb", C2G_ERROR_NOT_SUPPORTED },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (GFile) file = g_file_new_for_path (rows[i].name);
      g_autoptr (GError) error = NULL;

      c2g_save_options_set_db_type (options, rows[i].db_type);
      g_assert_true (c2g_save_options_check_file (options, file, &error) == (error == NULL));
      if (rows[i].code == 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, C2G_ERROR, (int) rows[i].code);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/save/options", test_options);
  c2g_test_add_func ("/save/notify", test_notify);
  c2g_test_add_func ("/save/names", test_names);
  c2g_test_add_func ("/save/kinds", test_kinds);
  c2g_test_add_func ("/save/check-file", test_check_file);
  c2g_test_add_func ("/save/bytes", test_bytes);
  c2g_test_add_func ("/save/number", test_number);
  c2g_test_add_func ("/save/nothing", test_nothing);
  c2g_test_add_func ("/save/unsupported", test_unsupported);
  c2g_test_add_func ("/save/text", test_text);
  c2g_test_add_func ("/save/names-are-not-skipped", test_names_are_not_skipped);
  c2g_test_add_func ("/save/metadata", test_metadata);

  return c2g_test_run ();
}
