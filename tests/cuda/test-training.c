/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

/* Operators for training on a device: losses, steps of optimizers, and rows selected by indices. */

static const NetsCase losses[] = {
  { "Q truth", "type: 'SoftmaxWithLoss'", "result loss" },
  { "Q truth", "type: 'SoftmaxWithLoss' arg { name: 'scale' f: 2.5 }", "result loss" },
  { "Q truth weights", "type: 'SoftmaxWithLoss'", "result loss" },
  { "Q truth weights", "type: 'SoftmaxWithLoss' arg { name: 'average_by_batch_size' i: 1 }",
    "result loss" },
  { "Q truth none_weights", "type: 'SoftmaxWithLoss'", "result loss" },
  { "wide truth", "type: 'SoftmaxWithLoss'", "result loss" },
  { "Q P", "type: 'SoftmaxWithLoss' arg { name: 'label_prob' i: 1 }", "result loss" },
  { "Q P weights", "type: 'SoftmaxWithLoss' arg { name: 'label_prob' i: 1 }", "result loss" },
  { "T one", "type: 'SoftmaxWithLoss' arg { name: 'axis' i: 0 }", "result loss" },
  { "no_rows none", "type: 'SoftmaxWithLoss'", "result loss" },
  { "no_rows no_rows", "type: 'SoftmaxWithLoss' arg { name: 'label_prob' i: 1 }", "result loss" },
  { "X places", "type: 'SpatialSoftmaxWithLoss'", "result loss" },
  { "X places place_weights", "type: 'SpatialSoftmaxWithLoss'", "result loss" },
  { "P truth", "type: 'LabelCrossEntropy'" },
  { "no_rows none", "type: 'LabelCrossEntropy'" },
  { "P P", "type: 'CrossEntropy'" },
  { "no_rows no_rows", "type: 'CrossEntropy'" },
  { "Q P", "type: 'SigmoidCrossEntropyWithLogits'" },
  { "wide P", "type: 'SigmoidCrossEntropyWithLogits'" },
  { "Q P", "type: 'SigmoidCrossEntropyWithLogits' arg { name: 'log_D_trick' i: 1 }" },
  { "Q P", "type: 'SigmoidCrossEntropyWithLogits' arg { name: 'unjoined_lr_loss' i: 1 }" },
  { "S S", "type: 'SigmoidCrossEntropyWithLogits'" },
  { "E2 E2", "type: 'SigmoidCrossEntropyWithLogits'" },
  { "Q P Q1", "type: 'WeightedSigmoidCrossEntropyWithLogits'" },
  { "X Y", "type: 'SquaredL2Distance'" },
  { "S1 low", "type: 'SquaredL2Distance'" },
  { "E2 E2", "type: 'SquaredL2Distance'" },
  { "X", "type: 'AveragedLoss'" },
  { "P Q", "type: 'SoftmaxGradient'" },
  { "P Q", "type: 'SoftmaxGradient'", "Q" },
  { "X Y", "type: 'SoftmaxGradient' arg { name: 'axis' i: 2 }", "X" },
};

static void
test_losses (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (losses); i++)
    nets_check_case (&losses[i], "simple");
}

