/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-device.h"
#include "numbers.h"

/* BLAS level 1 functions and comparisons of whole tensors. */

static const C2gDataType real_types[] = {
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_BFLOAT16,
};

/* Small whole numbers, whose sums every type has. */
static C2gTensor *
new_numbers (C2gDataType type,
             gint64      n,
             int         step)
{
  g_autofree double *values = g_new (double, n + 1);

  for (gint64 i = 0; i < n; i++)
    values[i] = (double) (i * step % 17) - 8;

  return new_of (type, values, n);
}

/* Tests all lengths near the number of sums and the size of a block. */
static void
test_sums (void)
{
  static const gint64 lengths[] = { 0, 1, 2, 15, 16, 17, 31, 33, 127, 128, 129, 1023, 1024, 1025, 3000 };

  for (gsize t = 0; t < G_N_ELEMENTS (real_types); t++)
    for (gsize l = 0; l < G_N_ELEMENTS (lengths); l++)
      {
        const gint64 n = lengths[l];
        g_autoptr (GError) error = NULL;
        g_autoptr (C2gTensor) x = new_numbers (real_types[t], n, 5);
        g_autoptr (C2gTensor) y = new_numbers (real_types[t], n, 3);
        double dot = 0, asum = 0, sumsq = 0, amax = 0;

        for (gint64 i = 0; i < n; i++)
          {
            const double a = c2g_tensor_get_value (x, i, NULL), b = c2g_tensor_get_value (y, i, NULL);

            dot += a * b;
            asum += fabs (a);
            sumsq += a * a;
            amax = MAX (amax, fabs (a));
          }
        g_assert_cmpfloat (c2g_tensor_dot (x, y, &error), ==, dot);
        g_assert_cmpfloat (c2g_tensor_asum (x, &error), ==, asum);
        g_assert_cmpfloat (c2g_tensor_sumsq (x, &error), ==, sumsq);
        g_assert_cmpfloat (c2g_tensor_amax (x, &error), ==, amax);
        g_assert_no_error (error);
      }
}

/* Floats are summed in double: a float sum would stop growing at 2^24. */
static void
test_accumulation (void)
{
  const gint64 n = (1 << 24) + 64;
  g_autoptr (C2gTensor) ones = new_sized (n);
  g_autoptr (C2gTensor) halves = new_sized (4096);

  g_assert_true (c2g_tensor_set_data_type (ones, FLOAT, NULL));
  g_assert_true (c2g_tensor_fill (ones, 1, NULL));
  g_assert_cmpfloat (c2g_tensor_asum (ones, NULL), ==, (double) n);
  g_assert_cmpfloat (c2g_tensor_sumsq (ones, NULL), ==, (double) n);

  g_assert_true (c2g_tensor_set_data_type (halves, C2G_DATA_TYPE_FLOAT16, NULL));
  g_assert_true (c2g_tensor_fill (halves, 60000, NULL));
  g_assert_cmpfloat (c2g_tensor_asum (halves, NULL), ==, 4096.0 * 60000);
  g_assert_cmpfloat (c2g_tensor_dot (halves, halves, NULL), ==, 4096.0 * 60000 * 60000);
}

