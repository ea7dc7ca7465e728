/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/vision/c2g-box-nms-private.h>

#include <math.h>
#include <string.h>

/* GenerateProposals: region proposals of Faster R-CNN.
 *
 * Inputs: scores (N, A, H, W), deltas (N, 4 A, H, W), image info (N, 3) with height, width and
 * scale, anchors (A, 4), where anchors are shifted by the position times 1 / spatial_scale.
 * Rotated anchors have 5 numbers. For each image: the pre_nms_topN best boxes are transformed by
 * the deltas and clipped to the image; boxes smaller than min_size · scale, and those whose
 * center is outside of the image, are dropped; NMS with nms_thresh keeps at most post_nms_topN.
 *
 * Outputs: boxes (K, 5) with the index of the image first, and their scores (K). Nothing is in
 * place. The rules are Caffe2's. The operator runs on the CPU only. */

typedef struct
{
  C2gBoxTransform transform;
  C2gBoxNms       nms;
  float           scale;
  /* Number of pixels between positions of the grid: 1 / spatial_scale. */
  float           stride;
  gint64          pre_nms_top_n;
  gint64          post_nms_top_n;
  float           min_size;

  /* candidates: an array of C2gBoxCandidate for all boxes of an image.  boxes: the transformed
   * boxes of the n_top best ones. */
  C2gTensor      *candidates;
  C2gScratch      boxes;
} ProposalState;

static gboolean
proposal_set_up (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  ProposalState *self = state;

  if (!c2g_box_transform_set_up (&self->transform, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (self->transform.weights); i++)
    self->transform.weights[i] = 1;
  self->stride = 1 / self->scale;
  self->nms.method = C2G_NMS_HARD;
  self->nms.plus_one = self->transform.plus_one;
  self->candidates = c2g_tensor_new ();
  return TRUE;
}

static void
proposal_clear (gpointer state)
{
  ProposalState *self = state;

  g_clear_object (&self->candidates);
  c2g_scratch_clear (&self->boxes);
}

typedef struct
{
  const float *scores;
  const float *deltas;
  const float *info;
  const float *anchors;
  gint64       n_images;
  gint64       n_anchors;
  gint64       height;
  gint64       width;
  /* Number of all boxes of an image, and of those that are transformed. */
  gint64       n;
  gint64       n_top;
  guint        n_numbers;
} ProposalInputs;

static gboolean
read_anchors (ProposalInputs  *x,
              C2gOperator     *op,
              GError         **error)
{
  C2gTensor *anchors = c2g_operator_input (op, 3, C2G_DATA_TYPE_FLOAT, error);

  if (anchors == NULL)
    return FALSE;
  if (anchors->n_dims != 2 || anchors->dims[0] != x->n_anchors ||
      (anchors->dims[1] != 4 && anchors->dims[1] != 5))
    return c2g_operator_set_shape_error (op, 3, error,
                                         _("%" PRId64 " rows of %u or %u numbers"),
                                         x->n_anchors, 4, 5);
  x->anchors = c2g_tensor_address (anchors);
  x->n_numbers = (guint) anchors->dims[1];
  return TRUE;
}

static gboolean
read_others (ProposalInputs  *x,
             C2gOperator     *op,
             GError         **error)
{
  C2gTensor *deltas = c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *info = deltas != NULL ? c2g_operator_input (op, 2, C2G_DATA_TYPE_FLOAT, error) : NULL;

  if (info == NULL)
    return FALSE;
  if (deltas->n_dims != 4 || deltas->dims[0] != x->n_images ||
      deltas->dims[1] % x->n_numbers != 0 || deltas->dims[1] / x->n_numbers != x->n_anchors ||
      deltas->dims[2] != x->height || deltas->dims[3] != x->width)
    return c2g_operator_set_shape_error (op, 1, error,
                                         "[%" PRId64 ", %" PRId64 " × %u, %" PRId64 ", %" PRId64
                                         "]",
                                         x->n_images, x->n_anchors, x->n_numbers, x->height,
                                         x->width);
  if (info->n_dims != 2 || info->dims[0] != x->n_images || info->dims[1] != 3)
    return c2g_operator_set_shape_error (op, 2, error, "[%" PRId64 ", 3]", x->n_images);
  x->deltas = c2g_tensor_address (deltas);
  x->info = c2g_tensor_address (info);
  return TRUE;
}

static gboolean
read_inputs (ProposalInputs       *x,
             const ProposalState  *self,
             C2gOperator          *op,
             GError              **error)
{
  C2gTensor *scores = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);

  if (scores == NULL)
    return FALSE;
  if (scores->n_dims != 4)
    return c2g_operator_set_shape_error (op, 0, error, _("four dimensions"));
  x->scores = c2g_tensor_address (scores);
  x->n_images = scores->dims[0];
  x->n_anchors = scores->dims[1];
  x->height = scores->dims[2];
  x->width = scores->dims[3];
  if (!read_anchors (x, op, error) || !read_others (x, op, error))
    return FALSE;

  x->n = x->n_images > 0 ? scores->n_elements / x->n_images : 0;
  x->n_top = self->pre_nms_top_n > 0 ? MIN (self->pre_nms_top_n, x->n) : x->n;
  return TRUE;
}

