/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include <c2g/interop/c2g-dlpack-private.h>

/* Memory that is shared between c2g and a library with its own streams. */

#define N 4099

static cudaStream_t
new_stream (void)
{
  cudaStream_t stream;

  g_assert_cmpint (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking), ==, cudaSuccess);
  return stream;
}

static void
finish_stream (cudaStream_t stream)
{
  g_assert_cmpint (cudaStreamSynchronize (stream), ==, cudaSuccess);
}

static const C2gDlTensor *
tensor_at (guint64 managed)
{
  return &((const C2gDlManaged *) (gsize) managed)->tensor;
}

/* Reads the tensor in the order of the consumer's stream. */
static void
read_values (const C2gDlTensor *tensor,
             float             *values,
             cudaStream_t       stream)
{
  g_assert_cmpint (cudaMemcpyAsync (values, tensor->data, N * sizeof (float),
                                    cudaMemcpyDeviceToHost, stream),
                   ==, cudaSuccess);
}

static void
assert_values (const float *values,
               float        expected)
{
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (values[i], ==, expected);
}

/* Makes a tensor that the context fills; the work may be pending. */
static C2gTensor *
new_filled (C2gContext *context,
            double      value)
{
  C2gTensor *tensor = new_far (first_device (), N, context);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_context_fill (context, tensor, value, &error));
  g_assert_no_error (error);
  return tensor;
}

/* The consumer's stream waits for the context, and for another one that used the memory. */
static void
test_export (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gContext) other = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) tensor = new_filled (context, 3);
  g_autoptr (C2gTensor) source = new_filled (other, 5);
  g_autofree float *values = g_new0 (float, N);
  cudaStream_t stream = new_stream ();
  guint64 managed;

  managed = c2g_tensor_to_dlpack (tensor, 0, NULL, (gint64) (gsize) stream, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tensor_at (managed)->device.type, ==, C2G_DL_DEVICE_CUDA);
  g_assert_cmpint (tensor_at (managed)->device.id, ==, 0);
  read_values (tensor_at (managed), values, stream);
  finish_stream (stream);
  assert_values (values, 3);
  c2g_dlpack_release (managed, 0);

  g_assert_true (c2g_context_finish (context, &error));
  g_assert_true (c2g_context_copy (other, source, tensor, &error));
  managed = c2g_tensor_to_dlpack (tensor, 0, NULL, (gint64) (gsize) stream, &error);
  g_assert_no_error (error);
  read_values (tensor_at (managed), values, stream);
  finish_stream (stream);
  assert_values (values, 5);
  c2g_dlpack_release (managed, 0);

  g_clear_object (&tensor);
  g_clear_object (&source);
  g_assert_cmpint (cudaStreamDestroy (stream), ==, cudaSuccess);
}

/* The default streams have fixed numbers in DLPack. */
static void
test_export_default_streams (void)
{
  static const gint64 numbers[] = { 0, 1, 2 };
  static const cudaStream_t streams[] = { cudaStreamLegacy, cudaStreamLegacy, cudaStreamPerThread };
  g_autofree float *values = g_new0 (float, N);

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
      g_autoptr (C2gTensor) tensor = new_filled (context, (double) i);
      guint64 managed = c2g_tensor_to_dlpack (tensor, 0, NULL, numbers[i], &error);

      g_assert_no_error (error);
      read_values (tensor_at (managed), values, streams[i]);
      finish_stream (streams[i]);
      assert_values (values, (float) i);
      c2g_dlpack_release (managed, 0);
    }
}

/* The block is not used for anything else before the consumer's work is done. */
static void
test_export_released_early (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) tensor = new_filled (context, 3);
  g_autoptr (C2gTensor) next = NULL;
  g_autofree float *values = g_new0 (float, N);
  cudaStream_t stream = new_stream ();
  guint64 managed =
    c2g_tensor_to_dlpack (tensor, 0, NULL, (gint64) (gsize) stream, &error);

  g_assert_no_error (error);
  g_clear_object (&tensor);
  read_values (tensor_at (managed), values, stream);
  c2g_dlpack_release (managed, 0);
  next = new_filled (context, 7);

  finish_stream (stream);
  assert_values (values, 3);
  g_assert_true (c2g_context_finish (context, &error));
  g_assert_cmpint (cudaStreamDestroy (stream), ==, cudaSuccess);
}

