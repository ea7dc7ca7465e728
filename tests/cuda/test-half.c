/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

#include <glib/gstdio.h>
#include <math.h>

/* Predictors that compute with float16 on a device. */

#define HALF (C2G_OPTIMIZE_ALL | C2G_OPTIMIZE_HALF)

/* FC reads "x" [2, 3], and has a float behind it, Softmax, before the next product. */
static const char layers[] =
  "external_input: 'x' external_input: 'w' external_input: 'b' external_input: 'v'"
  "external_output: 'y' external_output: 'z'"
  "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' name: 'first' }"
  "op { type: 'Relu' input: 'y' output: 'y' }"
  "op { type: 'Softmax' input: 'y' output: 's' }"
  "op { type: 'MatMul' input: 's' input: 'v' output: 't' }"
  "op { type: 'Concat' input: 't' input: 'y' output: 'z' output: 'sizes' arg { name: 'axis' i: 1 } }";

static C2gNetDef *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

static C2gPredictor *
create_in (C2gWorkspace     *parent,
           const char       *text,
           C2gDevice        *device,
           C2gOptimizeFlags  flags)
{
  g_autoptr (C2gNetDef) init = parse (
    "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 2 ints: 3 }"
    "     arg { name: 'values' floats: 1 floats: 2 floats: 3 floats: -1 floats: 0.5 floats: 0.1 } }"
    "op { type: 'GivenTensorFill' output: 'b' arg { name: 'shape' ints: 2 }"
    "     arg { name: 'values' floats: 0.25 floats: 0.5 } }"
    "op { type: 'GivenTensorFill' output: 'v' arg { name: 'shape' ints: 2 ints: 2 }"
    "     arg { name: 'values' floats: 3 floats: -2 floats: 0.7 floats: 0.3 } }");
  g_autoptr (C2gNetDef) predict = parse (text);
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor =
    c2g_predictor_create (parent == NULL ? init : NULL, predict, parent, device, flags, &error);

  g_assert_no_error (error);
  return predictor;
}

static C2gPredictor *
create (const char       *text,
        C2gDevice        *device,
        C2gOptimizeFlags  flags)
{
  return create_in (NULL, text, device, flags);
}

static C2gTensor *
new_input (float first)
{
  C2gTensor *x = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 3), NULL, NULL);
  float *numbers = c2g_tensor_mutable_data (x, C2G_DATA_TYPE_FLOAT, NULL);

  for (guint i = 0; i < 6; i++)
    numbers[i] = first + i * 0.3f;
  return x;
}

/* Runs the predictor, and returns its last output on the CPU. */
static C2gTensor *
run (C2gPredictor *predictor,
     C2gTensor    *input)
{
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensor *result;
  guint n_outputs;

  outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n_outputs; i++)
    g_assert_cmpint (c2g_tensor_get_data_type (outputs[i]), ==, C2G_DATA_TYPE_FLOAT);
  result = c2g_tensor_to_device (outputs[n_outputs - 1], c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return result;
}

/* Compares numbers relative to the largest, and its place. */
static void
assert_near (C2gTensor *result,
             C2gTensor *expected)
{
  gint64 best = 0, expected_best = 0;
  double largest = 0, error = 0;

  g_assert_cmpint (c2g_tensor_get_n_elements (result), ==, c2g_tensor_get_n_elements (expected));
  g_assert_cmpint (c2g_tensor_get_n_elements (result), >, 0);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (result); i++)
    {
      const double value = c2g_tensor_get_value (result, i, NULL);
      const double wanted = c2g_tensor_get_value (expected, i, NULL);

      g_assert_true (isfinite (value) && isfinite (wanted));
      if (value > c2g_tensor_get_value (result, best, NULL))
        best = i;
      if (wanted > c2g_tensor_get_value (expected, expected_best, NULL))
        expected_best = i;
      largest = fmax (largest, fabs (wanted));
      error = fmax (error, fabs (value - wanted));
    }
  g_test_message ("The largest error is %g of %g", error, largest);
  g_assert_cmpint (best, ==, expected_best);
  g_assert_cmpfloat (error, <, 2e-2 * largest);
}

