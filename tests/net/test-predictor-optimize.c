/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <glib/gstdio.h>
#include <string.h>

/* Predictors that run an optimized net. */

#define PAIR(name, dims, a, b)                                                                     \
  "op { type: 'GivenTensorFill' output: '" name "' arg { name: 'shape' " dims " } "                \
  "  arg { name: 'values' floats: " #a " floats: " #b " } } "
#define VECTOR(name, a, b) PAIR (name, "ints: 2", a, b)
#define FILTERS(a, b)      PAIR ("w", "ints: 2 ints: 1 ints: 1 ints: 1", a, b)

#define STATISTICS VECTOR ("s", 2, 2) VECTOR ("b", 1, -10) VECTOR ("m", 1, 1) VECTOR ("v", 1, 1)

#define LEARNED "external_input: 's' external_input: 'b' external_input: 'm' external_input: 'v' "

/* For an input of ones the output is about relu ((w - 1) * 2 + b). */
#define PREDICT_NET                                                                                \
  "name: 'p' external_input: 'x' external_input: 'w' " LEARNED "external_output: 'y' "             \
  "op { type: 'Conv' input: 'x' input: 'w' output: 'c' arg { name: 'kernel' i: 1 } } "             \
  "op { type: 'SpatialBN' input: 'c' input: 's' input: 'b' input: 'm' input: 'v' output: 'n' "     \
  "  arg { name: 'is_test' i: 1 } } "                                                              \
  "op { type: 'Dropout' input: 'n' output: 'd' output: 'mask' "                                    \
  "  arg { name: 'is_test' i: 1 } } "                                                              \
  "op { type: 'Relu' input: 'd' output: 'y' } "

#define N_WRITTEN 4

static C2gPredictor *
new_predictor (const char       *init_text,
               C2gOptimizeFlags  flags)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (init_text);
  g_autoptr (C2gNetDef) predict = net_def_from_text (PREDICT_NET);
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor = c2g_predictor_create (init, predict, NULL, NULL, flags, &error);

  g_assert_no_error (error);
  return predictor;
}

static C2gTensor *
new_tensor (const gint64 *dims,
            gsize         n_dims,
            double        value)
{
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, value, NULL));
  return tensor;
}

static C2gTensor *
new_ones (void)
{
  return new_tensor (C2G_TEST_DIMS (1, 1, 2, 2), 1);
}

/* Runs the predictor, with an input if it is not NULL, and checks the two channels. */
static void
check_run (C2gPredictor *predictor,
           C2gTensor    *input,
           double        first,
           double        second)
{
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &input, input != NULL, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (outputs[0]), ==, 8);
  g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (outputs[0], 3, NULL), first, 1e-4 * (1 + first));
  g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (outputs[0], 4, NULL), second, 1e-4 * (1 + second));
}

static gboolean
has_type (C2gPredictor *predictor,
          const char   *op_type)
{
  C2gNetDef *def = c2g_net_get_definition (c2g_predictor_get_net (predictor));
  gboolean found = FALSE;

  for (guint i = 0; i < c2g_net_def_get_n_operators (def); i++)
    found |= g_str_equal (c2g_operator_def_get_op_type (c2g_net_def_get_operator (def, i)), op_type);
  return found;
}

/* The net as written keeps intermediate blobs; the faster net does not. */
static void
check_between (C2gPredictor *predictor,
               gboolean      is_there)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) between = c2g_predictor_get_output (predictor, "c", &error);

  if (is_there)
    {
      g_assert_no_error (error);
      g_assert_cmpfloat (c2g_tensor_get_value (between, 0, NULL), ==, 2);
      return;
    }
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

static void
test_flags (void)
{
  static const struct
  {
    C2gOptimizeFlags flags;
    gboolean         has_bn;
    gboolean         has_dropout;
  } cases[] = {
    { C2G_OPTIMIZE_NONE, TRUE, TRUE },
    { C2G_OPTIMIZE_ALL, FALSE, FALSE },
    { C2G_OPTIMIZE_PRUNE, TRUE, FALSE },
    { C2G_OPTIMIZE_FOLD, FALSE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 3) STATISTICS, cases[i].flags);
      g_autoptr (C2gTensor) ones = new_ones ();

      g_assert_cmpint (has_type (predictor, "SpatialBN"), ==, cases[i].has_bn);
      g_assert_cmpint (has_type (predictor, "Dropout"), ==, cases[i].has_dropout);
      check_run (predictor, ones, 3, 0);
    }
}

