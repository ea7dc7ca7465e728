/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-planes-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <math.h>
#include <string.h>

/* SpatialBN: batch normalization of X, NCHW or NHWC, float. For each channel
 *
 * y = scale (x - mean) / sqrt (variance + epsilon) + bias
 *
 * Inputs X, scale, bias, mean, variance (C each). With is_test these statistics are used. In
 * training those of the batch are used, or with num_batches > 1 those from inputs 5 and 6, the
 * sums of x and x² over all batches (see ChannelStats). Then mean and variance are running
 * statistics, updated in place: r' = momentum r + (1 - momentum) s. Further outputs are the saved
 * mean and 1 / sqrt (variance + epsilon).
 *
 * Y may be in place of X, and the saved outputs in place of the sums. The rules are Caffe2's. On
 * CUDA kernels/reduce.cu finds the statistics of a batch, kernels/blas.cu and unary.cu turn them
 * into running ones and inverses, and kernels/channels.cu normalizes. */

enum
{
  IN_X,
  IN_SCALE,
  IN_BIAS,
  IN_MEAN,
  IN_VARIANCE,
  IN_SUMS,
  IN_SQUARE_SUMS,
};

enum
{
  OUT_Y,
  OUT_MEAN,
  OUT_VARIANCE,
  OUT_SAVED_MEAN,
  OUT_SAVED_INVERSE_STD,
};

typedef struct
{
  gboolean   is_test;
  float      epsilon;
  float      momentum;
  gboolean   channels_last;
  int        n_batches;
  /* One float per channel: y = scales (x - mean) + bias. */
  C2gScratch scratch;
} SpatialBnState;

static gboolean
spatial_bn_set_up (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  const SpatialBnState *self = state;
  const guint n_outputs = c2g_operator_get_n_outputs (op);
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  const guint n_outputs_wanted = self->is_test ? 1 : 5;
  const guint n_inputs_wanted = self->n_batches > 1 && !self->is_test ? 7 : 5;

  if (n_outputs != n_outputs_wanted)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("There are %u outputs, expected %u when “is_test” is %d"), n_outputs,
                 n_outputs_wanted, self->is_test);
  else if (n_inputs < n_inputs_wanted || n_inputs == 6)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("There are %u inputs, expected %u when “num_batches” is %d"), n_inputs,
                 n_inputs_wanted, self->n_batches);
  else if (!self->is_test &&
           (c2g_operator_get_output (op, OUT_MEAN) != c2g_operator_get_input (op, IN_MEAN) ||
            c2g_operator_get_output (op, OUT_VARIANCE) !=
              c2g_operator_get_input (op, IN_VARIANCE)))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("Outputs %d and %d must be the inputs %d and %d"), OUT_MEAN, OUT_VARIANCE,
                 IN_MEAN, IN_VARIANCE);
  else
    return TRUE;
  return FALSE;
}

/* The inputs and outputs per channel.  scales are scratch memory. */
typedef struct
{
  C2gPlanes    planes;
  const float *scale;
  const float *bias;
  const float *sums;
  const float *square_sums;
  const float *old_mean;
  const float *old_variance;
  float       *mean;
  float       *variance;
  float       *saved_mean;
  float       *saved_inverse;
  float       *scales;
} Channels;

static gboolean
read_sums (C2gOperator     *op,
           SpatialBnState  *self,
           Channels        *channels,
           GError         **error)
{
  const gint64 n = channels->planes.n_channels;

  return self->is_test || self->n_batches == 1 ||
         (c2g_planes_input (op, IN_SUMS, n, &channels->sums, error) &&
          c2g_planes_input (op, IN_SQUARE_SUMS, n, &channels->square_sums, error));
}

static gboolean
read_inputs (C2gOperator     *op,
             SpatialBnState  *self,
             C2gTensor       *x,
             Channels        *channels,
             GError         **error)
{
  gint64 n;

  if (!c2g_planes_read (&channels->planes, op, IN_X, x, 2, self->channels_last, error))
    return FALSE;
  n = channels->planes.n_channels;
  if (!c2g_planes_input (op, IN_SCALE, n, &channels->scale, error) ||
      !c2g_planes_input (op, IN_BIAS, n, &channels->bias, error))
    return FALSE;
  if (self->is_test)
    return c2g_planes_input (op, IN_MEAN, n, &channels->old_mean, error) &&
           c2g_planes_input (op, IN_VARIANCE, n, &channels->old_variance, error);

  return read_sums (op, self, channels, error);
}

