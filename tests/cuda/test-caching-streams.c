/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include <string.h>

/* Blocks of the caching allocator that several streams use, foreign ones among them, and blocks
 * that are freed where CUDA permits no call. */

/* A block that another stream uses is not given out, to any stream, before that use is done. */
static void
test_recorded_use (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  C2gStorage *storage = allocate (allocator, 3 * MIB, first);
  guint64 address = c2g_storage_get_address (storage);

  on_fake (fake_cuda_set_latency, 100);
  work_on (storage, first);
  c2g_cuda_stream_wait (c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (second)),
                        c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (first)), NULL);
  work_on (storage, second);
  c2g_storage_record_use (storage, second);
  c2g_storage_record_use (storage, second);
  c2g_storage_record_use (storage, first);
  c2g_storage_unref (storage);

  g_assert_cmpuint (get_number (allocator, "n-allocated"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "n-active"), ==, 1);
  g_assert_cmpuint (get_number (allocator, "active-bytes"), >=, 3 * MIB);
  g_assert_cmpuint (count_in_snapshot (allocator, "active_pending_free"), ==, 1);
  g_assert_cmpuint (count_in_snapshot (allocator, "active_allocated"), ==, 0);
  /* The block is neither live nor to be had, but memory of the device is taken. */
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, first_device ()), ==,
                    get_number (allocator, "active-bytes") + get_number (allocator, "cached-bytes"));

  if (is_fake ())
    {
      storage = allocate (allocator, 3 * MIB, first);
      g_assert_cmpuint (c2g_storage_get_address (storage), !=, address);
      work_on (storage, first);
      c2g_storage_unref (storage);
      g_assert_cmpuint (get_number (allocator, "n-active"), ==, 1);
    }
  on_fake (fake_cuda_set_latency, 0);

  finish (second);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "n-active"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
  g_assert_cmpuint (count_in_snapshot (allocator, "active_pending_free"), ==, 0);
}

/* A block without a context can be used at once on any stream. Its users are waited for. */
static void
test_null_context (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();

  for (guint i = 0; i < 20; i++)
    {
      C2gContext *context = i % 2 == 0 ? first : second;
      C2gStorage *storage = allocate (allocator, 3000 + 1000 * (i % 3), NULL);

      work_on (storage, context);
      c2g_storage_record_use (storage, context);
      c2g_storage_unref (storage);
      c2g_storage_unref (allocate (allocator, 3000, context));
    }
}

/* Only allocated blocks, and free blocks for that stream alone, keep a stream alive. */
static void
test_stream_destroyed (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) other = new_context ();
  C2gContext *context = new_context ();
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (context));
  C2gStorage *storage = allocate (allocator, 3 * MIB, context);
  gpointer alive = stream;

  g_object_add_weak_pointer (G_OBJECT (stream), &alive);
  work_on (storage, context);
  g_object_unref (context);
  c2g_storage_unref (storage);

  storage = allocate (allocator, 4 * MIB, other);
  work_on (storage, other);
  c2g_storage_unref (storage);
  c2g_allocator_trim (allocator, 0);
  g_assert_null (alive);
}

/* Blocks of the streams of earlier threads are used again, so segments do not pile up. */
static gpointer
use_new_context (gpointer allocator)
{
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storage = allocate (allocator, 3 * MIB, context);

  work_on (storage, context);
  c2g_storage_unref (storage);
  finish (context);

  return NULL;
}

static void
test_many_threads_one_after_another (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();

  for (guint i = 0; i < 50; i++)
    g_thread_join (g_thread_new ("user", use_new_context, allocator));

  g_assert_cmpuint (get_number (allocator, "n-segments"), <=, 2);
}

static void
unref_storage (gpointer storage)
{
  c2g_storage_unref (storage);
}

/* The last reference goes in a host function, where CUDA permits no call. */
static void
test_host_function (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();

  for (guint i = 0; i < 4; i++)
    {
      C2gStorage *storage = allocate (allocator, 5000, i % 2 == 0 ? first : NULL);

      work_on (storage, first);
      if (i >= 2)
        c2g_storage_record_use (storage, second);
      g_assert_cmpint (cudaLaunchHostFunc (stream_of (first), unref_storage, storage), ==,
                       cudaSuccess);
      finish (first);
    }

  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "n-active"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
}

