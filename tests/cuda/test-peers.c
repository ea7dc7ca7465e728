/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/tensors-utils.h"

/* Copies between devices, which go straight where one device has access to the other. */

#define N 1000

/* Returns the number of copies between devices that went through the host; 0 on a GPU. */
static guint
count_staged (void)
{
  unsigned int (*get_n) (void) = dlsym (RTLD_DEFAULT, "fake_cuda_get_n_staged_copies");

  return get_n != NULL ? get_n () : 0;
}

static C2gTensor *
new_on (int           index,
        C2gAllocator *allocator)
{
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, index, NULL);
  const gint64 dims[] = { N };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = NULL;
  C2gTensor *far = NULL;

  if (allocator == NULL)
    {
      far = c2g_tensor_new_sized (dims, 1, device, &error);
      g_assert_no_error (error);
      c2g_tensor_allocate (far, C2G_DATA_TYPE_FLOAT, &error);
      g_assert_no_error (error);
      return far;
    }

  storage = c2g_allocator_allocate (allocator, N * sizeof (float), NULL, &error);
  g_assert_no_error (error);
  far = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, dims, 1, storage, 0, &error);
  g_assert_no_error (error);
  return far;
}

/* Copies a tensor to another device in a context of one of the two, and compares the copy. Returns
 * how many copies went through the host. */
static guint
copy_between (C2gTensor *from,
              int        index,
              gboolean   is_pushed)
{
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, index, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context =
    c2g_context_for_device (is_pushed ? c2g_tensor_get_device (from) : device, &error);
  g_autoptr (C2gTensor) to = c2g_tensor_new_for_device (device);
  g_autoptr (C2gTensor) back = NULL;
  guint n_staged = count_staged ();

  g_assert_no_error (error);
  c2g_tensor_fill (from, index + 0.5, &error);
  g_assert_no_error (error);
  c2g_tensor_copy_from (to, from, context, &error);
  g_assert_no_error (error);
  n_staged = count_staged () - n_staged;

  back = c2g_tensor_to_device (to, c2g_device_cpu (), &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < N; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (back, i, NULL), ==, index + 0.5);

  return n_staged;
}

/* Both directions, in a context of either device, with memory of a pool and with other memory. */
static void
test_straight (void)
{
  if (second_device () == NULL)
    return;

  for (guint i = 0; i < 4; i++)
    {
      gboolean is_pool = i % 2;
      int from = i / 2;
      C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, from, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gAllocator) allocator = is_pool ? c2g_cuda_async_allocator_new (device, &error)
                                                   : c2g_cuda_caching_allocator_new (device, &error);
      g_autoptr (C2gTensor) far = NULL;

      g_assert_no_error (error);
      far = new_on (from, allocator);
      g_assert_cmpuint (copy_between (far, !from, FALSE), ==, 0);
      g_assert_cmpuint (copy_between (far, !from, TRUE), ==, 0);
    }
}

/* Access is enabled once for each direction, and after a reset anew. */
static void
test_reset (void)
{
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) later = NULL;
  guint n_calls;

  if (!needs_fake () || second_device () == NULL || !may_reset ())
    return;

  far = new_on (0, NULL);
  copy_between (far, 1, FALSE);
  n_calls = count_calls ("cudaDeviceEnablePeerAccess");
  g_assert_cmpuint (copy_between (far, 1, FALSE), ==, 0);
  g_assert_cmpuint (count_calls ("cudaDeviceEnablePeerAccess"), ==, n_calls);
  g_clear_object (&far);

  g_assert_cmpint (cudaSetDevice (1), ==, cudaSuccess);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  g_assert_cmpint (cudaSetDevice (0), ==, cudaSuccess);
  later = new_on (0, NULL);
  g_assert_cmpuint (copy_between (later, 1, FALSE), ==, 0);
  g_assert_cmpuint (count_calls ("cudaDeviceEnablePeerAccess"), ==, n_calls + 1);
}

/* A pool that was refused the access goes through the host, and gets it at its next use. */
static void
test_pool_refused (void)
{
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gTensor) far = NULL;

  if (!needs_fake () || second_device () == NULL)
    return;

  allocator = c2g_cuda_async_allocator_new (first_device (), NULL);
  far = new_on (0, allocator);
  on_fake (fake_cuda_fail, "cudaMemPoolSetAccess", 1, cudaErrorMemoryAllocation, FALSE);
  g_assert_cmpuint (copy_between (far, 1, FALSE), ==, 1);
  g_assert_cmpuint (copy_between (far, 1, FALSE), ==, 0);
}

/* A pair of devices that was refused the access goes through the host, and gets it at its next
 * use. */
