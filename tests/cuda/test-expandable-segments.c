/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include <string.h>

/* The caching allocator with expandable segments, whose memory is mapped by the driver's functions. */

static C2gAllocator *
new_expandable (void)
{
  g_autoptr (GError) error = NULL;
  C2gAllocator *allocator = c2g_cuda_caching_allocator_new_expandable (first_device (), &error);

  if (!is_fake () && g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    {
      g_test_skip (error->message);
      return NULL;
    }
  g_assert_no_error (error);
  g_assert_true (c2g_cuda_caching_allocator_has_expandable_segments (
    C2G_CUDA_CACHING_ALLOCATOR (allocator)));

  return allocator;
}

/* Allocates and frees blocks of growing sizes, and returns the most memory that it takes. */
static guint64
grow_step_by_step (C2gAllocator *allocator,
                   C2gContext   *context)
{
  for (gsize n_bytes = 5 * MIB; n_bytes <= 40 * MIB; n_bytes += 5 * MIB)
    {
      C2gStorage *storage = allocate (allocator, n_bytes, context);

      work_on (storage, context);
      c2g_storage_unref (storage);
    }

  return get_number (allocator, "peak-bytes");
}

static void
test_growing (void)
{
  g_autoptr (C2gAllocator) allocator = new_expandable ();
  g_autoptr (C2gAllocator) plain = new_caching_allocator ();
  g_autoptr (C2gContext) context = new_context ();

  if (allocator == NULL)
    return;

  g_assert_cmpuint (grow_step_by_step (plain, context), >, 150 * MIB);
  g_assert_cmpuint (grow_step_by_step (allocator, context), <=, 44 * MIB);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  g_assert_false (c2g_cuda_caching_allocator_has_expandable_segments (
    C2G_CUDA_CACHING_ALLOCATOR (plain)));

  /* The next block begins where the last one did, and only the rest is mapped. */
  finish (context);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), >=, 40 * MIB);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
}

/* Small blocks have addresses of their own, and no block overlaps another one. */
static void
test_kinds (void)
{
  g_autoptr (C2gAllocator) allocator = new_expandable ();
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storages[40];

  if (allocator == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    {
      storages[i] = allocate (allocator, i % 2 == 0 ? 300000 : 2500000, context);
      work_on (storages[i], context);
    }
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    for (guint k = 0; k < i; k++)
      {
        guint64 first = c2g_storage_get_address (storages[i]);
        guint64 second = c2g_storage_get_address (storages[k]);

        g_assert_true (first + c2g_storage_get_n_bytes (storages[i]) <= second ||
                       second + c2g_storage_get_n_bytes (storages[k]) <= first);
      }
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[i]);
}

/* A free block between two others is unmapped, which makes two segments of one, and is mapped again. */
static void
test_gap (void)
{
  g_autoptr (C2gAllocator) allocator = new_expandable ();
  C2gStorage *storages[3];
  guint64 address, n_reserved;

  if (allocator == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    storages[i] = allocate (allocator, 40 * MIB, NULL);
  address = c2g_storage_get_address (storages[1]);
  n_reserved = get_number (allocator, "peak-bytes");
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  c2g_storage_unref (storages[1]);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, n_reserved - 80 * MIB);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 2);

  /* A part of the gap, its rest, and what is behind it. */
  storages[1] = allocate (allocator, 10 * MIB, NULL);
  g_assert_cmpuint (c2g_storage_get_address (storages[1]), ==, address);
  c2g_storage_unref (storages[1]);
  storages[1] = allocate (allocator, 40 * MIB, NULL);
  g_assert_cmpuint (c2g_storage_get_address (storages[1]), ==, address);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  c2g_storage_unref (storages[0]);
  c2g_storage_unref (storages[1]);
  storages[0] = allocate (allocator, 60 * MIB, NULL);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), <=, 40 * MIB);

  /* Only as much goes as is asked for. */
  c2g_storage_unref (storages[0]);
  n_reserved = get_number (allocator, "cached-bytes");
  g_assert_cmpuint (c2g_allocator_trim (allocator, n_reserved - 20 * MIB), <=, 40 * MIB);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), >=, n_reserved - 40 * MIB);
  c2g_storage_unref (storages[2]);
}