/* The allocator itself is freed in a host function. */
static void
test_last_reference_in_host_function (void)
{
  g_autoptr (C2gContext) context = new_context ();
  C2gAllocator *allocator = new_caching_allocator ();
  C2gStorage *storage = allocate (allocator, 5000, context);

  work_on (storage, context);
  g_object_unref (allocator);
  g_assert_cmpint (cudaLaunchHostFunc (stream_of (context), unref_storage, storage), ==,
                   cudaSuccess);
  finish (context);
  /* Runs the calls that were put off. */
  finish (context);
}

static void
set_true (gpointer data)
{
  g_atomic_int_set ((int *) data, TRUE);
}

/* Memory of another owner is given back when its streams can be waited for. */
static void
test_foreign_memory_in_host_function (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  g_autoptr (C2gStorage) storage = allocate (allocator, 3 * MIB, NULL);
  C2gStorage *lent;
  int is_back = FALSE;

  lent = c2g_storage_new_external (first_device (), address_of (storage), 3 * MIB, FALSE, set_true,
                                   &is_back);
  on_fake (fake_cuda_set_latency, 100);
  work_on (lent, second);
  c2g_storage_record_use (lent, second);
  g_assert_cmpint (cudaLaunchHostFunc (stream_of (first), unref_storage, lent), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamSynchronize (stream_of (first)), ==, cudaSuccess);
  if (is_fake ())
    g_assert_false (g_atomic_int_get (&is_back));

  on_fake (fake_cuda_set_latency, 0);
  finish (first);
  g_assert_true (g_atomic_int_get (&is_back));
}

static C2gContext *
new_foreign_context (cudaStream_t *handle)
{
  g_autoptr (C2gCudaStream) stream = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (cudaStreamCreateWithFlags (handle, cudaStreamNonBlocking), ==, cudaSuccess);
  stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) *handle, &error);
  g_assert_no_error (error);

  return c2g_cuda_context_new_for_stream (stream);
}

/* A foreign stream can have its blocks again at once. Other streams wait for events that were
 * recorded when the blocks were freed. */
static void
test_foreign_stream (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gContext) other = new_context ();
  C2gStorage *storage;
  cudaStream_t handle;
  guint64 address;

  context = new_foreign_context (&handle);
  storage = allocate (allocator, 3 * MIB, context);
  address = c2g_storage_get_address (storage);
  work_on (storage, context);
  c2g_storage_unref (storage);
  storage = allocate (allocator, 3 * MIB, context);
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, address);
  work_on (storage, context);
  c2g_storage_record_use (storage, other);
  c2g_storage_unref (storage);
  c2g_storage_unref (allocate (allocator, 2 * MIB, context));

  /* Nothing uses the destroyed stream from here on. */
  g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
  storage = allocate (allocator, 3 * MIB, other);
  work_on (storage, other);
  c2g_storage_unref (storage);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
}

/* CUDA gives the handle of a destroyed stream to a new one, which must not get blocks that the old
 * stream still works on. */
static void
test_foreign_handle_reused (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) first = NULL;
  g_autoptr (C2gContext) second = NULL;
  cudaStream_t handle, other_handle;
  C2gStorage *storage;

  on_fake (fake_cuda_reuse_handles, 1);
  on_fake (fake_cuda_set_latency, 100);
  first = new_foreign_context (&handle);
  storage = allocate (allocator, 3 * MIB, first);
  work_on (storage, first);
  c2g_storage_unref (storage);
  g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);

  second = new_foreign_context (&other_handle);
  if (is_fake ())
    g_assert_true (handle == other_handle);
  storage = allocate (allocator, 3 * MIB, second);
  work_on (storage, second);
  assert_no_faults ();
  c2g_storage_unref (storage);

  on_fake (fake_cuda_set_latency, 0);
  finish (second);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
  g_assert_cmpint (cudaStreamDestroy (other_handle), ==, cudaSuccess);
  on_fake (fake_cuda_reuse_handles, 0);
}

static C2gContext *
new_default_context (C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new_from_handle (device, 0, &error);

  g_assert_no_error (error);
  return c2g_cuda_context_new_for_stream (stream);
}

