/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/blas-utils.h"

/* Matrix products on a device where cuBLAS is missing, or makes no handle. */

/* The device tells why cuBLAS is missing, and all types are multiplied without it. */
static void
check_absent (const char *reason)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);

  g_test_message ("%s", c2g_device_info_get_detail (info, "cublas"));
  g_assert_nonnull (strstr (c2g_device_info_get_detail (info, "cublas"), reason));
  check_products (C2G_DATA_TYPE_FLOAT);
  check_products (C2G_DATA_TYPE_FLOAT16);
  check_products (C2G_DATA_TYPE_BFLOAT16);
  check_products (C2G_DATA_TYPE_DOUBLE);
}

static void
test_missing_library (void)
{
  if (!in_process_with ("C2G_CUBLAS_LIBRARY", "libcublas-that-is-not-there.so"))
    return;
  check_absent ("libcublas-that-is-not-there.so");
}

static void
test_unwanted_library (void)
{
  if (!in_process_with ("C2G_CUBLAS_LIBRARY", ""))
    return;
  check_absent ("C2G_CUBLAS_LIBRARY");
}

/* The file is another library. */
static void
test_missing_symbol (void)
{
  if (!in_process_with ("C2G_CUBLAS_LIBRARY", "libm.so.6"))
    return;
  check_absent ("cublasCreate_v2");
}

static void
assert_detail (C2gDevice  *device,
               const char *text)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (device, NULL);
  const char *detail = c2g_device_info_get_detail (info, "cublas");

  g_test_message ("%s", detail);
  g_assert_nonnull (strstr (detail, text));
}

/* The library opens but no handle can be made. Floats are multiplied without it, and the device
 * tells why. */
static void
test_failing_create (void)
{
  C2gLibrary fake;
  g_autoptr (GError) error = NULL;
  Square square;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  fake.fail ("cublasCreate_v2", 1, 1);
  g_assert_true (multiply (square.context, &square.gemm, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fake.get_n_handles (), ==, 0);
  assert_detail (first_device (),
                 "cublasCreate_v2 failed for cuda:0: CUBLAS_STATUS_NOT_INITIALIZED");

  /* The next attempt is made only after some requests, and each time after more of them. */
  fake.fail ("cublasCreate_v2", 1, 1);
  for (guint i = 0; i < 5; i++)
    g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasCreate_v2"), ==, 2);
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 0);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 1);
  assert_detail (first_device (), "13.98.7");

  /* A product that cuBLAS does not support does not count as a failure. */
  fake.fail ("cublasGemmEx_64", 1, 15);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpfloat (square_read (&square), ==, 6 * 8);
  square_clear (&square);
}

static gboolean
is_said_to_fail (void)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);

  return strstr (c2g_device_info_get_detail (info, "cublas"), "cublasCreate") != NULL;
}

/* After a reset the next attempt is made at once, and the old reason is forgotten. */
static void
test_reset_after_failure (void)
{
  C2gLibrary fake;
  Square square;

  /* A skipped test in the other process would be a failed one. */
  if (!may_reset () || !in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) ||
      !find_fake_library (&fake, BLAS_SONAME))
    return;

  for (guint i = 0; i < 2; i++)
    {
      square_init (&square, first_device ());
      g_assert_false (is_said_to_fail ());
      if (i == 0)
        fake.fail ("cublasCreate_v2", 1, 1);
      g_assert_true (multiply (square.context, &square.gemm, NULL));
      g_assert_true (is_said_to_fail () == (i == 0));
      g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, i);
      g_assert_cmpfloat (square_read (&square), ==, 6);
      square_clear (&square);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }
  assert_no_faults ();
}

static gpointer
reset_and_multiply (gpointer data)
{
  Square square;

  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  square_init (&square, first_device ());
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpfloat (square_read (&square), ==, 6);
  square_clear (&square);
  return NULL;
}

/* Another thread resets the device and goes on, while a handle is made. */
static void
reset_elsewhere (void)
{
  g_thread_join (g_thread_new ("reset", reset_and_multiply, NULL));
}

static void
test_reset_during_failure (void)
{
  C2gLibrary fake;
  Square square;

  if (!may_reset () || !in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) ||
      !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  fake.fail ("cublasCreate_v2", 1, 1);
  fake.set_hook ("cublasCreate_v2", reset_elsewhere);
  multiply (square.context, &square.gemm, NULL);
  g_assert_cmpuint (fake.get_n_calls ("cublasCreate_v2"), ==, 2);
  g_assert_false (is_said_to_fail ());
  square_clear (&square);
  on_fake (fake_cuda_clear_faults);
}

/* A failure for one device does not keep other devices from trying. */
static void
test_failing_device (void)
{
  C2gDevice *second;
  C2gLibrary fake;
  Square square, other;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;
  second = second_device ();
  if (second == NULL)
    return;

  square_init (&square, first_device ());
  square_init (&other, second);
  fake.fail ("cublasCreate_v2", 1, 1);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_true (multiply (other.context, &other.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 1);
  assert_detail (first_device (), "cublasCreate_v2 failed for cuda:0");
  assert_detail (second, "13.98.7");
  square_clear (&square);
  square_clear (&other);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cuda/blas-absent/missing-library", test_missing_library);
  g_test_add_func ("/cuda/blas-absent/unwanted-library", test_unwanted_library);
  g_test_add_func ("/cuda/blas-absent/missing-symbol", test_missing_symbol);
  g_test_add_func ("/cuda/blas-absent/failing-create", test_failing_create);
  g_test_add_func ("/cuda/blas-absent/failing-device", test_failing_device);
  g_test_add_func ("/cuda/blas-absent/reset-after-failure", test_reset_after_failure);
  g_test_add_func ("/cuda/blas-absent/reset-during-failure", test_reset_during_failure);

  return run_on_device ();
}
