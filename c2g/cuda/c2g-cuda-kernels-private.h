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
 * for them. Nothing is checked and nothing allocated: the arguments are right and all memory is on
 * the device. A function works in place only if its comment says so. An element type without a
 * kernel is cudaErrorNotSupported. With no elements nothing happens. */

/* Sets each of n items to a copy of item, which is in host memory. */
cudaError_t c2g_cuda_kernel_fill    (gpointer       data,
                                     gconstpointer  item,
                                     gsize          item_size,
                                     gsize          n,
                                     cudaStream_t   stream);

/* Converts elements after the rules of the operator Cast. */
cudaError_t c2g_cuda_kernel_convert (C2gDataType    from,
                                     gconstpointer  x,
                                     C2gDataType    to,
                                     gpointer       y,
                                     gsize          n,
                                     cudaStream_t   stream);

/* Converts integers to integers of item_size bytes. One out of the range becomes the nearest one in
 * it. */
cudaError_t c2g_cuda_kernel_saturate (C2gDataType            from,
                                      gconstpointer          x,
                                      gsize                  item_size,
                                      gpointer               y,
                                      gsize                  n,
                                      const C2gComputeRange *range,
                                      cudaStream_t           stream);

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

/* In place or not. NaN stays NaN. */
cudaError_t c2g_cuda_kernel_unary (C2gComputeUnary  op,
                                   C2gDataType      type,
                                   gconstpointer    x,
                                   gpointer         y,
                                   gsize            n,
                                   float            a,
                                   float            b,
                                   cudaStream_t     stream);

/* The result has these dims, without gaps, and may be an operand of the same shape. Strides are in
 * elements; stride 0 broadcasts. Neighbouring dimensions are merged where that is possible. If more
 * than C2G_CUDA_MAX_DIMS are left, that is cudaErrorNotSupported. */
cudaError_t c2g_cuda_kernel_binary (C2gComputeBinary  op,
                                    C2gDataType       type,
                                    const gint64     *dims,
                                    gsize             n_dims,
                                    gconstpointer     a,
                                    const gint64     *a_strides,
                                    gconstpointer     b,
                                    const gint64     *b_strides,
                                    gpointer          c,
                                    cudaStream_t      stream);

/* Vectors of n elements, of floating-point types. scale: y = alpha x, in place or not. axpy: y =
 * alpha x + y. axpby: y = alpha x + beta y, where y is not read if beta is 0. */
cudaError_t c2g_cuda_kernel_scale (C2gDataType    type,
                                   gsize          n,
                                   double         alpha,
                                   gconstpointer  x,
                                   gpointer       y,
                                   cudaStream_t   stream);
cudaError_t c2g_cuda_kernel_axpy  (C2gDataType    type,
                                   gsize          n,
                                   double         alpha,
                                   gconstpointer  x,
                                   gpointer       y,
                                   cudaStream_t   stream);
cudaError_t c2g_cuda_kernel_axpby (C2gDataType    type,
                                   gsize          n,
                                   double         alpha,
                                   gconstpointer  x,
                                   double         beta,
                                   gpointer       y,
                                   cudaStream_t   stream);

/* A number that is computed from vectors in double, always in the same order. y is the other
 * vector of DOT. *result, in memory of the device, is followed by scratch memory; both are as many
 * bytes as the size function returns. */
gsize       c2g_cuda_kernel_measure_size  (void);
cudaError_t c2g_cuda_kernel_measure       (C2gComputeMeasure  measure,
                                           C2gDataType        type,
                                           gsize              n,
                                           gconstpointer      x,
                                           gconstpointer      y,
                                           double            *result,
                                           cudaStream_t       stream);

/* Searches. The position of the first element that is found is stored in *found, in memory of the
 * device, if it is less than what is there. find_different stores any number less than n_bytes if
 * the bytes differ. */
cudaError_t c2g_cuda_kernel_find_outside   (C2gDataType            type,
                                            gconstpointer          x,
                                            gsize                  n,
                                            const C2gComputeRange *range,
                                            guint64               *found,
                                            cudaStream_t           stream);
