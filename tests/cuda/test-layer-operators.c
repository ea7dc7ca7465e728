/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

#include <math.h>

/* Operators on a device give the same as on the CPU: norms, sums, fills, pictures and random
 * numbers. */

static const NetsCase norms[] = {
  { "X", "type: 'LayerNorm'", "y m d" },
  { "X", "type: 'LayerNorm' arg { name: 'axis' i: 3 } arg { name: 'epsilon' f: 0.1 }", "y m d" },
  { "O", "type: 'LayerNorm' arg { name: 'axis' i: -1 }", "y m d" },
  { "X c378 d378", "type: 'LayerNorm' arg { name: 'elementwise_affine' i: 1 }", "y m d" },
  { "E", "type: 'LayerNorm'", "y m d" },
  { "E2", "type: 'LayerNorm'", "y m d" },
  { "X Z Z2", "type: 'InstanceNorm'", "y m v" },
  { "X Z Z2", "type: 'InstanceNorm'", "X m v" },
  { "X Z Z2", "type: 'InstanceNorm'" },
  { "E Z Z2", "type: 'InstanceNorm'", "y m v" },
  { "X c9 d9", "type: 'InstanceNorm' arg { name: 'order' s: 'NHWC' }", "y m v" },
  { "X Z Z2", "type: 'GroupNorm' arg { name: 'group' i: 3 }", "y m v" },
  { "X c9 d9", "type: 'GroupNorm' arg { name: 'group' i: 3 } arg { name: 'order' s: 'NHWC' }",
    "y m v" },
  { "X Z b Z2 Z3", "type: 'SpatialBN'", "y Z2 Z3 sm sv" },
  { "X Z b Z2 Z3", "type: 'SpatialBN' arg { name: 'momentum' f: 0.3 }", "X Z2 Z3 sm sv" },
  { "E Z b Z2 Z3", "type: 'SpatialBN'", "y Z2 Z3 sm sv" },
  { "X c9 d9 m9 v9", "type: 'SpatialBN' arg { name: 'order' s: 'NHWC' }", "y m9 v9 sm sv" },
  { "X Z b Z2 Z3 Z sums", "type: 'SpatialBN' arg { name: 'num_batches' i: 2 }", "y Z2 Z3 sm sv" },
  { "X", "type: 'Moments'", "m v" },
  { "X", "type: 'Moments' arg { name: 'axes' ints: 0 ints: 2 } arg { name: 'keepdims' i: 0 }",
    "m v" },
  { "O", "type: 'Moments' arg { name: 'axes' ints: 1 ints: 3 }", "m v" },
  { "E", "type: 'Moments' arg { name: 'axes' ints: 0 }", "m v" },
  { "X", "type: 'ChannelStats'", "m v" },
  { "X", "type: 'ChannelStats' arg { name: 'order' s: 'NHWC' }", "m v" },
  { "X", "type: 'BatchMoments'", "m v" },
  { "E2", "type: 'BatchMoments'", "m v" },
  { "X", "type: 'Normalize'" },
  { "X", "type: 'Normalize' arg { name: 'axis' i: 1 }", "X" },
  { "X", "type: 'NormalizeL1' arg { name: 'axis' i: 2 }" },
  { "X", "type: 'Normalize' arg { name: 'epsilon' f: 0.5 }" },
  { "zeros", "type: 'Normalize'" },
  { "zeros", "type: 'NormalizeL1'" },
  { "E", "type: 'Normalize'" },
};

static void
test_norms (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (norms); i++)
    nets_check_case (&norms[i], "simple");
}

