/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-compute-private.h>

#include <c2g/cuda/c2g-cuda-context-private.h>
#include <c2g/cuda/c2g-cuda-kernels-private.h>
#include <c2g/cuda/c2g-cuda-launch-private.h>

/* Each function starts kernels on the stream of the context, with the context's device as the
 * current one. */

static gboolean
compute_fill (C2gContext     *context,
              gpointer        data,
              gconstpointer   item,
              gsize           item_size,
              gsize           n,
              GError        **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_fill, data, item, item_size, n);
}

static gboolean
compute_convert (C2gContext     *context,
                 C2gDataType     from,
                 gconstpointer   x,
                 C2gDataType     to,
                 gpointer        y,
                 gsize           n,
                 GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, from, 0, c2g_cuda_kernel_convert, from, x, to, y,
                                n);
}

static gboolean
compute_saturate (C2gContext             *context,
                  C2gDataType             from,
                  gconstpointer           x,
                  C2gDataType             to,
                  gpointer                y,
                  gsize                   n,
                  const C2gComputeRange  *range,
                  GError                **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, from, 0, c2g_cuda_kernel_saturate, from, x,
                                c2g_data_type_get_item_size (to), y, n, range);
}

static gboolean
compute_unary (C2gContext       *context,
               C2gComputeUnary   function,
               C2gDataType       type,
               gconstpointer     x,
               gpointer          y,
               gsize             n,
               float             a,
               float             b,
               GError          **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_unary, function, type, x,
                                y, n, a, b);
}

static gboolean
compute_binary (C2gContext        *context,
                C2gComputeBinary   function,
                C2gDataType        type,
                const gint64      *dims,
                gsize              n_dims,
                gconstpointer      a,
                const gint64      *a_strides,
                gconstpointer      b,
                const gint64      *b_strides,
                gpointer           c,
                GError           **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, n_dims, c2g_cuda_kernel_binary, function,
                                type, dims, n_dims, a, a_strides, b, b_strides, c);
}

static gboolean
compute_fold (C2gContext           *context,
              C2gComputeReduce      function,
              C2gDataType           type,
              const gconstpointer  *xs,
              gsize                 n_inputs,
              gpointer              y,
              gsize                 n,
              GError              **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_fold, function, type, xs,
                                n_inputs, y, n);
}

static gboolean
compute_reduce (C2gContext        *context,
                C2gComputeReduce   function,
                C2gDataType        type,
                gconstpointer      x,
                const gint64      *dims,
                gsize              n_dims,
                guint32            axes,
                gpointer           y,
                GError           **error)
{
  gsize n_bytes = c2g_cuda_kernel_reduce_scratch_size (dims, n_dims, axes);
  g_autoptr (C2gStorage) scratch = c2g_cuda_launch_scratch (context, n_bytes, error);

  if (scratch == NULL)
    return FALSE;

  return C2G_CUDA_LAUNCH_TYPED (context, error, type, n_dims, c2g_cuda_kernel_reduce, function,
                                type, x, dims, n_dims, axes, y, c2g_cuda_launch_address (scratch));
}

static gboolean
compute_arg (C2gContext     *context,
             gboolean        is_max,
             C2gDataType     type,
             gconstpointer   x,
             gsize           n_outer,
             gsize           n,
             gsize           n_inner,
             gint64         *y,
             GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_arg, is_max, type, x,
                                n_outer, n, n_inner, y);
}

static gboolean
compute_softmax (C2gContext     *context,
                 gboolean        is_log,
                 C2gDataType     type,
                 gconstpointer   x,
                 gpointer        y,
                 gsize           n_rows,
                 gsize           n,
                 GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_softmax, is_log, type, x,
                                y, n_rows, n);
}

static gboolean
compute_scale_channels (C2gContext     *context,
                        C2gDataType     type,
                        gconstpointer   x,
                        const float    *scales,
                        const float    *shifts,
                        gpointer        y,
                        gsize           n_outer,
                        gsize           n_channels,
                        gsize           n_inner,
                        GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_scale_channels, type, x,
                                scales, shifts, y, n_outer, n_channels, n_inner);
}