cudaError_t c2g_cuda_kernel_find_different (gconstpointer          x,
                                            gconstpointer          y,
                                            gsize                  n_bytes,
                                            guint64               *found,
                                            cudaStream_t           stream);
cudaError_t c2g_cuda_kernel_find_far       (const double          *x,
                                            const double          *y,
                                            gsize                  n,
                                            double                 rtol,
                                            double                 atol,
                                            gboolean               equal_nan,
                                            guint64               *found,
                                            cudaStream_t           stream);

/* Reduces over the axes whose bits are set. y has an element of the same type for each index of the
 * other axes. Over no elements the sum is 0, and the maximum is -INFINITY or the least integer. */
gsize       c2g_cuda_kernel_reduce_scratch_size (const gint64   *dims,
                                                 gsize           n_dims,
                                                 guint32         axes);
cudaError_t c2g_cuda_kernel_reduce              (C2gComputeReduce  op,
                                                 C2gDataType       type,
                                                 gconstpointer     x,
                                                 const gint64     *dims,
                                                 gsize             n_dims,
                                                 guint32           axes,
                                                 gpointer          y,
                                                 gpointer          scratch,
                                                 cudaStream_t      stream);
/* The index of the largest or smallest element along the middle one of three axes. Of equal
 * elements it is the first. */
cudaError_t c2g_cuda_kernel_arg                 (gboolean        is_max,
                                                 C2gDataType     type,
                                                 gconstpointer   x,
                                                 gsize           n_outer,
                                                 gsize           n,
                                                 gsize           n_inner,
                                                 gint64         *y,
                                                 cudaStream_t    stream);

/* Softmax, or its logarithm, of rows of n elements, in place or not. */
cudaError_t c2g_cuda_kernel_softmax (gboolean       is_log,
                                     C2gDataType    type,
                                     gconstpointer  x,
                                     gpointer       y,
                                     gsize          n_rows,
                                     gsize          n,
                                     cudaStream_t   stream);

/* The SUM, MAX or MIN of arrays of n elements, element by element. y may be xs[0]. */
cudaError_t c2g_cuda_kernel_fold (C2gComputeReduce      op,
                                  C2gDataType           type,
                                  const gconstpointer  *xs,
                                  gsize                 n_inputs,
                                  gpointer              y,
                                  gsize                 n,
                                  cudaStream_t          stream);

/* The channels are the middle one of three axes; in place or not. y = scales[c] x + shifts[c], or,
 * if there are no scales, y = x + shifts[c]. */
cudaError_t c2g_cuda_kernel_scale_channels (C2gDataType    type,
                                            gconstpointer  x,
                                            const float   *scales,
                                            const float   *shifts,
                                            gpointer       y,
                                            gsize          n_outer,
                                            gsize          n_channels,
                                            gsize          n_inner,
                                            cudaStream_t   stream);
/* y = x > 0 ? x : slope x. Slopes have the type of x; there is one for each channel, or one for
 * all. */
cudaError_t c2g_cuda_kernel_prelu          (C2gDataType    type,
                                            gconstpointer  x,
                                            gconstpointer  slopes,
                                            gsize          n_slopes,
                                            gpointer       y,
                                            gsize          n_outer,
                                            gsize          n_channels,
                                            gsize          n_inner,
                                            cudaStream_t   stream);
/* The scales and shifts of SpatialBN: scales = scale / sqrt (variance + epsilon), and shifts = bias
 * - scales mean. scale and bias may be NULL, which means 1 and 0. */
cudaError_t c2g_cuda_kernel_find_scales    (gsize          n,
                                            const float   *scale,
                                            const float   *bias,
                                            const float   *mean,
                                            const float   *variance,
                                            float          epsilon,
                                            float         *scales,
                                            float         *shifts,
                                            cudaStream_t   stream);
/* LRN: y = x scales^-beta with scales = bias + alpha / size × (sum of squares over `size` channels
 * around the element's own). scales is the second output, or NULL. Not in place. */
