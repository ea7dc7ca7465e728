/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>

#include <c2g/core/c2g-data-type.h>
#include <c2g/core/c2g-device-compute.h>

G_BEGIN_DECLS

#define C2G_CUDA_MAX_DIMS 8

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

/* In place or not; not a number stays so. */
cudaError_t c2g_cuda_kernel_unary (C2gComputeUnary  op,
                                   C2gDataType      type,
                                   gconstpointer    x,
                                   gpointer         y,
                                   gsize            n,
                                   float            a,
                                   float            b,
                                   cudaStream_t     stream);

/* The result has these dims, without gaps, and may be an operand of the same.  Strides are in
 * elements, 0 where the same are read again.  More dimensions than C2G_CUDA_MAX_DIMS, those that
 * are alike in a row counted once, are cudaErrorNotSupported. */
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

/* Vectors of n elements, of types with a point: y = alpha x, in place or not; y = alpha x + y;
 * y = alpha x + beta y, where y is not read if beta is 0. */
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

/* One number of vectors, into memory of the device: a double for DOUBLE, otherwise a float.
 * The sum of products, of absolute values, the largest of these, and the sum of squares.
 * Scratch memory has as many bytes as its function says; the same sums of the same vectors
 * are equal. */
gsize       c2g_cuda_kernel_dot_scratch_size  (void);
cudaError_t c2g_cuda_kernel_dot               (C2gDataType    type,
                                               gsize          n,
                                               gconstpointer  x,
                                               gconstpointer  y,
                                               gpointer       result,
                                               gpointer       scratch,
                                               cudaStream_t   stream);
gsize       c2g_cuda_kernel_blas_scratch_size (gsize          n);
cudaError_t c2g_cuda_kernel_asum              (C2gDataType    type,
                                               gsize          n,
                                               gconstpointer  x,
                                               gpointer       result,
                                               gpointer       scratch,
                                               cudaStream_t   stream);
cudaError_t c2g_cuda_kernel_amax              (C2gDataType    type,
                                               gsize          n,
                                               gconstpointer  x,
                                               gpointer       result,
                                               gpointer       scratch,
                                               cudaStream_t   stream);
cudaError_t c2g_cuda_kernel_sumsq             (C2gDataType    type,
                                               gsize          n,
                                               gconstpointer  x,
                                               gpointer       result,
                                               gpointer       scratch,
                                               cudaStream_t   stream);

/* Over the axes whose bits are set; y has an element of the same type for each place in the
 * others.  No elements have the sum 0 and the largest one -INFINITY. */
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
/* Along the middle one of three axes, the first of equal ones. */
cudaError_t c2g_cuda_kernel_arg                 (gboolean        is_max,
                                                 C2gDataType     type,
                                                 gconstpointer   x,
                                                 gsize           n_outer,
                                                 gsize           n,
                                                 gsize           n_inner,
                                                 gint64         *y,
                                                 cudaStream_t    stream);

/* Rows of n elements, in place or not. */
cudaError_t c2g_cuda_kernel_softmax (gboolean       is_log,
                                     C2gDataType    type,
                                     gconstpointer  x,
                                     gpointer       y,
                                     gsize          n_rows,
                                     gsize          n,
                                     cudaStream_t   stream);

/* The SUM, MAX or MIN of arrays of n elements, element by element, where the first one or
 * the result may be the same. */
cudaError_t c2g_cuda_kernel_fold (C2gComputeReduce      op,
                                  C2gDataType           type,
                                  const gconstpointer  *xs,
                                  gsize                 n_inputs,
                                  gpointer              y,
                                  gsize                 n,
                                  cudaStream_t          stream);

/* The middle one of three axes is that of the channels; in place or not.  A scale and a shift
 * for each, or, if there are no scales, a shift alone. */
cudaError_t c2g_cuda_kernel_scale_channels (C2gDataType    type,
                                            gconstpointer  x,
                                            const float   *scales,
                                            const float   *shifts,
                                            gpointer       y,
                                            gsize          n_outer,
                                            gsize          n_channels,
                                            gsize          n_inner,
                                            cudaStream_t   stream);
/* Slopes have the type of x; there is one for each channel, or one for all. */
cudaError_t c2g_cuda_kernel_prelu          (C2gDataType    type,
                                            gconstpointer  x,
                                            gconstpointer  slopes,
                                            gsize          n_slopes,
                                            gpointer       y,
                                            gsize          n_outer,
                                            gsize          n_channels,
                                            gsize          n_inner,
                                            cudaStream_t   stream);
