/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/cuda-utils.h"

/* Cases from Caffe2's context_gpu_test and event_gpu_test, and further promises of contexts. */

#define N 4099

static C2gContext *
new_context (C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gContext *context = c2g_context_for_device (device, &error);

  g_assert_no_error (error);
  g_assert_true (C2G_CUDA_IS_CONTEXT (context));
  g_assert_true (c2g_context_get_device (context) == device);

  return context;
}

/* context_gpu_test: HasCudaRuntime */
static void
test_has_runtime (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), &error);
  g_auto (GStrv) details = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (c2g_device_count (C2G_DEVICE_TYPE_CUDA), >=, 1);
  g_assert_true (c2g_device_info_get_device (info) == first_device ());
  g_assert_cmpstr (c2g_device_info_get_name (info), !=, "");
  g_assert_cmpuint (c2g_device_info_get_free_bytes (info), >, 0);
  g_assert_cmpuint (c2g_device_info_get_free_bytes (info), <=,
                    c2g_device_info_get_total_bytes (info));

  details = c2g_device_info_list_details (info);
  g_assert_true (g_strv_contains ((const char *const *) details, "compute-capability"));
  g_assert_nonnull (c2g_device_info_get_detail (info, "driver"));
  g_assert_null (c2g_device_info_get_detail (info, "taste"));
}

/* context_gpu_test: Set/GetDevice: c2g does not change the caller's current device. */
static void
test_current_device (void)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  int current = -1;

  if (second == NULL)
    return;

  cudaSetDevice (0);
  context = new_context (second);
  tensor = new_far (second, N, context);
  g_assert_true (c2g_context_fill (context, tensor, 7.0, NULL));
  g_assert_true (c2g_context_finish (context, NULL));
  g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
  g_assert_cmpint (current, ==, 0);

  cudaSetDevice (1);
  g_clear_object (&tensor);
  g_clear_object (&context);
  context = new_context (first_device ());
  g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
  g_assert_cmpint (current, ==, 1);
  cudaSetDevice (0);
}

/* context_gpu_test: one context keeps its stream; another context has another stream, even in the
 * same thread. */
static void
test_streams (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gContext) other = new_context (first_device ());
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (context));
  g_autoptr (C2gContext) same = c2g_cuda_context_new_for_stream (stream);

  g_assert_cmpuint (c2g_cuda_stream_get_handle (stream), !=, 0);
  g_assert_false (c2g_cuda_stream_is_foreign (stream));
  g_assert_true (c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (same)) == stream);
  g_assert_cmpuint (c2g_cuda_stream_get_handle (
                        c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (other))),
                    !=, c2g_cuda_stream_get_handle (stream));
}

static gpointer
use_context (gpointer context)
{
  g_autoptr (C2gTensor) far = new_far (first_device (), N, context);
  g_autoptr (C2gTensor) copy = c2g_tensor_clone (far, context, NULL);

  g_assert_true (c2g_context_finish (context, NULL));
  assert_far (copy, 0);

  return NULL;
}

/* U2: no state is made per thread, so an ended thread leaves nothing behind. */
static void
test_threads (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  guint n_left;

  use_context (context);
  g_assert_true (c2g_context_finish (context, NULL));
  n_left = count_left ();
  for (int i = 0; i < 16; i++)
    g_thread_join (g_thread_new ("user", use_context, context));
  g_assert_true (c2g_context_finish (context, NULL));
  g_assert_cmpuint (count_left (), <=, n_left + 1);
}

static void
test_copies (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gTensor) far = new_far (first_device (), N, context);
  g_autoptr (C2gTensor) other = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) near = c2g_tensor_new ();
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (other, far, context, &error);
  g_assert_no_error (error);
  c2g_tensor_copy_from (near, other, context, &error);
  g_assert_no_error (error);
  c2g_context_finish (context, &error);
  g_assert_no_error (error);
  assert_far (near, 0);
}

/* The host copies after the work of the stream, which may still write to pinned memory. */
static void
test_host_copy (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT, NULL);
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gTensor) far = new_far (first_device (), N, context);
  g_autofree float *near = g_new0 (float, N);
  g_autoptr (GError) error = NULL;
  gpointer pinned;

  g_assert_cmpint (cudaMallocHost (&pinned, N * sizeof (float)), ==, cudaSuccess);
  on_fake (fake_cuda_set_latency, 100);
  c2g_context_copy_items (context, meta, N, first_device (), c2g_tensor_raw_data (far, NULL),
                          c2g_device_cpu (), pinned, &error);
  g_assert_no_error (error);
  c2g_context_copy_items (context, meta, N, c2g_device_cpu (), pinned, c2g_device_cpu (), near,
                          &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_set_latency, 1);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (near[i], ==, i);
  g_assert_cmpint (cudaFreeHost (pinned), ==, cudaSuccess);
}