static gboolean
find_scales (C2gContext   *context,
             gsize         n,
             const float  *scale,
             const float  *bias,
             const float  *mean,
             const float  *variance,
             float         epsilon,
             float        *scales,
             GError      **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_find_scales, n, scale, bias, mean,
                          variance, epsilon, scales, scales + n);
}

static gboolean
compute_normalize (C2gContext   *context,
                   const float  *x,
                   const float  *scale,
                   const float  *bias,
                   const float  *mean,
                   const float  *variance,
                   float         epsilon,
                   float        *y,
                   gsize         n_outer,
                   gsize         n_channels,
                   gsize         n_inner,
                   GError      **error)
{
  g_autoptr (C2gStorage) scratch = NULL;
  float *scales;

  scratch = c2g_cuda_launch_scratch (context, 2 * n_channels * sizeof (float), error);
  if (scratch == NULL)
    return FALSE;

  scales = c2g_cuda_launch_address (scratch);

  return find_scales (context, n_channels, scale, bias, mean, variance, epsilon, scales, error) &&
         compute_scale_channels (context, C2G_DATA_TYPE_FLOAT, x, scales, scales + n_channels, y,
                                 n_outer, n_channels, n_inner, error);
}

static gboolean
compute_prelu (C2gContext     *context,
               C2gDataType     type,
               gconstpointer   x,
               gconstpointer   slopes,
               gsize           n_slopes,
               gpointer        y,
               gsize           n_outer,
               gsize           n_channels,
               gsize           n_inner,
               GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_prelu, type, x, slopes,
                                n_slopes, y, n_outer, n_channels, n_inner);
}

static gboolean
compute_lrn (C2gContext   *context,
             const float  *x,
             gsize         n_outer,
             gsize         n_channels,
             gsize         n_inner,
             int           size,
             float         alpha,
             float         beta,
             float         bias,
             float        *y,
             float        *scales,
             GError      **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_lrn, C2G_DATA_TYPE_FLOAT, x, n_outer,
                          n_channels, n_inner, size, alpha, beta, bias, y, scales);
}

static gboolean
compute_move (C2gContext     *context,
              gsize           item_size,
              const gint64   *dims,
              gsize           n_dims,
              gconstpointer   x,
              const gint64   *x_strides,
              gpointer        y,
              const gint64   *y_strides,
              GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, C2G_DATA_TYPE_UNDEFINED, n_dims,
                                c2g_cuda_kernel_move, item_size, dims, n_dims, x, x_strides, y,
                                y_strides);
}

static gboolean
compute_transpose (C2gContext     *context,
                   gsize           item_size,
                   const gint64   *dims,
                   gsize           n_dims,
                   const int      *axes,
                   gconstpointer   x,
                   gpointer        y,
                   GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, C2G_DATA_TYPE_UNDEFINED, n_dims,
                                c2g_cuda_kernel_transpose, item_size, dims, n_dims, axes, x, y);
}

static gboolean
compute_pool (C2gContext              *context,
              gboolean                 is_average,
              const C2gComputeWindow  *window,
              const float             *x,
              float                   *y,
              GError                 **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_pool, is_average, C2G_DATA_TYPE_FLOAT,
                          window, x, y);
}

static gboolean
compute_axpby (C2gContext     *context,
               C2gDataType     type,
               gsize           n,
               double          alpha,
               gconstpointer   x,
               double          beta,
               gpointer        y,
               GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_axpby, type, n, alpha, x,
                                beta, y);
}

static gboolean
compute_choose (C2gContext     *context,
                gsize           item_size,
                const guint8   *choice,
                gsize           n_alike,
                gconstpointer   a,
                gconstpointer   b,
                gpointer        y,
                gsize           n,
                GError        **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_choose, item_size, choice, n_alike, a, b,
                          y, n);
}

static gboolean
compute_drop (C2gContext     *context,
              C2gDataType     type,
              gconstpointer   x,
              const float    *draws,
              float           ratio,
              gpointer        y,
              guint8         *mask,
              gsize           n,
              GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_drop, type, x, draws,
                                ratio, y, mask, n);
}

