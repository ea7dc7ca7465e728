/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

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
  C2gNet *net = c2g_predictor_get_net (predictor);

  g_assert_cmpuint (g_strv_length ((char **) c2g_predictor_get_inputs (predictor)), ==, 6);
  g_assert_false (has_type (predictor, "SpatialBN"));
  check_run (predictor, NULL, 3, 0);
  check_run (predictor, ones, 3, 0);
  g_assert_false (has_type (predictor, "SpatialBN"));

  g_assert_true (c2g_predictor_set_input (predictor, "w", tens, NULL));
  check_run (predictor, NULL, 19, 8);
  g_assert_true (has_type (predictor, "SpatialBN"));
  /* The former net is kept, because another thread may be running it. */
  g_assert_true (c2g_predictor_get_net (predictor) != net);
  g_assert_cmpstr (c2g_net_get_name (net), ==, "p");
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

  return c2g_test_run ();
}