/* Exports to the CPU and to another device. */
static void
test_export_elsewhere (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) tensor = new_filled (context, 3);
  guint64 managed = c2g_tensor_to_dlpack (tensor, 0, c2g_device_cpu (), 0, &error);
  C2gDevice *second;

  g_assert_no_error (error);
  g_assert_cmpint (tensor_at (managed)->device.type, ==, C2G_DL_DEVICE_CPU);
  assert_values (tensor_at (managed)->data, 3);
  c2g_dlpack_release (managed, 0);

  second = second_device ();
  if (second == NULL)
    return;
  managed = c2g_tensor_to_dlpack (tensor, 0, second, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tensor_at (managed)->device.id, ==, 1);
  c2g_dlpack_release (managed, 0);
}

/* Exports to the default stream of a device that is not the current one. */
static void
test_export_default_stream_elsewhere (void)
{
  C2gDevice *second = second_device ();
  g_autofree float *values = g_new0 (float, N);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  guint64 managed;

  if (second == NULL)
    return;

  context = c2g_context_for_device (second, &error);
  tensor = new_far (second, N, context);
  g_assert_true (c2g_context_fill (context, tensor, 3, &error));
  managed = c2g_tensor_to_dlpack (tensor, 0, NULL, 1, &error);
  g_assert_no_error (error);
  g_clear_object (&tensor);

  cudaSetDevice (1);
  read_values (tensor_at (managed), values, cudaStreamLegacy);
  cudaSetDevice (0);
  c2g_dlpack_release (managed, 0);
  tensor = new_far (second, N, context);
  g_assert_true (c2g_context_finish (context, &error));

  cudaSetDevice (1);
  finish_stream (cudaStreamLegacy);
  cudaSetDevice (0);
  assert_values (values, 3);
}

static void
check_lend_often (C2gAllocator *allocator)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = allocate (allocator, N * sizeof (float), NULL);
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (N), storage, 0, &error);
  guint n_calls;

  for (guint i = 0; i < 100; i++)
    {
      g_assert_true (c2g_tensor_lend_to_stream (tensor, 1, &error));
      g_assert_no_error (error);
    }

  n_calls = count_calls ("cudaEventRecord");
  g_clear_object (&tensor);
  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_cmpuint (count_calls ("cudaEventRecord") - n_calls, <=, 1);
}

/* A stream that is lent the memory repeatedly is waited for only once. */
static void
test_lend_often (void)
{
  g_autoptr (C2gAllocator) async = c2g_cuda_async_allocator_new (first_device (), NULL);
  g_autoptr (C2gAllocator) caching = c2g_cuda_caching_allocator_new (first_device (), NULL);

  check_lend_often (caching);
  check_lend_often (async);
}

/* Another library with its own memory and its own stream. */
typedef struct
{
  C2gDlManaged managed;
  gint64       numbers[2];
  cudaStream_t stream;
  gpointer     memory;
  /* The device that was current when the memory came back. */
  int          current;
} Producer;

static void
delete_producer (C2gDlManaged *managed)
{
  Producer *producer = managed->manager;

  cudaGetDevice (&producer->current);
  cudaSetDevice (managed->tensor.device.id);
  /* All work of others must be over here: this write would be a race otherwise. */
  g_assert_cmpint (cudaMemsetAsync (producer->memory, 0xff, N * sizeof (float), producer->stream),
                   ==, cudaSuccess);
  finish_stream (producer->stream);
  g_assert_cmpint (cudaFree (producer->memory), ==, cudaSuccess);
  producer->memory = NULL;
  cudaSetDevice (0);
}

