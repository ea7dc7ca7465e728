/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

#define N_BYTES 256

static void
test_devices (void)
{
  static const int counts[] = { 0, 1, 2, FAKE_CUDA_MAX_DEVICES };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      int n = -1, value;
      struct cudaDeviceProp properties;
      char bus[16];

      fake_cuda_set_n_devices (counts[i]);
      assert_cuda (cudaGetDeviceCount (&n), counts[i] == 0 ? cudaErrorNoDevice : cudaSuccess);
      g_assert_cmpint (n, ==, counts[i]);
      assert_cuda (cudaSetDevice (counts[i]),
                   counts[i] == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice);
      if (counts[i] == 0)
        continue;

      assert_cuda (cudaSetDevice (-1), cudaErrorInvalidDevice);
      assert_ok (cudaGetDeviceProperties (&properties, counts[i] - 1));
      g_assert_cmpint (properties.warpSize, ==, 32);
      assert_cuda (cudaGetDeviceProperties (&properties, counts[i]), cudaErrorInvalidDevice);
      assert_ok (cudaDeviceGetAttribute (&value, cudaDevAttrMemoryPoolsSupported, 0));
      g_assert_cmpint (value, ==, 1);
      assert_cuda (cudaDeviceGetAttribute (&value, 0, 0), cudaErrorInvalidValue);
      assert_ok (cudaDeviceGetPCIBusId (bus, sizeof bus, counts[i] - 1));
      assert_ok (cudaDeviceGetByPCIBusId (&value, bus));
      g_assert_cmpint (value, ==, counts[i] - 1);
    }
  assert_clean ();
}

static gpointer
get_device (gpointer data)
{
  int device = -1;

  assert_ok (cudaGetDevice (&device));
  return GINT_TO_POINTER (device);
}

/* Each thread has its own current device and last error. */
static void
test_threads (void)
{
  int device;

  assert_ok (cudaSetDevice (1));
  assert_cuda (cudaSetDevice (5), cudaErrorInvalidDevice);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (g_thread_new ("get", get_device, NULL))), ==, 0);
  assert_ok (cudaGetDevice (&device));
  g_assert_cmpint (device, ==, 1);
  assert_cuda (cudaGetLastError (), cudaErrorInvalidDevice);
  assert_ok (cudaGetLastError ());
  assert_clean ();
}

static void
test_driver (void)
{
  int n, version;

  assert_ok (cudaDriverGetVersion (&version));
  g_assert_cmpint (version, ==, CUDART_VERSION);
  assert_ok (cudaRuntimeGetVersion (&version));
  g_assert_cmpint (version, ==, CUDART_VERSION);

  /* A driver of the major version before the runtime's. */
  fake_cuda_set_driver (CUDART_VERSION - 1000);
  assert_cuda (cudaGetDeviceCount (&n), cudaErrorInsufficientDriver);
  assert_cuda (cudaDeviceSynchronize (), cudaErrorInsufficientDriver);
  fake_cuda_set_driver (0);
  assert_ok (cudaDriverGetVersion (&version));
  g_assert_cmpint (version, ==, 0);
  assert_cuda (cudaGetDeviceCount (&n), cudaErrorInsufficientDriver);
  fake_cuda_set_driver (CUDART_VERSION + 1000);
  assert_ok (cudaGetDeviceCount (&n));
  assert_clean ();
}

static void
test_unloading (void)
{
  void *memory = new_memory (N_BYTES);
  int version;

  fake_cuda_set_unloading (TRUE);
  assert_cuda (cudaFree (memory), cudaErrorCudartUnloading);
  assert_cuda (cudaDriverGetVersion (&version), cudaErrorCudartUnloading);
  fake_cuda_set_unloading (FALSE);
  assert_ok (cudaFree (memory));
  assert_clean ();
}

