/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/graphs-utils.h"

#include <string.h>

/* Operators that a graph repeats, and those that it does not. */

#define BROADCAST " arg { name: 'broadcast' i: 1 }"
#define MASK "op { type: 'GT' input: 'x' input: 'x4' output: 'mask'" BROADCAST " } "
#define IMAGES                                                                                     \
  "op { type: 'Reshape' input: 'x' output: 'images' output: 'old' "                                \
  "arg { name: 'shape' ints: 1 ints: 4 ints: 1 ints: 3 } } "
#define STATES                                                                                     \
  "op { type: 'Reshape' input: 'x' output: 'states' output: 'old' "                                \
  "arg { name: 'shape' ints: 1 ints: 3 ints: 4 } } "                                               \
  "op { type: 'Concat' input: 'x' input: 'x' input: 'x' output: 'three' output: 'sizes' } "        \
  "op { type: 'Reshape' input: 'three' output: 'gates' output: 'older' "                           \
  "arg { name: 'shape' ints: 1 ints: 3 ints: 12 } } "

/* Nets that a graph cannot repeat, and their outputs if these are the same in each run. */
static const struct
{
  const char *text;
  const char *output;
} others[] = {
  /* Random numbers, which are others in each run. */
  { "op { type: 'Dropout' input: 'x' output: 'z' output: 'mask' }", NULL },
  { "op { type: 'UniformFill' output: 'z' arg { name: 'shape' ints: 3 } }", NULL },
  /* Blobs on the processor. */
  { "op { type: 'CopyGPUToCPU' input: 'x' output: 'near' } op { type: 'CopyCPUToGPU' input: 'near' "
    "output: 'z' }",
    "z" },
  { "op { type: 'GivenTensorFill' output: 'z' arg { name: 'shape' ints: 2 } arg { name: 'values' floats: 1 "
    "floats: 2 } }",
    "z" },
  /* The shape, or the check of indices, is read on the processor. */
  { "op { type: 'Reshape' input: 'x' input: 'shape' output: 'z' output: 'old' }", "z" },
  { "op { type: 'Gather' input: 'x' input: 'rows' output: 'z' }", "z" },
  /* The lengths, or the corners of regions, are read on the processor, which uploads what it makes of
   * them. */
  { "op { type: 'LengthsTile' input: 'x' input: 'lengths' output: 'z' }", "z" },
  { "op { type: 'PackSegments' input: 'lengths' input: 'x' output: 'z' }", "z" },
  { "op { type: 'LengthsToOffsets' input: 'lengths' output: 'z' }", "z" },
  { "op { type: 'LengthsSum' input: 'x' input: 'lengths' output: 'z' }", "z" },
  { IMAGES "op { type: 'RoIAlign' input: 'images' input: 'regions' output: 'z' "
           "arg { name: 'pooled_h' i: 2 } arg { name: 'pooled_w' i: 2 } }",
    "z" },
  /* The step is on the processor, from which it is copied into the arguments of the kernel. */
  { STATES "op { type: 'GRUUnit' input: 'states' input: 'gates' input: 'lengths' input: 'step' output: 'z' }", "z" },
  /* Another type of nets. */
  { "type: 'dag' op { type: 'Relu' input: 'x' output: 'z' }", "z" },
};

/* Puts other numbers into the memory that the inputs have, and another step into that on the CPU. */
static void
put_others (C2gWorkspace *workspace,
            guint         k)
{
  static const gint64 n_rows = 3, region_dims[] = { 1, 4 };
  static const gint32 counts[] = { 2, 0, 1 };
  g_autoptr (C2gTensor) lengths = c2g_tensor_new_sized (&n_rows, 1, NULL, NULL);
  g_autoptr (C2gTensor) rows = c2g_tensor_new_sized (&n_rows, 1, NULL, NULL);
  g_autoptr (C2gTensor) step = c2g_workspace_create_tensor (workspace, "step", C2G_DATA_TYPE_INT32, one_dims, 1, NULL);
  gint32 *length = c2g_tensor_mutable_data (lengths, C2G_DATA_TYPE_INT32, NULL);
  gint64 *row = c2g_tensor_mutable_data (rows, C2G_DATA_TYPE_INT64, NULL);

  for (guint i = 0; i < 3; i++)
    row[i] = length[i] = counts[(i + k) % 3];
  put (workspace, "lengths", lengths, NULL);
  put (workspace, "rows", rows, NULL);
  put_numbers (workspace, "x", x_dims, 2, k);
  put_numbers (workspace, "regions", region_dims, 2, k / 4.f);
  *(gint32 *) c2g_tensor_mutable_data (step, C2G_DATA_TYPE_INT32, NULL) = k % 2;
}