/* Makes floats that the producer sets to 0; the work may be pending. */
static guint64
start_producer (Producer  *producer,
                C2gDevice *device)
{
  int index = c2g_device_get_index (device);

  memset (producer, 0, sizeof *producer);
  g_assert_cmpint (cudaSetDevice (index), ==, cudaSuccess);
  producer->stream = new_stream ();
  g_assert_cmpint (cudaMalloc (&producer->memory, N * sizeof (float)), ==, cudaSuccess);
  g_assert_cmpint (cudaMemsetAsync (producer->memory, 0, N * sizeof (float), producer->stream), ==,
                   cudaSuccess);

  producer->numbers[0] = N;
  producer->numbers[1] = 1;
  producer->managed.tensor = (C2gDlTensor) {
    .data = producer->memory,
    .device = { C2G_DL_DEVICE_CUDA, index },
    .n_dims = 1,
    .type = { C2G_DL_FLOAT, 32, 1 },
    .shape = producer->numbers,
    .strides = producer->numbers + 1,
  };
  producer->managed.manager = producer;
  producer->managed.deleter = delete_producer;

  return (guint64) (gsize) &producer->managed;
}

/* Does the same as `__dlpack__ (stream=…)`. */
static void
put_behind (Producer *producer,
            gint64    number)
{
  cudaEvent_t event;

  g_assert_cmpint (cudaEventCreateWithFlags (&event, cudaEventDisableTiming), ==, cudaSuccess);
  g_assert_cmpint (cudaEventRecord (event, producer->stream), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamWaitEvent ((cudaStream_t) (gsize) number, event, 0), ==, cudaSuccess);
  g_assert_cmpint (cudaEventDestroy (event), ==, cudaSuccess);
}

static void
end_producer (Producer *producer)
{
  g_assert_null (producer->memory);
  g_assert_cmpint (cudaStreamDestroy (producer->stream), ==, cudaSuccess);
}

static void
assert_far_values (C2gTensor *far,
                   float      expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (far, c2g_device_cpu (), &error);

  g_assert_no_error (error);
  assert_values (c2g_tensor_data (near, C2G_DATA_TYPE_FLOAT, &error), expected);
}

static void
test_import (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) copy = NULL;
  guint64 managed = start_producer (&producer, first_device ());

  put_behind (&producer, c2g_dlpack_get_stream (first_device (), context, &error));
  tensor = c2g_tensor_new_from_dlpack (managed, 0, context, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, (gsize) producer.memory);

  /* The context reads it last, and the tensor is freed at once. */
  copy = c2g_tensor_new_for_device (first_device ());
  g_assert_true (c2g_tensor_copy_from (copy, tensor, context, &error));
  g_clear_object (&tensor);
  g_assert_true (c2g_context_finish (context, &error));
  end_producer (&producer);
  assert_far_values (copy, 0);
}

/* Without a context the import waits for the producer, and then any stream can use the memory. */
static void
check_import_without_context (C2gDevice *device)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  guint64 managed = start_producer (&producer, device);

  put_behind (&producer, c2g_dlpack_get_stream (device, NULL, &error));
  cudaSetDevice (0);
  tensor = c2g_tensor_new_from_dlpack (managed, 0, NULL, &error);
  g_assert_no_error (error);
  assert_far_values (tensor, 0);

  g_clear_object (&tensor);
  end_producer (&producer);
}

static void
test_import_without_context (void)
{
  check_import_without_context (first_device ());
}

/* Foreign memory is lent repeatedly, but each of its users is waited for only once. */
static void
test_import_and_lend (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  guint64 managed = start_producer (&producer, first_device ());
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_from_dlpack (managed, 0, context, &error);
  cudaStream_t stream = new_stream ();
  guint n_calls;

  for (guint i = 0; i < 50; i++)
    {
      g_assert_true (c2g_tensor_lend_to_stream (tensor, 1, &error));
      g_assert_true (c2g_tensor_lend_to_stream (tensor, (gint64) (gsize) stream, &error));
      g_assert_no_error (error);
    }

  n_calls = count_calls ("cudaEventRecord");
  g_clear_object (&tensor);
  /* One for the context, and two for the streams. */
  g_assert_cmpuint (count_calls ("cudaEventRecord") - n_calls, <=, 3);
  g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
  g_assert_true (c2g_context_finish (context, &error));
  end_producer (&producer);
  g_assert_cmpint (cudaStreamDestroy (stream), ==, cudaSuccess);
}

