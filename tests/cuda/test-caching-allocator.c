/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* The steps of CUB's test_allocator, rows of Caffe2's context_gpu_test and of RMM's tests of
 * pools, statistics and limits, and what the allocator promises beyond. */

static C2gAllocator *
new_allocator (void)
{
  g_autoptr (GError) error = NULL;
  C2gAllocator *allocator = c2g_cuda_caching_allocator_new (first_device (), &error);

  g_assert_no_error (error);
  g_assert_true (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator));
  g_assert_true (c2g_allocator_get_device (allocator) == first_device ());

  return allocator;
}

static void
assert_blocks (C2gAllocator *allocator,
               guint64       n_allocated,
               guint64       allocated_bytes)
{
  g_assert_cmpuint (get_number (allocator, "n-allocated"), ==, n_allocated);
  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), ==, allocated_bytes);
}

/* Steps 1 and 2: a block that goes back is kept, and is there for its own stream at once,
 * while work on it is still to be done. */
static void
test_cub_same_stream (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storage = allocate (allocator, 999, context);
  guint64 address = c2g_storage_get_address (storage);
  guint n_calls;

  assert_blocks (allocator, 1, 1024);
  on_fake (fake_cuda_set_latency, 100);
  work_on (storage, context);

  n_calls = count_calls (NULL);
  c2g_storage_unref (storage);
  assert_blocks (allocator, 0, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 2 * MIB);

  storage = allocate (allocator, 999, context);
  g_assert_cmpuint (count_calls (NULL), ==, n_calls);
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, address);
  assert_blocks (allocator, 1, 1024);
  work_on (storage, context);
  c2g_storage_unref (storage);
  on_fake (fake_cuda_set_latency, 0);
}

/* Step 3: another stream does not get it while there is work to do. */
static void
test_cub_other_stream (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  C2gStorage *storage = allocate (allocator, 3 * MIB, first);
  guint64 address = c2g_storage_get_address (storage);

  on_fake (fake_cuda_set_latency, 100);
  work_on (storage, first);
  c2g_storage_unref (storage);

  if (is_fake ())
    {
      storage = allocate (allocator, 3 * MIB, second);
      g_assert_cmpuint (c2g_storage_get_address (storage), !=, address);
      g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);
      work_on (storage, second);
      c2g_storage_unref (storage);
    }
  on_fake (fake_cuda_set_latency, 0);
}

/* Step 4: when the work is done, it does. */
static void
test_cub_after_sync (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  C2gStorage *storage = allocate (allocator, 3 * MIB, first);
  guint64 address = c2g_storage_get_address (storage);

  work_on (storage, first);
  c2g_storage_unref (storage);
  finish (first);

  storage = allocate (allocator, 3 * MIB, second);
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, address);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  work_on (storage, second);
  c2g_storage_unref (storage);
}

/* Step 5: everything that is kept goes back. */
static void
test_cub_free_all (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  C2gStorage *storages[] = {
    allocate (allocator, 999, first),
    allocate (allocator, 5 * MIB, second),
    allocate (allocator, 7 * MIB, NULL),
  };

  work_on (storages[0], first);
  work_on (storages[1], second);
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[i]);

  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 3);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 16 * MIB);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "n-cached"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 0);
}

/* Step 6: sizes are rounded up to the smallest of the first bin, and little beyond. */
static void
test_cub_rounding (void)
{
  static const gsize sizes[] = {
    1,
    255,
    256,
    257,
    999,
    4096,
    4097,
    65536,
    100000,
    MIB - 1,
    MIB,
    MIB + 1,
    17 * MIB + 5,
    64 * MIB,
  };
  g_autoptr (C2gAllocator) allocator = new_allocator ();

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (C2gStorage) storage = allocate (allocator, sizes[i], NULL);
      guint64 allocated = get_number (allocator, "allocated-bytes");

      g_assert_cmpuint (c2g_storage_get_address (storage) % 256, ==, 0);
      g_assert_cmpuint (get_number (allocator, "requested-bytes"), ==, sizes[i]);
      g_assert_cmpuint (allocated, >=, sizes[i]);
      g_assert_cmpuint (allocated, <=, MAX (sizes[i] + sizes[i] / 8, sizes[i] + 255));
    }
}

