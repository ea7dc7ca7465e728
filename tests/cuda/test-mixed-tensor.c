/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/tensors-utils.h"

/* A mixed tensor whose numbers are on a device: the device converts them. */

#define N 3000

/* Makes a mixed tensor whose numbers are those of a tensor, and on the device alone. */
static C2gMixedTensor *
new_on_device (C2gTensor *near)
{
  const gint64 n = N;
  const C2gDataType type = c2g_tensor_get_data_type (near);
  g_autoptr (GError) error = NULL;
  C2gMixedTensor *mixed = c2g_mixed_tensor_new (type, &n, 1, first_device (), &error);
  g_autoptr (C2gTensor) far = c2g_mixed_tensor_ref_mutable_tensor (mixed, type, first_device (), &error);

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

static double
value_of (C2gMixedTensor *mixed,
          gint64          i)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) doubles = c2g_mixed_tensor_ref_tensor (mixed, C2G_DATA_TYPE_DOUBLE, NULL, &error);

  g_assert_no_error (error);
  return c2g_tensor_get_value (doubles, i, NULL);
}

/* Makes a mixed tensor of this type and number, which the device alone has. */
static C2gMixedTensor *
new_filled (C2gDataType type,
            double      value)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, N, 0);
  C2gMixedTensor *mixed = new_on_device (near);
  gconstpointer address = c2g_mixed_tensor_mutable_data (mixed, type, first_device (), NULL);

  g_assert_nonnull (address);
  g_assert_true (c2g_mixed_tensor_fill (mixed, value, NULL));
  return mixed;
}

static void
check_arithmetic (C2gDataType type,
                  C2gDataType x_type)
{
  /* Every number except 0 is 1 as a boolean. */
  const double x_value = x_type == C2G_DATA_TYPE_BOOL ? 1 : 2;
  const double result = type == C2G_DATA_TYPE_BOOL ? 1 : 2 * (2 * 3 + 4 * x_value);
  g_autoptr (C2gMixedTensor) mixed = new_filled (type, 3);
  g_autoptr (C2gMixedTensor) x = new_filled (x_type, 2);
  const guint n_copies = count_copies ();
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_mixed_tensor_scale (mixed, 2, &error));
  g_assert_true (c2g_mixed_tensor_axpy (mixed, 4, x, &error));
  g_assert_true (c2g_mixed_tensor_axpy (mixed, 1, mixed, &error));
  g_assert_cmpfloat (c2g_mixed_tensor_amax (mixed, &error), ==, result);
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, &error), ==, result * N);
  g_assert_cmpfloat (c2g_mixed_tensor_sumsq (mixed, &error), ==, result * result * N);
  g_assert_no_error (error);

  /* Only the three sums are copied to the CPU. One copy is within the device: the addend when the
   * tensor is added to itself. 64-bit integers are compared with their doubles on the CPU and
   * copied back, in each of three updates. */
  if (is_fake ())
    g_assert_cmpuint (count_copies (), ==, n_copies + 4 + (c2g_data_type_contains (C2G_DATA_TYPE_DOUBLE, type) ? 0 : 9));
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, type), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpint (c2g_mixed_tensor_get_head (x, x_type), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (mixed, type), ==, 0);
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (x, x_type), ==, 0);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, type);
  g_assert_cmpfloat (value_of (mixed, N - 1), ==, result);
}

/* Arithmetic with numbers on the device is done there, for pairs of types and integers too. */
static void
test_arithmetic (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE,
                                       C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_INT64,
                                       C2G_DATA_TYPE_UINT64, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_BFLOAT16 };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
      check_arithmetic (types[i], types[k]);
}

/* Doubles cannot represent all 64-bit integers. Those that do not change keep their exact value. */
static void
test_large_integers (void)
{
  const gint64 number = ((gint64) 1 << 53) + 1;
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_INT64, N, 0);
  g_autoptr (C2gMixedTensor) mixed = NULL;
  g_autoptr (C2gMixedTensor) x = new_filled (C2G_DATA_TYPE_FLOAT, 0);
  g_autoptr (C2gTensor) tensor = NULL;

  ((gint64 *) c2g_tensor_mutable_data (near, C2G_DATA_TYPE_INT64, NULL))[N - 1] = number;
  mixed = new_on_device (near);
  g_assert_true (c2g_mixed_tensor_scale (mixed, 1, NULL));
  g_assert_true (c2g_mixed_tensor_axpy (mixed, 3, x, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, C2G_DATA_TYPE_INT64), ==, C2G_SYNCED_HEAD_AT_GPU);
  tensor = c2g_mixed_tensor_ref_tensor (mixed, C2G_DATA_TYPE_INT64, NULL, NULL);
  g_assert_cmpint (((const gint64 *) c2g_tensor_raw_data (tensor, NULL))[N - 1], ==, number);
}

