/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-device.h"
#include "numbers.h"

#include <c2g/core/types/c2g-interrupt-private.h>

/* Compares the transposition with a model that moves one element at a time. */

#define MAX_DIMS 5

/* The position in the source of an element of the result. */
static gint64
find_source (const gint64 *dims,
             gsize         n_dims,
             const int    *axes,
             gint64        position)
{
  gint64 places[MAX_DIMS], source = 0;

  for (gsize i = n_dims; i-- > 0;)
    {
      places[axes[i]] = position % dims[axes[i]];
      position /= dims[axes[i]];
    }
  for (gsize i = 0; i < n_dims; i++)
    source = source * dims[i] + places[i];

  return source;
}

static void
check (C2gDataType   type,
       const gint64 *dims,
       gsize         n_dims,
       const int    *axes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  g_autoptr (C2gTensor) turned = NULL;

  g_assert_true (c2g_tensor_allocate (tensor, type, &error));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, (double) (type == C2G_DATA_TYPE_BOOL ? i % 2 : i % 101), &error));

  turned = c2g_tensor_transpose (tensor, axes, n_dims, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (turned), ==, type);
  g_assert_false (c2g_tensor_shares_data (tensor));
  for (gsize i = 0; i < n_dims; i++)
    g_assert_cmpint (c2g_tensor_get_dim (turned, (int) i, NULL), ==, dims[axes[i]]);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (turned); i++)
    g_assert_cmpfloat (c2g_tensor_get_value (turned, i, NULL), ==,
                       c2g_tensor_get_value (tensor, find_source (dims, n_dims, axes, i), NULL));
}

static void
swap (int *a,
      int *b)
{
  const int kept = *a;

  *a = *b;
  *b = kept;
}

/* Steps to the next permutation, in the order of a dictionary; FALSE after the last. */
static gboolean
next_permutation (int   *axes,
                  gsize  n)
{
  gsize i = n - 1, j = n - 1;

  while (i > 0 && axes[i - 1] > axes[i])
    i--;
  if (i == 0)
    return FALSE;
  while (axes[j] < axes[i - 1])
    j--;

  swap (&axes[i - 1], &axes[j]);
  for (j = n - 1; i < j; i++, j--)
    swap (&axes[i], &axes[j]);

  return TRUE;
}

static void
test_permutations (void)
{
  static const gint64 shapes[][MAX_DIMS] = { { 2, 3, 1, 4, 5 }, { 17, 1, 33, 2, 1 } };

  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (gsize n = 1; n <= MAX_DIMS; n++)
      {
        int axes[MAX_DIMS] = { 0, 1, 2, 3, 4 };

        do
          check (FLOAT, shapes[s], n, axes);
        while (next_permutation (axes, n));
      }
}

static void
test_types (void)
{
  static const C2gDataType types[] = {
    C2G_DATA_TYPE_BOOL,
    C2G_DATA_TYPE_UINT8,
    C2G_DATA_TYPE_INT8,
    C2G_DATA_TYPE_UINT16,
    C2G_DATA_TYPE_INT16,
    C2G_DATA_TYPE_UINT32,
    C2G_DATA_TYPE_INT32,
    C2G_DATA_TYPE_UINT64,
    C2G_DATA_TYPE_INT64,
    C2G_DATA_TYPE_FLOAT16,
    C2G_DATA_TYPE_BFLOAT16,
    C2G_DATA_TYPE_FLOAT,
    C2G_DATA_TYPE_DOUBLE,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    check (types[i], C2G_TEST_DIMS (3, 19, 2), (const int[]) { 2, 0, 1 });
}

/* No axes reverse the order; negative ones count from the end; there may be nothing to move. */
static void
test_forms (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) matrix = new_floats (6);
  g_autoptr (C2gTensor) scalar = c2g_tensor_new_sized (NULL, 0, NULL, NULL);
  g_autoptr (C2gTensor) none = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 0, 3), NULL, NULL);
  g_autoptr (C2gTensor) reversed = NULL;
  g_autoptr (C2gTensor) counted = NULL;
  g_autoptr (C2gTensor) still = NULL;
  g_autoptr (C2gTensor) empty = NULL;

  g_assert_true (c2g_tensor_reshape (matrix, C2G_TEST_DIMS (2, 3), NULL));
  reversed = c2g_tensor_transpose (matrix, NULL, 0, &error);
  g_assert_no_error (error);
  assert_values (reversed, (double[]) { 0, 3, 1, 4, 2, 5 }, 6);
  counted = c2g_tensor_transpose (matrix, (int[]) { -1, -2 }, 2, &error);
  g_assert_true (c2g_test_equal (reversed, counted));

  g_assert_true (c2g_tensor_allocate (scalar, FLOAT, &error));
  g_assert_true (c2g_tensor_fill (scalar, 7, &error));
  still = c2g_tensor_transpose (scalar, NULL, 0, &error);
  assert_values (still, (double[]) { 7 }, 1);

  g_assert_true (c2g_tensor_set_data_type (none, FLOAT, &error));
  empty = c2g_tensor_transpose (none, (int[]) { 2, 0, 1 }, 3, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim (empty, 0, NULL), ==, 3);
  g_assert_cmpint (c2g_tensor_get_n_elements (empty), ==, 0);
}