/* The scales and shifts of SpatialBN; scale and bias may be NULL, as if they were 1 and 0. */
cudaError_t c2g_cuda_kernel_find_scales    (gsize          n,
                                            const float   *scale,
                                            const float   *bias,
                                            const float   *mean,
                                            const float   *variance,
                                            float          epsilon,
                                            float         *scales,
                                            float         *shifts,
                                            cudaStream_t   stream);
/* LRN; scales, if they are wanted, are its second output.  Not in place. */
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

/* Items of 1, 2, 4, 8 or 16 bytes from places in one array to places in another.  Strides are in
 * items.  Dimensions as for c2g_cuda_kernel_binary(). */
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

/* x has, for each of n_outer places, size blocks; y has those that the indices, INT32 or INT64,
 * point at, which are the same for each place or its own.  Negative ones count from the end if
 * it wraps.  An index out of range gives zeros, and bad, in memory of the device, becomes its
 * number if that is less. */
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

/* Items of 1, 2, 4, 8 or 16 bytes of one array or another: item i is that of a where
 * choice[i / n_alike] is true, otherwise that of b.  y may be either. */
cudaError_t c2g_cuda_kernel_choose (gsize          item_size,
                                    const guint8  *choice,
                                    gsize          n_alike,
                                    gconstpointer  a,
                                    gconstpointer  b,
                                    gpointer       y,
                                    gsize          n,
                                    cudaStream_t   stream);
/* Dropout in training: numbers whose draw, from 0 to 1, is below the ratio become 0, the others
 * are scaled; the mask tells which these are.  In place or not. */
cudaError_t c2g_cuda_kernel_drop   (C2gDataType    type,
                                    gconstpointer  x,
                                    const float   *draws,
                                    float          ratio,
                                    gpointer       y,
                                    guint8        *mask,
                                    gsize          n,
                                    cudaStream_t   stream);

/* The k largest along the middle one of three axes, in order, of equal ones the first ones
 * first, and where they are.  What there are too few elements for is 0, at -1. */
cudaError_t c2g_cuda_kernel_top_k    (C2gDataType    type,
                                      gconstpointer  x,
                                      gsize          n_outer,
                                      gsize          n,
                                      gsize          n_inner,
                                      gsize          k,
                                      gpointer       values,
                                      gint64        *indices,
                                      cudaStream_t   stream);
/* Whether, 0 or 1, the score that a label points at is among the k best of its row.  Labels
 * point at scores. */
cudaError_t c2g_cuda_kernel_is_among (const float   *scores,
                                      const gint32  *labels,
                                      gsize          n_rows,
                                      gsize          n,
                                      gint64         k,
                                      float         *y,
                                      cudaStream_t   stream);

/* Steps of optimizers, and rows that belong together. */
cudaError_t c2g_cuda_kernel_update   (const C2gComputeUpdate    *update,
                                      cudaStream_t               stream);
cudaError_t c2g_cuda_kernel_segments (const C2gComputeSegments  *segments,
                                      cudaStream_t               stream);

/* Pictures of n pixels, of four bytes each: blue, green, red and how far they cover, and planes
 * of the first three, from which the mean, one for each, has been taken and to which noise has
 * been added, again and again from its beginning. */
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

/* Items have 1, 2, 4 or 8 bytes; negative borders crop.  The value is in host memory. */
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
/* Mixed from the four elements around, where the corners are those of the source. */
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
/* What the window sees of each image, as a matrix whose product with filters is a convolution:
 * with the channels first, a row for each channel and place in the kernel and a column for each
 * output; with the channels last it is the other way round, and in each row each of n_groups
 * has the places in the kernel with its channels. */
cudaError_t c2g_cuda_kernel_columns (C2gDataType              type,
                                     const C2gComputeWindow  *window,
                                     gint64                   n_groups,
                                     gconstpointer            images,
                                     gpointer                 columns,
                                     cudaStream_t             stream);
/* The other way round, for a transposed convolution: in is the smaller image, whose columns paint
 * the larger one, out; places that are painted several times are the sum.  There is a row for each
 * channel and place in the kernel, or with the channels last for each input, of places in the
 * kernel and then channels; pixels of the image are so far apart. */
cudaError_t c2g_cuda_kernel_collect (const C2gComputeWindow  *window,
                                     const float             *columns,
                                     float                   *image,
                                     gsize                    n_pixel,
                                     cudaStream_t             stream);

/* c = alpha a b + beta c, where all lie in rows, strides are those from row to row and from
 * matrix to matrix, and a transposed operand lies as its transpose. */
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