static guint
count_waits (void)
{
  return count_calls ("cudaStreamSynchronize") + count_calls ("cudaEventSynchronize") +
         count_calls ("cudaDeviceSynchronize");
}

/* A producer gets its memory back with the caller's device current, even in a call that is for another device. */
static void
test_import_released_elsewhere (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gContext) other = NULL;
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gTensor) copy = new_far (first_device (), N, context);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gStorage) storage = NULL;
  guint64 managed;

  if (second == NULL || !needs_fake ())
    return;
  other = c2g_context_for_device (second, &error);
  g_assert_no_error (error);
  managed = start_producer (&producer, first_device ());
  put_behind (&producer, c2g_dlpack_get_stream (first_device (), context, &error));
  tensor = c2g_tensor_new_from_dlpack (managed, 0, context, &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_set_latency, 100);
  g_assert_true (c2g_context_copy (context, tensor, copy, &error));
  g_clear_object (&tensor);
  g_assert_nonnull (producer.memory);

  on_fake (fake_cuda_set_latency, 0);
  g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
  storage = c2g_allocator_allocate (allocator, N, other, &error);
  g_assert_no_error (error);
  g_assert_null (producer.memory);
  g_assert_cmpint (producer.current, ==, 0);
  end_producer (&producer);
}

/* The last unref does not wait for the device. The memory goes back as soon as a later call finds
 * that the work is done, and not before. */
static void
test_import_released_early (void)
{
  Producer producers[3];
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) copy = new_far (first_device (), N, context);
  guint n_waits;

  g_assert_true (c2g_context_finish (context, &error));
  on_fake (fake_cuda_set_latency, 100);
  for (guint i = 0; i < G_N_ELEMENTS (producers); i++)
    {
      guint64 managed = start_producer (&producers[i], first_device ());
      g_autoptr (C2gTensor) tensor = NULL;

      put_behind (&producers[i], c2g_dlpack_get_stream (first_device (), context, &error));
      tensor = c2g_tensor_new_from_dlpack (managed, 0, context, &error);
      g_assert_true (c2g_context_copy (context, tensor, copy, &error));
      g_assert_no_error (error);

      n_waits = count_waits ();
      g_clear_object (&tensor);
      g_assert_cmpuint (count_waits (), ==, n_waits);
      if (is_fake ())
        g_assert_nonnull (producers[i].memory);
    }

  on_fake (fake_cuda_set_latency, 0);
  g_assert_true (c2g_context_finish (context, &error));
  for (guint i = 0; i < G_N_ELEMENTS (producers); i++)
    end_producer (&producers[i]);
  assert_far_values (copy, 0);
}

/* Imports memory of n producers, gives it back while the device still works, and returns how many
 * events were queried meanwhile. */
static guint
count_queries (guint n)
{
  g_autofree Producer *producers = g_new (Producer, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) copy = new_far (first_device (), N, context);
  guint n_queries = count_calls ("cudaEventQuery");

  on_fake (fake_cuda_set_latency, 5000);
  for (guint i = 0; i < n; i++)
    {
      guint64 managed = start_producer (&producers[i], first_device ());
      g_autoptr (C2gTensor) tensor = NULL;

      put_behind (&producers[i], c2g_dlpack_get_stream (first_device (), context, &error));
      tensor = c2g_tensor_new_from_dlpack (managed, 0, context, &error);
      g_assert_true (c2g_context_copy (context, tensor, copy, &error));
      g_assert_no_error (error);
    }
  n_queries = count_calls ("cudaEventQuery") - n_queries;

  on_fake (fake_cuda_set_latency, 0);
  g_assert_true (c2g_context_finish (context, &error));
  for (guint i = 0; i < n; i++)
    end_producer (&producers[i]);

  return n_queries;
}