/* Products are rounded before they are added: elements 0 and 32 are in the same partial sum. */
static void
test_not_fused (void)
{
  const double small = 0x1p-30, small_float = 0x1p-13;
  double xs[33] = { 1 }, ys[33] = { -1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (C2gTensor) y = NULL;
  g_autoptr (C2gTensor) one = new_of (FLOAT, (double[]) { 1 - small_float }, 1);
  g_autoptr (C2gTensor) sum = new_of (FLOAT, (double[]) { -1 }, 1);

  xs[32] = 1 + small;
  ys[32] = 1 - small;
  x = new_of (C2G_DATA_TYPE_DOUBLE, xs, 33);
  y = new_of (C2G_DATA_TYPE_DOUBLE, ys, 33);
  g_assert_cmpfloat (c2g_tensor_dot (x, y, &error), ==, 0);
  g_assert_true (c2g_tensor_axpy (sum, 1 + small_float, one, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (sum, 0, NULL), ==, 0);
  g_assert_no_error (error);
}

/* The maximum is NaN if any element is NaN, and infinity is larger than all numbers. */
static void
test_specials (void)
{
  for (gsize t = 0; t < G_N_ELEMENTS (real_types); t++)
    for (gint64 i = 0; i < 40; i++)
      {
        g_autoptr (C2gTensor) x = new_numbers (real_types[t], 40, 5);

        g_assert_true (c2g_tensor_set_value (x, i, -INFINITY, NULL));
        g_assert_cmpfloat (c2g_tensor_amax (x, NULL), ==, INFINITY);
        g_assert_cmpfloat (c2g_tensor_asum (x, NULL), ==, INFINITY);
        g_assert_true (c2g_tensor_set_value (x, 39 - i, -NAN, NULL));
        g_assert_true (isnan (c2g_tensor_amax (x, NULL)));
        g_assert_true (isnan (c2g_tensor_asum (x, NULL)));
        g_assert_true (isnan (c2g_tensor_sumsq (x, NULL)));
        g_assert_true (isnan (c2g_tensor_dot (x, x, NULL)));
      }
}

static void
test_updates (void)
{
  static const double xs[] = { 1, 2, -3, INFINITY, NAN };
  static const double ys[] = { 10, 20, 30, 1, 2 };
  static const struct
  {
    double alpha;
    double beta;
    double expected[5];
  } cases[] = {
    { 2, 1, { 12, 24, 24, INFINITY, NAN } },
    { -1, 0.5, { 4, 8, 18, -INFINITY, NAN } },
    { 3, 0, { 3, 6, -9, INFINITY, NAN } },
    { 0, 2, { 20, 40, 60, 2, 4 } },
    { 0, 0, { 0, 0, 0, 0, 0 } },
    { 0, 1, { 10, 20, 30, 1, 2 } },
  };

  for (gsize t = 0; t < G_N_ELEMENTS (real_types); t++)
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (C2gTensor) x = new_of (real_types[t], xs, 5);
        g_autoptr (C2gTensor) y = new_of (real_types[t], ys, 5);

        g_assert_true (c2g_tensor_axpby (y, cases[i].alpha, x, cases[i].beta, &error));
        g_assert_no_error (error);
        assert_values (y, cases[i].expected, 5);
        assert_values (x, xs, 5);
      }
}

/* Elements with the factor 0 are not read: in whole blocks, in the rest behind them, and for any
 * factor of the other tensor. */
static void
test_factor_zero (void)
{
  static const double others[] = { 0, 1, -0.5 };
  const gint64 n = 1500;

  for (gsize t = 0; t < G_N_ELEMENTS (real_types); t++)
    for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
      for (int is_x = 0; is_x < 2; is_x++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (C2gTensor) kept = new_numbers (real_types[t], n, 5);
          g_autoptr (C2gTensor) ignored = new_numbers (real_types[t], n, 3);
          C2gTensor *x = is_x ? kept : ignored, *y = is_x ? ignored : kept;
          g_autofree double *expected = g_new (double, n);

          for (gint64 j = 0; j < n; j++)
            {
              expected[j] = others[i] * c2g_tensor_get_value (kept, j, NULL);
              g_assert_true (c2g_tensor_set_value (ignored, j, j % 2 ? NAN : -INFINITY, &error));
            }
          g_assert_true (c2g_tensor_axpby (y, is_x ? others[i] : -0.0, x, is_x ? -0.0 : others[i], &error));
          g_assert_no_error (error);
          assert_values (y, expected, n);
        }
}

static void
test_scale (void)
{
  static const double xs[] = { 1, -2, 60000, INFINITY, NAN };
  static const double twice[] = { 2, -4, 65504, INFINITY, NAN };
  static const double nothing[] = { 0, 0, 0, NAN, NAN };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) x = new_of (C2G_DATA_TYPE_FLOAT16, xs, 5);
  g_autoptr (C2gTensor) y = NULL;

  g_assert_true (c2g_tensor_scale (x, 2, &error));
  assert_values (x, twice, 5);
  g_assert_true (c2g_tensor_scale (x, 0, &error));
  assert_values (x, nothing, 5);
  g_assert_no_error (error);

  /* Adds a tensor to itself, and an overlapping slice. */
  y = new_floats (5);
  g_assert_true (c2g_tensor_axpy (y, 1, y, &error));
  assert_values (y, (double[]) { 0, 2, 4, 6, 8 }, 5);
  {
    g_autoptr (C2gTensor) first = c2g_tensor_slice (y, 0, 4, &error);
    g_autoptr (C2gTensor) second = c2g_tensor_slice (y, 1, 5, &error);

    g_assert_true (c2g_tensor_axpy (second, 1, first, &error));
    g_assert_no_error (error);
    assert_values (y, (double[]) { 0, 2, 6, 10, 14 }, 5);
  }
}