/* Overlapping copies give the same result as a copy through other memory. */
static void
test_overlap (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (GError) error = NULL;

  for (int shift = -3; shift <= 3; shift += 2)
    {
      g_autoptr (C2gTensor) far = new_far (first_device (), N, context);
      g_autoptr (C2gTensor) from = c2g_tensor_slice (far, MAX (shift, 0), N + MIN (shift, 0), NULL);
      g_autoptr (C2gTensor) to = c2g_tensor_slice (far, MAX (-shift, 0), N - MAX (shift, 0), NULL);

      c2g_context_copy (context, from, to, &error);
      g_assert_no_error (error);
      c2g_context_finish (context, &error);
      g_assert_no_error (error);
      assert_far (to, MAX (shift, 0));
    }
}

static void
test_between_devices (void)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) other = NULL;
  g_autoptr (GError) error = NULL;

  if (second == NULL)
    return;

  context = new_context (first_device ());
  far = new_far (first_device (), N, context);
  other = c2g_tensor_new_for_device (second);
  c2g_tensor_copy_from (other, far, context, &error);
  g_assert_no_error (error);
  c2g_context_finish (context, &error);
  g_assert_no_error (error);
  assert_far (other, 0);

  g_clear_object (&far);
  far = c2g_tensor_to_device (other, first_device (), &error);
  g_assert_no_error (error);
  assert_far (far, 0);
}

/* A context copies between its own device and the host only. */
static void
test_other_device (void)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) copy = NULL;
  g_autoptr (GError) error = NULL;

  if (second == NULL)
    return;

  context = new_context (first_device ());
  far = new_far (second, N, NULL);
  copy = c2g_tensor_clone (far, context, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cuda:1"));
  g_assert_null (copy);
  assert_far (far, 0);
}

/* event_test: EventBasics: INITIALIZED, SCHEDULED, SUCCESS */
static void
test_event (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_INITIALIZED);
  far = new_far (first_device (), N, context);
  on_fake (fake_cuda_set_latency, 3);
  c2g_context_fill (context, far, 5.0, &error);
  g_assert_no_error (error);
  c2g_context_record (context, event, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_event_is_scheduled (event));
  if (is_fake ())
    g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);
  c2g_event_finish (event, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);

  c2g_event_reset (event);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_INITIALIZED);
  on_fake (fake_cuda_set_latency, 0);
}

/* event_gpu_test: EventBasics between the CPU and a GPU: each context waits for its own events and
 * the other's. */
static void
test_event_with_cpu (void)
{
  g_autoptr (C2gContext) near = c2g_context_for_device (c2g_device_cpu (), NULL);
  g_autoptr (C2gContext) far = new_context (first_device ());
  g_autoptr (C2gEvent) near_event = c2g_event_new (c2g_device_cpu ());
  g_autoptr (C2gEvent) far_event = c2g_event_new (first_device ());
  C2gContext *const contexts[] = { near, far };
  C2gEvent *const events[] = { near_event, far_event };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    {
      c2g_context_record (contexts[i], events[i], &error);
      g_assert_no_error (error);
      c2g_event_finish (events[i], &error);
      g_assert_no_error (error);
      for (guint k = 0; k < G_N_ELEMENTS (events); k++)
        {
          c2g_context_wait (contexts[k], events[i], &error);
          g_assert_no_error (error);
        }
    }

  c2g_context_finish (far, &error);
  g_assert_no_error (error);
}

/* context_gpu_test: MemoryPoolAllocateDealloc: a freed block is used for the next request of its
 * size, but not for one of another size. */
