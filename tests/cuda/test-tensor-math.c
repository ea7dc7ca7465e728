/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/tensors-utils.h"

#include <math.h>

/* Arithmetic and comparisons of tensors on a device, compared with the CPU. */

static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_DOUBLE,
                                     C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16 };

static const gint64 sizes[] = { 1, 7, 256, 1023, 1025, 5000, 40003 };

/* The rounding error of the type. */
static double
unit_of (C2gDataType type)
{
  switch ((int) type)
    {
    case C2G_DATA_TYPE_DOUBLE:
      return 0x1p-52;
    case C2G_DATA_TYPE_FLOAT:
      return 0x1p-23;
    case C2G_DATA_TYPE_FLOAT16:
      return 0x1p-10;
    default:
      return 0x1p-7;
    }
}

static void
assert_alike (C2gTensor *far,
              C2gTensor *near)
{
  const double unit = unit_of (c2g_tensor_get_data_type (near));
  g_autoptr (C2gTensor) copy = to_near (far);

  g_assert_true (c2g_test_allclose (copy, near, unit, unit, TRUE));
}

static void
set_value (C2gTensor *near,
           gint64     i,
           double     value)
{
  g_assert_true (c2g_tensor_set_value (near, i, value, NULL));
}

/* Updates */

static void
check_updates (C2gDataType type,
               gint64      n)
{
  static const double factors[][2] = { { 2, 1 }, { -0.75, 0.5 }, { 3, 0 }, { 0, 1.5 }, { 0, 0 } };
  g_autoptr (C2gTensor) near = new_row (type, n, 0.01);
  g_autoptr (C2gTensor) near_x = new_row (type, n, 0.03);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) far_x = to_far (near_x);
  g_autoptr (GError) error = NULL;
  guint n_trips;

  for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      n_trips = count_trips ();
      g_assert_true (c2g_tensor_axpby (far, factors[i][0], far_x, factors[i][1], &error));
      g_assert_no_error (error);
      g_assert_cmpuint (count_trips (), ==, n_trips);
      g_assert_true (c2g_tensor_axpby (near, factors[i][0], near_x, factors[i][1], NULL));
      assert_alike (far, near);
    }

  n_trips = count_trips ();
  g_assert_true (c2g_tensor_fill (far, 1.5, &error));
  g_assert_true (c2g_tensor_axpy (far, 0.5, far_x, &error));
  g_assert_true (c2g_tensor_scale (far, -2, &error));
  g_assert_true (c2g_tensor_axpy (far, 1, far, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_trips (), ==, n_trips);

  g_assert_true (c2g_tensor_fill (near, 1.5, NULL) && c2g_tensor_axpy (near, 0.5, near_x, NULL) &&
                 c2g_tensor_scale (near, -2, NULL) && c2g_tensor_axpy (near, 1, near, NULL));
  assert_alike (far, near);
}

static void
test_updates (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
      check_updates (types[i], sizes[k]);
}

static void
check_specials (C2gDataType type)
{
  g_autoptr (C2gTensor) near = new_row (type, 6, 1);
  g_autoptr (C2gTensor) near_x = new_row (type, 6, 1);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) far_x = NULL;

  set_value (near, 0, NAN);
  set_value (near, 1, INFINITY);
  set_value (near_x, 1, INFINITY);
  set_value (near_x, 2, NAN);
  set_value (near_x, 3, 60000);
  far = to_far (near);
  far_x = to_far (near_x);

  for (double alpha = 0; alpha < 3; alpha++)
    for (double beta = 0; beta < 3; beta++)
      {
        g_autoptr (C2gTensor) y = c2g_tensor_clone (near, NULL, NULL);
        g_autoptr (C2gTensor) far_y = c2g_tensor_clone (far, NULL, NULL);

        g_assert_true (c2g_tensor_axpby (y, alpha, near_x, beta, NULL));
        g_assert_true (c2g_tensor_axpby (far_y, alpha, far_x, beta, NULL));
        assert_alike (far_y, y);
        g_assert_true (c2g_tensor_scale (y, alpha, NULL));
        g_assert_true (c2g_tensor_scale (far_y, alpha, NULL));
        assert_alike (far_y, y);
      }
}

