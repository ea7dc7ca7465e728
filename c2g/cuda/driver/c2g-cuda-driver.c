/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-driver-private.h>

#include <c2g/cuda/driver/c2g-cuda-error-private.h>

/* Looks up functions of the CUDA driver that the runtime does not offer. */

/* The version of the functions: CUDA 12.0, the oldest runtime that c2g can be built with. */
#define VERSION 12000

static gpointer
find_function (const char *name)
{
  enum cudaDriverEntryPointQueryResult result;
  gpointer function = NULL;

#if CUDART_VERSION >= 12050
  C2G_CUDA_CALL (0, NULL, cudaGetDriverEntryPointByVersion, name, &function, VERSION,
                 cudaEnableDefault, &result);
#else
  C2G_CUDA_CALL (0, NULL, cudaGetDriverEntryPoint, name, &function, cudaEnableDefault, &result);
#endif

  return function;
}

static void
find_mapping (C2gCudaMapping *self)
{
  self->get_attribute = find_function ("cuDeviceGetAttribute");
  self->get_granularity = find_function ("cuMemGetAllocationGranularity");
  self->reserve = find_function ("cuMemAddressReserve");
  self->unreserve = find_function ("cuMemAddressFree");
  self->create = find_function ("cuMemCreate");
  self->release = find_function ("cuMemRelease");
  self->map = find_function ("cuMemMap");
  self->unmap = find_function ("cuMemUnmap");
  self->set_access = find_function ("cuMemSetAccess");

  if (self->get_attribute == NULL || self->get_granularity == NULL || self->reserve == NULL ||
      self->unreserve == NULL || self->create == NULL || self->release == NULL ||
      self->map == NULL || self->unmap == NULL || self->set_access == NULL)
    *self = (C2gCudaMapping) { NULL };
}

static gboolean
find_functions (C2gCudaDriver *self)
{
  self->get_current = find_function ("cuCtxGetCurrent");
  self->pop = find_function ("cuCtxPopCurrent");
  self->push = find_function ("cuCtxPushCurrent");
  self->release = find_function ("cuDevicePrimaryCtxRelease");
  self->retain = find_function ("cuDevicePrimaryCtxRetain");
  self->get_range = find_function ("cuMemGetAddressRange");
  self->get_attribute = find_function ("cuPointerGetAttribute");
  find_mapping (&self->mapping);

  return self->get_current != NULL && self->pop != NULL && self->push != NULL &&
         self->release != NULL && self->retain != NULL && self->get_range != NULL &&
         self->get_attribute != NULL;
}

/* A failure is not kept: it may come from a call in a host function. */
const C2gCudaDriver *
c2g_cuda_driver_get (void)
{
  static C2gCudaDriver *driver;
  C2gCudaDriver *found = g_atomic_pointer_get (&driver);

  if (G_LIKELY (found != NULL))
    return found;

  found = g_new (C2gCudaDriver, 1);
  if (!find_functions (found) || !g_atomic_pointer_compare_and_exchange (&driver, NULL, found))
    g_free (found);

  return g_atomic_pointer_get (&driver);
}
