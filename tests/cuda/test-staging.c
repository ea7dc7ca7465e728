/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* Copies from pageable memory, which go through pinned blocks. */

#define N ((gint64) 3 << 18)

static C2gCudaPinnedAllocator *
staging (void)
{
  C2gAllocator *allocator = c2g_cuda_pinned_allocator_get_staging ();

  /* There is one allocator for the whole process, which keeps its own reference. */
  g_object_unref (allocator);
  return C2G_CUDA_PINNED_ALLOCATOR (allocator);
}

static guint64
active_bytes (void)
{
  return c2g_cuda_pinned_allocator_get_active_bytes (staging ());
}

static void
forget_blocks (void)
{
  c2g_allocator_trim (C2G_ALLOCATOR (staging ()), 0);
  g_assert_cmpuint (active_bytes (), ==, 0);
}

static C2gTensor *
new_near (C2gAllocator *allocator,
          gint64        n)
{
  g_autoptr (C2gStorage) storage = allocate (allocator, n * sizeof (float), NULL);
  g_autoptr (GError) error = NULL;
  C2gTensor *near = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, &n, 1, storage, 0, &error);
  float *values;

  g_assert_no_error (error);
  values = c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  for (gint64 i = 0; i < n; i++)
    values[i] = i;

  return near;
}

static C2gTensor *
new_pageable (gint64 n)
{
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (c2g_device_cpu (), NULL);

  return new_near (allocator, n);
}

static void
copy (C2gTensor  *to,
      C2gTensor  *from,
      C2gContext *context)
{
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (to, from, context, &error);
  g_assert_no_error (error);
}

/* The source has been read when the call returns, though the GPU has not begun. */
static void
test_freed_at_once (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  C2gTensor *near = new_pageable (N);
  guint n_waits = count_calls ("cudaStreamSynchronize");

  forget_blocks ();
  n_waits = count_calls ("cudaStreamSynchronize");
  on_fake (fake_cuda_set_latency, 100);
  copy (far, near, context);
  g_assert_cmpuint (active_bytes (), >=, is_fake () ? N * sizeof (float) : 0);
  g_assert_cmpuint (count_calls ("cudaStreamSynchronize"), ==, n_waits);

  memset (c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL), 0xff, N * sizeof (float));
  g_object_unref (near);
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
  assert_far (far, 0);
}

/* The next copy only takes blocks that no stream uses any more. */
static void
test_blocks_are_not_shared (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();
  g_autoptr (C2gTensor) near = new_pageable (N);
  g_autoptr (C2gTensor) near_other = new_pageable (N);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) far_other = c2g_tensor_new_for_device (first_device ());
  float *values = c2g_tensor_mutable_data (near_other, C2G_DATA_TYPE_FLOAT, NULL);

  for (gint64 i = 0; i < N; i++)
    values[i] += 7;
  for (int i = 0; i < 9; i++)
    {
      copy (far, near, context);
      copy (far_other, near_other, other);
    }
  finish (context);
  finish (other);
  assert_far (far, 0);
  assert_far (far_other, 7);
}

/* Pinned memory and small copies need no staging block. */
static void
test_direct (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gTensor) near = new_near (pinned, N);
  g_autoptr (C2gTensor) small = new_pageable (1000);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());

  forget_blocks ();
  copy (far, near, context);
  g_assert_cmpuint (active_bytes (), ==, 0);
  finish (context);
  assert_far (far, 0);
  copy (far, small, context);
  g_assert_cmpuint (active_bytes (), ==, 0);
  finish (context);
  assert_far (far, 0);
}