/* Elements with the factor 0 are not read, NaN stays NaN, and float16 is clamped to its largest
 * number. */
static void
test_specials (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    check_specials (types[i]);
}

static void
test_overlap (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, 5000, 1);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) near_y = c2g_tensor_slice (near, 1, 5000, NULL);
  g_autoptr (C2gTensor) near_x = c2g_tensor_slice (near, 0, 4999, NULL);
  g_autoptr (C2gTensor) far_y = c2g_tensor_slice (far, 1, 5000, NULL);
  g_autoptr (C2gTensor) far_x = c2g_tensor_slice (far, 0, 4999, NULL);

  g_assert_true (c2g_tensor_axpy (near_y, 1, near_x, NULL));
  g_assert_true (c2g_tensor_axpy (far_y, 1, far_x, NULL));
  assert_bits (far, near);
}

/* The result is on the device of the first tensor. */
static void
test_elsewhere (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, 100, 1);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) fetched = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_axpy (far, 1, near, &error));
  g_assert_true (c2g_tensor_axpy (near, 1, far, &error));
  g_assert_true (c2g_tensor_axpy (far, 1, near, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (near, 99, NULL), ==, 3 * 98);
  fetched = to_near (far);
  g_assert_cmpfloat (c2g_tensor_get_value (fetched, 99, NULL), ==, 5 * 98);
  g_assert_cmpfloat (c2g_tensor_dot (far, near, &error), ==, c2g_tensor_dot (near, far, NULL));
  g_assert_false (c2g_test_equal (far, near));
  g_assert_true (c2g_test_allclose (far, near, 0.7, 0, FALSE));
  g_assert_no_error (error);
}

static void
test_other_device (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, 100, 1);
  C2gDevice *second = second_device ();
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) farther = NULL;
  g_autoptr (GError) error = NULL;

  if (second == NULL)
    return;

  far = to_far (near);
  farther = to_device (near, second);
  g_assert_true (c2g_tensor_axpy (farther, 1, far, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (farther) == second);
  g_assert_cmpfloat (c2g_tensor_dot (far, farther, &error), ==, 2 * c2g_tensor_sumsq (near, NULL));
  g_assert_true (c2g_tensor_scale (farther, 0.5, &error));
  g_assert_true (c2g_test_equal (far, farther));
  g_assert_true (c2g_tensor_convert_from (far, farther, C2G_CONVERT_NONE, &error));
  g_assert_no_error (error);
  assert_bits (far, near);
}

/* Numbers */

static void
assert_near (double value,
             double expected,
             double size)
{
  g_assert_cmpfloat (fabs (value - expected), <=, 1e-12 * size);
}

static void
check_sums (C2gDataType type,
            gint64      n)
{
  g_autoptr (C2gTensor) near = new_row (type, n, 0.37);
  g_autoptr (C2gTensor) other = new_row (type, n, 1.25);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) far_other = to_far (other);
  g_autoptr (GError) error = NULL;
  const double size = c2g_tensor_dot (near, other, NULL);
  const double dot = c2g_tensor_dot (far, far_other, &error);
  const guint n_trips = count_trips ();

  /* Each of these copies one number, and waits for it. */
  assert_near (c2g_tensor_asum (far, &error), c2g_tensor_asum (near, NULL),
               c2g_tensor_asum (near, NULL));
  g_assert_cmpuint (count_trips (), <=, n_trips + 2);
  assert_near (c2g_tensor_sumsq (far, &error), c2g_tensor_sumsq (near, NULL),
               c2g_tensor_sumsq (near, NULL));
  g_assert_cmpfloat (c2g_tensor_amax (far, &error), ==, c2g_tensor_amax (near, NULL));
  assert_near (dot, size, fabs (size) + n);
  g_assert_cmpuint (count_trips (), <=, n_trips + 6);
  /* Repeated sums give the same bits. */
  g_assert_cmpfloat (c2g_tensor_dot (far, far_other, &error), ==, dot);
  g_assert_no_error (error);
}