/* Another stream's free block does not grow while work on it is pending. */
static void
test_streams (void)
{
  g_autoptr (C2gAllocator) allocator = new_expandable ();
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();
  C2gStorage *storage;

  if (allocator == NULL)
    return;

  on_fake (fake_cuda_set_latency, 100);
  for (gsize n_bytes = 3 * MIB; n_bytes < 30 * MIB; n_bytes += 3 * MIB)
    {
      C2gContext *context = n_bytes / MIB % 2 == 0 ? first : second;

      storage = allocate (allocator, n_bytes, context);
      work_on (storage, context);
      c2g_storage_unref (storage);
    }
  on_fake (fake_cuda_set_latency, 0);
  finish (first);
  finish (second);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
}

/* Whatever call fails, nothing is left behind, and the next allocation works. */
static void
test_failures (void)
{
  static const char *const functions[] = { "cuMemAddressReserve", "cuMemGetAllocationGranularity",
                                           "cuMemCreate", "cuMemMap", "cuMemSetAccess" };

  if (!needs_fake ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (C2gAllocator) allocator = new_expandable ();
      g_autoptr (C2gStorage) storage = NULL;
      g_autoptr (GError) error = NULL;
      guint n = i < 2 ? 1 : 2;

      /* The second piece of two fails. */
      on_fake (fake_cuda_fail, functions[i], i == 4 ? 1 : n, cudaErrorNotSupported, FALSE);
      g_assert_null (c2g_allocator_allocate (allocator, 40 * MIB, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, functions[i]));
      on_fake (fake_cuda_clear_failures);
      g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 0);
      g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
      storage = allocate (allocator, 40 * MIB, NULL);
      g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
    }
}

/* If only some pieces of a block are unmapped, the others are free, and no block has a hole. */
static void
test_unmap_fails (void)
{
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gStorage) storage = NULL;

  if (!needs_fake ())
    return;

  allocator = new_expandable ();
  context = new_context ();
  c2g_storage_unref (allocate (allocator, 40 * MIB, NULL));
  on_fake (fake_cuda_fail, "cuMemUnmap", 2, cudaErrorNotSupported, FALSE);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 20 * MIB);
  on_fake (fake_cuda_clear_failures);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 20 * MIB);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 1);
  storage = allocate (allocator, 40 * MIB, context);
  work_on (storage, context);
  finish (context);
}

