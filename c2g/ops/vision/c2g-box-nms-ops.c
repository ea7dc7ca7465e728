/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/vision/c2g-box-nms-private.h>

#include <string.h>

/* BoxWithNMSLimit: non-maximum suppression per class, then a limit per image.
 *
 * Inputs: scores (N, classes), boxes (N, 4 · classes) or (N, 4) with cls_agnostic_bbox_reg, and
 * optionally the number of rows of each image. Rotated boxes have 5 numbers. Boxes with a score
 * of more than score_thresh take part. Outputs, for the K boxes kept: scores (K), boxes (K, 4),
 * classes (K); then optionally the number of boxes per image, the index of each box in its image,
 * and the number of boxes per image and class.
 *
 * Nothing is in place. The rules and the arguments' defaults are Caffe2's. The operator runs on
 * the CPU only. */

typedef struct
{
  C2gBoxDetect detect;
  gboolean     cls_agnostic_bbox_reg;
  gboolean     input_has_background;
  gboolean     output_has_background;
  gboolean     has_plus_one;
  gboolean     is_soft;
  C2gNmsMethod soft_method;

  /* Array of C2gBoxCandidate: the boxes kept so far, followed by the candidates of the current
   * class. */
  C2gTensor   *boxes;
} LimitState;

static gboolean
limit_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  LimitState *self = state;
  C2gBoxNms *nms = &self->detect.nms;

  nms->method = self->is_soft ? self->soft_method : C2G_NMS_HARD;
  nms->plus_one = self->has_plus_one ? 1 : 0;
  self->detect.max_candidates = G_MAXINT64;
  if (self->detect.max_kept <= 0)
    self->detect.max_kept = G_MAXINT64;
  self->boxes = c2g_tensor_new ();
  return TRUE;
}

static void
limit_clear (gpointer state)
{
  LimitState *self = state;

  g_clear_object (&self->boxes);
}

/* Inputs. Classes count from 1, since 0 is the background. If the boxes have no columns for the
 * background, its scores are in the last column. */
typedef struct
{
  const float *scores;
  const float *boxes;
  gint64       n;
  gint64       n_classes;
  gint64       n_images;
  const float *splits;
} LimitInputs;

static gint64
box_column (const LimitState *self,
            gint64            class)
{
  if (self->cls_agnostic_bbox_reg)
    return 0;
  return class - !self->input_has_background;
}

static gint64
n_columns (const LimitState  *self,
           const LimitInputs *x)
{
  /* Unsigned, because with 0 rows n_classes can be so large that the product overflows. */
  return (gint64) ((guint64) (box_column (self, x->n_classes - 1) + 1) *
                   (guint64) c2g_box_n_numbers (self->detect.nms.rotated));
}

static C2gTensor *
read_matrix (C2gOperator  *op,
             guint         input,
             GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_FLOAT, error);

  if (tensor == NULL || tensor->n_dims == 2 ||
      (tensor->n_dims == 4 && tensor->dims[2] == 1 && tensor->dims[3] == 1))
    return tensor;
  c2g_operator_set_shape_error (op, input, error, _("two dimensions"));
  return NULL;
}

static gboolean
read_splits (LimitInputs  *x,
             C2gOperator  *op,
             GError      **error)
{
  C2gTensor *splits;
  gint64 total = 0;

  x->splits = NULL;
  x->n_images = 1;
  if (c2g_operator_get_n_inputs (op) < 3)
    return TRUE;
  splits = c2g_operator_input (op, 2, C2G_DATA_TYPE_FLOAT, error);
  if (splits == NULL)
    return FALSE;
  if (splits->n_dims != 1)
    return c2g_operator_set_shape_error (op, 2, error, _("one dimension"));

  x->splits = c2g_tensor_address (splits);
  x->n_images = splits->dims[0];
  for (gint64 i = 0; i < x->n_images; i++)
    {
      if (!(x->splits[i] >= 0 && x->splits[i] <= (float) x->n))
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("Input %u, “%s”, is %g at %" PRId64
                           ", expected a number from 0 to %" PRId64),
                         2,
                         c2g_operator_input_name (op, 2), x->splits[i], i, x->n);
      total += (gint64) x->splits[i];
    }
  if (total == x->n)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, has lengths with the sum %" PRId64 ", expected %" PRId64), 2,
                   c2g_operator_input_name (op, 2), total, x->n);
}

