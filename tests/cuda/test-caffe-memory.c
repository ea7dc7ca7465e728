/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/tensors-utils.h"

#include <pthread.h>

/* NVCaffe's tests of SyncedMemory and Blob, with the other side on a CUDA device. */

#define N_BYTES 40

#define FLOAT C2G_DATA_TYPE_FLOAT
#define HALF  C2G_DATA_TYPE_FLOAT16

static C2gSyncedMemory *
new_memory (void)
{
  return c2g_synced_memory_new (N_BYTES, first_device ());
}

static void
write_gpu (C2gSyncedMemory *memory,
           int value)
{
  g_autoptr (GError) error = NULL;
  guint8 bytes[N_BYTES];
  gpointer address = c2g_synced_memory_mutable_gpu_data (memory, FALSE, &error);

  g_assert_no_error (error);
  memset (bytes, value, N_BYTES);
  /* The memory does not know CUDA's own stream, on which the copy may still run. */
  g_assert_cmpint (cudaMemcpy (address, bytes, N_BYTES, cudaMemcpyHostToDevice), ==, cudaSuccess);
  g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
}

static void
write_cpu (C2gSyncedMemory *memory,
           int value)
{
  g_autoptr (GError) error = NULL;

  memset (c2g_synced_memory_mutable_cpu_data (memory, FALSE, &error), value, N_BYTES);
  g_assert_no_error (error);
}

static void
assert_bytes (const guint8 *bytes,
              int value)
{
  for (gsize i = 0; i < N_BYTES; i++)
    g_assert_cmpint (bytes[i], ==, value);
}

static void
assert_cpu (C2gSyncedMemory *memory,
            int value)
{
  g_autoptr (GError) error = NULL;
  const guint8 *bytes = c2g_synced_memory_cpu_data (memory, &error);

  g_assert_no_error (error);
  assert_bytes (bytes, value);
}

static void
assert_gpu (C2gSyncedMemory *memory,
            int value)
{
  g_autoptr (GError) error = NULL;
  guint8 bytes[N_BYTES];
  gconstpointer address = c2g_synced_memory_gpu_data (memory, &error);

  g_assert_no_error (error);
  g_assert_cmpint (cudaMemcpy (bytes, address, N_BYTES, cudaMemcpyDeviceToHost), ==, cudaSuccess);
  assert_bytes (bytes, value);
}

static void
assert_head (C2gSyncedMemory *memory,
             C2gSyncedHead head)
{
  g_assert_cmpint (c2g_synced_memory_get_head (memory), ==, head);
}

static void
test_allocation (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory ();

  assert_head (memory, C2G_SYNCED_HEAD_UNINITIALIZED);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, TRUE), ==, 0);
  assert_gpu (memory, 0);
  assert_cpu (memory, 0);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, TRUE), >=, N_BYTES);
}

static void
test_cpu_write (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory ();

  write_cpu (memory, 1);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  assert_gpu (memory, 1);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  write_cpu (memory, 2);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  assert_gpu (memory, 2);
}

static void
test_gpu_write (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory ();

  write_gpu (memory, 1);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  assert_cpu (memory, 1);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  write_gpu (memory, 2);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  assert_cpu (memory, 2);
}

/* Pushing starts the copy on the context's stream. Readers on the device wait for it. */
static void
test_push (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_cuda_context_new (first_device (), &error);
  g_autoptr (C2gSyncedMemory) memory = new_memory ();

  g_assert_no_error (error);
  write_cpu (memory, 3);
  g_assert_true (c2g_synced_memory_push (memory, context, &error));
  g_assert_no_error (error);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  g_assert_true (c2g_context_finish (context, &error));
  g_assert_no_error (error);
  assert_gpu (memory, 3);
}

/* If a copy fails, the side that was written keeps its bytes. */
static void
test_failed_copy (void)
{
  g_autoptr (C2gSyncedMemory) memory = NULL;
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  memory = new_memory ();
  write_gpu (memory, 4);
  on_fake (fake_cuda_fail, "cudaMemcpyAsync", 1, cudaErrorInvalidValue, FALSE);
  g_assert_null (c2g_synced_memory_cpu_data (memory, &error));
  on_fake (fake_cuda_clear_failures);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  assert_cpu (memory, 4);
}

typedef struct
{
  C2gSyncedMemory *memory;
  guint n_rounds;
  pthread_barrier_t barrier;
} Race;

