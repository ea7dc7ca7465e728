/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

#include <c2g/cuda/compute/c2g-cuda-context-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/* The common part of all kernel launches: stream, current device, errors and scratch memory. */

gboolean
c2g_cuda_launch_begin (C2gCudaLaunch  *self,
                       C2gContext     *context,
                       GError        **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  self->stream = c2g_cuda_stream_peek (stream);
  self->device = c2g_cuda_stream_index (stream);

  return c2g_cuda_guard_enter (&self->guard, self->device, error);
}

gboolean
c2g_cuda_launch_end (C2gCudaLaunch  *self,
                     cudaError_t     result,
                     const char     *kernel,
                     GError        **error)
{
  c2g_cuda_guard_leave (&self->guard);

  return c2g_cuda_check (result, kernel, self->device, error);
}

static gboolean
says_elements (const C2gComputeRequest *request)
{
  return request->type != C2G_DATA_TYPE_UNDEFINED || request->item_size > 0 || request->n_dims > 0;
}

/* Names what the kernel does not take. */
static gboolean
fail_unsupported (const C2gCudaLaunch      *self,
                  const C2gComputeRequest  *request,
                  GError                  **error)
{
  if (request->n_dims > C2G_CUDA_MAX_DIMS)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("cuda:%d has no function for this in %zu dimensions; let it run on the CPU"),
                 self->device, request->n_dims);
  else if (request->type == C2G_DATA_TYPE_UNDEFINED && request->item_size > 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("cuda:%d has no function for this with items of %zu bytes; let it run on the CPU"),
                 self->device, request->item_size);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("cuda:%d has no function for this with elements of type %s; let it run on the "
                   "CPU"),
                 self->device, c2g_data_type_get_name (request->type));
  return FALSE;
}

gboolean
c2g_cuda_launch (C2gContext               *context,
                 C2gCudaKernel            *kernel,
                 const char               *name,
                 const C2gComputeRequest  *request,
                 gpointer                  memory,
                 GError                  **error)
{
  C2gCudaLaunch launch;
  cudaError_t result;

  if (!c2g_cuda_launch_begin (&launch, context, error))
    return FALSE;

  result = kernel (request, memory, launch.stream);
  if (result != cudaErrorNotSupported || !says_elements (request))
    return c2g_cuda_launch_end (&launch, result, name, error);

  c2g_cuda_guard_leave (&launch.guard);
  return fail_unsupported (&launch, request, error);
}

gboolean
c2g_cuda_launch_scratch (C2gContext      *context,
                         gsize            n_bytes,
                         C2gCudaScratch  *scratch,
                         GError         **error)
{
  return c2g_cuda_scratch_take (
    scratch, c2g_cuda_context_peek_workspace (context, C2G_CUDA_WORKSPACE_SCRATCH), context,
    n_bytes, error);
}

gboolean
c2g_cuda_launch_read (C2gContext     *context,
                      gconstpointer   source,
                      gsize           n_bytes,
                      gpointer        destination,
                      GError        **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (stream), error, cudaMemcpyAsync, destination,
                               source, n_bytes, cudaMemcpyDeviceToHost,
                               c2g_cuda_stream_peek (stream)) &&
         c2g_cuda_stream_finish (stream, error);
}