/* Steps 7 and 8: what is larger than anything that was kept, and the size that was. */
static void
test_cub_largest (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();

  c2g_storage_unref (allocate (allocator, 32 * MIB + 1, NULL));
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 34 * MIB);
  c2g_storage_unref (allocate (allocator, 34 * MIB + 1, NULL));
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);
  c2g_storage_unref (allocate (allocator, 33 * MIB, NULL));
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);

  /* The one that was not used for longer goes first. */
  g_assert_cmpuint (c2g_allocator_trim (allocator, 40 * MIB), ==, 36 * MIB);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 34 * MIB);
}

/* Step 9, and RMM's MultidevicePool: every device has memory of its own. */
static void
test_cub_devices (void)
{
  g_autoptr (C2gAllocator) near = new_allocator ();
  g_autoptr (C2gAllocator) far = NULL;
  g_autoptr (C2gContext) context = NULL;
  C2gDevice *second = second_device ();
  g_autoptr (GError) error = NULL;
  C2gStorage *storage;
  int current = -1;

  if (second == NULL)
    return;

  far = c2g_cuda_caching_allocator_new (second, &error);
  g_assert_no_error (error);
  context = c2g_cuda_context_new (second, &error);
  g_assert_no_error (error);

  storage = allocate (far, 768, context);
  g_assert_true (c2g_storage_get_device (storage) == second);
  assert_blocks (near, 0, 0);
  assert_blocks (far, 1, 768);
  work_on (storage, context);
  c2g_storage_unref (storage);
  g_assert_cmpuint (get_number (near, "cached-bytes"), ==, 0);
  g_assert_cmpuint (get_number (far, "cached-bytes"), ==, 2 * MIB);

  /* A context of another device is none. */
  c2g_storage_unref (allocate (near, 768, context));

  g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
  g_assert_cmpint (current, ==, 0);
}

/* context_gpu_test: TestAllocDealloc */
static void
test_alloc_dealloc (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gStorage) storage = allocate (allocator, 10 * sizeof (float), context);
  static const float values[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  float read[10] = { 0 };

  g_assert_cmpint (cudaMemcpyAsync (address_of (storage), values, sizeof values,
                                    cudaMemcpyHostToDevice, stream_of (context)),
                   ==, cudaSuccess);
  g_assert_cmpint (cudaMemcpyAsync (read, address_of (storage), sizeof read,
                                    cudaMemcpyDeviceToHost, stream_of (context)),
                   ==, cudaSuccess);
  finish (context);
  g_assert_cmpmem (values, sizeof values, read, sizeof read);
}

/* context_gpu_test: MemoryPoolAllocateDealloc */
static void
test_pool_allocate_dealloc (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *first = allocate (allocator, MIB, context);
  guint64 address = c2g_storage_get_address (first);
  C2gStorage *larger;

  c2g_storage_unref (first);
  first = allocate (allocator, MIB, context);
  g_assert_cmpuint (c2g_storage_get_address (first), ==, address);
  larger = allocate (allocator, 2 * MIB, context);
  g_assert_cmpuint (c2g_storage_get_address (larger), !=, address);
  c2g_storage_unref (larger);
  c2g_storage_unref (first);
}

/* A block that another stream uses is not given out before that is done, to nobody. */
static void
test_recorded_use (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
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
}

