/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"
#include "tests/cuda/nets-utils.h"

/* Programs such as GStreamer make contexts of their own by cuCtxCreate(). c2g works in the primary
 * context even while another one is current, and leaves that one current. */

/* Large enough to be copied through pinned memory. */
#define N_ELEMENTS (1 << 18)

static CUcontext
current_context (void)
{
  CUcontext context;

  g_assert_cmpint (call_driver (cuCtxGetCurrent, &context), ==, CUDA_SUCCESS);
  return context;
}

/* Everything that belonged to the context is gone then. */
static void
destroy (CUcontext context)
{
  g_assert_true (current_context () == context);
  g_assert_cmpint (call_driver (cuCtxDestroy, context), ==, CUDA_SUCCESS);
}

static void
record (C2gContext *context)
{
  g_autoptr (C2gContext) other = c2g_context_for_device (c2g_context_get_device (context), NULL);
  g_autoptr (C2gEvent) event = c2g_event_new (c2g_context_get_device (context));
  g_autoptr (GError) error = NULL;

  c2g_context_record (context, event, &error);
  g_assert_no_error (error);
  c2g_context_wait (other, event, &error);
  g_assert_no_error (error);
  c2g_event_finish (event, &error);
  g_assert_no_error (error);
}

static void
fill (C2gTensor  *tensor,
      double      value,
      C2gContext *context)
{
  g_autoptr (GError) error = NULL;

  c2g_context_fill (context, tensor, value, &error);
  g_assert_no_error (error);
}

/* Tensors that were made while another context was current outlive that context. */
static void
check_use (C2gDevice *device,
           int        foreign_device)
{
  CUcontext foreign = new_driver_context (foreign_device);
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) near = NULL, far = NULL, other = NULL;
  g_autoptr (GError) error = NULL;

  if (foreign == NULL)
    return;

  context = c2g_context_for_device (device, &error);
  g_assert_no_error (error);
  far = new_far (device, N_ELEMENTS, context);
  other = c2g_tensor_new_for_device (device);
  c2g_tensor_copy_from (other, far, context, &error);
  g_assert_no_error (error);
  record (context);
  assert_far (other, 0);
  fill (far, 3, context);
  destroy (foreign);

  assert_far (other, 0);
  fill (other, 4, context);
  record (context);
  near = c2g_tensor_to_device (other, c2g_device_cpu (), &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (near, N_ELEMENTS - 1, NULL), ==, 4);
}

static void
test_use (void)
{
  check_use (first_device (), 0);
}

static void
test_use_of_second (void)
{
  C2gDevice *second = second_device ();

  if (second == NULL)
    return;

  check_use (second, 0);
  check_use (second, 1);
  check_use (first_device (), 1);
}

/* The thread had no context before. */
static void
test_thread (void)
{
  g_thread_join (g_thread_new ("foreign", (GThreadFunc) test_use, NULL));
}

static void
check_allocator (C2gAllocator *allocator)
{
  g_autoptr (C2gContext) context = new_context ();
  CUcontext foreign = new_driver_context (0);
  C2gStorage *storage;

  if (foreign == NULL)
    return;

  storage = allocate (allocator, 3 * MIB, NULL);
  c2g_storage_unref (allocate (allocator, 3 * MIB, context));
  destroy (foreign);

  if (c2g_allocator_get_device (allocator) == first_device ())
    work_on (storage, context);
  else
    memset (address_of (storage), 1, 3 * MIB);
  c2g_storage_record_use (storage, context);
  c2g_storage_unref (storage);
  finish (context);
  c2g_allocator_trim (allocator, 0);
}

static void
test_allocators (void)
{
  g_autoptr (C2gAllocator) caching = new_caching_allocator ();
  g_autoptr (C2gAllocator) async = c2g_cuda_async_allocator_new (first_device (), NULL);
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();

  check_allocator (caching);
  check_allocator (async);
  check_allocator (pinned);
}

/* cuBLAS makes its handles in the current context, too. */
static void
test_nets (void)
{
  static const NetsCase cases[] = {
    { "X", "type: 'Relu'" },
    { "M M2", "type: 'MatMul'" },
  };
  CUcontext foreign = new_driver_context (0);

  if (foreign == NULL)
    return;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    nets_check_case (&cases[i], "simple");
  destroy (foreign);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    nets_check_case (&cases[i], "dag");
}

/* Asking which context is current is all that a call costs in a thread that uses c2g alone. */
static void
test_cost (void)
{
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new (first_device (), NULL);
  guint n_calls;

  c2g_cuda_stream_query (stream);
  n_calls = count_calls ("cuCtxGetCurrent");
  on_fake (fake_cuda_clear_n_calls);
  c2g_cuda_stream_query (stream);
  if (n_calls > 0)
    g_assert_cmpuint (count_calls ("cuCtxGetCurrent"), ==, 1);
  g_assert_cmpuint (count_calls ("cudaGetDevice"), ==, 0);
  g_assert_cmpuint (count_calls ("cuCtxPushCurrent"), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/foreign-contexts/use", test_use);
  add_clean_func ("/cuda/foreign-contexts/second-device", test_use_of_second);
  add_clean_func ("/cuda/foreign-contexts/thread", test_thread);
  add_clean_func ("/cuda/foreign-contexts/allocators", test_allocators);
  add_clean_func ("/cuda/foreign-contexts/nets", test_nets);
  add_clean_func ("/cuda/foreign-contexts/cost", test_cost);

  return run_on_device ();
}