/* The default streams of two devices have the same handle and may have the same id. */
static void
test_default_streams (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) context = new_default_context (first_device ());
  g_autoptr (C2gContext) other = NULL;
  C2gDevice *second = second_device ();
  C2gStorage *storage;

  if (second == NULL)
    return;

  other = new_default_context (second);
  on_fake (fake_cuda_set_latency, 100);
  storage = allocate (allocator, 3 * MIB, context);
  work_on (storage, other);
  c2g_storage_record_use (storage, other);
  c2g_storage_unref (storage);
  storage = allocate (allocator, 3 * MIB, context);
  work_on (storage, context);
  c2g_storage_unref (storage);
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
}

/* c2g cannot record its events on a stream of a context that is not the device's primary one, and
 * waiting for the device does not wait for that stream. The events of other streams still work. */
static void
test_other_context (void)
{
  g_autoptr (C2gAllocator) caching = new_caching_allocator ();
  g_autoptr (C2gAllocator) async = c2g_cuda_async_allocator_new (first_device (), NULL);
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) apart = NULL;
  CUcontext foreign = new_driver_context (0);
  cudaStream_t handle;

  if (foreign == NULL)
    return;

  apart = new_foreign_context (&handle);
  on_fake (fake_cuda_set_latency, 100);
  for (guint i = 0; i < 2; i++)
    {
      C2gAllocator *allocator = i == 0 ? caching : async;
      C2gStorage *storage = allocate (allocator, 3 * MIB, context);
      g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
      g_autoptr (GError) error = NULL;

      finish (context);
      g_assert_cmpint (cudaMemcpyAsync (address_of (storage), (guint8 *) address_of (storage) + MIB, MIB,
                                        cudaMemcpyDeviceToDevice, handle),
                       ==, cudaSuccess);
      c2g_storage_record_use (storage, apart);
      g_assert_false (c2g_context_record (apart, event, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_clear_error (&error);
      c2g_storage_unref (storage);

      storage = allocate (allocator, 3 * MIB, context);
      c2g_event_reset (event);
      g_assert_true (c2g_context_record (context, event, &error));
      c2g_storage_unref (storage);
      assert_no_faults ();
    }
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
  g_assert_cmpint (call_driver (cuCtxDestroy, foreign), ==, CUDA_SUCCESS);
}

/* While a graph is captured CUDA forbids queries. A block that another stream uses does not become
 * free because of that, and the capture goes on. */
static void
test_capture (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  g_autoptr (C2gContext) third = new_context ();
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  C2gStorage *storage = allocate (allocator, 3 * MIB, first);
  cudaStream_t captured;

  on_fake (fake_cuda_set_latency, 100);
  work_on (storage, second);
  g_assert_true (c2g_context_record (second, event, NULL));
  c2g_storage_record_use (storage, second);
  c2g_storage_unref (storage);

  captured = begin_capture ();
  storage = allocate (allocator, 3 * MIB, third);
  work_on (storage, third);
  g_assert_cmpint (c2g_event_query (event), !=, C2G_EVENT_FAILED);
  c2g_storage_unref (storage);
  c2g_allocator_trim (allocator, 0);
  g_assert_true (c2g_event_finish (event, NULL));
  end_capture (captured);

  on_fake (fake_cuda_set_latency, 0);
}

/* Blocks that were given back before the point that has passed are free for other streams. Later ones
 * are not. */
static void
test_partly_done (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();
  C2gStorage *storages[5];
  guint64 first, second;

  if (!needs_fake ())
    return;

  on_fake (fake_cuda_set_latency, 50);
  for (guint i = 0; i < 2; i++)
    storages[i] = allocate (allocator, 3 * MIB, context);
  first = c2g_storage_get_address (storages[0]);
  second = c2g_storage_get_address (storages[1]);
  work_on (storages[0], context);
  c2g_storage_unref (storages[0]);
  /* Records the point. */
  storages[2] = allocate (allocator, 3 * MIB, other);
  work_on (storages[1], context);
  c2g_storage_unref (storages[1]);
  on_fake (fake_cuda_advance, 110);

  storages[3] = allocate (allocator, 3 * MIB, other);
  g_assert_cmpuint (c2g_storage_get_address (storages[3]), ==, first);
  storages[4] = allocate (allocator, 3 * MIB, other);
  g_assert_cmpuint (c2g_storage_get_address (storages[4]), !=, second);
  for (guint i = 2; i < 5; i++)
    {
      work_on (storages[i], other);
      c2g_storage_unref (storages[i]);
    }
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
  finish (other);
}

/* Neighbours that two streams have given back are not joined before both streams are done. */
static void
test_neighbours (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();
  C2gStorage *left = allocate (allocator, MIB / 2, context);
  C2gStorage *right = allocate (allocator, MIB / 2, other);
  C2gStorage *rest = allocate (allocator, MIB, NULL);
  C2gStorage *both;
  guint64 address = c2g_storage_get_address (left);

  g_assert_cmpuint (c2g_storage_get_address (right), ==, address + MIB / 2);
  on_fake (fake_cuda_set_latency, 100);
  work_on (left, context);
  work_on (right, other);
  c2g_storage_unref (left);
  c2g_storage_unref (right);
  both = allocate (allocator, MIB, context);
  if (is_fake ())
    g_assert_cmpuint (c2g_storage_get_address (both), !=, address);
  work_on (both, context);
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
  finish (other);
  c2g_storage_unref (both);
  c2g_storage_unref (rest);
}

/* A block stays in use however many streams use it, all of which have only begun. */
static void
check_users (C2gContext **contexts,
             guint        n_contexts,
             C2gContext  *last)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func (unref_storage);
  C2gStorage *storage = allocate (allocator, 3 * MIB, NULL);
  guint64 address = c2g_storage_get_address (storage);

  on_fake (fake_cuda_set_latency, 100);
  for (guint i = 0; i < n_contexts; i++)
    {
      C2gStorage *copy = allocate (allocator, 5000, contexts[i]);

      g_ptr_array_add (copies, copy);
      g_assert_cmpint (cudaMemcpyAsync (address_of (copy), address_of (storage), 5000,
                                        cudaMemcpyDeviceToDevice, stream_of (contexts[i])),
                       ==, cudaSuccess);
      c2g_storage_record_use (storage, contexts[i]);
    }
  c2g_storage_unref (storage);
  storage = allocate (allocator, 3 * MIB, last);
  if (is_fake ())
    g_assert_cmpuint (c2g_storage_get_address (storage), !=, address);
  work_on (storage, last);
  c2g_storage_unref (storage);
  on_fake (fake_cuda_set_latency, 0);
}