/* Lists the types of the net's operators, and a star behind those that write float16. */
static char *
list_operators (C2gPredictor *predictor)
{
  C2gNet *net = c2g_predictor_get_net (predictor);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < c2g_net_get_n_operators (net); i++)
    {
      C2gOperator *op = c2g_net_get_operator (net, i);
      C2gTensor *output = c2g_blob_get_tensor (c2g_operator_get_output (op, 0), NULL);

      g_string_append_printf (
        list, "%s%s%s", i > 0 ? " " : "", c2g_operator_get_op_type (op),
        output != NULL && c2g_tensor_get_data_type (output) == C2G_DATA_TYPE_FLOAT16 ? "*" : "");
    }
  return g_string_free (list, FALSE);
}

static void
assert_operators (C2gPredictor *predictor,
                  const char   *expected)
{
  g_autofree char *list = list_operators (predictor);

  g_assert_cmpstr (list, ==, expected);
}

static GBytes *
save (C2gPredictor *predictor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("c2g-half-XXXXXX", &stream, &error);
  GBytes *bytes;

  g_assert_no_error (error);
  c2g_predictor_save (predictor, file, NULL, &error);
  g_assert_no_error (error);
  bytes = g_file_load_bytes (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_file_delete (file, NULL, NULL);
  return bytes;
}

/* The file of a predictor, its parameters and their types are those of the model as it was written. */
static void
assert_saves_as (C2gPredictor *predictor,
                 C2gPredictor *written)
{
  g_autoptr (GBytes) bytes = save (predictor);
  g_autoptr (GBytes) expected = save (written);
  g_auto (GStrv) names = c2g_predictor_list_parameters (predictor);
  g_auto (GStrv) expected_names = c2g_predictor_list_parameters (written);

  g_assert_true (g_bytes_equal (bytes, expected));
  g_assert_cmpstrv (names, expected_names);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gTensor) tensor = c2g_predictor_get_output (predictor, names[i], NULL);

      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_FLOAT);
    }
}

/* Products compute with float16, and what reads their results, except where only floats will do. */
static void
test_layers (void)
{
  g_autoptr (C2gPredictor) near = create (layers, c2g_device_cpu (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) written = create (layers, first_device (), C2G_OPTIMIZE_ALL);
  g_autoptr (C2gPredictor) predictor = create (layers, first_device (), HALF);
  g_autoptr (C2gTensor) sizes = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gTensor) x = new_input (i);
      g_autoptr (C2gTensor) expected = run (near, x);
      g_autoptr (C2gTensor) result = run (predictor, x);

      assert_near (result, expected);
    }
  assert_operators (predictor, "FloatToHalf* FC* Relu* HalfToFloat Softmax FloatToHalf* MatMul* Concat* HalfToFloat");
  sizes = c2g_predictor_get_output (predictor, "sizes", NULL);
  g_assert_cmpint (c2g_tensor_get_data_type (sizes), ==, C2G_DATA_TYPE_INT32);
  assert_saves_as (predictor, written);
  assert_operators (written, "FC Relu Softmax MatMul Concat");
}

/* The flags can be changed, and the CPU knows no float16. */
static void
test_flags (void)
{
  static const char half[] = "FloatToHalf* FC* Relu* HalfToFloat Softmax FloatToHalf* MatMul* Concat* HalfToFloat";
  static const struct
  {
    C2gOptimizeFlags  flags;
    const char       *operators;
  } changes[] = {
    { C2G_OPTIMIZE_NONE, "FC Relu Softmax MatMul Concat" },
    { C2G_OPTIMIZE_HALF, half },
    { C2G_OPTIMIZE_ALL, "FC Relu Softmax MatMul Concat" },
    { HALF, half },
  };
  g_autoptr (C2gPredictor) near = create (layers, c2g_device_cpu (), HALF);
  g_autoptr (C2gPredictor) predictor = create (layers, first_device (), HALF);
  g_autoptr (C2gTensor) x = new_input (1);
  g_autoptr (C2gTensor) expected = run (near, x);

  assert_operators (near, "FC Relu Softmax MatMul Concat");
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) result = NULL;

      c2g_predictor_optimize (predictor, changes[i].flags, &error);
      g_assert_no_error (error);
      result = run (predictor, x);
      assert_near (result, expected);
      assert_operators (predictor, changes[i].operators);
    }
}

