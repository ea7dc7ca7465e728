/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-guard-private.h>

cudaError_t
c2g_cuda_guard_begin (C2gCudaGuard *self,
                      int           device)
{
  cudaError_t result;

  if (device == C2G_CUDA_NO_DEVICE)
    return cudaErrorInvalidDevice;

  result = cudaGetDevice (&self->previous);
  self->current = device;
  if (result == cudaSuccess && self->previous != device)
    result = cudaSetDevice (device);

  return result;
}

gboolean
c2g_cuda_guard_enter (C2gCudaGuard  *self,
                      int            device,
                      GError       **error)
{
  return c2g_cuda_check (c2g_cuda_guard_begin (self, device), "cudaSetDevice", device, error);
}

/* What fails here fails again at the caller's next call, which can tell of it. */
void
c2g_cuda_guard_leave (C2gCudaGuard *self)
{
  if (self->previous != self->current)
    C2G_CUDA_CALL (self->previous, NULL, cudaSetDevice, self->previous);
}

gboolean
c2g_cuda_guard_relax (enum cudaStreamCaptureMode *previous)
{
  *previous = cudaStreamCaptureModeRelaxed;

  return C2G_CUDA_CALL (0, NULL, cudaThreadExchangeStreamCaptureMode, previous);
}

void
c2g_cuda_guard_tense (enum cudaStreamCaptureMode previous)
{
  C2G_CUDA_CALL (0, NULL, cudaThreadExchangeStreamCaptureMode, &previous);
}