static gboolean
read_limit_inputs (LimitInputs       *x,
                   const LimitState  *self,
                   C2gOperator       *op,
                   GError           **error)
{
  C2gTensor *scores = read_matrix (op, 0, error);
  C2gTensor *boxes = scores != NULL ? read_matrix (op, 1, error) : NULL;
  gint64 n_box_columns;

  if (boxes == NULL)
    return FALSE;
  x->n = scores->dims[0];
  x->n_classes = scores->dims[1];
  if (x->n_classes < 1)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one class"));

  n_box_columns = n_columns (self, x);
  if (boxes->dims[0] != x->n || boxes->dims[1] != n_box_columns)
    return c2g_operator_set_shape_error (op, 1, error, "[%" PRId64 ", %" PRId64 "]", x->n,
                                         n_box_columns);
  x->scores = c2g_tensor_address (scores);
  x->boxes = c2g_tensor_address (boxes);
  return read_splits (x, op, error);
}

/* Memory of the optional outputs with numbers per image; NULL if the operator lacks them. */
typedef struct
{
  float  *splits;
  gint32 *sizes;
} LimitOutputs;

static gboolean
make_splits (LimitOutputs       *y,
             C2gOperator        *op,
             const LimitInputs  *x,
             GError            **error)
{
  const gint64 dims[] = { x->n_images, x->n_classes };
  C2gTensor *tensor;

  *y = (LimitOutputs) { NULL, NULL };
  if (c2g_operator_get_n_outputs (op) > 3)
    {
      tensor = c2g_operator_output (op, 3, dims, 1, C2G_DATA_TYPE_FLOAT, error);
      if (tensor == NULL)
        return FALSE;
      y->splits = c2g_tensor_address (tensor);
    }
  if (c2g_operator_get_n_outputs (op) > 5)
    {
      tensor = c2g_operator_output (op, 5, dims, 2, C2G_DATA_TYPE_INT32, error);
      if (tensor == NULL)
        return FALSE;
      y->sizes = c2g_tensor_address (tensor);
      if (tensor->n_elements > 0)
        memset (y->sizes, 0, tensor->n_elements * sizeof (gint32));
    }
  return TRUE;
}

/* Appends the boxes kept for an image. */
static gboolean
keep_image (LimitState          *self,
            const LimitInputs   *x,
            gint64               image,
            gint64               begin,
            gint64               end,
            const LimitOutputs  *y,
            gint64              *n_kept,
            GError             **error)
{
  const gint64 n_before = *n_kept;
  const C2gBoxRows rows = {
    .n = end - begin,
    .n_classes = x->n_classes,
    .shift = !self->input_has_background,
    .scores = x->scores + begin * x->n_classes,
    .n_scores = x->n_classes,
    .boxes = x->boxes + begin * n_columns (self, x),
    .n_boxes = n_columns (self, x),
    .is_agnostic = self->cls_agnostic_bbox_reg,
  };

  if (!c2g_box_detect (&self->detect, &rows, self->boxes, n_kept, error))
    return FALSE;
  for (gint64 i = n_before; y->sizes != NULL && i < *n_kept; i++)
    y->sizes[image * x->n_classes +
             ((C2gBoxCandidate *) c2g_tensor_address (self->boxes))[i].class]++;
  return TRUE;
}

