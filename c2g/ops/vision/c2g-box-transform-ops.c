/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/vision/c2g-boxes-private.h>

#include <math.h>

/* BBoxTransform: applies regression deltas to boxes.
 *
 * Inputs: boxes (N, 4), or (N, 5) with the index of the image first; deltas (N, 4 · classes);
 * image info (images, 3) with height, width and scale. Rotated boxes have one number more. Boxes
 * are divided by the scale, transformed with x' = dx w / weight + x, w' = w exp (dw / weight) and
 * clipped to the image; with apply_scale the results are multiplied by the scale again.
 *
 * Outputs: boxes in the shape of the deltas, and optionally the number of boxes of each image.
 * Nothing is in place. The rules are Caffe2's. The operator runs on the CPU only. */

typedef struct
{
  C2gBoxTransform transform;
  gboolean        apply_scale;
} TransformState;

static gboolean
transform_set_up (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  TransformState *self = state;

  return c2g_box_transform_set_up (&self->transform, error);
}

/* Inputs.  has_image is set if rows of boxes begin with the index of their image. */
typedef struct
{
  C2gTensor   *boxes;
  C2gTensor   *deltas;
  const float *info;
  gint64       n;
  gint64       n_classes;
  gint64       n_images;
  gboolean     has_image;
} TransformInputs;

static gboolean
read_boxes (TransformInputs  *x,
            C2gOperator      *op,
            guint             n_numbers,
            GError          **error)
{
  x->boxes = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  if (x->boxes == NULL)
    return FALSE;
  if (x->boxes->n_dims != 2 ||
      (x->boxes->dims[1] != n_numbers && x->boxes->dims[1] != n_numbers + 1))
    return c2g_operator_set_shape_error (op, 0, error, _("rows of %u or %u numbers"), n_numbers,
                                         n_numbers + 1);
  x->n = x->boxes->dims[0];
  x->has_image = x->boxes->dims[1] == n_numbers + 1;

  x->deltas = c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error);
  if (x->deltas == NULL)
    return FALSE;
  if (x->deltas->n_dims != 2 || x->deltas->dims[0] != x->n ||
      x->deltas->dims[1] % n_numbers != 0)
    return c2g_operator_set_shape_error (op, 1, error, _("%" PRId64 " rows of a multiple of %u"),
                                         x->n, n_numbers);
  x->n_classes = x->deltas->dims[1] / n_numbers;
  return TRUE;
}

static gboolean
read_images (TransformInputs  *x,
             C2gOperator      *op,
             GError          **error)
{
  C2gTensor *info = c2g_operator_input (op, 2, C2G_DATA_TYPE_FLOAT, error);
  gint64 last = 0;

  if (info == NULL)
    return FALSE;
  if (info->n_dims != 2 || info->dims[1] != 3 || (!x->has_image && info->dims[0] != 1))
    return c2g_operator_set_shape_error (op, 2, error, _("rows of %d numbers"), 3);
  x->info = c2g_tensor_address (info);
  x->n_images = info->dims[0];

  if (c2g_operator_is_inferring (op))
    return TRUE;
  for (gint64 i = 0; x->has_image && i < x->n; i++)
    {
      const float image =
        ((const float *) c2g_tensor_address (x->boxes))[i * x->boxes->dims[1]];

      if (!(image >= (float) last && image < (float) x->n_images))
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("Input %u, “%s”, has the image %g at %" PRId64
                           ", expected at least %" PRId64 " and less than %" PRId64),
                         0,
                         c2g_operator_input_name (op, 0), image, i, last, x->n_images);
      last = (gint64) image;
    }
  return TRUE;
}

static gint64
image_of (const TransformInputs *x,
          gint64                 i)
{
  if (!x->has_image)
    return 0;
  return (gint64) ((const float *) c2g_tensor_address (x->boxes))[i * x->boxes->dims[1]];
}

static void
transform_box (const TransformState  *self,
               const TransformInputs *x,
               gint64                 i,
               float                 *to)
{
  const guint n_numbers = c2g_box_n_numbers (self->transform.rotated);
  const float *info = x->info + image_of (x, i) * 3;
  const float *from = (const float *) c2g_tensor_address (x->boxes) +
                      i * x->boxes->dims[1] + x->has_image;
  const float *deltas = (const float *) c2g_tensor_address (x->deltas) + i * x->deltas->dims[1];
  const float height = truncf (info[0] / info[2] + 0.5f);
  const float width = truncf (info[1] / info[2] + 0.5f);
  float box[C2G_BOX_MAX];

  for (guint j = 0; j < n_numbers; j++)
    box[j] = j < 4 ? from[j] / info[2] : from[j];

  for (gint64 k = 0; k < x->n_classes; k++)
    {
      c2g_box_transform (&self->transform, box, deltas + k * n_numbers, to);
      c2g_box_clip (&self->transform, height, width, to);
      for (guint j = 0; self->apply_scale && j < 4; j++)
        to[j] *= info[2];
      to += n_numbers;
    }
}

static gboolean
put_splits (C2gOperator            *op,
            const TransformInputs  *x,
            GError                **error)
{
  C2gTensor *output;
  float *splits;

  if (c2g_operator_get_n_outputs (op) < 2)
    return TRUE;
  output = c2g_operator_output (op, 1, &x->n_images, 1, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL)
    return FALSE;

  splits = c2g_tensor_address (output);
  for (gint64 i = 0; i < x->n_images; i++)
    splits[i] = 0;
  for (gint64 i = 0; i < x->n; i++)
    splits[image_of (x, i)]++;
  return TRUE;
}

static gboolean
transform_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  TransformState *self = state;
  TransformInputs x;
  C2gTensor *output;

  if (!read_boxes (&x, op, c2g_box_n_numbers (self->transform.rotated), error) ||
      !read_images (&x, op, error))
    return FALSE;
  output = c2g_operator_output_like (op, 0, x.deltas, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL || !put_splits (op, &x, error))
    return FALSE;

  for (gint64 i = 0; i < x.n; i++)
    transform_box (self, &x, i, (float *) c2g_tensor_address (output) + i * output->dims[1]);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "BBoxTransform",
    .min_inputs = 3,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 2,
    .arguments = C2G_ARGS (C2G_ARG_PART (TransformState, transform, c2g_box_transform_arguments),
                           C2G_ARG_BOOLEAN (TransformState, apply_scale, "apply_scale", TRUE)),
    .state_size = sizeof (TransformState),
    .set_up = transform_set_up,
    .run = transform_run,
    .infer = transform_run,
    .summary = "Applies deltas to boxes, and keeps these within their images",
  },
};

C2G_OPS_FAMILY (box_transform);
