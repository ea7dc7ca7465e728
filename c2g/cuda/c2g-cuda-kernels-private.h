/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>

#include <c2g/core/c2g-data-type.h>

G_BEGIN_DECLS

/* What the library calculates on a device by itself.
 *
 * Each of these starts kernels on the stream, in the current device, and returns without
 * waiting for them.  Nothing is checked and nothing allocated: arguments are right, all
 * memory is of the device, and results may be where operands are if it says so.  An element
 * type that there is no kernel for is cudaErrorNotSupported.  Nothing happens for no
 * elements. */

/* Every one of n items becomes what item, in host memory, is. */
cudaError_t c2g_cuda_kernel_fill    (gpointer       data,
                                     gconstpointer  item,
                                     gsize          item_size,
                                     gsize          n,
                                     cudaStream_t   stream);

/* After the rules of the operator Cast. */
cudaError_t c2g_cuda_kernel_convert (C2gDataType    from,
                                     gconstpointer  x,
                                     C2gDataType    to,
                                     gpointer       y,
                                     gsize          n,
                                     cudaStream_t   stream);

/* Random numbers, in the ranges that c2g_random_check_uniform() and
 * c2g_random_check_normal() allow.  Item i is what its number, offset + i, and the seed make
 * it: an offset of as many as have been drawn before goes on with a sequence. */
cudaError_t c2g_cuda_kernel_random_uniform (C2gDataType   type,
                                            gpointer      data,
                                            gsize         n,
                                            double        low,
                                            double        high,
                                            guint64       seed,
                                            guint64       offset,
                                            cudaStream_t  stream);
cudaError_t c2g_cuda_kernel_random_normal  (C2gDataType   type,
                                            gpointer      data,
                                            gsize         n,
                                            double        mean,
                                            double        deviation,
                                            guint64       seed,
                                            guint64       offset,
                                            cudaStream_t  stream);

G_END_DECLS
