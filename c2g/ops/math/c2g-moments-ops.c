/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-dims-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-planes-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <math.h>
#include <string.h>

/* Statistics over axes or channels, all of float.
 *
 * Moments: mean (x) and mean ((x - mean)²) over axes, or over all axes by default; without
 * keepdims the axes are dropped.
 * MVN (mean-variance normalization): y = (x - mean) / (sqrt (variance) + epsilon), over the pixels
 * of each channel of each image, X being NCHW or NHWC, or with across_channels over each image.
 * Without normalize_variance y = x - mean. This is Caffe's layer; Y may be in place.
 * ChannelStats: Σ x and Σ x² of each channel, of X in NCHW or NHWC.
 * BatchMoments: the same divided by the number of elements of a channel.
 * ChannelBackpropStats: X (NCHW), mean, inv_std, dY give Σ dY (x - mean) inv_std and Σ dY, the
 * gradients of SpatialBN's scale and bias.
 *
 * Nothing else is in place. The rules are Caffe2's but for MVN.  On CUDA kernels/reduce.cu,
 * binary.cu and blas.cu compute Moments, ChannelStats and BatchMoments; the others run on the CPU
 * only. */

/* Moments */

typedef struct
{
  const gint64 *axes;
  gsize         n_axes;
  gboolean      keep_dims;
  /* Doubles: the means and the sums of squares. */
  C2gScratch    scratch;
} MomentsState;

/* Maps elements to results: strides is the step in the results for each dimension of x, 0 if the
 * dimension is reduced. */
typedef struct
{
  const float *x;
  C2gDims      dims;
  gint64       strides[C2G_DIMS_MAX];
  gint64       n_results;
} Walk;

static gboolean
find_axes (C2gOperator         *op,
           const MomentsState  *self,
           gsize                n_dims,
           gboolean            *is_reduced,
           GError             **error)
{
  for (gsize i = 0; i < n_dims; i++)
    is_reduced[i] = self->n_axes == 0;
  for (gsize i = 0; i < self->n_axes; i++)
    {
      const int axis = c2g_dims_axis (op, 0, self->axes[i], error);

      if (axis < 0)
        return FALSE;
      if (is_reduced[axis])
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                         _("The argument “%s” has the axis %d twice"), "axes", axis);
      is_reduced[axis] = TRUE;
    }
  return TRUE;
}

/* Plans the walk, and computes the shape of the results. */
static gboolean
find_walk (C2gOperator         *op,
           const MomentsState  *self,
           C2gTensor           *x,
           Walk                *walk,
           C2gDims             *results,
           GError             **error)
{
  gboolean is_reduced[C2G_DIMS_MAX];

  if (!c2g_dims_copy (&walk->dims, x, error) ||
      !find_axes (op, self, x->n_dims, is_reduced, error))
    return FALSE;

  results->n = 0;
  for (gsize i = 0; i < x->n_dims; i++)
    if (!is_reduced[i] || self->keep_dims)
      results->dims[results->n++] = is_reduced[i] ? 1 : x->dims[i];
  if (!c2g_dims_count (results, 0, results->n, &walk->n_results, error))
    return FALSE;

  for (gsize i = x->n_dims, stride = 1; i-- > 0; )
    {
      walk->strides[i] = is_reduced[i] ? 0 : (gint64) stride;
      stride *= is_reduced[i] ? 1 : (gsize) x->dims[i];
    }
  walk->x = c2g_tensor_address (x);
  return TRUE;
}

/* Adds one line along the last dimension: x if centers is NULL, otherwise (x - center)². */
static void
add_line (const float  *x,
          const double *centers,
          double       *sums,
          gint64        n,
          gint64        stride)
{
  for (gint64 i = 0; i < n; i++)
    {
      const double distance = centers != NULL ? x[i] - centers[i * stride] : 0;

      sums[i * stride] += centers != NULL ? distance * distance : x[i];
    }
}

static void
add_all (const Walk   *self,
         const double *centers,
         double       *sums)
{
  const gsize n_outer = self->dims.n > 0 ? self->dims.n - 1 : 0;
  const gint64 n = self->dims.n > 0 ? self->dims.dims[n_outer] : 1;
  const gint64 stride = self->dims.n > 0 ? self->strides[n_outer] : 0;
  gint64 at[C2G_DIMS_MAX] = { 0 };
  gint64 result = 0;
  const float *x = self->x;
  gsize i;

  do
    {
      add_line (x, centers != NULL ? centers + result : NULL, sums + result, n, stride);
      x += n;
      for (i = n_outer; i-- > 0; )
        {
          result += self->strides[i];
          if (++at[i] < self->dims.dims[i])
            break;
          result -= self->dims.dims[i] * self->strides[i];
          at[i] = 0;
        }
    }
  while (i != G_MAXSIZE);
}

