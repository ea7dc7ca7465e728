/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "def-utils.h"

#include <c2g/def/c2g-meta-net-def.h>

/* All known fields, and unknown ones. */
static const char full_text[] =
  "blobs {\n"
  "  key: \"INPUTS_BLOB_TYPE\"\n"
  "  value: \"data\"\n"
  "}\n"
  "blobs {\n"
  "  key: \"none\"\n"
  "  100: 1\n"
  "}\n"
  "nets {\n"
  "  key: \"PREDICT_NET_TYPE\"\n"
  "  value {\n"
  "    name: \"predict\"\n"
  "    op {\n"
  "      type: \"Relu\"\n"
  "    }\n"
  "  }\n"
  "  101: 1\n"
  "}\n"
  "modelInfo {\n"
  "  project: \"p\"\n"
  "  modelClass: \"c\"\n"
  "  version: \"v\"\n"
  "  predictorType: \"t\"\n"
  "  modelId: \"i\"\n"
  "  102: 1\n"
  "}\n"
  "plans {\n"
  "  key: \"TRAIN_PLAN_TYPE\"\n"
  "  value {\n"
  "    name: \"train\"\n"
  "  }\n"
  "  103: 1\n"
  "}\n"
  "applicationSpecificInfo {\n"
  "  key: \"k\"\n"
  "  value: \"v\"\n"
  "  104: 1\n"
  "}\n"
  "blobsOrder: \"a\"\n"
  "blobsOrder: \"b\"\n"
  "preLoadBlobs: \"c\"\n"
  "105: 1\n";

static C2gMetaNetDef *
from_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gMetaNetDef *meta = c2g_meta_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return meta;
}

static void
test_new (void)
{
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
  g_auto (GStrv) nets = c2g_meta_net_def_list_nets (meta);
  g_auto (GStrv) plans = c2g_meta_net_def_list_plans (meta);
  g_auto (GStrv) blobs = c2g_meta_net_def_list_blobs (meta);
  g_auto (GStrv) texts = c2g_meta_net_def_list_application_info (meta);
  g_autofree char *text = c2g_meta_net_def_to_text (meta);

  g_assert_cmpuint (g_strv_length (nets), ==, 0);
  g_assert_cmpuint (g_strv_length (plans), ==, 0);
  g_assert_cmpuint (g_strv_length (blobs), ==, 0);
  g_assert_cmpuint (g_strv_length (texts), ==, 0);
  g_assert_null (c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET));
  g_assert_null (c2g_meta_net_def_get_plan (meta, C2G_TRAIN_PLAN));
  g_assert_null (c2g_meta_net_def_get_blobs (meta, C2G_INPUT_BLOBS));
  g_assert_null (c2g_meta_net_def_get_application_info (meta, "k"));
  g_assert_null (c2g_meta_net_def_get_blobs_order (meta)[0]);
  g_assert_null (c2g_meta_net_def_get_preload_blobs (meta)[0]);
  g_assert_cmpstr (text, ==, "");
}

static void
test_full (void)
{
  g_autoptr (C2gMetaNetDef) meta = from_text (full_text);
  g_auto (GStrv) nets = c2g_meta_net_def_list_nets (meta);
  g_auto (GStrv) plans = c2g_meta_net_def_list_plans (meta);
  g_auto (GStrv) blobs = c2g_meta_net_def_list_blobs (meta);
  g_auto (GStrv) texts = c2g_meta_net_def_list_application_info (meta);

  def_assert_names (nets, C2G_PREDICT_NET);
  def_assert_names (plans, C2G_TRAIN_PLAN);
  def_assert_names (blobs, C2G_INPUT_BLOBS, "none");
  def_assert_names (texts, "k");
  g_assert_cmpstr (c2g_net_def_get_name (c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET)), ==,
                   "predict");
  g_assert_cmpstr (c2g_plan_def_get_name (c2g_meta_net_def_get_plan (meta, C2G_TRAIN_PLAN)), ==,
                   "train");
  def_assert_names (c2g_meta_net_def_get_blobs (meta, C2G_INPUT_BLOBS), "data");
  g_assert_null (c2g_meta_net_def_get_blobs (meta, "none")[0]);
  g_assert_cmpstr (c2g_meta_net_def_get_application_info (meta, "k"), ==, "v");
  def_assert_names (c2g_meta_net_def_get_blobs_order (meta), "a", "b");
  def_assert_names (c2g_meta_net_def_get_preload_blobs (meta), "c");
}

