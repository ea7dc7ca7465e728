/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-guard-private.h>

#include <c2g/cuda/c2g-cuda-driver-private.h>

/* Makes a device current for a few calls and restores the caller's one. Every call of CUDA in this
 * library that needs a current device is between these two functions. */

static __thread C2gCudaScope scope = { C2G_CUDA_NO_DEVICE, FALSE };

/* cudaInitDevice() first, so that the runtime makes the context and keeps it. */
static cudaError_t
push (const C2gCudaDriver *driver,
      int                  device)
{
  cudaError_t result = cudaInitDevice (device, 0, 0);
  CUcontext context;

  if (result == cudaSuccess)
    result = (cudaError_t) driver->retain (&context, device);
  if (result != cudaSuccess)
    return result;

  result = (cudaError_t) driver->push (context);
  if (result != cudaSuccess)
    driver->release (device);

  return result;
}

static void
pop (int device)
{
  const C2gCudaDriver *driver = c2g_cuda_driver_get ();
  CUcontext context;

  driver->pop (&context);
  driver->release (device);
}

static cudaError_t
make_current (C2gCudaGuard *self,
              int           device)
{
  cudaError_t result = cudaGetDevice (&self->previous);
  const C2gCudaDriver *driver;

  self->current = device;
  if (result != cudaSuccess || self->previous == device)
    return result;

  driver = c2g_cuda_driver_get ();
  self->is_pushed = driver != NULL;

  return self->is_pushed ? push (driver, device) : cudaSetDevice (device);
}

cudaError_t
c2g_cuda_guard_begin (C2gCudaGuard *self,
                      int           device)
{
  cudaError_t result;

  if (device == C2G_CUDA_NO_DEVICE)
    return cudaErrorInvalidDevice;
  if (device < 0)
    return cudaErrorContextIsDestroyed;

  self->is_inner = device == scope.device;
  if (self->is_inner)
    return cudaSuccess;

  result = make_current (self, device);
  if (result != cudaSuccess)
    return result;

  self->outer = scope;
  scope = (C2gCudaScope) { device, FALSE };
  return cudaSuccess;
}

gboolean
c2g_cuda_guard_enter (C2gCudaGuard  *self,
                      int            device,
                      GError       **error)
{
  return c2g_cuda_check (c2g_cuda_guard_begin (self, device), "cudaInitDevice", device, error);
}

/* A failure here occurs again in the caller's next call of CUDA, which can report it. */
void
c2g_cuda_guard_leave (C2gCudaGuard *self)
{
  if (self->is_inner)
    return;

  scope = self->outer;
  if (self->previous == self->current)
    return;

  if (self->is_pushed)
    pop (self->current);
  else
    C2G_CUDA_CALL (self->previous, NULL, cudaSetDevice, self->previous);
}

gboolean
c2g_cuda_guard_was_checked (int device)
{
  gboolean was_checked = scope.device == device && scope.is_checked;

  if (scope.device == device)
    scope.is_checked = TRUE;

  return was_checked;
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