/* Runs a net with other numbers each time. */
static void
check_others (const char *text,
              const char *output,
              gboolean    is_repeated)
{
  static const gint64 shape[] = { 2, 6 }, n_shape = 2;
  g_autoptr (C2gTensor) shapes = c2g_tensor_new_sized (&n_shape, 1, NULL, NULL);
  g_auto (Model) model = { NULL };
  guint n_repeated = 0;

  g_test_message ("%s", text);
  memcpy (c2g_tensor_mutable_data (shapes, C2G_DATA_TYPE_INT64, NULL), shape, sizeof shape);
  model.workspace = c2g_workspace_new ();
  put_others (model.workspace, 0);
  put_numbers (model.workspace, "w", w_dims, 2, 0);
  put (model.workspace, "shape", shapes, NULL);
  model.net = new_net (model.workspace, text, first_device ());
  c2g_net_set_device_graph (model.net, TRUE);
  for (guint k = 0; k < 8; k++)
    {
      put_others (model.workspace, k);
      n_repeated += run (model.net);
      if (output != NULL)
        assert_right (&model, text, output);
    }
  g_assert_cmpint (n_repeated > 0, ==, is_repeated);
}

/* Nets that a graph cannot repeat run normally each time, without an error. */
static void
test_others (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    check_others (others[i].text, others[i].output, FALSE);
}

/* This is repeated although a blob has two shapes. */
static void
test_two_shapes (void)
{
  check_others ("op { type: 'Relu' input: 'x' output: 'z' } op { type: 'Softmax' input: 'z' output: 's' } "
                "op { type: 'Relu' input: 'w' output: 'z' }",
                "z", TRUE);
}

/* A graph repeats these operators: they write nothing that depends on more than their inputs. A row is an
 * operator that reads x, or a net. */
