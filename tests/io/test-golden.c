/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/io-utils.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

/* Files that Caffe2 wrote, and files that it accepts or refuses, with their values. Trained models
 * are beside the repository, in ../shared/models. */

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "golden", name, NULL);
}

static GBytes *
read_golden (const char *name)
{
  g_autofree char *path = golden_path (name);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize n_bytes;

  g_file_get_contents (path, &data, &n_bytes, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (data, n_bytes);
}

static JsonParser *
read_manifest (void)
{
  g_autofree char *path = golden_path ("manifest.json");
  g_autoptr (GError) error = NULL;
  JsonParser *parser = json_parser_new ();

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return parser;
}

/* Calls FUNC for every entry of a list in the manifest. */
static void
foreach_entry (const char *list,
               void      (*func) (JsonObject *entry))
{
  g_autoptr (JsonParser) parser = NULL;
  JsonObject *manifest;
  JsonArray *entries;

  parser = read_manifest ();
  manifest = json_node_get_object (json_parser_get_root (parser));
  entries = json_object_get_array_member (manifest, list);
  g_assert_cmpuint (json_array_get_length (entries), >, 0);
  for (guint i = 0; i < json_array_get_length (entries); i++)
    func (json_array_get_object_element (entries, i));
}

static char **
load (const char    *path,
      C2gWorkspace  *workspace,
      GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, error);
}

static char **
load_golden (const char   *name,
             C2gWorkspace *workspace)
{
  g_autofree char *path = golden_path (name);
  g_autoptr (GError) error = NULL;
  char **names;

  g_test_message ("%s", name);
  names = load (path, workspace, &error);
  g_assert_no_error (error);
  return names;
}