static void
test_text (void)
{
  g_autoptr (C2gMetaNetDef) meta = from_text (full_text);
  g_autofree char *text = c2g_meta_net_def_to_text (meta);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_meta_net_def_to_bytes (meta, &error);
  g_autoptr (C2gMetaNetDef) back = NULL;
  g_autofree char *back_text = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, full_text);
  back = c2g_meta_net_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  back_text = c2g_meta_net_def_to_text (back);
  g_assert_cmpstr (back_text, ==, full_text);
}

static void
test_copy (void)
{
  g_autoptr (C2gMetaNetDef) meta = from_text (full_text);
  g_autoptr (C2gMetaNetDef) copy = c2g_meta_net_def_copy (meta);
  g_autofree char *text = c2g_meta_net_def_to_text (copy);

  g_assert_cmpstr (text, ==, full_text);
  g_assert_true (c2g_meta_net_def_equal (meta, copy));

  c2g_net_def_set_name (c2g_meta_net_def_get_net (copy, C2G_PREDICT_NET), "other");
  g_assert_false (c2g_meta_net_def_equal (meta, copy));
  g_assert_cmpstr (c2g_net_def_get_name (c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET)), ==,
                   "predict");
}

static void
test_equal (void)
{
  static const char *const texts[][2] = {
    { "", "" },
    { "modelInfo { }", "modelInfo { project: '' }" },
    { "modelInfo { version: '1' }", "modelInfo { project: '' version: '1' }" },
    { "blobs { key: 'a' }", "blobs { key: 'a' }" },
    { "blobs { key: 'a' value: '' }", "blobs { key: 'a' value: '' }" },
    { "nets { key: 'a' value { } }", "nets { key: 'a' value { name: '' } }" },
    { "nets { key: 'b' value { } }", "nets { key: 'b' value { num_workers: 0 } }" },
    { "plans { key: 'a' value { name: 'p' } }", "plans { key: 'a' value { name: 'p' } }" },
    { "blobsOrder: 'a' blobsOrder: 'b'", "blobsOrder: 'a' blobsOrder: 'b'" },
    { "blobsOrder: 'b' blobsOrder: 'a'", "blobsOrder: 'b' blobsOrder: 'a'" },
    { "100: 1", "100: 1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
      {
        g_autoptr (C2gMetaNetDef) meta = from_text (texts[i][0]);
        g_autoptr (C2gMetaNetDef) other = from_text (texts[j][1]);

        g_assert_cmpint (c2g_meta_net_def_equal (meta, other), ==, i == j);
      }
}

static void
test_properties (void)
{
  static const struct
  {
    const char *name;
    const char *field;
  } cases[] = {
    { "project", "project" },
    { "model-class", "modelClass" },
    { "version", "version" },
    { "predictor-type", "predictorType" },
    { "model-id", "modelId" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
      g_autofree char *signal_name = g_strdup_printf ("notify::%s", cases[i].name);
      g_autofree char *expected = g_strdup_printf ("modelInfo {\n  %s: \"x\"\n}\n", cases[i].field);
      g_autofree char *text = NULL;
      g_autofree char *value = NULL;
      int count = 0;

      g_signal_connect (meta, signal_name, G_CALLBACK (def_count_cb), &count);
      g_object_set (meta, cases[i].name, "x", NULL);
      g_object_set (meta, cases[i].name, "x", NULL);
      g_assert_cmpint (count, ==, 1);
      g_object_get (meta, cases[i].name, &value, NULL);
      g_assert_cmpstr (value, ==, "x");
      text = c2g_meta_net_def_to_text (meta);
      g_assert_cmpstr (text, ==, expected);
    }
}

static void
test_set (void)
{
  static const char *const names[] = { "x", "y", NULL };
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
  C2gNetDef *net = c2g_net_def_new ("n");
  C2gPlanDef *plan = c2g_plan_def_new ("p");
  g_autofree char *text = NULL;

  c2g_meta_net_def_set_net (meta, "net", net);
  c2g_meta_net_def_set_net (meta, "net", net);
  c2g_meta_net_def_set_plan (meta, "plan", plan);
  c2g_meta_net_def_set_blobs (meta, "blobs", names);
  c2g_meta_net_def_set_blobs (meta, "blobs", c2g_meta_net_def_get_blobs (meta, "blobs") + 1);
  c2g_meta_net_def_set_application_info (meta, "k", "v");
  c2g_meta_net_def_set_blobs_order (meta, names);
  c2g_meta_net_def_set_preload_blobs (meta, names);
  g_assert_true (c2g_meta_net_def_get_net (meta, "net") == net);
  g_assert_true (c2g_meta_net_def_get_plan (meta, "plan") == plan);
  def_assert_names (c2g_meta_net_def_get_blobs (meta, "blobs"), "y");

  c2g_meta_net_def_set_net (meta, "net", NULL);
  c2g_meta_net_def_set_net (meta, "net", NULL);
  c2g_meta_net_def_set_plan (meta, "plan", NULL);
  c2g_meta_net_def_set_blobs (meta, "blobs", NULL);
  c2g_meta_net_def_set_application_info (meta, "k", NULL);
  c2g_meta_net_def_set_blobs_order (meta, NULL);
  c2g_meta_net_def_set_preload_blobs (meta, NULL);
  g_assert_finalize_object (net);
  g_assert_finalize_object (plan);
  text = c2g_meta_net_def_to_text (meta);
  g_assert_cmpstr (text, ==, "");
}

/* A file may have a key twice: getting returns the first, and setting replaces both. */
static void
test_duplicates (void)
{
  g_autoptr (C2gMetaNetDef) meta = from_text ("applicationSpecificInfo { key: 'a' value: '1' } "
                                              "applicationSpecificInfo { key: 'b' value: '2' } "
                                              "applicationSpecificInfo { key: 'a' value: '3' }");
  g_auto (GStrv) keys = c2g_meta_net_def_list_application_info (meta);
  g_autofree char *text = NULL;

  def_assert_names (keys, "a", "b");
  g_assert_cmpstr (c2g_meta_net_def_get_application_info (meta, "a"), ==, "1");
  c2g_meta_net_def_set_application_info (meta, "a", "4");
  text = c2g_meta_net_def_to_text (meta);
  g_assert_cmpstr (text, ==,
                   "applicationSpecificInfo {\n  key: \"a\"\n  value: \"4\"\n}\n"
                   "applicationSpecificInfo {\n  key: \"b\"\n  value: \"2\"\n}\n");
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new_from_bytes (damaged, &error);
  g_autoptr (C2gMetaNetDef) back = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;

  if (meta == NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      return;
    }

  bytes = c2g_meta_net_def_to_bytes (meta, &error);
  g_assert_no_error (error);
  back = c2g_meta_net_def_new_from_bytes (bytes, &error);
  g_assert_no_error (error);
  again = c2g_meta_net_def_to_bytes (back, &error);
  g_assert_true (g_bytes_equal (bytes, again));
}

static void
test_damaged (void)
{
  g_autoptr (C2gMetaNetDef) meta = from_text (full_text);
  g_autoptr (GBytes) bytes = c2g_meta_net_def_to_bytes (meta, NULL);

  io_damage (bytes, check_damaged, NULL);
}

static gboolean
save_async (C2gMetaNetDef  *meta,
            GFile          *file,
            gboolean        is_text,
            GError        **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_meta_net_def_save_file_async (meta, file, is_text, NULL, c2g_test_keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return c2g_meta_net_def_save_file_finish (meta, result, error);
}

static void
test_files (void)
{
  g_autoptr (GFile) file = def_new_file ("meta.pb");
  g_autoptr (C2gMetaNetDef) meta = from_text (full_text);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gMetaNetDef) back = NULL;
      g_autofree char *text = NULL;

      g_assert_true (c2g_meta_net_def_save_file (meta, file, i == 0, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (save_async (meta, file, i == 0, &error));
      g_assert_no_error (error);
      back = c2g_meta_net_def_load_file (file, NULL, &error);
      g_assert_no_error (error);
      text = c2g_meta_net_def_to_text (back);
      g_assert_cmpstr (text, ==, full_text);
    }

  def_remove_file (file);
  g_assert_null (c2g_meta_net_def_load_file (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* Loads a model that Caffe2 has trained and saved. */
static void
test_predictor (void)
{
  g_autofree char *path = def_shared_path ("models/fashionmnist_minidb/mnist_model.minidb");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (C2gMetaNetDef) meta = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GBytes) bytes = NULL;
  g_auto (GStrv) nets = NULL;
  C2gNetDef *net;

  if (path == NULL)
    return;

  file = g_file_new_for_path (path);
  meta = c2g_meta_net_def_load_file (file, NULL, &error);
  g_assert_no_error (error);
  nets = c2g_meta_net_def_list_nets (meta);
  def_assert_names (nets, C2G_PREDICT_INIT_NET, C2G_GLOBAL_INIT_NET, C2G_PREDICT_NET);
  def_assert_names (c2g_meta_net_def_get_blobs (meta, C2G_INPUT_BLOBS), "data");
  def_assert_names (c2g_meta_net_def_get_blobs (meta, C2G_PARAMETER_BLOBS), "conv1_w", "conv1_b",
                    "conv2_w", "conv2_b", "fc3_w", "fc3_b", "pred_w", "pred_b");
  net = c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET);
  g_assert_cmpuint (c2g_net_def_get_n_operators (net), ==, 8);
  net = c2g_meta_net_def_get_net (meta, C2G_GLOBAL_INIT_NET);
  def_assert_names (c2g_operator_def_get_inputs (c2g_net_def_get_operator (net, 0)),
                    C2G_PREDICTOR_DB_READER_BLOB);

  /* Writing gives the same bytes. */
  model_file = c2g_model_file_open (file, NULL, NULL, &error);
  blob = c2g_model_file_load_blob (model_file, C2G_META_NET_DEF_BLOB, NULL, &error);
  g_assert_no_error (error);
  c2g_blob_get_value (blob, &value);
  bytes = c2g_meta_net_def_to_bytes (meta, &error);
  g_assert_true (g_bytes_equal (bytes, g_value_get_boxed (&value)));
  io_damage (bytes, check_damaged, NULL);
}

/* Databases without a description, or with something else under its name. */
static void
test_no_predictor (void)
{
  static const char *const names[] = { "ckpt.minidb", "ckpt.lmdb" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = def_golden_path (names[i]);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_meta_net_def_load_file (file, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, C2G_META_NET_DEF_BLOB));
    }
}

static void
test_tensor_for_description (void)
{
  g_autoptr (GFile) file = def_new_file ("model.minidb");
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  io_put_record (database, C2G_META_NET_DEF_BLOB "#%0",
                 io_new_chunk (C2G_META_NET_DEF_BLOB, 2, 0, 2));
  g_assert_true (g_file_replace_contents (file, (const char *) database->data, database->len, NULL,
                                          FALSE, G_FILE_CREATE_NONE, NULL, NULL, NULL));
  g_assert_null (c2g_meta_net_def_load_file (file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  def_remove_file (file);
}

/* The description of the model. */
static void
test_info (void)
{
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
  g_autofree char *text = NULL;

  g_assert_null (c2g_meta_net_def_get_project (meta));
  c2g_meta_net_def_set_project (meta, "p");
  c2g_meta_net_def_set_model_class (meta, "c");
  c2g_meta_net_def_set_version (meta, "v");
  c2g_meta_net_def_set_predictor_type (meta, "t");
  c2g_meta_net_def_set_model_id (meta, "i");
  text = c2g_meta_net_def_to_text (meta);
  g_assert_cmpstr (text, ==,
                   "modelInfo {\n  project: \"p\"\n  modelClass: \"c\"\n  version: \"v\"\n"
                   "  predictorType: \"t\"\n  modelId: \"i\"\n}\n");
  c2g_meta_net_def_set_model_class (meta, NULL);
  g_assert_cmpstr (c2g_meta_net_def_get_project (meta), ==, "p");
  g_assert_null (c2g_meta_net_def_get_model_class (meta));
  g_assert_cmpstr (c2g_meta_net_def_get_version (meta), ==, "v");
  g_assert_cmpstr (c2g_meta_net_def_get_predictor_type (meta), ==, "t");
  g_assert_cmpstr (c2g_meta_net_def_get_model_id (meta), ==, "i");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/meta-net-def/new", test_new);
  c2g_test_add_func ("/meta-net-def/full", test_full);
  c2g_test_add_func ("/meta-net-def/text", test_text);
  c2g_test_add_func ("/meta-net-def/copy", test_copy);
  c2g_test_add_func ("/meta-net-def/equal", test_equal);
  c2g_test_add_func ("/meta-net-def/properties", test_properties);
  c2g_test_add_func ("/meta-net-def/set", test_set);
  c2g_test_add_func ("/meta-net-def/info", test_info);
  c2g_test_add_func ("/meta-net-def/duplicates", test_duplicates);
  c2g_test_add_func ("/meta-net-def/damaged", test_damaged);
  c2g_test_add_func ("/meta-net-def/files", test_files);
  c2g_test_add_func ("/meta-net-def/predictor", test_predictor);
  c2g_test_add_func ("/meta-net-def/no-predictor", test_no_predictor);
  c2g_test_add_func ("/meta-net-def/tensor-for-description", test_tensor_for_description);

  return c2g_test_run ();
}
