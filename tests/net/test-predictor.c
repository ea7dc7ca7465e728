/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/predictor-utils.h"

#include <c2g/net/predictor/c2g-model-text-private.h>

#include <glib/gstdio.h>
#include <string.h>

/* The error lists the first types of all nets, and tells how many there are. */
static void
test_many_unknown (void)
{
  g_autoptr (C2gNetDef) init = c2g_net_def_new ("names");
  g_autoptr (C2gNetDef) predict = c2g_net_def_new ("names");
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 25; i++)
    {
      g_autofree char *op_type = g_strdup_printf ("T%d", i);
      g_autoptr (C2gOperatorDef) op = c2g_operator_def_new (op_type);

      c2g_net_def_add_operator (i < 4 ? init : predict, op);
    }
  predictor = c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_null (predictor);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_suffix (error->message, "“T18”, “T19”, … (25 in all)"));
}

static void
test_simple_batch_sized (void)
{
  g_autoptr (C2gPredictor) predictor = NULL;

  predictor = new_predictor (NULL);
  g_assert_cmpuint (g_strv_length ((char **) c2g_predictor_get_inputs (predictor)), ==, 1);
  g_assert_cmpstr (c2g_predictor_get_inputs (predictor)[0], ==, "data");
  g_assert_cmpstr (c2g_predictor_get_outputs (predictor)[0], ==, "y");
  for (gint64 n_rows = 5; n_rows >= 0; n_rows--)
    {
      g_autoptr (C2gTensor) data = new_data (n_rows);
      g_autoptr (GError) error = NULL;
      guint n_outputs;
      C2gTensor **outputs = c2g_predictor_run (predictor, &data, 1, &n_outputs, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (n_outputs, ==, 1);
      check_output (outputs[0], n_rows);
      g_free (outputs);
    }
}

static void
test_map_input (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) output = NULL;
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (C2gTensor) data = new_data (4);
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  predictor = new_predictor (parent);
  g_assert_false (c2g_workspace_has_blob (parent, "w"));
  c2g_predictor_set_input (predictor, "data", data, &error);
  g_assert_no_error (error);
  outputs = c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  output = c2g_predictor_get_output (predictor, "y", &error);
  g_assert_no_error (error);
  g_assert_true (output != outputs[0]);
  check_output (output, 4);
  check_output (outputs[0], 4);

  g_assert_false (c2g_predictor_set_input (predictor, "other", data, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“other”"));
  g_clear_error (&error);
  g_assert_null (c2g_predictor_get_output (predictor, "other", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

static void
write_file (const char *folder,
            const char *name,
            const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
remove_folder (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_dir_close (dir);
  g_rmdir (folder);
}

/* Weights and bias of 2, as in Caffe2's own test. */
#define TWOS(name, dims)                                                                           \
  "op { type: 'ConstantFill' output: '" name "' arg { name: 'shape' " dims " } "                   \
  "  arg { name: 'value' f: 2 } } "

#define TWOS_INIT_NET "name: 'init' type: 'dag' " TWOS ("W", "ints: 10 ints: 4") TWOS ("b", "ints: 10")

#define TWOS_PREDICT_NET                                                                           \
  "name: 'predict' type: 'dag' external_input: 'data' external_input: 'W' external_input: 'b' "    \
  "external_output: 'y' op { type: 'FC' input: 'data' input: 'W' input: 'b' output: 'y' } "

/* The numbers that Caffe2 draws between -1 and 1 with seed 1701. */
static C2gTensor *
new_drawn_data (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1701);
  C2gTensor *tensor = c2g_tensor_new ();
  float *data;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1, 4), NULL));
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  for (int i = 0; i < 4; i++)
    data[i] = (float) g_rand_int (random) / 4294967296.0f * 2 - 1;
  return tensor;
}

/* Checks the number that Caffe2's own test expects. */
static void
check_drawn_output (C2gTensor *output)
{
  g_assert_cmpint (c2g_tensor_get_dim (output, 0, NULL), ==, 1);
  g_assert_cmpint (c2g_tensor_get_dim (output, 1, NULL), ==, 10);
  for (gint64 i = 0; i < 10; i++)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (output, i, NULL), 0.1209, 1e-4);
}

static void
run_drawn (C2gPredictor *predictor)
{
  g_autoptr (C2gTensor) data = new_drawn_data ();
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &data, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_outputs, ==, 1);
  check_drawn_output (outputs[0]);
}