/* If there is no staging block, CUDA copies without it. */
static void
test_no_block (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gTensor) near = new_pageable (N);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  guint64 max_bytes = c2g_cuda_pinned_allocator_get_max_bytes (staging ());

  forget_blocks ();
  c2g_cuda_pinned_allocator_set_max_bytes (staging (), 2 << 20);
  copy (far, near, context);
  finish (context);
  assert_far (far, 0);
  g_assert_cmpuint (c2g_cuda_pinned_allocator_get_active_bytes (staging ()), <=, 2 << 20);

  c2g_cuda_pinned_allocator_set_max_bytes (staging (), 0);
  copy (far, near, context);
  finish (context);
  assert_far (far, 0);
  c2g_cuda_pinned_allocator_set_max_bytes (staging (), max_bytes);

  forget_blocks ();
  on_fake (fake_cuda_fail, "cudaHostAlloc", 1, cudaErrorMemoryAllocation, 1);
  copy (far, near, context);
  on_fake (fake_cuda_clear_failures);
  finish (context);
  assert_far (far, 0);
}

/* A captured copy reads the source when the graph runs. */
static void
test_captured (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gTensor) near = new_pageable (N);
  g_autoptr (C2gTensor) far = new_far (first_device (), N, NULL);
  cudaGraph_t graph = NULL;

  if (!needs_fake ())
    return;

  forget_blocks ();
  g_assert_cmpint (cudaStreamBeginCapture (stream_of (context), cudaStreamCaptureModeThreadLocal),
                   ==, cudaSuccess);
  g_assert_true (c2g_context_copy (context, near, far, NULL));
  g_assert_cmpuint (active_bytes (), ==, 0);
  g_assert_cmpint (cudaStreamEndCapture (stream_of (context), &graph), ==, cudaSuccess);
  if (graph != NULL)
    cudaGraphDestroy (graph);
}

/* Pinned memory goes with a reset device, and must not be accessed any more. */
static void
test_reset (void)
{
  g_autoptr (C2gTensor) near = new_pageable (N);
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
  gint64 n = N;

  if (!may_reset ())
    return;

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (C2gContext) context = new_context ();
      g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
      g_autoptr (C2gStorage) storage = allocate (allocator, N * sizeof (float), context);
      g_autoptr (C2gTensor) far = NULL;

      c2g_storage_unref (allocate (pinned, 5000, NULL));
      far = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, &n, 1, storage, 0, NULL);
      g_assert_true (c2g_context_copy (context, near, far, NULL));
      finish (context);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }

  {
    g_autoptr (C2gStorage) storage = allocate (pinned, 5000, NULL);

    memset (address_of (storage), 1, 5000);
  }
  forget_blocks ();
  assert_no_faults ();
}

/* A copy to one device goes on when another one is reset, though both were copied to before. */
static void
test_other_reset (void)
{
  g_autoptr (C2gTensor) near = new_pageable (N);
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) far = NULL;

  if (second_device () == NULL || !may_reset ())
    return;

  forget_blocks ();
  {
    g_autoptr (C2gContext) first = new_context ();
    g_autoptr (C2gTensor) far_first = c2g_tensor_new_for_device (first_device ());

    copy (far_first, near, first);
    finish (first);
  }

  context = c2g_context_for_device (second_device (), NULL);
  far = c2g_tensor_new_for_device (second_device ());
  on_fake (fake_cuda_set_latency, 100);
  copy (far, near, context);
  g_assert_cmpint (cudaSetDevice (0), ==, cudaSuccess);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  on_fake (fake_cuda_set_latency, 0);
  finish (context);
  assert_far (far, 0);
  assert_no_faults ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/staging/freed-at-once", test_freed_at_once);
  add_clean_func ("/cuda/staging/blocks-are-not-shared", test_blocks_are_not_shared);
  add_clean_func ("/cuda/staging/direct", test_direct);
  add_clean_func ("/cuda/staging/no-block", test_no_block);
  add_clean_func ("/cuda/staging/captured", test_captured);
  c2g_test_add_func ("/cuda/staging/reset", test_reset);
  c2g_test_add_func ("/cuda/staging/other-reset", test_other_reset);

  return run_on_device ();
}
