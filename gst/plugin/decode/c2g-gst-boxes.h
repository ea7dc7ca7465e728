/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* Boxes found by a model, in pixels of its picture, with a score for each class. */
typedef struct
{
  const C2gGstView *view;
  gsize             n_classes;
  /* Four floats for each box: left, top, right, bottom. */
  GArray           *boxes;
  /* For each box: 0 for the background, then the scores of the classes. */
  GArray           *scores;
  gboolean          is_full;
} C2gGstBoxes;

void     c2g_gst_boxes_init  (C2gGstBoxes       *self,
                              const C2gGstView  *view,
                              gsize              n_classes);
void     c2g_gst_boxes_clear (C2gGstBoxes       *self);
/* Adds a box if one of its scores, multiplied by FACTOR, exceeds the threshold. Scores of
 * consecutive classes are STEP floats apart. */
void     c2g_gst_boxes_add   (C2gGstBoxes       *self,
                              const float       *box,
                              const float       *scores,
                              gsize              step,
                              float              factor);
/* Non-maximum suppression: appends the best ones of overlapping boxes of a class. */
gboolean c2g_gst_boxes_find  (C2gGstBoxes       *self,
                              GArray            *findings,
                              GError           **error);

/* Maps one box to the frame and appends it, unless it is outside or not finite. */
void     c2g_gst_boxes_place (const C2gGstView  *view,
                              const float       *box,
                              guint              index,
                              double             score,
                              GArray            *findings);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gGstBoxes, c2g_gst_boxes_clear)

G_END_DECLS