static gboolean
put_kept (LimitState   *self,
          C2gOperator  *op,
          gint64        n,
          GError      **error)
{
  const C2gBoxCandidate *kept = n > 0 ? c2g_tensor_address (self->boxes) : NULL;
  const gint64 n_numbers = c2g_box_n_numbers (self->detect.nms.rotated);
  const gint64 dims[] = { n, n_numbers };
  C2gTensor *scores = c2g_operator_output (op, 0, dims, 1, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *boxes =
    scores != NULL ? c2g_operator_output (op, 1, dims, 2, C2G_DATA_TYPE_FLOAT, error) : NULL;
  C2gTensor *classes =
    boxes != NULL ? c2g_operator_output (op, 2, dims, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  C2gTensor *rows = NULL;

  if (classes == NULL)
    return FALSE;
  if (c2g_operator_get_n_outputs (op) > 4)
    {
      rows = c2g_operator_output (op, 4, dims, 1, C2G_DATA_TYPE_INT32, error);
      if (rows == NULL)
        return FALSE;
    }

  for (gint64 i = 0; i < n; i++)
    {
      ((float *) c2g_tensor_address (scores))[i] = kept[i].score;
      ((float *) c2g_tensor_address (classes))[i] =
        (float) (kept[i].class - !self->output_has_background);
      memcpy ((float *) c2g_tensor_address (boxes) + i * n_numbers, kept[i].box,
              n_numbers * sizeof (float));
      if (rows != NULL)
        ((gint32 *) c2g_tensor_address (rows))[i] = (gint32) kept[i].index;
    }
  return TRUE;
}

static gboolean
limit_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  LimitState *self = state;
  LimitInputs x = { 0 };
  LimitOutputs y;
  gint64 begin = 0, n_kept = 0;

  if (!read_limit_inputs (&x, self, op, error) || !make_splits (&y, op, &x, error))
    return FALSE;

  for (gint64 image = 0; image < x.n_images; image++)
    {
      const gint64 end = x.splits != NULL ? begin + (gint64) x.splits[image] : x.n;
      const gint64 n_before = n_kept;

      if (!keep_image (self, &x, image, begin, end, &y, &n_kept, error))
        return FALSE;
      if (y.splits != NULL)
        y.splits[image] = (float) (n_kept - n_before);
      begin = end;
    }
  return put_kept (self, op, n_kept, error);
}

static const C2gKernel kernels[] = {
  {
    .type = "BoxWithNMSLimit",
    .min_inputs = 2,
    .max_inputs = 3,
    .min_outputs = 3,
    .max_outputs = 6,
    .arguments = C2G_ARGS (
      C2G_ARG_FLOAT (LimitState, detect.min_score, "score_thresh", 0.05),
      C2G_ARG_FLOAT (LimitState, detect.nms.threshold, "nms", 0.3),
      C2G_ARG_INT (LimitState, detect.max_kept, "detections_per_im", 100),
      C2G_ARG_CHOICE (LimitState, soft_method, "soft_nms_method", "linear gaussian"),
      C2G_ARG_BOOLEAN (LimitState, is_soft, "soft_nms_enabled", FALSE),
      C2G_ARG_FLOAT (LimitState, detect.nms.sigma, "soft_nms_sigma", 0.5),
      C2G_ARG_FLOAT (LimitState, detect.nms.min_score, "soft_nms_min_score_thres", 0.001),
      C2G_ARG_BOOLEAN (LimitState, detect.nms.rotated, "rotated", FALSE),
      C2G_ARG_BOOLEAN (LimitState, has_plus_one, "legacy_plus_one", TRUE),
      C2G_ARG_BOOLEAN (LimitState, cls_agnostic_bbox_reg, "cls_agnostic_bbox_reg", FALSE),
      C2G_ARG_BOOLEAN (LimitState, input_has_background, "input_boxes_include_bg_cls", TRUE),
      C2G_ARG_BOOLEAN (LimitState, output_has_background, "output_classes_include_bg_cls", TRUE)),
    .state_size = sizeof (LimitState),
    .set_up = limit_set_up,
    .run = limit_run,
    .clear = limit_clear,
    .summary = "The best of overlapping boxes, for each class",
  },
};

C2G_OPS_FAMILY (box_nms);
