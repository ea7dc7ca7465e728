/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-guard-private.h>

#include <c2g/cuda/c2g-cuda-error-private.h>

gboolean
c2g_cuda_guard_enter (C2gCudaGuard  *self,
                      int            device,
                      GError       **error)
{
  self->current = device;

  return C2G_CUDA_CALL (device, error, cudaGetDevice, &self->previous) &&
         (self->previous == device || C2G_CUDA_CALL (device, error, cudaSetDevice, device));
}

/* What fails here fails again at the caller's next call, which can tell of it. */
void
c2g_cuda_guard_leave (C2gCudaGuard *self)
{
  if (self->previous != self->current)
    C2G_CUDA_CALL (self->previous, NULL, cudaSetDevice, self->previous);
}