static const char *const ops[] = {
  "type: 'ReduceSum' arg { name: 'axes' ints: 0 }",
  "type: 'ReduceMean' arg { name: 'axes' ints: 1 }",
  "type: 'ReduceMax'",
  "type: 'ReduceMin'",
  "type: 'ReduceL1'",
  "type: 'ReduceL2'",
  "type: 'ReduceFrontSum'",
  "type: 'ReduceBackSum'",
  "type: 'ReduceFrontMean'",
  "type: 'ReduceBackMean'",
  "type: 'ReduceFrontMax'",
  "type: 'ReduceBackMax'",
  "type: 'SumElements' arg { name: 'average' i: 1 }",
  "type: 'SumSqrElements' arg { name: 'average' i: 1 }",
  "type: 'LpNorm' arg { name: 'p' i: 1 }",
  "type: 'ArgMax' arg { name: 'axis' i: 0 }",
  "type: 'ArgMin'",
  "type: 'Moments' arg { name: 'axes' ints: 0 } output: 'variances'",
  "type: 'BatchMoments' output: 'squares'",
  "type: 'ChannelStats' output: 'squares'",
  "type: 'Normalize'",
  "type: 'NormalizeL1'",
  "type: 'DotProduct' input: 'x'",
  "type: 'IsNaN'",
  "type: 'Cast' arg { name: 'to' i: 2 }",
  "type: 'FloatToHalf'",
  "type: 'Pow' arg { name: 'exponent' f: 2 }",
  "type: 'TopK' output: 'indices' arg { name: 'k' i: 2 }",
  "type: 'WeightedSum' input: 'scale'",
  "type: 'EQ' input: 'x'",
  "type: 'NE' input: 'x4'" BROADCAST,
  "type: 'LT' input: 'x4'" BROADCAST,
  "type: 'LE' input: 'x4'" BROADCAST,
  "type: 'GT' input: 'x4'" BROADCAST,
  "type: 'GE' input: 'x4'" BROADCAST,
  MASK "op { type: 'And' input: 'mask' input: 'mask' output: 'z' }",
  MASK "op { type: 'Or' input: 'mask' input: 'mask' output: 'z' }",
  MASK "op { type: 'Xor' input: 'mask' input: 'mask' output: 'z' }",
  MASK "op { type: 'BitwiseAnd' input: 'mask' input: 'mask' output: 'z' }",
  MASK "op { type: 'BitwiseOr' input: 'mask' input: 'mask' output: 'z' }",
  MASK "op { type: 'BitwiseXor' input: 'mask' input: 'mask' output: 'z' }",
  MASK "op { type: 'Negative' input: 'x' output: 'y' } "
       "op { type: 'Where' input: 'mask' input: 'x' input: 'y' output: 'z' }",
  "op { type: 'ReduceBackMax' input: 'x' output: 'r' } "
  "op { type: 'GT' input: 'r' input: 'scale' output: 'mask'" BROADCAST " } "
  "op { type: 'Negative' input: 'x' output: 'y' } "
  "op { type: 'Conditional' input: 'mask' input: 'x' input: 'y' output: 'z' }",
  "op { type: 'Transpose' input: 'w' output: 'wt' } "
  "op { type: 'FCTransposed' input: 'x' input: 'wt' input: 'b' output: 'z' }",
  "type: 'Glu'",
  "type: 'LayerNorm' output: 'means' output: 'deviations'",
  "type: 'DepthConcat' input: 'x' output: 'sizes'",
  "type: 'DepthSplit' output: 'other'",
  "type: 'Shape'",
  "type: 'Size'",
  "type: 'HasElements'",
  "type: 'IsEmpty'",
  "type: 'ResizeLike' input: 'x'",
  "type: 'PrependDim' arg { name: 'dim_size' i: 3 }",
  "type: 'MergeDim'",
  "type: 'Tile' arg { name: 'tiles' i: 2 } arg { name: 'axis' i: 1 }",
  "op { type: 'Slice' input: 'x' output: 'part' arg { name: 'starts' ints: 0 ints: 0 } "
  "arg { name: 'ends' ints: 3 ints: 2 } } "
  "op { type: 'Crop' input: 'x' input: 'part' output: 'z' arg { name: 'axis' i: 1 } "
  "arg { name: 'offset' ints: 1 } }",
  "type: 'ReplaceNaN'",
  "type: 'ElementwiseLinear' input: 'x4' input: 'v4'",
  "type: 'NegateGradient'",
  "type: 'SoftmaxGradient' input: 'x'",
  "type: 'AveragedLoss'",
  "type: 'SigmoidCrossEntropyWithLogits' input: 'x'",
  "type: 'WeightedSigmoidCrossEntropyWithLogits' input: 'x' input: 'x'",
  "type: 'SquaredL2Distance' input: 'x'",
  IMAGES "op { type: 'GroupNorm' input: 'images' input: 'x4' input: 'v4' output: 'z' "
         "output: 'means' output: 'deviations' arg { name: 'group' i: 2 } }",
  IMAGES "op { type: 'ChannelShuffle' input: 'images' output: 'z' arg { name: 'group' i: 2 } }",
  IMAGES "op { type: 'UpsampleBilinear' input: 'images' output: 'z' arg { name: 'width_scale' f: 2 } "
         "arg { name: 'height_scale' f: 2 } }",
  "op { type: 'ConstantFill' output: 'z' arg { name: 'shape' ints: 3 } arg { name: 'value' f: 2 } }",
  STATES
  "op { type: 'ConstantFill' output: 'step' arg { name: 'shape' ints: 1 } arg { name: 'dtype' i: 2 } } "
  "op { type: 'GRUUnit' input: 'states' input: 'gates' input: 'step' output: 'z' "
  "arg { name: 'sequence_lengths' i: 0 } }",
  "op { type: 'Reshape' input: 'x' output: 'gates' output: 'old' arg { name: 'shape' ints: 3 ints: 1 ints: 4 } } "
  "op { type: 'ConstantFill' output: 'cont' arg { name: 'shape' ints: 3 ints: 1 } arg { name: 'value' f: 1 } } "
  "op { type: 'Reshape' input: 'x4' output: 'weights' output: 'older' arg { name: 'shape' ints: 4 ints: 1 } } "
  "op { type: 'CaffeLSTM' input: 'gates' input: 'cont' input: 'weights' output: 'z' }",
};

static void
test_pure (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      g_autofree char *text = g_str_has_prefix (ops[i], "op ")
                                ? g_strdup (ops[i])
                                : g_strdup_printf ("op { input: 'x' output: 'z' %s }", ops[i]);
      g_auto (Model) model = { NULL };

      g_test_message ("%s", ops[i]);
      model_init (&model, text);
      warm_up (model.net);
      g_assert_true (run (model.net));
      for (guint k = 1; k < 3; k++)
        {
          put_numbers (model.workspace, "x", x_dims, 2, -1.125f * k);
          g_assert_true (run (model.net));
          assert_right (&model, text, "z");
        }
    }
}

/* A graph would read the sizes from the stack of the processor, where they were. */
static void
test_memory_of_host (void)
{
  g_autoptr (GString) text = g_string_new ("op { type: 'Concat' output: 'z' output: 'sizes'");
  g_auto (Model) model = { NULL };

  for (guint i = 0; i < 70; i++)
    g_string_append (text, " input: 'x'");
  g_string_append (text, " arg { name: 'axis' i: 1 } }");
  model_init (&model, text->str);
  for (guint i = 0; i < 6; i++)
    g_assert_false (run (model.net));
  assert_right (&model, text->str, "z");
  assert_right (&model, text->str, "sizes");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/graph-operators/others", test_others);
  add_clean_func ("/cuda/graph-operators/two-shapes", test_two_shapes);
  add_clean_func ("/cuda/graph-operators/pure", test_pure);
  add_clean_func ("/cuda/graph-operators/memory-of-host", test_memory_of_host);

  return run_on_device ();
}