static void
test_fail (void)
{
  void *memory;

  /* The second call of one function fails, once. */
  fake_cuda_fail ("cudaMalloc", 2, cudaErrorMemoryAllocation, FALSE);
  for (guint i = 0; i < 4; i++)
    {
      assert_cuda (cudaMalloc (&memory, N_BYTES), i == 1 ? cudaErrorMemoryAllocation : cudaSuccess);
      if (i != 1)
        assert_ok (cudaFree (memory));
    }

  /* The third call of any function fails, and all calls after it. */
  fake_cuda_fail (NULL, 3, cudaErrorUnknown, TRUE);
  assert_ok (cudaMalloc (&memory, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  assert_cuda (cudaFree (memory), cudaErrorUnknown);
  assert_cuda (cudaGetLastError (), cudaErrorUnknown);
  assert_cuda (cudaFree (memory), cudaErrorUnknown);
  fake_cuda_clear_failures ();
  assert_ok (cudaFree (memory));
  assert_clean ();
}

static void
test_count (void)
{
  fake_cuda_clear_n_calls ();
  assert_ok (cudaFree (NULL));
  assert_ok (cudaFree (NULL));
  assert_ok (cudaDeviceSynchronize ());
  g_assert_cmpuint (fake_cuda_get_n_calls ("cudaFree"), ==, 2);
  g_assert_cmpuint (fake_cuda_get_n_calls ("cudaMalloc"), ==, 0);
  g_assert_cmpuint (fake_cuda_get_n_calls (NULL), ==, 3);
  fake_cuda_clear_n_calls ();
  g_assert_cmpuint (fake_cuda_get_n_calls (NULL), ==, 0);
}

static void
note_status (cudaStream_t stream,
             cudaError_t  status,
             void        *data)
{
  g_atomic_int_set ((int *) data, status);
}

/* Calls for a lost device return its error until it is reset. The other device works on. */
static void
test_lost (void)
{
  cudaStream_t stream = new_stream (), other_stream;
  cudaEvent_t event = new_event ();
  void *memory = new_memory (N_BYTES), *other;
  int status = -1;

  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, stream));
  assert_ok (cudaStreamAddCallback (stream, note_status, &status, 0));
  assert_ok (cudaEventRecord (event, stream));
  fake_cuda_lose_device (0, cudaErrorECCUncorrectable);
  while (g_atomic_int_get (&status) == -1)
    g_thread_yield ();
  g_assert_cmpint (status, ==, cudaErrorECCUncorrectable);

  assert_cuda (cudaStreamSynchronize (stream), cudaErrorECCUncorrectable);
  assert_cuda (cudaEventQuery (event), cudaErrorECCUncorrectable);
  assert_cuda (cudaFree (memory), cudaErrorECCUncorrectable);
  assert_cuda (cudaMalloc (&other, N_BYTES), cudaErrorECCUncorrectable);

  assert_ok (cudaSetDevice (1));
  assert_ok (cudaGetLastError () == cudaErrorECCUncorrectable ? cudaSuccess : cudaErrorUnknown);
  other = new_memory (N_BYTES);
  other_stream = new_stream ();
  assert_ok (cudaMemsetAsync (other, 1, N_BYTES, other_stream));
  assert_cuda (cudaStreamSynchronize (stream), cudaErrorECCUncorrectable);
  assert_cuda (cudaStreamWaitEvent (other_stream, event, 0), cudaErrorECCUncorrectable);
  assert_ok (cudaStreamSynchronize (other_stream));
  assert_ok (cudaFree (other));
  assert_ok (cudaStreamDestroy (other_stream));

  assert_ok (cudaSetDevice (0));
  assert_ok (cudaDeviceReset ());
  memory = new_memory (N_BYTES);
  assert_ok (cudaMemset (memory, 1, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaFree (memory));
  assert_clean ();
}

static void
test_capture (void)
{
  static const enum cudaStreamCaptureMode modes[] = {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed,
  };
  guint8 *memory = new_memory (N_BYTES), host;

  assert_ok (cudaMemset (memory, 1, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      gboolean is_safe = modes[i] == cudaStreamCaptureModeRelaxed;
      cudaStream_t stream = new_stream ();
      enum cudaStreamCaptureStatus status;
      cudaGraph_t graph;

      assert_ok (cudaStreamBeginCapture (stream, modes[i]));
      assert_ok (cudaStreamIsCapturing (stream, &status));
      g_assert_cmpint (status, ==, cudaStreamCaptureStatusActive);
      assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, stream));
      assert_ok (cudaStreamEndCapture (stream, &graph));
      assert_ok (cudaGraphDestroy (graph));

      assert_ok (cudaStreamBeginCapture (stream, modes[i]));
      assert_cuda (cudaDeviceSynchronize (),
                   is_safe ? cudaSuccess : cudaErrorStreamCaptureUnsupported);
      if (is_safe)
        assert_cuda (cudaStreamSynchronize (stream), cudaErrorStreamCaptureUnsupported);
      assert_ok (cudaStreamIsCapturing (stream, &status));
      g_assert_cmpint (status, ==, cudaStreamCaptureStatusInvalidated);
      assert_cuda (cudaMemsetAsync (memory, 2, N_BYTES, stream), cudaErrorStreamCaptureInvalidated);
      assert_cuda (cudaStreamEndCapture (stream, &graph), cudaErrorStreamCaptureInvalidated);
      assert_ok (cudaStreamSynchronize (stream));
      assert_ok (cudaStreamDestroy (stream));
    }

  assert_ok (cudaMemcpy (&host, memory, 1, cudaMemcpyDeviceToHost));
  g_assert_cmpuint (host, ==, 1);
  assert_ok (cudaFree (memory));
  assert_clean ();
}