static const NetsCase sums[] = {
  { "X Y", "type: 'DotProduct'" },
  { "E E", "type: 'DotProduct'" },
  { "X Y", "type: 'Mean'" },
  { "X Y", "type: 'Mean'", "X" },
  { "Z1 X c9", "type: 'Mean'" },
  { "X", "type: 'Mean'" },
  { "E E", "type: 'Mean'" },
  { "X S1 Y low X high", "type: 'WeightedSum'" },
  { "X S1 Y low", "type: 'WeightedSum'", "X" },
  { "E S1", "type: 'WeightedSum'" },
  { "X", "type: 'AveragedLoss'" },
  { "E", "type: 'AveragedLoss'" },
  { "M", "type: 'TopK' arg { name: 'k' i: 3 }", "v at" },
  { "M", "type: 'TopK' arg { name: 'k' i: 2 } arg { name: 'axis' i: 0 }", "v at" },
  { "M", "type: 'TopK' arg { name: 'k' i: 9 }", "v at" },
  { "M three", "type: 'TopK'", "v at" },
  { "ties", "type: 'TopK' arg { name: 'k' i: 5 }", "v at" },
  { "E3", "type: 'TopK' arg { name: 'k' i: 2 } arg { name: 'axis' i: 1 }", "v at" },
  { "hot eight", "type: 'OneHot'" },
  { "hot32 three", "type: 'OneHot'" },
  { "none three", "type: 'OneHot'" },
};

static void
test_sums (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sums); i++)
    nets_check_case (&sums[i], "simple");
}

static const NetsCase pictures[] = {
  { "X", "type: 'PadImage' arg { name: 'pads' ints: 1 ints: 2 ints: 3 ints: 0 }"
         " arg { name: 'value' f: 1.5 }" },
  { "X", "type: 'PadImage' arg { name: 'pad' i: 2 } arg { name: 'mode' s: 'reflect' }" },
  { "X", "type: 'PadImage' arg { name: 'pads' ints: -1 ints: 2 ints: -2 ints: 1 }"
         " arg { name: 'mode' s: 'edge' } arg { name: 'order' s: 'NHWC' }" },
  { "E2", "type: 'PadImage' arg { name: 'pad' i: 1 } arg { name: 'value' f: 2 }" },
  { "E", "type: 'PadImage' arg { name: 'pad' i: 1 }" },
  { "X", "type: 'ResizeNearest' arg { name: 'height_scale' f: 1.7 }"
         " arg { name: 'width_scale' f: 0.4 }" },
  { "X", "type: 'ResizeNearest' arg { name: 'height_scale' f: 2 } arg { name: 'order' s: 'NHWC' }" },
  { "X scales", "type: 'ResizeNearest'" },
  { "E scales", "type: 'ResizeNearest'" },
  { "X", "type: 'UpsampleBilinear' arg { name: 'height_scale' f: 1.7 }"
         " arg { name: 'width_scale' f: 2 }" },
  { "X scales", "type: 'UpsampleBilinear'" },
  { "planes mean", "type: 'BRGNCHWCToPackedInt8BGRAStylizerDeprocess'" },
  { "pixels mean", "type: 'PackedInt8BGRANHWCToNCHWCStylizerPreprocess'"
                   " arg { name: 'noise_std' f: 0 } arg { name: 'noise_size' i: 7 }" },
  { "X W b", "type: 'ConvTranspose' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }"
             " arg { name: 'pad' i: 1 } arg { name: 'adj' i: 1 }" },
  { "X W", "type: 'ConvTranspose' arg { name: 'kernel' i: 3 }" },
  { "X W", "type: 'ConvTranspose' arg { name: 'kernel' i: 3 } arg { name: 'dilation' i: 2 }" },
  { "X Wg b", "type: 'ConvTranspose' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }"
              " arg { name: 'stride' i: 3 }" },
  { "X Wt b4", "type: 'ConvTranspose' arg { name: 'kernel_h' i: 3 } arg { name: 'kernel_w' i: 2 }"
               " arg { name: 'stride' i: 2 } arg { name: 'order' s: 'NHWC' }" },
  { "E W b", "type: 'ConvTranspose' arg { name: 'kernel' i: 3 }" },
};

static void
test_pictures (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
    nets_check_case (&pictures[i], "simple");
}

#define BINS " arg { name: 'pooled_h' i: 3 } arg { name: 'pooled_w' i: 2 }"