static void
test_pair_refused (void)
{
  const char *functions[] = { "cudaDeviceCanAccessPeer", "cudaDeviceEnablePeerAccess" };

  if (!needs_fake () || second_device () == NULL || !may_reset ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
      g_autoptr (C2gTensor) far = NULL;

      g_assert_cmpint (cudaSetDevice (1), ==, cudaSuccess);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
      g_assert_cmpint (cudaSetDevice (0), ==, cudaSuccess);
      far = new_on (0, allocator);
      on_fake (fake_cuda_fail, functions[i], 1, cudaErrorMemoryAllocation, FALSE);
      g_assert_cmpuint (copy_between (far, 1, FALSE), ==, 1);
      g_assert_cmpuint (copy_between (far, 1, FALSE), ==, 0);
    }
}

/* Somebody else, such as PyTorch, has enabled it. This runs before c2g has done so. */
static void
test_enabled_before (void)
{
  g_autoptr (C2gTensor) far = NULL;
  cudaError_t result;

  if (second_device () == NULL)
    return;

  g_assert_cmpint (cudaSetDevice (1), ==, cudaSuccess);
  result = cudaDeviceEnablePeerAccess (0, 0);
  g_assert_true (result == cudaSuccess || result == cudaErrorPeerAccessAlreadyEnabled ||
                 result == cudaErrorPeerAccessUnsupported);
  (void) cudaGetLastError ();
  g_assert_cmpint (cudaSetDevice (0), ==, cudaSuccess);

  far = new_on (0, NULL);
  g_assert_cmpuint (copy_between (far, 1, FALSE), ==, 0);
}

/* The driver copies through the host without access, and for the ninth peer of a device. The test
 * runs in a process of its own, with ten devices. */
static void
test_staged (void)
{
  g_autoptr (C2gTensor) far = NULL;
  guint n_staged = 0;

  if (!needs_fake ())
    return;
  if (!g_test_subprocess ())
    {
      g_setenv ("FAKE_CUDA_N_DEVICES", "10", TRUE);
      g_test_trap_subprocess (NULL, 0, 0);
      g_unsetenv ("FAKE_CUDA_N_DEVICES");
      g_test_trap_assert_passed ();
      return;
    }

  on_fake (fake_cuda_set_peer_access, 0, 9, FALSE);
  on_fake (fake_cuda_set_peer_access, 9, 0, FALSE);
  far = new_on (0, NULL);
  g_assert_cmpuint (copy_between (far, 9, FALSE), ==, 1);
  g_assert_cmpuint (copy_between (far, 9, TRUE), ==, 1);

  on_fake (fake_cuda_set_peer_access, 0, 9, TRUE);
  on_fake (fake_cuda_set_peer_access, 9, 0, TRUE);
  for (int i = 1; i < 9; i++)
    g_assert_cmpuint (copy_between (far, i, FALSE), ==, 0);
  for (int i = 1; i < 9; i++)
    n_staged += copy_between (far, i, TRUE);
  g_assert_cmpuint (n_staged, ==, 0);
  g_assert_cmpuint (copy_between (far, 9, FALSE), ==, 1);
  assert_no_faults ();
}

static C2gCudaStream *
new_default_stream (C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gCudaStream *stream =
    c2g_cuda_stream_new_from_handle (device, (guint64) (guintptr) cudaStreamLegacy, &error);

  g_assert_no_error (error);
  return stream;
}

/* The default streams of all devices have one handle, but are different streams. */
static void
test_default_streams (void)
{
  g_autoptr (C2gCudaStream) first = NULL;
  g_autoptr (C2gCudaStream) second = NULL;
  g_autoptr (GError) error = NULL;
  guint n_waits = count_calls ("cudaStreamWaitEvent");

  if (second_device () == NULL)
    return;

  first = new_default_stream (first_device ());
  second = new_default_stream (second_device ());
  g_assert_true (c2g_cuda_stream_wait (second, first, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_calls ("cudaStreamWaitEvent") - n_waits, ==, is_fake ());
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/cuda/peers/enabled-before", test_enabled_before);
  add_clean_func ("/cuda/peers/straight", test_straight);
  c2g_test_add_func ("/cuda/peers/pool-refused", test_pool_refused);
  c2g_test_add_func ("/cuda/peers/pair-refused", test_pair_refused);
  c2g_test_add_func ("/cuda/peers/default-streams", test_default_streams);
  c2g_test_add_func ("/cuda/peers/reset", test_reset);
  c2g_test_add_func ("/cuda/peers/staged", test_staged);

  return run_on_device ();
}
