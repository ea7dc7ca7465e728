/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

#define N_BYTES 256

static void
test_create (void)
{
  static const struct
  {
    unsigned int flags;
    cudaError_t  error;
  } cases[] = {
    { cudaStreamDefault, cudaSuccess },
    { cudaStreamNonBlocking, cudaSuccess },
    { 2, cudaErrorInvalidValue },
    { ~0u, cudaErrorInvalidValue },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      cudaStream_t stream;
      unsigned int flags;
      unsigned long long id;
      int device;

      assert_cuda (cudaStreamCreateWithFlags (&stream, cases[i].flags), cases[i].error);
      if (cases[i].error != cudaSuccess)
        continue;
      assert_ok (cudaStreamGetFlags (stream, &flags));
      g_assert_cmpuint (flags, ==, cases[i].flags);
      assert_ok (cudaStreamGetDevice (stream, &device));
      g_assert_cmpint (device, ==, 0);
      assert_ok (cudaStreamGetId (stream, &id));
      assert_ok (cudaStreamDestroy (stream));
    }
  assert_cuda (cudaStreamCreate (NULL), cudaErrorInvalidValue);
  assert_clean ();
}

static void
test_priority (void)
{
  int lowest, highest, priority;
  cudaStream_t stream;

  assert_ok (cudaDeviceGetStreamPriorityRange (&lowest, &highest));
  g_assert_cmpint (highest, <, lowest);
  assert_ok (cudaStreamCreateWithPriority (&stream, cudaStreamNonBlocking, highest - 100));
  assert_ok (cudaStreamGetPriority (stream, &priority));
  g_assert_cmpint (priority, ==, highest);
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

/* Work runs when the host waits for it, and not before. */
static void
test_late (void)
{
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (N_BYTES);
  guint8 *host = new_pinned (N_BYTES);

  memset (host, 0, N_BYTES);
  assert_ok (cudaMemsetAsync (memory, 7, N_BYTES, stream));
  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream));
  g_assert_cmpuint (host[0], ==, 0);
  assert_cuda (cudaStreamQuery (stream), cudaErrorNotReady);
  assert_cuda (cudaPeekAtLastError (), cudaErrorNotReady);
  assert_cuda (cudaGetLastError (), cudaErrorNotReady);
  assert_ok (cudaGetLastError ());
  assert_ok (cudaStreamSynchronize (stream));
  assert_ok (cudaStreamQuery (stream));
  for (guint i = 0; i < N_BYTES; i++)
    g_assert_cmpuint (host[i], ==, 7);

  assert_ok (cudaFree (memory));
  assert_ok (cudaFreeHost (host));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

/* Repeated queries also make the work run. */
static void
test_query (void)
{
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (N_BYTES);
  guint n = 0;

  fake_cuda_set_latency (5);
  assert_ok (cudaMemsetAsync (memory, 7, N_BYTES, stream));
  while (cudaStreamQuery (stream) == cudaErrorNotReady)
    n++;
  g_assert_cmpuint (n, ==, 5);

  assert_ok (cudaFree (memory));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

/* Fills memory on one stream and reads it on another one. Returns TRUE if the read saw the filled
 * memory. */
static gboolean
fill_and_read (gboolean is_waiting)
{
  cudaStream_t a = new_stream (), b = new_stream ();
  cudaEvent_t event = new_event ();
  guint8 *memory = new_memory (N_BYTES);
  guint8 *host = new_pinned (N_BYTES);
  gboolean is_right;

  assert_ok (cudaMemsetAsync (memory, 7, N_BYTES, a));
  assert_ok (cudaEventRecord (event, a));
  if (is_waiting)
    assert_ok (cudaStreamWaitEvent (b, event, 0));
  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, b));
  assert_ok (cudaStreamSynchronize (b));
  is_right = host[0] == 7;

  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaFree (memory));
  assert_ok (cudaFreeHost (host));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaStreamDestroy (a));
  assert_ok (cudaStreamDestroy (b));

  return is_right;
}

