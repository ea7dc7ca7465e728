/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures copies between the processor and a GPU by c2g, and by CUDA's own function with the same
 * memory and stream. */

#include "bench-cuda.h"

#include <c2g/cuda/c2g-cuda.h>

#include <stdlib.h>

typedef struct
{
  C2gContext *context;
  C2gTensor  *source;
  C2gTensor  *destination;
} Copy;

static void
check (GError *error)
{
  if (error == NULL)
    return;

  g_printerr ("bench-cuda-copy: %s\n", error->message);
  exit (EXIT_FAILURE);
}

static void
run_own (gpointer state)
{
  Copy *copy = state;
  GError *error = NULL;

  c2g_context_copy (copy->context, copy->source, copy->destination, &error);
  check (error);
}

static void
run_direct (gpointer state)
{
  Copy *copy = state;
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (copy->context));

  bench_cuda_check (
      cudaMemcpyAsync ((gpointer) (gsize) c2g_tensor_get_address (copy->destination),
                       (gpointer) (gsize) c2g_tensor_get_address (copy->source),
                       c2g_tensor_get_n_bytes (copy->source), cudaMemcpyDefault,
                       (cudaStream_t) (gsize) c2g_cuda_stream_get_handle (stream)));
}

/* NULL stands for the default allocator of the device. */
static C2gTensor *
new_bytes (C2gDevice    *device,
           C2gAllocator *allocator,
           gsize         n_bytes)
{
  const gint64 n = (gint64) n_bytes;
  GError *error = NULL;
  C2gStorage *storage = allocator != NULL
                          ? c2g_allocator_allocate (allocator, n_bytes, NULL, &error)
                          : c2g_storage_new (device, n_bytes, NULL, &error);
  C2gTensor *tensor;

  check (error);
  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, &n, 1, storage, 0, &error);
  check (error);
  c2g_storage_unref (storage);

  return tensor;
}

static void
measure (const char *name,
         C2gContext *context,
         C2gTensor  *source,
         C2gTensor  *destination)
{
  g_autofree char *own = g_strconcat (name, " c2g", NULL);
  g_autofree char *direct = g_strconcat (name, " direct", NULL);
  Copy copy = { context, source, destination };
  double n_bytes = (double) c2g_tensor_get_n_bytes (source);

  bench_cuda_row (own, n_bytes, run_own, &copy);
  bench_cuda_row (direct, n_bytes, run_direct, &copy);
}

static void
measure_all (const char   *kind,
             C2gContext   *context,
             C2gAllocator *allocator,
             gsize         n_bytes)
{
  C2gDevice *device = c2g_context_get_device (context);
  g_autoptr (C2gTensor) near = new_bytes (c2g_device_cpu (), allocator, n_bytes);
  g_autoptr (C2gTensor) far = new_bytes (device, NULL, n_bytes);
  g_autofree char *there = g_strdup_printf ("%s to the GPU", kind);
  g_autofree char *back = g_strdup_printf ("%s from the GPU", kind);

  measure (there, context, near, far);
  measure (back, context, far, near);
}

static void
measure_within (C2gContext *context,
                gsize       n_bytes)
{
  C2gDevice *device = c2g_context_get_device (context);
  g_autoptr (C2gTensor) source = new_bytes (device, NULL, n_bytes);
  g_autoptr (C2gTensor) destination = new_bytes (device, NULL, n_bytes);

  measure ("64 MiB within the GPU", context, source, destination);
}

int
main (int   argc,
      char *argv[])
{
  GError *error = NULL;
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gAllocator) pinned = NULL;
  const gsize n_bytes = bench_cuda_size (64 << 20, 64 << 10);

  bench_cuda_begin ("c2g-cuda-copy", c2g_get_version_string ());
  context = c2g_cuda_context_new (c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL), &error);
  check (error);
  pinned = c2g_cuda_pinned_allocator_new ();
  measure_all ("64 MiB pinned", context, pinned, n_bytes);
  measure_all ("4 KiB pinned", context, pinned, 4096);
  measure_all ("64 MiB pageable", context, NULL, n_bytes);
  measure_within (context, n_bytes);
  bench_cuda_end ();

  return EXIT_SUCCESS;
}
