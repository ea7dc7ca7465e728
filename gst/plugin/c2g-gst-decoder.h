/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture.h"

#include <c2g-gst/c2g-gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* Decoders say what a tensor means.  Each has a file of its own, and is a row of the table of modes in
 * c2g-gst-decode.c. */

/* The tensors of a frame. */
typedef struct
{
  /* Floats on the CPU. */
  C2gTensor      *tensor;
  /* This one and, for grids of YOLO, others. */
  GPtrArray      *tensors;
  /* Scores that are apart from boxes; NULL if the element names none. */
  C2gTensor      *scores;
  /* How many classes have names; 0 if that is not known. */
  gsize           n_labels;

  /* Where the pixels of the model's picture lie in the frame; NULL if that is not known. */
  C2gGstGeometry *geometry;
  /* The frame in pixels, 0 if it is no video. */
  int             width;
  int             height;

  /* The size of the model's picture, 0 if that is not given, and the values of its pixels. */
  C2gPictureForm  form;
  double          threshold;
  double          overlap;
  /* 0 for all. */
  guint           max_boxes;
  /* Boxes of YOLO are parts of the picture. */
  gboolean        is_relative;
  /* Widths and heights of the anchors of YOLO's grids, in the order of the tensors. */
  GArray         *anchors;
} C2gGstView;

/* A class that was found, and the box where it is, in pixels of the frame. */
typedef struct
{
  guint  index;
  double score;
  double x;
  double y;
  double width;
  double height;
} C2gGstFinding;

/* Appends what is found to an array of findings. */
typedef gboolean (*C2gGstFind)  (const C2gGstView  *view,
                                 GArray            *findings,
                                 GError           **error);
/* Fills a frame of RGB or GRAY8. */
typedef gboolean (*C2gGstPaint) (const C2gGstView  *view,
                                 GstVideoFrame     *frame,
                                 GError           **error);

gboolean c2g_gst_classify      (const C2gGstView  *view,
                                GArray            *findings,
                                GError           **error);
gboolean c2g_gst_ssd_find      (const C2gGstView  *view,
                                GArray            *findings,
                                GError           **error);
gboolean c2g_gst_yolo_find     (const C2gGstView  *view,
                                GArray            *findings,
                                GError           **error);
gboolean c2g_gst_segment_paint (const C2gGstView  *view,
                                GstVideoFrame     *frame,
                                GError           **error);
gboolean c2g_gst_picture_paint (const C2gGstView  *view,
                                GstVideoFrame     *frame,
                                GError           **error);

G_END_DECLS
