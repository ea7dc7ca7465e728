/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "fake-private.h"

#include <cuda.h>

/* The driver's functions, which fake-contexts.c gives out by their names. */

CUresult fake_device_get_attribute (int                              *value,
                                    CUdevice_attribute                attribute,
                                    CUdevice                          device);
CUresult fake_mem_address_free     (CUdeviceptr                       pointer,
                                    size_t                            n_bytes);
CUresult fake_mem_address_reserve  (CUdeviceptr                      *pointer,
                                    size_t                            n_bytes,
                                    size_t                            alignment,
                                    CUdeviceptr                       hint,
                                    unsigned long long                flags);
CUresult fake_mem_create           (CUmemGenericAllocationHandle     *handle,
                                    size_t                            n_bytes,
                                    const CUmemAllocationProp        *properties,
                                    unsigned long long                flags);
CUresult fake_mem_get_granularity  (size_t                           *granularity,
                                    const CUmemAllocationProp        *properties,
                                    CUmemAllocationGranularity_flags  option);
CUresult fake_mem_map              (CUdeviceptr                       pointer,
                                    size_t                            n_bytes,
                                    size_t                            offset,
                                    CUmemGenericAllocationHandle      handle,
                                    unsigned long long                flags);
CUresult fake_mem_release          (CUmemGenericAllocationHandle      handle);
CUresult fake_mem_set_access       (CUdeviceptr                       pointer,
                                    size_t                            n_bytes,
                                    const CUmemAccessDesc            *accesses,
                                    size_t                            n_accesses);
CUresult fake_mem_unmap            (CUdeviceptr                       pointer,
                                    size_t                            n_bytes);