static const NetsCase regions[] = {
  { "X regions", "type: 'RoIAlign'" BINS },
  { "X regions", "type: 'RoIAlign' arg { name: 'order' s: 'NHWC' }" BINS },
  { "X regions", "type: 'RoIAlign' arg { name: 'sampling_ratio' i: 2 }"
                 " arg { name: 'spatial_scale' f: 0.7 }" BINS },
  { "X regions", "type: 'RoIAlign' arg { name: 'sampling_ratio' i: 65536 }" },
  { "X forward", "type: 'RoIAlign' arg { name: 'aligned' i: 1 }" BINS },
  { "X boxes", "type: 'RoIAlign'" BINS },
  { "X no_regions", "type: 'RoIAlign'" BINS },
  { "E no_regions", "type: 'RoIAlign'" },
  { "planes0 regions", "type: 'RoIAlign'" },
  { "NaNs regions", "type: 'RoIAlign'" },
  { "X regions", "type: 'RoIPool'" BINS, "y places" },
  { "X regions", "type: 'RoIPool' arg { name: 'spatial_scale' f: 0.7 }" BINS, "y places" },
  { "X regions", "type: 'RoIPool' arg { name: 'is_test' i: 1 }" },
  { "X no_regions", "type: 'RoIPool'", "y places" },
  { "planes0 regions", "type: 'RoIPool'", "y places" },
  { "NaNs regions", "type: 'RoIPool'" BINS, "y places" },
};

static void
test_regions (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (regions); i++)
    nets_check_case (&regions[i], "simple");
}

#define NO_LENGTHS " arg { name: 'sequence_lengths' i: 0 }"

static const NetsCase recurrences[] = {
  { "hidden cells lstm_gates unit_lengths one", "type: 'LSTMUnit'", "h c" },
  { "hidden cells lstm_gates unit_lengths one",
    "type: 'LSTMUnit' arg { name: 'drop_states' i: 1 } arg { name: 'forget_bias' f: 0.5 }", "h c" },
  { "hidden cells wide_gates one", "type: 'LSTMUnit'" NO_LENGTHS, "h c" },
  { "no_states no_states no_gates no_lengths one", "type: 'LSTMUnit'", "h c" },
  { "hidden gru_gates unit_lengths one", "type: 'GRUUnit'" },
  { "hidden gru_gates unit_lengths one", "type: 'GRUUnit' arg { name: 'drop_states' i: 1 }" },
  { "hidden gru_gates one", "type: 'GRUUnit'" NO_LENGTHS },
  /* Caffe2 has the step on the CPU. */
  { "hidden cells lstm_gates unit_lengths one", "type: 'LSTMUnit'", "h c", "one" },
  { "hidden cells wide_gates one", "type: 'LSTMUnit'" NO_LENGTHS, "h c", "one" },
  { "hidden gru_gates unit_lengths one", "type: 'GRUUnit'", NULL, "one" },
  { "hidden gru_gates unit_lengths three", "type: 'GRUUnit' arg { name: 'drop_states' i: 1 }", NULL, "three" },
  { "many_states many_states one", "type: 'GRUUnit'" NO_LENGTHS },
  { "many_states many_states many_states one", "type: 'LSTMUnit'" NO_LENGTHS, "h c" },
  { "steps cont step_weights", "type: 'CaffeLSTM'" },
  { "steps cont step_weights", "type: 'CaffeLSTM'", "h last cells" },
  { "steps cont step_weights old_hidden old_cells", "type: 'CaffeLSTM'", "h last cells" },
  { "no_steps no_cont step_weights", "type: 'CaffeLSTM'", "h last cells" },
  { "no_steps no_cont step_weights old_hidden old_cells", "type: 'CaffeLSTM'", "h last cells" },
  { "no_sequences cont_of_none step_weights", "type: 'CaffeLSTM'", "h last cells" },
  { "rnn_steps cont rnn_weights", "type: 'CaffeRNN'", "h last" },
  { "rnn_steps cont rnn_weights old_hidden", "type: 'CaffeRNN'", "h last" },
};

static void
test_recurrences (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (recurrences); i++)
    nets_check_case (&recurrences[i], "simple");
}