static void
test_refused (void)
{
  static const struct
  {
    int      axes[3];
    gsize    n;
    C2gError code;
  } cases[] = {
    { { 0 }, 1, C2G_ERROR_SHAPE },
    { { 0, 1, 2 }, 3, C2G_ERROR_SHAPE },
    { { 0, 2 }, 2, C2G_ERROR_SHAPE },
    { { -3, 0 }, 2, C2G_ERROR_SHAPE },
    { { 1, 1 }, 2, C2G_ERROR_INVALID_ARGUMENT },
    { { 1, -1 }, 2, C2G_ERROR_INVALID_ARGUMENT },
  };
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) strings = new_sized (2);
  g_autoptr (C2gTensor) no_data = new_sized (2);
  g_autoptr (C2gTensor) undefined = c2g_tensor_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (2, 3), NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_null (c2g_tensor_transpose (tensor, cases[i].axes, cases[i].n, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_clear_error (&error);
    }

  g_assert_true (c2g_tensor_allocate (strings, C2G_DATA_TYPE_STRING, NULL));
  g_assert_null (c2g_tensor_transpose (strings, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_true (c2g_tensor_set_data_type (no_data, FLOAT, NULL));
  g_assert_null (c2g_tensor_transpose (no_data, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_transpose (undefined, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
}

/* There is no limit to the number of axes. */
static void
test_many_axes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) turned = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  gint64 dims[40];

  for (gsize i = 0; i < G_N_ELEMENTS (dims); i++)
    dims[i] = i % 8 == 0 ? 2 : 1;
  tensor = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, &error);
  for (gint64 i = 0; i < 32; i++)
    floats_of (tensor)[i] = (float) i;

  turned = c2g_tensor_transpose (tensor, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (turned, 1, NULL), ==, 16);
  g_assert_cmpfloat (c2g_tensor_get_value (turned, 16, NULL), ==, 1);
}

static void
test_device (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = new_floats (6);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) turned = NULL;
  g_autoptr (C2gTensor) back = NULL;
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);

  fake_device_use ();
  g_assert_true (c2g_tensor_reshape (near, C2G_TEST_DIMS (2, 3), NULL));
  far = c2g_tensor_to_device (near, device, &error);
  turned = c2g_tensor_transpose (far, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (turned) == device);
  back = c2g_tensor_to_device (turned, c2g_device_cpu (), &error);
  assert_values (back, (double[]) { 0, 3, 1, 4, 2, 5 }, 6);
}

/* A failed call must not leave a result that is only partly transposed. */
static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);

  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (2, 3), NULL));
  g_cancellable_cancel (cancellable);
  c2g_interrupt_set (cancellable);
  g_assert_null (c2g_tensor_transpose (tensor, NULL, 0, &error));
  c2g_interrupt_set (NULL);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-transpose/permutations", test_permutations);
  c2g_test_add_func ("/tensor-transpose/types", test_types);
  c2g_test_add_func ("/tensor-transpose/forms", test_forms);
  c2g_test_add_func ("/tensor-transpose/refused", test_refused);
  c2g_test_add_func ("/tensor-transpose/many-axes", test_many_axes);
  c2g_test_add_func ("/tensor-transpose/device", test_device);
  c2g_test_add_func ("/tensor-transpose/cancelled", test_cancelled);

  return c2g_test_run ();
}