static void
test_between (void)
{
  g_autoptr (C2gPredictor) written = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) faster = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (c2g_net_get_n_operators (c2g_predictor_get_net (written)), ==, N_WRITTEN);
  g_assert_cmpuint (c2g_net_get_n_operators (c2g_predictor_get_net (faster)), <, N_WRITTEN);
  check_run (written, ones, 3, 0);
  check_run (faster, ones, 3, 0);
  check_between (written, TRUE);
  check_between (faster, FALSE);

  /* Optimizing can be undone. */
  c2g_predictor_optimize (faster, C2G_OPTIMIZE_NONE, &error);
  g_assert_no_error (error);
  check_run (faster, ones, 3, 0);
  check_between (faster, TRUE);
}

/* The program may change its net afterwards. */
static void
test_changed_definition (void)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (FILTERS (2, 3) STATISTICS);
  g_autoptr (C2gNetDef) predict = net_def_from_text (PREDICT_NET);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_NONE, &error);

  g_assert_no_error (error);
  c2g_operator_def_set_op_type (c2g_net_def_get_operator (predict, N_WRITTEN - 1), "Negative");
  g_assert_true (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error));
  g_assert_no_error (error);
  check_run (predictor, ones, 3, 0);
}

/* If the flags change nothing, the net is not created again. */
static void
test_made_once (void)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (
    "external_input: 'x' external_output: 'y' op { type: 'Cos' input: 'x' output: 'y' }");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_create (NULL, def, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  C2gNet *net;

  g_assert_no_error (error);
  net = c2g_predictor_get_net (predictor);
  g_assert_true (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error));
  g_assert_true (c2g_predictor_get_net (predictor) == net);
  g_assert_true (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_NONE, &error));
  g_assert_true (c2g_predictor_get_net (predictor) == net);
}

/* A parameter that is an input is not folded. */
static void
test_given_filters (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (C2gTensor) twos = new_tensor (C2G_TEST_DIMS (2, 1, 1, 1), 2);
  g_autoptr (C2gTensor) tens = new_tensor (C2G_TEST_DIMS (2, 1, 1, 1), 10);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_strv_length ((char **) c2g_predictor_get_inputs (predictor)), ==, 2);
  g_assert_true (c2g_predictor_set_input (predictor, "w", twos, NULL));
  check_run (predictor, ones, 3, 0);
  c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  check_run (predictor, ones, 3, 0);
  g_assert_true (c2g_predictor_set_input (predictor, "w", tens, NULL));
  check_run (predictor, ones, 19, 8);
}

/* This model fills all its inputs, so each of them may be given, as in Caffe2. */
static void
test_given_parameters (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (
    FILTERS (2, 3) STATISTICS
    "op { type: 'ConstantFill' output: 'x' arg { name: 'value' f: 1 } "
    "  arg { name: 'shape' ints: 1 ints: 1 ints: 2 ints: 2 } } ",
    C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (C2gTensor) tens = new_tensor (C2G_TEST_DIMS (2, 1, 1, 1), 10);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = g_object_ref (c2g_predictor_get_net (predictor));

  g_assert_cmpuint (g_strv_length ((char **) c2g_predictor_get_inputs (predictor)), ==, 6);
  g_assert_false (has_type (predictor, "SpatialBN"));
  check_run (predictor, NULL, 3, 0);
  check_run (predictor, ones, 3, 0);
  g_assert_false (has_type (predictor, "SpatialBN"));

  g_assert_true (c2g_predictor_set_input (predictor, "w", tens, NULL));
  check_run (predictor, NULL, 19, 8);
  g_assert_true (has_type (predictor, "SpatialBN"));
  g_assert_true (c2g_predictor_get_net (predictor) != net);
  c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  check_run (predictor, ones, 19, 8);
}

/* If there is no memory for folded parameters, a model loads without optimizing. */
static void
test_memory (void)
{
  static const char init_text[] =
    "op { type: 'ConstantFill' output: 'w' arg { name: 'value' f: 2 } "
    "  arg { name: 'shape' ints: 2 ints: 10000 ints: 1 ints: 1 } } " STATISTICS;
  C2gDevice *device = c2g_device_cpu ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (device, &error);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (usual, 120000);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) ones = NULL;

  g_assert_true (c2g_allocator_set_default (device, limiting, NULL));
  predictor = new_predictor (init_text, C2G_OPTIMIZE_ALL);
  g_assert_true (has_type (predictor, "SpatialBN"));
  g_assert_false (c2g_workspace_has_blob (c2g_predictor_get_workspace (predictor), "w_folded"));
  g_assert_false (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_true (c2g_allocator_set_default (device, usual, NULL));

  ones = new_tensor (C2G_TEST_DIMS (1, 10000, 2, 2), 1);
  check_run (predictor, ones, 39999, 39988);
}

/* An error in a model is reported with all flags, even if the optimized net would not have it. */
static void
test_wrong_model (void)
{
  static const C2gOptimizeFlags flags[] = { C2G_OPTIMIZE_NONE, C2G_OPTIMIZE_ALL };
  g_autoptr (C2gNetDef) init = net_def_from_text (FILTERS (2, 3) STATISTICS);
  g_autoptr (C2gNetDef) predict = net_def_from_text (PREDICT_NET);

  c2g_operator_def_set_string (c2g_net_def_get_operator (predict, 1), "order", "neither");
  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_predictor_create (init, predict, NULL, NULL, flags[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "SpatialBN"));
    }
}