/* The copy and the conversion are made on the device of the source. */
static void
test_copy (void)
{
  g_autoptr (C2gMixedTensor) source = new_filled (C2G_DATA_TYPE_FLOAT, 1e6);
  g_autoptr (C2gMixedTensor) half = new_filled (C2G_DATA_TYPE_FLOAT16, 0);
  g_autoptr (C2gMixedTensor) near = new_filled (C2G_DATA_TYPE_INT32, 0);
  guint n_copies;

  g_assert_nonnull (c2g_mixed_tensor_mutable_data (near, C2G_DATA_TYPE_INT32, NULL, NULL));
  n_copies = count_copies ();
  g_assert_true (c2g_mixed_tensor_copy_from (half, source, NULL));
  g_assert_true (c2g_mixed_tensor_copy_from (near, source, NULL));
  g_assert_cmpuint (count_copies (), ==, n_copies);
  g_assert_cmpint (c2g_mixed_tensor_get_head (near, C2G_DATA_TYPE_INT32), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpfloat (value_of (half, 5), ==, 65504);
  g_assert_cmpfloat (value_of (near, 5), ==, 1e6);
}

/* Writes to the first float as its owner would, without c2g knowing. */
static void
write_as_owner (gpointer address,
                float    number)
{
  g_assert_cmpint (cudaMemcpy (address, &number, sizeof number, cudaMemcpyHostToDevice), ==, cudaSuccess);
  g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
}

static float
read_as_owner (gconstpointer address)
{
  float number;

  g_assert_cmpint (cudaMemcpy (&number, address, sizeof number, cudaMemcpyDeviceToHost), ==, cudaSuccess);
  return number;
}

static void
free_cb (gpointer address)
{
  g_assert_cmpint (cudaFree (address), ==, cudaSuccess);
}

/* The owner of memory on the device may write to it at any time. */
static void
test_foreign (void)
{
  const gint64 n = N;
  g_autoptr (C2gMixedTensor) mixed = c2g_mixed_tensor_new (C2G_DATA_TYPE_DOUBLE, &n, 1, first_device (), NULL);
  g_autoptr (GError) error = NULL;
  gpointer address = NULL;

  g_assert_cmpint (cudaMalloc (&address, N * sizeof (float)), ==, cudaSuccess);
  g_assert_cmpint (cudaMemset (address, 0, N * sizeof (float)), ==, cudaSuccess);
  g_assert_true (c2g_mixed_tensor_set_data (mixed, address, C2G_DATA_TYPE_FLOAT, first_device (), free_cb, address, &error));
  g_assert_no_error (error);

  for (int i = 1; i < 4; i++)
    {
      write_as_owner (address, (float) i);
      g_assert_cmpfloat (value_of (mixed, 0), ==, i);
      g_assert_nonnull (c2g_mixed_tensor_data (mixed, C2G_DATA_TYPE_FLOAT16, first_device (), NULL));
      g_assert_nonnull (c2g_mixed_tensor_data (mixed, C2G_DATA_TYPE_FLOAT, NULL, NULL));
      g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, i);
      g_assert_false (c2g_mixed_tensor_is_valid (mixed, C2G_DATA_TYPE_FLOAT16));
      g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, C2G_DATA_TYPE_FLOAT), ==, C2G_SYNCED_HEAD_AT_GPU);
    }

  /* The memory is written as long as it is the master. */
  g_assert_true (c2g_mixed_tensor_scale (mixed, 2, NULL));
  g_assert_cmpfloat (read_as_owner (address), ==, 6);
  ((double *) c2g_mixed_tensor_mutable_data (mixed, C2G_DATA_TYPE_DOUBLE, NULL, NULL))[0] = 9;
  write_as_owner (address, 10);
  g_assert_cmpfloat (*(const float *) c2g_mixed_tensor_data (mixed, C2G_DATA_TYPE_FLOAT, NULL, NULL), ==, 9);
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  g_assert_cmpfloat (read_as_owner (address), ==, 10);
}

static gboolean
axpy_itself (C2gMixedTensor *mixed,
             double          factor,
             GError        **error)
{
  return c2g_mixed_tensor_axpy (mixed, factor, mixed, error);
}

/* If the device refuses work, the numbers do not change, also in a block without other readers. */
static void
test_failed_arithmetic (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT64 };
  static gboolean (*const funcs[]) (C2gMixedTensor *, double, GError **) = {
    c2g_mixed_tensor_fill, c2g_mixed_tensor_scale, axpy_itself
  };

  if (!needs_fake ())
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (funcs) * 6; i++)
    {
      const C2gDataType type = types[i % 3];
      const gboolean is_read = i / 9 % 2 != 0;
      g_autoptr (C2gMixedTensor) mixed = new_filled (type, 3);
      g_autoptr (C2gTensor) reader = is_read ? c2g_mixed_tensor_ref_tensor (mixed, type, first_device (), NULL) : NULL;
      g_autoptr (GError) error = NULL;
      gboolean done;

      on_fake (fake_cuda_fail, "cudaLaunchKernel", 1 + (guint) i / 18, cudaErrorLaunchOutOfResources, FALSE);
      done = funcs[i / 3 % 3] (mixed, 4, &error);
      on_fake (fake_cuda_clear_failures);
      if (!done)
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
          g_assert_cmpfloat (value_of (mixed, 0), ==, 3);
          g_assert_cmpfloat (value_of (mixed, N - 1), ==, 3);
        }
      g_assert_true (!done || i >= 18);
    }
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
  add_clean_func ("/cuda/mixed-tensor/arithmetic", test_arithmetic);
  add_clean_func ("/cuda/mixed-tensor/large-integers", test_large_integers);
  add_clean_func ("/cuda/mixed-tensor/copy", test_copy);
  add_clean_func ("/cuda/mixed-tensor/foreign", test_foreign);
  add_clean_func ("/cuda/mixed-tensor/failed-arithmetic", test_failed_arithmetic);
  add_clean_func ("/cuda/mixed-tensor/failure", test_failure);

  return run_on_device ();
}