static void
test_refused (void)
{
  g_autoptr (C2gTensor) x = new_floats (4);
  g_autoptr (C2gTensor) shorter = new_floats (3);
  g_autoptr (C2gTensor) flat = new_floats (4);
  g_autoptr (C2gTensor) doubles = new_numbers (C2G_DATA_TYPE_DOUBLE, 4, 1);
  g_autoptr (C2gTensor) integers = new_numbers (C2G_DATA_TYPE_INT32, 4, 1);
  g_autoptr (C2gTensor) strings = new_sized (4);
  g_autoptr (C2gTensor) undefined = c2g_tensor_new ();
  g_autoptr (C2gTensor) no_data = new_sized (4);
  const struct
  {
    C2gTensor *other;
    C2gError   code;
    /* Error code of comparing; -1 if it succeeds. */
    int        close_code;
  } cases[] = {
    { shorter, C2G_ERROR_SHAPE, C2G_ERROR_SHAPE },
    { flat, C2G_ERROR_SHAPE, C2G_ERROR_SHAPE },
    { doubles, C2G_ERROR_TYPE, -1 },
    { integers, C2G_ERROR_TYPE, -1 },
    { strings, C2G_ERROR_TYPE, C2G_ERROR_TYPE },
    { undefined, C2G_ERROR_SHAPE, C2G_ERROR_SHAPE },
    { no_data, C2G_ERROR_FAILED, C2G_ERROR_FAILED },
  };

  g_assert_true (c2g_tensor_reshape (flat, C2G_TEST_DIMS (2, 2), NULL));
  g_assert_true (c2g_tensor_allocate (strings, C2G_DATA_TYPE_STRING, NULL));
  g_assert_true (c2g_tensor_set_data_type (no_data, FLOAT, NULL));

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gTensor *other = cases[i].other;
      GError *errors[7] = { NULL };
      gboolean answer;
      const gboolean is_alone_fine = other == shorter || other == flat || other == doubles;

      g_assert_false (c2g_tensor_axpby (x, 1, other, 2, &errors[0]));
      g_assert_error (errors[0], C2G_ERROR, (int) cases[i].code);
      assert_floats (x, 4, 0);
      g_assert_cmpfloat (c2g_tensor_dot (x, other, &errors[1]), ==, 0);
      g_assert_error (errors[1], C2G_ERROR, (int) cases[i].code);
      answer = TRUE;
      g_assert_cmpint (c2g_tensor_allclose (other, x, 0, 0, TRUE, &answer, &errors[2]), ==,
                       cases[i].close_code < 0);
      g_assert_false (answer);
      if (cases[i].close_code >= 0)
        g_assert_error (errors[2], C2G_ERROR, cases[i].close_code);
      else
        g_assert_no_error (errors[2]);
      g_clear_error (&errors[0]);
      g_clear_error (&errors[1]);
      g_clear_error (&errors[2]);
      if (is_alone_fine)
        continue;
      g_assert_cmpfloat (c2g_tensor_asum (other, &errors[3]), ==, 0);
      g_assert_error (errors[3], C2G_ERROR, (int) cases[i].code);
      g_assert_cmpfloat (c2g_tensor_amax (other, &errors[4]), ==, 0);
      g_assert_error (errors[4], C2G_ERROR, (int) cases[i].code);
      g_assert_false (c2g_tensor_scale (other, 2, &errors[5]));
      g_assert_error (errors[5], C2G_ERROR, (int) cases[i].code);
      g_assert_cmpfloat (c2g_tensor_sumsq (other, &errors[6]), ==, 0);
      g_assert_error (errors[6], C2G_ERROR, (int) cases[i].code);
      for (gsize j = 3; j < G_N_ELEMENTS (errors); j++)
        g_clear_error (&errors[j]);
    }
}