/* Makes the output for running statistics, in place of the input. Fills it with 0 if it is new. */
static gboolean
ensure_running (C2gOperator  *op,
                guint         output,
                gint64        n,
                float       **running,
                GError      **error)
{
  C2gTensor *tensor = c2g_operator_get_output_tensor (op, output, error);
  const gboolean is_inferring = c2g_operator_is_inferring (op);
  const float *old;
  gboolean is_new;

  if (tensor == NULL)
    return FALSE;
  is_new = tensor->n_elements == 0 || (tensor->storage == NULL && !is_inferring);
  if (!is_new && !c2g_planes_input (op, output + IN_MEAN - OUT_MEAN, n, &old, error))
    return FALSE;
  tensor = is_new ? c2g_operator_output (op, output, &n, 1, C2G_DATA_TYPE_FLOAT, error)
                  : c2g_operator_output_like (op, output, tensor, C2G_DATA_TYPE_FLOAT, error);
  if (tensor == NULL)
    return FALSE;

  *running = c2g_tensor_address (tensor);
  return !is_new || is_inferring ||
         c2g_operator_clear_items (op, *running, n * sizeof (float), error);
}

/* Caffe2 calls output 4 “saved_var”, but it is 1 / sqrt (variance + epsilon). */
static gboolean
make_statistics (C2gOperator  *op,
                 Channels     *channels,
                 GError      **error)
{
  const gint64 n = channels->planes.n_channels;
  C2gTensor *means = c2g_operator_output (op, OUT_SAVED_MEAN, &n, 1, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *inverses = means != NULL ? c2g_operator_output (op, OUT_SAVED_INVERSE_STD, &n, 1,
                                                             C2G_DATA_TYPE_FLOAT, error)
                                      : NULL;

  if (inverses == NULL)
    return FALSE;
  channels->saved_mean = c2g_tensor_address (means);
  channels->saved_inverse = c2g_tensor_address (inverses);
  return ensure_running (op, OUT_MEAN, n, &channels->mean, error) &&
         ensure_running (op, OUT_VARIANCE, n, &channels->variance, error);
}

static void
find_moments (const SpatialBnState *self,
              Channels             *channels,
              const float          *x,
              float                *mean,
              float                *variance)
{
  const C2gPlanes *planes = &channels->planes;
  const double n = (double) planes->n_images * (double) planes->n_places * self->n_batches;

  if (channels->sums == NULL)
    {
      c2g_planes_moments (planes, x, mean, variance);
      return;
    }
  for (gint64 i = 0; i < planes->n_channels; i++)
    {
      const double average = channels->sums[i] / n;

      variance[i] = (float) (channels->square_sums[i] / n - average * average);
      mean[i] = (float) average;
    }
}

/* Running variance uses the unbiased estimate: n / (n - 1). */
static void
remember (const SpatialBnState *self,
          const Channels       *channels,
          const float          *mean,
          const float          *variance)
{
  const C2gPlanes *planes = &channels->planes;
  const double n = (double) planes->n_images * (double) planes->n_places * self->n_batches;
  const float unbias = n == 1 ? INFINITY : (float) (n / (n - 1));
  const float a = 1 - self->momentum;
  const float b = self->momentum;

  for (gint64 i = 0; i < planes->n_channels; i++)
    {
      channels->mean[i] = a * mean[i] + b * channels->mean[i];
      channels->variance[i] = a * unbias * variance[i] + b * channels->variance[i];
    }
}

static void
find_scales (const SpatialBnState *self,
             const Channels       *channels,
             const float          *variance)
{
  for (gint64 i = 0; i < channels->planes.n_channels; i++)
    channels->scales[i] = channels->scale[i] / sqrtf (variance[i] + self->epsilon);
}

static void
train (const SpatialBnState *self,
       Channels             *channels,
       C2gTensor            *x)
{
  const gint64 n = channels->planes.n_channels;
  float *mean = channels->saved_mean;
  float *variance = channels->saved_inverse;

  if (x->n_elements == 0)
    {
      memset (mean, 0, n * sizeof (float));
      memset (variance, 0, n * sizeof (float));
      return;
    }

  find_moments (self, channels, c2g_tensor_address (x), mean, variance);
  /* If the run is cancelled, the moments are incomplete and must not change the running
   * statistics. */
  if (c2g_interrupt_is_wanted ())
    return;
  remember (self, channels, mean, variance);
  find_scales (self, channels, variance);
  for (gint64 i = 0; i < n; i++)
    variance[i] = 1 / sqrtf (variance[i] + self->epsilon);
}

static gboolean
reserve_scales (SpatialBnState  *self,
                Channels        *channels,
                GError         **error)
{
  if (!c2g_scratch_reserve (&self->scratch, 1, channels->planes.n_channels, error))
    return FALSE;
  channels->scales = self->scratch.data;
  return TRUE;
}

/* Computes the moments from the sums over several batches. */
static gboolean
find_moments_on_device (C2gOperator           *op,
                        const SpatialBnState  *self,
                        const Channels        *channels,
                        double                 n_each,
                        GError               **error)
{
  const gint64 n = channels->planes.n_channels;
  const float share = (float) (1 / (n_each * self->n_batches));
  float *mean = channels->saved_mean, *variance = channels->saved_inverse;
  float *square;
  g_autoptr (C2gStorage) scratch = c2g_on_device_scratch (op, n, sizeof (float), &square, error);

  return scratch != NULL && c2g_on_device_linear (op, channels->sums, share, 0, mean, n, error) &&
         c2g_on_device_linear (op, channels->square_sums, share, 0, variance, n, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_SQR,
                      .type = C2G_DATA_TYPE_FLOAT, .x = mean, .y = square, .n = n) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = n,
                      .alpha = -1, .x = square, .beta = 1, .y = variance);
}