/* Each last unref looks at few of the tensors that were given back before it. */
static void
test_import_released_often (void)
{
  const guint n_tensors = c2g_test_is_quick () ? 4 : 16;
  guint n_queries;

  if (!needs_fake ())
    return;

  n_queries = count_queries (n_tensors);
  g_assert_cmpuint (n_queries, >, 0);
  g_assert_cmpuint (count_queries (2 * n_tensors), <=, 2 * n_queries + 8);
}

static void
unref_tensor (gpointer tensor)
{
  g_object_unref (tensor);
}

/* CUDA permits no query in a host function. The next try does not wait, because the point after
 * the use was recorded before. */
static void
test_import_released_in_host_function (void)
{
  Producer producer;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) copy = new_far (first_device (), N, context);
  g_autoptr (C2gCudaStream) later = NULL;
  cudaStream_t stream = new_stream ();
  guint64 managed = start_producer (&producer, first_device ());
  C2gTensor *tensor;
  guint n_waits;

  put_behind (&producer, c2g_dlpack_get_stream (first_device (), NULL, &error));
  tensor = c2g_tensor_new_from_dlpack (managed, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_context_copy (context, tensor, copy, &error));
  g_assert_cmpint (cudaLaunchHostFunc (stream, unref_tensor, tensor), ==, cudaSuccess);
  finish_stream (stream);

  n_waits = count_waits ();
  later = c2g_cuda_stream_new (first_device (), &error);
  g_assert_no_error (error);
  /* If the use is over by chance, the producer gets its memory back and waits for its own stream. */
  if (is_fake ())
    g_assert_cmpuint (count_waits (), ==, n_waits + (producer.memory == NULL));

  g_assert_true (c2g_context_finish (context, &error));
  end_producer (&producer);
  g_assert_cmpint (cudaStreamDestroy (stream), ==, cudaSuccess);
}

static void
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
}

/* Other memory of others is waited for, also in the record of a storage that was not. */
static void
test_not_imported (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) far = new_far (first_device (), N, context);

  for (guint i = 0; i < 3; i++)
    {
      Producer producer;
      guint64 managed = start_producer (&producer, first_device ());
      gboolean is_back = FALSE;
      C2gStorage *storage;

      g_object_unref (c2g_tensor_new_from_dlpack (managed, 0, NULL, &error));
      g_assert_no_error (error);
      end_producer (&producer);

      storage = c2g_storage_new_external (first_device (), (gpointer) (gsize) c2g_tensor_get_address (far),
                                          N * sizeof (float), FALSE, set_true, &is_back);
      on_fake (fake_cuda_set_latency, 100);
      g_assert_true (c2g_context_fill (context, far, 1, &error));
      c2g_storage_record_use (storage, context);
      c2g_storage_unref (storage);
      g_assert_true (is_back);
      on_fake (fake_cuda_set_latency, 0);
    }
}

static void
test_import_elsewhere (void)
{
  if (second_device () != NULL)
    check_import_without_context (second_device ());
}

static void
delete_pinned (C2gDlManaged *managed)
{
  Producer *producer = managed->manager;

  memset (producer->memory, 0xff, N * sizeof (float));
  g_assert_cmpint (cudaFreeHost (producer->memory), ==, cudaSuccess);
  producer->memory = NULL;
}

/* A device can read host memory that another library pinned, even after its owner has released
 * it. */