static gpointer
allocate_and_free (gpointer data)
{
  enum cudaStreamCaptureMode mode = GPOINTER_TO_INT (data);
  void *memory = NULL;
  cudaError_t error;

  assert_ok (cudaThreadExchangeStreamCaptureMode (&mode));
  error = cudaMalloc (&memory, N_BYTES);
  if (error == cudaSuccess)
    assert_ok (cudaFree (memory));
  return GINT_TO_POINTER (error);
}

/* A capture forbids other threads some calls, depending on the modes of both. */
static void
test_capture_threads (void)
{
  static const struct
  {
    enum cudaStreamCaptureMode mode;
    enum cudaStreamCaptureMode mode_of_thread;
    cudaError_t                error;
  } cases[] = {
    { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeGlobal, cudaErrorStreamCaptureUnsupported },
    { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaSuccess },
    { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed, cudaSuccess },
    { cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeGlobal, cudaSuccess },
    { cudaStreamCaptureModeRelaxed, cudaStreamCaptureModeGlobal, cudaSuccess },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      cudaStream_t stream = new_stream ();
      gpointer mode = GINT_TO_POINTER (cases[i].mode_of_thread);
      cudaGraph_t graph;
      int error;

      assert_ok (cudaStreamBeginCapture (stream, cases[i].mode));
      error = GPOINTER_TO_INT (g_thread_join (g_thread_new ("malloc", allocate_and_free, mode)));
      assert_cuda (error, cases[i].error);
      assert_cuda (cudaStreamEndCapture (stream, &graph),
                   error == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
      if (error == cudaSuccess)
        assert_ok (cudaGraphDestroy (graph));
      assert_ok (cudaStreamDestroy (stream));
    }
  assert_clean ();
}

static void
test_names (void)
{
  g_assert_cmpstr (cudaGetErrorName (cudaErrorMemoryAllocation), ==, "cudaErrorMemoryAllocation");
  g_assert_cmpstr (cudaGetErrorString (cudaErrorMemoryAllocation), ==, "out of memory");
  g_assert_cmpstr (cudaGetErrorName (cudaSuccess), ==, "cudaSuccess");
  g_assert_cmpstr (cudaGetErrorName (12345), ==, "unrecognized error code");
  g_assert_cmpstr (cudaGetErrorString (12345), ==, "unrecognized error code");
}

/* A reset of the fake runtime restores the initial state, and old objects are gone. */
static void
test_reset (void)
{
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (N_BYTES);
  size_t n_free, n_total;

  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, stream));
  assert_ok (cudaSetDevice (1));
  fake_cuda_fail (NULL, 1, cudaErrorUnknown, TRUE);
  fake_cuda_reset ();
  assert_ok (cudaMemGetInfo (&n_free, &n_total));
  g_assert_cmpuint (n_free, ==, n_total);
  assert_cuda (cudaStreamSynchronize (stream), cudaErrorInvalidResourceHandle);
  assert_faults ("use after reset: cudaStreamSynchronize");
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-control/devices", test_devices);
  add_func ("/fake-control/threads", test_threads);
  add_func ("/fake-control/driver", test_driver);
  add_func ("/fake-control/unloading", test_unloading);
  add_func ("/fake-control/fail", test_fail);
  add_func ("/fake-control/count", test_count);
  add_func ("/fake-control/lost", test_lost);
  add_func ("/fake-control/capture", test_capture);
  add_func ("/fake-control/capture-threads", test_capture_threads);
  add_func ("/fake-control/names", test_names);
  add_func ("/fake-control/reset", test_reset);

  return g_test_run ();
}
