/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-cudart/fake-cudart.h"
#include "tests/cuda/runtime-utils.h"
#include "tests/test-utils.h"

#include <c2g/cuda/c2g-cuda.h>

/* Tests of the library, on the CUDA runtime that the library path leads to. The same tests run on
 * the fake runtime, which can be made to fail and checks the order of work, and on a GPU. */

/* Calls a function of the fake runtime; does nothing with the real one. */
#define on_fake(function, ...)                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    __typeof__ (&function) function_ = dlsym (RTLD_DEFAULT, #function);                            \
    if (function_ != NULL)                                                                         \
      function_ (__VA_ARGS__);                                                                     \
  }                                                                                                \
  G_STMT_END

/* Returns the number of calls of CUDA so far; 0 on a GPU. */
static inline guint
count_calls (const char *function)
{
  unsigned int (*get_n_calls) (const char *) = dlsym (RTLD_DEFAULT, "fake_cuda_get_n_calls");

  return get_n_calls != NULL ? get_n_calls (function) : 0;
}

/* Skips a test that only the fake runtime can run. */
static inline gboolean
needs_fake (void)
{
  if (!is_fake ())
    g_test_skip ("A GPU cannot be made to fail");

  return is_fake ();
}

/* Skips a test that loses memory on purpose during a search for leaks, which would find it. */
static inline gboolean
may_lose (const char *what)
{
  gboolean is_search = g_getenv ("C2G_TEST_LEAKS") != NULL;

  if (is_search)
    g_test_skip (what);

  return !is_search;
}

/* For tests that reset a device. */
static inline gboolean
may_reset (void)
{
  return may_lose ("A reset is no leak");
}

/* For tests in which the fake runtime refuses to free something. */
static inline gboolean
may_fail_to_free (void)
{
  return may_lose ("What CUDA refuses to free is no leak");
}

/* Returns the second device; NULL, and skips the test, if there is only one. */
static inline C2gDevice *
second_device (void)
{
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1, NULL);

  if (c2g_device_count (C2G_DEVICE_TYPE_CUDA) >= 2)
    return device;

  g_test_skip ("There is one device only");
  return NULL;
}

static inline C2gDevice *
first_device (void)
{
  return c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

/* No fault was found, and c2g has left no error behind for the program's next cudaGetLastError(). */
static inline void
assert_no_faults (void)
{
  const char *const *(*get_faults) (void) = dlsym (RTLD_DEFAULT, "fake_cuda_get_faults");
  const char *const *faults = get_faults != NULL ? get_faults () : NULL;

  for (guint i = 0; faults != NULL && faults[i] != NULL; i++)
    g_test_message ("%s", faults[i]);
  g_assert_true (faults == NULL || faults[0] == NULL);
  g_assert_cmpint (cudaPeekAtLastError (), ==, cudaSuccess);
}

/* Returns the number of leaks, after freeing the staging blocks, of which the next run may need
 * more. */
static inline guint
count_left (void)
{
  g_autoptr (C2gAllocator) staging = c2g_cuda_pinned_allocator_get_staging ();
  unsigned int (*check_leaks) (void) = dlsym (RTLD_DEFAULT, "fake_cuda_check_leaks");
  guint n_left;

  c2g_allocator_trim (staging, 0);
  n_left = check_leaks != NULL ? check_leaks () : 0;
  on_fake (fake_cuda_clear_faults);
  return n_left;
}

/* Captures a graph on a stream of its own until end_capture(), as another library would. c2g must
 * not disturb it. */
static inline cudaStream_t
begin_capture (void)
{
  cudaStream_t stream;

  g_assert_cmpint (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamBeginCapture (stream, cudaStreamCaptureModeGlobal), ==, cudaSuccess);

  return stream;
}

static inline void
end_capture (cudaStream_t stream)
{
  cudaGraph_t graph;

  g_assert_cmpint (cudaStreamEndCapture (stream, &graph), ==, cudaSuccess);
  g_assert_cmpint (cudaGraphDestroy (graph), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamDestroy (stream), ==, cudaSuccess);
}

/* Runs a test again, which must leave nothing more behind: objects of the whole process, such as
 * pooled events, are made in the first run. The second run may have more work pending and so need
 * more events, so there is a third: a leak would grow each time. */
static inline void
run_clean (gconstpointer data)
{
  GTestFunc func = (GTestFunc) (gsize) data;
  guint n_left;

  c2g_test_run_func (data);
  assert_no_faults ();
  n_left = count_left ();

  for (guint i = 0; i < 2; i++)
    {
      guint n_before = n_left;

      func ();
      assert_no_faults ();
      n_left = count_left ();
      if (n_left <= n_before)
        return;
    }
  g_error ("Every run leaves something: %u things are left", n_left);
}

static inline void
add_clean_func (const char *path,
                GTestFunc   func)
{
  g_test_add_data_func (path, (gconstpointer) (gsize) func, run_clean);
}

/* Runs a program's tests; without a device there is nothing to test. */
static inline int
run_on_device (void)
{
  int status;

  return find_runtime (&status) ? reset_devices (c2g_test_run ()) : status;
}

/* Makes a tensor on a device with the floats 0, 1, 2, … */
static inline C2gTensor *
new_far (C2gDevice  *device,
         gint64      n,
         C2gContext *context)
{
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (&n, 1, NULL, NULL);
  C2gTensor *far = c2g_tensor_new_for_device (device);
  float *values = c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < n; i++)
    values[i] = i;
  c2g_tensor_copy_from (far, near, context, &error);
  g_assert_no_error (error);

  return far;
}

/* Asserts that element i is i + shift, for all i. */
static inline void
assert_far (C2gTensor *far,
            double     shift)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (far, c2g_device_cpu (), &error);
  gint64 n = c2g_tensor_get_n_elements (far);
  const float *values;

  g_assert_no_error (error);
  values = c2g_tensor_data (near, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (values[i], ==, i + shift);
}
