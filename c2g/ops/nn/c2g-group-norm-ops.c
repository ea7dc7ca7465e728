/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-planes-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <math.h>

/* GroupNorm: for each image and each group of channels,
 *
 * y = scale (x - mean) / sqrt (variance + epsilon) + bias
 *
 * where mean and variance are over the group's channels and pixels. InstanceNorm has groups of
 * one channel. Inputs X (NCHW or NHWC), scale (C), bias (C); Y has the shape of X and may be in
 * place. Optional outputs are mean and 1 / sqrt (variance + epsilon), of N × groups. The rules
 * are Caffe2's. On CUDA kernels/reduce.cu finds the statistics, and kernels/channels.cu normalizes
 * and scales. */

typedef struct
{
  /* 0 for one group per channel (InstanceNorm). */
  int        n_groups;
  float      epsilon;
  gboolean   channels_last;
  C2gScratch scratch;
} NormState;

typedef struct
{
  C2gPlanes    image;
  gint64       n_groups;
  const float *scale;
  const float *bias;
  /* One value per image and group. */
  float       *means;
  float       *inverses;
  /* One value per channel of the current image: y = scale (x - center) + bias. */
  float       *scales;
  float       *centers;
} Norm;

/* On entry, centers are the means of the channels. Replaces them by the mean of their group. */
static void
find_group (const Norm *self,
            gint64      group,
            float      *mean)
{
  const gint64 n_each = self->image.n_channels / self->n_groups;
  double sum = 0;

  for (gint64 i = group * n_each; i < (group + 1) * n_each; i++)
    sum += self->centers[i];
  *mean = (float) (sum / (double) n_each);
  for (gint64 i = group * n_each; i < (group + 1) * n_each; i++)
    self->centers[i] = *mean;
}

/* On entry, scales are the mean squared distances of the channels from the center. Replaces them
 * by the final scales. */
static void
finish_group (const Norm *self,
              gint64      group,
              float       epsilon,
              float      *inverse)
{
  const gint64 n_each = self->image.n_channels / self->n_groups;
  double variance = 0;

  for (gint64 i = group * n_each; i < (group + 1) * n_each; i++)
    variance += self->scales[i];
  *inverse = (float) (1 / sqrt (variance / (double) n_each + epsilon));
  for (gint64 i = group * n_each; i < (group + 1) * n_each; i++)
    self->scales[i] = *inverse * self->scale[i];
}

static void
run_image (const Norm  *self,
           float        epsilon,
           const float *x,
           float       *means,
           float       *inverses,
           float       *y)
{
  const double share = 1.0 / (double) self->image.n_places;

  c2g_planes_sum (&self->image, x, NULL, share, self->centers);
  for (gint64 i = 0; i < self->n_groups; i++)
    find_group (self, i, &means[i]);
  c2g_planes_sum (&self->image, x, self->centers, share, self->scales);
  for (gint64 i = 0; i < self->n_groups; i++)
    finish_group (self, i, epsilon, &inverses[i]);
  c2g_planes_scale (&self->image, x, self->centers, self->scales, self->bias, y);
}

static gboolean
make_statistics (C2gOperator  *op,
                 Norm         *norm,
                 GError      **error)
{
  const gint64 dims[2] = { norm->image.n_images, norm->n_groups };
  float **places[2] = { &norm->means, &norm->inverses };

  for (guint i = 1; i < c2g_operator_get_n_outputs (op); i++)
    {
      C2gTensor *tensor = c2g_operator_output (op, i, dims, 2, C2G_DATA_TYPE_FLOAT, error);

      if (tensor == NULL)
        return FALSE;
      *places[i - 1] = c2g_tensor_address (tensor);
    }
  return TRUE;
}

static gboolean
clear_statistics (C2gOperator  *op,
                  GError      **error)
{
  for (guint i = 1; i < c2g_operator_get_n_outputs (op); i++)
    {
      C2gTensor *tensor = c2g_blob_get_tensor (c2g_operator_get_output (op, i), NULL);

      if (!c2g_operator_clear_items (op, c2g_tensor_address (tensor),
                                     c2g_tensor_byte_size (tensor), error))
        return FALSE;
    }
  return TRUE;
}

/* Reserves scratch memory for the channels of an image, and for statistics that are not outputs. */
static gboolean
reserve (C2gOperator  *op,
         NormState    *self,
         Norm         *norm,
         GError      **error)
{
  const guint n_outputs = c2g_operator_get_n_outputs (op);
  const gint64 n = norm->image.n_channels;
  const gint64 n_images = norm->image.n_images;

  if (!c2g_scratch_reserve (&self->scratch, MAX (n_images, 1) * 2 + 2, n, error))
    return FALSE;
  norm->scales = self->scratch.data;
  norm->centers = norm->scales + n;
  if (n_outputs < 2)
    norm->means = norm->centers + n;
  if (n_outputs < 3)
    norm->inverses = norm->centers + n + n_images * norm->n_groups;
  return TRUE;
}

/* In NCHW the channels of a group are contiguous, so all images are one pass. In NHWC each image
 * is a pass of its own.  run_on_device() turns the variances into inverses afterwards. */
