/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-backend.h>

#include <c2g/cuda/c2g-cuda-async-allocator.h>
#include <c2g/cuda/c2g-cuda-context.h>
#include <c2g/cuda/c2g-cuda-error-private.h>
#include <c2g/cuda/c2g-cuda-stream-private.h>

#include <c2g/core/c2g-i18n-private.h>

static char *
version_text (int version)
{
  return g_strdup_printf ("%d.%d", version / 1000, version % 1000 / 10);
}

/* CUDA's own text names neither of the two versions. */
static void
set_old_driver (const char  *cause,
                GError     **error)
{
  g_autofree char *driver_text = NULL;
  g_autofree char *runtime_text = NULL;
  int driver = 0, runtime = 0;

  (void) cudaDriverGetVersion (&driver);
  (void) cudaRuntimeGetVersion (&runtime);
  driver_text = version_text (driver);
  runtime_text = version_text (runtime);

  if (driver == 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("There is no CUDA driver: %s"), cause);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("The CUDA driver is for CUDA %s, and the library for CUDA %s: %s"), driver_text,
                 runtime_text, cause);
}

static int
get_n_devices (GError **error)
{
  g_autofree char *cause = NULL;
  int n_devices = 0;
  cudaError_t result = cudaGetDeviceCount (&n_devices);

  if (result == cudaSuccess)
    return n_devices;

  (void) cudaGetLastError ();
  cause = c2g_cuda_dup_cause (result);
  if (result == cudaErrorInsufficientDriver)
    set_old_driver (cause, error);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("No CUDA device can be used: %s"), cause);

  return 0;
}

static C2gAllocator *
get_allocator (C2gDevice  *device,
               GError    **error)
{
  static C2gAllocator *allocators[C2G_CUDA_MAX_DEVICES];
  C2gAllocator **place = &allocators[c2g_device_get_index (device)];
  C2gAllocator *allocator = g_atomic_pointer_get (place);

  if (allocator != NULL)
    return g_object_ref (allocator);

  allocator = c2g_cuda_async_allocator_new (device, error);
  if (allocator == NULL)
    return NULL;

  /* Another thread may have been faster. */
  if (!g_atomic_pointer_compare_and_exchange (place, NULL, allocator))
    g_object_unref (allocator);

  return g_object_ref (g_atomic_pointer_get (place));
}

/**
 * c2g_cuda_device_backend: (skip)
 * @error: return location for an error
 *
 * Gives what c2g asks for when a CUDA device is first used.
 *
 * The machine need not have one; then the backend says so when it is asked for a
 * device.
 *
 * Returns: the backend
 */
const C2gDeviceBackend *
c2g_cuda_device_backend (GError **error)
{
  static const C2gDeviceBackend backend = {
    .version = C2G_DEVICE_BACKEND_VERSION,
    .device_type = C2G_DEVICE_TYPE_CUDA,
    .name = "CUDA",
    .get_n_devices = get_n_devices,
    .create_context = c2g_cuda_context_new,
    .get_allocator = get_allocator,
  };

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return &backend;
}