/* A step on the CPU needs a value, too. */
static void
test_step_without_data (void)
{
  static const char text[] =
    "op { type: 'CopyCPUToGPU' input: 'hidden' output: 'h' device_option { device_type: 1 } }"
    "op { type: 'CopyCPUToGPU' input: 'gru_gates' output: 'g' device_option { device_type: 1 } }"
    "op { type: 'GRUUnit' input: 'h' input: 'g' input: 'step' output: 'y'" NO_LENGTHS
    " device_option { device_type: 1 } }";
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "step", NULL);
  g_autoptr (C2gTensor) step = c2g_tensor_new_sized (C2G_TEST_DIMS (1), NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  nets_add_inputs (workspace);
  c2g_tensor_set_data_type (step, C2G_DATA_TYPE_INT32, &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (step));
  g_assert_false (c2g_workspace_run_net_once (workspace, def, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“step”, has no data yet"));
}

static const NetsCase fills[] = {
  { "", "type: 'ConstantFill' arg { name: 'shape' ints: 3 ints: 5 } arg { name: 'value' f: 2.5 }" },
  { "", "type: 'ConstantFill' arg { name: 'shape' ints: 0 ints: 5 }" },
  { "", "type: 'ConstantFill' arg { name: 'shape' ints: 7 } arg { name: 'value' i: 9 }"
        " arg { name: 'dtype' i: 10 }" },
  { "X", "type: 'ConstantFill' arg { name: 'value' f: -1 }" },
  { "X", "type: 'ConstantFill' arg { name: 'value' f: -1 }", "X" },
  { "eight", "type: 'ConstantFill' arg { name: 'input_as_shape' i: 1 }" },
  { "", "type: 'GivenTensorFill' arg { name: 'shape' ints: 3 }"
        " arg { name: 'values' floats: 1 floats: 2 floats: 3 }" },
  { "", "type: 'GivenTensorInt64Fill' arg { name: 'shape' ints: 2 }"
        " arg { name: 'values' ints: 7 ints: -1 }" },
  { "", "type: 'RangeFill' arg { name: 'shape' ints: 3 ints: 5 }" },
  { "", "type: 'DiagonalFill' arg { name: 'shape' ints: 4 ints: 5 } arg { name: 'value' f: 3 }" },
  { "three", "type: 'Float16ConstantFill' arg { name: 'input_as_shape' i: 1 }"
             " arg { name: 'value' f: 1.5 }" },
};

static void
test_fills (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fills); i++)
    nets_check_case (&fills[i], "simple");
}

/* Runs an operator without inputs on the device, and copies its random numbers to the CPU. */
static C2gTensor *
draw (const char *operator,
      int         seed,
      gint64      n)
{
  g_autofree char *text = g_strdup_printf (
    "op { %s output: 'y' arg { name: 'shape' ints: 3 ints: %d }"
    " device_option { device_type: 1 random_seed: %d } }",
    operator, (int) n, seed);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
  return nets_fetch (workspace, "y", first_device ());
}

/* The numbers have the mean and the standard deviation of their distribution, within the error of
 * so few samples. */
static void
assert_drawn_from (C2gTensor *tensor,
                   double     low,
                   double     high,
                   double     mean,
                   double     deviation)
{
  const gint64 n = c2g_tensor_get_n_elements (tensor);
  double sum = 0;
  double squares = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double value = c2g_tensor_get_value (tensor, i, NULL);

      g_assert_cmpfloat (value, >=, low);
      g_assert_cmpfloat (value, <=, high);
      sum += value - mean;
      squares += (value - mean) * (value - mean);
    }

  g_assert_cmpfloat (ABS (sum / (double) n), <, 0.25 * deviation);
  g_assert_cmpfloat (sqrt (squares / (double) n), >, 0.85 * deviation);
  g_assert_cmpfloat (sqrt (squares / (double) n), <, 1.15 * deviation);
}

