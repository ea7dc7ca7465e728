/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-guard-private.h>

#include <c2g/cuda/driver/c2g-cuda-driver-private.h>

/* Makes a device's primary context current for a few calls and restores the caller's context. Every
 * call of CUDA in this library that needs a current device is between these two functions. */

static __thread C2gCudaScope scope = { C2G_CUDA_NO_DEVICE, FALSE };

/* The primary contexts as they were last seen, atomic. The driver keeps the handle of a primary
 * context for the whole process, even after a reset. */
static CUcontext primaries[C2G_CUDA_MAX_DEVICES];

/* cudaInitDevice() first, so that the runtime makes the context and keeps it. */
static cudaError_t
push (C2gCudaGuard        *self,
      const C2gCudaDriver *driver,
      CUcontext            current)
{
  cudaError_t result = cudaInitDevice (self->device, 0, 0);
  CUcontext primary;

  if (result == cudaSuccess)
    result = (cudaError_t) driver->retain (&primary, self->device);
  if (result != cudaSuccess)
    return result;

  g_atomic_pointer_set (&primaries[self->device], primary);
  if (primary != current)
    result = (cudaError_t) driver->push (primary);
  self->is_pushed = primary != current && result == cudaSuccess;
  if (!self->is_pushed)
    driver->release (self->device);

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

/* A thread without a context would get the primary one of its current device in the next call of the
 * runtime. It gets that at once, because functions of the driver need one, too. */
static cudaError_t
make_current (C2gCudaGuard *self)
{
  const C2gCudaDriver *driver = c2g_cuda_driver_get ();
  CUcontext current = NULL;
  cudaError_t result;

  if (driver != NULL && driver->get_current (&current) == CUDA_SUCCESS && current != NULL)
    return current == g_atomic_pointer_get (&primaries[self->device])
             ? cudaSuccess
             : push (self, driver, current);

  result = cudaGetDevice (&self->previous);
  if (result != cudaSuccess)
    return result;

  return driver != NULL && self->previous != self->device ? push (self, driver, NULL)
                                                          : cudaSetDevice (self->device);
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

  self->previous = self->device = device;
  self->is_pushed = FALSE;
  result = make_current (self);
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
  if (self->is_pushed)
    pop (self->device);
  else if (self->previous != self->device)
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
