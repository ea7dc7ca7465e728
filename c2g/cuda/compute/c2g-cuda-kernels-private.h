/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>

#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

#define C2G_CUDA_MAX_DIMS 8

/* The kernels of the library.
 *
 * Each function starts kernels on the stream, on the current device, and returns without waiting
 * for them. Nothing is checked and nothing allocated: the request is right and all memory is on
 * the device, unless C2gComputeKind says otherwise. A function works in place only if its comment
 * says so. An element type without a kernel is cudaErrorNotSupported. With no elements nothing
 * happens.
 *
 * The request is read before the function returns; its kind is not. memory is on the device, too:
 * scratch memory, or the place of a result. It is NULL for functions that need none. */
typedef cudaError_t C2gCudaKernel (const C2gComputeRequest *request,
                                   gpointer                 memory,
                                   cudaStream_t             stream);

/* The kernels with the names of the kinds, as C2gComputeKind describes them. */

C2gCudaKernel c2g_cuda_kernel_arg;
/* y may be x. */
C2gCudaKernel c2g_cuda_kernel_axpby;
/* y may be an operand of the same shape. Neighbouring dimensions are merged where that is
 * possible. If more than C2G_CUDA_MAX_DIMS are left, that is cudaErrorNotSupported. */
C2gCudaKernel c2g_cuda_kernel_binary;
/* Items have 1, 2, 4, 8 or 16 bytes. y may be x or other. */
C2gCudaKernel c2g_cuda_kernel_choose;
/* With the channels first, x has a row for each channel and kernel place. With the channels last it
 * has a row for each input, of kernel places and then channels. */
C2gCudaKernel c2g_cuda_kernel_collect;
C2gCudaKernel c2g_cuda_kernel_convert;
/* In place or not. */
C2gCudaKernel c2g_cuda_kernel_drop;
C2gCudaKernel c2g_cuda_kernel_fill;
/* The position is stored in memory, as guint64, if it is less than what is there. */
C2gCudaKernel c2g_cuda_kernel_find_far;
C2gCudaKernel c2g_cuda_kernel_find_outside;
C2gCudaKernel c2g_cuda_kernel_fold;
/* An index out of range gives zeros, and its place is stored like a position. */
C2gCudaKernel c2g_cuda_kernel_gather;
/* Floats. */
C2gCudaKernel c2g_cuda_kernel_gemm;
/* Not in place. */
C2gCudaKernel c2g_cuda_kernel_lrn;
/* The number is stored in memory, followed by scratch memory; both are as many bytes as the size
 * function returns. */
C2gCudaKernel c2g_cuda_kernel_measure;
gsize         c2g_cuda_kernel_measure_size (void);
/* Items have 1, 2, 4, 8 or 16 bytes. The limit on dimensions is that of BINARY. */
C2gCudaKernel c2g_cuda_kernel_move;
C2gCudaKernel c2g_cuda_kernel_transpose;
/* Items have 1, 2, 4 or 8 bytes. */
C2gCudaKernel c2g_cuda_kernel_pad;
C2gCudaKernel c2g_cuda_kernel_resize_nearest;
/* The corners of y are those of x. */
C2gCudaKernel c2g_cuda_kernel_resize_linear;
C2gCudaKernel c2g_cuda_kernel_paint_planes;
/* Alpha becomes 255. */
C2gCudaKernel c2g_cuda_kernel_paint_pixels;
C2gCudaKernel c2g_cuda_kernel_pool;
/* In place or not. */
C2gCudaKernel c2g_cuda_kernel_prelu;
C2gCudaKernel c2g_cuda_kernel_scale_channels;
/* Over no elements the sum is 0, and the maximum is -INFINITY or the least integer. memory is
 * scratch memory of as many bytes as the size function returns. */
C2gCudaKernel c2g_cuda_kernel_reduce;
gsize         c2g_cuda_kernel_reduce_size  (const C2gComputeRequest *request);
C2gCudaKernel c2g_cuda_kernel_regions;
C2gCudaKernel c2g_cuda_kernel_saturate;
C2gCudaKernel c2g_cuda_kernel_segments;
/* In place or not. */
C2gCudaKernel c2g_cuda_kernel_softmax;
/* The order of equal elements stays. */
C2gCudaKernel c2g_cuda_kernel_top_k;
C2gCudaKernel c2g_cuda_kernel_is_among;
/* In place or not. NaN stays NaN. */
C2gCudaKernel c2g_cuda_kernel_unary;
C2gCudaKernel c2g_cuda_kernel_units;
C2gCudaKernel c2g_cuda_kernel_update;

/* Parts of other kinds. */

/* The comparison of COMPARE. The position is stored as by find_far. */
C2gCudaKernel c2g_cuda_kernel_find_different;
/* The scales and shifts of NORMALIZE, n each, into memory: scales = scale / sqrt (variance +
 * epsilon), and shifts = bias - scales mean. */
C2gCudaKernel c2g_cuda_kernel_find_scales;
/* im2col with n groups: the matrix whose product with the filters is a convolution. With the
 * channels first it has, for each image, a row for each channel and kernel place, and a column for
 * each output. With the channels last it has a row for each output, in which each group has the
 * kernel places, and for each place the group's channels. */
C2gCudaKernel c2g_cuda_kernel_columns;

/* Random numbers, in the ranges that c2g_random_check_uniform() and c2g_random_check_normal()
 * allow. Item i depends only on the seed and on its number in the sequence, offset + i. To continue
 * a sequence, pass the count of numbers drawn before as offset. */
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