static void
test_fill (void)
{
  static const double halves[] = { 2.5, 2.5, 2.5 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_sized (3);

  g_assert_false (c2g_tensor_fill (tensor, 1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  g_assert_true (c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_BFLOAT16, &error));
  g_assert_true (c2g_tensor_fill (tensor, 2.5, &error));
  assert_values (tensor, halves, 3);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT8, &error));
  g_assert_true (c2g_tensor_fill (tensor, 7, &error));
  g_assert_false (c2g_tensor_fill (tensor, 2.5, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 2, NULL), ==, 7);
}

/* Memory that is held as immutable bytes does not change. */
static void
test_frozen (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) x = new_floats (4);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (x, &error);

  g_assert_true (c2g_tensor_axpy (x, 1, x, &error));
  g_assert_no_error (error);
  assert_values (x, (double[]) { 0, 2, 4, 6 }, 4);
  g_assert_cmpfloat (((const float *) g_bytes_get_data (bytes, NULL))[3], ==, 3);
}

static gboolean
equal (C2gTensor *a,
       C2gTensor *b)
{
  const gboolean is_equal = c2g_test_equal (a, b);

  g_assert_cmpint (c2g_test_equal (b, a), ==, is_equal);
  return is_equal;
}

static void
test_equal (void)
{
  static const double values[] = { 0, 1, NAN };
  static const double negative_zero[] = { -0.0, 1, NAN };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) x = new_of (FLOAT, values, 3);
  g_autoptr (C2gTensor) same = new_of (FLOAT, values, 3);
  g_autoptr (C2gTensor) zero = new_of (FLOAT, negative_zero, 3);
  g_autoptr (C2gTensor) doubles = new_of (C2G_DATA_TYPE_DOUBLE, values, 3);
  g_autoptr (C2gTensor) none = new_floats (0);
  g_autoptr (C2gTensor) none_either = new_floats (0);
  g_autoptr (C2gTensor) strings = new_sized (3);
  gboolean answer = TRUE;

  g_assert_true (equal (x, x));
  g_assert_true (equal (x, same));
  g_assert_false (equal (x, zero));
  g_assert_false (equal (x, doubles));
  g_assert_false (equal (x, none));
  g_assert_true (c2g_tensor_set_data_type (none, FLOAT, NULL));
  g_assert_true (c2g_tensor_set_data_type (none_either, FLOAT, NULL));
  g_assert_true (equal (none, none_either));
  g_assert_true (c2g_tensor_reshape (same, C2G_TEST_DIMS (3, 1), NULL));
  g_assert_false (equal (x, same));

  g_assert_true (c2g_tensor_allocate (strings, C2G_DATA_TYPE_STRING, NULL));
  g_assert_false (c2g_tensor_equal (x, strings, &answer, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_false (answer);
}

static void
test_allclose (void)
{
  static const struct
  {
    double   x;
    double   y;
    double   rtol;
    double   atol;
    gboolean is_close;
  } cases[] = {
    { 1, 1, 0, 0, TRUE },
    { 0, -0.0, 0, 0, TRUE },
    { 1, 1.5, 0, 0.5, TRUE },
    { 1, 1.5, 0, 0.25, FALSE },
    { 150, 100, 0.5, 0, TRUE },
    { 100, 150, 0.25, 0, FALSE },
    { 100, 200, 0.5, 0, TRUE },
    { 200, 100, 0.5, 0, FALSE },
    { INFINITY, INFINITY, 0, 0, TRUE },
    { INFINITY, -INFINITY, 1, INFINITY, FALSE },
    { 1, INFINITY, 1, 1, FALSE },
    { NAN, 1, 1, 1, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) x = new_numbers (FLOAT, 1500, 5);
      g_autoptr (C2gTensor) y = new_numbers (C2G_DATA_TYPE_FLOAT16, 1500, 5);

      g_assert_true (c2g_tensor_set_value (x, 1400, cases[i].x, NULL));
      g_assert_true (c2g_tensor_set_value (y, 1400, cases[i].y, NULL));
      g_assert_cmpint (c2g_test_allclose (x, y, cases[i].rtol, cases[i].atol, TRUE), ==,
                       cases[i].is_close);
      g_assert_no_error (error);

      g_assert_true (c2g_tensor_set_value (x, 1400, NAN, NULL));
      g_assert_true (c2g_tensor_set_value (y, 1400, NAN, NULL));
      g_assert_true (c2g_test_allclose (x, y, 0, 0, TRUE));
      g_assert_false (c2g_test_allclose (x, y, 0, 0, FALSE));
      g_assert_no_error (error);
    }
}

static void
test_tolerances (void)
{
  static const double wrong[] = { -1, -INFINITY, NAN };
  g_autoptr (C2gTensor) x = new_floats (2);
  gboolean answer;

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) other_error = NULL;

      g_assert_false (c2g_tensor_allclose (x, x, wrong[i], 0, TRUE, &answer, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_false (c2g_tensor_allclose (x, x, 0, wrong[i], TRUE, &answer, &other_error));
      g_assert_error (other_error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_device (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = new_floats (4);
  g_autoptr (C2gTensor) far = NULL;
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);

  fake_device_use ();
  far = c2g_tensor_to_device (near, device, &error);
  g_assert_true (c2g_test_equal (far, near));
  g_assert_cmpfloat (c2g_tensor_asum (far, &error), ==, 6);
  g_assert_cmpfloat (c2g_tensor_dot (far, near, &error), ==, 14);

  g_assert_true (c2g_tensor_axpby (far, 2, near, 1, &error));
  g_assert_true (c2g_tensor_scale (far, 2, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (far) == device);
  g_assert_cmpfloat (c2g_tensor_amax (far, &error), ==, 18);
  g_assert_true (c2g_tensor_axpy (near, 5, near, &error));
  g_assert_true (c2g_test_allclose (far, near, 0, 0, FALSE));
  g_assert_no_error (error);
}

/* The first tensor that cannot be copied from the device is the only error. */
static void
test_device_fails (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = new_floats (4);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) other = NULL;
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);

  fake_device_use ();
  far = c2g_tensor_to_device (near, device, NULL);
  other = c2g_tensor_to_device (near, device, NULL);
  fake_device.mood = FAKE_NO_WORK;
  g_assert_false (c2g_tensor_axpby (far, 2, other, 1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  fake_device.mood = FAKE_FINE;
  g_assert_true (c2g_test_equal (far, near));
}

/* Functions that need two kinds of work run on the CPU if the device has only one of them. */
static void
test_device_half (void)
{
  static const C2gComputeKind kinds[] = {
    C2G_COMPUTE_KIND_AXPBY,
    C2G_COMPUTE_KIND_FILL,
    C2G_COMPUTE_KIND_FIND_FAR,
    C2G_COMPUTE_KIND_CONVERT,
  };
  g_autoptr (C2gTensor) near = new_floats (4);
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) far = NULL;

      fake_device_use ();
      fake_device.claims = G_GUINT64_CONSTANT (1) << kinds[i];
      far = c2g_tensor_to_device (near, device, &error);
      g_assert_true (c2g_test_allclose (far, near, 0, 0, FALSE));
      g_assert_true (c2g_tensor_axpby (far, 0, near, 0, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (c2g_tensor_amax (far, &error), ==, 0);
      g_assert_true (c2g_tensor_get_device (far) == device);
    }
  fake_device.claims = 0;
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-math/sums", test_sums);
  c2g_test_add_func ("/tensor-math/accumulation", test_accumulation);
  c2g_test_add_func ("/tensor-math/not-fused", test_not_fused);
  c2g_test_add_func ("/tensor-math/specials", test_specials);
  c2g_test_add_func ("/tensor-math/updates", test_updates);
  c2g_test_add_func ("/tensor-math/factor-zero", test_factor_zero);
  c2g_test_add_func ("/tensor-math/scale", test_scale);
  c2g_test_add_func ("/tensor-math/refused", test_refused);
  c2g_test_add_func ("/tensor-math/fill", test_fill);
  c2g_test_add_func ("/tensor-math/frozen", test_frozen);
  c2g_test_add_func ("/tensor-math/equal", test_equal);
  c2g_test_add_func ("/tensor-math/allclose", test_allclose);
  c2g_test_add_func ("/tensor-math/tolerances", test_tolerances);
  c2g_test_add_func ("/tensor-math/device", test_device);
  c2g_test_add_func ("/tensor-math/device-fails", test_device_fails);
  c2g_test_add_func ("/tensor-math/device-half", test_device_half);

  return c2g_test_run ();
}
