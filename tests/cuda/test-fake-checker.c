/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-utils.h"
#include "fake-cudart/sanitizers.h"

/* Pairs of programs, one with a bug and one without. The checker must find the bug in any order in
 * which the work runs, and must report nothing for the correct program. */

#define N_BYTES 256
#define N_SEEDS 20

static cudaStream_t a, b;
static cudaEvent_t event;

static void
order (cudaStream_t first,
       cudaStream_t second)
{
  assert_ok (cudaEventRecord (event, first));
  assert_ok (cudaStreamWaitEvent (second, event, 0));
}

static void
copy_across (gboolean is_right)
{
  guint8 *from = new_memory (N_BYTES), *to = new_memory (N_BYTES);

  assert_ok (cudaMemsetAsync (from, 1, N_BYTES, a));
  if (is_right)
    order (a, b);
  assert_ok (cudaMemcpyAsync (to, from, N_BYTES, cudaMemcpyDeviceToDevice, b));
  assert_ok (cudaFree (from));
  assert_ok (cudaFree (to));
}

static void
write_while_read (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES), *to = new_memory (N_BYTES);

  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, a));
  assert_ok (cudaMemcpyAsync (to, memory, N_BYTES, cudaMemcpyDeviceToDevice, a));
  if (is_right)
    order (a, b);
  assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, b));
  assert_ok (cudaFree (memory));
  assert_ok (cudaFree (to));
}

/* An event does not cover work that was given to the stream after the record. */
static void
record_too_early (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES);

  if (!is_right)
    assert_ok (cudaEventRecord (event, a));
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, a));
  if (is_right)
    assert_ok (cudaEventRecord (event, a));
  assert_ok (cudaStreamWaitEvent (b, event, 0));
  assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, b));
  assert_ok (cudaFree (memory));
}

/* Waiting for one stream tells the host nothing about another stream. */
static void
wait_for_other (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES);

  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, a));
  assert_ok (cudaStreamSynchronize (is_right ? a : b));
  assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, b));
  assert_ok (cudaFree (memory));
}

/* A non-blocking stream does not wait for cudaMemset() on the default stream. */
static void
default_stream (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES);

  assert_ok (cudaMemset (memory, 1, N_BYTES));
  if (is_right)
    assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaMemsetAsync (memory, 2, N_BYTES, a));
  assert_ok (cudaFree (memory));
}

static void
free_on_wrong_stream (gboolean is_right)
{
  void *memory;

  assert_ok (cudaMallocAsync (&memory, N_BYTES, a));
  order (a, b);
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, b));
  if (is_right)
    order (b, a);
  assert_ok (cudaFreeAsync (memory, a));
}

static void
use_before_allocation (gboolean is_right)
{
  void *memory;

  assert_ok (cudaMallocAsync (&memory, N_BYTES, a));
  if (is_right)
    order (a, b);
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, b));
  order (b, a);
  assert_ok (cudaFreeAsync (memory, a));
}

/* A caching allocator passes a part of its segment from one stream to another. */
static void
give_out_again (gboolean is_right)
{
  guint8 *segment = new_memory (4 * N_BYTES);

  assert_ok (cudaMemsetAsync (segment + N_BYTES, 1, N_BYTES, a));
  assert_ok (cudaMemsetAsync (segment + 3 * N_BYTES, 1, N_BYTES, b));
  if (is_right)
    order (a, b);
  assert_ok (cudaMemsetAsync (segment + 2 * N_BYTES - 1, 2, N_BYTES, b));
  assert_ok (cudaFree (segment));
}

static void
free_twice (gboolean is_right)
{
  void *memory = new_memory (N_BYTES);

  assert_ok (cudaFree (memory));
  if (!is_right)
    assert_cuda (cudaFree (memory), cudaErrorInvalidValue);
}

static void
free_twice_async (gboolean is_right)
{
  void *memory;

  assert_ok (cudaMallocAsync (&memory, N_BYTES, a));
  assert_ok (cudaFreeAsync (memory, a));
  if (!is_right)
    assert_cuda (cudaFreeAsync (memory, a), cudaErrorInvalidValue);
}

static void
free_by_other (gboolean is_right)
{
  void *memory = new_pinned (N_BYTES);

  if (!is_right)
    assert_cuda (cudaFree (memory), cudaErrorInvalidValue);
  assert_ok (cudaFreeHost (memory));
}

static void
free_inside (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES);

  if (!is_right)
    assert_cuda (cudaFree (memory + 1), cudaErrorInvalidValue);
  assert_ok (cudaFree (memory));
}