/* Writes all means to moments, and behind them all variances. */
static void
find_moments (const Walk *walk,
              gint64      n_elements,
              double     *moments)
{
  const gint64 n = walk->n_results;
  const double share = n > 0 && n_elements > 0 ? (double) n / (double) n_elements : 0;

  memset (moments, 0, 2 * n * sizeof (double));
  if (n_elements > 0)
    add_all (walk, NULL, moments);
  for (gint64 i = 0; i < n; i++)
    moments[i] *= share;
  if (n_elements > 0)
    add_all (walk, moments, moments + n);
  for (gint64 i = 0; i < n; i++)
    moments[n + i] *= share;
}

static gboolean
reserve_moments (C2gScratch  *scratch,
                 gint64       n_results,
                 GError     **error)
{
  return c2g_scratch_reserve (scratch, 2 * sizeof (double) / sizeof (float), MAX (n_results, 1),
                              error);
}

static void
copy_moments (const double *moments,
              gint64        n,
              float        *means,
              float        *variances)
{
  for (gint64 i = 0; i < n; i++)
    {
      means[i] = (float) moments[i];
      variances[i] = (float) moments[n + i];
    }
}

/* Computes the means first, then the mean of (x - mean)², as c2g_on_device_moments() does for
 * three axes. */
static gboolean
moments_on_device (C2gOperator  *op,
                   C2gTensor    *x,
                   const Walk   *walk,
                   guint32       axes,
                   C2gTensor    *means,
                   C2gTensor    *variances,
                   GError      **error)
{
  const double share = walk->n_results > 0 ? (double) walk->n_results / (double) x->n_elements : 0;
  gint64 strides[C2G_DIMS_MAX];
  gpointer distances;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, x->n_elements, sizeof (float), &distances, error);

  for (gsize i = x->n_dims, stride = 1; i-- > 0; stride *= x->dims[i])
    strides[i] = (gint64) stride;
  return scratch != NULL &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_MEAN,
                      .type = C2G_DATA_TYPE_FLOAT, .x = walk->x, .dims = x->dims,
                      .n_dims = x->n_dims, .axes = axes, .y = c2g_tensor_address (means)) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_SUB,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = x->dims, .n_dims = x->n_dims,
                      .x = walk->x, .x_strides = strides, .other = c2g_tensor_address (means),
                      .other_strides = walk->strides, .y = distances) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SQUARES,
                      .type = C2G_DATA_TYPE_FLOAT, .x = distances, .dims = x->dims,
                      .n_dims = x->n_dims, .axes = axes, .y = c2g_tensor_address (variances)) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT,
                      .n = walk->n_results, .alpha = share, .x = c2g_tensor_address (variances),
                      .y = c2g_tensor_address (variances));
}

static guint32
collect_axes (const Walk *walk)
{
  guint32 axes = 0;

  for (gsize i = 0; i < walk->dims.n; i++)
    if (walk->strides[i] == 0)
      axes |= 1U << i;
  return axes;
}

/* Sets the moments of no elements to 0. */
static gboolean
clear_moments (C2gOperator  *op,
               C2gTensor    *means,
               C2gTensor    *variances,
               GError      **error)
{
  return c2g_operator_clear_items (op, c2g_tensor_address (means), c2g_tensor_byte_size (means),
                                   error) &&
         c2g_operator_clear_items (op, c2g_tensor_address (variances),
                                   c2g_tensor_byte_size (variances), error);
}

