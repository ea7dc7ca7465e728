/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* Pinned host memory, which GPUs access by themselves. */

static enum cudaMemoryType
get_type (gconstpointer address)
{
  struct cudaPointerAttributes attributes;

  g_assert_cmpint (cudaPointerGetAttributes (&attributes, address), ==, cudaSuccess);

  return attributes.type;
}

static void
copy_far (C2gStorage *near,
          C2gStorage *far,
          C2gContext *context)
{
  g_assert_cmpint (cudaMemcpyAsync (address_of (far), address_of (near),
                                    c2g_storage_get_n_bytes (near), cudaMemcpyHostToDevice,
                                    stream_of (context)),
                   ==, cudaSuccess);
  c2g_storage_record_use (near, context);
}

/* ACCEPTANCE U4: host memory is pinned only where a program asks for it. */
static void
test_explicit (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gStorage) pinned = allocate (allocator, 1000, NULL);
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gStorage) usual = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_storage_get_device (pinned) == c2g_device_cpu ());
  g_assert_cmpint (get_type (address_of (pinned)), ==, cudaMemoryTypeHost);

  usual = c2g_storage_new (c2g_device_cpu (), 1000, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (get_type (address_of (usual)), ==, cudaMemoryTypeUnregistered);
}

/* A block that a stream still reads is not given out, and nobody waits for it. */
static void
test_recorded_use (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gAllocator) far_allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gStorage) far = allocate (far_allocator, 3 * MIB, context);
  C2gStorage *near = allocate (allocator, 3 * MIB, NULL);
  gpointer address = address_of (near);
  guint8 first = 0;

  memset (address, 1, 3 * MIB);
  on_fake (fake_cuda_set_latency, 100);
  copy_far (near, far, context);
  c2g_storage_unref (near);
  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "active-bytes"), >=, 3 * MIB);

  if (is_fake ())
    {
      near = allocate (allocator, 3 * MIB, NULL);
      g_assert_true (address_of (near) != address);
      memset (address_of (near), 2, 3 * MIB);
      c2g_storage_unref (near);
    }
  on_fake (fake_cuda_set_latency, 0);

  finish (context);
  g_assert_cmpint (cudaMemcpy (&first, address_of (far), 1, cudaMemcpyDeviceToHost), ==,
                   cudaSuccess);
  g_assert_cmpuint (first, ==, 1);

  /* Both blocks are free now. */
  c2g_storage_unref (allocate (allocator, 6 * MIB, NULL));
  g_assert_cmpuint (get_number (allocator, "active-bytes"), ==, 0);
}

static void
note_release (gpointer data)
{
  *(gboolean *) data = TRUE;
}

/* A storage over a part of a block does not know the allocator. Its owner gets it back when the
 * stream has read it. */
static void
check_lent (gboolean is_unknown)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gAllocator) far_allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gStorage) far = allocate (far_allocator, 1000, context);
  g_autoptr (C2gStorage) block = allocate (allocator, 2000, NULL);
  guint8 *address = address_of (block);
  gboolean is_released = FALSE;
  C2gStorage *near =
    c2g_storage_new_external (c2g_device_cpu (), address + 500, 1000, TRUE, note_release, &is_released);
  guint8 last = 0;

  memset (address, 1, 2000);
  on_fake (fake_cuda_set_latency, 100);
  if (is_unknown)
    on_fake (fake_cuda_fail, "cudaPointerGetAttributes", 1, cudaErrorMapBufferObjectFailed, 0);
  copy_far (near, far, context);
  c2g_storage_unref (near);
  g_assert_true (is_released);
  memset (address, 2, 2000);
  on_fake (fake_cuda_set_latency, 0);

  finish (context);
  g_assert_cmpint (cudaMemcpy (&last, (guint8 *) address_of (far) + 999, 1, cudaMemcpyDeviceToHost), ==, cudaSuccess);
  g_assert_cmpuint (last, ==, 1);
}

static void
test_lent (void)
{
  check_lent (FALSE);
}

/* Memory counts as pinned if CUDA cannot tell. The failure is not left to later calls. */
static void
test_lent_unknown (void)
{
  if (!needs_fake ())
    return;

  check_lent (TRUE);
  g_assert_cmpint (cudaPeekAtLastError (), ==, cudaSuccess);
}