static char *
fail_run (C2gPredictor *predictor)
{
  g_autoptr (C2gTensor) wrong = new_tensor (C2G_TEST_DIMS (1, 3, 2, 2), 1);
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  g_assert_null (c2g_predictor_run (predictor, &wrong, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  return g_strdup (error->message);
}

/* A failed run reports the error of the original net; the next run uses the optimized net again. */
static void
test_explains (void)
{
  g_autoptr (C2gPredictor) written = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) faster = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autofree char *expected = fail_run (written);
  g_autofree char *message = fail_run (faster);

  g_assert_cmpstr (message, ==, expected);
  g_assert_false (c2g_workspace_has_blob (c2g_predictor_get_workspace (faster), "c"));
  check_run (faster, ones, 3, 0);
  g_assert_false (has_type (faster, "SpatialBN"));
}

/* A failed run is not repeated by the original net if an operator has side effects. */
static void
test_runs_once (void)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (
    "external_input: 'x' external_output: 'y' op { type: 'NetTestDummy' } "
    "op { type: 'Copy' input: 'x' output: 'c' } "
    "op { type: 'Add' input: 'c' input: 'c' output: 'z' } "
    "op { type: 'NetTestDummy' arg { name: 'fail' i: 1 } } "
    "op { type: 'Copy' input: 'z' output: 'y' } ");
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_create (NULL, def, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  guint n_outputs;

  g_assert_no_error (error);
  g_assert_cmpuint (c2g_net_get_n_operators (c2g_predictor_get_net (predictor)), <, 5);
  net_take_count ();
  g_assert_null (c2g_predictor_run (predictor, &ones, 1, &n_outputs, NULL, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (net_take_count (), ==, 1);
}

#define ZERO                                                                                       \
  "op { type: 'GivenTensorFill' output: 's' arg { name: 'shape' ints: 1 } "                        \
  "  arg { name: 'values' floats: 0 } } "
#define STATE "external_input: 'x' external_input: 's' external_output: 'y' name: 'p' "

static const struct
{
  const char *text;
  double      results[3];
} states[] = {
  { STATE "op { type: 'Add' input: 'x' input: 's' output: 'y' } "
          "op { type: 'Copy' input: 'y' output: 's' }",
    { 1, 2, 3 } },
  { STATE "op { type: 'Add' input: 's' input: 'x' output: 's' } "
          "op { type: 'Relu' input: 's' output: 'y' }",
    { 1, 2, 3 } },
  /* The old value is read only by an operator whose output is not used. */
  { STATE "op { type: 'Relu' input: 's' output: 't' } op { type: 'Copy' input: 'x' output: 's' } "
          "op { type: 'Relu' input: 's' output: 'y' }",
    { 1, 1, 1 } },
};

/* State that a net keeps between runs is kept with all flags. */
static void
test_state (void)
{
  static const C2gOptimizeFlags flags[] = { C2G_OPTIMIZE_NONE, C2G_OPTIMIZE_ALL, 1, 2, 4, 8, 16 };
  static const gint64 one = 1;
  g_autoptr (C2gNetDef) init = net_def_from_text ("name: 'i' " ZERO);
  g_autoptr (C2gTensor) x = new_tensor (&one, 1, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (flags); j++)
      {
        g_autoptr (C2gNetDef) predict = net_def_from_text (states[i].text);
        g_autoptr (GError) error = NULL;
        g_autoptr (C2gPredictor) predictor =
          c2g_predictor_create (init, predict, NULL, NULL, flags[j], &error);

        g_assert_no_error (error);
        for (gsize k = 0; k < G_N_ELEMENTS (states[i].results); k++)
          {
            guint n_outputs;
            g_autofree C2gTensor **outputs =
              c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error);

            g_assert_no_error (error);
            g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], 0, NULL), ==,
                               states[i].results[k]);
          }
        g_assert_true (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_NONE, &error));
        g_assert_no_error (error);
      }
}