/* The device draws the numbers. A seed gives the same numbers each time, another seed others. */
static void
test_random_fills (void)
{
  /* For 3 rows of 101 elements. */
  const double xavier = sqrt (3.0 / 101);
  const double glorot = sqrt (6.0 / (3 + 101));
  const double msra = sqrt (2.0 / 3);
  const struct
  {
    const char *text;
    double      low;
    double      high;
    double      mean;
    double      deviation;
  } kinds[] = {
    { "type: 'UniformFill' arg { name: 'min' f: -2 } arg { name: 'max' f: 3 }", -2, 3, 0.5, 1.443 },
    { "type: 'UniformIntFill' arg { name: 'min' i: -2 } arg { name: 'max' i: 9 }", -2, 9, 3.5,
      3.452 },
    { "type: 'Float16UniformFill' arg { name: 'min' f: 1 } arg { name: 'max' f: 2 }", 1, 2, 1.5,
      0.2887 },
    { "type: 'GaussianFill' arg { name: 'mean' f: 5 } arg { name: 'std' f: 0.1 }", 4.5, 5.5, 5,
      0.1 },
    { "type: 'XavierFill'", -xavier, xavier, 0, xavier / sqrt (3) },
    { "type: 'GlorotUniformFill'", -glorot, glorot, 0, glorot / sqrt (3) },
    { "type: 'MSRAFill'", -5 * msra, 5 * msra, 0, msra },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (C2gTensor) first = draw (kinds[i].text, 5, 101);
      g_autoptr (C2gTensor) again = draw (kinds[i].text, 5, 101);
      g_autoptr (C2gTensor) other = draw (kinds[i].text, 6, 101);
      g_autoptr (C2gTensor) none = draw (kinds[i].text, 5, 0);
      guint n_same = 0;

      g_test_message ("%s", kinds[i].text);
      nets_assert_close (again, first);
      assert_drawn_from (first, kinds[i].low, kinds[i].high, kinds[i].mean, kinds[i].deviation);
      for (gint64 k = 0; k < 303; k++)
        n_same += c2g_tensor_get_value (first, k, NULL) == c2g_tensor_get_value (other, k, NULL);
      g_assert_cmpuint (n_same, <, 100);
      g_assert_cmpint (c2g_tensor_get_n_elements (none), ==, 0);
    }
}

/* Kept elements are scaled, the mask marks them, and about the expected share is kept. */
static void
test_dropout (void)
{
  static const char text[] =
    "op { type: 'CopyCPUToGPU' input: 'X' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'Dropout' input: 'far' output: 'y' output: 'mask'"
    " arg { name: 'ratio' f: 0.25 } device_option { device_type: 1 random_seed: 3 } }";
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (C2gTensor) y = NULL;
  g_autoptr (C2gTensor) mask = NULL;
  double n_stays = 0;

  g_assert_no_error (error);
  nets_add_inputs (workspace);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
  x = nets_fetch (workspace, "X", c2g_device_cpu ());
  y = nets_fetch (workspace, "y", first_device ());
  mask = nets_fetch (workspace, "mask", first_device ());
  g_assert_cmpint (c2g_tensor_get_data_type (mask), ==, C2G_DATA_TYPE_BOOL);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (x); i++)
    {
      double stays = c2g_tensor_get_value (mask, i, NULL);
      double expected = stays * c2g_tensor_get_value (x, i, NULL) / 0.75;

      g_assert_cmpfloat (fabs (c2g_tensor_get_value (y, i, NULL) - expected), <=, 1e-6);
      n_stays += stays;
    }
  g_assert_cmpfloat (fabs (n_stays / 756 - 0.75), <, 0.1);
}