static void
test_import_pinned (void)
{
  Producer producer = { .numbers = { N, 1 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_cmpint (cudaHostAlloc (&producer.memory, N * sizeof (float), cudaHostAllocDefault), ==,
                   cudaSuccess);
  for (gsize i = 0; i < N; i++)
    ((float *) producer.memory)[i] = i;
  producer.managed = (C2gDlManaged) {
    .tensor = { .data = producer.memory,
                .device = { C2G_DL_DEVICE_CUDA_HOST, 0 },
                .n_dims = 1,
                .type = { C2G_DL_FLOAT, 32, 1 },
                .shape = producer.numbers,
                .strides = producer.numbers + 1 },
    .manager = &producer,
    .deleter = delete_pinned,
  };

  tensor = c2g_tensor_new_from_dlpack ((guint64) (gsize) &producer.managed, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_copy_from (far, tensor, context, &error));
  g_clear_object (&tensor);
  g_assert_true (c2g_context_finish (context, &error));
  g_assert_null (producer.memory);
  assert_far (far, 0);
}

static void
check_found (C2gDevice    *device,
             C2gAllocator *allocator)
{
  g_autoptr (C2gStorage) storage = allocate (allocator, MIB, NULL);
  g_autoptr (GError) error = NULL;
  guint64 address = c2g_storage_get_address (storage);

  g_assert_true (c2g_cuda_find_device (address, &error) == device);
  g_assert_no_error (error);
  g_assert_true (c2g_cuda_find_device (address + MIB - 1, &error) == device);
  g_assert_no_error (error);
}

/* Array interfaces pass only an address, so the device has to be found. */
static void
test_find_device (void)
{
  C2gDevice *devices[] = { first_device (), second_device () };
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gStorage) near = allocate (pinned, 1000, NULL);
  int local = 0;
  const guint64 nowhere[] = { 0, (gsize) &local, c2g_storage_get_address (near) };

  for (gsize i = 0; i < G_N_ELEMENTS (devices) && devices[i] != NULL; i++)
    {
      g_autoptr (C2gAllocator) caching = c2g_cuda_caching_allocator_new (devices[i], NULL);
      g_autoptr (C2gAllocator) async = c2g_cuda_async_allocator_new (devices[i], NULL);

      check_found (devices[i], caching);
      check_found (devices[i], async);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (nowhere); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_cuda_find_device (nowhere[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "0x"));
    }
}

static void
test_find_device_fails (void)
{
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  on_fake (fake_cuda_fail, "cudaPointerGetAttributes", 1, cudaErrorMapBufferObjectFailed, 0);
  g_assert_null (c2g_cuda_find_device (4096, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cudaErrorMapBufferObjectFailed"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/dlpack/export/streams", test_export);
  add_clean_func ("/cuda/dlpack/export/default-streams", test_export_default_streams);
  add_clean_func ("/cuda/dlpack/export/released-early", test_export_released_early);
  add_clean_func ("/cuda/dlpack/export/elsewhere", test_export_elsewhere);
  add_clean_func ("/cuda/dlpack/export/default-stream-elsewhere",
                  test_export_default_stream_elsewhere);
  add_clean_func ("/cuda/dlpack/export/lend-often", test_lend_often);
  add_clean_func ("/cuda/dlpack/import/context", test_import);
  add_clean_func ("/cuda/dlpack/import/without-context", test_import_without_context);
  add_clean_func ("/cuda/dlpack/import/lend", test_import_and_lend);
  add_clean_func ("/cuda/dlpack/import/released-early", test_import_released_early);
  add_clean_func ("/cuda/dlpack/import/released-often", test_import_released_often);
  add_clean_func ("/cuda/dlpack/import/released-elsewhere", test_import_released_elsewhere);
  add_clean_func ("/cuda/dlpack/import/released-in-host-function",
                  test_import_released_in_host_function);
  add_clean_func ("/cuda/dlpack/import/not-imported", test_not_imported);
  add_clean_func ("/cuda/dlpack/import/pinned", test_import_pinned);
  add_clean_func ("/cuda/dlpack/import/elsewhere", test_import_elsewhere);
  add_clean_func ("/cuda/dlpack/find-device", test_find_device);
  add_clean_func ("/cuda/dlpack/find-device/fails", test_find_device_fails);

  return run_on_device ();
}