/* A block of no context is used at once, wherever; its users are waited for. */
static void
test_null_context (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
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

/* Nobody but the blocks, and what is free for it alone, needs a stream. */
static void
test_stream_destroyed (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
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

/* New threads with streams of their own do not add up. */
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
  g_autoptr (C2gAllocator) allocator = new_allocator ();

  for (guint i = 0; i < 50; i++)
    g_thread_join (g_thread_new ("user", use_new_context, allocator));

  g_assert_cmpuint (get_number (allocator, "n-segments"), <=, 2);
}

static void
unref_storage (gpointer storage)
{
  c2g_storage_unref (storage);
}

/* The last reference goes in a host function, where CUDA permits nothing. */
static void
test_host_function (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
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

/* The allocator itself goes in one. */
static void
test_last_reference_in_host_function (void)
{
  g_autoptr (C2gContext) context = new_context ();
  C2gAllocator *allocator = new_allocator ();
  C2gStorage *storage = allocate (allocator, 5000, context);

  work_on (storage, context);
  g_object_unref (allocator);
  g_assert_cmpint (cudaLaunchHostFunc (stream_of (context), unref_storage, storage), ==,
                   cudaSuccess);
  finish (context);
  /* Does what was put off. */
  finish (context);
}

static void
set_true (gpointer data)
{
  g_atomic_int_set ((int *) data, TRUE);
}

/* Memory of somebody else: it goes back when the stream can be waited for. */
static void
test_foreign_memory_in_host_function (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
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

/* A foreign stream's blocks are its own at once; others wait for events that were recorded
 * when they went back. */
static void
test_foreign_stream (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gCudaStream) stream = NULL;
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gContext) other = new_context ();
  g_autoptr (GError) error = NULL;
  C2gStorage *storage;
  cudaStream_t handle;
  guint64 address;

  g_assert_cmpint (cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking), ==, cudaSuccess);
  stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, &error);
  g_assert_no_error (error);
  context = c2g_cuda_context_new_for_stream (stream);

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

  /* Nothing looks at it from here. */
  g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
  storage = allocate (allocator, 3 * MIB, other);
  work_on (storage, other);
  c2g_storage_unref (storage);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
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

/* CUDA gives the handle of a stream that was destroyed to another one: that is no reason to
 * give it the blocks that the first is still working on. */
static void
test_foreign_handle_reused (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
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

/* A stream of a context that is not the device's primary one takes none of c2g's events, and
 * waiting for the device is not waiting for it. */
static void
test_other_context (void)
{
  C2gAllocator *allocators[] = {
    new_allocator (),
    c2g_cuda_async_allocator_new (first_device (), NULL),
  };
  cudaStream_t handle;
  g_autoptr (C2gContext) apart = NULL;
  g_autoptr (C2gContext) context = new_context ();

  apart = new_foreign_context (&handle);
  on_fake (fake_cuda_set_apart, handle);
  on_fake (fake_cuda_set_latency, 100);
  for (guint i = 0; i < G_N_ELEMENTS (allocators); i++)
    {
      C2gStorage *storage = allocate (allocators[i], 3 * MIB, context);

      finish (context);
      work_on (storage, apart);
      c2g_storage_record_use (storage, apart);
      c2g_storage_unref (storage);
      storage = allocate (allocators[i], 3 * MIB, context);
      work_on (storage, context);
      c2g_storage_unref (storage);
      assert_no_faults ();
      g_object_unref (allocators[i]);
    }
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
  g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
}

/* While a graph is captured CUDA forbids to ask how far work is: a block that another stream
 * uses is no more free for that, and the capture goes on. */
static void
test_capture (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  g_autoptr (C2gContext) third = new_context ();
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  C2gStorage *storage = allocate (allocator, 3 * MIB, first);
  cudaStream_t captured;
  cudaGraph_t graph;

  on_fake (fake_cuda_set_latency, 100);
  work_on (storage, second);
  g_assert_true (c2g_context_record (second, event, NULL));
  c2g_storage_record_use (storage, second);
  c2g_storage_unref (storage);

  g_assert_cmpint (cudaStreamCreateWithFlags (&captured, cudaStreamNonBlocking), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamBeginCapture (captured, cudaStreamCaptureModeGlobal), ==, cudaSuccess);
  storage = allocate (allocator, 3 * MIB, third);
  work_on (storage, third);
  g_assert_cmpint (c2g_event_query (event), !=, C2G_EVENT_FAILED);
  c2g_storage_unref (storage);
  c2g_allocator_trim (allocator, 0);
  g_assert_true (c2g_event_finish (event, NULL));
  g_assert_cmpint (cudaStreamEndCapture (captured, &graph), ==, cudaSuccess);

  on_fake (fake_cuda_set_latency, 0);
  g_assert_cmpint (cudaGraphDestroy (graph), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamDestroy (captured), ==, cudaSuccess);
}

/* Blocks that lie side by side are one again. */
static void
test_join (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storages[64];

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    storages[i] = allocate (allocator, 32 << 10, context);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[(i * 37) % 64]);
  g_assert_cmpuint (get_number (allocator, "n-cached"), ==, 64);

  c2g_storage_unref (allocate (allocator, MIB, context));
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  g_assert_cmpuint (get_number (allocator, "n-cached"), ==, 2);
}