static gpointer
read_thread (gpointer data)
{
  Race *race = data;

  for (guint i = 0; i < race->n_rounds; i++)
    {
      pthread_barrier_wait (&race->barrier);
      assert_cpu (race->memory, i % 251);
      pthread_barrier_wait (&race->barrier);
    }

  return NULL;
}

/* Two threads read the device's bytes at the same time. They are copied only once. */
static void
test_threads (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory ();
  Race race = { .memory = memory, .n_rounds = c2g_test_count_rounds (2000) };
  GThread *threads[2];

  pthread_barrier_init (&race.barrier, NULL, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_thread, &race);

  for (guint i = 0; i < race.n_rounds; i++)
    {
      guint n_copies;

      write_gpu (memory, i % 251);
      n_copies = count_calls ("cudaMemcpyAsync");
      pthread_barrier_wait (&race.barrier);
      pthread_barrier_wait (&race.barrier);
      if (is_fake ())
        g_assert_cmpuint (count_calls ("cudaMemcpyAsync"), ==, n_copies + 1);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  pthread_barrier_destroy (&race.barrier);
}

/* Makes a blob of six numbers, whose data 1 … 6 and diff 0.5 are on the device alone. */
static C2gCaffeBlob *
new_blob (C2gDataType type)
{
  static const gint64 dims[] = { 2, 3 };
  static const float numbers[] = { 1, -2, 3, -4, 5, -6 };
  g_autoptr (C2gTensor) near = new_of_bytes (FLOAT, numbers, 6);
  g_autoptr (GError) error = NULL;
  C2gCaffeBlob *blob = c2g_caffe_blob_new (type, FLOAT, dims, 2, first_device (), &error);
  g_autoptr (C2gTensor) data = c2g_caffe_blob_ref_mutable_data_tensor (blob, FLOAT, first_device (), &error);
  g_autoptr (C2gTensor) diff = NULL;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_reshape (near, dims, 2, &error));
  g_assert_true (c2g_tensor_copy_from (data, near, NULL, &error));
  diff = c2g_caffe_blob_ref_mutable_diff_tensor (blob, FLOAT, first_device (), &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_fill (diff, 0.5, &error));

  return blob;
}

static double
data_at (C2gCaffeBlob *blob,
         gint64 row,
         gint64 column)
{
  g_autoptr (GError) error = NULL;
  const gint64 indices[] = { row, column };
  double value = c2g_caffe_blob_data_at (blob, indices, 2, &error);

  g_assert_no_error (error);
  return value;
}

static void
test_pointers (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (c2g_caffe_blob_data (blob, FLOAT, first_device (), &error));
  g_assert_nonnull (c2g_caffe_blob_data (blob, FLOAT, NULL, &error));
  g_assert_nonnull (c2g_caffe_blob_mutable_data (blob, FLOAT, first_device (), &error));
  g_assert_nonnull (c2g_caffe_blob_mutable_data (blob, FLOAT, NULL, &error));
  g_assert_nonnull (c2g_caffe_blob_mutable_diff (blob, FLOAT, first_device (), &error));
  g_assert_no_error (error);
}

/* The elements stay on the device. */
static void
assert_blob_far (C2gCaffeBlob *blob)
{
  g_assert_cmpint (c2g_mixed_tensor_get_head (c2g_caffe_blob_get_data (blob), FLOAT), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpint (c2g_mixed_tensor_get_head (c2g_caffe_blob_get_diff (blob), FLOAT), ==, C2G_SYNCED_HEAD_AT_GPU);
}

static void
test_memory_sums (void)
{
  static const float numbers[] = { 3, -4 };
  g_autoptr (C2gSyncedMemory) memory = c2g_synced_memory_new (sizeof numbers, first_device ());
  g_autoptr (GError) error = NULL;
  gpointer address = c2g_synced_memory_mutable_gpu_data (memory, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpint (cudaMemcpy (address, numbers, sizeof numbers, cudaMemcpyHostToDevice), ==, cudaSuccess);
  g_assert_cmpint (cudaDeviceSynchronize (), ==, cudaSuccess);
  g_assert_cmpfloat (c2g_synced_memory_asum (memory, FLOAT, 2, &error), ==, 7);
  g_assert_cmpfloat (c2g_synced_memory_sumsq (memory, FLOAT, 2, &error), ==, 25);
  g_assert_cmpfloat (c2g_synced_memory_amax (memory, FLOAT, 1, &error), ==, 3);
  g_assert_cmpfloat (c2g_synced_memory_amax (memory, C2G_DATA_TYPE_UINT8, 8, &error), ==, 0xc0);
  g_assert_no_error (error);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
}

static void
test_sums (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT);
  g_autoptr (GError) error = NULL;

  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, &error), ==, 21);
  g_assert_cmpfloat (c2g_caffe_blob_sumsq_data (blob, &error), ==, 91);
  g_assert_cmpfloat (c2g_caffe_blob_amax_data (blob, &error), ==, 6);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (blob, &error), ==, 3);
  g_assert_cmpfloat (c2g_caffe_blob_sumsq_diff (blob, &error), ==, 1.5);
  g_assert_cmpfloat (c2g_caffe_blob_amax_diff (blob, &error), ==, 0.5);
  g_assert_no_error (error);
  assert_blob_far (blob);
}

