/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-compute-private.h>

#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Requests of operators and tensors. Most kinds are one kernel of the same name, which is started
 * with the request as it came; the others are functions here or in files of their own. */

typedef struct
{
  C2gCudaKernel *kernel;
  const char    *name;
} Row;

#define ROW(kernel)                                      \
  {                                                      \
    c2g_cuda_kernel_##kernel, "c2g_cuda_kernel_" #kernel \
  }

static const Row rows[] = {
  [C2G_COMPUTE_KIND_FILL] = ROW (fill),
  [C2G_COMPUTE_KIND_CONVERT] = ROW (convert),
  [C2G_COMPUTE_KIND_UNARY] = ROW (unary),
  [C2G_COMPUTE_KIND_BINARY] = ROW (binary),
  [C2G_COMPUTE_KIND_FOLD] = ROW (fold),
  [C2G_COMPUTE_KIND_ARG] = ROW (arg),
  [C2G_COMPUTE_KIND_SOFTMAX] = ROW (softmax),
  [C2G_COMPUTE_KIND_SCALE_CHANNELS] = ROW (scale_channels),
  [C2G_COMPUTE_KIND_PRELU] = ROW (prelu),
  [C2G_COMPUTE_KIND_LRN] = ROW (lrn),
  [C2G_COMPUTE_KIND_MOVE] = ROW (move),
  [C2G_COMPUTE_KIND_TRANSPOSE] = ROW (transpose),
  [C2G_COMPUTE_KIND_POOL] = ROW (pool),
  [C2G_COMPUTE_KIND_AXPBY] = ROW (axpby),
  [C2G_COMPUTE_KIND_CHOOSE] = ROW (choose),
  [C2G_COMPUTE_KIND_DROP] = ROW (drop),
  [C2G_COMPUTE_KIND_TOP_K] = ROW (top_k),
  [C2G_COMPUTE_KIND_IS_AMONG] = ROW (is_among),
  [C2G_COMPUTE_KIND_PAD] = ROW (pad),
  [C2G_COMPUTE_KIND_RESIZE] = ROW (resize_nearest),
  [C2G_COMPUTE_KIND_RESIZE_LINEAR] = ROW (resize_linear),
  [C2G_COMPUTE_KIND_PAINT_PLANES] = ROW (paint_planes),
  [C2G_COMPUTE_KIND_PAINT_PIXELS] = ROW (paint_pixels),
  [C2G_COMPUTE_KIND_COLLECT] = ROW (collect),
  [C2G_COMPUTE_KIND_UPDATE] = ROW (update),
  [C2G_COMPUTE_KIND_SEGMENTS] = ROW (segments),
  [C2G_COMPUTE_KIND_SATURATE] = ROW (saturate),
  [C2G_COMPUTE_KIND_REGIONS] = ROW (regions),
  [C2G_COMPUTE_KIND_UNITS] = ROW (units),
};

static gboolean
start_kernel (C2gContext               *context,
              const C2gComputeRequest  *request,
              GError                  **error)
{
  const Row *row = request->kind < G_N_ELEMENTS (rows) ? &rows[request->kind] : NULL;

  if (row != NULL && row->kernel != NULL)
    return c2g_cuda_launch (context, row->kernel, row->name, request, NULL, error);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("%s has no function for this; let it run on the CPU"), "CUDA");
}

static gboolean
compute_reduce (C2gContext               *context,
                const C2gComputeRequest  *request,
                GError                  **error)
{
  g_auto (C2gCudaScratch) scratch = { NULL };

  return c2g_cuda_launch_scratch (context, c2g_cuda_kernel_reduce_size (request), &scratch,
                                  error) &&
         C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_reduce, request, scratch.address);
}

static gboolean
compute_normalize (C2gContext               *context,
                   const C2gComputeRequest  *request,
                   GError                  **error)
{
  g_auto (C2gCudaScratch) scratch = { NULL };
  C2gComputeRequest scaling = *request;

  if (!c2g_cuda_launch_scratch (context, 2 * request->n * sizeof (float), &scratch, error))
    return FALSE;

  scaling.scale = scratch.address;
  scaling.bias = scaling.scale + request->n;

  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_find_scales, request, scratch.address) &&
         C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_scale_channels, &scaling, NULL);
}

static gboolean
has_kind (C2gComputeKind kind)
{
  return kind <= C2G_COMPUTE_KIND_UNITS;
}

static gboolean
start (C2gContext               *context,
       const C2gComputeRequest  *request,
       GError                  **error)
{
  switch (request->kind)
    {
    case C2G_COMPUTE_KIND_REDUCE:
      return compute_reduce (context, request, error);
    case C2G_COMPUTE_KIND_NORMALIZE:
      return compute_normalize (context, request, error);
    case C2G_COMPUTE_KIND_GATHER:
      return c2g_cuda_compute_gather (context, request, error);
    case C2G_COMPUTE_KIND_CONV:
      return c2g_cuda_compute_conv (context, request->conv, error);
    case C2G_COMPUTE_KIND_GEMM:
      return c2g_cuda_compute_gemm (context, request->gemm, error);
    case C2G_COMPUTE_KIND_FIND_OUTSIDE:
    case C2G_COMPUTE_KIND_COMPARE:
    case C2G_COMPUTE_KIND_FIND_FAR:
      return c2g_cuda_compute_find (context, request, error);
    case C2G_COMPUTE_KIND_MEASURE:
      return c2g_cuda_compute_measure (context, request, error);
    default:
      return start_kernel (context, request, error);
    }
}

/* All calls of CUDA for a request are made under one guard, so that the device is asked for once. */
static gboolean
run (C2gContext               *context,
     const C2gComputeRequest  *request,
     GError                  **error)
{
  return C2G_CUDA_WITH_GUARD (c2g_cuda_stream_index (c2g_cuda_context_peek_stream (context)), error,
                              start (context, request, error));
}

const C2gDeviceCompute c2g_cuda_compute = {
  .has = has_kind,
  .run = run,
};
