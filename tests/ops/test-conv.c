/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/operator/c2g-operator-private.h>

#include <string.h>

#define MAX_INPUTS 4
#define MAX_DIMS   8

static void
add_input (C2gWorkspace   *workspace,
           C2gOperatorDef *def,
           const char     *name,
           const char     *shape,
           C2gDataType     data_type)
{
  g_auto (GStrv) sizes = g_strsplit (shape, "x", MAX_DIMS);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  gint64 dims[MAX_DIMS];
  gsize n_dims = 0;

  g_assert_no_error (error);
  for (; sizes[n_dims] != NULL; n_dims++)
    dims[n_dims] = g_ascii_strtoll (sizes[n_dims], NULL, 10);

  tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  g_assert_no_error (error);
  if (c2g_tensor_get_n_elements (tensor) > 0)
    memset (c2g_tensor_address (tensor), 0, c2g_tensor_get_n_bytes (tensor));
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  c2g_operator_def_add_input (def, name);
}

/* Shapes of the inputs are written like "2x3 4". */
static C2gOperator *
new_operator (C2gWorkspace  *workspace,
              const char    *type,
              const char    *arguments,
              const char    *shapes,
              C2gDataType    data_type,
              GError       **error)
{
  static const char *const names[MAX_INPUTS] = { "X", "weights", "bias", "sum" };
  g_autofree char *text =
      g_strdup_printf ("op { type: '%s' output: 'Y' %s }", type, arguments);
  g_autofree char *trimmed = g_strchomp (g_strdup (shapes));
  g_auto (GStrv) inputs = g_strsplit (trimmed, " ", MAX_INPUTS);
  g_autoptr (GError) text_error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &text_error);
  g_autoptr (C2gOperatorDef) def = NULL;

  g_assert_no_error (text_error);
  def = c2g_operator_def_copy (c2g_net_def_get_operator (net, 0));
  for (int i = 0; inputs[i] != NULL; i++)
    add_input (workspace, def, names[i], inputs[i], data_type);
  return c2g_operator_create (def, workspace, error);
}

#define I(name, value)  "arg { name: '" name "' i: " #value " } "
#define L(name, values) "arg { name: '" name "' " values " } "

#define X3   "2x3x5x7 "
#define W333 "4x3x3x3 "

typedef struct
{
  const char  *path;
  const char  *type;
  const char  *arguments;
  int          code;
  const char  *named;
  const char  *inputs;
  C2gDataType  data_type;
} Failure;