static void
test_loss_errors (void)
{
  static const struct
  {
    NetsCase    test;
    const char *part;
  } wrong[] = {
    { { "M bad", "type: 'SoftmaxWithLoss'", "result loss" }, "is 7, expected" },
    { { "M bad", "type: 'LabelCrossEntropy'" }, "is 7, expected" },
    { { "X bad_places", "type: 'SpatialSoftmaxWithLoss'", "result loss" }, "has the label -2" },
    { { "Q2 half_sure", "type: 'SoftmaxWithLoss' arg { name: 'label_prob' i: 1 }", "result loss" },
      "has no probabilities" },
    { { "P Q", "type: 'CrossEntropy'" }, "has no probabilities" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    nets_check_error (&wrong[i].test, C2G_ERROR_RANGE, wrong[i].part);
}

#define MOMENTUM " arg { name: 'momentum' f: 0.7 }"
#define NESTEROV MOMENTUM " arg { name: 'nesterov' i: 1 }"
#define ADAGRAD " arg { name: 'decay' f: 0.9 } arg { name: 'weight_decay' f: 0.2 }"

static const NetsCase steps[] = {
  { "Mg Mm rate", "type: 'MomentumSGD'" MOMENTUM, "result result2" },
  { "Mg Mm rate", "type: 'MomentumSGD'" NESTEROV, "Mg Mm" },
  { "Mg Mm rate M", "type: 'MomentumSGDUpdate'" MOMENTUM, "Mg Mm M" },
  { "Mg Mm rate M", "type: 'MomentumSGDUpdate'" NESTEROV, "result Mm result2" },
  { "Sg Mm rate M rows", "type: 'SparseMomentumSGDUpdate'" NESTEROV, "Sg Mm M" },
  { "Mg Mv Mm rate", "type: 'RmsProp'" MOMENTUM, "Mg Mv Mm" },
  { "M Mv Mg rate", "type: 'Adagrad'" ADAGRAD, "M Mv" },
  { "M Mv Mg rate", "type: 'Adagrad'" ADAGRAD, "M Mv rates" },
  { "M Mv Mg rate", "type: 'Adagrad'" ADAGRAD, "result result2 rates steps" },
  { "M Mv rows64 Sg rate", "type: 'SparseAdagrad'", "M Mv" },
  { "M Mm Mv Mg rate iteration", "type: 'Adam'", "M Mm Mv" },
  { "M Mm Mv Mg rate iteration", "type: 'Adam'", "result result2 result3 steps" },
  { "M Mm Mv rows Sg rate iteration", "type: 'SparseAdam'", "M Mm Mv" },
  { "M Mm Mv rows64 Sg rate iteration", "type: 'SparseAdam'", "M Mm Mv steps" },
  { "M Mv Md Mg rate", "type: 'Adadelta'", "M Mv Md" },
  { "M Mv Md rows Sg rate", "type: 'SparseAdadelta'", "M Mv Md" },
  { "M Rv rows Sg rate", "type: 'RowWiseSparseAdagrad' arg { name: 'weight_decay' f: 0.2 }", "M Rv" },
  { "M Rv rows64 Sg rate", "type: 'RowWiseSparseAdagrad'", "M Rv" },
  { "L Lv many_rows Lg rate", "type: 'RowWiseSparseAdagrad'", "L Lv" },
  { "M Rv none no_gradients rate", "type: 'RowWiseSparseAdagrad'", "M Rv" },
  { "E5 Rv rows E4 rate", "type: 'RowWiseSparseAdagrad'", "E5 Rv" },
  { "M Mm Rv rows Sg rate iteration", "type: 'RowWiseSparseAdam'", "M Mm Rv" },
  { "M Mm Rv rows64 Sg rate iteration", "type: 'RowWiseSparseAdam'", "M Mm Rv steps" },
  { "L Lm Lv many_rows Lg rate iteration", "type: 'RowWiseSparseAdam'", "L Lm Lv steps" },
  { "M Mm Rv none no_gradients rate iteration", "type: 'RowWiseSparseAdam'", "M Mm Rv steps" },
  { "M low Mg rate", "type: 'Wngrad'", "M low" },
  { "M low Mg rate", "type: 'Wngrad' arg { name: 'epsilon' f: 0.5 }", "result result2 rates steps" },
  { "M low Mg rate", "type: 'Wngrad'", "M low rates" },
  { "E high E rate", "type: 'Wngrad'", "result high rates steps" },
  { "M low rows Sg rate", "type: 'SparseWngrad' arg { name: 'epsilon' f: 0.5 }", "M low" },
  { "L low many_rows Lg rate", "type: 'SparseWngrad'", "L low" },
  { "M low none no_gradients rate", "type: 'SparseWngrad'", "M low" },
  { "E5 low rows E4 rate", "type: 'SparseWngrad'", "E5 low" },
  { "iteration", "type: 'LearningRate' arg { name: 'base_lr' f: 0.1 } arg { name: 'gamma' f: 0.5 }"
                 " arg { name: 'policy' s: 'step' } arg { name: 'stepsize' i: 3 }" },
  { "M part Mg rate", "type: 'WeightedSum'" },
};

static void
test_steps (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    nets_check_case (&steps[i], "simple");
}

static const NetsCase rows[] = {
  { "M part rows Sg rate", "type: 'ScatterWeightedSum'", "M" },
  { "M part rows64 Sg rate Sg part", "type: 'ScatterWeightedSum'", "M" },
  { "M part none", "type: 'ScatterWeightedSum'", "M" },
  { "M rows Sg", "type: 'ScatterAssign'", "M" },
  { "l two_rows l3", "type: 'ScatterAssign'", "l" },
  { "u two_rows u3", "type: 'ScatterAssign'", "u" },
  { "T lengths3", "type: 'LengthsSum'" },
  { "T lengths3", "type: 'LengthsMean'" },
  { "T lengths3", "type: 'LengthsMax'" },
  { "T weights lengths3", "type: 'LengthsWeightedSum'" },
  { "E no_lengths", "type: 'LengthsSum'" },
  { "M rows lengths4", "type: 'SparseLengthsSum'" },
  { "M rows64 lengths4", "type: 'SparseLengthsMean'" },
  { "M rows lengths4", "type: 'SparseLengthsMax'" },
  { "M weights4 rows lengths4", "type: 'SparseLengthsWeightedSum'" },
  { "M weights4 rows64 lengths4", "type: 'SparseLengthsWeightedMean'" },
  { "Mh rows lengths4", "type: 'SparseLengthsSum'" },
  { "Mh weights4 rows64 lengths4", "type: 'SparseLengthsWeightedSum'" },
  { "three", "type: 'Range'" },
  { "one bits three", "type: 'Range'" },
  { "high low rate", "type: 'Range'" },
};

static void
test_rows (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    nets_check_case (&rows[i], "simple");
}

static void
test_row_errors (void)
{
  static const NetsCase wrong[] = {
    { "M part bad_rows Sg rate", "type: 'ScatterWeightedSum'", "M" },
    { "M Mv bad_rows Sg rate", "type: 'SparseAdagrad'", "M Mv" },
    { "M bad_rows lengths4", "type: 'SparseLengthsSum'" },
    { "M lengths4", "type: 'LengthsSum'" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    nets_check_error (&wrong[i], C2G_ERROR_RANGE, i < 3 ? "the index 5 at 2" : "the sum 4, expected 5");
}

/* A step that cannot be done fails alike on both. */
static void
test_step_errors (void)
{
  static const NetsCase wrong[] = {
    { "M Rv bad_rows Sg rate", "type: 'RowWiseSparseAdagrad'", "M Rv" },
    { "M Mv rows Sg rate", "type: 'RowWiseSparseAdagrad'", "M Mv" },
    { "M Rv rows Mg rate", "type: 'RowWiseSparseAdagrad'", "M Rv" },
    { "M Mm Rv bad_rows Sg rate iteration", "type: 'RowWiseSparseAdam'", "M Mm Rv" },
    { "M Mm Mv rows Sg rate iteration", "type: 'RowWiseSparseAdam'", "M Mm Mv" },
    { "M low bad_rows Sg rate", "type: 'SparseWngrad'", "M low" },
    { "M weights rows Sg rate", "type: 'SparseWngrad'", "M weights" },
    { "M weights Mg rate", "type: 'Wngrad'" , "M weights" },
    { "M low Sg rate", "type: 'Wngrad'" , "M low" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    nets_check_alike (&wrong[i]);
}

/* Makes a tensor of rows of two float16 on the device, `offset` bytes after an aligned address. */
static void
put_halves (C2gWorkspace *workspace,
            const char   *name,
            gint64        n_rows,
            gsize         offset)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = c2g_storage_new (first_device (), 2 * 2 * n_rows + offset, NULL,
                                                    &error);
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_no_error (error);
  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT16, C2G_TEST_DIMS (n_rows, 2), storage,
                                        offset, &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

/* Rows of 4 bytes need not be aligned like floats. */
static void
test_crooked_rows (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (
        "name: 'crooked' device_option { device_type: 1 }"
        " op { type: 'CopyCPUToGPU' input: 'rows' output: 'at' device_option { device_type: 1 } }"
        " op { type: 'ScatterAssign' input: 'a' input: 'at' input: 'b' output: 'a'"
        " device_option { device_type: 1 } }",
        &error);

      g_assert_no_error (error);
      nets_add_inputs (workspace);
      put_halves (workspace, "a", 5, i == 1 ? 2 : 0);
      put_halves (workspace, "b", 4, i == 2 ? 2 : 0);
      if (c2g_workspace_run_net_once (workspace, def, NULL, &error) != (i == 0))
        g_error ("%s", error != NULL ? error->message : "It ran");
      if (i > 0)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
    }
}

/* A net of two layers that is trained by operators alone. */

static const char init_text[] =
  "name: 'init'"
  "op { type: 'CopyCPUToGPU' input: 'init1' output: 'W1' }"
  "op { type: 'CopyCPUToGPU' input: 'init2' output: 'W2' }"
  "op { type: 'ConstantFill' output: 'b1' arg { name: 'shape' ints: 6 } }"
  "op { type: 'ConstantFill' output: 'b2' arg { name: 'shape' ints: 4 } }"
  "op { type: 'ConstantFill' output: 'one' arg { name: 'shape' ints: 1 }"
  " arg { name: 'value' f: 1 } }"
  "op { type: 'ConstantFill' input: 'W1' output: 'm1' }"
  "op { type: 'ConstantFill' input: 'W2' output: 'm2' }"
  "op { type: 'ConstantFill' input: 'W2' output: 'v2' }"
  "op { type: 'ConstantFill' input: 'b1' output: 'h1' arg { name: 'value' f: 0.1 } }"
  "op { type: 'ConstantFill' output: 'iter' arg { name: 'shape' ints: 1 }"
  " arg { name: 'dtype' i: 10 } arg { name: 'value' i: 0 } device_option { device_type: 0 } }";

static const char step_text[] =
  "op { type: 'CopyCPUToGPU' input: 'data' output: 'x' }"
  "op { type: 'CopyCPUToGPU' input: 'labels' output: 'truth' }"
  "op { type: 'CopyCPUToGPU' input: 'targets' output: 'wanted' }"
  "op { type: 'FC' input: 'x' input: 'W1' input: 'b1' output: 'h' }"
  "op { type: 'Relu' input: 'h' output: 'h' }"
  "op { type: 'FC' input: 'h' input: 'W2' input: 'b2' output: 'z' }"
  "op { type: 'SoftmaxWithLoss' input: 'z' input: 'truth' output: 'p' output: 'loss' }"
  "op { type: 'Sub' input: 'p' input: 'wanted' output: 'dz' }"
  "op { type: 'Scale' input: 'dz' output: 'dz' arg { name: 'scale' f: 0.125 } }"
  "op { type: 'MatMul' input: 'dz' input: 'h' output: 'dW2' arg { name: 'trans_a' i: 1 } }"
  "op { type: 'ReduceFrontSum' input: 'dz' output: 'db2' }"
  "op { type: 'MatMul' input: 'dz' input: 'W2' output: 'dh' }"
  "op { type: 'Sign' input: 'h' output: 'is_on' }"
  "op { type: 'Mul' input: 'dh' input: 'is_on' output: 'dh' }"
  "op { type: 'MatMul' input: 'dh' input: 'x' output: 'dW1' arg { name: 'trans_a' i: 1 } }"
  "op { type: 'ReduceFrontSum' input: 'dh' output: 'db1' }"
  "op { type: 'Iter' input: 'iter' output: 'iter' }"
  "op { type: 'LearningRate' input: 'iter' output: 'rate' arg { name: 'base_lr' f: 0.3 }"
  " arg { name: 'policy' s: 'step' } arg { name: 'stepsize' i: 2 } arg { name: 'gamma' f: 0.9 } }"
  "op { type: 'Negative' input: 'rate' output: 'back' }"
  "op { type: 'MomentumSGDUpdate' input: 'dW1' input: 'm1' input: 'rate' input: 'W1'"
  " output: 'dW1' output: 'm1' output: 'W1' arg { name: 'momentum' f: 0.5 }"
  " arg { name: 'nesterov' i: 1 } }"
  "op { type: 'Adagrad' input: 'b1' input: 'h1' input: 'db1' input: 'back'"
  " output: 'b1' output: 'h1' }"
  "op { type: 'Adam' input: 'W2' input: 'm2' input: 'v2' input: 'dW2' input: 'back' input: 'iter'"
  " output: 'W2' output: 'm2' output: 'v2' }"
  "op { type: 'WeightedSum' input: 'b2' input: 'one' input: 'db2' input: 'back' output: 'b2' }";

#define N_STEPS 8

static void
add_labels (C2gWorkspace *workspace)
{
  g_autoptr (C2gTensor) labels = c2g_tensor_new_sized (C2G_TEST_DIMS (8), NULL, NULL);
  g_autoptr (C2gTensor) targets = c2g_tensor_new_sized (C2G_TEST_DIMS (8, 4), NULL, NULL);
  g_autoptr (C2gBlob) labels_blob = c2g_workspace_create_blob (workspace, "labels", NULL);
  g_autoptr (C2gBlob) targets_blob = c2g_workspace_create_blob (workspace, "targets", NULL);

  c2g_tensor_allocate (labels, C2G_DATA_TYPE_INT32, NULL);
  c2g_tensor_allocate (targets, C2G_DATA_TYPE_FLOAT, NULL);
  for (gint64 i = 0; i < 8; i++)
    {
      c2g_tensor_set_value (labels, i, (double) (i % 4), NULL);
      for (gint64 k = 0; k < 4; k++)
        c2g_tensor_set_value (targets, 4 * i + k, k == i % 4, NULL);
    }
  c2g_blob_set_object (labels_blob, G_OBJECT (labels));
  c2g_blob_set_object (targets_blob, G_OBJECT (targets));
}

static C2gNetDef *
parse_net (const char *text,
           C2gDevice  *device)
{
  g_autofree char *whole = g_strdup_printf ("%s device_option { device_type: %d }", text,
                                            (int) c2g_device_get_device_type (device));
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (whole, &error);

  g_assert_no_error (error);
  return def;
}

static double
get_loss (C2gWorkspace *workspace,
          C2gDevice    *device)
{
  g_autoptr (C2gTensor) loss = nets_fetch (workspace, "loss", device);

  return c2g_tensor_get_value (loss, 0, NULL);
}

static C2gWorkspace *
train (C2gDevice  *device,
       const char *kind)
{
  g_autofree char *text = g_strdup_printf ("name: 'step' type: '%s' %s", kind, step_text);
  g_autoptr (C2gNetDef) init_def = parse_net (init_text, device);
  g_autoptr (C2gNetDef) def = parse_net (text, device);
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = NULL;
  double first_loss = 0;

  nets_add_input (workspace, "data", C2G_TEST_DIMS (8, 5));
  nets_add_input (workspace, "init1", C2G_TEST_DIMS (6, 5));
  nets_add_input (workspace, "init2", C2G_TEST_DIMS (4, 6));
  add_labels (workspace);
  c2g_workspace_run_net_once (workspace, init_def, NULL, &error);
  g_assert_no_error (error);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < N_STEPS; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
      if (i == 0)
        first_loss = get_loss (workspace, device);
    }

  g_test_message ("From %g to %g", first_loss, get_loss (workspace, device));
  g_assert_cmpfloat (get_loss (workspace, device), <, 0.9 * first_loss);
  return workspace;
}

static void
check_training (const char *kind)
{
  static const char *const names[] = { "W1", "W2", "b1", "b2", "m1", "m2", "v2", "h1", "p", "loss",
                                       "rate" };
  g_autoptr (C2gWorkspace) near = train (c2g_device_cpu (), "simple");
  g_autoptr (C2gWorkspace) far = train (first_device (), kind);
  g_autoptr (C2gTensor) count = nets_fetch (far, "iter", c2g_device_cpu ());

  g_assert_cmpfloat (c2g_tensor_get_value (count, 0, NULL), ==, N_STEPS);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (C2gTensor) expected = nets_fetch (near, names[i], c2g_device_cpu ());
      g_autoptr (C2gTensor) result = nets_fetch (far, names[i], first_device ());

      nets_assert_close (result, expected);
    }
}

static void
test_training (void)
{
  check_training ("simple");
  check_training ("dag");
}

/* Iterations are counted on the CPU, even if the counter does not exist yet. */
static void
test_iterations (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = parse_net ("op { type: 'Iter' output: 'n' }", first_device ());
  g_autoptr (C2gNetDef) rate_def = parse_net (
    "op { type: 'Iter' output: 'm' } op { type: 'LearningRate' input: 'm' output: 'rate'"
    " arg { name: 'base_lr' f: 0.3 } arg { name: 'policy' s: 'fixed' } }",
    first_device ());
  g_autoptr (C2gNetDef) far_def = parse_net (
    "op { type: 'CopyCPUToGPU' input: 'n' output: 'far' }"
      "op { type: 'Iter' input: 'far' output: 'far' }",
    first_device ());
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (C2gTensor) count = NULL;
  g_autoptr (C2gTensor) rate = NULL;

  for (guint i = 0; i < 3; i++)
    {
      c2g_workspace_run_net_once (workspace, def, NULL, &error);
      g_assert_no_error (error);
    }
  count = nets_fetch (workspace, "n", c2g_device_cpu ());
  g_assert_cmpfloat (c2g_tensor_get_value (count, 0, NULL), ==, 3);

  net = c2g_workspace_create_net (workspace, rate_def, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_net_infer (net, &error));
  g_assert_no_error (error);
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  rate = nets_fetch (workspace, "rate", first_device ());
  g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (rate, 0, NULL), 0.3, 1e-6);

  g_assert_false (c2g_workspace_run_net_once (workspace, far_def, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "“far”, is on cuda:0, expected cpu"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/training/losses", test_losses);
  add_clean_func ("/cuda/training/loss-errors", test_loss_errors);
  add_clean_func ("/cuda/training/steps", test_steps);
  add_clean_func ("/cuda/training/step-errors", test_step_errors);
  add_clean_func ("/cuda/training/rows", test_rows);
  add_clean_func ("/cuda/training/row-errors", test_row_errors);
  add_clean_func ("/cuda/training/crooked-rows", test_crooked_rows);
  add_clean_func ("/cuda/training/iterations", test_iterations);
  add_clean_func ("/cuda/training/net", test_training);

  return run_on_device ();
}
