/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* A program that uses only the second device makes no context on the first one, though that is the
 * current device of its threads. */

#define N_ELEMENTS (1 << 18)

static guint
count_contexts (int device)
{
  unsigned int (*get_n_contexts) (int) = dlsym (RTLD_DEFAULT, "fake_cuda_get_n_contexts");

  return get_n_contexts != NULL ? get_n_contexts (device) : 0;
}

static void
assert_current (void)
{
  int current = -1;

  g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
  g_assert_cmpint (current, ==, 0);
}

/* Large enough to be copied through pinned memory. */
static void
use_tensors (C2gDevice  *device,
             C2gContext *context)
{
  g_autoptr (C2gTensor) far = new_far (device, N_ELEMENTS, context);
  g_autoptr (C2gTensor) other = c2g_tensor_new_for_device (device);
  g_autoptr (GError) error = NULL;

  if (context != NULL)
    finish (context);
  assert_far (far, 0);
  c2g_tensor_copy_from (other, far, context, &error);
  g_assert_no_error (error);
  if (context != NULL)
    c2g_context_fill (context, other, 7, &error);
  g_assert_no_error (error);
}

static void
use_events (C2gDevice  *device,
            C2gContext *context)
{
  g_autoptr (C2gContext) other = c2g_context_for_device (device, NULL);
  g_autoptr (C2gEvent) event = c2g_event_new (device);
  g_autoptr (C2gCudaEvent) own = c2g_cuda_event_new (device, NULL);
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (other));
  g_autoptr (GError) error = NULL;

  c2g_context_record (context, event, &error);
  g_assert_no_error (error);
  c2g_event_query (event);
  c2g_context_wait (other, event, &error);
  g_assert_no_error (error);
  c2g_event_finish (event, &error);
  g_assert_no_error (error);
  c2g_cuda_event_record (own, stream, &error);
  g_assert_no_error (error);
  c2g_cuda_event_query (own);
  c2g_cuda_event_finish (own, &error);
  g_assert_no_error (error);
}

static void
use_allocator (C2gAllocator *allocator,
               C2gContext   *context)
{
  g_autoptr (C2gContext) other = c2g_context_for_device (c2g_context_get_device (context), NULL);

  for (guint i = 0; i < 2; i++)
    {
      C2gStorage *storage = allocate (allocator, 5 * MIB, context);

      c2g_storage_record_use (storage, other);
      c2g_storage_unref (storage);
    }

  c2g_allocator_trim (allocator, 0);
  g_object_unref (allocator);
}

static void
use_all (C2gDevice *device)
{
  g_autoptr (C2gContext) context = c2g_context_for_device (device, NULL);

  use_tensors (device, context);
  use_tensors (device, NULL);
  use_events (device, context);
  use_allocator (c2g_cuda_async_allocator_new (device, NULL), context);
  use_allocator (c2g_cuda_caching_allocator_new (device, NULL), context);
  use_allocator (c2g_cuda_pinned_allocator_new (), context);
}

static void
test_context (void)
{
  C2gDevice *device = second_device ();

  if (device == NULL)
    return;

  use_all (device);
  assert_current ();
  if (is_fake ())
    {
      g_assert_cmpuint (count_contexts (0), ==, 0);
      g_assert_cmpuint (count_contexts (1), ==, 1);
    }
}

/* The runtime does not give the driver's functions. */
static void
test_without_driver (void)
{
  C2gDevice *device = needs_fake () ? second_device () : NULL;

  if (device == NULL)
    return;
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }

  on_fake (fake_cuda_fail, "cudaGetDriverEntryPoint", 1, cudaErrorNotSupported, TRUE);
  on_fake (fake_cuda_fail, "cudaGetDriverEntryPointByVersion", 1, cudaErrorNotSupported, TRUE);
  use_all (device);
  assert_current ();
  assert_no_faults ();
  g_assert_cmpuint (count_contexts (0), ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/one-device/context", test_context);
  c2g_test_add_func ("/cuda/one-device/without-driver", test_without_driver);

  return run_on_device ();
}