static const Failure set_ups[] = {
  { "no-kernel", "Conv", "", C2G_ERROR_INVALID_ARGUMENT, "“kernel”" },
  { "half-a-kernel", "Conv", I ("kernel_h", 3), C2G_ERROR_INVALID_ARGUMENT, "“kernel”" },
  { "kernel-0", "Conv", I ("kernel", 0), C2G_ERROR_RANGE, "“kernel” is 0" },
  { "kernel-negative", "Conv", L ("kernels", "ints: 3 ints: -1"), C2G_ERROR_RANGE, "-1" },
  { "kernel-huge", "Conv", I ("kernel", 2147483648), C2G_ERROR_RANGE, "2147483648" },
  { "kernel-float", "Conv", "arg { name: 'kernel' f: 3 }", C2G_ERROR_TYPE, "“kernel”" },
  { "kernel-string", "Conv", "arg { name: 'kernels' s: '3' }", C2G_ERROR_TYPE, "“kernels”" },
  { "kernel-4", "Conv", L ("kernels", "ints: 1 ints: 1 ints: 1 ints: 1"),
    C2G_ERROR_NOT_SUPPORTED, "“kernels”" },
  { "stride-0", "Conv", I ("kernel", 3) I ("stride", 0), C2G_ERROR_RANGE, "“stride” is 0" },
  { "stride-negative", "Conv", I ("kernel", 3) I ("stride_h", -2) I ("stride_w", 1),
    C2G_ERROR_RANGE, "-2" },
  { "strides-3", "Conv", I ("kernel", 3) L ("strides", "ints: 1 ints: 1 ints: 1"),
    C2G_ERROR_INVALID_ARGUMENT, "“strides” has 3" },
  { "dilation-0", "Conv", I ("kernel", 3) I ("dilation", 0), C2G_ERROR_RANGE, "“dilation”" },
  { "pad-negative", "Conv", I ("kernel", 3) I ("pad", -1), C2G_ERROR_RANGE, "“pad” is -1" },
  { "pads-2", "Conv", I ("kernel", 3) L ("pads", "ints: 1 ints: 1"), C2G_ERROR_INVALID_ARGUMENT,
    "“pads” has 2" },
  { "pad-and-valid", "Conv", I ("kernel", 3) I ("pad", 1) I ("legacy_pad", 1),
    C2G_ERROR_INVALID_ARGUMENT, "“legacy_pad”" },
  { "legacy-pad-4", "Conv", I ("kernel", 3) I ("legacy_pad", 4), C2G_ERROR_RANGE,
    "“legacy_pad” is 4" },
  { "group-0", "Conv", I ("kernel", 3) I ("group", 0), C2G_ERROR_RANGE, "“group” is 0" },
  { "group-huge", "Conv", I ("kernel", 3) I ("group", 4294967297), C2G_ERROR_RANGE,
    "4294967297" },
  { "order", "Conv", I ("kernel", 3) "arg { name: 'order' s: 'CHWN' }",
    C2G_ERROR_INVALID_ARGUMENT, "“CHWN”" },
  { "no-fusion", "ConvFusion", I ("kernel", 3), C2G_ERROR_INVALID_ARGUMENT, "“fusion_type”" },
  { "fusion-4", "ConvFusion", I ("kernel", 3) I ("fusion_type", 4), C2G_ERROR_RANGE,
    "“fusion_type” is 4" },
  { "fusion-float", "ConvFusion", I ("kernel", 3) "arg { name: 'fusion_type' f: 1 }",
    C2G_ERROR_TYPE, "“fusion_type”" },
  { "fusion-no-sum", "ConvFusion", I ("kernel", 3) I ("fusion_type", 2),
    C2G_ERROR_INVALID_ARGUMENT, "2 inputs" },
  { "transposed-adj", "ConvTranspose", I ("kernel", 3) I ("adj", 2), C2G_ERROR_RANGE, "“adj”" },
  { "lc-no-kernel", "LC", "", C2G_ERROR_INVALID_ARGUMENT, "“kernel”" },
  { "fc-axis", "FC", "arg { name: 'axis' s: 'x' }", C2G_ERROR_TYPE, "“axis”" },
  { "matmul-trans", "MatMul", "arg { name: 'trans_a' f: 1 }", C2G_ERROR_TYPE, "“trans_a”" },
};

static void
test_set_up (gconstpointer data)
{
  const Failure *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  op = new_operator (workspace, test->type, test->arguments,
                     g_str_equal (test->type, "FC") ? "1 1 1" : "1 1", C2G_DATA_TYPE_FLOAT,
                     &error);
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_null (op);
  g_assert_nonnull (strstr (error->message, test->named));
}