static void
test_errors (void)
{
  static const struct
  {
    NetsCase    test;
    C2gError    code;
    const char *part;
  } wrong[] = {
    { { "X out_at", "type: 'Gather'" }, C2G_ERROR_RANGE, "“far_out_at”" },
    { { "T own", "type: 'BatchGather'" }, C2G_ERROR_RANGE, "“far_own”" },
    { { "X X", "type: 'Gather'" }, C2G_ERROR_TYPE, "int32 or int64" },
    { { "M bad", "type: 'Accuracy'" }, C2G_ERROR_RANGE, "“far_bad”" },
    { { "hot three", "type: 'OneHot'" }, C2G_ERROR_RANGE, "“far_hot”" },
    { { "ties none", "type: 'ReduceBackSum'" }, C2G_ERROR_NOT_SUPPORTED, "ReduceBackSum" },
    { { "M", "type: 'TopK' arg { name: 'k' i: 1 }", "a b c" }, C2G_ERROR_NOT_SUPPORTED, "TopK" },
    { { "D", "type: 'LayerNorm'", "y m d" }, C2G_ERROR_TYPE, "“far_D”" },
    { { "M M", "type: 'MatMul'" }, C2G_ERROR_SHAPE, "“far_M”" },
    { { "X three", "type: 'Reshape'", "y old" }, C2G_ERROR_SHAPE, "Reshape" },
    { { "X", "type: 'Tile' arg { name: 'tiles' i: 4611686018427387904 }" },
      C2G_ERROR_RANGE,
      "far_X" },
    { { "N", "type: 'EnforceFinite'", "" }, C2G_ERROR_RANGE, "“far_N”" },
    { { "N", "type: 'NanCheck'" }, C2G_ERROR_RANGE, "“far_N”" },
    { { "X", "type: 'Cast' arg { name: 'to' s: 'STRING' }" }, C2G_ERROR_NOT_SUPPORTED, "Cast" },
    { { "X", "type: 'StringJoin'" }, C2G_ERROR_DEVICE, "StringJoin" },
    { { "hidden cells gru_gates one", "type: 'LSTMUnit'" NO_LENGTHS, "h c" },
      C2G_ERROR_SHAPE,
      "4 × 5" },
    { { "hidden gru_gates low", "type: 'GRUUnit'" NO_LENGTHS, NULL, "low" }, C2G_ERROR_TYPE, "“far_low”" },
    { { "hidden gru_gates no_lengths", "type: 'GRUUnit'" NO_LENGTHS, NULL, "no_lengths" },
      C2G_ERROR_SHAPE,
      "a single element" },
    { { "hidden gru_gates unit_lengths one", "type: 'GRUUnit'", NULL, "unit_lengths" },
      C2G_ERROR_DEVICE,
      "“far_unit_lengths”" },
    { { "X nan_region", "type: 'RoIAlign'" }, C2G_ERROR_RANGE, "“far_nan_region”, has the box" },
    { { "X regions", "type: 'RoIAlign' arg { name: 'aligned' i: 1 }" }, C2G_ERROR_RANGE, "at 3" },
    { { "X far_region", "type: 'RoIAlign'" }, C2G_ERROR_RANGE, "the image 2 at 1" },
    { { "X nan_image", "type: 'RoIPool'" }, C2G_ERROR_RANGE, "the image nan at 0" },
    { { "X nan_region", "type: 'RoIPool'" }, C2G_ERROR_RANGE, "“far_nan_region”, has the box" },
    { { "X boxes", "type: 'RoIPool'" }, C2G_ERROR_SHAPE, "“far_boxes”" },
    { { "E2 regions", "type: 'RoIPool'" }, C2G_ERROR_SHAPE, "“far_E2”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    nets_check_error (&wrong[i].test, wrong[i].code, wrong[i].part);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/operators/norms", test_norms);
  add_clean_func ("/cuda/operators/sums", test_sums);
  add_clean_func ("/cuda/operators/pictures", test_pictures);
  add_clean_func ("/cuda/operators/regions", test_regions);
  add_clean_func ("/cuda/operators/recurrences", test_recurrences);
  add_clean_func ("/cuda/operators/step-without-data", test_step_without_data);
  add_clean_func ("/cuda/operators/fills", test_fills);
  add_clean_func ("/cuda/operators/random-fills", test_random_fills);
  add_clean_func ("/cuda/operators/dropout", test_dropout);
  add_clean_func ("/cuda/operators/errors", test_errors);

  return run_on_device ();
}