static gboolean
compute_top_k (C2gContext     *context,
               C2gDataType     type,
               gconstpointer   x,
               gsize           n_outer,
               gsize           n,
               gsize           n_inner,
               gsize           k,
               gpointer        values,
               gint64         *indices,
               GError        **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, type, 0, c2g_cuda_kernel_top_k, type, x, n_outer, n,
                                n_inner, k, values, indices);
}

static gboolean
compute_is_among (C2gContext    *context,
                  const float   *scores,
                  const gint32  *labels,
                  gsize          n_rows,
                  gsize          n,
                  gint64         k,
                  float         *y,
                  GError       **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_is_among, scores, labels, n_rows, n, k,
                          y);
}

static gboolean
compute_pad (C2gContext                *context,
             gsize                      item_size,
             gconstpointer              x,
             const C2gComputePictures  *pictures,
             gint64                     top,
             gint64                     left,
             C2gComputePad              mode,
             gconstpointer              value,
             gpointer                   y,
             GError                   **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_pad, item_size, x,
                          pictures, top, left, mode, value,
                          y);
}

static gboolean
compute_resize (C2gContext                *context,
                gsize                      item_size,
                gconstpointer              x,
                const C2gComputePictures  *pictures,
                float                      height_scale,
                float                      width_scale,
                gpointer                   y,
                GError                   **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_resize_nearest, item_size, x,
                          pictures, height_scale, width_scale, y);
}

static gboolean
compute_resize_linear (C2gContext                *context,
                       const float               *x,
                       const C2gComputePictures  *pictures,
                       float                     *y,
                       GError                   **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_resize_linear, x,
                          pictures, y);
}

static gboolean
compute_paint_planes (C2gContext    *context,
                      const guint8  *x,
                      gsize          n_pictures,
                      gsize          n,
                      const float   *mean,
                      const float   *noise,
                      gsize          n_noise,
                      float         *y,
                      GError       **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_paint_planes, x, n_pictures, n, mean,
                          noise, n_noise, y);
}

static gboolean
compute_paint_pixels (C2gContext   *context,
                      const float  *x,
                      gsize         n_pictures,
                      gsize         n,
                      const float  *mean,
                      guint8       *y,
                      GError      **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_paint_pixels, x, n_pictures, n, mean, y);
}

static gboolean
compute_collect (C2gContext              *context,
                 const C2gComputeWindow  *window,
                 const float             *columns,
                 float                   *image,
                 gsize                    n_pixel,
                 GError                 **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_collect, window,
                          columns, image, n_pixel);
}

static gboolean
compute_update (C2gContext              *context,
                const C2gComputeUpdate  *update,
                GError                 **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_update, update);
}

static gboolean
compute_segments (C2gContext                *context,
                  const C2gComputeSegments  *segments,
                  GError                   **error)
{
  return C2G_CUDA_LAUNCH_TYPED (context, error, segments->type, 0, c2g_cuda_kernel_segments,
                                segments);
}

const C2gDeviceCompute c2g_cuda_compute = {
  .fill = compute_fill,
  .convert = compute_convert,
  .unary = compute_unary,
  .binary = compute_binary,
  .fold = compute_fold,
  .reduce = compute_reduce,
  .arg = compute_arg,
  .softmax = compute_softmax,
  .scale_channels = compute_scale_channels,
  .normalize = compute_normalize,
  .prelu = compute_prelu,
  .lrn = compute_lrn,
  .move = compute_move,
  .transpose = compute_transpose,
  .gather = c2g_cuda_compute_gather,
  .pool = compute_pool,
  .conv = c2g_cuda_compute_conv,
  .gemm = c2g_cuda_compute_gemm,
  .axpby = compute_axpby,
  .choose = compute_choose,
  .drop = compute_drop,
  .top_k = compute_top_k,
  .is_among = compute_is_among,
  .pad = compute_pad,
  .resize = compute_resize,
  .resize_linear = compute_resize_linear,
  .paint_planes = compute_paint_planes,
  .paint_pixels = compute_paint_pixels,
  .collect = compute_collect,
  .update = compute_update,
  .segments = compute_segments,
  .saturate = compute_saturate,
  .find_outside = c2g_cuda_compute_find_outside,
  .measure = c2g_cuda_compute_measure,
  .compare = c2g_cuda_compute_compare,
  .find_far = c2g_cuda_compute_find_far,
};