/* Computes the transformed box of an anchor at its position. */
static void
make_box (const ProposalState  *self,
          const ProposalInputs *x,
          gint64                image,
          gint64                index,
          float                *box)
{
  const gint64 n_places = x->height * x->width;
  const gint64 anchor = index / n_places, place = index % n_places;
  const float *deltas =
    x->deltas + ((image * x->n_anchors + anchor) * x->n_numbers) * n_places + place;
  const float *info = x->info + 3 * image;
  float from[C2G_BOX_MAX], change[C2G_BOX_MAX];

  for (guint i = 0; i < x->n_numbers; i++)
    {
      from[i] = x->anchors[anchor * x->n_numbers + i];
      change[i] = deltas[i * n_places];
    }
  for (guint i = 0; i < (x->n_numbers == 4 ? 4 : 2); i++)
    from[i] += (float) (i % 2 == 0 ? place % x->width : place / x->width) * self->stride;

  c2g_box_transform (&self->transform, from, change, box);
  c2g_box_clip (&self->transform, truncf (info[0]), truncf (info[1]), box);
}

/* Returns TRUE if the box is large enough and its center is inside of the image. */
static gboolean
is_sound (const ProposalState *self,
          const float         *info,
          const float         *box)
{
  const float min_size = self->min_size * info[2];
  float width = box[2], height = box[3], x = box[0], y = box[1];

  if (!self->transform.rotated)
    {
      width += self->transform.plus_one - x;
      height += self->transform.plus_one - y;
      x += width / 2;
      y += height / 2;
    }
  return width >= min_size && height >= min_size && x < info[1] && y < info[0];
}

/* Moves the kept boxes of an image to the front of candidates, and returns their number. */
static gint64
find_proposals (ProposalState        *self,
                const ProposalInputs *x,
                gint64                image,
                C2gBoxCandidate      *candidates)
{
  const float *scores = x->scores + image * x->n;
  gint64 n = 0;

  for (gint64 i = 0; i < x->n; i++)
    candidates[i] = (C2gBoxCandidate) { NULL, scores[i], i, 0 };
  c2g_box_sort_first (candidates, x->n, x->n_top, c2g_box_compare_scores);

  for (gint64 i = 0; i < x->n_top; i++)
    {
      float *box = self->boxes.data + i * x->n_numbers;

      make_box (self, x, image, candidates[i].index, box);
      candidates[i].box = box;
      if (is_sound (self, x->info + 3 * image, box))
        candidates[n++] = candidates[i];
    }
  return c2g_box_nms_run (&self->nms, candidates, n,
                          self->post_nms_top_n > 0 ? self->post_nms_top_n : n);
}

