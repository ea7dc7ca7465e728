/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/ops/vision/c2g-boxes-private.h>

G_BEGIN_DECLS

/* Non-maximum suppression (NMS): of boxes that overlap, only the one with the best score is
 * kept. */

typedef enum
{
  /* Soft-NMS: lowers the scores of boxes by a linear or a Gaussian function of their IoU with a
   * better box. */
  C2G_NMS_LINEAR,
  C2G_NMS_GAUSSIAN,
  /* Removes boxes whose IoU with a better box is above the threshold. */
  C2G_NMS_HARD,
} C2gNmsMethod;

typedef struct
{
  C2gNmsMethod method;
  float        threshold;
  float        sigma;
  float        min_score;
  gboolean     rotated;
  float        plus_one;
  /* Hard: each kept box multiplies a threshold above 0.5 by eta, as in SSD.  0 is like 1. */
  float        eta;
  /* Boxes without area overlap nothing. Otherwise their IoU of NaN removes one of two. */
  gboolean     keeps_empty;
} C2gBoxNms;

/* A box, which lies in the memory of the caller, with its row in the image. */
typedef struct
{
  const float *box;
  float        score;
  gint64       index;
  gint64       class;
} C2gBoxCandidate;

typedef int (*C2gBoxCompare) (const C2gBoxCandidate *a,
                              const C2gBoxCandidate *b);

/* Orders by score, the best first. Equal scores are ordered by class, then by index. */
int    c2g_box_compare_scores  (const C2gBoxCandidate *a,
                                const C2gBoxCandidate *b);

/* Moves the first n_first candidates in that order to the front, sorted. */
void   c2g_box_sort_first      (C2gBoxCandidate       *candidates,
                                gint64                 n,
                                gint64                 n_first,
                                C2gBoxCompare          compare);

/* Moves the kept candidates, at most max_kept, to the front. Returns their number. */
gint64 c2g_box_nms_run         (const C2gBoxNms       *self,
                                C2gBoxCandidate       *candidates,
                                gint64                 n,
                                gint64                 max_kept);

/* The choice of detections: NMS for each class, then a limit for each image. */
typedef struct
{
  C2gBoxNms nms;
  /* Boxes with a score of more than this take part, at most max_candidates of a class. */
  float     min_score;
  gint64    max_candidates;
  gint64    max_kept;
} C2gBoxDetect;

/* The rows of an image: scores and boxes of all classes. Class c has column c - shift. */
typedef struct
{
  gint64       n;
  gint64       n_classes;
  gint64       shift;
  /* The class without detections, or -1. */
  gint64       background;
  const float *scores;
  /* Floats in a row of scores and in one of boxes. */
  gint64       n_scores;
  gint64       n_boxes;
  const float *boxes;
  /* There is one box for all classes. */
  gboolean     is_agnostic;
} C2gBoxRows;

/* Appends the detections of an image, ordered by class, to the n_kept candidates in kept. */
gboolean c2g_box_detect (const C2gBoxDetect  *self,
                         const C2gBoxRows    *rows,
                         C2gTensor           *kept,
                         gint64              *n_kept,
                         GError             **error);

/* Makes the tensor's memory large enough for n candidates. Old contents are kept. */
gboolean c2g_box_candidates_reserve (C2gTensor        *tensor,
                                     gint64            n,
                                     C2gBoxCandidate **candidates,
                                     GError          **error);

G_END_DECLS
