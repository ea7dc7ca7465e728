/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/op-cases.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

/* Operators that fill and move elements: they report errors, and allocate nothing in their second
 * run. */

static const OpFailure failures[] = {
  { "fill-count", "",
    "type: 'GivenTensorFill' output: 'y' arg { name: 'shape' ints: 3 }",
    C2G_ERROR_INVALID_ARGUMENT, "Expected 3 values of type float, got 0" },
  { "fill-size", "",
    "type: 'ConstantFill' output: 'y' arg { name: 'shape' ints: [4294967296, 4294967296] }",
    C2G_ERROR_RANGE, "4294967296" },
  { "fill-negative", "",
    "type: 'XavierFill' output: 'y' arg { name: 'shape' ints: [2, -1] }",
    C2G_ERROR_SHAPE, "[2, -1]" },
  { "fill-memory", "",
    "type: 'RangeFill' output: 'y' arg { name: 'shape' ints: 1152921504606846976 }",
    C2G_ERROR_NO_MEMORY, "" },
  { "reshape", FLOATS ("x", "2, 3"),
    "type: 'Reshape' input: 'x' output: 'y' arg { name: 'shape' ints: [4, -1] }",
    C2G_ERROR_SHAPE, "“x”, has the shape [2, 3]" },
  { "reshape-two", FLOATS ("x", "4"),
    "type: 'Reshape' input: 'x' output: 'y' arg { name: 'shape' ints: [-1, -1] }",
    C2G_ERROR_SHAPE, "[-1, -1]" },
  { "concat", FLOATS ("a", "2, 3") FLOATS ("b", "3, 3"),
    "type: 'Concat' input: 'a' input: 'b' output: 'y' arg { name: 'axis' i: 1 }",
    C2G_ERROR_SHAPE, "“b”, has the shape [3, 3], expected [2, 3] but for the axis 1" },
  { "split-sum", FLOATS ("x", "5"),
    "type: 'Split' input: 'x' output: 'y' output: 'z' "
    "arg { name: 'axis' i: 0 } arg { name: 'split' ints: [2, 2] }",
    C2G_ERROR_SHAPE, "“x”" },
  { "split-length", FLOATS ("x", "5") INDICES ("s", "2", "6, -1"),
    "type: 'Split' input: 'x' input: 's' output: 'y' output: 'z' arg { name: 'axis' i: 0 }",
    C2G_ERROR_RANGE, "“s”, has the length -1 at 1" },
  { "transpose", FLOATS ("x", "2, 3"),
    "type: 'Transpose' input: 'x' output: 'y' arg { name: 'axes' ints: [1, 1] }",
    C2G_ERROR_INVALID_ARGUMENT, "“axes” has 1" },
  { "slice", FLOATS ("x", "4"),
    "type: 'Slice' input: 'x' output: 'y' "
    "arg { name: 'starts' ints: 3 } arg { name: 'ends' ints: -9223372036854775808 }",
    C2G_ERROR_SHAPE, "“x”" },
  { "gather", FLOATS ("x", "4") INDICES ("i", "2", "0, 4"),
    "type: 'Gather' input: 'x' input: 'i' output: 'y'",
    C2G_ERROR_RANGE, "“i”, has the index 4 at 1, expected 0 or more and below 4" },
  { "gather-negative", FLOATS ("x", "1, 4") INDICES ("i", "2", "0, -1"),
    "type: 'BatchGather' input: 'x' input: 'i' output: 'y'",
    C2G_ERROR_RANGE, "“i”, has the index -1 at 1, expected 0 or more and below 4" },
  { "tile", FLOATS ("x", "4"),
    "type: 'Tile' input: 'x' output: 'y' arg { name: 'tiles' i: 4611686018427387904 }",
    C2G_ERROR_RANGE, "4611686018427387904 times" },
  { "pad", FLOATS ("x", "1, 1, 2, 2"),
    "type: 'PadImage' input: 'x' output: 'y' arg { name: 'pad' i: -2 }",
    C2G_ERROR_SHAPE, "“x”" },
  { "top-k", FLOATS ("x", "4"),
    "type: 'TopK' input: 'x' output: 'y' output: 'z' arg { name: 'k' i: 4611686018427387904 }",
    C2G_ERROR_RANGE, "4611686018427387904" },
  { "top-k-missing", FLOATS ("x", "4"), "type: 'TopK' input: 'x' output: 'y' output: 'z'",
    C2G_ERROR_INVALID_ARGUMENT, "“k” is missing" },
  { "index-hash-missing", INDICES ("x", "1", "1"), "type: 'IndexHash' input: 'x' output: 'y'",
    C2G_ERROR_INVALID_ARGUMENT, "“modulo” is missing" },
  { "other-capitals", FLOATS ("x", "4"), "type: 'cOPY' input: 'x' output: 'y'",
    C2G_ERROR_NOT_FOUND, "but there is “Copy”" },
  { "letter-too-much", FLOATS ("x", "4"), "type: 'Reluu' input: 'x' output: 'y'",
    C2G_ERROR_NOT_FOUND, "but there is “Relu”" },
  { "letters-swapped", FLOATS ("x", "4"), "type: 'Sotfmax' input: 'x' output: 'y'",
    C2G_ERROR_NOT_FOUND, "but there is “Softmax”" },
  { "letter-missing", FLOATS ("x", "4"), "type: 'Softmx' input: 'x' output: 'y'",
    C2G_ERROR_NOT_FOUND, "but there is “Softmax”" },
  { "other-letter", FLOATS ("x", "4"), "type: 'Softmix' input: 'x' output: 'y'",
    C2G_ERROR_NOT_FOUND, "but there is “Softmax”" },
  { "cast-unknown", FLOATS ("x", "4"),
    "type: 'Cast' input: 'x' output: 'y' arg { name: 'to' s: 'flaot' }",
    C2G_ERROR_NOT_FOUND, "“flaot”, there are: float, int32" },
  { "rate-unknown", INDICES ("x", "1", "1"),
    "type: 'LearningRate' input: 'x' output: 'y' arg { name: 'base_lr' f: 1.0 } "
    "arg { name: 'policy' s: 'none' }",
    C2G_ERROR_INVALID_ARGUMENT, "“none” for rates of learning, there are: fixed, alter" },
  { "one-hot", INDICES ("x", "1", "1") INDICES ("n", "1", "-1"),
    "type: 'OneHot' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "is -1" },
  { "no-data", "",
    "type: 'Copy' input: 'empty' output: 'y'",
    C2G_ERROR_TYPE, "empty" },
};

static const OpRepeated repeated[] = {
  { "",
    "type: 'ConstantFill' output: 'y' arg { name: 'shape' ints: [100, 30] }" },
  { "",
    "type: 'UniformFill' output: 'y' arg { name: 'shape' ints: [100, 30] }" },
  { "",
    "type: 'Float16UniformFill' output: 'y' arg { name: 'shape' ints: [100, 30] }" },
  { FLOATS ("x", "60, 50"),
    "type: 'Copy' input: 'x' output: 'y'" },
  { FLOATS ("x", "60, 50"),
    "type: 'Alias' input: 'x' output: 'y'" },
  { FLOATS ("x", "60, 50"),
    "type: 'Reshape' input: 'x' output: 'y' output: 'z' arg { name: 'shape' ints: [-1, 30] }" },
  { FLOATS ("x", "60, 50"),
    "type: 'Transpose' input: 'x' output: 'y'" },
  { FLOATS ("x", "2, 3, 8, 8"),
    "type: 'NCHW2NHWC' input: 'x' output: 'y'" },
  { FLOATS ("x", "60, 50"),
    "type: 'Concat' input: 'x' input: 'x' output: 'y' output: 'z'" },
  { FLOATS ("x", "60, 50"),
    "type: 'Split' input: 'x' output: 'y' output: 'z'" },
  { FLOATS ("x", "60, 50"),
    "type: 'Slice' input: 'x' output: 'y' "
    "arg { name: 'starts' ints: [1, 2] } arg { name: 'ends' ints: [50, 40] }" },
  { FLOATS ("x", "60, 50") INDICES ("i", "3", "0, 5, 9"),
    "type: 'Gather' input: 'x' input: 'i' output: 'y'" },
  { FLOATS ("x", "60, 50"),
    "type: 'Tile' input: 'x' output: 'y' arg { name: 'tiles' i: 3 }" },
  { FLOATS ("x", "60, 50"),
    "type: 'TopK' input: 'x' output: 'y' output: 'z' arg { name: 'k' i: 7 }" },
  { FLOATS ("x", "2, 3, 8, 8"),
    "type: 'PadImage' input: 'x' output: 'y' arg { name: 'pad' i: 2 }" },
  { FLOATS ("x", "2, 3, 8, 8"),
    "type: 'ResizeNearest' input: 'x' output: 'y' arg { name: 'width_scale' f: 2 }" },
  { FLOATS ("x", "2, 3, 8, 8"),
    "type: 'UpsampleBilinear' input: 'x' output: 'y' arg { name: 'width_scale' f: 2 }" },
  { FLOATS ("x", "2, 3, 8, 8"),
    "type: 'IntegralImage' input: 'x' output: 'y'" },
  { INDICES ("x", "6", "3, 1, 3, 3, 2, 1"),
    "type: 'Unique' input: 'x' output: 'y' output: 'z'" },
  { FLOATS ("x", "300"),
    "type: 'FindDuplicateElements' input: 'x' output: 'y'" },
};

static void
test_repeated (void)
{
  op_case_check_repeated (repeated, G_N_ELEMENTS (repeated));
}

/* The operator must not copy into read-only memory, nor move the tensor out of it. */
static void
test_read_only (void)
{
  static const float items[4] = { 1, 2, 3, 4 };
  const gint64 dims[] = { 2, 2 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (items, sizeof items);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor =
      c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, dims, 2, bytes, &error);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", NULL);
  g_autoptr (C2gOperator) flatten = NULL;
  g_autoptr (C2gOperator) scatter = NULL;

  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  flatten = op_case_new_last (workspace, "", "type: 'FlattenToVec' input: 'x' output: 'x'", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_operator_run (flatten, &error));
  g_assert_true (c2g_tensor_address (tensor) == (gpointer) items);
  g_assert_cmpuint (tensor->n_dims, ==, 1);

  scatter = op_case_new_last (workspace, INDICES ("i", "1", "2") FLOATS ("s", "1"),
                      "type: 'ScatterAssign' input: 'x' input: 'i' input: 's' output: 'x'", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_operator_run (scatter, &error));
  g_assert_cmpfloat (items[2], ==, 3);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 2, NULL), ==, 1);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 3, NULL), ==, 4);
}