/* Gives the filters of a predictor other values, in every way there is. */

static C2gBlob *
get_filters (C2gPredictor *predictor)
{
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (predictor), "w", &error);

  g_assert_no_error (error);
  return blob;
}

static C2gTensor *
get_filter_tensor (C2gPredictor *predictor)
{
  g_autoptr (C2gBlob) blob = get_filters (predictor);

  return c2g_blob_get_tensor (blob, NULL);
}

static C2gTensor *
new_filters (double value)
{
  return new_tensor (C2G_TEST_DIMS (2, 1, 1, 1), value);
}

/* Makes a file of a checkpoint with the filters. */
static char *
save_filters (double value)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "w", NULL);
  g_autoptr (C2gTensor) filters = new_filters (value);
  g_autofree char *folder = g_dir_make_tmp ("c2g-changes-XXXXXX", NULL);
  char *path = g_build_filename (folder, "w.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  c2g_blob_set_object (blob, G_OBJECT (filters));
  g_assert_true (c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, &error));
  g_assert_no_error (error);
  return path;
}

static void
remove_file (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
write_address (C2gPredictor *predictor,
               double        value)
{
  float *filters = c2g_tensor_mutable_data (get_filter_tensor (predictor), C2G_DATA_TYPE_FLOAT, NULL);

  filters[0] = filters[1] = (float) value;
}

static void
write_elements (C2gPredictor *predictor,
                double        value)
{
  for (gint64 i = 0; i < 2; i++)
    g_assert_true (c2g_tensor_set_value (get_filter_tensor (predictor), i, value, NULL));
}

static void
write_copy (C2gPredictor *predictor,
            double        value)
{
  g_autoptr (C2gTensor) filters = new_filters (value);

  g_assert_true (c2g_tensor_copy_from (get_filter_tensor (predictor), filters, NULL, NULL));
}

static void
write_mapping (C2gPredictor *predictor,
               double        value)
{
  g_autoptr (C2gMapping) mapping =
    c2g_tensor_map (get_filter_tensor (predictor), C2G_MAP_READ_WRITE, NULL);
  float *filters = (float *) (guintptr) c2g_mapping_get_address (mapping);

  g_assert_cmpuint (c2g_mapping_get_n_bytes (mapping), ==, 8);
  filters[0] = filters[1] = (float) value;
}

static void
write_sharing (C2gPredictor *predictor,
               double        value)
{
  g_autoptr (C2gTensor) sharing = new_filters (0);

  g_assert_true (c2g_tensor_share_data (sharing, get_filter_tensor (predictor), NULL));
  g_assert_true (c2g_tensor_fill (sharing, value, NULL));
}

static void
share_other (C2gPredictor *predictor,
             double        value)
{
  g_autoptr (C2gTensor) filters = new_filters (value);

  g_assert_true (c2g_tensor_share_data (get_filter_tensor (predictor), filters, NULL));
}

static void
set_tensor (C2gPredictor *predictor,
            double        value)
{
  g_autoptr (C2gTensor) filters = new_filters (value);
  g_autoptr (C2gBlob) blob = get_filters (predictor);

  c2g_blob_set_object (blob, G_OBJECT (filters));
}

static void
load_checkpoint (C2gPredictor *predictor,
                 double        value)
{
  g_autofree char *path = save_filters (value);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names =
    c2g_workspace_load_checkpoint (c2g_predictor_get_workspace (predictor), file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  remove_file (path);
}

static void
run_operator (C2gPredictor *predictor,
              const char   *text)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  g_autoptr (GError) error = NULL;

  c2g_workspace_set_file_access (workspace, C2G_FILE_ACCESS_ALL);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
}

static void
run_load (C2gPredictor *predictor,
          double        value)
{
  g_autofree char *path = save_filters (value);
  g_autofree char *text = g_strdup_printf (
    "op { type: 'Load' output: 'w' arg { name: 'db' s: '%s' } arg { name: 'db_type' s: 'minidb' } "
    "  arg { name: 'absolute_path' i: 1 } }",
    path);

  run_operator (predictor, text);
  remove_file (path);
}

/* As training does it. */
static void
run_scale (C2gPredictor *predictor,
           double        value)
{
  const double old = c2g_tensor_get_value (get_filter_tensor (predictor), 0, NULL);
  g_autofree char *text = g_strdup_printf (
    "op { type: 'Scale' input: 'w' output: 'w' arg { name: 'scale' f: %.9g } }", value / old);

  run_operator (predictor, text);
}

/* The faster net is made of changed parameters without being told. */
static void
test_changes (void)
{
  static void (*const changes[]) (C2gPredictor *, double) = {
    write_address,
    write_elements,
    write_copy,
    write_mapping,
    write_sharing,
    share_other,
    set_tensor,
    run_scale,
    run_load,
    load_checkpoint,
    write_elements,
  };
  g_autoptr (C2gPredictor) predictor =
    new_predictor (PAIR ("w", "ints: 2 ints: 1 ints: 1 ints: 1", 2, 2) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_auto (GStrv) parameters = c2g_predictor_list_parameters (predictor);

  g_assert_true (g_strv_contains ((const char *const *) parameters, "w"));
  g_assert_false (g_strv_contains ((const char *const *) parameters, "x"));
  check_run (predictor, ones, 3, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      const double value = 7 + (double) i;
      C2gNet *net;

      changes[i] (predictor, value);
      check_run (predictor, ones, 2 * value - 1, 2 * value - 12);
      g_assert_false (has_type (predictor, "SpatialBN"));

      /* Nothing is made anew for nothing. */
      net = c2g_predictor_get_net (predictor);
      check_run (predictor, NULL, 2 * value - 1, 2 * value - 12);
      g_assert_true (c2g_predictor_get_net (predictor) == net);
    }
}

/* Two predictors see one change of the parameters of their parent. */
static void
test_changes_of_parent (void)
{
  g_autoptr (C2gPredictor) parent = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_NONE);
  g_autoptr (C2gNetDef) predict = net_def_from_text (PREDICT_NET);
  g_autoptr (C2gTensor) ones = new_ones ();
  C2gPredictor *predictors[2];

  for (guint i = 0; i < G_N_ELEMENTS (predictors); i++)
    {
      g_autoptr (GError) error = NULL;

      predictors[i] = c2g_predictor_create (NULL, predict, c2g_predictor_get_workspace (parent), NULL,
                                            C2G_OPTIMIZE_ALL, &error);
      g_assert_no_error (error);
      check_run (predictors[i], ones, 3, 0);
    }
  write_address (parent, 10);
  for (guint i = 0; i < G_N_ELEMENTS (predictors); i++)
    {
      check_run (predictors[i], ones, 19, 8);
      g_assert_false (has_type (predictors[i], "SpatialBN"));
      g_object_unref (predictors[i]);
    }
}

/* As long as a mapping can write, its writes are noticed, too, and nothing else costs a new net. */
static void
check_unseen_writes (C2gPredictor *predictor,
                     float        *filters)
{
  C2gNet *net = c2g_predictor_get_net (predictor);
  const float first = filters[0], second = filters[1];

  check_run (predictor, NULL, 2 * first - 1, 2 * second - 12);
  g_assert_true (c2g_predictor_get_net (predictor) == net);
  for (guint i = 0; i < 3; i++)
    {
      filters[i % 2] += 5;
      check_run (predictor, NULL, 2 * filters[0] - 1, 2 * filters[1] - 12);
    }
  filters[0] = first;
  filters[1] = second;
}

static void
test_changes_unseen (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 8) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (C2gMapping) mapping =
    c2g_tensor_map (get_filter_tensor (predictor), C2G_MAP_READ_WRITE, NULL);
  float foreign[] = { 4, 9 };
  g_autoptr (C2gStorage) storage =
    c2g_storage_new_external (c2g_device_cpu (), foreign, sizeof foreign, FALSE, NULL, NULL);
  g_autoptr (C2gTensor) laid = c2g_tensor_new_from_storage (
    C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 1, 1, 1), storage, 0, NULL);
  float *filters = (float *) (guintptr) c2g_mapping_get_address (mapping);

  check_run (predictor, ones, 3, 4);
  check_unseen_writes (predictor, filters);
  check_run (predictor, NULL, 3, 4);
  filters[0] = 6;
  c2g_mapping_unmap (mapping);
  check_run (predictor, NULL, 11, 4);

  g_assert_true (c2g_tensor_share_data (get_filter_tensor (predictor), laid, NULL));
  check_run (predictor, NULL, 7, 6);
  check_unseen_writes (predictor, foreign);
}

