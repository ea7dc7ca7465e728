/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"

/* Captures and graphs of the fake runtime, by the rules of the CUDA runtime API reference and of the
 * programming guide ("CUDA Graphs"). */

#define N_BYTES 256

static cudaStream_t
begin (void)
{
  cudaStream_t stream = new_stream ();

  assert_ok (cudaStreamBeginCapture (stream, cudaStreamCaptureModeThreadLocal));
  return stream;
}

static cudaGraphExec_t
end (cudaStream_t stream)
{
  cudaGraphExec_t executable = NULL;
  cudaGraph_t graph;

  assert_ok (cudaStreamEndCapture (stream, &graph));
  assert_ok (cudaGraphInstantiate (&executable, graph, 0));
  assert_ok (cudaGraphDestroy (graph));
  return executable;
}

static void
call_host (void *data)
{
  (*(int *) data)++;
}

/* A capture runs nothing, and each launch of the graph runs all of it in order. Pageable memory is
 * read at the launch. */
static void
test_replay (void)
{
  guint8 *memory = new_memory (N_BYTES), *copy = new_memory (N_BYTES), near = 1, *pinned = new_pinned (1);
  cudaStream_t captured, stream = new_stream ();
  cudaGraphExec_t graph;
  int n_called = 0;

  assert_ok (cudaMemset (memory, 0, N_BYTES));
  assert_ok (cudaMemset (copy, 0, N_BYTES));
  assert_ok (cudaDeviceSynchronize ());
  captured = begin ();
  assert_ok (cudaMemcpyAsync (memory, &near, 1, cudaMemcpyHostToDevice, captured));
  assert_ok (cudaMemsetAsync (copy, 9, N_BYTES, captured));
  assert_ok (cudaMemcpyAsync (copy, memory, 1, cudaMemcpyDeviceToDevice, captured));
  assert_ok (cudaMemcpyAsync (pinned, copy, 1, cudaMemcpyDeviceToHost, captured));
  assert_ok (cudaLaunchHostFunc (captured, call_host, &n_called));
  graph = end (captured);
  *pinned = 0;
  assert_ok (cudaStreamSynchronize (captured));
  g_assert_cmpint (*pinned, ==, 0);

  for (guint8 i = 3; i < 6; i++)
    {
      near = i;
      assert_ok (cudaGraphLaunch (graph, stream));
      assert_ok (cudaStreamSynchronize (stream));
      g_assert_cmpint (*pinned, ==, i);
    }
  g_assert_cmpint (n_called, ==, 3);

  assert_ok (cudaGraphExecDestroy (graph));
  assert_ok (cudaStreamDestroy (captured));
  assert_ok (cudaStreamDestroy (stream));
  assert_ok (cudaFree (memory));
  assert_ok (cudaFree (copy));
  assert_ok (cudaFreeHost (pinned));
  assert_clean ();
}

/* Launches of one graph follow each other in all streams, and other work is ordered as always. */
static void
test_order (void)
{
  guint8 *memory = new_memory (N_BYTES);
  cudaStream_t captured = begin (), first = new_stream (), second = new_stream ();
  cudaGraphExec_t graph;

  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, captured));
  graph = end (captured);
  fake_cuda_set_latency (10);
  assert_ok (cudaGraphLaunch (graph, first));
  assert_ok (cudaGraphLaunch (graph, second));
  assert_no_faults ();
  assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, first));
  assert_faults ("race: ");

  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaGraphExecDestroy (graph));
  assert_ok (cudaStreamDestroy (captured));
  assert_ok (cudaStreamDestroy (first));
  assert_ok (cudaStreamDestroy (second));
  assert_ok (cudaFree (memory));
  assert_clean ();
}