/* Does what train() does, except that normalize() computes the scales later. The variance is left
 * in saved_inverse for that; invert_on_device() inverts it at the end. */
static gboolean
train_on_device (C2gOperator           *op,
                 const SpatialBnState  *self,
                 const Channels        *channels,
                 C2gTensor             *x,
                 const gint64          *axes,
                 GError               **error)
{
  const gint64 n = channels->planes.n_channels;
  const double n_each = (double) axes[0] * (double) axes[2], n_all = n_each * self->n_batches;
  const double unbias = n_all == 1 ? INFINITY : n_all / (n_all - 1);
  float *mean = channels->saved_mean, *variance = channels->saved_inverse;
  const C2gMoments moments = {
    c2g_tensor_address (x), axes[0], axes[1], axes[2], mean, variance
  };

  if (!(channels->sums != NULL ? find_moments_on_device (op, self, channels, n_each, error)
                               : c2g_on_device_moments (op, &moments, error)))
    return FALSE;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = n,
                      .alpha = 1 - self->momentum, .x = mean, .beta = self->momentum,
                      .y = channels->mean) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = n,
                      .alpha = (1 - self->momentum) * unbias, .x = variance, .beta = self->momentum,
                      .y = channels->variance);
}

static gboolean
invert_on_device (C2gOperator           *op,
                  const SpatialBnState  *self,
                  const Channels        *channels,
                  GError               **error)
{
  const gint64 n = channels->planes.n_channels;
  float *variance = channels->saved_inverse;

  return c2g_on_device_linear (op, variance, 1, self->epsilon, variance, n, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_RSQRT,
                      .type = C2G_DATA_TYPE_FLOAT, .x = variance, .y = variance, .n = n);
}

static gboolean
clear_saved (C2gOperator     *op,
             const Channels  *channels,
             GError         **error)
{
  const gsize n_bytes = channels->planes.n_channels * sizeof (float);

  return c2g_on_device_clear (op, channels->saved_mean, n_bytes, error) &&
         c2g_on_device_clear (op, channels->saved_inverse, n_bytes, error);
}

