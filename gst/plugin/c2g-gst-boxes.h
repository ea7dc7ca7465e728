/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* Boxes that a model proposes, in pixels of its picture, with a score for each class. */
typedef struct
{
  const C2gGstView *view;
  gsize             n_classes;
  /* Four floats for each box: left, top, right, bottom. */
  GArray           *boxes;
  /* For each box 0 for the background, and the scores of the classes. */
  GArray           *scores;
  gboolean          is_full;
} C2gGstBoxes;

void     c2g_gst_boxes_init  (C2gGstBoxes       *self,
                              const C2gGstView  *view,
                              gsize              n_classes);
void     c2g_gst_boxes_clear (C2gGstBoxes       *self);
/* Adds a box if one of its scores, times factor, is above the threshold.  The score of a class is step
 * floats behind that of the class before. */
void     c2g_gst_boxes_add   (C2gGstBoxes       *self,
                              const float       *box,
                              const float       *scores,
                              gsize              step,
                              float              factor);
/* Appends the best of boxes of a class that overlap. */
gboolean c2g_gst_boxes_find  (C2gGstBoxes       *self,
                              GArray            *findings,
                              GError           **error);

/* Appends one box, as it lies in the frame, unless it lies outside or is not finite. */
void     c2g_gst_boxes_place (const C2gGstView  *view,
                              const float       *box,
                              guint              index,
                              double             score,
                              GArray            *findings);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gGstBoxes, c2g_gst_boxes_clear)

G_END_DECLS