/* Events lead a capture into another stream, whose work must be joined again. */
static void
test_fork (void)
{
  guint8 *memory = new_memory (N_BYTES), *other_memory = new_memory (N_BYTES), near[2] = { 0 };
  cudaEvent_t fork = new_event (), join = new_event ();

  for (int is_joined = 0; is_joined < 2; is_joined++)
    {
      cudaStream_t stream = begin (), other = new_stream ();
      enum cudaStreamCaptureStatus status;
      cudaGraphExec_t executable;
      cudaGraph_t graph;

      assert_ok (cudaEventRecord (fork, stream));
      assert_ok (cudaStreamWaitEvent (other, fork, 0));
      assert_ok (cudaStreamIsCapturing (other, &status));
      g_assert_cmpint (status, ==, cudaStreamCaptureStatusActive);
      assert_ok (cudaMemsetAsync (memory, 4, N_BYTES, stream));
      assert_ok (cudaMemsetAsync (other_memory, 5, N_BYTES, other));
      assert_cuda (cudaStreamEndCapture (other, &graph), cudaErrorStreamCaptureUnmatched);
      assert_ok (cudaEventRecord (join, other));
      if (is_joined)
        assert_ok (cudaStreamWaitEvent (stream, join, 0));
      assert_cuda (cudaStreamEndCapture (stream, &graph),
                   is_joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
      assert_ok (cudaStreamIsCapturing (other, &status));
      g_assert_cmpint (status, ==, cudaStreamCaptureStatusNone);
      if (is_joined)
        {
          assert_ok (cudaGraphInstantiateWithFlags (&executable, graph, 0));
          assert_ok (cudaGraphDestroy (graph));
          assert_ok (cudaGraphLaunch (executable, other));
          assert_ok (cudaMemcpyAsync (&near[0], memory, 1, cudaMemcpyDeviceToHost, other));
          assert_ok (cudaMemcpyAsync (&near[1], other_memory, 1, cudaMemcpyDeviceToHost, other));
          assert_ok (cudaGraphExecDestroy (executable));
        }
      assert_ok (cudaStreamDestroy (stream));
      assert_ok (cudaStreamDestroy (other));
    }

  g_assert_cmpint (near[0] * 10 + near[1], ==, 45);
  assert_ok (cudaEventDestroy (fork));
  assert_ok (cudaEventDestroy (join));
  assert_ok (cudaFree (memory));
  assert_ok (cudaFree (other_memory));
  assert_clean ();
}

/* Calls that a capture does not permit break it. */
static void
test_forbidden (void)
{
  cudaStream_t streams[7];
  cudaEvent_t before = new_event (), during = new_event ();
  cudaStream_t side = new_stream (), other = begin ();
  guint8 *memory = NULL;
  cudaGraph_t graph;

  assert_ok (cudaEventRecord (before, side));
  for (gsize i = 0; i < G_N_ELEMENTS (streams); i++)
    streams[i] = begin ();

  assert_ok (cudaEventRecord (during, streams[0]));
  assert_cuda (cudaStreamWaitEvent (streams[1], before, 0), cudaErrorStreamCaptureIsolation);
  assert_cuda (cudaStreamWaitEvent (other, during, 0), cudaErrorStreamCaptureMerge);
  assert_ok (cudaEventRecord (during, streams[2]));
  assert_cuda (cudaEventQuery (during), cudaErrorStreamCaptureUnsupported);
  assert_cuda (cudaStreamSynchronize (streams[3]), cudaErrorStreamCaptureUnsupported);
  assert_cuda (cudaMalloc ((void **) &memory, 1), cudaErrorStreamCaptureUnsupported);
  assert_cuda (cudaStreamQuery (streams[5]), cudaErrorStreamCaptureUnsupported);
  assert_cuda (cudaStreamAddCallback (streams[6], NULL, NULL, 0), cudaErrorInvalidValue);
  for (gsize i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      assert_cuda (cudaStreamEndCapture (streams[i], &graph), cudaErrorStreamCaptureInvalidated);
      g_assert_null (graph);
      assert_ok (cudaStreamDestroy (streams[i]));
    }
  assert_cuda (cudaStreamEndCapture (other, &graph), cudaErrorStreamCaptureInvalidated);

  /* The event was never recorded otherwise. */
  assert_cuda (cudaEventSynchronize (during), cudaErrorCapturedEvent);
  assert_cuda (cudaStreamWaitEvent (side, during, 0), cudaErrorCapturedEvent);
  assert_ok (cudaEventRecord (during, side));
  assert_ok (cudaEventSynchronize (during));

  assert_ok (cudaEventDestroy (before));
  assert_ok (cudaEventDestroy (during));
  assert_ok (cudaStreamDestroy (side));
  assert_ok (cudaStreamDestroy (other));
  assert_clean ();
}

/* Work of a graph is checked when it is launched: memory may be gone, and graphs may leak. */
static void
test_faults (void)
{
  guint8 *memory = new_memory (N_BYTES);
  cudaStream_t captured = begin (), stream = new_stream ();
  cudaGraphExec_t graph;
  cudaGraph_t left;

  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, captured));
  graph = end (captured);
  assert_ok (cudaFree (memory));
  assert_cuda (cudaGraphLaunch (graph, stream), cudaErrorInvalidValue);
  assert_faults ("use after free: ");

  assert_ok (cudaStreamBeginCapture (captured, cudaStreamCaptureModeThreadLocal));
  assert_cuda (cudaGraphLaunch (graph, captured), cudaErrorStreamCaptureUnsupported);
  assert_cuda (cudaStreamEndCapture (captured, &left), cudaErrorStreamCaptureInvalidated);
  assert_ok (cudaStreamBeginCapture (captured, cudaStreamCaptureModeThreadLocal));
  assert_ok (cudaStreamEndCapture (captured, &left));
  g_assert_cmpuint (fake_cuda_check_leaks (), ==, 4);
  fake_cuda_clear_faults ();

  assert_cuda (cudaGraphExecDestroy ((cudaGraphExec_t) left), cudaErrorInvalidValue);
  fake_cuda_clear_faults ();
  assert_ok (cudaGraphDestroy (left));
  assert_ok (cudaGraphExecDestroy (graph));
  assert_ok (cudaStreamDestroy (captured));
  assert_ok (cudaStreamDestroy (stream));
  assert_clean ();
}

/* A graph ends with its device. */
static void
test_reset (void)
{
  cudaStream_t captured = begin ();
  cudaGraphExec_t graph = end (captured);

  assert_ok (cudaDeviceReset ());
  assert_cuda (cudaGraphLaunch (graph, NULL), cudaErrorInvalidValue);
  fake_cuda_clear_faults ();
  assert_clean ();
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_func ("/fake-graphs/replay", test_replay);
  add_func ("/fake-graphs/order", test_order);
  add_func ("/fake-graphs/fork", test_fork);
  add_func ("/fake-graphs/forbidden", test_forbidden);
  add_func ("/fake-graphs/faults", test_faults);
  add_func ("/fake-graphs/reset", test_reset);

  return g_test_run ();
}