static const Failure runs[] = {
  { "type", "Conv", I ("kernel", 3), C2G_ERROR_TYPE,
    "“X”, has elements of type double, expected float; convert it to float", X3 W333, C2G_DATA_TYPE_DOUBLE },
  { "type-integers", "Conv", I ("kernel", 3), C2G_ERROR_TYPE,
    "“X”, has elements of type int64, expected float; convert it to float", X3 W333, C2G_DATA_TYPE_INT64 },
  { "rank", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“X”", "3x5x7 " W333 },
  { "rank-list", "Conv", L ("kernels", "ints: 3"), C2G_ERROR_SHAPE, "“X”", X3 W333 },
  { "no-channels", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“X”", "2x0x5x7 " W333 },
  { "no-pixels", "Conv", I ("kernel", 3) I ("pad", 2), C2G_ERROR_SHAPE, "“X”",
    "2x3x0x7 " W333 },
  { "too-small", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“X”", "2x3x5x2 " W333 },
  { "too-small-padded", "Conv", I ("kernel", 3) I ("pad", 1) I ("dilation", 4), C2G_ERROR_SHAPE,
    "“X”", "2x3x6x9 " W333 },
  { "too-small-valid", "Conv", I ("kernel", 3) I ("stride", 5) I ("legacy_pad", 1),
    C2G_ERROR_SHAPE, "“X”", "2x3x5x2 " W333 },
  { "reach-overflow", "Conv", I ("kernel", 2147483647) I ("dilation", 2147483647),
    C2G_ERROR_SHAPE, "“X”", X3 W333 },
  { "filter-channels", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE,
    ", expected the order NCHW with C = 2, for the filters are [4, 2, 3, 3]", X3 "4x2x3x3" },
  { "filter-channels-nhwc", "Conv", I ("kernel", 3) "arg { name: 'order' s: 'NHWC' }", C2G_ERROR_SHAPE,
    ", expected the order NHWC with C = 2, for the filters are [4, 3, 3, 2]", X3 "4x3x3x2" },
  { "filter-channels-groups", "Conv", I ("kernel", 3) I ("group", 3), C2G_ERROR_SHAPE,
    ", expected the order NCHW with C = 6, for the filters are [6, 2, 3, 3]", X3 "6x2x3x3" },
  { "filter-size", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“weights”", X3 "4x3x3x2" },
  { "filter-rank", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“weights”", X3 "4x3x9" },
  { "filter-order", "Conv", I ("kernel", 3) "arg { name: 'order' s: 'NHWC' }", C2G_ERROR_SHAPE,
    "the order NHWC with C = 3", X3 W333 },
  { "no-filters", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“weights”", X3 "0x3x3x3" },
  { "groups", "Conv", I ("kernel", 3) I ("group", 2), C2G_ERROR_SHAPE, "“X”", X3 W333 },
  { "filter-groups", "Conv", I ("kernel", 3) I ("group", 3), C2G_ERROR_SHAPE, "“weights”",
    X3 "4x1x3x3" },
  { "bias", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“bias”", X3 W333 "5" },
  { "bias-rank", "Conv", I ("kernel", 3), C2G_ERROR_SHAPE, "“bias”", X3 W333 "4x1" },
  { "fused-bias", "ConvFusion", I ("kernel", 3) I ("fusion_type", 1), C2G_ERROR_SHAPE, "“bias”",
    X3 W333 "2x4x3x5" },
  { "sum", "ConvFusion", I ("kernel", 3) I ("fusion_type", 3), C2G_ERROR_SHAPE, "“sum”",
    X3 W333 "4 2x4x5x3" },
  { "output-overflow", "Conv", I ("kernel", 3) I ("pad", 2147483647), C2G_ERROR_RANGE,
    "4294967299", X3 W333 },
  { "transposed-overflow", "ConvTranspose", I ("kernel", 3) I ("stride", 2147483647),
    C2G_ERROR_RANGE, "8589934591", "1x4x5x5 " W333 },
  { "transposed-dilation", "ConvTranspose", I ("kernel", 3) I ("dilation", 2147483647),
    C2G_ERROR_RANGE, "4294967299", "1x4x5x5 " W333 },
  { "transposed-pads", "ConvTranspose", I ("kernel", 3) I ("pad", 2147483647), C2G_ERROR_SHAPE,
    "“X”", "1x4x5x5 " W333 },
  { "fc-weights", "FC", "", C2G_ERROR_SHAPE, "“weights”", "2x3 4x2 4" },
  { "fc-axis", "FC", I ("axis", 2), C2G_ERROR_SHAPE, "“X”", "2x3 4x3 4" },
  { "fc-axis-w", "FC", I ("axis_w", -3), C2G_ERROR_SHAPE, "“weights”",
    "2x3 4x3 4" },
  { "batch", "BatchMatMul", "", C2G_ERROR_SHAPE, "“weights”", "2x3x4 3x4x5" },
};

static void
test_run (gconstpointer data)
{
  const Failure *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  op = new_operator (workspace, test->type, test->arguments, test->inputs,
                     test->data_type != 0 ? test->data_type : C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_nonnull (strstr (error->message, test->named));
}

typedef struct
{
  const char *path;
  const char *type;
  const char *arguments;
  double      n_flops;
  const char *inputs;
} Steady;

#define NHWC "arg { name: 'order' s: 'NHWC' }"

static const Steady steadies[] = {
  { "conv", "Conv", I ("kernel", 3), 2 * 4 * 15 * 55, X3 W333 "4" },
  { "conv-images", "Conv", I ("kernel", 3) I ("pad", 1), 20. * 4 * 12 * 12 * 2 * 36,
    "20x4x12x12 4x4x3x3" },
  { "conv-last", "Conv", I ("kernel", 3) NHWC, 2 * 4 * 15 * 54,
    "2x5x7x3 4x3x3x3" },
  { "conv-1x1", "Conv", I ("kernel", 1), 2 * 4 * 35 * 6, X3 "4x3x1x1" },
  { "fusion-relu", "ConvFusion", I ("kernel", 3) I ("fusion_type", 1), 2 * 4 * 15 * 56,
    X3 W333 "4" },
  { "fusion-sum", "ConvFusion", I ("kernel", 3) I ("fusion_type", 2) NHWC, 2 * 4 * 15 * 55,
    "2x5x7x3 4x3x3x3 2x3x5x4" },
  { "fusion-sum-relu", "ConvFusion", I ("kernel", 3) I ("fusion_type", 3), 2 * 4 * 15 * 57,
    X3 W333 "4 2x4x3x5" },
  { "depthwise", "Conv", I ("kernel", 3) I ("group", 3), 2 * 3 * 15 * 18, X3 "3x1x3x3" },
  { "depthwise-last", "Conv", I ("kernel", 3) I ("group", 3) NHWC, 2 * 3 * 15 * 18,
    "2x5x7x3 3x3x3x1" },
  { "conv-transpose", "ConvTranspose", I ("kernel", 3), 2. * 2 * 4 * 35 * 27 + 2 * 3 * 63,
    "2x4x5x7 " W333 "3" },
  { "lc", "LC", I ("kernel", 3), 2 * 4 * 15 * 54, X3 "3x5x4x3x3x3" },
  { "fc", "FC", "", 2 * 5 * 4 * 3 + 5 * 4, "5x3 4x3 4" },
  { "matmul", "MatMul", "", 2 * 5 * 4 * 3, "5x3 3x4" },
  { "batch-matmul", "BatchMatMul", "", 2 * 7 * 5 * 4 * 3, "7x5x3 7x3x4" },
};

/* The second run needs no memory of an allocator, and reports its number of operations. What the
 * library for products of matrices allocates while it computes is its own. */
static void
test_steady (gconstpointer data)
{
  const Steady *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (C2gAllocator) tracking = c2g_tracking_allocator_new (usual);
  C2gTrackingAllocator *counts = C2G_TRACKING_ALLOCATOR (tracking);
  C2gOperatorPrivate *priv;
  guint64 n_before;

  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), tracking, NULL));
  op = new_operator (workspace, test->type, test->arguments, test->inputs, C2G_DATA_TYPE_FLOAT,
                     &error);
  g_assert_no_error (error);
  for (int i = 0; i < 2; i++)
    {
      n_before = c2g_tracking_allocator_get_n_allocations (counts);
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (n_before, >, 0);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (counts), ==, n_before);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), usual, NULL));

  priv = c2g_operator_get_private (op);
  g_assert_cmpfloat (priv->kernel->count_flops (op, priv->state), ==, test->n_flops);
}

static void
add_cases (const Failure *cases,
           gsize          n,
           const char    *folder,
           GTestDataFunc  func)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/conv/%s/%s", folder, cases[i].path);

      g_test_add_data_func (path, &cases[i], func);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_cases (set_ups, G_N_ELEMENTS (set_ups), "set-up", test_set_up);
  add_cases (runs, G_N_ELEMENTS (runs), "run", test_run);
  for (gsize i = 0; i < G_N_ELEMENTS (steadies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/conv/steady/%s", steadies[i].path);

      g_test_add_data_func (path, &steadies[i], test_steady);
    }

  return c2g_test_run ();
}