static void
test_drawn (void)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (TWOS_INIT_NET);
  g_autoptr (C2gNetDef) predict = net_def_from_text (TWOS_PREDICT_NET);
  g_autoptr (C2gTensor) data = new_drawn_data ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (init, predict, NULL, NULL,
                                                             C2G_OPTIMIZE_ALL, &error);
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  g_assert_no_error (error);
  run_drawn (predictor);

  /* The input can also be set by name. */
  c2g_predictor_set_input (predictor, "data", data, &error);
  g_assert_no_error (error);
  outputs = c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  check_drawn_output (outputs[0]);
}

/* Creates a database that has only the description. */
static GFile *
save_description (C2gMetaNetDef *meta,
                  const char    *folder)
{
  static const char *const names[] = { C2G_META_NET_DEF_BLOB, NULL };
  g_autofree char *path = g_build_filename (folder, "model.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, names[0], NULL);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_BYTES);
  g_value_take_boxed (&value, c2g_meta_net_def_to_bytes (meta, &error));
  g_assert_no_error (error);
  c2g_blob_set_value (blob, &value);
  c2g_save_options_set_names (options, names);
  c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

static void
test_meta_net_def_initializer (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-predictor-XXXXXX", NULL);
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
  g_autoptr (C2gNetDef) init = net_def_from_text (TWOS_INIT_NET TWOS ("data", "ints: 1 ints: 4"));
  g_autoptr (C2gNetDef) predict = net_def_from_text (TWOS_PREDICT_NET);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFile) parent = NULL;
  g_autoptr (C2gPredictor) predictor = NULL;
  GFile *found[2];

  c2g_meta_net_def_set_blobs (meta, C2G_INPUT_BLOBS, (const char *const[]) { "data", NULL });
  c2g_meta_net_def_set_blobs (meta, C2G_OUTPUT_BLOBS, (const char *const[]) { "y", NULL });
  c2g_meta_net_def_set_net (meta, C2G_GLOBAL_INIT_NET, init);
  c2g_meta_net_def_set_net (meta, C2G_PREDICT_NET, predict);
  file = save_description (meta, folder);
  predictor = c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_predictor_get_inputs (predictor)[0], ==, "data");
  g_assert_cmpstr (c2g_predictor_get_outputs (predictor)[0], ==, "y");
  run_drawn (predictor);
  g_clear_object (&predictor);

  /* The files found in its folder are one file, which load_nets() gets twice. */
  parent = g_file_get_parent (file);
  g_assert_true (c2g_predictor_find_files (parent, &found[0], &found[1], NULL, &error));
  g_assert_no_error (error);
  predictor = c2g_predictor_load_nets (found[0], found[1], NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  run_drawn (predictor);
  g_clear_object (&predictor);
  g_object_unref (found[0]);
  g_object_unref (found[1]);

  c2g_meta_net_def_set_net (meta, C2G_PREDICT_NET, NULL);
  g_clear_object (&file);
  file = save_description (meta, folder);
  g_assert_null (c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, C2G_PREDICT_NET));
  remove_folder (folder);
}

/* An input is not copied. */
static void
test_shares_input (void)
{
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) data = new_data (2);
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensor *two[] = { data, data };
  C2gTensor **outputs;
  guint n_outputs;

  predictor = new_predictor (NULL);
  outputs = c2g_predictor_run (predictor, two, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_free (outputs);
  blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (predictor), "data", NULL);
  g_assert_true (c2g_tensor_raw_data (c2g_blob_get_tensor (blob, NULL), NULL) ==
                 c2g_tensor_raw_data (data, NULL));

  g_assert_null (c2g_predictor_run (predictor, two, 2, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

/* A run leaves its input where it is, even if that is held as bytes: others may read it. */
static void
test_shares_frozen_input (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (NULL);
  g_autoptr (C2gTensor) data = new_data (2);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (data, NULL);
  g_autoptr (C2gBlob) blob = NULL;
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (GError) error = NULL;
  const double first = c2g_tensor_get_value (data, 0, NULL);
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &data, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_raw_data (data, NULL) == g_bytes_get_data (bytes, NULL));

  /* The bytes never change. */
  blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (predictor), "data", NULL);
  g_assert_true (c2g_tensor_raw_data (c2g_blob_get_tensor (blob, NULL), NULL) == c2g_tensor_raw_data (data, NULL));
  g_assert_true (c2g_tensor_set_value (data, 0, 7, NULL));
  g_assert_true (c2g_tensor_set_value (c2g_blob_get_tensor (blob, NULL), 0, 8, NULL));
  g_assert_cmpfloat (*(const float *) g_bytes_get_data (bytes, NULL), ==, first);
}