/* A block that could not grow is free again. */
static void
test_no_memory (void)
{
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  on_fake (fake_cuda_set_memory_limit, 0, 64 * MIB);
  allocator = new_expandable ();
  storage = allocate (allocator, 30 * MIB, NULL);
  c2g_storage_unref (allocate (allocator, 20 * MIB, NULL));
  g_assert_null (c2g_allocator_allocate (allocator, 40 * MIB, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_clear_error (&error);
  c2g_storage_unref (allocate (allocator, 34 * MIB, NULL));

  /* There is not enough of the reserved addresses, nor of the memory. */
  g_assert_null (c2g_allocator_allocate (allocator, 200 * MIB, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_clear_error (&error);
  c2g_cuda_caching_allocator_set_max_bytes (C2G_CUDA_CACHING_ALLOCATOR (allocator), 50 * MIB);
  g_assert_null (c2g_allocator_allocate (allocator, 21 * MIB, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  c2g_storage_unref (allocate (allocator, 20 * MIB, NULL));
  on_fake (fake_cuda_set_memory_limit, 0, (gsize) 4 << 30);
}

/* A device without such memory, or with larger pages. */
static void
test_granularity (void)
{
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  on_fake (fake_cuda_set_granularity, 0, 0);
  g_assert_null (c2g_cuda_caching_allocator_new_expandable (first_device (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "virtual memory management"));
  g_clear_error (&error);
  g_assert_null (c2g_cuda_caching_allocator_new_expandable (c2g_device_cpu (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);

  on_fake (fake_cuda_set_granularity, 0, 16 * MIB);
  allocator = new_expandable ();
  c2g_storage_unref (allocate (allocator, 40 * MIB, NULL));
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), ==, 48 * MIB);
  c2g_storage_unref (allocate (allocator, 100, NULL));
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 64 * MIB);
  on_fake (fake_cuda_set_granularity, 0, 2 * MIB);
}

static void
unref_storage (gpointer storage)
{
  c2g_storage_unref (storage);
}

/* The allocator itself is freed in a host function. */
static void
test_host_function (void)
{
  g_autoptr (C2gContext) context = new_context ();
  C2gAllocator *allocator = new_expandable ();
  C2gStorage *storage;

  if (allocator == NULL)
    return;

  storage = allocate (allocator, 5 * MIB, context);
  work_on (storage, context);
  g_object_unref (allocator);
  g_assert_cmpint (cudaLaunchHostFunc (stream_of (context), unref_storage, storage), ==,
                   cudaSuccess);
  finish (context);
  /* Runs the calls that were put off. */
  finish (context);
}

/* Other devices get access to what is mapped already, and to what is mapped later. */
static void
test_peers (void)
{
  unsigned int (*count_staged) (void) = dlsym (RTLD_DEFAULT, "fake_cuda_get_n_staged_copies");
  const gint64 dims[] = { 1000 };
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gTensor) there = NULL;
  C2gStorage *storages[3];
  guint n_staged;

  if (second_device () == NULL || (allocator = new_expandable ()) == NULL)
    return;

  there = c2g_tensor_new_for_device (second_device ());
  n_staged = count_staged != NULL ? count_staged () : 0;
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) far = NULL;

      storages[i] = allocate (allocator, 30 * MIB, NULL);
      far = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, dims, 1, storages[i], 0, &error);
      g_assert_no_error (error);
      c2g_tensor_fill (far, i + 0.5, &error);
      g_assert_no_error (error);
      c2g_tensor_copy_from (there, far, NULL, &error);
      g_assert_no_error (error);
      c2g_tensor_copy_from (far, there, NULL, &error);
      g_assert_no_error (error);
      /* The third is mapped where the first two were. */
      if (i == 1)
        {
          g_clear_object (&far);
          g_clear_pointer (&storages[0], c2g_storage_unref);
          g_clear_pointer (&storages[1], c2g_storage_unref);
          c2g_allocator_trim (allocator, 0);
        }
    }
  c2g_storage_unref (storages[2]);
  if (count_staged != NULL)
    g_assert_cmpuint (count_staged (), ==, n_staged);
}

static gsize
get_free_memory (void)
{
  size_t n_free = 0, n_total;

  g_assert_cmpint (cudaMemGetInfo (&n_free, &n_total), ==, cudaSuccess);

  return n_free;
}

/* The memory survives a reset, and is given back when its last block is. */
static void
test_reset (void)
{
  g_autoptr (C2gAllocator) allocator = NULL;
  C2gStorage *storage;
  gsize n_free;

  if (!needs_fake () || !may_reset ())
    return;

  allocator = new_expandable ();
  n_free = get_free_memory ();
  storage = allocate (allocator, 30 * MIB, NULL);
  c2g_storage_unref (allocate (allocator, 40 * MIB, NULL));
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_free_memory (), <, n_free);
  c2g_storage_unref (storage);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_free_memory (), ==, n_free);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 0);

  storage = allocate (allocator, 30 * MIB, NULL);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  c2g_storage_unref (storage);
  c2g_storage_unref (allocate (allocator, 10 * MIB, NULL));
  g_assert_cmpuint (get_free_memory (), ==, n_free - 10 * MIB);
}