typedef struct
{
  C2gPredictor *predictor;
  GMutex        lock;
  GCond         changed;
  C2gNet       *net;
  gboolean      is_over;
} Getter;

static gpointer
get_net (gpointer data)
{
  Getter *self = data;

  g_mutex_lock (&self->lock);
  self->net = c2g_predictor_get_net (self->predictor);
  g_cond_broadcast (&self->changed);
  while (!self->is_over)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* A net that another thread has got stays, however often it is replaced, until that thread ends. */
static void
test_replaced_net (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 2) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  Getter self = { .predictor = predictor };
  GThread *thread = g_thread_new ("getter", get_net, &self);

  g_mutex_lock (&self.lock);
  while (self.net == NULL)
    g_cond_wait (&self.changed, &self.lock);
  g_object_add_weak_pointer (G_OBJECT (self.net), (gpointer *) &self.net);
  for (int value = 7; value < 10; value++)
    {
      g_assert_true (c2g_tensor_fill (get_filter_tensor (predictor), value, NULL));
      check_run (predictor, ones, 2 * value - 1, 2 * value - 12);
      g_assert_true (c2g_predictor_get_net (predictor) != self.net);
      g_assert_nonnull (self.net);
    }
  g_assert_true (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_NONE, NULL));
  g_assert_nonnull (self.net);
  self.is_over = TRUE;
  g_cond_broadcast (&self.changed);
  g_mutex_unlock (&self.lock);

  g_thread_join (thread);
  g_assert_true (has_type (predictor, "SpatialBN"));
  g_assert_null (self.net);
  g_cond_clear (&self.changed);
  g_mutex_clear (&self.lock);
}