/* A blob that the init net fills with a single zero is an input. */
static void
test_placeholder (void)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (
    "op { type: 'NetTestMix' output: 'zero' } op { type: 'NetTestMix' output: 'one' }");
  g_autoptr (C2gNetDef) predict = net_def_from_text (
    "name: 'p' external_input: 'one' external_input: 'zero' "
    "op { type: 'NetTestDummy' input: 'one' input: 'zero' output: 'y' }");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (init, predict, NULL, NULL,
                                                             C2G_OPTIMIZE_ALL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length ((char **) c2g_predictor_get_inputs (predictor)), ==, 1);
  g_assert_cmpstr (c2g_predictor_get_inputs (predictor)[0], ==, "zero");
}

/* The error lists the unknown operator types of both nets. */
static void
test_missing (void)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (
    "op { type: 'Alpha' output: 'w' } op { type: 'NetTestDummy' } op { type: 'Beta' }");
  g_autoptr (C2gNetDef) predict = net_def_from_text (
    "name: 'model' op { type: 'Gamma' input: 'x' } op { type: 'Alpha' }");
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“model”"));
  g_assert_nonnull (strstr (error->message, "“Alpha”, “Beta”, “Gamma”"));
}

/* A net whose device does not exist runs on the device of the caller. */
static void
test_device (void)
{
  g_autoptr (C2gNetDef) predict = net_def_from_text (
    "name: 'model' device_option { device_type: 1 } external_input: 'x' "
    "op { type: 'NetTestDummy' input: 'x' output: 'y' "
    "  device_option { device_type: 1 cuda_gpu_id: 0 } engine: 'CUDNN' } ");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = NULL;

  g_assert_null (c2g_predictor_create (NULL, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_true (g_str_has_suffix (error->message, "; with the device “cpu” it runs on the processor"));
  g_clear_error (&error);

  predictor = c2g_predictor_create (NULL, predict, NULL, c2g_device_cpu (), C2G_OPTIMIZE_ALL,
                                    &error);
  g_assert_no_error (error);
  g_assert_true (c2g_operator_get_device (c2g_net_get_operator (
                   c2g_predictor_get_net (predictor), 0)) == c2g_device_cpu ());
}

static void
test_folder (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-predictor-XXXXXX", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_clear_error (&error);

  write_file (folder, "mnist_init_net.pbtxt", "op { type: 'NetTestMix' output: 'w' }");
  write_file (folder, "mnist_predict_net.pbtxt",
              "name: 'p' external_input: 'w' op { type: 'NetTestMix' input: 'w' output: 'y' }");
  predictor = c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_predictor_get_inputs (predictor)[0], ==, "w");
  g_assert_cmpstr (c2g_predictor_get_outputs (predictor)[0], ==, "y");

  remove_folder (folder);
}

/* Files of text lie beside a net; of a database that is a folder, they may be in it. */
static void
test_texts (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-predictor-XXXXXX", NULL);
  g_autoptr (GFile) database = g_file_new_for_path (folder);
  g_autoptr (GFile) net = g_file_get_child (database, "predict_net.pb");
  g_autoptr (GFile) root = g_file_new_for_path ("/");
  g_autoptr (GFile) beside = NULL;
  g_autoptr (GFile) within = NULL;

  g_assert_null (c2g_model_text_find (database, C2G_LABELS_NAME));
  write_file (folder, C2G_LABELS_NAME, "one");
  within = c2g_model_text_find (database, C2G_LABELS_NAME);
  beside = c2g_model_text_find (net, C2G_LABELS_NAME);
  g_assert_nonnull (within);
  g_assert_true (g_file_has_parent (within, database));
  g_assert_true (g_file_equal (within, beside));
  g_assert_null (c2g_model_text_find_ending (root, ".modelinfo"));

  remove_folder (folder);
}

static void
ran_cb (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  GAsyncResult **kept = data;

  *kept = g_object_ref (result);
}

static void
check_half (const char *path,
            int         code,
            const char *text)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error));
  g_assert_error (error, C2G_ERROR, code);
  if (strstr (error->message, text) == NULL)
    g_error ("Expected “%s” in “%s”", text, error->message);
}

