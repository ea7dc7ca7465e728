/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What it costs to take a block on a GPU and to give it back, when there is one: by the
 * library's allocators, and by CUDA's functions. */

#include "bench.h"

#include <c2g/cuda/c2g-cuda.h>

#include <cuda_runtime_api.h>
#include <stdlib.h>

typedef struct
{
  C2gAllocator *allocator;
  C2gContext   *context;
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
allocate_n (State         *state,
            unsigned long  n)
{
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    {
      C2gStorage *storage = c2g_allocator_allocate (state->allocator, state->n_bytes,
                                                    state->context, &error);

      check (error);
      c2g_storage_unref (storage);
    }
}

static void *
new_state (C2gAllocator *(*make) (C2gDevice  *device,
                                  GError    **error),
           gsize           n_bytes)
{
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
  State *state = g_new0 (State, 1);
  GError *error = NULL;

  state->allocator = make (device, &error);
  check (error);
  state->context = c2g_cuda_context_new (device, &error);
  check (error);
  state->n_bytes = n_bytes;
  allocate_n (state, 1);

  return state;
}

static void *
caching_small (void)
{
  return new_state (c2g_cuda_caching_allocator_new, 4096);
}

static void *
caching_large (void)
{
  return new_state (c2g_cuda_caching_allocator_new, 17 << 20);
}

static void *
async_small (void)
{
  return new_state (c2g_cuda_async_allocator_new, 4096);
}

static void *
async_large (void)
{
  return new_state (c2g_cuda_async_allocator_new, 17 << 20);
}

static void
free_state (void *data)
{
  State *state = data;

  g_object_unref (state->context);
  g_object_unref (state->allocator);
  g_free (state);
}

static void
run_state (void          *state,
           unsigned long  n)
{
  allocate_n (state, n);
}

static void
run_direct (void          *state,
            unsigned long  n)
{
  for (unsigned long i = 0; i < n; i++)
    {
      void *block;

      if (cudaMalloc (&block, 4096) != cudaSuccess || cudaFree (block) != cudaSuccess)
        exit (EXIT_FAILURE);
    }
}

static const BenchRow rows[] = {
  { "caching, 4 KiB", caching_small, free_state, run_state, 0 },
  { "caching, 17 MiB", caching_large, free_state, run_state, 0 },
  { "stream-ordered, 4 KiB", async_small, free_state, run_state, 0 },
  { "stream-ordered, 17 MiB", async_large, free_state, run_state, 0 },
  { "cudaMalloc, 4 KiB", NULL, NULL, run_direct, 0 },
};

int
main (int   argc,
      char *argv[])
{
  return bench_main (argc, argv, "c2g-cuda", c2g_get_version_string (), rows, G_N_ELEMENTS (rows));
}