static void
test_sums (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
      check_sums (types[i], sizes[k]);
}

/* A sum in float would stop at 2^24, and one in float16 at 65504. */
static void
test_accumulation (void)
{
  const gint64 n = 100000;
  g_autoptr (C2gTensor) floats = new_row (C2G_DATA_TYPE_FLOAT, n, 0);
  g_autoptr (C2gTensor) halves = new_row (C2G_DATA_TYPE_FLOAT16, n, 0);
  g_autoptr (C2gTensor) far_floats = NULL;
  g_autoptr (C2gTensor) far_halves = NULL;

  set_value (floats, 0, 0x1p40);
  far_floats = to_far (floats);
  far_halves = to_far (halves);
  g_assert_cmpfloat (c2g_tensor_asum (far_floats, NULL), ==, 0x1p40 + n - 1);
  g_assert_cmpfloat (c2g_tensor_sumsq (far_halves, NULL), ==, n);
  g_assert_cmpfloat (c2g_tensor_asum (far_halves, NULL), ==, n);
}

static void
check_nan (C2gDataType type,
           gint64      place)
{
  g_autoptr (C2gTensor) near = new_row (type, 3000, 0.01);
  g_autoptr (C2gTensor) far = NULL;

  set_value (near, place, INFINITY);
  far = to_far (near);
  g_assert_true (isinf (c2g_tensor_amax (far, NULL)) && isinf (c2g_tensor_asum (far, NULL)));
  g_clear_object (&far);

  set_value (near, place, NAN);
  far = to_far (near);
  g_assert_true (isnan (c2g_tensor_amax (far, NULL)));
  g_assert_true (isnan (c2g_tensor_asum (far, NULL)));
  g_assert_true (isnan (c2g_tensor_sumsq (far, NULL)));
  g_assert_true (isnan (c2g_tensor_dot (far, near, NULL)));
}

static void
test_nan (void)
{
  static const gint64 places[] = { 0, 1, 63, 255, 256, 1500, 2999 };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (places); k++)
      check_nan (types[i], places[k]);
}

/* Comparisons */

static void
check_equal (gint64 n,
             gint64 begin)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_INT8, n + begin, 1);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) slice = c2g_tensor_slice (far, begin, n + begin, NULL);
  g_autoptr (C2gTensor) same = c2g_tensor_clone (slice, NULL, NULL);
  g_autoptr (GError) error = NULL;
  const guint n_trips = count_trips ();

  g_assert_true (c2g_test_equal (slice, same));
  g_assert_cmpuint (count_trips (), <=, n_trips + 2);
  for (gint64 i = 0; i < n; i += 1 + n / 9)
    {
      g_autoptr (C2gTensor) other = to_near (same);
      g_autoptr (C2gTensor) far_other = NULL;

      set_value (other, i, 77);
      far_other = to_far (other);
      g_assert_false (c2g_test_equal (slice, far_other));
    }
  g_assert_no_error (error);
}

static void
test_equal (void)
{
  for (gint64 n = 1; n < 40; n += 6)
    for (gint64 begin = 0; begin < 17; begin++)
      check_equal (n, begin);
  check_equal (70001, 0);
}

static void
check_close (C2gDataType type,
             C2gDataType other_type,
             double      difference)
{
  g_autoptr (C2gTensor) near = new_row (type, 300, 2);
  g_autoptr (C2gTensor) other = new_row (other_type, 300, 2);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) far_other = NULL;
  g_autoptr (GError) error = NULL;

  set_value (other, 128, c2g_tensor_get_value (near, 128, NULL) + difference);
  far_other = to_far (other);
  for (double tolerance = 0; tolerance < 0.5; tolerance += 0x1p-7)
    {
      g_assert_cmpint (c2g_test_allclose (far, far_other, tolerance, 0, TRUE), ==,
                       c2g_test_allclose (near, other, tolerance, 0, TRUE));
      g_assert_cmpint (c2g_test_allclose (far, far_other, 0, tolerance * 128, FALSE), ==,
                       c2g_test_allclose (near, other, 0, tolerance * 128, FALSE));
    }
  g_assert_no_error (error);
}