static void
test_memory_pool (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gStorage) larger = NULL;
  g_autoptr (C2gStorage) again = NULL;
  g_autoptr (GError) error = NULL;
  C2gStorage *storage = c2g_allocator_allocate (allocator, 1000, context, &error);
  guint64 address;

  g_assert_no_error (error);
  address = c2g_storage_get_address (storage);
  g_assert_cmpuint (address, !=, 0);
  larger = c2g_allocator_allocate (allocator, 2000, context, NULL);
  g_assert_cmpuint (c2g_storage_get_address (larger), !=, address);
  c2g_storage_unref (storage);
  again = c2g_allocator_allocate (allocator, 1000, context, NULL);
  g_assert_cmpuint (c2g_storage_get_address (again), ==, address);
}

/* event_gpu_test: work of one context waits for that of another one, also on another device. The
 * fake runtime reports a missing wait. */
static void
check_wait (C2gDevice *device)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gContext) other = new_context (device);
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  g_autoptr (C2gTensor) far = new_far (first_device (), N, context);
  g_autoptr (C2gTensor) copy = c2g_tensor_new_for_device (device);
  g_autoptr (GError) error = NULL;

  c2g_context_record (context, event, &error);
  g_assert_no_error (error);
  c2g_context_wait (other, event, &error);
  g_assert_no_error (error);
  c2g_tensor_copy_from (copy, far, other, &error);
  g_assert_no_error (error);
  c2g_context_finish (other, &error);
  g_assert_no_error (error);
  assert_far (copy, 0);
}

static void
test_wait (void)
{
  check_wait (first_device ());
}

static void
test_wait_between_devices (void)
{
  if (second_device () != NULL)
    check_wait (second_device ());
}

/* Tensors may be freed while work on them is pending, on any stream. */
static void
test_drop_early (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gContext) other = new_context (first_device ());
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  C2gTensor *far = new_far (first_device (), N, context);
  g_autoptr (C2gTensor) copy = c2g_tensor_new_for_device (first_device ());
  g_autoptr (GError) error = NULL;

  c2g_context_record (context, event, &error);
  c2g_context_wait (other, event, &error);
  c2g_tensor_copy_from (copy, far, other, &error);
  g_assert_no_error (error);
  g_object_unref (far);

  /* The work of the block's next user must come after the copy. */
  far = new_far (first_device (), N, context);
  c2g_context_fill (context, far, -1.0, &error);
  g_assert_no_error (error);
  c2g_context_finish (other, &error);
  g_assert_no_error (error);
  assert_far (copy, 0);
  c2g_context_finish (context, NULL);
  g_object_unref (far);
}

static void
test_fill (void)
{
  static const C2gDataType types[] = {
    C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_UINT8,
    C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_BFLOAT16
  };
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gTensor) far = c2g_tensor_new_sized (C2G_TEST_DIMS (3, 7), first_device (),
                                                         &error);
      g_autoptr (C2gTensor) near = NULL;

      c2g_tensor_allocate (far, types[i], &error);
      g_assert_no_error (error);
      c2g_context_fill (context, far, 1.0, &error);
      g_assert_no_error (error);
      c2g_context_finish (context, &error);
      g_assert_no_error (error);
      near = c2g_tensor_to_device (far, c2g_device_cpu (), &error);
      g_assert_no_error (error);
      for (gsize k = 0; k < 21; k++)
        g_assert_cmpfloat (c2g_tensor_get_value (near, k, NULL), ==, 1.0);
    }
}

/* A seed always gives the same numbers, and each call continues the sequence. */
static void
test_random (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gTensor) first = new_far (first_device (), N, NULL);
  g_autoptr (C2gTensor) second = new_far (first_device (), N, NULL);
  g_autoptr (C2gTensor) again = new_far (first_device (), N, NULL);
  g_autoptr (GBytes) first_bytes = NULL;
  g_autoptr (GBytes) second_bytes = NULL;
  g_autoptr (GBytes) again_bytes = NULL;
  g_autoptr (GError) error = NULL;

  c2g_context_seed (context, 42);
  c2g_context_fill_uniform (context, first, -1.0, 1.0, &error);
  g_assert_no_error (error);
  c2g_context_fill_uniform (context, second, -1.0, 1.0, &error);
  g_assert_no_error (error);
  c2g_context_seed (context, 42);
  c2g_context_fill_uniform (context, again, -1.0, 1.0, &error);
  g_assert_no_error (error);
  c2g_context_finish (context, &error);
  g_assert_no_error (error);

  first_bytes = c2g_tensor_dup_bytes (first, &error);
  second_bytes = c2g_tensor_dup_bytes (second, &error);
  again_bytes = c2g_tensor_dup_bytes (again, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (first_bytes, again_bytes));
  g_assert_false (g_bytes_equal (first_bytes, second_bytes));

  c2g_context_fill_uniform (context, first, 1.0, -1.0, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

#define N_MARKS 1100

static void
unref_events (gpointer events)
{
  g_ptr_array_unref (events);
}

/* More events than the pool keeps are freed in a host function, where CUDA permits no call to
 * destroy them. */
static void
test_many_events (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (context));
  GPtrArray *events = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_MARKS; i++)
    {
      C2gEvent *event = c2g_event_new (first_device ());

      c2g_context_record (context, event, &error);
      g_assert_no_error (error);
      g_ptr_array_add (events, event);
    }
  g_assert_cmpint (cudaLaunchHostFunc ((cudaStream_t) (guintptr) c2g_cuda_stream_get_handle (stream),
                                       unref_events, events),
                   ==, cudaSuccess);
  c2g_context_finish (context, &error);
  g_assert_no_error (error);
  /* Runs the calls that were put off. */
  c2g_context_finish (context, &error);
  g_assert_no_error (error);
}