/* A mixed tensor that shares the memory of a parameter writes it without the tensor. */
static void
test_changes_mixed (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 2) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gMixedTensor) mixed =
    c2g_mixed_tensor_new (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 1, 1, 1), NULL, NULL);
  g_autoptr (C2gTensor) ones = new_ones ();
  float *filters;

  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, get_filter_tensor (predictor), NULL));
  check_run (predictor, ones, 3, 0);
  g_assert_true (c2g_mixed_tensor_fill (mixed, 7, NULL));
  check_run (predictor, ones, 13, 2);
  filters = c2g_mixed_tensor_mutable_data (mixed, C2G_DATA_TYPE_FLOAT, NULL, NULL);
  filters[0] = filters[1] = 8;
  check_run (predictor, ones, 15, 4);
}

/* Without memory for another faster net, the net as written computes with the new parameters. */
static void
test_changes_without_memory (void)
{
  C2gDevice *device = c2g_device_cpu ();
  g_autoptr (C2gPredictor) predictor = new_predictor (
    "op { type: 'ConstantFill' output: 'w' arg { name: 'value' f: 2 } "
    "  arg { name: 'shape' ints: 2 ints: 10000 ints: 1 ints: 1 } } " STATISTICS,
    C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_tensor (C2G_TEST_DIMS (1, 10000, 2, 2), 1);
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (usual, 70000);

  check_run (predictor, ones, 39999, 39988);
  g_assert_true (c2g_tensor_fill (get_filter_tensor (predictor), 1, NULL));
  g_assert_true (c2g_allocator_set_default (device, limiting, NULL));
  check_run (predictor, ones, 19999, 19988);
  g_assert_true (has_type (predictor, "SpatialBN"));
  g_assert_true (c2g_allocator_set_default (device, usual, NULL));
}

/* A run that can make no net at all does not hide the change from the next one. */
static void
test_changes_without_net (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 6) STATISTICS, C2G_OPTIMIZE_ALL);
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_autoptr (C2gTensor) ones = new_ones ();
  float foreign[] = { 2, 6 };
  g_autoptr (C2gStorage) storage =
    c2g_storage_new_external (c2g_device_cpu (), foreign, sizeof foreign, FALSE, NULL, NULL);
  g_autoptr (C2gTensor) laid = c2g_tensor_new_from_storage (
    C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 1, 1, 1), storage, 0, NULL);
  g_autoptr (C2gTensor) variance = new_tensor (C2G_TEST_DIMS (2), 1);
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  g_assert_true (c2g_tensor_share_data (get_filter_tensor (predictor), laid, NULL));
  check_run (predictor, ones, 3, 0);
  set_tensor (predictor, 7);
  g_assert_true (c2g_workspace_remove_blob (workspace, "v"));
  g_assert_null (c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);

  g_assert_true (c2g_workspace_set_tensor (workspace, "v", variance, NULL));
  check_run (predictor, NULL, 13, 2);
}