/* Three images of three channels, large enough that threads share them. */
#define N_IMAGES   3
#define N_CHANNELS 3
#define N_PIXELS   (90 * 100)
#define N_FLOATS   (N_IMAGES * N_CHANNELS * N_PIXELS)

static const float *
get_floats (C2gWorkspace *workspace,
            const char   *name,
            gint64        n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, name, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tensor->n_elements, ==, n);
  return c2g_tensor_address (tensor);
}

/* Element i of x is i. */
static void
check_moved (C2gWorkspace *workspace)
{
  const float *joined = get_floats (workspace, "joined", 2 * N_FLOATS);
  const float *stacked = get_floats (workspace, "stacked", 2 * N_FLOATS);
  const float *turned = get_floats (workspace, "turned", N_FLOATS);
  const float *back = get_floats (workspace, "back", N_FLOATS);

  for (int i = 0; i < N_FLOATS; i++)
    {
      const int image = i / (N_CHANNELS * N_PIXELS);
      const int channel = i / N_PIXELS % N_CHANNELS;

      g_assert_cmpfloat (joined[i + image * N_CHANNELS * N_PIXELS], ==, i);
      g_assert_cmpfloat (joined[i + (image + 1) * N_CHANNELS * N_PIXELS], ==, i);
      g_assert_cmpfloat (stacked[i], ==, i);
      g_assert_cmpfloat (stacked[N_FLOATS + i], ==, i);
      g_assert_cmpfloat (turned[(image * N_PIXELS + i % N_PIXELS) * N_CHANNELS + channel], ==, i);
      g_assert_cmpfloat (back[i], ==, i);
    }
}

