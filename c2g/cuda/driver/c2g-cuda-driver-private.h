/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* The virtual memory management of the driver. All of them are NULL if one is missing. */
typedef struct
{
  __typeof__ (cuDeviceGetAttribute)          *get_attribute;
  __typeof__ (cuMemGetAllocationGranularity) *get_granularity;
  __typeof__ (cuMemAddressReserve)           *reserve;
  __typeof__ (cuMemAddressFree)              *unreserve;
  __typeof__ (cuMemCreate)                   *create;
  __typeof__ (cuMemRelease)                  *release;
  __typeof__ (cuMemMap)                      *map;
  __typeof__ (cuMemUnmap)                    *unmap;
  __typeof__ (cuMemSetAccess)                *set_access;
} C2gCudaMapping;

/* Functions of the CUDA driver for which the runtime has none. Their statuses have the same numbers
 * as the runtime's, and so have their devices. */
typedef struct
{
  __typeof__ (cuCtxGetCurrent)           *get_current;
  __typeof__ (cuCtxPopCurrent)           *pop;
  __typeof__ (cuCtxPushCurrent)          *push;
  __typeof__ (cuDevicePrimaryCtxRelease) *release;
  __typeof__ (cuDevicePrimaryCtxRetain)  *retain;
  __typeof__ (cuMemGetAddressRange)      *get_range;
  __typeof__ (cuPointerGetAttribute)     *get_attribute;
  C2gCudaMapping                          mapping;
} C2gCudaDriver;

/* NULL if the runtime does not give all of them, apart from `mapping`. */
const C2gCudaDriver *c2g_cuda_driver_get (void);

G_END_DECLS
