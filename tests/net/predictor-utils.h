/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/net/net-operators.h"

/* A model of one FC with three inputs and two outputs, for tests of predictors. */

#define INIT_NET                                                                                   \
  "name: 'init' "                                                                                  \
  "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 2 ints: 3 } "                \
  "  arg { name: 'values' floats: 1 floats: 2 floats: 3 floats: -1 floats: 0 floats: 0.5 } } "     \
  "op { type: 'GivenTensorFill' output: 'b' arg { name: 'shape' ints: 2 } "                        \
  "  arg { name: 'values' floats: 10 floats: 20 } } "

#define PREDICT_NET                                                                                \
  "name: 'predict' external_input: 'data' external_input: 'w' external_input: 'b' "                \
  "external_output: 'y' "                                                                          \
  "op { type: 'FC' input: 'data' input: 'w' input: 'b' output: 'y' } "

static inline C2gTensor *
new_data (gint64 n_rows)
{
  C2gTensor *tensor = c2g_tensor_new ();
  float *data;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (n_rows, 3), NULL));
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  for (gint64 i = 0; i < 3 * n_rows; i++)
    data[i] = (float) i;
  return tensor;
}

static inline void
check_output (C2gTensor *output,
              gint64     n_rows)
{
  const float *y = c2g_tensor_raw_data (output, NULL);

  g_assert_cmpuint (c2g_tensor_get_n_dims (output), ==, 2);
  g_assert_cmpint (c2g_tensor_get_n_elements (output), ==, 2 * n_rows);
  for (gint64 i = 0; i < n_rows; i++)
    {
      float x = 3 * (float) i;

      g_assert_cmpfloat_with_epsilon (y[2 * i], x + 2 * (x + 1) + 3 * (x + 2) + 10, 1e-4);
      g_assert_cmpfloat_with_epsilon (y[2 * i + 1], -x + 0.5 * (x + 2) + 20, 1e-4);
    }
}

static inline C2gPredictor *
new_predictor (C2gWorkspace *parent)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (INIT_NET);
  g_autoptr (C2gNetDef) predict = net_def_from_text (PREDICT_NET);
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor = c2g_predictor_create (init, predict, parent, NULL, C2G_OPTIMIZE_ALL,
                                                  &error);

  g_assert_no_error (error);
  return predictor;
}
