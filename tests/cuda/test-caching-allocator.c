/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include <string.h>

/* The steps of CUB's test_allocator, cases from Caffe2's context_gpu_test and from RMM's tests of
 * pools, statistics and limits, and further promises of the allocator. */

static void
assert_blocks (C2gAllocator *allocator,
               guint64       n_allocated,
               guint64       allocated_bytes)
{
  g_assert_cmpuint (get_number (allocator, "n-allocated"), ==, n_allocated);
  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), ==, allocated_bytes);
}

/* Steps 1 and 2: a freed block is cached, and its own stream can have it again at once, while work
 * on it is pending. */
static void
test_cub_same_stream (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

/* Step 3: another stream does not get it while work is pending. */
static void
test_cub_other_stream (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

/* Step 4: another stream gets it when the work is done. */
static void
test_cub_after_sync (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

/* Step 5: all cached memory is freed. */
static void
test_cub_free_all (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

/* Step 6: small sizes are rounded up to the smallest bin, larger ones only a little. */
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
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();

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

/* Steps 7 and 8: a block larger than any cached one, and then one that fits a cached one. */
static void
test_cub_largest (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();

  c2g_storage_unref (allocate (allocator, 32 * MIB + 1, NULL));
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 34 * MIB);
  c2g_storage_unref (allocate (allocator, 34 * MIB + 1, NULL));
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);
  c2g_storage_unref (allocate (allocator, 33 * MIB, NULL));
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);

  /* The block that was unused for longer goes first. */
  g_assert_cmpuint (c2g_allocator_trim (allocator, 40 * MIB), ==, 36 * MIB);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 34 * MIB);
}

/* Step 9, and RMM's MultidevicePool: every device has memory of its own. */
static void
test_cub_devices (void)
{
  g_autoptr (C2gAllocator) near = new_caching_allocator ();
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

  /* A context of another device counts as none. */
  c2g_storage_unref (allocate (near, 768, context));

  g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
  g_assert_cmpint (current, ==, 0);
}

