/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include <inttypes.h>

/* Cases from RMM's tests of asynchronous memory resources, and the driver's statistics. */

static C2gAllocator *
new_allocator (guint64 max_bytes)
{
  g_autoptr (GError) error = NULL;
  C2gAllocator *allocator =
    c2g_cuda_async_allocator_new_with_limit (first_device (), max_bytes, &error);

  g_assert_no_error (error);

  return allocator;
}

static void
count_notify (GObject    *object,
              GParamSpec *pspec,
              gpointer    n)
{
  (*(guint *) n)++;
}

/* RMM async: ExplicitReleaseThreshold */
static void
test_release_threshold (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator (G_MAXUINT64);
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  g_autoptr (GError) error = NULL;
  guint n_notifies = 0;

  g_signal_connect (allocator, "notify::release-threshold", G_CALLBACK (count_notify), &n_notifies);
  g_assert_cmpuint (get_number (allocator, "release-threshold"), ==, G_MAXUINT64);
  g_object_set (allocator, "release-threshold", 3 * MIB, NULL);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_release_threshold (self), ==, 3 * MIB);
  g_assert_true (c2g_cuda_async_allocator_set_release_threshold (self, 5 * MIB, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (get_number (allocator, "release-threshold"), ==, 5 * MIB);
  g_assert_cmpuint (n_notifies, ==, 2);
}

/* RMM async: DifferentPoolsUnequal: pools do not share cached memory. */
static void
test_different_pools (void)
{
  g_autoptr (C2gAllocator) first = new_allocator (G_MAXUINT64);
  g_autoptr (C2gAllocator) second = new_allocator (G_MAXUINT64);

  c2g_storage_unref (allocate (first, 5 * MIB, NULL));
  g_assert_cmpuint (get_number (first, "reserved-bytes"), >=, 5 * MIB);
  g_assert_cmpuint (get_number (second, "reserved-bytes"), ==, 0);
}

static void
assert_over_limit (C2gAllocator *allocator,
                   gsize         n_bytes)
{
  g_autofree char *asked = g_strdup_printf ("Could not allocate %zu bytes", n_bytes);
  g_autofree char *limit =
    g_strdup_printf ("the limit is %" PRIu64 " bytes, of which %" PRIu64 " are reserved",
                     get_number (allocator, "max-bytes"), get_number (allocator, "reserved-bytes"));
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (allocator, n_bytes, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, asked));
  g_assert_nonnull (strstr (error->message, limit));
}

/* RMM limiting: TooBig, OverLimit. Here the driver enforces the limit. */
static void
test_limit (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator (64 * MIB);
  g_autoptr (C2gStorage) storage = allocate (allocator, 40 * MIB, NULL);

  g_assert_cmpuint (get_number (allocator, "max-bytes"), ==, 64 * MIB);
  assert_over_limit (allocator, 100 * MIB);
  assert_over_limit (allocator, 40 * MIB);
  g_clear_pointer (&storage, c2g_storage_unref);
  storage = allocate (allocator, 60 * MIB, NULL);
}

/* RMM statistics: AllFreed, PeakAllocations */
static void
test_statistics (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  guint64 cached = c2g_memory_reporter_get_cached_bytes (reporter, first_device ());
  g_autoptr (C2gAllocator) allocator = new_allocator (G_MAXUINT64);
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storage = allocate (allocator, 5 * MIB, context);

  g_assert_cmpuint (get_number (allocator, "used-bytes"), >=, 5 * MIB);
  c2g_storage_unref (storage);
  finish (context);
  g_assert_cmpuint (get_number (allocator, "used-bytes"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "peak-used-bytes"), >=, 5 * MIB);
  g_assert_cmpuint (get_number (allocator, "reserved-bytes"), >=, 5 * MIB);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, first_device ()), >=,
                    cached + 5 * MIB);

  g_assert_cmpuint (c2g_allocator_trim (allocator, G_MAXSIZE), ==, 0);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), >=, 5 * MIB);
  g_assert_cmpuint (get_number (allocator, "reserved-bytes"), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, first_device ()), ==, cached);
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), >=, 5 * MIB);
  c2g_cuda_async_allocator_reset_peaks (C2G_CUDA_ASYNC_ALLOCATOR (allocator));
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), ==, 0);
}

/* A block that another stream uses is not given out before that use is done. */
static void
test_recorded_use (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator (G_MAXUINT64);
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();

  for (guint i = 0; i < 20; i++)
    {
      C2gStorage *storage = allocate (allocator, 3000 + 1000 * (i % 3), i % 2 == 0 ? first : NULL);

      c2g_cuda_stream_wait (c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (second)),
                            c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (first)), NULL);
      work_on (storage, second);
      c2g_storage_record_use (storage, second);
      c2g_storage_unref (storage);
    }
}

static void
unref_storage (gpointer storage)
{
  c2g_storage_unref (storage);
}

/* The last reference goes in a host function, where CUDA permits no call, not even a query about
 * the users of the block. */
static void
test_host_function (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator (G_MAXUINT64);
  g_autoptr (C2gContext) first = new_context ();
  g_autoptr (C2gContext) second = new_context ();

  for (guint i = 0; i < 4; i++)
    {
      C2gStorage *storage = allocate (allocator, 5000, first);

      c2g_cuda_stream_wait (c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (second)),
                            c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (first)), NULL);
      work_on (storage, second);
      c2g_storage_record_use (storage, second);
      g_assert_cmpint (cudaLaunchHostFunc (stream_of (first), unref_storage, storage), ==,
                       cudaSuccess);
      finish (first);
    }
}

static void
test_not_made (void)
{
  g_autoptr (C2gAllocator) allocator = g_object_new (C2G_CUDA_TYPE_ASYNC_ALLOCATOR, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (allocator, 1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_object_set (allocator, "release-threshold", MIB, NULL);
  c2g_cuda_async_allocator_reset_peaks (C2G_CUDA_ASYNC_ALLOCATOR (allocator));
  g_assert_cmpuint (get_number (allocator, "used-bytes"), ==, 0);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 0);
}

/* Getter functions return the values of the properties. */
static void
test_getters (void)
{
  g_autoptr (C2gAllocator) allocator = new_allocator (64 * MIB);
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storage = allocate (allocator, 5 * MIB, context);

  g_assert_cmpuint (c2g_cuda_async_allocator_get_max_bytes (self), ==, 64 * MIB);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_used_bytes (self), >=, 5 * MIB);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_reserved_bytes (self), >=,
                    c2g_cuda_async_allocator_get_used_bytes (self));
  c2g_storage_unref (storage);
  finish (context);

  g_assert_cmpuint (c2g_cuda_async_allocator_get_used_bytes (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_peak_used_bytes (self), >=, 5 * MIB);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_peak_bytes (self), >=, 5 * MIB);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_reserved_bytes (self), ==, 0);
  c2g_cuda_async_allocator_reset_peaks (self);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_peak_used_bytes (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_async_allocator_get_peak_bytes (self), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/async-allocator/rmm/release-threshold", test_release_threshold);
  add_clean_func ("/cuda/async-allocator/rmm/different-pools", test_different_pools);
  add_clean_func ("/cuda/async-allocator/rmm/limit", test_limit);
  add_clean_func ("/cuda/async-allocator/rmm/statistics", test_statistics);
  add_clean_func ("/cuda/async-allocator/recorded-use", test_recorded_use);
  add_clean_func ("/cuda/async-allocator/host-function", test_host_function);
  add_clean_func ("/cuda/async-allocator/not-made", test_not_made);
  add_clean_func ("/cuda/async-allocator/getters", test_getters);

  return run_on_device ();
}
