/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/vision/c2g-box-nms-private.h>

#include <float.h>
#include <math.h>

/* DetectionOutput: the last layer of SSD (Single Shot MultiBox Detector, 2016) in Caffe.
 *
 * Inputs: deltas (N, P · 4), or (N, P · num_classes · 4) without share_location; scores
 * (N, P · num_classes); priors (1, 2, P · 4), the boxes (x1, y1, x2, y2) and their variances v.
 * Deltas d turn priors of the size (w, h) into boxes; with variance_encoded_in_target v is 1:
 *
 * CORNER: corner + v d
 * CORNER_SIZE: corner + v d · size
 * CENTER_SIZE: center + v d · size, and the size times exp (v d)
 *
 * Of each class but background_label_id, boxes with a score of more than confidence_threshold take
 * part, at most top_k if that is not negative. NMS with nms_threshold and eta leaves some, of
 * which each image keeps the keep_top_k best, or all if that is negative.
 *
 * Output (1, 1, K, 7): image, class, score and box, ordered by image, class and score. If there
 * are none, one row of -1. All is float, nothing is in place. The rules are those of SSD's Caffe.
 * The operator runs on the CPU only. */

typedef enum
{
  CODE_CORNER,
  CODE_CENTER_SIZE,
  CODE_CORNER_SIZE,
} Code;

typedef struct
{
  C2gBoxDetect detect;
  Code         code;
  gint64       n_classes;
  gint64       background;
  gboolean     shares_location;
  gboolean     ignores_variances;
  /* All boxes of a run. */
  C2gScratch   boxes;
  /* Array of C2gBoxCandidate; index is the image once that is done. */
  C2gTensor   *kept;
} DetectionState;

static gboolean
detection_set_up (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  DetectionState *self = state;

  self->kept = c2g_tensor_new ();
  self->detect.nms.method = C2G_NMS_HARD;
  self->detect.nms.keeps_empty = TRUE;
  /* A negative limit means none. */
  if (self->detect.max_candidates < 0)
    self->detect.max_candidates = G_MAXINT64;
  if (self->detect.max_kept < 0)
    self->detect.max_kept = G_MAXINT64;
  return TRUE;
}

static void
detection_clear (gpointer state)
{
  DetectionState *self = state;

  c2g_scratch_clear (&self->boxes);
  g_clear_object (&self->kept);
}

/* Inputs.  n_boxes counts the boxes of a prior: one, or one for each class. */
typedef struct
{
  gint64       n_images;
  gint64       n_priors;
  gint64       n_boxes;
  const float *deltas;
  const float *scores;
  const float *priors;
} Detections;

/* Reads n_numbers floats for each prior of each image. */
static gboolean
read_rows (C2gOperator       *op,
           guint              input,
           const Detections  *x,
           gint64             n_numbers,
           const float      **rows,
           GError           **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_FLOAT, error);
  gint64 n_row = 0, n_expected;

  if (tensor == NULL)
    return FALSE;
  if (tensor->n_dims >= 2 && tensor->dims[0] == x->n_images &&
      !c2g_shape_count (tensor->dims + 1, tensor->n_dims - 1, &n_row, error))
    return FALSE;
  if (tensor->n_dims < 2 || tensor->dims[0] != x->n_images ||
      __builtin_mul_overflow (x->n_priors, n_numbers, &n_expected) || n_row != n_expected)
    return c2g_operator_set_shape_error (op, input, error,
                                         "[%" PRId64 ", %" PRId64 " · %" PRId64 "]", x->n_images,
                                         x->n_priors, n_numbers);

  *rows = c2g_tensor_address (tensor);
  return TRUE;
}

/* Returns FALSE if a prior has no size: there is nothing that deltas could stretch. */
static gboolean
check_priors (C2gOperator       *op,
              const Detections  *x,
              Code               code,
              GError           **error)
{
  for (gint64 i = 0; code != CODE_CORNER && i < x->n_priors; i++)
    {
      const float *prior = x->priors + 4 * i;

      if (prior[2] > prior[0] && prior[3] > prior[1])
        continue;
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("Input %u, “%s”, has a box without size at %" PRId64), 2,
                       c2g_operator_input_name (op, 2), i);
    }
  return TRUE;
}

static gboolean
read_detections (Detections            *x,
                 const DetectionState  *self,
                 C2gOperator           *op,
                 GError               **error)
{
  C2gTensor *deltas = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *priors = deltas != NULL ? c2g_operator_input (op, 2, C2G_DATA_TYPE_FLOAT, error) : NULL;

  if (priors == NULL)
    return FALSE;
  if (priors->n_dims < 3 || priors->dims[0] != 1 || priors->dims[1] != 2 ||
      priors->dims[2] % 4 != 0 || priors->n_elements / 2 != priors->dims[2])
    return c2g_operator_set_shape_error (op, 2, error, "[1, 2, 4 · P]");

  x->priors = c2g_tensor_address (priors);
  x->n_priors = priors->dims[2] / 4;
  x->n_boxes = self->shares_location ? 1 : self->n_classes;
  x->n_images = deltas->n_dims > 0 ? deltas->dims[0] : 0;
  return read_rows (op, 0, x, 4 * x->n_boxes, &x->deltas, error) &&
         read_rows (op, 1, x, self->n_classes, &x->scores, error);
}