/* RMM statistics: Empty, AllFreed, PeakAllocations */
static void
test_statistics (void)
{
  static const char *const names[] = {
    "requested-bytes",
    "allocated-bytes",
    "active-bytes",
    "cached-bytes",
    "peak-allocated-bytes",
    "peak-bytes",
    "n-allocated",
    "n-active",
    "n-cached",
    "n-segments",
    "n-retries",
    "n-ooms",
  };
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  C2gStorage *storages[9];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpuint (get_number (allocator, names[i]), ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    storages[i] = allocate (allocator, 1000, NULL);
  g_assert_cmpuint (get_number (allocator, "requested-bytes"), ==, 9000);
  assert_blocks (allocator, 9, 9 * 1024);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 2 * MIB - 9 * 1024);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, first_device ()), ==,
                    2 * MIB - 9 * 1024);

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[i]);
  assert_blocks (allocator, 0, 0);
  g_assert_cmpuint (get_number (allocator, "peak-allocated-bytes"), ==, 9 * 1024);
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), ==, 2 * MIB);

  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, first_device ()), ==, 0);
  c2g_cuda_caching_allocator_reset_peaks (C2G_CUDA_CACHING_ALLOCATOR (allocator));
  g_assert_cmpuint (get_number (allocator, "peak-allocated-bytes"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), ==, 0);
}

/* What no constructor made, and devices that are none, say so. */
static void
test_not_made (void)
{
  g_autoptr (C2gAllocator) allocator = g_object_new (C2G_CUDA_TYPE_CACHING_ALLOCATOR, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (allocator, 1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
  g_clear_error (&error);

  g_assert_null (c2g_cuda_caching_allocator_new (c2g_device_cpu (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_null (c2g_cuda_caching_allocator_new (c2g_device_new (C2G_DEVICE_TYPE_CUDA, 900, NULL),
                                                 &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

/* What properties tell, functions tell too. */
static void
test_getters (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  C2gCudaCachingAllocator *self = C2G_CUDA_CACHING_ALLOCATOR (allocator);
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();
  C2gStorage *storage = allocate (allocator, 999, context);
  C2gStorage *shared = allocate (allocator, 500, context);

  g_assert_cmpuint (c2g_cuda_caching_allocator_get_requested_bytes (self), ==, 999 + 500);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_allocated_bytes (self), ==, 1024 + 512);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_active_bytes (self), ==, 1024 + 512);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_cached_bytes (self), ==, 2 * MIB - 1536);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_allocated (self), ==, 2);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_active (self), ==, 2);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_cached (self), ==, 1);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_segments (self), ==, 1);

  /* Another stream is still at work on it. */
  on_fake (fake_cuda_set_latency, 100);
  work_on (shared, other);
  c2g_storage_record_use (shared, other);
  c2g_storage_unref (shared);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_allocated (self), ==, 1);
  if (is_fake ())
    {
      g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_active (self), ==, 2);
      g_assert_cmpuint (c2g_cuda_caching_allocator_get_active_bytes (self), ==, 1024 + 512);
    }
  on_fake (fake_cuda_set_latency, 0);
  c2g_storage_unref (storage);
  finish (other);

  g_assert_cmpuint (c2g_cuda_caching_allocator_get_requested_bytes (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_peak_allocated_bytes (self), ==, 1024 + 512);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_peak_bytes (self), ==, 2 * MIB);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_active (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_cached (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_segments (self), ==, 0);
}

static void
count_notify (GObject    *object,
              GParamSpec *pspec,
              gpointer    n)
{
  (*(guint *) n)++;
}