static gboolean
moments_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  MomentsState *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *means, *variances;
  C2gDims results;
  Walk walk;

  if (x == NULL || !find_walk (op, self, x, &walk, &results, error))
    return FALSE;
  means = c2g_operator_output (op, 0, results.dims, results.n, C2G_DATA_TYPE_FLOAT, error);
  variances = means != NULL ? c2g_operator_output (op, 1, results.dims, results.n,
                                                   C2G_DATA_TYPE_FLOAT, error)
                            : NULL;
  if (variances == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return x->n_elements > 0 ? moments_on_device (op, x, &walk, collect_axes (&walk), means,
                                                  variances, error)
                             : clear_moments (op, means, variances, error);
  if (!reserve_moments (&self->scratch, walk.n_results, error))
    return FALSE;

  find_moments (&walk, x->n_elements, self->scratch.items);
  copy_moments (self->scratch.items, walk.n_results, c2g_tensor_address (means),
                c2g_tensor_address (variances));
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (moments_clear, MomentsState, scratch)

/* MVN */

typedef struct
{
  gboolean   across_channels;
  gboolean   scales;
  float      epsilon;
  gboolean   channels_last;
  C2gScratch scratch;
} MvnState;

/* Three dimensions, of which the middle one is reduced. */
static Walk
plan_mvn (const MvnState  *self,
          const C2gPlanes *planes,
          const float     *x)
{
  const gint64 n = planes->n_images, n_channels = planes->n_channels, n_places = planes->n_places;

  if (self->across_channels)
    return (Walk) { x, { { n, 1, n_channels * n_places }, 3 }, { 1, 0, 0 }, n };
  if (self->channels_last)
    return (Walk) { x, { { n, n_places, n_channels }, 3 }, { n_channels, 0, 1 }, n * n_channels };
  return (Walk) { x, { { n * n_channels, 1, n_places }, 3 }, { 1, 0, 0 }, n * n_channels };
}

/* Computes one line along the last dimension.  y may be x. */
static void
normalize_line (const float  *x,
                const double *means,
                const double *divisors,
                float        *y,
                gint64        n,
                gint64        stride)
{
  for (gint64 i = 0; i < n; i++)
    y[i] = (float) ((x[i] - means[i * stride]) / divisors[i * stride]);
}

static gboolean
mvn_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  MvnState *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y;
  C2gPlanes planes;
  double *means, *divisors;
  Walk walk;

  if (x == NULL || !c2g_planes_read (&planes, op, 0, x, 2, self->channels_last, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;
  walk = plan_mvn (self, &planes, c2g_tensor_address (x));
  if (!reserve_moments (&self->scratch, walk.n_results, error))
    return FALSE;

  means = self->scratch.items;
  divisors = means + walk.n_results;
  find_moments (&walk, y->n_elements, means);
  for (gint64 i = 0; i < walk.n_results; i++)
    divisors[i] = self->scales ? sqrt (divisors[i]) + self->epsilon : 1;
  for (gint64 i = 0; i < walk.dims.dims[0] * walk.dims.dims[1]; i++)
    {
      const gint64 result = i / walk.dims.dims[1] * walk.strides[0];
      const gint64 n = walk.dims.dims[2];

      normalize_line (walk.x + i * n, means + result, divisors + result,
                      (float *) c2g_tensor_address (y) + i * n, n, walk.strides[2]);
    }
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (mvn_clear, MvnState, scratch)

/* ChannelStats, BatchMoments and ChannelBackpropStats */

typedef struct
{
  gboolean   channels_last;
  C2gScratch zeros;
} ChannelsState;

/* Makes the two outputs, with one float per channel. */
static gboolean
find_outputs (C2gOperator      *op,
              const C2gPlanes  *planes,
              float           **first,
              float           **second,
              GError          **error)
{
  const gint64 n = planes->n_channels;
  float **places[2] = { first, second };

  for (guint i = 0; i < 2; i++)
    {
      C2gTensor *tensor = c2g_operator_output (op, i, &n, 1, C2G_DATA_TYPE_FLOAT, error);

      if (tensor == NULL)
        return FALSE;
      *places[i] = c2g_tensor_address (tensor);
    }
  return TRUE;
}

static gboolean
sums_on_device (C2gOperator      *op,
                const C2gPlanes  *planes,
                C2gTensor        *x,
                double            scale,
                float            *sums,
                float            *squares,
                GError          **error)
{
  const gint64 n = planes->n_channels;
  const gint64 dims[] = { planes->n_images, planes->channels_last ? planes->n_places : n,
                          planes->channels_last ? n : planes->n_places };
  const guint32 axes = planes->channels_last ? 3 : 5;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SUM,
                      .type = C2G_DATA_TYPE_FLOAT, .x = c2g_tensor_address (x), .dims = dims,
                      .n_dims = 3, .axes = axes, .y = sums) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SQUARES,
                      .type = C2G_DATA_TYPE_FLOAT, .x = c2g_tensor_address (x), .dims = dims,
                      .n_dims = 3, .axes = axes, .y = squares) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = n,
                      .alpha = scale, .x = sums, .y = sums) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = n,
                      .alpha = scale, .x = squares, .y = squares);
}

/* Computes the sums of x and x² per channel, divided by the number of elements if divides. */
static gboolean
run_sums (C2gOperator    *op,
          ChannelsState  *self,
          gboolean        divides,
          GError        **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gPlanes planes;
  float *sums, *squares;
  double scale = 1;

  if (x == NULL || !c2g_planes_read (&planes, op, 0, x, 2, self->channels_last, error) ||
      !find_outputs (op, &planes, &sums, &squares, error))
    return FALSE;

  if (divides && x->n_elements > 0)
    scale = (double) planes.n_channels / (double) x->n_elements;
  if (c2g_operator_get_compute (op) != NULL)
    return sums_on_device (op, &planes, x, scale, sums, squares, error);
  if (!c2g_scratch_reserve (&self->zeros, 1, planes.n_channels, error))
    return FALSE;
  memset (self->zeros.data, 0, planes.n_channels * sizeof (float));
  c2g_planes_sum (&planes, c2g_tensor_address (x), NULL, scale, sums);
  c2g_planes_sum (&planes, c2g_tensor_address (x), self->zeros.data, scale, squares);
  return TRUE;
}