/* Decodes an axis of a box: numbers i and i + 2. */
static void
decode_axis (Code         code,
             const float *prior,
             const float *variances,
             const float *deltas,
             float       *box,
             guint        i)
{
  const float size = prior[i + 2] - prior[i];
  const float near = variances[i] * deltas[i], far = variances[i + 2] * deltas[i + 2];

  if (code == CODE_CENTER_SIZE)
    {
      const float center = near * size + (prior[i] + prior[i + 2]) / 2;
      const float half = expf (far) * size / 2;

      box[i] = center - half;
      box[i + 2] = center + half;
      return;
    }
  box[i] = prior[i] + near * (code == CODE_CORNER_SIZE ? size : 1);
  box[i + 2] = prior[i + 2] + far * (code == CODE_CORNER_SIZE ? size : 1);
}

static void
decode_image (const DetectionState *self,
              const Detections     *x,
              gint64                image)
{
  static const float ones[] = { 1, 1, 1, 1 };
  const gint64 n = x->n_priors * x->n_boxes;

  for (gint64 i = image * n; i < (image + 1) * n; i++)
    {
      const gint64 prior = i % n / x->n_boxes;
      const float *variances =
        self->ignores_variances ? ones : x->priors + 4 * (x->n_priors + prior);

      for (guint axis = 0; axis < 2; axis++)
        decode_axis (self->code, x->priors + 4 * prior, variances, x->deltas + 4 * i,
                     self->boxes.data + 4 * i, axis);
    }
}

static gboolean
keep_image (DetectionState    *self,
            const Detections  *x,
            gint64             image,
            gint64            *n_kept,
            GError           **error)
{
  const gint64 n_before = *n_kept;
  const C2gBoxRows rows = {
    .n = x->n_priors,
    .n_classes = self->n_classes,
    .background = self->background,
    .scores = x->scores + image * x->n_priors * self->n_classes,
    .n_scores = self->n_classes,
    .boxes = self->boxes.data + image * x->n_priors * x->n_boxes * 4,
    .n_boxes = x->n_boxes * 4,
    .is_agnostic = self->shares_location,
  };

  if (!c2g_box_detect (&self->detect, &rows, self->kept, n_kept, error))
    return FALSE;
  for (gint64 i = n_before; i < *n_kept; i++)
    ((C2gBoxCandidate *) c2g_tensor_address (self->kept))[i].index = image;
  return TRUE;
}

static gboolean
put_rows (DetectionState  *self,
          C2gOperator     *op,
          gint64           n_kept,
          GError         **error)
{
  const gint64 dims[] = { 1, 1, MAX (n_kept, 1), 7 };
  C2gTensor *output =
    c2g_operator_output (op, 0, dims, G_N_ELEMENTS (dims), C2G_DATA_TYPE_FLOAT, error);
  float *row;

  if (output == NULL)
    return FALSE;
  row = c2g_tensor_address (output);
  for (guint i = 0; n_kept == 0 && i < 7; i++)
    row[i] = -1;
  for (gint64 i = 0; i < n_kept; i++, row += 7)
    {
      const C2gBoxCandidate *kept = (C2gBoxCandidate *) c2g_tensor_address (self->kept) + i;

      row[0] = (float) kept->index;
      row[1] = (float) kept->class;
      row[2] = kept->score;
      for (guint j = 0; j < 4; j++)
        row[3 + j] = kept->box[j];
    }
  return TRUE;
}

static gboolean
detection_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  DetectionState *self = state;
  Detections x;
  gint64 n_images, n_kept = 0;

  if (!read_detections (&x, self, op, error) || !check_priors (op, &x, self->code, error))
    return FALSE;
  /* If there is no prior, there may be any number of images. */
  n_images = x.n_priors > 0 ? x.n_images : 0;
  if (n_images > 0 &&
      !c2g_scratch_reserve (&self->boxes, n_images, x.n_priors * x.n_boxes * 4, error))
    return FALSE;

  for (gint64 image = 0; image < n_images && !c2g_interrupt_is_wanted (); image++)
    {
      decode_image (self, &x, image);
      if (!keep_image (self, &x, image, &n_kept, error))
        return FALSE;
    }
  return put_rows (self, op, n_kept, error);
}

static const C2gKernel kernels[] = {
  {
    .type = "DetectionOutput",
    .min_inputs = 3,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (
      C2G_ARG_INT (DetectionState, n_classes, "num_classes", 0, C2G_RANGE (1, G_MAXINT32),
                   C2G_REQUIRED),
      C2G_ARG_INT (DetectionState, background, "background_label_id", 0),
      C2G_ARG_BOOLEAN (DetectionState, shares_location, "share_location", TRUE),
      C2G_ARG_BOOLEAN (DetectionState, ignores_variances, "variance_encoded_in_target", FALSE),
      C2G_ARG_CHOICE (DetectionState, code, "code_type", "CORNER CENTER_SIZE CORNER_SIZE"),
      C2G_ARG_FLOAT (DetectionState, detect.nms.threshold, "nms_threshold", 0.3, C2G_AT_LEAST (0)),
      C2G_ARG_FLOAT (DetectionState, detect.nms.eta, "eta", 1, C2G_RANGE (C2G_ABOVE_0, 1)),
      C2G_ARG_FLOAT (DetectionState, detect.min_score, "confidence_threshold", -FLT_MAX),
      C2G_ARG_INT (DetectionState, detect.max_candidates, "top_k", -1),
      C2G_ARG_INT (DetectionState, detect.max_kept, "keep_top_k", -1)),
    .state_size = sizeof (DetectionState),
    .set_up = detection_set_up,
    .run = detection_run,
    .clear = detection_clear,
    .summary = "The best boxes of each class, from priors, deltas and scores, as in SSD",
  },
};

C2G_OPS_FAMILY (detection);