/* A stream of another library is used but not destroyed. */
static void
test_foreign_stream (void)
{
  cudaStream_t handle;
  C2gCudaStream *stream;
  C2gContext *context;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking), ==, cudaSuccess);
  stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_cuda_stream_is_foreign (stream));
  context = c2g_cuda_context_new_for_stream (stream);
  {
    g_autoptr (C2gTensor) far = new_far (first_device (), N, context);

    assert_far (far, 0);
  }
  g_object_unref (context);
  g_object_unref (stream);
  g_assert_cmpint (cudaStreamSynchronize (handle), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);

  g_assert_null (c2g_cuda_stream_new_from_handle (first_device (), 2, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  g_assert_null (c2g_cuda_stream_new_from_handle (c2g_device_cpu (), 5, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

/* An invalid stream, or one of another device, is refused before there is work on it. */
static void
test_refused_stream (void)
{
  g_autoptr (GError) error = NULL;
  C2gDevice *second;
  cudaStream_t handle;

  if (!needs_fake ())
    return;

  g_assert_cmpint (cudaStreamCreate (&handle), ==, cudaSuccess);
  second = second_device ();
  if (second != NULL)
    {
      g_assert_null (c2g_cuda_stream_new_from_handle (second, (guint64) (guintptr) handle, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
    }

  g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
  g_assert_null (
    c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  on_fake (fake_cuda_clear_faults);
}

/* Streams made by properties are refused too, but without an error: their calls fail. */
static void
test_refused_properties (void)
{
  const struct
  {
    C2gDevice *device;
    guint64    handle;
  } cases[] = { { c2g_device_cpu (), 0 }, { first_device (), 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gCudaStream) stream = g_object_new (C2G_CUDA_TYPE_STREAM,
                                                       "device", cases[i].device,
                                                       "handle", cases[i].handle,
                                                       NULL);
      g_autoptr (C2gContext) context = c2g_cuda_context_new_for_stream (stream);
      g_autoptr (C2gEvent) event = c2g_event_new (cases[i].device);
      g_autoptr (C2gTensor) far = new_far (first_device (), 4, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_cuda_stream_finish (stream, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "new_from_handle"));
      g_clear_error (&error);
      g_assert_cmpint (c2g_cuda_stream_query (stream), ==, C2G_EVENT_FAILED);
      g_assert_false (c2g_context_record (context, event, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_clear_error (&error);
      g_assert_false (c2g_context_fill (context, far, 7.0, &error));
      g_assert_nonnull (error);
      assert_far (far, 0);
    }
}

static void
test_cuda_events (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new (first_device (), &error);
  g_autoptr (C2gCudaEvent) start = c2g_cuda_event_new_with_timing (first_device (), &error);
  g_autoptr (C2gCudaEvent) end = c2g_cuda_event_new_with_timing (first_device (), &error);
  g_autoptr (C2gCudaEvent) plain = c2g_cuda_event_new (first_device (), &error);
  g_autoptr (C2gCudaEvent) foreign = NULL;
  double elapsed = -1.0;

  g_assert_no_error (error);
  g_assert_true (c2g_cuda_event_record (start, stream, &error));
  g_assert_true (c2g_cuda_event_record (end, stream, &error));
  g_assert_true (c2g_cuda_event_finish (end, &error));
  g_assert_cmpint (c2g_cuda_event_query (start), ==, C2G_EVENT_SUCCESS);
  g_assert_cmpint (c2g_cuda_stream_query (stream), ==, C2G_EVENT_SUCCESS);
  g_assert_true (c2g_cuda_event_get_elapsed (end, start, &elapsed, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (elapsed, >=, 0.0);

  g_assert_true (c2g_cuda_event_record (plain, stream, &error));
  g_assert_false (c2g_cuda_event_get_elapsed (plain, start, &elapsed, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);

  foreign = c2g_cuda_event_new_from_handle (first_device (), c2g_cuda_event_get_handle (plain),
                                            &error);
  g_assert_true (c2g_cuda_event_is_foreign (foreign));
  g_assert_true (c2g_cuda_event_wait (foreign, stream, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_cuda_stream_finish (stream, &error));
}

/* A wait between streams uses a pooled event. One that could not be recorded is destroyed. */
static void
test_kept_events (void)
{
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new (first_device (), NULL);
  g_autoptr (C2gCudaStream) other = c2g_cuda_stream_new (first_device (), NULL);
  g_autoptr (GError) error = NULL;
  guint n_left, n_destroyed;

  if (!needs_fake ())
    return;

  g_assert_true (c2g_cuda_stream_wait (stream, other, NULL));
  n_left = count_left ();
  n_destroyed = count_calls ("cudaEventDestroy");
  for (int i = 1; i <= 3; i++)
    {
      on_fake (fake_cuda_fail, "cudaEventRecord", 1, cudaErrorMemoryAllocation, 0);
      g_assert_false (c2g_cuda_stream_wait (stream, other, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      g_assert_nonnull (strstr (error->message, "cudaErrorMemoryAllocation"));
      g_clear_error (&error);
      g_assert_cmpuint (count_calls ("cudaEventDestroy") - n_destroyed, ==, i);
    }
  on_fake (fake_cuda_clear_failures);
  g_assert_true (c2g_cuda_stream_wait (stream, other, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_left (), <=, n_left);
}

/* A stream of c2g does not wait for CUDA's default stream. */
static void
test_flags (void)
{
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new (first_device (), NULL);
  cudaStream_t handle = (cudaStream_t) (guintptr) c2g_cuda_stream_get_handle (stream);
  unsigned int flags;

  g_assert_cmpint (cudaStreamGetFlags (handle, &flags), ==, cudaSuccess);
  g_assert_cmpuint (flags, ==, cudaStreamNonBlocking);
}

static void
test_priority (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gCudaStream) fast = c2g_cuda_stream_new_with_priority (first_device (), -100, &error);
  g_autoptr (C2gCudaStream) slow = c2g_cuda_stream_new_with_priority (first_device (), 100, &error);

  g_assert_no_error (error);
  g_assert_true (c2g_cuda_stream_wait (slow, fast, &error));
  g_assert_no_error (error);
}

/* A device that the machine lacks, and one that is not of CUDA. */
static void
test_absent (void)
{
  C2gDevice *absent = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1000, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_context_for_device (absent, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cuda:1000"));
  g_clear_error (&error);
  g_assert_null (c2g_cuda_context_new (absent, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cudaErrorInvalidDevice"));
  g_clear_error (&error);
  g_assert_null (c2g_cuda_stream_new (c2g_device_cpu (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_null (c2g_cuda_event_new (c2g_device_cpu (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_null (c2g_device_info_new_for_device (absent, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

/* The host cannot access device memory. */
static void
test_host_access (void)
{
  g_autoptr (C2gTensor) far = new_far (first_device (), 5, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_tensor_map (far, C2G_MAP_READ, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  c2g_tensor_get_value (far, 0, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

static void
test_types (void)
{
  static const struct
  {
    GType (*get_type) (void);
    const char *name;
    GType (*get_parent) (void);
  } types[] = {
    { c2g_cuda_async_allocator_get_type, "C2gCudaAsyncAllocator", c2g_allocator_get_type },
    { c2g_cuda_caching_allocator_get_type, "C2gCudaCachingAllocator", c2g_allocator_get_type },
    { c2g_cuda_context_get_type, "C2gCudaContext", c2g_context_get_type },
    { c2g_cuda_event_get_type, "C2gCudaEvent", g_object_get_type },
    { c2g_cuda_pinned_allocator_get_type, "C2gCudaPinnedAllocator", c2g_allocator_get_type },
    { c2g_cuda_stream_get_type, "C2gCudaStream", g_object_get_type },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_assert_cmpstr (g_type_name (types[i].get_type ()), ==, types[i].name);
      g_assert_cmpuint (g_type_parent (types[i].get_type ()), ==, types[i].get_parent ());
      g_assert_true (G_TYPE_IS_FINAL (types[i].get_type ()));
    }
}

static void
test_devices (void)
{
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < c2g_device_count (C2G_DEVICE_TYPE_CUDA); i++)
    {
      C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, i, NULL);
      g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new (device, &error);
      g_autoptr (C2gCudaEvent) event = c2g_cuda_event_new (device, &error);

      g_assert_no_error (error);
      g_assert_true (c2g_cuda_stream_get_device (stream) == device);
      g_assert_true (c2g_cuda_event_get_device (event) == device);
    }
}

/* A CPU context leaves a copy to the device, after the work of other contexts. */
static void
test_cpu_context (void)
{
  g_autoptr (C2gContext) near_context = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = new_context (first_device ());
  g_autoptr (C2gTensor) far = c2g_tensor_new_sized (C2G_TEST_DIMS (1 << 16), first_device (), NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_allocate (far, C2G_DATA_TYPE_FLOAT, NULL));
  for (int i = 1; i <= 8; i++)
    {
      g_autoptr (C2gTensor) near = c2g_tensor_new ();
      gboolean is_back_and_forth = i % 4 >= 2;

      c2g_context_fill (context, far, i, &error);
      g_assert_no_error (error);
      if (is_back_and_forth)
        {
          c2g_tensor_copy_from (near, far, near_context, &error);
          g_assert_no_error (error);
          c2g_context_fill (context, far, -1.0, &error);
          g_assert_no_error (error);
          c2g_tensor_copy_from (far, near, near_context, &error);
          g_assert_no_error (error);
        }
      c2g_tensor_copy_from (near, far, i % 2 != 0 ? near_context : NULL, &error);
      g_assert_no_error (error);
      for (gint64 k = 0; k < 1 << 16; k += 4095)
        g_assert_cmpfloat (c2g_tensor_get_value (near, k, NULL), ==, i);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/context/has-runtime", test_has_runtime);
  add_clean_func ("/cuda/context/current-device", test_current_device);
  add_clean_func ("/cuda/context/streams", test_streams);
  add_clean_func ("/cuda/context/threads", test_threads);
  add_clean_func ("/cuda/context/copies", test_copies);
  add_clean_func ("/cuda/context/host-copy", test_host_copy);
  add_clean_func ("/cuda/context/overlap", test_overlap);
  add_clean_func ("/cuda/context/between-devices", test_between_devices);
  add_clean_func ("/cuda/context/other-device", test_other_device);
  add_clean_func ("/cuda/context/drop-early", test_drop_early);
  add_clean_func ("/cuda/context/fill", test_fill);
  add_clean_func ("/cuda/context/random", test_random);
  add_clean_func ("/cuda/context/of-the-cpu", test_cpu_context);
  add_clean_func ("/cuda/context/absent", test_absent);
  add_clean_func ("/cuda/context/host-access", test_host_access);
  add_clean_func ("/cuda/event/basics", test_event);
  add_clean_func ("/cuda/event/basics-with-cpu", test_event_with_cpu);
  add_clean_func ("/cuda/context/memory-pool-allocate-dealloc", test_memory_pool);
  add_clean_func ("/cuda/event/wait", test_wait);
  add_clean_func ("/cuda/event/wait-between-devices", test_wait_between_devices);
  add_clean_func ("/cuda/event/own", test_cuda_events);
  add_clean_func ("/cuda/event/destroyed-after-failure", test_kept_events);
  add_clean_func ("/cuda/event/many-in-host-function", test_many_events);
  add_clean_func ("/cuda/stream/flags", test_flags);
  add_clean_func ("/cuda/stream/foreign", test_foreign_stream);
  add_clean_func ("/cuda/stream/refused", test_refused_stream);
  add_clean_func ("/cuda/stream/refused-properties", test_refused_properties);
  add_clean_func ("/cuda/stream/priority", test_priority);
  add_clean_func ("/cuda/context/types", test_types);
  add_clean_func ("/cuda/context/devices", test_devices);

  return run_on_device ();
}
