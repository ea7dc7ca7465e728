/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

/* Operators of image nets on a device give the same as on the CPU. */

static const NetsCase cases[] = {
  { "X", "type: 'Relu'" },
  { "X", "type: 'Sigmoid'" },
  { "X", "type: 'Tanh'" },
  { "X", "type: 'LeakyRelu' arg { name: 'alpha' f: 0.2 }" },
  { "X", "type: 'Elu'" },
  { "X", "type: 'Clip' arg { name: 'min' f: -0.1 } arg { name: 'max' f: 0.2 }" },
  { "X", "type: 'Negative'" },
  { "X X", "type: 'Add'" },
  { "X Z", "type: 'Mul' arg { name: 'broadcast' i: 1 } arg { name: 'axis' i: 1 }" },
  { "X Z1", "type: 'Sub'" },
  { "X X", "type: 'Div'" },
  { "X Y", "type: 'GT'" },
  { "X Y", "type: 'Sum'" },
  { "X Y", "type: 'Max'" },
  { "X", "type: 'Softmax'" },
  { "X", "type: 'LogSoftmax'" },
  { "X", "type: 'MaxPool' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }" },
  { "X", "type: 'AveragePool' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }" },
  { "X", "type: 'AveragePool' arg { name: 'global_pooling' i: 1 }" },
  { "X W b", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }" },
  { "X W b", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }"
             " arg { name: 'dilation' i: 2 } arg { name: 'pad' i: 2 }" },
  { "X W1 b", "type: 'Conv' arg { name: 'kernel' i: 1 }" },
  { "X Wg b", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" },
  { "X Wd", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 6 }" },
  { "X Wl b", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }" },
  { "X Wf bf", "type: 'FC'" },
  { "X Y", "type: 'Concat'", "result sizes" },
  { "X Y", "type: 'Concat' arg { name: 'axis' i: 3 }", "result sizes" },
  { "X", "type: 'Copy'" },
  { "X", "type: 'StopGradient'" },
  { "X", "type: 'Flatten'" },
  { "X", "type: 'FlattenToVec'" },
  { "X", "type: 'Reshape' arg { name: 'shape' ints: 4 ints: -1 }" },
  { "X", "type: 'Dropout' arg { name: 'is_test' i: 1 }" },
  { "X Z b Z2 Z3", "type: 'SpatialBN' arg { name: 'is_test' i: 1 }" },
  { "X", "type: 'LRN' arg { name: 'size' i: 5 } arg { name: 'alpha' f: 0.1 }"
         " arg { name: 'beta' f: 0.75 }" },
  { "X Z", "type: 'PRelu'" },
  { "X", "type: 'Transpose' arg { name: 'axes' ints: 0 ints: 2 ints: 3 ints: 1 }" },
  { "X", "type: 'NCHW2NHWC'" },
  { "X", "type: 'ChannelShuffle' arg { name: 'group' i: 3 }" },
};

static void
test_operators (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    nets_check_case (&cases[i], "simple");
}

static void
test_dag (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i += 3)
    nets_check_case (&cases[i], "dag");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/operators/pictures/simple", test_operators);
  add_clean_func ("/cuda/operators/pictures/dag", test_dag);

  return run_on_device ();
}