static void
test_scale (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_scale_data (blob, 2, &error));
  g_assert_true (c2g_caffe_blob_scale_diff (blob, -4, &error));
  assert_blob_far (blob);
  g_assert_cmpfloat (data_at (blob, 1, 2), ==, -12);
  g_assert_true (c2g_caffe_blob_scale_data (blob, 1, &error));
  g_assert_true (c2g_caffe_blob_update (blob, &error));
  g_assert_cmpfloat (data_at (blob, 0, 0), ==, 4);
  g_assert_no_error (error);
}

/* A read as float16 on the device does not round the floats that others read. */
static void
test_precision (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_scale_data (blob, 1.0 / 3, &error));
  g_assert_nonnull (c2g_caffe_blob_data (blob, HALF, first_device (), &error));
  g_assert_nonnull (c2g_caffe_blob_data (blob, HALF, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (data_at (blob, 0, 0), ==, 1.0f / 3);
}

static void
test_serialization (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (HALF);
  g_autoptr (C2gCaffeBlob) other = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) message = NULL;
  gboolean is_equal;

  message = c2g_caffe_blob_to_proto (blob, C2G_CAFFE_PROTO_DIFF, &error);
  g_assert_no_error (error);
  other = c2g_caffe_blob_new (FLOAT, FLOAT, NULL, 0, first_device (), &error);
  g_assert_true (c2g_caffe_blob_from_proto (other, message, TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_caffe_blob_shape_equals (other, message, &is_equal, &error) && is_equal);
  g_assert_cmpfloat (data_at (other, 1, 0), ==, -4);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (other, &error), ==, 3);
}

/* Blobs copy and share elements on the device. */
static void
test_copy_and_share (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (FLOAT);
  g_autoptr (C2gCaffeBlob) copy = new_blob (HALF);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_scale_data (blob, 2, &error));
  g_assert_true (c2g_caffe_blob_copy_from (copy, blob, C2G_CAFFE_PARTS_BOTH, &error));
  g_assert_cmpfloat (data_at (copy, 0, 1), ==, -4);
  g_assert_true (c2g_caffe_blob_share_data (copy, blob, &error));
  g_assert_true (c2g_caffe_blob_fill_data (blob, 7, &error));
  g_assert_cmpfloat (data_at (copy, 0, 1), ==, 7);
  g_assert_no_error (error);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/synced-memory/allocation", test_allocation);
  add_clean_func ("/cuda/synced-memory/cpu-write", test_cpu_write);
  add_clean_func ("/cuda/synced-memory/gpu-write", test_gpu_write);
  add_clean_func ("/cuda/synced-memory/push", test_push);
  add_clean_func ("/cuda/synced-memory/failed-copy", test_failed_copy);
  add_clean_func ("/cuda/synced-memory/threads", test_threads);
  add_clean_func ("/cuda/synced-memory/sums", test_memory_sums);
  add_clean_func ("/cuda/caffe-blob/pointers", test_pointers);
  add_clean_func ("/cuda/caffe-blob/sums", test_sums);
  add_clean_func ("/cuda/caffe-blob/scale-and-update", test_scale);
  add_clean_func ("/cuda/caffe-blob/precision", test_precision);
  add_clean_func ("/cuda/caffe-blob/serialization", test_serialization);
  add_clean_func ("/cuda/caffe-blob/copy-and-share", test_copy_and_share);

  return run_on_device ();
}
