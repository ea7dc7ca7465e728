/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <string.h>

static C2gQTensor *
new_tensor (gint64   n,
            guint    precision,
            gboolean is_signed)
{
  g_autoptr (GError) error = NULL;
  C2gQTensor *tensor = c2g_q_tensor_new (C2G_TEST_DIMS (n), precision, is_signed, &error);

  g_assert_no_error (error);
  return tensor;
}

static void
set_bit (C2gQTensor *tensor,
         guint       plane,
         gint64      index)
{
  g_autoptr (GError) error = NULL;

  c2g_q_tensor_set_bit (tensor, plane, index, TRUE, &error);
  g_assert_no_error (error);
}

static void
test_sizes (void)
{
  static const struct
  {
    gint64   n;
    guint    precision;
    gboolean is_signed;
    gsize    n_bytes;
  } cases[] = {
    { 30, 3, FALSE, 12 },
    { 30, 3, TRUE, 16 },
    { 10, 3, FALSE, 6 },
    { 8, 1, FALSE, 1 },
    { 9, 1, FALSE, 2 },
    { 0, 3, FALSE, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gQTensor *tensor = new_tensor (cases[i].n, cases[i].precision, cases[i].is_signed);
      gsize n_dims;

      g_assert_cmpuint (c2g_q_tensor_get_n_bytes (tensor), ==, cases[i].n_bytes);
      g_assert_cmpint (c2g_q_tensor_get_n_elements (tensor), ==, cases[i].n);
      g_assert_cmpuint (c2g_q_tensor_get_precision (tensor), ==, cases[i].precision);
      g_assert_cmpint (c2g_q_tensor_is_signed (tensor), ==, cases[i].is_signed);
      g_assert_cmpint (c2g_q_tensor_get_dims (tensor, &n_dims)[0], ==, cases[i].n);
      g_assert_cmpuint (n_dims, ==, 1);
      g_assert_finalize_object (tensor);
    }
}

static void
test_bits (void)
{
  g_autoptr (C2gQTensor) tensor = new_tensor (10, 3, FALSE);
  g_autoptr (GBytes) bytes = NULL;
  static const guint8 expected[] = { 0x55, 0x40, 0x33, 0x00, 0x0f, 0x00 };

  for (gint64 i = 0; i < 10; i++)
    for (guint plane = 0; plane < 3; plane++)
      if ((i % 8) >> plane & 1)
        set_bit (tensor, plane, i);

  bytes = c2g_q_tensor_dup_bytes (tensor, NULL);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   expected, sizeof expected);
  for (gint64 i = 0; i < 10; i++)
    g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, i, NULL), ==, i % 8);

  g_assert_true (c2g_q_tensor_set_bit (tensor, 2, 7, FALSE, NULL));
  g_assert_cmpint (c2g_q_tensor_get_bit (tensor, 2, 7, NULL), ==, 0);
  g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, 7, NULL), ==, 3);
}

static void
test_values (void)
{
  g_autoptr (C2gQTensor) tensor = new_tensor (3, 2, TRUE);

  g_assert_cmpfloat (c2g_q_tensor_get_scale (tensor), ==, 1);
  g_assert_cmpfloat (c2g_q_tensor_get_bias (tensor), ==, 0);
  c2g_q_tensor_set_scale (tensor, 0.5);
  c2g_q_tensor_set_bias (tensor, 10);

  set_bit (tensor, 0, 1);
  set_bit (tensor, 1, 1);
  set_bit (tensor, 1, 2);
  set_bit (tensor, 2, 2);
  g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, 0, NULL), ==, 10);
  g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, 1, NULL), ==, 11.5);
  g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, 2, NULL), ==, 9);
}

static void
test_range (void)
{
  g_autoptr (C2gQTensor) tensor = new_tensor (3, 2, FALSE);
  static const struct
  {
    guint  plane;
    gint64 index;
  } cases[] = { { 2, 0 }, { 0, 3 }, { 0, -1 }, { G_MAXUINT, G_MAXINT64 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) get_error = NULL;
      g_autoptr (GError) set_error = NULL;

      g_assert_cmpint (c2g_q_tensor_get_bit (tensor, cases[i].plane, cases[i].index, &get_error),
                       ==, -1);
      g_assert_error (get_error, C2G_ERROR, C2G_ERROR_RANGE);
      g_assert_false (c2g_q_tensor_set_bit (tensor, cases[i].plane, cases[i].index, TRUE,
                                            &set_error));
      g_assert_error (set_error, C2G_ERROR, C2G_ERROR_RANGE);
    }
}

static void
test_bad_new (void)
{
  static const struct
  {
    gint64   dim;
    guint    precision;
    C2gError code;
  } cases[] = {
    { 3, 0, C2G_ERROR_RANGE },
    { 3, 53, C2G_ERROR_RANGE },
    { -1, 3, C2G_ERROR_SHAPE },
    { G_MAXINT64, 52, C2G_ERROR_RANGE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_q_tensor_new (&cases[i].dim, 1, cases[i].precision, FALSE, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
    }
}

static void
test_bytes (void)
{
  g_autoptr (C2gQTensor) tensor = new_tensor (10, 3, FALSE);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\x55\x40\x33\x00\x0f\x00", 6);
  g_autoptr (GBytes) few = g_bytes_new_static ("\x55", 1);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_q_tensor_set_bytes (tensor, bytes, NULL));
  g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, 5, NULL), ==, 5);
  g_assert_false (c2g_q_tensor_set_bytes (tensor, few, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_cmpfloat (c2g_q_tensor_get_value (tensor, 5, NULL), ==, 5);
}

/* A tensor from a binding's bare constructor has no elements, and all functions accept it. */
static void
test_bare (void)
{
  C2gQTensor *tensor = g_object_new (C2G_TYPE_Q_TENSOR, NULL);

  g_assert_cmpint (c2g_q_tensor_get_n_elements (tensor), ==, 0);
  g_assert_cmpuint (c2g_q_tensor_get_n_bytes (tensor), ==, 0);
  g_assert_cmpint (c2g_q_tensor_get_bit (tensor, 0, 0, NULL), ==, -1);
  g_assert_finalize_object (tensor);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/q-tensor/sizes", test_sizes);
  c2g_test_add_func ("/q-tensor/bits", test_bits);
  c2g_test_add_func ("/q-tensor/values", test_values);
  c2g_test_add_func ("/q-tensor/range", test_range);
  c2g_test_add_func ("/q-tensor/bad-new", test_bad_new);
  c2g_test_add_func ("/q-tensor/bytes", test_bytes);
  c2g_test_add_func ("/q-tensor/bare", test_bare);

  return c2g_test_run ();
}