cudaError_t c2g_cuda_kernel_lrn            (C2gDataType    type,
                                            gconstpointer  x,
                                            gsize          n_outer,
                                            gsize          n_channels,
                                            gsize          n_inner,
                                            int            size,
                                            float          alpha,
                                            float          beta,
                                            float          bias,
                                            gpointer       y,
                                            float         *scales,
                                            cudaStream_t   stream);

/* Copies items of 1, 2, 4, 8 or 16 bytes between two strided arrays. Strides are in items. The
 * limit on dimensions is that of c2g_cuda_kernel_binary(). */
cudaError_t c2g_cuda_kernel_move      (gsize          item_size,
                                       const gint64  *dims,
                                       gsize          n_dims,
                                       gconstpointer  x,
                                       const gint64  *x_strides,
                                       gpointer       y,
                                       const gint64  *y_strides,
                                       cudaStream_t   stream);
/* Dimension i of the result is dimension axes[i] of x. */
cudaError_t c2g_cuda_kernel_transpose (gsize          item_size,
                                       const gint64  *dims,
                                       gsize          n_dims,
                                       const int     *axes,
                                       gconstpointer  x,
                                       gpointer       y,
                                       cudaStream_t   stream);

/* x has `size` blocks for each of n_outer places. y has the blocks that the indices, INT32 or
 * INT64, select. All places have the same indices, or each its own if has_own. If wraps, negative
 * indices count from the end. An index out of range gives zeros, and its number is stored in *bad,
 * in memory of the device, if it is less than what is there. */
cudaError_t c2g_cuda_kernel_gather (gconstpointer  x,
                                    gsize          n_outer,
                                    gsize          size,
                                    gsize          n_block_bytes,
                                    C2gDataType    index_type,
                                    gconstpointer  indices,
                                    gsize          n_indices,
                                    gboolean       wraps,
                                    gboolean       has_own,
                                    gpointer       y,
                                    guint64       *bad,
                                    cudaStream_t   stream);

/* y[i] = choice[i / n_alike] ? a[i] : b[i], for items of 1, 2, 4, 8 or 16 bytes. y may be a or
 * b. */
cudaError_t c2g_cuda_kernel_choose (gsize          item_size,
                                    const guint8  *choice,
                                    gsize          n_alike,
                                    gconstpointer  a,
                                    gconstpointer  b,
                                    gpointer       y,
                                    gsize          n,
                                    cudaStream_t   stream);
/* Dropout in training: y = draw < ratio ? 0 : x / (1 - ratio), where draws are from 0 to 1. The
 * mask is 1 where the element was kept. In place or not. */
cudaError_t c2g_cuda_kernel_drop   (C2gDataType    type,
                                    gconstpointer  x,
                                    const float   *draws,
                                    float          ratio,
                                    gpointer       y,
                                    guint8        *mask,
                                    gsize          n,
                                    cudaStream_t   stream);

/* The k largest elements along the middle one of three axes, in descending order, and their
 * indices. Of equal elements the first comes first. If there are fewer than k the rest is 0, with
 * index -1. */
cudaError_t c2g_cuda_kernel_top_k    (C2gDataType    type,
                                      gconstpointer  x,
                                      gsize          n_outer,
                                      gsize          n,
                                      gsize          n_inner,
                                      gsize          k,
                                      gpointer       values,
                                      gint64        *indices,
                                      cudaStream_t   stream);
/* y is 1 if the score that the label selects is among the k best of its row, otherwise 0. Of equal
 * scores the first is better. Labels are valid indices. */
cudaError_t c2g_cuda_kernel_is_among (const float   *scores,
                                      const gint32  *labels,
                                      gsize          n_rows,
                                      gsize          n,
                                      gint64         k,
                                      float         *y,
                                      cudaStream_t   stream);

/* Steps of optimizers, and sums, means or maxima of segments of rows. */
cudaError_t c2g_cuda_kernel_update   (const C2gComputeUpdate    *update,
                                      cudaStream_t               stream);