static void
test_event (void)
{
  for (guint seed = 0; seed < 50; seed++)
    {
      fake_cuda_set_seed (seed);
      g_assert_true (fill_and_read (TRUE));
    }
  assert_clean ();
}

/* Without the wait the order is random, but the fault is found each time. */
static void
test_no_event (void)
{
  guint n_right = 0;

  for (guint seed = 0; seed < 50; seed++)
    {
      fake_cuda_set_seed (seed);
      n_right += fill_and_read (FALSE);
      assert_faults ("race: cudaMemcpyAsync on stream");
    }
  g_assert_cmpuint (n_right, >, 0);
  g_assert_cmpuint (n_right, <, 50);
  assert_clean ();
}

/* The legacy default stream orders blocking streams, but not others. */
static void
test_legacy (void)
{
  static const unsigned int flags[] = { cudaStreamDefault, cudaStreamNonBlocking };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      guint8 *memory = new_memory (N_BYTES);
      guint8 *host = new_pinned (N_BYTES);
      cudaStream_t stream;

      assert_ok (cudaStreamCreateWithFlags (&stream, flags[i]));
      assert_ok (cudaMemsetAsync (memory, 7, N_BYTES, stream));
      assert_ok (cudaMemsetAsync (memory, 8, N_BYTES, NULL));
      assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream));
      assert_ok (cudaDeviceSynchronize ());
      if (flags[i] == cudaStreamDefault)
        {
          assert_no_faults ();
          g_assert_cmpuint (host[0], ==, 8);
        }
      else
        assert_faults ("race: cudaMemsetAsync on stream", "race: cudaMemcpyAsync on stream");

      assert_ok (cudaStreamDestroy (stream));
      assert_ok (cudaFree (memory));
      assert_ok (cudaFreeHost (host));
    }
  assert_clean ();
}

static gpointer
fill_in_thread (gpointer memory)
{
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, cudaStreamPerThread));
  return NULL;
}

/* Each thread has its own default stream, which the legacy stream orders. */
static void
test_per_thread (void)
{
  guint8 *memory = new_memory (N_BYTES);

  g_thread_join (g_thread_new ("fill", fill_in_thread, memory));
  assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, cudaStreamPerThread));
  assert_faults ("race: cudaMemsetAsync on stream");

  assert_ok (cudaMemsetAsync (memory, 3, N_BYTES, cudaStreamLegacy));
  assert_ok (cudaMemsetAsync (memory, 4, N_BYTES, cudaStreamPerThread));
  assert_ok (cudaFree (memory));
  assert_clean ();
}

/* A destroyed stream still does its work, and others may wait for it. */
static void
test_destroy (void)
{
  cudaStream_t a = new_stream (), b = new_stream ();
  cudaEvent_t event = new_event ();
  guint8 *memory = new_memory (N_BYTES);
  guint8 host[N_BYTES] = { 0 };

  assert_ok (cudaMemsetAsync (memory, 9, N_BYTES, a));
  assert_ok (cudaEventRecord (event, a));
  assert_ok (cudaStreamDestroy (a));
  assert_ok (cudaStreamWaitEvent (b, event, 0));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, b));
  g_assert_cmpuint (host[N_BYTES - 1], ==, 9);
  assert_ok (cudaStreamDestroy (b));
  assert_ok (cudaFree (memory));
  assert_clean ();

  assert_cuda (cudaStreamSynchronize (a), cudaErrorInvalidResourceHandle);
  assert_cuda (cudaEventQuery (event), cudaErrorInvalidResourceHandle);
  assert_cuda (cudaStreamQuery ((cudaStream_t) 0x1234), cudaErrorInvalidResourceHandle);
  assert_faults ("use after destroy: cudaStreamSynchronize is given stream",
                 "use after destroy: cudaEventQuery is given event",
                 "handle: cudaStreamQuery is given something that is no stream");
}

