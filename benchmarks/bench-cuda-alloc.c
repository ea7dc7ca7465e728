/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures allocating and freeing blocks for a GPU, by the library's allocators and by CUDA's
 * functions. */

#include "bench.h"

#include <c2g/cuda/c2g-cuda.h>

#include <cuda_runtime_api.h>
#include <stdlib.h>

#define SMALL 4096
#define LARGE (17 << 20)

typedef C2gAllocator *(*Make) (C2gDevice  *device,
                               GError    **error);

typedef struct
{
  C2gAllocator *allocator;
  C2gContext   *context;
  /* Uses the block as well, if there is one. */
  C2gContext   *user;
  gsize         n_bytes;
} State;

static void
check (GError *error)
{
  if (error == NULL)
    return;
  g_printerr ("bench-cuda-alloc: %s\n", error->message);
  exit (EXIT_FAILURE);
}

static void
check_call (cudaError_t result)
{
  if (result == cudaSuccess)
    return;
  g_printerr ("bench-cuda-alloc: %s\n", cudaGetErrorString (result));
  exit (EXIT_FAILURE);
}

static void
allocate_n (void          *data,
            unsigned long  n)
{
  State *state = data;
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    {
      C2gStorage *storage = c2g_allocator_allocate (state->allocator, state->n_bytes,
                                                    state->context, &error);

      check (error);
      if (state->user != NULL)
        c2g_storage_record_use (storage, state->user);
      c2g_storage_unref (storage);
    }
}

/* The allocator keeps nothing from one repetition to the next. */
static void
miss_n (void          *data,
        unsigned long  n)
{
  State *state = data;

  for (unsigned long i = 0; i < n; i++)
    {
      allocate_n (state, 1);
      c2g_allocator_trim (state->allocator, 0);
    }
}

static State *
new_state (Make     make,
           gsize    n_bytes,
           gboolean has_user)
{
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
  State *state = g_new0 (State, 1);
  GError *error = NULL;

  state->allocator = make (device, &error);
  check (error);
  state->context = c2g_cuda_context_new (device, &error);
  check (error);
  if (has_user)
    state->user = c2g_cuda_context_new (device, &error);
  check (error);
  state->n_bytes = n_bytes;
  allocate_n (state, 1);

  return state;
}

static void
free_state (void *data)
{
  State *state = data;

  g_clear_object (&state->user);
  g_clear_object (&state->context);
  g_object_unref (state->allocator);
  g_free (state);
}

/* The memory is the processor's, and belongs to no context. */
static C2gAllocator *
make_pinned (C2gDevice  *device,
             GError    **error)
{
  return c2g_cuda_pinned_allocator_new ();
}

static State *
new_pinned (gboolean has_user)
{
  State *state = new_state (make_pinned, SMALL, has_user);

  g_clear_object (&state->context);
  return state;
}

static void *
caching_small (void)
{
  return new_state (c2g_cuda_caching_allocator_new, SMALL, FALSE);
}

static void *
caching_large (void)
{
  return new_state (c2g_cuda_caching_allocator_new, LARGE, FALSE);
}

static void *
caching_used (void)
{
  return new_state (c2g_cuda_caching_allocator_new, SMALL, TRUE);
}

static void *
async_small (void)
{
  return new_state (c2g_cuda_async_allocator_new, SMALL, FALSE);
}

static void *
async_large (void)
{
  return new_state (c2g_cuda_async_allocator_new, LARGE, FALSE);
}

static void *
async_used (void)
{
  return new_state (c2g_cuda_async_allocator_new, SMALL, TRUE);
}

static void *
pinned (void)
{
  return new_pinned (FALSE);
}

static void *
pinned_used (void)
{
  return new_pinned (TRUE);
}

/* CUDA's functions themselves */

static void
run_direct (void          *state,
            unsigned long  n)
{
  for (unsigned long i = 0; i < n; i++)
    {
      void *block;

      check_call (cudaMalloc (&block, SMALL));
      check_call (cudaFree (block));
    }
}

static void *
new_stream (void)
{
  cudaStream_t stream;

  check_call (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking));
  return stream;
}

static void
free_stream (void *stream)
{
  check_call (cudaStreamDestroy (stream));
}

static void
run_direct_async (void          *stream,
                  unsigned long  n)
{
  for (unsigned long i = 0; i < n; i++)
    {
      void *block;

      check_call (cudaMallocAsync (&block, SMALL, stream));
      check_call (cudaFreeAsync (block, stream));
    }
}

static void *
new_pool (void)
{
  guint64 threshold = G_MAXUINT64;
  cudaMemPool_t pool;

  check_call (cudaDeviceGetDefaultMemPool (&pool, 0));
  check_call (cudaMemPoolSetAttribute (pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  return new_stream ();
}

static const BenchRow rows[] = {
  { "caching-hit", caching_small, free_state, allocate_n, 0 },
  { "caching-hit-large", caching_large, free_state, allocate_n, 0 },
  { "caching-other-stream", caching_used, free_state, allocate_n, 0 },
  { "caching-miss", caching_large, free_state, miss_n, 0 },
  { "async", async_small, free_state, allocate_n, 0 },
  { "async-large", async_large, free_state, allocate_n, 0 },
  { "async-other-stream", async_used, free_state, allocate_n, 0 },
  { "pinned-hit", pinned, free_state, allocate_n, 0 },
  { "pinned-used", pinned_used, free_state, allocate_n, 0 },
  { "cuda-malloc", NULL, NULL, run_direct, 0 },
  { "cuda-malloc-async", new_pool, free_stream, run_direct_async, 0 },
};

int
main (int   argc,
      char *argv[])
{
  return bench_main (argc, argv, "c2g-cuda", c2g_get_version_string (), rows, G_N_ELEMENTS (rows));
}