static void
test_allclose (void)
{
  static const double specials[] = { NAN, INFINITY, -INFINITY, 1 };

  check_close (C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16, 8);
  check_close (C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_DOUBLE, 4);
  check_close (C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_FLOAT, 16);
  check_close (C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_INT16, -32);

  for (gsize i = 0; i < 16; i++)
    {
      g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, 3, 1);
      g_autoptr (C2gTensor) other = new_row (C2G_DATA_TYPE_FLOAT, 3, 1);
      g_autoptr (C2gTensor) far = NULL;

      set_value (near, 2, specials[i / 4]);
      set_value (other, 2, specials[i % 4]);
      far = to_far (near);
      for (gboolean equal_nan = FALSE; equal_nan <= TRUE; equal_nan++)
        g_assert_cmpint (c2g_test_allclose (far, other, 1, 1, equal_nan), ==,
                         c2g_test_allclose (near, other, 1, 1, equal_nan));
    }
}

/* The tensor has more elements than one launch compares. */
static void
test_allclose_large (void)
{
  const gint64 n = (1 << 20) + 5;
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_UINT8, n, 0);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) other = NULL;

  set_value (near, n - 1, 3);
  other = to_far (near);
  g_assert_true (c2g_test_allclose (far, other, 0, 3, FALSE));
  g_assert_false (c2g_test_allclose (far, other, 0, 2, FALSE));
}

static void
test_zero_size (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, 0, 0);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_scale (far, 2, &error));
  g_assert_true (c2g_tensor_axpy (far, 2, far, &error));
  g_assert_true (c2g_tensor_fill (far, 2, &error));
  g_assert_true (c2g_test_equal (far, near));
  g_assert_true (c2g_test_allclose (far, near, 0, 0, FALSE));
  g_assert_cmpfloat (c2g_tensor_asum (far, &error), ==, 0);
  g_assert_cmpfloat (c2g_tensor_amax (far, &error), ==, 0);
  g_assert_cmpfloat (c2g_tensor_dot (far, far, &error), ==, 0);
  g_assert_no_error (error);
}

/* Two other streams use a tensor before and after. */
static void
test_streams (void)
{
  const gint64 n = 3000;
  g_autoptr (C2gContext) first = c2g_context_for_device (first_device (), NULL);
  g_autoptr (C2gContext) second = c2g_context_for_device (first_device (), NULL);
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, n, 0);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) copy = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) near_copy = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (far, near, first, &error);
  c2g_tensor_scale (far, 3, &error);
  c2g_tensor_copy_from (copy, far, second, &error);
  c2g_tensor_fill (far, 7, &error);
  c2g_context_fill (first, far, 5, &error);
  c2g_tensor_axpy (copy, 1, far, &error);
  c2g_context_copy (second, copy, far, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_asum (copy, &error), ==, 2 * n);
  near_copy = to_near (copy);
  assert_bits (far, near_copy);
}

/* Failures */

typedef gboolean (*Call) (C2gTensor  *far,
                          C2gTensor  *other,
                          GError    **error);

static gboolean
call_fill (C2gTensor  *far,
           C2gTensor  *other,
           GError    **error)
{
  return c2g_tensor_fill (far, 9, error);
}

static gboolean
call_scale (C2gTensor  *far,
            C2gTensor  *other,
            GError    **error)
{
  return c2g_tensor_scale (far, 9, error);
}

static gboolean
call_axpy (C2gTensor  *far,
           C2gTensor  *other,
           GError    **error)
{
  return c2g_tensor_axpy (far, 9, other, error);
}

static gboolean
call_clear (C2gTensor  *far,
            C2gTensor  *other,
            GError    **error)
{
  return c2g_tensor_axpby (far, 0, other, 0, error);
}