static gboolean
normalize_on_device (C2gOperator      *op,
                     const NormState  *self,
                     const Norm       *norm,
                     const float      *x,
                     float            *means,
                     float            *variances,
                     float            *y,
                     GError          **error)
{
  const C2gPlanes *image = &norm->image;
  const gint64 n_each = image->n_channels / norm->n_groups;
  const gboolean is_last = image->channels_last;
  const gint64 n_passes = is_last ? image->n_images : 1;
  const gint64 n_outer = is_last ? image->n_places : 1;
  const gint64 n_groups = is_last ? norm->n_groups : norm->n_groups * image->n_images;
  const gint64 n_inner = is_last ? n_each : n_each * image->n_places;

  for (gint64 i = 0; i < n_passes; i++)
    {
      const gint64 offset = i * n_outer * n_groups * n_inner;
      const C2gMoments moments = {
        x + offset, n_outer, n_groups, n_inner, means + i * n_groups, variances + i * n_groups
      };

      if (!c2g_on_device_moments (op, &moments, error) ||
          !C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_NORMALIZE, .type = C2G_DATA_TYPE_FLOAT,
                        .x = x + offset, .mean = means + i * n_groups,
                        .variance = variances + i * n_groups, .epsilon = self->epsilon,
                        .y = y + offset, .n_outer = n_outer, .n = n_groups, .n_inner = n_inner))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_on_device (C2gOperator  *op,
               NormState    *self,
               const Norm   *norm,
               C2gTensor    *x,
               C2gTensor    *y,
               GError      **error)
{
  const C2gPlanes *image = &norm->image;
  const gint64 n = image->n_images * norm->n_groups;
  float *room, *means, *variances, *target = c2g_tensor_address (y);
  g_autoptr (C2gStorage) scratch = c2g_on_device_scratch (op, n, 2 * sizeof (float), &room, error);

  if (scratch == NULL)
    return FALSE;

  means = norm->means != NULL ? norm->means : room;
  variances = norm->inverses != NULL ? norm->inverses : room + n;
  c2g_operator_set_flops (op, 6.0 * (double) y->n_elements);
  return normalize_on_device (op, self, norm, c2g_tensor_address (x), means, variances, target,
                              error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SCALE_CHANNELS, .type = C2G_DATA_TYPE_FLOAT,
                      .x = target, .scale = norm->scale, .bias = norm->bias, .y = target,
                      .n_outer = image->n_images * (image->channels_last ? image->n_places : 1),
                      .n = image->n_channels,
                      .n_inner = image->channels_last ? 1 : image->n_places) &&
         c2g_on_device_linear (op, variances, 1, self->epsilon, variances, n, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_RSQRT,
                      .type = C2G_DATA_TYPE_FLOAT, .x = variances, .y = variances, .n = n);
}

static gboolean
prepare (C2gOperator  *op,
         NormState    *self,
         C2gTensor    *x,
         Norm         *norm,
         GError      **error)
{
  gint64 n;

  if (!c2g_planes_read (&norm->image, op, 0, x, 2, self->channels_last, error))
    return FALSE;
  n = norm->image.n_channels;
  norm->n_groups = self->n_groups != 0 ? self->n_groups : n;
  if (n % norm->n_groups != 0)
    return c2g_operator_set_shape_error (op, 0, error, _("a multiple of %" PRId64 " channels"),
                                         norm->n_groups);

  return c2g_planes_input (op, 1, n, &norm->scale, error) &&
         c2g_planes_input (op, 2, n, &norm->bias, error) && make_statistics (op, norm, error);
}

static gboolean
norm_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  NormState *self = state;
  Norm norm = { .means = NULL };
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y;
  gint64 n_images, n_each;

  if (x == NULL || !prepare (op, self, x, &norm, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  /* If n_places is 0, n_images may be too large for the scratch memory. */
  if (y->n_elements == 0)
    return clear_statistics (op, error);
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, self, &norm, x, y, error);
  if (!reserve (op, self, &norm, error))
    return FALSE;

  n_images = norm.image.n_images;
  n_each = norm.image.n_channels * norm.image.n_places;
  norm.image.n_images = 1;
  for (gint64 i = 0; i < n_images && n_each > 0; i++)
    run_image (&norm, self->epsilon, (const float *) c2g_tensor_address (x) + i * n_each,
               norm.means + i * norm.n_groups, norm.inverses + i * norm.n_groups,
               (float *) c2g_tensor_address (y) + i * n_each);
  c2g_operator_set_flops (op, 6.0 * (double) y->n_elements);
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (norm_clear, NormState, scratch)

#define NORM(name, known, text, ...)                                                               \
  {                                                                                                \
    .type = name, .min_inputs = 3, .max_inputs = 3, .min_outputs = 1, .max_outputs = 3,            \
    .in_place = "0>0", .summary = text,                                                            \
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (NormState, epsilon, "epsilon", 1e-5, C2G_AT_LEAST (0)),  \
                           C2G_ARG_ORDER (NormState, channels_last), __VA_ARGS__),                 \
    .state_size = sizeof (NormState), .run = norm_run, .infer = norm_run, .clear = norm_clear,     \
    .count_flops = c2g_operator_count_flops, .is_for_devices = TRUE, .traits = known               \
  }

static const C2gKernel kernels[] = {
  NORM ("GroupNorm", C2G_TRAITS_FLOAT,
        "Groups of channels of an image with mean 0 and variance 1, scaled and moved",
        C2G_ARG_INT (NormState, n_groups, "group", 32, C2G_AT_LEAST (1)),
        C2G_ARG_IGNORED ("num_groups")),
  NORM ("InstanceNorm", C2G_TRAITS_FLOAT,
        "Channels of an image with mean 0 and variance 1, scaled and moved", { 0 }),
};

C2G_OPS_FAMILY (group_norm);