/* Objects of another device are refused where CUDA refuses them. */
static void
test_devices (void)
{
  cudaStream_t stream = new_stream ();
  cudaEvent_t event = new_event (), other_event;
  guint8 *memory = new_memory (N_BYTES), *other;

  assert_ok (cudaSetDevice (1));
  other = new_memory (N_BYTES);
  other_event = new_event ();
  assert_cuda (cudaMemsetAsync (memory, 1, N_BYTES, stream), cudaErrorInvalidResourceHandle);
  assert_cuda (cudaEventRecord (other_event, stream), cudaErrorInvalidResourceHandle);
  assert_ok (cudaEventRecord (event, stream));
  assert_ok (cudaStreamWaitEvent (NULL, event, 0));
  assert_ok (cudaMemcpyAsync (other, memory, N_BYTES, cudaMemcpyDeviceToDevice, stream));
  assert_ok (cudaMemcpyPeerAsync (memory, 0, other, 1, N_BYTES, stream));
  assert_cuda (cudaMemcpyPeerAsync (memory, 1, other, 0, N_BYTES, stream), cudaErrorInvalidValue);
  assert_ok (cudaEventSynchronize (event));
  assert_ok (cudaStreamSynchronize (stream));

  assert_ok (cudaFree (other));
  assert_ok (cudaFree (memory));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaEventDestroy (other_event));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

static void
test_elapsed (void)
{
  cudaStream_t stream = new_stream ();
  guint8 *memory = new_memory (N_BYTES);
  cudaEvent_t start, end, untimed = new_event ();
  float milliseconds = -1;

  assert_ok (cudaEventCreate (&start));
  assert_ok (cudaEventCreate (&end));
  assert_cuda (cudaEventElapsedTime (&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  assert_ok (cudaEventRecord (start, stream));
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, stream));
  assert_ok (cudaEventRecord (end, stream));
  assert_ok (cudaEventRecord (untimed, stream));
  assert_cuda (cudaEventElapsedTime (&milliseconds, start, end), cudaErrorNotReady);
  assert_ok (cudaEventSynchronize (end));
  assert_ok (cudaEventElapsedTime (&milliseconds, start, end));
  g_assert_cmpfloat (milliseconds, >, 0);
  assert_cuda (cudaEventElapsedTime (&milliseconds, start, untimed),
               cudaErrorInvalidResourceHandle);

  assert_ok (cudaEventDestroy (start));
  assert_ok (cudaEventDestroy (end));
  assert_ok (cudaEventDestroy (untimed));
  assert_ok (cudaStreamDestroy (stream));
  assert_ok (cudaFree (memory));
  assert_clean ();
}

#define N_THREADS 8
#define N_ROUNDS  200

static gpointer
work_in_thread (gpointer data)
{
  cudaStream_t stream = new_stream ();
  cudaEvent_t event = new_event ();
  guint8 *memory = new_memory (N_BYTES);
  guint8 host[N_BYTES];

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      assert_ok (cudaMemsetAsync (memory, i & 0xff, N_BYTES, stream));
      assert_ok (cudaEventRecord (event, stream));
      while (cudaEventQuery (event) == cudaErrorNotReady)
        continue;
      assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream));
      g_assert_cmpuint (host[0], ==, i & 0xff);
    }

  assert_ok (cudaFree (memory));
  assert_ok (cudaEventDestroy (event));
  assert_ok (cudaStreamDestroy (stream));
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("work", work_in_thread, NULL);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  assert_clean ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-streams/create", test_create);
  add_func ("/fake-streams/priority", test_priority);
  add_func ("/fake-streams/late", test_late);
  add_func ("/fake-streams/query", test_query);
  add_func ("/fake-streams/event", test_event);
  add_func ("/fake-streams/no-event", test_no_event);
  add_func ("/fake-streams/legacy", test_legacy);
  add_func ("/fake-streams/per-thread", test_per_thread);
  add_func ("/fake-streams/destroy", test_destroy);
  add_func ("/fake-streams/devices", test_devices);
  add_func ("/fake-streams/elapsed", test_elapsed);
  add_func ("/fake-streams/threads", test_threads);

  return g_test_run ();
}