/* Half of a model: the error says what is missing. */
static void
test_half (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *init = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autofree char *predict = g_build_filename (folder, "predict_net.pbtxt", NULL);
  g_autofree char *checkpoint = g_build_filename (folder, "blobs.minidb", NULL);
  g_autofree char *init_first = g_strdup_printf ("%s,%s/predict_net.pb", init, folder);
  g_autofree char *init_last = g_strdup_printf ("%s/init_net.pb,%s", folder, predict);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (checkpoint);
  g_autoptr (GError) error = NULL;

  write_file (folder, "init_net.pbtxt", "op { type: 'ConstantFill' output: 'w' }");
  write_file (folder, "predict_net.pbtxt", "op { type: 'Relu' input: 'x' output: 'y' }");
  tensor = c2g_workspace_create_tensor (workspace, "w", C2G_DATA_TYPE_FLOAT, (gint64[]) { 1 }, 1, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_fill (tensor, 1, &error));
  g_assert_true (c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, &error));
  g_assert_no_error (error);

  check_half (init, C2G_ERROR_NOT_SUPPORTED, init_first);
  check_half (predict, C2G_ERROR_NOT_SUPPORTED, init_last);
  check_half (checkpoint, C2G_ERROR_NOT_FOUND, "blobs.minidb has no blob “!!META_NET_DEF” with the nets");
  remove_folder (folder);
}

#define CHECK_NO_MODEL(call)                                                                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_assert_false (call);                                                                         \
    g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);                                           \
    g_assert_nonnull (strstr (error->message, "no model"));                                        \
    g_clear_error (&error);                                                                        \
  }                                                                                                \
  G_STMT_END

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

/* Languages can make a predictor by new, which has no model: each method fails, or answers that
 * there is nothing. */
static void
test_no_model (void)
{
  g_autoptr (C2gPredictor) predictor = g_object_new (C2G_TYPE_PREDICTOR, NULL);
  g_autoptr (C2gTensor) data = new_data (4);
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/file");
  g_autoptr (GAsyncResult) run = NULL;
  g_autoptr (GAsyncResult) save = NULL;
  g_autoptr (GAsyncResult) classify = NULL;
  g_autoptr (C2gClassScore) score = NULL;
  g_autofree C2gClassScore **scores = NULL;
  GError *error = NULL;
  guint n;

  g_assert_true (C2G_IS_NET (c2g_predictor_get_net (predictor)));
  g_assert_true (C2G_IS_WORKSPACE (c2g_predictor_get_workspace (predictor)));
  g_assert_null (c2g_predictor_get_inputs (predictor)[0]);
  g_assert_null (c2g_predictor_get_outputs (predictor)[0]);
  g_assert_null (c2g_predictor_get_labels (predictor));
  scores = c2g_predictor_list_classes (predictor, data, 0, 1, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  score = scores[0];

  CHECK_NO_MODEL (c2g_predictor_run (predictor, NULL, 0, &n, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_run (predictor, &data, 1, &n, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_classify (predictor, data, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_classify_file (predictor, file, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_set_input (predictor, "data", data, &error));
  CHECK_NO_MODEL (c2g_predictor_get_output (predictor, "y", &error));
  CHECK_NO_MODEL (c2g_predictor_dup_picture_options (predictor, &error));
  CHECK_NO_MODEL (c2g_predictor_guess_picture_options (predictor, NULL, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error));
  CHECK_NO_MODEL (c2g_predictor_save (predictor, file, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_save_parameters (predictor, file, NULL, &error));
  CHECK_NO_MODEL (c2g_predictor_load_parameters (predictor, file, NULL, &error));

  c2g_predictor_run_async (predictor, &data, 1, NULL, ran_cb, &run);
  CHECK_NO_MODEL (c2g_predictor_run_finish (predictor, wait_for (&run), &n, &error));
  c2g_predictor_save_async (predictor, file, NULL, ran_cb, &save);
  CHECK_NO_MODEL (c2g_predictor_save_finish (predictor, wait_for (&save), &error));
  c2g_predictor_classify_file_async (predictor, file, NULL, ran_cb, &classify);
  CHECK_NO_MODEL (c2g_predictor_classify_file_finish (predictor, wait_for (&classify), &error));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  c2g_test_add_func ("/predictor/many-unknown", test_many_unknown);
  c2g_test_add_func ("/predictor/no-model", test_no_model);
  c2g_test_add_func ("/predictor/half", test_half);
  c2g_test_add_func ("/predictor/simple-batch-sized", test_simple_batch_sized);
  c2g_test_add_func ("/predictor/map-input", test_map_input);
  c2g_test_add_func ("/predictor/drawn", test_drawn);
  c2g_test_add_func ("/predictor/meta-net-def-initializer", test_meta_net_def_initializer);
  c2g_test_add_func ("/predictor/shares-input", test_shares_input);
  c2g_test_add_func ("/predictor/shares-input/frozen", test_shares_frozen_input);
  c2g_test_add_func ("/predictor/placeholder", test_placeholder);
  c2g_test_add_func ("/predictor/missing", test_missing);
  c2g_test_add_func ("/predictor/device", test_device);
  c2g_test_add_func ("/predictor/folder", test_folder);
  c2g_test_add_func ("/predictor/texts", test_texts);

  return c2g_test_run ();
}