/* Returns the elements in the form of the .bin files, where strings have their lengths. */
static GBytes *
raw_of_strings (C2gTensor *tensor)
{
  GByteArray *raw = g_byte_array_new ();
  GBytes *const *items = c2g_tensor_data (tensor, C2G_DATA_TYPE_STRING, NULL);

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

static void
assert_tensor (C2gWorkspace *workspace,
               const char   *name,
               JsonObject   *entry)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  g_autoptr (GBytes) expected = read_golden (json_object_get_string_member (entry, "raw"));
  g_autoptr (GBytes) raw = NULL;
  g_autoptr (GError) error = NULL;
  JsonArray *dims = json_object_get_array_member (entry, "dims");
  const char *data_type = json_object_get_string_member (entry, "dtype");
  C2gTensor *tensor = c2g_blob_get_tensor (blob, &error);
  const gint64 *own_dims;
  gsize n_dims;

  g_assert_no_error (error);
  own_dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_assert_cmpuint (n_dims, ==, json_array_get_length (dims));
  for (gsize i = 0; i < n_dims; i++)
    g_assert_cmpint (own_dims[i], ==, json_array_get_int_element (dims, i));

  if (g_str_equal (data_type, "float32"))
    data_type = "float";
  g_assert_cmpstr (c2g_data_type_get_name (c2g_tensor_get_data_type (tensor)), ==, data_type);

  if (g_str_equal (data_type, "string"))
    raw = raw_of_strings (tensor);
  else
    raw = c2g_tensor_dup_bytes (tensor, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (raw, NULL), g_bytes_get_size (raw),
                   g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

/* Checks that the bytes are exactly those of Caffe2. */
static void
assert_serialized (C2gWorkspace *workspace,
                   const char   *name,
                   const char   *file)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  g_autoptr (GBytes) expected = read_golden (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, name, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

static void
check_tensor (JsonObject *entry)
{
  const char *file = json_object_get_string_member (entry, "file");
  const char *name = json_object_get_string_member (entry, "name");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = load_golden (file, workspace);

  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_cmpstr (names[0], ==, name);
  assert_tensor (workspace, name, entry);
  if (strstr (file, "as_bytes") == NULL)
    assert_serialized (workspace, name, file);
}

static void
test_tensors (void)
{
  foreach_entry ("tensors", check_tensor);
}

/* The chunks are in separate files; puts them into a database in reverse order. */
static void
check_chunked (JsonObject *entry)
{
  const char *name = json_object_get_string_member (entry, "name");
  JsonArray *chunks = json_object_get_array_member (entry, "chunks");
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  for (guint i = json_array_get_length (chunks); i > 0; i--)
    {
      JsonObject *chunk = json_array_get_object_element (chunks, i - 1);

      io_put_record (database, json_object_get_string_member (chunk, "key"),
                     read_golden (json_object_get_string_member (chunk, "file")));
    }

  bytes = g_bytes_new (database->data, database->len);
  model_file = c2g_model_file_new_from_bytes (bytes, name, &error);
  g_assert_no_error (error);
  names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  assert_tensor (workspace, name, entry);
}

static void
test_chunked (void)
{
  foreach_entry ("chunked", check_chunked);
}

static void
check_other (JsonObject *entry)
{
  const char *file = json_object_get_string_member (entry, "file");
  const char *name = json_object_get_string_member (entry, "name");
  const char *type = json_object_get_string_member (entry, "blob_type");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = load_golden (file, workspace);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  g_autoptr (GBytes) expected = NULL;
  g_autoptr (GBytes) planes = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  g_assert_cmpstr (names[0], ==, name);
  assert_serialized (workspace, name, file);
  if (json_object_has_member (entry, "raw"))
    expected = read_golden (json_object_get_string_member (entry, "raw"));

  if (g_str_equal (type, "QTensor"))
    {
      C2gQTensor *tensor = C2G_Q_TENSOR (c2g_blob_get_object (blob));

      planes = c2g_q_tensor_dup_bytes (tensor, NULL);
      g_assert_true (g_bytes_equal (planes, expected));
      for (gint64 i = 0; i < 10; i++)
        g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, i, NULL), ==, (i % 8) * 0.125 - 1.5);
      return;
    }

  c2g_blob_get_value (blob, &value);
  if (expected != NULL)
    g_assert_true (g_bytes_equal (g_value_get_boxed (&value), expected));
  else
    g_assert_cmpint (g_value_get_int64 (&value), ==, json_object_get_int_member (entry, "value"));
}

static void
test_others (void)
{
  foreach_entry ("non_tensor", check_other);
}

/* Reads the file as the kind of message for which Caffe2 was tested. */
static void
check_refused (const char *name)
{
  g_autofree char *path = golden_path (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (stream);
  g_assert_false (
    c2g_blob_deserialize_from_stream (blob, G_INPUT_STREAM (stream), NULL, NULL, &error));
  g_assert_true (error->domain == C2G_ERROR);
  g_assert_true (c2g_blob_is_empty (blob));
}

static void
check_on_cpu (C2gWorkspace *workspace,
              const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);

  g_assert_true (c2g_blob_is_tensor (blob, c2g_device_cpu ()));
}

static void
check_hand_built (JsonObject *entry)
{
  const char *file = json_object_get_string_member (entry, "file");
  g_autofree char *path = golden_path (file);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  if (json_object_get_boolean_member (entry, "accepted_by_real_caffe2"))
    {
      names = load_golden (file, workspace);
      assert_tensor (workspace, names[0], entry);
      return;
    }

  g_test_message ("%s is refused", file);
  check_refused (file);
  if (strstr (file, "device") != NULL)
    {
      /* A single blob is loaded to its device; a load brings it to the CPU, as the operator Load
       * does. */
      names = load_golden (file, workspace);
      check_on_cpu (workspace, names[0]);
      return;
    }

  g_assert_null (load (path, workspace, &error));
  g_assert_true (error->domain == C2G_ERROR);
  g_assert_nonnull (strstr (error->message, file));
  names = c2g_workspace_list_blobs (workspace);
  g_assert_cmpuint (g_strv_length (names), ==, 0);
}

static void
test_hand_built (void)
{
  foreach_entry ("hand_built", check_hand_built);
}

static void
check_edge (JsonObject *entry)
{
  const char *file = json_object_get_string_member (entry, "file");
  gboolean accepted = json_object_get_boolean_member (entry, "accepted_by_real_load");
  g_autofree char *path = golden_path (file);
  g_autofree char *result = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  g_test_message ("%s", file);
  names = load (path, workspace, &error);
  g_assert_cmpint (names != NULL, ==, accepted);
  if (!accepted)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      return;
    }

  result = g_strdup_printf ("loaded %u blobs", g_strv_length (names));
  g_assert_cmpstr (result, ==, json_object_get_string_member (entry, "result"));
}