static void
test_limit_functions (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator ();
  C2gCudaCachingAllocator *self = C2G_CUDA_CACHING_ALLOCATOR (allocator);
  g_autoptr (GError) error = NULL;
  guint n_notifies = 0;

  g_signal_connect (allocator, "notify", G_CALLBACK (count_notify), &n_notifies);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_max_bytes (self), ==, G_MAXUINT64);
  g_assert_cmpfloat (c2g_cuda_caching_allocator_get_max_fraction (self), ==, 1.0);

  c2g_cuda_caching_allocator_set_max_bytes (self, 4 * MIB);
  c2g_cuda_caching_allocator_set_max_bytes (self, 4 * MIB);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_max_bytes (self), ==, 4 * MIB);
  g_assert_cmpuint (n_notifies, ==, 1);
  g_assert_null (c2g_allocator_allocate (allocator, 5 * MIB, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_ooms (self), ==, 1);
  /* Nothing was kept that could be given back. */
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_retries (self), ==,
                    get_number (allocator, "n-retries"));
  g_clear_error (&error);

  c2g_cuda_caching_allocator_set_max_bytes (self, G_MAXUINT64);
  c2g_cuda_caching_allocator_set_max_fraction (self, 0.0);
  c2g_cuda_caching_allocator_set_max_fraction (self, 0.0);
  g_assert_cmpfloat (c2g_cuda_caching_allocator_get_max_fraction (self), ==, 0.0);
  g_assert_cmpuint (n_notifies, ==, 3);
  g_assert_null (c2g_allocator_allocate (allocator, 1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_n_ooms (self), ==, 2);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/caching-allocator/cub/same-stream", test_cub_same_stream);
  add_clean_func ("/cuda/caching-allocator/cub/other-stream", test_cub_other_stream);
  add_clean_func ("/cuda/caching-allocator/cub/after-sync", test_cub_after_sync);
  add_clean_func ("/cuda/caching-allocator/cub/free-all", test_cub_free_all);
  add_clean_func ("/cuda/caching-allocator/cub/rounding", test_cub_rounding);
  add_clean_func ("/cuda/caching-allocator/cub/largest", test_cub_largest);
  add_clean_func ("/cuda/caching-allocator/cub/devices", test_cub_devices);
  add_clean_func ("/cuda/caching-allocator/context-gpu/alloc-dealloc", test_alloc_dealloc);
  add_clean_func ("/cuda/caching-allocator/context-gpu/pool-allocate-dealloc",
                  test_pool_allocate_dealloc);
  add_clean_func ("/cuda/caching-allocator/recorded-use", test_recorded_use);
  add_clean_func ("/cuda/caching-allocator/null-context", test_null_context);
  add_clean_func ("/cuda/caching-allocator/stream-destroyed", test_stream_destroyed);
  add_clean_func ("/cuda/caching-allocator/many-threads", test_many_threads_one_after_another);
  add_clean_func ("/cuda/caching-allocator/host-function", test_host_function);
  add_clean_func ("/cuda/caching-allocator/host-function/last-reference",
                  test_last_reference_in_host_function);
  add_clean_func ("/cuda/caching-allocator/host-function/foreign-memory",
                  test_foreign_memory_in_host_function);
  add_clean_func ("/cuda/caching-allocator/foreign-stream", test_foreign_stream);
  add_clean_func ("/cuda/caching-allocator/foreign-handle-reused", test_foreign_handle_reused);
  add_clean_func ("/cuda/caching-allocator/other-context", test_other_context);
  add_clean_func ("/cuda/caching-allocator/capture", test_capture);
  add_clean_func ("/cuda/caching-allocator/join", test_join);
  add_clean_func ("/cuda/caching-allocator/rmm/statistics", test_statistics);
  add_clean_func ("/cuda/caching-allocator/not-made", test_not_made);
  add_clean_func ("/cuda/caching-allocator/getters", test_getters);
  add_clean_func ("/cuda/caching-allocator/limit-functions", test_limit_functions);

  return run_on_device ();
}