static void
use_after_free (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES);

  if (is_right)
    assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, a));
  assert_ok (cudaFree (memory));
  if (!is_right)
    assert_cuda (cudaMemsetAsync (memory, 1, N_BYTES, a), cudaErrorInvalidValue);
}

static void
use_after_free_async (gboolean is_right)
{
  void *memory;
  guint8 host[N_BYTES];

  assert_ok (cudaMallocAsync (&memory, N_BYTES, a));
  if (is_right)
    assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, a));
  assert_ok (cudaFreeAsync (memory, a));
  if (!is_right)
    assert_cuda (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, a),
                 cudaErrorInvalidValue);
}

static void
use_after_reset (gboolean is_right)
{
  guint8 *memory;

  assert_ok (cudaSetDevice (1));
  memory = new_memory (N_BYTES);
  if (!is_right)
    assert_ok (cudaDeviceReset ());
  assert_cuda (cudaMemset (memory, 1, N_BYTES), is_right ? cudaSuccess : cudaErrorInvalidValue);
  if (is_right)
    assert_ok (cudaFree (memory));
  assert_ok (cudaSetDevice (0));
}

static void
stream_after_reset (gboolean is_right)
{
  cudaStream_t stream;

  assert_ok (cudaSetDevice (1));
  stream = new_stream ();
  if (is_right)
    assert_ok (cudaStreamDestroy (stream));
  assert_ok (cudaDeviceReset ());
  if (!is_right)
    assert_cuda (cudaStreamDestroy (stream), cudaErrorInvalidResourceHandle);
  assert_ok (cudaSetDevice (0));
}

static void
use_after_destroy (gboolean is_right)
{
  cudaEvent_t other = new_event ();

  if (is_right)
    assert_ok (cudaEventRecord (other, a));
  assert_ok (cudaEventDestroy (other));
  if (!is_right)
    assert_cuda (cudaEventRecord (other, a), cudaErrorInvalidResourceHandle);
}

/* Pinned memory must not be freed before the host has waited for the copies that use it. */
static void
free_pinned (gboolean is_right)
{
  void *memory = new_memory (N_BYTES), *host = new_pinned (N_BYTES);

  assert_ok (cudaMemcpyAsync (memory, host, N_BYTES, cudaMemcpyHostToDevice, a));
  if (is_right)
    assert_ok (cudaStreamSynchronize (a));
  assert_ok (cudaFreeHost (host));
  assert_ok (cudaFree (memory));
}

static void
write_pinned (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES), *other = new_memory (N_BYTES);
  guint8 *host = new_pinned (N_BYTES);

  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, a));
  if (is_right)
    order (a, b);
  assert_ok (cudaMemcpyAsync (other, host, N_BYTES, cudaMemcpyHostToDevice, b));
  assert_ok (cudaDeviceSynchronize ());
  assert_ok (cudaFreeHost (host));
  assert_ok (cudaFree (other));
  assert_ok (cudaFree (memory));
}

static void
free_while_peer_uses (gboolean is_right)
{
  guint8 *memory = new_memory (N_BYTES), *other;
  cudaStream_t stream;

  assert_ok (cudaSetDevice (1));
  other = new_memory (N_BYTES);
  stream = new_stream ();
  assert_ok (cudaMemcpyPeerAsync (other, 1, memory, 0, N_BYTES, stream));
  if (is_right)
    assert_ok (cudaStreamSynchronize (stream));
  assert_ok (cudaSetDevice (0));
  assert_ok (cudaFree (memory));
  assert_ok (cudaStreamDestroy (stream));
  assert_ok (cudaFree (other));
}