static void
test_minidb_edges (void)
{
  foreach_entry ("minidb_edge", check_edge);
}

static C2gWorkspace *checkpoint;

static void
check_checkpoint_blob (JsonObject *entry)
{
  const char *name = json_object_get_string_member (entry, "name");
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GBytes) expected = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  if (json_object_has_member (entry, "dims"))
    {
      assert_tensor (checkpoint, name, entry);
      return;
    }

  blob = c2g_workspace_get_blob (checkpoint, name, NULL);
  expected = read_golden (json_object_get_string_member (entry, "raw"));
  c2g_blob_get_value (blob, &value);
  g_assert_true (g_bytes_equal (g_value_get_boxed (&value), expected));
}

/* The same blobs in a minidb, which keeps the order of saving, and in LMDB, which sorts the keys,
 * given as folder and as file. */
static void
test_checkpoint (void)
{
  static const struct
  {
    const char       *file;
    C2gModelFileKind  kind;
    const char       *first;
    const char       *last;
  } files[] = {
    { "ckpt.minidb", C2G_MODEL_FILE_KIND_MINIDB, "fc1_w", "note" },
    { "ckpt.lmdb", C2G_MODEL_FILE_KIND_LMDB, "dbl", "u16" },
    { "ckpt.lmdb/data.mdb", C2G_MODEL_FILE_KIND_LMDB, "dbl", "u16" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = golden_path (files[i].file);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (C2gModelFile) model_file = c2g_model_file_open (file, NULL, NULL, NULL);
      g_auto (GStrv) names = NULL;

      g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, files[i].kind);
      checkpoint = c2g_workspace_new ();
      names = load_golden (files[i].file, checkpoint);
      g_assert_cmpuint (g_strv_length (names), ==, 17);
      g_assert_cmpstr (names[0], ==, files[i].first);
      g_assert_cmpstr (names[16], ==, files[i].last);
      foreach_entry ("checkpoint_blobs", check_checkpoint_blob);
      g_clear_object (&checkpoint);
    }
}

static GHashTable *refused;

static void
note_refused (JsonObject *entry)
{
  const char *member = json_object_has_member (entry, "accepted_by_real_load")
                         ? "accepted_by_real_load"
                         : "accepted_by_real_caffe2";

  if (!json_object_get_boolean_member (entry, member))
    g_hash_table_add (refused, g_strdup (json_object_get_string_member (entry, "file")));
}

/* Every file that can be opened can be read completely; all others are refused by Caffe2 too. */
static guint
check_folder (const char *folder)
{
  g_autofree char *path = golden_path (folder);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n_files = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *relative = g_build_filename (folder, name, NULL);
      g_autofree char *full = golden_path (relative);
      g_autoptr (GFile) file = g_file_new_for_path (full);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) model_file = NULL;
      gboolean is_sound;

      if (g_file_test (full, G_FILE_TEST_IS_DIR) || g_str_has_suffix (name, ".bin") ||
          g_str_equal (name, "manifest.json"))
        continue;

      g_test_message ("%s", relative);
      model_file = c2g_model_file_open (file, NULL, NULL, &error);
      is_sound = model_file != NULL && c2g_model_file_verify (model_file, NULL, NULL, &error);
      /* A tensor of a GPU is loaded to the CPU. */
      g_assert_cmpint (is_sound, ==,
                       !g_hash_table_contains (refused, relative) || strstr (name, "device"));
      g_assert_cmpint (is_sound, ==, error == NULL);
      if (model_file != NULL)
        g_assert_cmpint (c2g_model_file_get_kind (model_file), !=, C2G_MODEL_FILE_KIND_UNKNOWN);
      n_files++;
    }

  return n_files;
}

static void
test_every_file (void)
{
  refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  foreach_entry ("hand_built", note_refused);
  foreach_entry ("minidb_edge", note_refused);
  g_assert_cmpuint (check_folder (""), >, 100);
  g_assert_cmpuint (check_folder ("minidb_edge"), ==, 8);
  g_assert_cmpuint (check_folder ("ckpt.lmdb"), ==, 1);
  g_hash_table_unref (refused);
}