/* A device that has failed keeps the memory until it is reset. */
static void
test_lost (void)
{
  C2gAllocator *allocator;
  C2gStorage *storage;
  gsize n_free;

  if (!needs_fake () || !may_reset ())
    return;

  allocator = new_expandable ();
  n_free = get_free_memory ();
  storage = allocate (allocator, 30 * MIB, NULL);
  on_fake (fake_cuda_lose_device, 0, cudaErrorIllegalAddress);
  c2g_storage_unref (storage);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 0);
  g_object_unref (allocator);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);

  /* The next allocation first unmaps the memory that could not be unmapped before. */
  allocator = new_expandable ();
  storage = allocate (allocator, 10 * MIB, NULL);
  g_assert_cmpuint (get_free_memory (), ==, n_free - 10 * MIB);
  c2g_storage_unref (storage);
  g_object_unref (allocator);
}

/* DLPack lends the memory as any other; CUDA cannot export it to a process. */
static void
test_interop (void)
{
  g_autoptr (C2gAllocator) allocator = new_expandable ();
  g_autoptr (GError) error = NULL;
  const gint64 dims[] = { 1000 };
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) back = NULL;
  guint64 managed;

  if (allocator == NULL)
    return;

  storage = allocate (allocator, 4000, NULL);
  far = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, dims, 1, storage, 0, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_cuda_find_device (c2g_storage_get_address (storage), &error) == first_device ());
  g_assert_no_error (error);
  managed = c2g_tensor_to_dlpack (far, 0, NULL, -1, &error);
  g_assert_no_error (error);
  back = c2g_tensor_new_from_dlpack (managed, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_address (back), ==, c2g_storage_get_address (storage));

  g_assert_null (c2g_cuda_ipc_export_new (storage, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "without expandable segments"));
}

static gpointer
use_memory (gpointer allocator)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  C2gStorage *storages[8] = { NULL };

  for (guint i = 0; i < 100; i++)
    {
      C2gStorage **storage = &storages[g_rand_int_range (rand, 0, G_N_ELEMENTS (storages))];

      g_clear_pointer (storage, c2g_storage_unref);
      *storage = allocate (allocator, (gsize) g_rand_int_range (rand, 1, 8 * (int) MIB), NULL);
      if (i % 16 == 0)
        c2g_allocator_trim (allocator, i % 32 * MIB);
    }
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    g_clear_pointer (&storages[i], c2g_storage_unref);

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gAllocator) allocator = new_expandable ();
  GThread *threads[4];

  if (allocator == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("use", use_memory, allocator);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_cmpuint (get_number (allocator, "n-allocated"), ==, 0);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "n-segments"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/expandable-segments/growing", test_growing);
  add_clean_func ("/cuda/expandable-segments/kinds", test_kinds);
  add_clean_func ("/cuda/expandable-segments/gap", test_gap);
  add_clean_func ("/cuda/expandable-segments/streams", test_streams);
  add_clean_func ("/cuda/expandable-segments/failures", test_failures);
  add_clean_func ("/cuda/expandable-segments/unmap-fails", test_unmap_fails);
  add_clean_func ("/cuda/expandable-segments/no-memory", test_no_memory);
  add_clean_func ("/cuda/expandable-segments/granularity", test_granularity);
  add_clean_func ("/cuda/expandable-segments/host-function", test_host_function);
  add_clean_func ("/cuda/expandable-segments/peers", test_peers);
  add_clean_func ("/cuda/expandable-segments/reset", test_reset);
  add_clean_func ("/cuda/expandable-segments/lost", test_lost);
  add_clean_func ("/cuda/expandable-segments/interop", test_interop);
  add_clean_func ("/cuda/expandable-segments/threads", test_threads);

  return run_on_device ();
}