/* Filters of another shape are an error of the net as written, and stay no longer than they are
 * wrong. */
static void
test_changes_of_shape (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  check_run (predictor, ones, 3, 0);
  g_assert_true (c2g_tensor_resize (get_filter_tensor (predictor), C2G_TEST_DIMS (1, 1, 2, 1), NULL));
  g_assert_null (c2g_predictor_run (predictor, &ones, 1, &n_outputs, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (c2g_tensor_resize (get_filter_tensor (predictor), C2G_TEST_DIMS (2, 1, 1, 1), NULL));
  check_run (predictor, ones, 3, 0);
}

/* So are elements of another type, even in the same memory. */
static void
test_changes_of_type (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (FILTERS (2, 3) STATISTICS, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gBlob) blob = get_filters (predictor);
  g_autoptr (C2gTensor) filters = g_object_ref (get_filter_tensor (predictor));
  g_autoptr (C2gTensor) numbers = NULL;
  g_autoptr (C2gTensor) ones = new_ones ();
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  check_run (predictor, ones, 3, 0);
  numbers = c2g_tensor_new_from_storage (C2G_DATA_TYPE_INT32, C2G_TEST_DIMS (2, 1, 1, 1),
                                         c2g_tensor_get_storage (filters), 0, NULL);
  c2g_blob_set_object (blob, G_OBJECT (numbers));
  g_assert_null (c2g_predictor_run (predictor, &ones, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  c2g_blob_set_object (blob, G_OBJECT (filters));
  check_run (predictor, ones, 3, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  c2g_test_add_func ("/predictor-optimize/flags", test_flags);
  c2g_test_add_func ("/predictor-optimize/between", test_between);
  c2g_test_add_func ("/predictor-optimize/changed-definition", test_changed_definition);
  c2g_test_add_func ("/predictor-optimize/made-once", test_made_once);
  c2g_test_add_func ("/predictor-optimize/given-filters", test_given_filters);
  c2g_test_add_func ("/predictor-optimize/given-parameters", test_given_parameters);
  c2g_test_add_func ("/predictor-optimize/state", test_state);
  c2g_test_add_func ("/predictor-optimize/memory", test_memory);
  c2g_test_add_func ("/predictor-optimize/wrong-model", test_wrong_model);
  c2g_test_add_func ("/predictor-optimize/explains", test_explains);
  c2g_test_add_func ("/predictor-optimize/runs-once", test_runs_once);
  c2g_test_add_func ("/predictor-optimize/changes", test_changes);
  c2g_test_add_func ("/predictor-optimize/changes/of-parent", test_changes_of_parent);
  c2g_test_add_func ("/predictor-optimize/changes/without-net", test_changes_without_net);
  c2g_test_add_func ("/predictor-optimize/changes/unseen", test_changes_unseen);
  c2g_test_add_func ("/predictor-optimize/replaced-net", test_replaced_net);
  c2g_test_add_func ("/predictor-optimize/changes/mixed", test_changes_mixed);
  c2g_test_add_func ("/predictor-optimize/changes/without-memory", test_changes_without_memory);
  c2g_test_add_func ("/predictor-optimize/changes/of-shape", test_changes_of_shape);
  c2g_test_add_func ("/predictor-optimize/changes/of-type", test_changes_of_type);

  return c2g_test_run ();
}
