/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/count-allocations.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/operator/c2g-operator-private.h>

#include <string.h>

#define MAX_DIMS 40

static C2gDataType
parse_type (char letter)
{
  static const char letters[] = "fdilbsu";
  static const C2gDataType types[] = {
    C2G_DATA_TYPE_FLOAT,
    C2G_DATA_TYPE_DOUBLE,
    C2G_DATA_TYPE_INT32,
    C2G_DATA_TYPE_INT64,
    C2G_DATA_TYPE_BOOL,
    C2G_DATA_TYPE_FLOAT16,
    C2G_DATA_TYPE_UINT8,
  };

  return types[strchr (letters, letter) - letters];
}

/* All elements are 1. A shape is written like "f2x3": a letter for the type, and dimensions. */
static void
add_input (C2gWorkspace *workspace,
           C2gOperatorDef *def,
           const char *name,
           const char *shape)
{
  g_auto (GStrv) sizes = g_strsplit (shape + 1, "x", MAX_DIMS);
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
  c2g_tensor_allocate (tensor, parse_type (*shape), &error);
  g_assert_no_error (error);
  if (tensor->n_elements > 0)
    c2g_element_fill (tensor->meta, c2g_tensor_address (tensor), tensor->n_elements, 1, &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  c2g_operator_def_add_input (def, name);
}

static C2gOperator *
new_operator (C2gWorkspace *workspace,
              const char *type,
              const char *arguments,
              const char *shapes,
              GError **error)
{
  static const char *const names[] = { "A", "B", "C", "D", "E" };
  g_autofree char *text =
      g_strdup_printf ("op { type: '%s' output: 'Y' %s }", type, arguments);
  g_auto (GStrv) inputs = g_strsplit (shapes, " ", G_N_ELEMENTS (names));
  g_autoptr (GError) text_error = NULL;
  g_autoptr (C2gNetDef) net = c2g_net_def_new_from_text (text, &text_error);
  g_autoptr (C2gOperatorDef) def = NULL;

  g_assert_no_error (text_error);
  def = c2g_operator_def_copy (c2g_net_def_get_operator (net, 0));
  for (int i = 0; inputs[i] != NULL; i++)
    add_input (workspace, def, names[i], inputs[i]);
  return c2g_operator_create (def, workspace, error);
}

#define I(name, value) "arg { name: '" name "' i: " #value " } "
#define F(name, value) "arg { name: '" name "' f: " #value " } "
#define S(name, value) "arg { name: '" name "' s: '" value "' } "

typedef struct
{
  const char *path;
  const char *type;
  const char *arguments;
  const char *inputs;
  int code;
  const char *named;
} Failure;

static const Failure set_ups[] = {
  { "alpha", "LeakyRelu", I ("alpha", 1), "f3", C2G_ERROR_TYPE, "“alpha”" },
  { "scale", "Selu", F ("scale", 0.5), "f3", C2G_ERROR_INVALID_ARGUMENT, "“scale” is 0.5" },
  { "order", "PRelu", S ("order", "CHWN"), "f3x2 f2", C2G_ERROR_INVALID_ARGUMENT, "“CHWN”" },
  { "dim", "Glu", I ("dim", 4294967296), "f4", C2G_ERROR_RANGE, "4294967296" },
  { "axis", "Add", I ("axis", -9223372036854775808), "f3 f3", C2G_ERROR_RANGE,
    "-9223372036854775808" },
  { "axis-str", "Add", I ("broadcast", 1) S ("axis_str", "Z"), "f3 f3",
    C2G_ERROR_INVALID_ARGUMENT, "“Z”" },
  { "axis-twice", "EQ", I ("broadcast", 1) I ("axis", 0) S ("axis_str", "C"), "f3 f3",
    C2G_ERROR_INVALID_ARGUMENT, "“axis_str”" },
  { "exponent", "Pow", "", "f3", C2G_ERROR_INVALID_ARGUMENT, "“exponent”" },
  { "to", "Cast", I ("to", 4), "f3", C2G_ERROR_NOT_SUPPORTED, "string" },
  { "to-nothing", "Cast", S ("to", "colour"), "f3", C2G_ERROR_NOT_FOUND, "“colour”" },
  { "threshold", "ClipTensorByScaling", F ("threshold", -1), "f3 f1",
    C2G_ERROR_INVALID_ARGUMENT, "“threshold” is -1" },
  { "axes", "ReduceSum", F ("axes", 1), "f3", C2G_ERROR_TYPE, "“axes”" },
  { "num-reduce-dim", "ReduceFrontSum", I ("num_reduce_dim", -2), "f3",
    C2G_ERROR_INVALID_ARGUMENT, "“num_reduce_dim” is -2" },
  { "lengths", "ReduceBackMean", I ("num_reduce_dim", 2), "f3x2 i3", C2G_ERROR_INVALID_ARGUMENT,
    "“num_reduce_dim” is 2" },
  { "p", "LpNorm", I ("p", 3), "f3", C2G_ERROR_INVALID_ARGUMENT, "“p” is 3" },
  { "embedding-size", "SinusoidPositionEncoding", I ("embedding_size", -1), "i3x2",
    C2G_ERROR_INVALID_ARGUMENT, "“embedding_size” is -1" },
};

static void
test_set_up (gconstpointer data)
{
  const Failure *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  op = new_operator (workspace, test->type, test->arguments, test->inputs, &error);
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_null (op);
  g_assert_nonnull (strstr (error->message, test->named));
}

#define HUGE "4611686018427387904"
#define RANK_33 "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"

static const Failure runs[] = {
  { "type", "Sigmoid", "", "d3", C2G_ERROR_TYPE, "“A”" },
  { "other-type", "Add", "", "f3 i3", C2G_ERROR_TYPE, "“B”" },
  { "shape", "Mul", "", "f2x3 f2", C2G_ERROR_SHAPE, "“B”" },
  { "rank", "Add", "", "f" RANK_33 " f1", C2G_ERROR_SHAPE, "“A”" },
  { "rank-reduce", "ReduceMax", "", "f" RANK_33, C2G_ERROR_SHAPE, "“A”" },
  { "empty-overflow", "Add", "", "f0x" HUGE "x1 f0x1x" HUGE, 0, NULL },
  { "prelu", "PRelu", "", "f2x3x4 f4", C2G_ERROR_SHAPE, "“B”" },
  { "prelu-empty", "PRelu", "", "f0x2x" HUGE "x" HUGE " f2", C2G_ERROR_RANGE, HUGE },
  { "glu-empty", "Glu", I ("dim", 1), "f0x" HUGE "x" HUGE, C2G_ERROR_RANGE, "" },
  { "sum", "Sum", "", "f3 f3 f4", C2G_ERROR_SHAPE, "“C”" },
  { "sum-type", "Sum", "", "s3 s3", C2G_ERROR_TYPE, "“A”" },
  { "weights", "WeightedSum", "", "f3 f1 f3 f2", C2G_ERROR_SHAPE, "“D”" },
  { "no-weight", "WeightedSum", "", "f3 f1 f3", C2G_ERROR_INVALID_ARGUMENT, "3" },
  { "scatter", "ScatterWeightedSum", "", "f3 f1 i1 f1 f1", C2G_ERROR_INVALID_ARGUMENT, "“Y”" },
  { "scatter-range", "ScatterWeightedSum", "", "f1 f1 i1 f1 f1", C2G_ERROR_RANGE, "“C”" },
  { "where", "Where", "", "b2 f3 f3", C2G_ERROR_SHAPE, "“A”" },
  { "linear", "ElementwiseLinear", "", "f2x3 f3 f2", C2G_ERROR_SHAPE, "“C”" },
  { "linear-axis", "ElementwiseLinear", I ("axis", 7), "f2x3 f3 f3", C2G_ERROR_SHAPE, "7" },
  { "reduce-huge", "ReduceSum", "arg { name: 'axes' ints: 0 }", "f0x" HUGE "x" HUGE,
    C2G_ERROR_RANGE, HUGE },
  { "reduce-axis", "ReduceSum", "arg { name: 'axes' ints: 9223372036854775807 }", "f3",
    C2G_ERROR_SHAPE, "9223372036854775807" },
  { "reduce-front", "ReduceFrontSum", I ("num_reduce_dim", 2147483647), "f3", C2G_ERROR_SHAPE,
    "2147483647" },
  { "length", "ReduceFrontMax", "", "f0x2 i2", C2G_ERROR_RANGE, "“B”" },
  { "arg-axis", "ArgMin", I ("axis", -3), "f2x3", C2G_ERROR_SHAPE, "-3" },
  { "label", "Accuracy", "", "f3x1 i3", C2G_ERROR_RANGE, "“B”" },
  { "normalize-empty", "Normalize", I ("axis", 0), "f0x" HUGE "x" HUGE, C2G_ERROR_RANGE, HUGE },
  { "sessions", "PairWiseLoss", "", "f3 f3 i2", C2G_ERROR_RANGE, "“C”" },
};

static void
test_run (gconstpointer data)
{
  const Failure *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;

  op = new_operator (workspace, test->type, test->arguments, test->inputs, &error);
  g_assert_no_error (error);
  if (test->named == NULL)
    {
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
      return;
    }

  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_nonnull (strstr (error->message, test->named));
}

typedef struct
{
  const char *path;
  const char *type;
  const char *arguments;
  const char *inputs;
  double n_flops;
} Steady;

static const Steady steadies[] = {
  { "relu", "Relu", "", "f7x9", 63 },
  { "negative", "Negative", "", "l7x9", 63 },
  { "elu", "Elu", "", "f7x9", 63 },
  { "prelu", "PRelu", "", "f2x3x4 f3", 24 },
  { "glu", "Glu", "", "f7x8", 28 },
  { "add", "Add", "", "f2x3x4 f3x1", 24 },
  { "div", "Div", I ("broadcast", 1) I ("axis", 1), "i2x3x4 i3", 24 },
  { "pow", "Pow", F ("exponent", 2), "f7x9", 63 },
  { "less", "LT", "", "d2x3 d3", 6 },
  { "sum", "Sum", "", "f7x9 f7x9 f7x9", 126 },
  { "mean", "Mean", "", "f7x9 f9 f7x1", 126 },
  { "weighted-sum", "WeightedSum", "", "f7x9 f1 f7x9 f1", 63 },
  { "where", "Where", "", "b7x9 f7x9 f7x9", 63 },
  { "linear", "ElementwiseLinear", "", "f7x9 f9 f9", 63 },
  { "nan-check", "NanCheck", "", "f7x9", -1 },
  { "cast", "Cast", I ("to", 12), "f7x9", 63 },
  { "cast-half", "Cast", I ("to", 10), "s7x9", 63 },
  { "reduce", "ReduceL2", "arg { name: 'axes' ints: 0 ints: 2 }", "f2x3x4", 24 },
  { "reduce-back", "ReduceBackMean", "", "f3x4 i3", 12 },
  { "sum-elements", "SumElements", "", "f7x9", 63 },
  { "arg-max", "ArgMax", I ("axis", 0), "f7x9", 63 },
  { "accuracy", "Accuracy", "", "f3x4 i3", 12 },
  { "normalize", "Normalize", I ("axis", 0), "f7x9", 63 },
  { "dot-product", "DotProduct", "", "f7x9 f7x9", 126 },
  { "sinusoid", "SinusoidPositionEncoding", I ("embedding_size", 8), "i3x2", 48 },
  { "jsd", "BernoulliJSD", "", "f9 f9", -1 },
  { "pairs", "PairWiseLoss", "", "f2 f2 i2", -1 },
};

/* The second run needs no memory, and reports its number of operations. */
static void
test_steady (gconstpointer data)
{
  const Steady *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperator) op = NULL;
  C2gOperatorPrivate *priv;
  int n_before = 0;

  op = new_operator (workspace, test->type, test->arguments, test->inputs, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 2; i++)
    {
      n_before = n_allocations;
      c2g_operator_run (op, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpint (n_allocations - n_before, ==, 0);

  priv = c2g_operator_get_private (op);
  if (test->n_flops >= 0)
    g_assert_cmpfloat (priv->kernel->count_flops (op, priv->state), ==, test->n_flops);
}

static void
add_cases (const Failure *cases,
           gsize n,
           const char *folder,
           GTestDataFunc func)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/elementwise/%s/%s", folder, cases[i].path);

      g_test_add_data_func (path, &cases[i], func);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_cases (set_ups, G_N_ELEMENTS (set_ups), "set-up", test_set_up);
  add_cases (runs, G_N_ELEMENTS (runs), "run", test_run);
  for (gsize i = 0; i < G_N_ELEMENTS (steadies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/elementwise/steady/%s", steadies[i].path);

      g_test_add_data_func (path, &steadies[i], test_steady);
    }

  return c2g_test_run ();
}