static const struct
{
  const char *name;
  void      (*run) (gboolean is_right);
  const char *fault;
} programs[] = {
  { "copy-across", copy_across, "race: cudaMemcpyAsync" },
  { "write-while-read", write_while_read, "race: cudaMemsetAsync" },
  { "record-too-early", record_too_early, "race: cudaMemsetAsync" },
  { "wait-for-other", wait_for_other, "race: cudaMemsetAsync" },
  { "default-stream", default_stream, "race: cudaMemsetAsync" },
  { "free-on-wrong-stream", free_on_wrong_stream, "race: cudaFreeAsync" },
  { "use-before-allocation", use_before_allocation, "race: cudaMemsetAsync" },
  { "give-out-again", give_out_again, "race: cudaMemsetAsync" },
  { "free-twice", free_twice, "double free: cudaFree" },
  { "free-twice-async", free_twice_async, "double free: cudaFreeAsync" },
  { "free-by-other", free_by_other, "free: cudaFree is not for" },
  { "free-inside", free_inside, "free: cudaFree is given a pointer into" },
  { "use-after-free", use_after_free, "use after free: cudaMemsetAsync" },
  { "use-after-free-async", use_after_free_async, "use after free: cudaMemcpyAsync" },
  { "use-after-reset", use_after_reset, "use after reset: cudaMemset" },
  { "stream-after-reset", stream_after_reset, "use after reset: cudaStreamDestroy" },
  { "use-after-destroy", use_after_destroy, "use after destroy: cudaEventRecord" },
  { "free-pinned", free_pinned, "free: cudaFreeHost ends" },
  { "write-pinned", write_pinned, "race: cudaMemcpyAsync" },
  { "free-while-peer-uses", free_while_peer_uses, "free: cudaFree ends" },
};

static void
test_program (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);

  for (guint seed = 0; seed < N_SEEDS; seed++)
    for (int is_right = FALSE; is_right <= TRUE; is_right++)
      {
        fake_cuda_reset ();
        fake_cuda_set_seed (seed);
        a = new_stream ();
        b = new_stream ();
        event = new_event ();
        programs[i].run (is_right);
        assert_ok (cudaStreamDestroy (a));
        assert_ok (cudaStreamDestroy (b));
        assert_ok (cudaEventDestroy (event));

        if (!is_right)
          assert_faults (programs[i].fault);
        assert_clean ();
      }
  fake_cuda_reset ();
}

/* The host reads or writes device memory. */
static void
touch (gboolean is_write)
{
  volatile guint8 *memory = new_memory (10 * N_BYTES);

  if (is_write)
    memory[5 * N_BYTES] = 1;
  else
    g_assert_cmpuint (memory[5 * N_BYTES], <=, 255);
  assert_ok (cudaFree ((void *) memory));
}

static void
test_touch (void)
{
  if (!fake_cuda_sees_touches ())
    {
      g_test_skip ("Another tool watches over memory");
      return;
    }

  for (int is_write = FALSE; is_write <= TRUE; is_write++)
    {
      touch (is_write);
      assert_faults ("host touch: the host touches byte 1280 of block");
    }
  assert_clean ();
}

/* AddressSanitizer ends the program, so this runs in a subprocess. */
static void
test_touch_poison (void)
{
#ifdef __SANITIZE_ADDRESS__
  if (g_test_subprocess ())
    {
      touch (TRUE);
      return;
    }

  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*use-after-poison*");
#else
  g_test_skip ("Not built with AddressSanitizer");
#endif
}

/* Work that was submitted before the free may still use the memory. */
static void
test_late_free (void)
{
  void *memory, *host = new_pinned (N_BYTES);
  cudaStream_t stream = new_stream ();

  assert_ok (cudaMallocAsync (&memory, N_BYTES, stream));
  assert_ok (cudaMemsetAsync (memory, 1, N_BYTES, stream));
  assert_ok (cudaMemcpyAsync (host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream));
  assert_ok (cudaFreeAsync (memory, stream));
  assert_ok (cudaStreamSynchronize (stream));
  g_assert_cmpuint (*(guint8 *) host, ==, 1);
  assert_ok (cudaStreamDestroy (stream));
  assert_ok (cudaFreeHost (host));
  assert_clean ();
}

static void
test_leaks (void)
{
  struct cudaMemPoolProps properties = {
    .allocType = cudaMemAllocationTypePinned,
    .location = { cudaMemLocationTypeDevice, 0 },
  };
  cudaMemPool_t pool;
  void *memory;

  new_memory (N_BYTES);
  new_pinned (N_BYTES);
  new_stream ();
  new_event ();
  assert_ok (cudaMemPoolCreate (&pool, &properties));
  assert_ok (cudaMallocFromPoolAsync (&memory, N_BYTES, pool, NULL));

  g_assert_cmpuint (fake_cuda_check_leaks (), ==, 6);
  assert_faults ("leak: block", "leak: block", "leak: block", "leak: stream", "leak: event",
                 "leak: pool");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *path = g_strconcat ("/fake-checker/", programs[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_program);
    }
  add_func ("/fake-checker/touch", test_touch);
  add_func ("/fake-checker/touch-poison", test_touch_poison);
  add_func ("/fake-checker/late-free", test_late_free);
  add_func ("/fake-checker/leaks", test_leaks);

  return g_test_run ();
}
