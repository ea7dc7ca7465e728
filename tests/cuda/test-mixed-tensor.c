/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/tensors-utils.h"

/* A mixed tensor whose numbers are on a device: the device converts them. */

#define N 3000

/* Makes a mixed tensor whose floats are those of a tensor, and on the device alone. */
static C2gMixedTensor *
new_on_device (C2gTensor *near)
{
  const gint64 n = N;
  g_autoptr (GError) error = NULL;
  C2gMixedTensor *mixed =
      c2g_mixed_tensor_new (C2G_DATA_TYPE_FLOAT, &n, 1, first_device (), &error);
  g_autoptr (C2gTensor) far =
      c2g_mixed_tensor_ref_mutable_tensor (mixed, C2G_DATA_TYPE_FLOAT, first_device (), &error);

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_copy_from (far, near, NULL, &error));
  g_assert_no_error (error);

  return mixed;
}

static guint
count_copies (void)
{
  return count_calls ("cudaMemcpyAsync");
}

/* Asserts that the elements are those of floats that were converted. */
static void
assert_converted (C2gMixedTensor *mixed,
                  C2gTensor      *floats,
                  C2gDataType     type,
                  C2gDevice      *device)
{
  g_autoptr (C2gTensor) expected = c2g_tensor_convert (floats, type, C2G_CONVERT_SATURATE, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_mixed_tensor_ref_tensor (mixed, type, device, &error);

  g_assert_no_error (error);
  assert_bits (tensor, expected);
}

static void
test_convert (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE,
                                       C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_BOOL };
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, N, 70.5);
  g_autoptr (C2gMixedTensor) mixed = new_on_device (near);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const guint n_copies = count_copies ();
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (c2g_mixed_tensor_data (mixed, types[i], first_device (), &error));
      g_assert_no_error (error);
      g_assert_cmpuint (count_copies (), ==, n_copies);
      g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, types[i]), ==, C2G_SYNCED_HEAD_AT_GPU);
      g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, C2G_DATA_TYPE_FLOAT), ==,
                       C2G_SYNCED_HEAD_AT_GPU);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    assert_converted (mixed, near, types[i], i % 2 == 0 ? first_device () : c2g_device_cpu ());
}

/* The CPU gets the numbers that the device has converted. */
static void
test_read_on_cpu (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, N, -3);
  g_autoptr (C2gMixedTensor) mixed = new_on_device (near);
  const guint n_copies = count_copies ();

  assert_converted (mixed, near, C2G_DATA_TYPE_INT8, c2g_device_cpu ());
  if (is_fake ())
    g_assert_cmpuint (count_copies (), ==, n_copies + 1);
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, C2G_DATA_TYPE_FLOAT), ==,
                   C2G_SYNCED_HEAD_AT_GPU);
}

/* A master that somebody holds for writing is converted at each access. */
static void
test_held (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, N, 1);
  g_autoptr (C2gMixedTensor) mixed = new_on_device (near);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) held =
      c2g_mixed_tensor_ref_mutable_tensor (mixed, C2G_DATA_TYPE_FLOAT, first_device (), &error);

  g_assert_no_error (error);
  assert_converted (mixed, near, C2G_DATA_TYPE_FLOAT16, first_device ());
  g_assert_true (c2g_tensor_scale (held, -2, &error));
  g_assert_true (c2g_tensor_scale (near, -2, &error));
  g_assert_no_error (error);
  assert_converted (mixed, near, C2G_DATA_TYPE_FLOAT16, first_device ());
}

static void
test_failure (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, N, 1);
  g_autoptr (C2gMixedTensor) mixed = NULL;
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  mixed = new_on_device (near);
  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchOutOfResources, FALSE);
  g_assert_null (c2g_mixed_tensor_data (mixed, C2G_DATA_TYPE_INT16, first_device (), &error));
  on_fake (fake_cuda_clear_failures);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, C2G_DATA_TYPE_INT16));
  assert_converted (mixed, near, C2G_DATA_TYPE_INT16, first_device ());
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/mixed-tensor/convert", test_convert);
  add_clean_func ("/cuda/mixed-tensor/read-on-cpu", test_read_on_cpu);
  add_clean_func ("/cuda/mixed-tensor/held", test_held);
  add_clean_func ("/cuda/mixed-tensor/failure", test_failure);

  return run_on_device ();
}