cudaError_t c2g_cuda_kernel_segments (const C2gComputeSegments  *segments,
                                      cudaStream_t               stream);

/* Pictures of n pixels with four bytes each (blue, green, red, alpha), and planes of the first
 * three. paint_planes subtracts the mean of the plane and adds noise, whose n_noise numbers are
 * repeated. paint_pixels adds the mean, and sets alpha to 255. */
cudaError_t c2g_cuda_kernel_paint_planes (const guint8  *x,
                                          gsize          n_pictures,
                                          gsize          n,
                                          const float   *mean,
                                          const float   *noise,
                                          gsize          n_noise,
                                          float         *y,
                                          cudaStream_t   stream);
cudaError_t c2g_cuda_kernel_paint_pixels (const float   *x,
                                          gsize          n_pictures,
                                          gsize          n,
                                          const float   *mean,
                                          guint8        *y,
                                          cudaStream_t   stream);

/* Items have 1, 2, 4 or 8 bytes. Negative borders crop. value is in host memory. */
cudaError_t c2g_cuda_kernel_pad            (gsize                     item_size,
                                            gconstpointer             x,
                                            const C2gComputePictures *pictures,
                                            gint64                    top,
                                            gint64                    left,
                                            C2gComputePad             mode,
                                            gconstpointer             value,
                                            gpointer                  y,
                                            cudaStream_t              stream);
cudaError_t c2g_cuda_kernel_resize_nearest (gsize                     item_size,
                                            gconstpointer             x,
                                            const C2gComputePictures *pictures,
                                            float                     height_scale,
                                            float                     width_scale,
                                            gpointer                  y,
                                            cudaStream_t              stream);
/* Bilinear interpolation of the four elements around. The corners of y are those of x. */
cudaError_t c2g_cuda_kernel_resize_linear  (const float              *x,
                                            const C2gComputePictures *pictures,
                                            float                    *y,
                                            cudaStream_t              stream);

/* Pooling, without dilation. */
cudaError_t c2g_cuda_kernel_pool    (gboolean                 is_average,
                                     C2gDataType              type,
                                     const C2gComputeWindow  *window,
                                     gconstpointer            x,
                                     gpointer                 y,
                                     cudaStream_t             stream);
/* im2col: the matrix whose product with the filters is a convolution. With the channels first it
 * has, for each image, a row for each channel and kernel place, and a column for each output. With
 * the channels last it has a row for each output, in which each of n_groups groups has the kernel
 * places, and for each place the group's channels. */
cudaError_t c2g_cuda_kernel_columns (C2gDataType              type,
                                     const C2gComputeWindow  *window,
                                     gint64                   n_groups,
                                     gconstpointer            images,
                                     gpointer                 columns,
                                     cudaStream_t             stream);
/* col2im, for a transposed convolution of one image. window.in is the smaller image, whose columns
 * are added to the larger one, window.out. With the channels first, columns has a row for each
 * channel and kernel place. With the channels last it has a row for each input, of kernel places
 * and then channels, and the pixels of the image are n_pixel apart. */
cudaError_t c2g_cuda_kernel_collect (const C2gComputeWindow  *window,
                                     const float             *columns,
                                     float                   *image,
                                     gsize                    n_pixel,
                                     cudaStream_t             stream);

/* c = alpha a b + beta c, in row-major order. stride is the distance between rows, and matrix the
 * distance between matrices. A transposed operand is stored as its transpose. */
cudaError_t c2g_cuda_kernel_gemm (gboolean       a_is_transposed,
                                  gboolean       b_is_transposed,
                                  gsize          n_rows,
                                  gsize          n_columns,
                                  gsize          depth,
                                  float          alpha,
                                  const float   *a,
                                  gsize          a_stride,
                                  gsize          a_matrix,
                                  const float   *b,
                                  gsize          b_stride,
                                  gsize          b_matrix,
                                  float          beta,
                                  float         *c,
                                  gsize          c_stride,
                                  gsize          c_matrix,
                                  gsize          n_matrices,
                                  cudaStream_t   stream);

G_END_DECLS