static gboolean
channel_stats_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  return run_sums (op, state, FALSE, error);
}

/* Caffe2 calls output 1 the variance, but it is the mean of x². */
static gboolean
batch_moments_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  return run_sums (op, state, TRUE, error);
}

C2G_SCRATCH_DEFINE_CLEAR (channels_clear, ChannelsState, zeros)

static gboolean
backprop_stats_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *gradient =
    x != NULL ? c2g_operator_input_like (op, 3, C2G_DATA_TYPE_FLOAT, x, error) : NULL;
  const float *means, *inverses;
  float *scales, *biases;
  C2gPlanes planes;

  if (gradient == NULL || !c2g_planes_read (&planes, op, 0, x, 3, FALSE, error))
    return FALSE;
  if (!c2g_planes_input (op, 1, planes.n_channels, &means, error) ||
      !c2g_planes_input (op, 2, planes.n_channels, &inverses, error) ||
      !find_outputs (op, &planes, &scales, &biases, error))
    return FALSE;

  c2g_planes_sum (&planes, c2g_tensor_address (gradient), NULL, 1, biases);
  for (gint64 channel = 0; channel < planes.n_channels; channel++)
    {
      double sum = 0;

      /* If n_places is 0, n_images may be huge. */
      for (gint64 i = 0; planes.n_places > 0 && i < planes.n_images; i++)
        {
          const gint64 offset = (i * planes.n_channels + channel) * planes.n_places;

          sum += c2g_row_dot ((const float *) c2g_tensor_address (x) + offset, means[channel],
                              (const float *) c2g_tensor_address (gradient) + offset,
                              planes.n_places);
        }
      scales[channel] = (float) (sum * inverses[channel]);
    }
  return TRUE;
}

#define CHANNELS(name, function, text)                                                             \
  {                                                                                                \
    .type = name, .min_inputs = 1, .max_inputs = 1, .min_outputs = 2, .max_outputs = 2,            \
    .arguments = C2G_ARGS (C2G_ARG_ORDER (ChannelsState, channels_last)),                          \
    .state_size = sizeof (ChannelsState), .run = function, .infer = function,                      \
    .clear = channels_clear, .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE, .summary = text     \
  }

static const C2gKernel kernels[] = {
  CHANNELS ("BatchMoments", batch_moments_run, "The mean and the mean square of each channel"),
  {
    .type = "ChannelBackpropStats",
    .min_inputs = 4,
    .max_inputs = 4,
    .min_outputs = 2,
    .max_outputs = 2,
    .run = backprop_stats_run,
    .infer = backprop_stats_run,
    .summary = "The gradients of SpatialBN's scale and bias",
  },
  CHANNELS ("ChannelStats", channel_stats_run, "The sum and the sum of squares of each channel"),
  {
    .type = "MVN",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 1,
    .in_place = "0>0",
    .arguments = C2G_ARGS (C2G_ARG_BOOLEAN (MvnState, across_channels, "across_channels", FALSE),
                           C2G_ARG_BOOLEAN (MvnState, scales, "normalize_variance", TRUE),
                           C2G_ARG_FLOAT (MvnState, epsilon, "epsilon", 1e-9, C2G_AT_LEAST (0)),
                           C2G_ARG_ORDER (MvnState, channels_last)),
    .state_size = sizeof (MvnState),
    .run = mvn_run,
    .infer = mvn_run,
    .clear = mvn_clear,
    .summary = "Channels of an image with mean 0 and variance 1",
  },
  {
    .type = "Moments",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 2,
    .max_outputs = 2,
    .arguments = C2G_ARGS (C2G_ARG_INTS (MomentsState, axes, n_axes, "axes", C2G_AT_LEAST (0)),
                           C2G_ARG_BOOLEAN (MomentsState, keep_dims, "keepdims", TRUE),
                           C2G_ARG_IGNORED ("allow_broadcast_fastpath")),
    .state_size = sizeof (MomentsState),
    .run = moments_run,
    .infer = moments_run,
    .clear = moments_clear,
    .is_for_devices = TRUE,
    .traits = C2G_TRAIT_PURE,
    .summary = "Means and variances over some axes",
  },
};

C2G_OPS_FAMILY (moments);