/* context_gpu_test: TestAllocDealloc */
static void
test_alloc_dealloc (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

/* Free neighbours are joined again. */
static void
test_join (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

/* An allocator that no constructor function made reports an error, and so do wrong devices. */
static void
test_not_made (void)
{
  g_autoptr (C2gAllocator) allocator = g_object_new (C2G_CUDA_TYPE_CACHING_ALLOCATOR, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (allocator, 1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "“c2g_cuda_caching_allocator_new”"));
  g_assert_nonnull (strstr (error->message, "“c2g_cuda_caching_allocator_new_managed”"));
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

/* Getter functions return the values of the properties. */
static void
test_getters (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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

  /* Another stream still works on the block. */
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
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
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
  /* There is no cached memory that could be freed. */
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

/* Managed memory is kept like other memory, and there can be more of it than the device has. */
static void
test_managed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gAllocator) plain = new_caching_allocator ();
  g_autoptr (C2gAllocator) managed =
    c2g_cuda_caching_allocator_new_managed (first_device (), &error);
  C2gStorage *storage;
  guint64 address;

  g_assert_no_error (error);
  on_fake (fake_cuda_set_memory_limit, 0, 0);
  if (is_fake ())
    g_assert_null (c2g_allocator_allocate (plain, 8 * MIB, NULL, NULL));
  storage = allocate (managed, 8 * MIB, context);
  address = c2g_storage_get_address (storage);
  work_on (storage, context);
  finish (context);
  g_assert_true (c2g_cuda_find_device (address, &error) == first_device ());
  g_assert_no_error (error);
  c2g_storage_unref (storage);
  storage = allocate (managed, 8 * MIB, context);
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, address);
  c2g_storage_unref (storage);
  c2g_allocator_trim (managed, 0);
  on_fake (fake_cuda_set_memory_limit, 0, G_MAXSIZE / 2);

  on_fake (fake_cuda_fail, "cudaMallocManaged", 1, cudaErrorNotSupported, FALSE);
  if (is_fake ())
    {
      g_assert_null (c2g_allocator_allocate (managed, 8 * MIB, context, &error));
      g_assert_nonnull (strstr (error->message, "cudaMallocManaged"));
    }
}

/* A history keeps the newest events; without one nothing is recorded. */
static void
test_history (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  C2gCudaCachingAllocator *self = C2G_CUDA_CACHING_ALLOCATOR (allocator);
  g_autoptr (GError) error = NULL;

  c2g_storage_unref (allocate (allocator, 1000, NULL));
  g_assert_cmpuint (count_in_snapshot (allocator, "free_completed"), ==, 0);
  c2g_cuda_caching_allocator_set_history_max_entries (self, 100);
  g_assert_cmpuint (c2g_cuda_caching_allocator_get_history_max_entries (self), ==, 100);
  for (guint i = 0; i < 30; i++)
    c2g_storage_unref (allocate (allocator, 1000, NULL));
  g_assert_cmpuint (count_in_snapshot (allocator, "free_requested"), ==, 30);
  for (guint i = 0; i < 30; i++)
    c2g_storage_unref (allocate (allocator, 1000, NULL));
  /* The history keeps the newest 100 of 182 events: two snapshots, and 32 or 33 of each action. */
  g_assert_cmpuint (count_in_snapshot (allocator, "free_completed"), ==, 33);

  c2g_cuda_caching_allocator_set_history_max_entries (self, 200);
  g_assert_null (c2g_allocator_allocate (allocator, G_MAXSIZE / 4 * 3, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpuint (count_in_snapshot (allocator, "free_completed"), ==, 33);
  g_assert_cmpuint (count_in_snapshot (allocator, "device_free"), ==, 1);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (count_in_snapshot (allocator, "segment_free"), ==, 1);
  c2g_cuda_caching_allocator_set_history_max_entries (self, 0);
  g_assert_cmpuint (count_in_snapshot (allocator, "snapshot"), ==, 0);
}

static gpointer
allocate_much (gpointer allocator)
{
  for (guint i = 0; i < 200; i++)
    c2g_storage_unref (allocate (allocator, 1000 * (i % 7 + 1), NULL));

  return NULL;
}

/* Threads allocate while the history is read, and gets another length. */
static void
test_history_threads (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  C2gCudaCachingAllocator *self = C2G_CUDA_CACHING_ALLOCATOR (allocator);
  GThread *threads[4];

  c2g_cuda_caching_allocator_set_history_max_entries (self, 100);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("allocate", allocate_much, allocator);
  for (guint i = 0; i < 20; i++)
    {
      g_assert_cmpuint (count_in_snapshot (allocator, "snapshot"), >=, 1);
      c2g_cuda_caching_allocator_set_history_max_entries (self, i % 2 == 0 ? 50 : 10000);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  c2g_cuda_caching_allocator_set_history_max_entries (self, 0);
  c2g_cuda_caching_allocator_set_history_max_entries (self, 10000);
  allocate_much (allocator);
  g_assert_cmpuint (count_in_snapshot (allocator, "free_completed"), ==, 200);
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
  add_clean_func ("/cuda/caching-allocator/join", test_join);
  add_clean_func ("/cuda/caching-allocator/rmm/statistics", test_statistics);
  add_clean_func ("/cuda/caching-allocator/not-made", test_not_made);
  add_clean_func ("/cuda/caching-allocator/getters", test_getters);
  add_clean_func ("/cuda/caching-allocator/limit-functions", test_limit_functions);
  add_clean_func ("/cuda/caching-allocator/managed", test_managed);
  add_clean_func ("/cuda/caching-allocator/history", test_history);
  add_clean_func ("/cuda/caching-allocator/history/threads", test_history_threads);

  return run_on_device ();
}
