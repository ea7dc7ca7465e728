/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"
#include "runtime-utils.h"

/* Tests of the contexts of the fake driver: the primary ones, and those that a program makes. */

#define N_BYTES 256

static CUcontext
current_context (void)
{
  CUcontext context;

  g_assert_cmpint (call_driver (cuCtxGetCurrent, &context), ==, CUDA_SUCCESS);
  return context;
}

static void
assert_contexts (guint n_first,
                 guint n_second)
{
  g_assert_cmpuint (fake_cuda_get_n_contexts (0), ==, n_first);
  g_assert_cmpuint (fake_cuda_get_n_contexts (1), ==, n_second);
}

/* Some calls make a primary context on a device, others do not. */
static void
test_contexts (void)
{
  int n, device = -1;

  assert_ok (cudaGetDeviceCount (&n));
  assert_ok (cudaGetDevice (&device));
  assert_contexts (0, 0);

  assert_ok (cudaSetDevice (1));
  assert_contexts (0, 1);
  assert_ok (cudaFree (NULL));
  assert_contexts (0, 1);
  assert_ok (cudaDeviceReset ());
  assert_ok (cudaFree (NULL));
  assert_contexts (0, 2);

  assert_ok (cudaSetDevice (0));
  assert_contexts (1, 2);
  assert_clean ();
}

/* A pushed context is the current one, and no context is made on the device below it. */
static void
test_pushed_context (void)
{
  CUcontext context;
  int device = -1;

  g_assert_cmpint (call_driver (cuDevicePrimaryCtxRetain, &context, 5), ==, CUDA_ERROR_INVALID_DEVICE);
  g_assert_cmpint (call_driver (cuDevicePrimaryCtxRelease, 1), ==, CUDA_ERROR_INVALID_CONTEXT);
  g_assert_cmpint (call_driver (cuCtxPopCurrent, &context), ==, CUDA_ERROR_INVALID_CONTEXT);

  g_assert_cmpint (call_driver (cuDevicePrimaryCtxRetain, &context, 1), ==, CUDA_SUCCESS);
  g_assert_cmpint (call_driver (cuCtxPushCurrent, context), ==, CUDA_SUCCESS);
  assert_ok (cudaGetDevice (&device));
  g_assert_cmpint (device, ==, 1);
  new_memory (1000);
  g_assert_cmpuint (fake_cuda_check_leaks (), ==, 3);
  fake_cuda_clear_faults ();
  g_assert_cmpint (call_driver (cuCtxPopCurrent, &context), ==, CUDA_SUCCESS);
  assert_ok (cudaGetDevice (&device));
  g_assert_cmpint (device, ==, 0);
  assert_contexts (0, 1);

  /* The last release destroys the context with all objects on the device. */
  g_assert_cmpint (call_driver (cuDevicePrimaryCtxRelease, 1), ==, CUDA_SUCCESS);
  assert_clean ();
  assert_contexts (0, 1);
}

/* Events are recorded on streams of their own context only; a stream may wait for any event. */
static void
test_events (void)
{
  cudaStream_t stream = new_stream (), other;
  cudaEvent_t event = new_event (), other_event;
  CUcontext context = new_driver_context (0);

  other = new_stream ();
  other_event = new_event ();
  assert_cuda (cudaEventRecord (event, other), cudaErrorInvalidResourceHandle);
  assert_cuda (cudaEventRecord (other_event, stream), cudaErrorInvalidResourceHandle);
  /* The default stream is that of the current context. */
  assert_cuda (cudaEventRecord (event, NULL), cudaErrorInvalidResourceHandle);
  assert_ok (cudaEventRecord (other_event, NULL));
  assert_ok (cudaEventRecord (other_event, other));
  assert_ok (cudaEventRecord (event, stream));
  assert_ok (cudaStreamWaitEvent (other, event, 0));
  assert_ok (cudaStreamWaitEvent (stream, other_event, 0));
  assert_ok (cudaEventSynchronize (event));

  g_assert_cmpint (call_driver (cuCtxDestroy, context), ==, CUDA_SUCCESS);
  assert_cuda (cudaEventQuery (other_event), cudaErrorInvalidResourceHandle);
  assert_cuda (cudaStreamQuery (other), cudaErrorInvalidResourceHandle);
  assert_faults ("use after reset: cudaEventQuery", "use after reset: cudaStreamQuery");
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

/* Work that runs on the device needs a stream of the current context; copies do not. The memory
 * goes with its context. */
static void
test_work (void)
{
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (N_BYTES), *other;
  CUcontext context = new_driver_context (0);

  other = new_memory (N_BYTES);
  assert_cuda (cudaMemsetAsync (memory, 1, N_BYTES, stream), cudaErrorInvalidResourceHandle);
  assert_ok (cudaMemsetAsync (other, 1, N_BYTES, NULL));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaMemcpyAsync (memory, other, N_BYTES, cudaMemcpyDefault, stream));

  /* Waiting for the other context does not wait for this copy. */
  g_assert_cmpint (call_driver (cuCtxPopCurrent, NULL), ==, CUDA_SUCCESS);
  assert_ok (cudaStreamSynchronize (stream));
  g_assert_cmpint (call_driver (cuCtxDestroy, context), ==, CUDA_SUCCESS);
  assert_cuda (cudaMemcpyAsync (memory, other, N_BYTES, cudaMemcpyDefault, stream), cudaErrorInvalidValue);
  assert_faults ("use after reset: cudaMemcpyAsync");
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, stream));
  assert_ok (cudaFree (memory));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

static gpointer
use_destroyed (gpointer context)
{
  void *memory;

  g_assert_cmpint (call_driver (cuCtxSetCurrent, context), ==, CUDA_SUCCESS);
  g_assert_true (current_context () == context);
  g_assert_cmpint (call_driver (cuCtxPushCurrent, context), ==, CUDA_SUCCESS);
  call_driver (cuCtxDestroy, context);
  /* It is popped in this thread, and remains below. */
  g_assert_true (current_context () == context);
  assert_cuda (cudaMalloc (&memory, 1), cudaErrorContextIsDestroyed);
  g_assert_cmpint (call_driver (cuCtxPushCurrent, context), ==, CUDA_ERROR_INVALID_CONTEXT);
  assert_ok (cudaSetDevice (0));
  assert_ok (cudaMalloc (&memory, 1));
  assert_ok (cudaFree (memory));

  return NULL;
}

static void
test_destroyed (void)
{
  CUcontext context = new_driver_context (1);
  int device = -1;

  assert_ok (cudaGetDevice (&device));
  g_assert_cmpint (device, ==, 1);
  g_assert_cmpuint (fake_cuda_check_leaks (), ==, 2);
  assert_faults ("leak: a context of device 1", "leak: 1 contexts were pushed");
  g_assert_cmpint (call_driver (cuCtxPopCurrent, NULL), ==, CUDA_SUCCESS);
  g_assert_null (current_context ());
  assert_contexts (0, 0);

  g_thread_join (g_thread_new ("destroy", use_destroyed, context));
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-contexts/primary", test_contexts);
  add_func ("/fake-contexts/pushed", test_pushed_context);
  add_func ("/fake-contexts/events", test_events);
  add_func ("/fake-contexts/work", test_work);
  add_func ("/fake-contexts/destroyed", test_destroyed);

  return g_test_run ();
}