/* axes: X seen as (outer, channels, inner), as the device's functions expect it. */
static gboolean
run_on_device (C2gOperator     *op,
               SpatialBnState  *self,
               Channels        *channels,
               C2gTensor       *x,
               GError         **error)
{
  const C2gPlanes *planes = &channels->planes;
  const gboolean is_last = planes->channels_last;
  const gint64 axes[] = { is_last ? planes->n_images * planes->n_places : planes->n_images,
                          planes->n_channels, is_last ? 1 : planes->n_places };
  C2gTensor *y = c2g_operator_output_like (op, OUT_Y, x, c2g_tensor_get_data_type (x), error);

  /* Making outputs in place of the sums can move them, so their addresses are read again. */
  if (y == NULL || !read_sums (op, self, channels, error))
    return FALSE;
  if (y->n_elements == 0)
    return self->is_test || clear_saved (op, channels, error);

  c2g_operator_set_flops (op, (self->is_test ? 2.0 : 6.0) * (double) y->n_elements);
  return (self->is_test || train_on_device (op, self, channels, x, axes, error)) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_NORMALIZE, .type = c2g_tensor_get_data_type (x),
                      .x = c2g_tensor_address (x), .scale = channels->scale, .bias = channels->bias,
                      .mean = self->is_test ? channels->old_mean : channels->saved_mean,
                      .variance = self->is_test ? channels->old_variance : channels->saved_inverse,
                      .epsilon = self->epsilon, .y = c2g_tensor_address (y), .n_outer = axes[0],
                      .n = axes[1], .n_inner = axes[2]) &&
         (self->is_test || invert_on_device (op, self, channels, error));
}

static gboolean
spatial_bn_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  SpatialBnState *self = state;
  Channels channels = { .sums = NULL };
  const C2gDataType type = self->is_test ? c2g_on_device_real_type (op) : C2G_DATA_TYPE_FLOAT;
  C2gTensor *x = c2g_operator_input (op, IN_X, type, error);
  C2gTensor *y;

  if (x == NULL || !read_inputs (op, self, x, &channels, error) ||
      (!self->is_test && !make_statistics (op, &channels, error)))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, self, &channels, x, error);
  y = c2g_operator_output_like (op, OUT_Y, x, C2G_DATA_TYPE_FLOAT, error);
  /* Making outputs in place of the sums can move them, so their addresses are read again. */
  if (y == NULL || !read_sums (op, self, &channels, error) ||
      !reserve_scales (self, &channels, error))
    return FALSE;

  if (self->is_test)
    find_scales (self, &channels, channels.old_variance);
  else
    train (self, &channels, x);
  if (y->n_elements > 0)
    c2g_planes_scale (&channels.planes, c2g_tensor_address (x),
                      self->is_test ? channels.old_mean : channels.saved_mean, channels.scales,
                      channels.bias, c2g_tensor_address (y));
  c2g_operator_set_flops (op, (self->is_test ? 2.0 : 6.0) * (double) y->n_elements);
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (spatial_bn_clear, SpatialBnState, scratch)

static const C2gKernel kernels[] = {
  {
    .type = "SpatialBN",
    .min_inputs = 5,
    .max_inputs = 7,
    .min_outputs = 1,
    .max_outputs = 5,
    .in_place = "0>0 3>1 4>2 5>3 6>4",
    .arguments = C2G_ARGS (C2G_ARG_BOOLEAN (SpatialBnState, is_test, "is_test", FALSE),
                           C2G_ARG_FLOAT (SpatialBnState, epsilon, "epsilon", 1e-5,
                                          C2G_AT_LEAST (C2G_ABOVE_0)),
                           C2G_ARG_FLOAT (SpatialBnState, momentum, "momentum", 0.9,
                                          C2G_RANGE (0, 1)),
                           C2G_ARG_ORDER (SpatialBnState, channels_last),
                           C2G_ARG_INT (SpatialBnState, n_batches, "num_batches", 1,
                                        C2G_AT_LEAST (1))),
    .state_size = sizeof (SpatialBnState),
    .set_up = spatial_bn_set_up,
    .run = spatial_bn_run,
    .is_for_devices = TRUE,
    .infer = spatial_bn_run,
    .clear = spatial_bn_clear,
    .count_flops = c2g_operator_count_flops,
    .summary = "Batch normalization: each channel with mean 0 and variance 1, scaled and moved",
    .traits = C2G_TRAITS_IMAGES | C2G_TRAIT_HALF_FIRST,
    .traits_argument = "is_test",
    .role = C2G_ROLE_BATCH_NORM,
  },
};

C2G_OPS_FAMILY (spatial_bn);