/* An operator's own device counts, too. What is on the CPU stays float. */
static void
test_devices (void)
{
  static const char mixed[] =
    "external_input: 'x' external_input: 'w' external_input: 'b' external_input: 'v' external_output: 'y'"
    "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 't' device_option { device_type: 1 } }"
    "op { type: 'CopyGPUToCPU' input: 't' output: 'c' device_option { device_type: 1 } }"
    "op { type: 'MatMul' input: 'c' input: 'v' output: 'y' }";
  g_autoptr (C2gPredictor) written = create (mixed, NULL, C2G_OPTIMIZE_ALL);
  g_autoptr (C2gPredictor) predictor = create (mixed, NULL, HALF);
  g_autoptr (C2gTensor) x = new_input (1);
  g_autoptr (C2gTensor) expected = run (written, x);
  g_autoptr (C2gTensor) result = run (predictor, x);

  assert_near (result, expected);
  assert_operators (predictor, "FloatToHalf* FC* HalfToFloat CopyGPUToCPU MatMul");
  assert_operators (written, "FC CopyGPUToCPU MatMul");
}

/* A given tensor may be float16 already. One of another type is refused as without the flag. */
static void
test_given (void)
{
  g_autoptr (C2gPredictor) written = create (layers, first_device (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) predictor = create (layers, first_device (), HALF);
  g_autoptr (C2gTensor) x = new_input (1);
  g_autoptr (C2gTensor) half = c2g_tensor_convert (x, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_SATURATE, NULL);
  g_autoptr (C2gTensor) bytes = c2g_tensor_convert (x, C2G_DATA_TYPE_UINT8, C2G_CONVERT_SATURATE, NULL);
  g_autoptr (C2gTensor) expected = run (written, x);
  g_autoptr (C2gTensor) result = run (predictor, half);
  g_autoptr (GError) error = NULL, expected_error = NULL;
  guint n_outputs;

  assert_near (result, expected);
  g_assert_null (c2g_predictor_run (written, &bytes, 1, &n_outputs, NULL, &expected_error));
  g_assert_null (c2g_predictor_run (predictor, &bytes, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_cmpstr (error->message, ==, expected_error->message);
  g_assert_nonnull (strstr (error->message, "first"));
  /* The mistake of one run has not changed the net. */
  g_clear_object (&result);
  result = run (predictor, x);
  assert_near (result, expected);
  assert_operators (predictor, "FloatToHalf* FC* Relu* HalfToFloat Softmax FloatToHalf* MatMul* Concat* HalfToFloat");
}

static void
change_tensor (C2gTensor *tensor,
               float      number)
{
  g_autoptr (C2gTensor) numbers = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL);
  g_autoptr (GError) error = NULL;
  float *items = c2g_tensor_mutable_data (numbers, C2G_DATA_TYPE_FLOAT, NULL);

  items[0] = number;
  items[1] = 2 * number;
  c2g_tensor_copy_from (tensor, numbers, NULL, &error);
  g_assert_no_error (error);
}

/* Puts other numbers into a parameter. */
static void
change_parameter (C2gWorkspace *workspace,
                  float         number)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "b", NULL);

  change_tensor (c2g_blob_get_tensor (blob, NULL), number);
}

/* A parameter is converted anew after it has changed: one of the predictor on the device, one of the
 * parent on the CPU, and one whose changes nobody can notice. */
static void
test_changes (void)
{
  g_autoptr (C2gPredictor) owner = create (layers, c2g_device_cpu (), C2G_OPTIMIZE_NONE);
  C2gWorkspace *parent = c2g_predictor_get_workspace (owner);
  g_autoptr (C2gPredictor) own = create (layers, first_device (), HALF);
  g_autoptr (C2gPredictor) child = create_in (parent, layers, first_device (), HALF);
  g_autoptr (C2gTensor) x = new_input (1);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gTensor) expected = NULL, result = NULL, other_result = NULL;

      change_parameter (parent, i + 2);
      change_parameter (c2g_predictor_get_workspace (own), i + 2);
      expected = run (owner, x);
      result = run (own, x);
      other_result = run (child, x);
      assert_near (result, expected);
      assert_near (other_result, expected);
    }
  assert_saves_as (own, own);
}

/* A parameter in memory of others can change unnoticed, so each run converts it. */
static void
test_foreign (void)
{
  g_autoptr (C2gPredictor) near = create (layers, c2g_device_cpu (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) predictor = create (layers, first_device (), C2G_OPTIMIZE_NONE);
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "b", NULL);
  g_autoptr (C2gTensor) owner = g_object_ref (c2g_blob_get_tensor (blob, NULL));
  g_autoptr (C2gTensor) foreign = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) x = new_input (1);
  g_autoptr (GError) error = NULL;

  c2g_tensor_resize_like (foreign, owner, &error);
  c2g_tensor_share_external (foreign, C2G_DATA_TYPE_FLOAT,
                             c2g_tensor_mutable_data (owner, C2G_DATA_TYPE_FLOAT, NULL),
                             c2g_tensor_get_n_bytes (owner), NULL, NULL, &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (foreign));
  c2g_predictor_optimize (predictor, HALF, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) expected = NULL, result = NULL;

      change_parameter (c2g_predictor_get_workspace (near), i + 2);
      change_tensor (owner, i + 2);
      expected = run (near, x);
      result = run (predictor, x);
      assert_near (result, expected);
    }
  assert_operators (predictor, "FloatToHalf* FloatToHalf* FC* Relu* HalfToFloat Softmax FloatToHalf* MatMul* Concat* HalfToFloat");
  /* The foreign memory goes before its owner. */
  c2g_blob_set_object (blob, G_OBJECT (owner));
}