/* The context that a block was requested in counts as a user. */
static void
test_context (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storage = allocate (allocator, 3 * MIB, context);

  c2g_storage_unref (storage);
  g_assert_cmpuint (get_number (allocator, "active-bytes"), >=, 3 * MIB);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "active-bytes"), ==, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
}

static void
test_statistics (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  C2gStorage *storage = allocate (allocator, 1000, NULL);

  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), ==, 1024);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 2 * MIB - 1024);
  c2g_storage_unref (storage);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, c2g_device_cpu ()), ==,
                    2 * MIB);
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), ==, 2 * MIB);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 2 * MIB), ==, 0);
  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, 2 * MIB);
  c2g_cuda_pinned_allocator_reset_peak (C2G_CUDA_PINNED_ALLOCATOR (allocator));
  g_assert_cmpuint (get_number (allocator, "peak-bytes"), ==, 0);
}

/* Blocks are filled with zeros if the settings say so, like other host memory. */
static void
test_zero_fill (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  C2gStorage *storage = allocate (allocator, 1000, NULL);

  memset (address_of (storage), 1, 1000);
  c2g_storage_unref (storage);
  c2g_settings_set_zero_fill (settings, TRUE);
  storage = allocate (allocator, 1000, NULL);
  c2g_settings_set_zero_fill (settings, FALSE);
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpuint (((guint8 *) address_of (storage))[i], ==, 0);
  c2g_storage_unref (storage);
}

/* Getter functions return the values of the properties. */
static void
test_getters (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  C2gCudaPinnedAllocator *self = C2G_CUDA_PINNED_ALLOCATOR (allocator);
  C2gStorage *storage = allocate (allocator, 999, NULL);
  g_autoptr (GError) error = NULL;
  guint64 peak;

  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_max_bytes (self), ==, G_MAXUINT64);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_allocated_bytes (self), ==, 1024);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_active_bytes (self), ==, 1024);
  peak = c2g_cuda_pinned_allocator_get_peak_bytes (self);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_cached_bytes (self), ==, peak - 1024);
  c2g_storage_unref (storage);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_allocated_bytes (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_active_bytes (self), ==, 0);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_cached_bytes (self), ==, peak);

  g_assert_cmpuint (c2g_allocator_trim (allocator, 0), ==, peak);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_peak_bytes (self), ==, peak);
  c2g_cuda_pinned_allocator_reset_peak (self);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_peak_bytes (self), ==, 0);

  c2g_cuda_pinned_allocator_set_max_bytes (self, 100);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_max_bytes (self), ==, 100);
  g_assert_null (c2g_allocator_allocate (allocator, 1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

/* The processor reads what a device writes into pinned memory, after that is done. */
static void
test_read_by_host (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gStorage) storage = allocate (allocator, 4000, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) far = new_far (first_device (), 1000, context);
  g_autoptr (C2gTensor) read = NULL;

  near = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1000), storage, 0, &error);
  g_assert_no_error (error);
  memset (address_of (storage), 0xff, 4000);
  on_fake (fake_cuda_set_latency, 100);
  g_assert_true (c2g_context_copy (context, far, near, &error));
  read = c2g_tensor_clone (near, NULL, &error);
  on_fake (fake_cuda_set_latency, 0);
  g_assert_no_error (error);
  assert_far (read, 0);
}

/* A reset that nobody else notices. The next block must be of the new epoch. */
static void
test_reset (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();

  if (!may_reset ())
    return;

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (C2gStorage) storage = allocate (allocator, 5000, NULL);

      memset (address_of (storage), 1, 5000);
      g_clear_pointer (&storage, c2g_storage_unref);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }
  assert_no_faults ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/pinned-allocator/explicit", test_explicit);
  add_clean_func ("/cuda/pinned-allocator/recorded-use", test_recorded_use);
  add_clean_func ("/cuda/pinned-allocator/lent", test_lent);
  add_clean_func ("/cuda/pinned-allocator/lent-unknown", test_lent_unknown);
  add_clean_func ("/cuda/pinned-allocator/context", test_context);
  add_clean_func ("/cuda/pinned-allocator/statistics", test_statistics);
  add_clean_func ("/cuda/pinned-allocator/zero-fill", test_zero_fill);
  add_clean_func ("/cuda/pinned-allocator/getters", test_getters);
  add_clean_func ("/cuda/pinned-allocator/read-by-host", test_read_by_host);
  c2g_test_add_func ("/cuda/pinned-allocator/reset", test_reset);

  return run_on_device ();
}