/* Compares every parameter that both forms of the init net fill. */
static void
check_net (JsonObject *entry)
{
  const char *binary = json_object_get_string_member (entry, "init_net");
  const char *predict = json_object_get_string_member (entry, "predict_net");
  g_autofree char *text = g_strconcat (binary, "txt", NULL);
  g_autofree char *predict_text = g_strconcat (predict, "txt", NULL);
  const char *const init_nets[] = { binary, text };
  const char *const predict_nets[] = { predict, predict_text };
  JsonArray *blobs = json_object_get_array_member (entry, "blobs");

  for (gsize i = 0; i < G_N_ELEMENTS (init_nets); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_auto (GStrv) names = load_golden (init_nets[i], workspace);
      g_auto (GStrv) none = load_golden (predict_nets[i], workspace);

      g_assert_cmpuint (g_strv_length (none), ==, 0);
      for (guint j = 0; j < json_array_get_length (blobs); j++)
        {
          JsonObject *blob = json_array_get_object_element (blobs, j);
          const char *name = json_object_get_string_member (blob, "name");

          if (g_str_equal (json_object_get_string_member (blob, "role"), "param"))
            {
              g_assert_true (g_strv_contains ((const char *const *) names, name));
              assert_tensor (workspace, name, blob);
            }
        }
    }
}

static void
test_nets (void)
{
  foreach_entry ("nets", check_net);
}

/* Returns NULL and skips the test if the models are missing. */
static char *
find_models (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "shared", "models", NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&path);
  g_test_skip ("../shared/models is not there");
  return NULL;
}

/* Trained models published by others. */
static void
test_models (void)
{
  g_autofree char *models = find_models ();
  static const struct
  {
    const char *name;
    guint       n_blobs;
    const char *blob;
    gint64      n_elements;
  } files[] = {
    { "squeezenet11/init_net.pb", 53, "conv1_w", 1728 },
    { "squeezenet11/predict_net.pb", 0, NULL, 0 },
    { "cifar10_resnet32/init_net.pb", 160, "conv1_w", 432 },
    { "cifar10_resnet32/predict_net.pb", 0, NULL, 0 },
    { "fashionmnist_minidb/mnist_model.minidb", 9, "fc3_w", 400000 },
    { "lenet_lmdb/LeNet_params", 8, "conv1_w", 500 },
    { "lenet_lmdb/LeNet_params/data.mdb", 8, "fc3_w", 400000 },
    { "lenet_lmdb/deploy_models/mnist_init_net.pbtxt", 9, "data", 1 },
    { "lenet_lmdb/deploy_models/mnist_predict_net.pbtxt", 0, NULL, 0 },
    { "style_transfer/mosaic/init_net.pb", 60, NULL, 0 },
    { "style_transfer/predict_net.pb", 0, NULL, 0 },
  };

  for (gsize i = 0; models != NULL && i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autofree char *path = g_build_filename (models, files[i].name, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gBlob) blob = NULL;
      g_auto (GStrv) names = NULL;

      g_test_message ("%s", files[i].name);
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      names = load (path, workspace, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_strv_length (names), ==, files[i].n_blobs);
      if (files[i].blob == NULL)
        continue;
      blob = c2g_workspace_get_blob (workspace, files[i].blob, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)),
                       ==, files[i].n_elements);
    }
}

/* Blobs are named after their layers. */
static void
test_caffe_model (void)
{
  g_autofree char *models = find_models ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (models == NULL)
    return;

  path = g_build_filename (models, "caffe_lenet/lenet_iter_9000.caffemodel", NULL);
  names = load (path, workspace, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_workspace_has_blob (workspace, "ip2/1"));
  g_assert_true (c2g_workspace_has_blob (workspace, "conv1/0"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/golden/tensors", test_tensors);
  c2g_test_add_func ("/golden/chunked", test_chunked);
  c2g_test_add_func ("/golden/others", test_others);
  c2g_test_add_func ("/golden/hand-built", test_hand_built);
  c2g_test_add_func ("/golden/minidb-edges", test_minidb_edges);
  c2g_test_add_func ("/golden/checkpoint", test_checkpoint);
  c2g_test_add_func ("/golden/every-file", test_every_file);
  c2g_test_add_func ("/golden/nets", test_nets);
  c2g_test_add_func ("/golden/models", test_models);
  c2g_test_add_func ("/golden/caffe-model", test_caffe_model);

  return c2g_test_run ();
}