/* A net that fails only with float16, because of a type that is not known before, runs as written. */
static void
test_unknown_type (void)
{
  static const char doubles[] =
    "external_input: 'x' external_input: 'w' external_input: 'b' external_input: 'v' external_output: 'y'"
    "op { type: 'Cast' input: 'x' output: 'xd' arg { name: 'to' i: 13 } }"
    "op { type: 'Cast' input: 'w' output: 'wd' arg { name: 'to' i: 13 } }"
    "op { type: 'Cast' input: 'b' output: 'bd' arg { name: 'to' i: 13 } }"
    "op { type: 'FC' input: 'xd' input: 'wd' input: 'bd' output: 'yd' }"
    "op { type: 'Cast' input: 'yd' output: 'y' arg { name: 'to' i: 1 } }";
  g_autoptr (C2gPredictor) written = create (doubles, first_device (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) predictor = create (doubles, first_device (), HALF);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) x = new_input (i);
      g_autoptr (C2gTensor) expected = run (written, x);
      g_autoptr (C2gTensor) result = run (predictor, x);

      g_assert_true (c2g_test_allclose (result, expected, 0, 0, FALSE));
    }
  assert_operators (predictor, "Cast Cast Cast FC Cast");
}

/* If parameters cannot be converted, the model runs as it was written. */
static void
test_failure (void)
{
  g_autoptr (C2gTensor) x = new_input (1);
  g_autoptr (C2gPredictor) written = create (layers, first_device (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) expected = run (written, x), result = NULL;
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchFailure, FALSE);
  g_assert_false (c2g_predictor_optimize (written, HALF, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchFailure, FALSE);
  predictor = create (layers, first_device (), HALF);
  on_fake (fake_cuda_clear_failures);
  result = run (predictor, x);
  g_assert_true (c2g_test_allclose (result, expected, 0, 0, FALSE));
  assert_operators (predictor, "FC Relu Softmax MatMul Concat");
  assert_operators (written, "FC Relu Softmax MatMul Concat");
}

/* A passing lack of memory fails one run, and says nothing about float16: the next run has it. */
static void
test_passing_failure (void)
{
  g_autoptr (C2gPredictor) written = create (layers, first_device (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) predictor = create (layers, first_device (), HALF);
  g_autoptr (C2gTensor) x = new_input (1);
  g_autoptr (C2gTensor) expected = run (written, x), result = NULL;
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  if (!needs_fake ())
    return;

  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorMemoryAllocation, FALSE);
  g_assert_null (c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  on_fake (fake_cuda_clear_failures);
  result = run (predictor, x);
  assert_near (result, expected);
  assert_operators (predictor, "FloatToHalf* FC* Relu* HalfToFloat Softmax FloatToHalf* MatMul* Concat* HalfToFloat");
}

/* Operators that move elements or fold channels, in places and between other operators. */
static void
test_operators (void)
{
  static const struct
  {
    const char *text;
    const char *operators;
  } nets[] = {
    { "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 't' }"
      "op { type: 'Reshape' input: 't' output: 'r' output: 'old' arg { name: 'shape' ints: 1 ints: 4 } }"
      "op { type: 'Dropout' input: 'r' output: 'r' arg { name: 'is_test' i: 1 } }"
      "op { type: 'Transpose' input: 'r' output: 'q' }"
      "op { type: 'Flatten' input: 'q' output: 'f' }"
      "op { type: 'Mul' input: 'f' input: 'f' output: 'y' }",
      "FloatToHalf* FC* Reshape* Dropout* Transpose* Flatten* Mul* HalfToFloat" },
    /* The second reader of a product wants floats, and gets the same that an output is. */
    { "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'z' }"
      "op { type: 'Exp' input: 'z' output: 'e' }"
      "op { type: 'Log' input: 'e' output: 'l' }"
      "op { type: 'Add' input: 'z' input: 'l' output: 'y' }",
      "FloatToHalf* FC* HalfToFloat Exp Log FloatToHalf* Add* HalfToFloat" },
    /* Nothing is converted where no product is. */
    { "op { type: 'Relu' input: 'x' output: 'y' }", "Relu" },
    { "op { type: 'Softmax' input: 'x' output: 's' } op { type: 'Sum' input: 's' input: 'x' output: 'y' }",
      "Softmax Sum" },
    /* The net writes what was a parameter before. */
    { "op { type: 'Relu' input: 'w' output: 'w' } op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }",
      "Relu FloatToHalf* FloatToHalf* FC* HalfToFloat" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autofree char *text =
        g_strconcat ("external_input: 'x' external_input: 'w' external_input: 'b' external_input: 'v' external_output: 'y'", nets[i].text, NULL);
      g_autoptr (C2gPredictor) near = create (text, c2g_device_cpu (), C2G_OPTIMIZE_NONE);
      g_autoptr (C2gPredictor) predictor = create (text, first_device (), HALF);

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (C2gTensor) x = new_input (k);
          g_autoptr (C2gTensor) expected = run (near, x);
          g_autoptr (C2gTensor) result = run (predictor, x);

          assert_near (result, expected);
        }
      assert_operators (predictor, nets[i].operators);
    }
}

static gint64
count_replays (void)
{
  return c2g_stat_registry_get_value (c2g_stat_registry_get_default (), "net/graph_runs");
}

/* The net of float16 is repeated by a graph as any other, and made anew goes on so. */
static void
test_graph (void)
{
  g_autoptr (C2gPredictor) near = create (layers, c2g_device_cpu (), C2G_OPTIMIZE_NONE);
  g_autoptr (C2gPredictor) predictor = create (layers, first_device (), HALF);
  const gint64 n_before = count_replays ();

  c2g_net_set_device_graph (c2g_predictor_get_net (predictor), TRUE);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (C2gTensor) x = new_input (i);
      g_autoptr (C2gTensor) expected = NULL, result = NULL;

      if (i == 5)
        {
          change_parameter (c2g_predictor_get_workspace (near), 9);
          change_parameter (c2g_predictor_get_workspace (predictor), 9);
        }
      expected = run (near, x);
      result = run (predictor, x);
      assert_near (result, expected);
    }
  g_assert_cmpint (count_replays () - n_before, ==, 6);
}

/* The model of the folder finds the same, and is saved as it was written. */
static void
check_model (GFile        *folder,
             const gint64 *dims)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) written =
    c2g_predictor_load (folder, NULL, first_device (), C2G_OPTIMIZE_ALL, NULL, &error);
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_load (folder, NULL, first_device (), HALF, NULL, &error);
  g_autofree char *operators = NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gWorkspace) inputs = c2g_workspace_new ();
      g_autoptr (C2gTensor) x = NULL, expected = NULL, result = NULL;

      nets_add_input (inputs, "x", dims, 4);
      x = nets_fetch (inputs, "x", c2g_device_cpu ());
      expected = run (written, x);
      result = run (predictor, x);
      assert_near (result, expected);
    }
  operators = list_operators (predictor);
  g_assert_nonnull (strstr (operators, "Conv*"));
  assert_saves_as (predictor, written);
}

static void
test_digits (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "..", "examples", "models", "digits", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  check_model (folder, (const gint64[]) { 3, 1, 8, 8 });
}

static void
test_models (void)
{
  if (needs_fake () && !c2g_test_skip_if_quick ())
    nets_foreach_model (check_model);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/half/layers", test_layers);
  add_clean_func ("/cuda/half/flags", test_flags);
  add_clean_func ("/cuda/half/devices", test_devices);
  add_clean_func ("/cuda/half/given", test_given);
  add_clean_func ("/cuda/half/changes", test_changes);
  add_clean_func ("/cuda/half/foreign", test_foreign);
  add_clean_func ("/cuda/half/unknown-type", test_unknown_type);
  add_clean_func ("/cuda/half/failure", test_failure);
  add_clean_func ("/cuda/half/passing-failure", test_passing_failure);
  add_clean_func ("/cuda/half/operators", test_operators);
  add_clean_func ("/cuda/half/graph", test_graph);
  add_clean_func ("/cuda/half/digits", test_digits);
  c2g_test_add_func ("/cuda/half/models", test_models);

  return run_on_device ();
}