/* The number at which the users are looked through is none of the test's business. */
static void
test_many_users (void)
{
  g_autoptr (C2gContext) last = new_context ();
  C2gContext *contexts[20];

  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    contexts[i] = new_context ();
  for (guint n = 1; n <= G_N_ELEMENTS (contexts); n++)
    check_users (contexts, n, last);
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    {
      finish (contexts[i]);
      g_object_unref (contexts[i]);
    }
  finish (last);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/caching-streams/recorded-use", test_recorded_use);
  add_clean_func ("/cuda/caching-streams/null-context", test_null_context);
  add_clean_func ("/cuda/caching-streams/stream-destroyed", test_stream_destroyed);
  add_clean_func ("/cuda/caching-streams/partly-done", test_partly_done);
  add_clean_func ("/cuda/caching-streams/neighbours", test_neighbours);
  add_clean_func ("/cuda/caching-streams/many-users", test_many_users);
  add_clean_func ("/cuda/caching-streams/many-threads", test_many_threads_one_after_another);
  add_clean_func ("/cuda/caching-streams/host-function", test_host_function);
  add_clean_func ("/cuda/caching-streams/host-function/last-reference",
                  test_last_reference_in_host_function);
  add_clean_func ("/cuda/caching-streams/host-function/foreign-memory",
                  test_foreign_memory_in_host_function);
  add_clean_func ("/cuda/caching-streams/foreign-stream", test_foreign_stream);
  add_clean_func ("/cuda/caching-streams/foreign-handle-reused", test_foreign_handle_reused);
  add_clean_func ("/cuda/caching-streams/default-streams", test_default_streams);
  add_clean_func ("/cuda/caching-streams/other-context", test_other_context);
  add_clean_func ("/cuda/caching-streams/capture", test_capture);

  return run_on_device ();
}