static gboolean
call_dot (C2gTensor  *far,
          C2gTensor  *other,
          GError    **error)
{
  return c2g_tensor_dot (far, other, error) != 0;
}

static gboolean
call_equal (C2gTensor  *far,
            C2gTensor  *other,
            GError    **error)
{
  gboolean answer;

  return c2g_tensor_equal (far, other, &answer, error);
}

static gboolean
call_allclose (C2gTensor  *far,
               C2gTensor  *other,
               GError    **error)
{
  gboolean answer;

  return c2g_tensor_allclose (far, other, 1, 1, TRUE, &answer, error);
}

static void
check_failure (Call        call,
               const char *function,
               guint       n,
               guint      *n_failed)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, 50, 1);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) other = to_far (near);
  g_autoptr (GError) error = NULL;
  gboolean done;

  on_fake (fake_cuda_fail, function, n, cudaErrorLaunchOutOfResources, FALSE);
  done = call (far, other, &error);
  on_fake (fake_cuda_clear_failures);
  g_assert_true (done == (error == NULL));
  if (!done)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      assert_bits (far, near);
    }
  assert_bits (other, near);
  *n_failed += !done;
}

/* Each launch, copy and wait fails once. */
static void
test_failures (void)
{
  static const char *functions[] = { "cudaLaunchKernel", "cudaMemcpyAsync", "cudaStreamSynchronize" };
  static const struct
  {
    Call  call;
    guint n_failing;
  } calls[] = {
    { call_fill, 1 },
    { call_scale, 1 },
    { call_axpy, 1 },
    { call_clear, 1 },
    { call_dot, 4 },
    { call_equal, 5 },
    { call_allclose, 6 },
  };

  if (!needs_fake ())
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      guint n_failed = 0;

      for (gsize k = 0; k < G_N_ELEMENTS (functions); k++)
        for (guint n = 1; n < 6; n++)
          check_failure (calls[i].call, functions[k], n, &n_failed);
      g_assert_cmpuint (n_failed, ==, calls[i].n_failing);
    }
}

/* Axes */

/* Counts like count_trips(), without the wait for each new block of memory. */
static int
count_trips_of_work (void)
{
  return (int) count_trips () - (int) count_calls ("cudaMallocFromPoolAsync");
}

static void
check_transpose (C2gDataType type,
                 gsize       n_dims)
{
  static const gint64 dims[] = { 3, 1, 4, 2, 5, 2, 1, 3, 2, 2 };
  static const int axes[] = { 9, 2, 0, 4, 1, 8, 3, 6, 5, 7 };
  g_autofree int *some_axes = g_new0 (int, n_dims + 1);
  g_autoptr (C2gTensor) all = new_row (type, 3 * 4 * 2 * 5 * 2 * 3 * 2 * 2, 0.5);
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) turned = NULL;
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (GError) error = NULL;
  gint64 n = 1;
  int n_trips;

  for (gsize i = 0; i < n_dims; i++)
    n *= dims[i];
  for (gsize i = 0, k = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i] < (int) n_dims)
      some_axes[k++] = axes[i];

  near = c2g_tensor_slice (all, 0, n, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_reshape (near, dims, n_dims, &error));
  far = to_far (near);
  n_trips = count_trips_of_work ();
  turned = c2g_tensor_transpose (far, some_axes, n_dims, &error);
  g_assert_no_error (error);
  if (n_dims <= 8)
    g_assert_cmpint (count_trips_of_work (), ==, n_trips);
  g_assert_true (c2g_tensor_get_device (turned) == first_device ());
  expected = c2g_tensor_transpose (near, some_axes, n_dims, NULL);
  assert_bits (turned, expected);
}

/* A device transposes elements of all sizes. The CPU does it if there are more dimensions than the
 * kernel has. */
static void
test_transpose (void)
{
  static const C2gDataType turned_types[] = { C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_FLOAT16,
                                              C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT64 };

  for (gsize i = 0; i < G_N_ELEMENTS (turned_types); i++)
    for (gsize n_dims = 0; n_dims <= 10; n_dims++)
      check_transpose (turned_types[i], n_dims);
}