/* Concat and the change of layout move the same elements with any number of threads. */
static void
test_threads (void)
{
  static const char net[] =
    "op { type: 'RangeFill' output: 'x' arg { name: 'shape' ints: [3, 3, 90, 100] } } "
    "op { type: 'Concat' input: 'x' input: 'x' output: 'joined' output: 'a' } "
    "op { type: 'Concat' input: 'x' input: 'x' output: 'stacked' output: 'b' "
    "arg { name: 'axis' i: 0 } } "
    "op { type: 'NCHW2NHWC' input: 'x' output: 'turned' } "
    "op { type: 'NHWC2NCHW' input: 'turned' output: 'back' }";
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (net, &error);
  const guint n_threads = c2g_settings_get_n_threads (settings);

  g_assert_no_error (error);
  for (guint n = 1; n <= 5; n++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

      c2g_settings_set_n_threads (settings, n);
      g_assert_true (c2g_workspace_run_net_once (workspace, def, NULL, &error));
      g_assert_no_error (error);
      check_moved (workspace);
    }
  c2g_settings_set_n_threads (settings, n_threads);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  op_case_add_failures ("/shape/failure/", failures, G_N_ELEMENTS (failures));
  c2g_test_add_func ("/shape/repeated", test_repeated);
  c2g_test_add_func ("/shape/read-only", test_read_only);
  c2g_test_add_func ("/shape/threads", test_threads);

  return c2g_test_run ();
}
