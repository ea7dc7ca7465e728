/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <math.h>

static C2gTensor *
new_tensor (C2gDataType data_type)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < 3; i++)
    c2g_tensor_set_value (tensor, i, (double) (100 * i), &error);
  g_assert_no_error (error);
  return tensor;
}

static void
test_defaults (void)
{
  g_autoptr (C2gInt8Tensor) quantized = g_object_new (C2G_TYPE_INT8_TENSOR, NULL);
  g_autoptr (C2gTensor) tensor = NULL;
  float scale;
  int zero_point;

  g_object_get (quantized, "tensor", &tensor, "scale", &scale, "zero-point", &zero_point, NULL);
  g_assert_true (C2G_IS_TENSOR (tensor));
  g_assert_true (tensor == c2g_int8_tensor_get_tensor (quantized));
  g_assert_cmpfloat (scale, ==, 1);
  g_assert_cmpint (zero_point, ==, 0);
}

static void
test_new (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_UINT8);
  C2gInt8Tensor *quantized = c2g_int8_tensor_new (tensor, 0.25, -7);

  g_assert_true (c2g_int8_tensor_get_tensor (quantized) == tensor);
  g_assert_cmpfloat (c2g_int8_tensor_get_scale (quantized), ==, 0.25);
  g_assert_cmpint (c2g_int8_tensor_get_zero_point (quantized), ==, -7);
  g_assert_finalize_object (quantized);

  quantized = c2g_int8_tensor_new (NULL, 1, 0);
  g_assert_true (C2G_IS_TENSOR (c2g_int8_tensor_get_tensor (quantized)));
  g_assert_finalize_object (quantized);
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          int        *count)
{
  *count += 1;
}

static void
test_properties (void)
{
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (NULL, 1, 0);
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_UINT8);
  int n_tensor = 0;
  int n_scale = 0;
  int n_zero_point = 0;

  g_signal_connect (quantized, "notify::tensor", G_CALLBACK (count_cb), &n_tensor);
  g_signal_connect (quantized, "notify::scale", G_CALLBACK (count_cb), &n_scale);
  g_signal_connect (quantized, "notify::zero-point", G_CALLBACK (count_cb), &n_zero_point);

  for (int i = 0; i < 2; i++)
    {
      g_object_set (quantized, "tensor", tensor, "scale", 0.5, "zero-point", 3, NULL);
      g_assert_cmpint (n_tensor, ==, 1);
      g_assert_cmpint (n_scale, ==, 1);
      g_assert_cmpint (n_zero_point, ==, 1);
    }

  /* Setting NULL keeps the present tensor. */
  g_object_set (quantized, "tensor", NULL, NULL);
  g_assert_true (c2g_int8_tensor_get_tensor (quantized) == tensor);
  g_assert_cmpint (n_tensor, ==, 1);

  c2g_int8_tensor_set_zero_point (quantized, -3);
  g_assert_cmpint (c2g_int8_tensor_get_zero_point (quantized), ==, -3);
  g_assert_cmpint (n_zero_point, ==, 2);

  g_object_set (quantized, "scale", INFINITY, NULL);
  g_assert_true (isinf (c2g_int8_tensor_get_scale (quantized)));
}

static void
test_value (void)
{
  static const C2gDataType data_types[] = { C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_INT32 };

  for (gsize i = 0; i < G_N_ELEMENTS (data_types); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (data_types[i]);
      g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 0.5, 128);
      g_autoptr (GError) error = NULL;

      g_assert_cmpfloat (c2g_int8_tensor_get_value (quantized, 0, &error), ==, -64);
      g_assert_cmpfloat (c2g_int8_tensor_get_value (quantized, 2, &error), ==, 36);
      g_assert_no_error (error);
      g_assert_cmpfloat (c2g_int8_tensor_get_value (quantized, 3, &error), ==, 0);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
    }
}

static void
test_value_wide (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_INT32);
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 2, G_MININT32);

  c2g_tensor_set_int64 (tensor, 0, G_MAXINT32, NULL);
  g_assert_cmpfloat (c2g_int8_tensor_get_value (quantized, 0, NULL), ==, 2 * 4294967295.0);
}

/* A damaged net may have any scale; none of them may cause a GObject warning. */
static void
test_nan (void)
{
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (NULL, NAN, 0);

  g_assert_true (isnan (c2g_int8_tensor_get_scale (quantized)));
  g_object_set (quantized, "scale", 2.0, NULL);
  g_object_set (quantized, "scale", (double) NAN, NULL);
  g_assert_true (isnan (c2g_int8_tensor_get_scale (quantized)));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/int8-tensor/defaults", test_defaults);
  c2g_test_add_func ("/int8-tensor/new", test_new);
  c2g_test_add_func ("/int8-tensor/properties", test_properties);
  c2g_test_add_func ("/int8-tensor/value", test_value);
  c2g_test_add_func ("/int8-tensor/nan", test_nan);
  c2g_test_add_func ("/int8-tensor/value-wide", test_value_wide);

  return c2g_test_run ();
}
