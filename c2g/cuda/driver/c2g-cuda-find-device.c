/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-find-device.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>

#include <inttypes.h>

/**
 * c2g_cuda_find_device:
 * @address: address of memory that another library allocated
 * @error: return location for an error
 *
 * Finds the device of the memory at an address, for interfaces that pass only the address.
 *
 * It may be called from any thread.
 *
 * Errors: `C2G_ERROR_DEVICE` for an address that is not in memory of a CUDA device, and
 * errors of CUDA.
 *
 * Returns: (transfer none): the device
 */
C2gDevice *
c2g_cuda_find_device (guint64   address,
                      GError  **error)
{
  struct cudaPointerAttributes attributes = { .type = cudaMemoryTypeUnregistered };

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (address != 0 &&
      !C2G_CUDA_CALL (0, error, cudaPointerGetAttributes, &attributes,
                      (gconstpointer) (guintptr) address))
    return NULL;
  if (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged)
    return c2g_device_new (C2G_DEVICE_TYPE_CUDA, attributes.device, error);

  return c2g_fail_null (error, C2G_ERROR_DEVICE,
                        _("There is no memory of a CUDA device at 0x%" PRIx64), address);
}