typedef struct
{
  C2gTensor *boxes;
  C2gTensor *scores;
  gint64     n;
} ProposalOutputs;

/* Makes the outputs with the largest possible size; they are shrunk at the end. */
static gboolean
make_outputs (ProposalOutputs       *y,
              const ProposalState   *self,
              const ProposalInputs  *x,
              C2gOperator           *op,
              GError               **error)
{
  const gint64 n_each =
    self->post_nms_top_n > 0 ? MIN (self->post_nms_top_n, x->n_top) : x->n_top;
  const gint64 dims[] = { x->n_images * n_each, x->n_numbers + 1 };

  y->n = 0;
  y->boxes = c2g_operator_output (op, 0, dims, 2, C2G_DATA_TYPE_FLOAT, error);
  y->scores =
    y->boxes != NULL ? c2g_operator_output (op, 1, dims, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  return y->scores != NULL;
}

static void
put_proposals (ProposalOutputs       *y,
               const C2gBoxCandidate *candidates,
               gint64                 n,
               gint64                 image,
               guint                  n_numbers)
{
  for (gint64 i = 0; i < n; i++)
    {
      float *row = (float *) c2g_tensor_address (y->boxes) + y->n * (n_numbers + 1);

      *row++ = (float) image;
      memcpy (row, candidates[i].box, n_numbers * sizeof (float));
      ((float *) c2g_tensor_address (y->scores))[y->n++] = candidates[i].score;
    }
}

static gboolean
proposal_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  ProposalState *self = state;
  C2gBoxCandidate *candidates;
  ProposalInputs x = { 0 };
  ProposalOutputs y = { 0 };

  if (!read_inputs (&x, self, op, error) ||
      !c2g_box_candidates_reserve (self->candidates, x.n, &candidates, error) ||
      !c2g_scratch_reserve (&self->boxes, x.n_top, x.n_numbers, error) ||
      !make_outputs (&y, self, &x, op, error))
    return FALSE;

  self->transform.rotated = self->nms.rotated = x.n_numbers == 5;
  for (gint64 image = 0; image < x.n_images; image++)
    put_proposals (&y, candidates, find_proposals (self, &x, image, candidates), image,
                   x.n_numbers);
  return c2g_tensor_shrink (y.boxes, y.n, error) && c2g_tensor_shrink (y.scores, y.n, error);
}

/* GenerateProposalsCPP is the older name of the same operator. */
static const C2gKernelArgument arguments[] = {
  C2G_ARG_PART (ProposalState, transform, c2g_box_transform_arguments),
  C2G_ARG_FLOAT (ProposalState, scale, "spatial_scale", 1.0 / 16, C2G_AT_LEAST (C2G_ABOVE_0)),
  C2G_ARG_INT (ProposalState, pre_nms_top_n, "pre_nms_topN", 6000),
  C2G_ARG_INT (ProposalState, post_nms_top_n, "post_nms_topN", 300),
  C2G_ARG_FLOAT (ProposalState, min_size, "min_size", 16),
  C2G_ARG_FLOAT (ProposalState, nms.threshold, "nms_thresh", 0.7),
  { 0 },
};

#define PROPOSALS(name)                                                                            \
  {                                                                                                \
    .type = name,                                                                                  \
    .min_inputs = 4,                                                                               \
    .max_inputs = 4,                                                                               \
    .min_outputs = 2,                                                                              \
    .max_outputs = 2,                                                                              \
    .arguments = arguments,                                                                        \
    .state_size = sizeof (ProposalState),                                                          \
    .set_up = proposal_set_up,                                                                     \
    .run = proposal_run,                                                                           \
    .clear = proposal_clear,                                                                       \
    .summary = "Boxes in images that may contain something, by scores of anchors",                           \
  }

static const C2gKernel kernels[] = {
  PROPOSALS ("GenerateProposals"),
  PROPOSALS ("GenerateProposalsCPP"),
};

C2G_OPS_FAMILY (proposal);