static void
test_transpose_nothing (void)
{
  static const gint64 dims[] = { 2, 0, 3 };
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (dims, 3, NULL, NULL);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) turned = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_dims;

  g_assert_true (c2g_tensor_allocate (near, C2G_DATA_TYPE_FLOAT, NULL));
  far = to_far (near);
  turned = c2g_tensor_transpose (far, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dims (turned, &n_dims)[0], ==, 3);
  g_assert_true (c2g_tensor_get_device (turned) == first_device ());
}

static void
check_normalize (C2gDataType type,
                 int         axis,
                 int         new_axis)
{
  static const gint64 dims[] = { 3, 5, 3, 7 };
  static const double means[] = { 123.675, 0, 103.53, -1, 7, 128, 3 };
  static const double scales[] = { 0.0171, 1e30, -1, 1.0 / 3, 0.1, 2, 5 };
  const gsize n_channels = (gsize) dims[axis];
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_UINT8, 3 * 5 * 3 * 7, 0.8);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_reshape (near, dims, 4, NULL));
  far = to_far (near);
  for (gsize n_means = 0; n_means <= n_channels; n_means += n_means == 0 ? 1 : n_channels - 1)
    for (gsize n_scales = 0; n_scales <= n_channels; n_scales += n_scales == 0 ? 1 : n_channels - 1)
      {
        const int n_trips = count_trips_of_work ();
        g_autoptr (C2gTensor) planes = c2g_tensor_normalize (far, type, axis, new_axis, means, n_means,
                                                             scales, n_scales, &error);
        g_autoptr (C2gTensor) expected = NULL;

        g_assert_no_error (error);
        g_assert_cmpint (count_trips_of_work () - n_trips, <=, (n_means > 0) + (n_scales > 0));
        g_assert_true (c2g_tensor_get_device (planes) == first_device ());
        expected = c2g_tensor_normalize (near, type, axis, new_axis, means, n_means, scales, n_scales, NULL);
        assert_bits (planes, expected);
      }
}

/* Pictures are converted to the same bits as on the CPU. */
static void
test_normalize (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (int axis = 0; axis < 4; axis++)
      for (int new_axis = 0; new_axis < 4; new_axis++)
        check_normalize (types[i], axis, new_axis);
}

static void
test_normalize_errors (void)
{
  static const double means[] = { 1, 2 };
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_UINT8, 9, 1);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_tensor_normalize (far, C2G_DATA_TYPE_FLOAT, 0, 0, means, 2, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_normalize (far, C2G_DATA_TYPE_FLOAT, 0, 1, NULL, 0, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/tensor-math/updates", test_updates);
  add_clean_func ("/cuda/tensor-math/specials", test_specials);
  add_clean_func ("/cuda/tensor-math/overlap", test_overlap);
  add_clean_func ("/cuda/tensor-math/elsewhere", test_elsewhere);
  add_clean_func ("/cuda/tensor-math/other-device", test_other_device);
  add_clean_func ("/cuda/tensor-math/sums", test_sums);
  add_clean_func ("/cuda/tensor-math/accumulation", test_accumulation);
  add_clean_func ("/cuda/tensor-math/nan", test_nan);
  add_clean_func ("/cuda/tensor-math/equal", test_equal);
  add_clean_func ("/cuda/tensor-math/allclose", test_allclose);
  add_clean_func ("/cuda/tensor-math/allclose-large", test_allclose_large);
  add_clean_func ("/cuda/tensor-math/zero-size", test_zero_size);
  add_clean_func ("/cuda/tensor-math/streams", test_streams);
  add_clean_func ("/cuda/tensor-math/failures", test_failures);
  add_clean_func ("/cuda/tensor-math/transpose", test_transpose);
  add_clean_func ("/cuda/tensor-math/transpose-nothing", test_transpose_nothing);
  add_clean_func ("/cuda/tensor-math/normalize", test_normalize);
  add_clean_func ("/cuda/tensor-math/normalize-errors", test_normalize_errors);

  return run_on_device ();
}
