/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

#include <c2g-gst/c2g-gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* The interface of decoders, which interpret the tensors of a frame. Each mode of c2gdecode is a
 * file with one function, and a row of the table in c2g-gst-decode.c. */

/* The tensors of a frame, and the properties for decoding them. */
typedef struct
{
  /* The first tensor, as floats on the CPU. */
  C2gTensor      *tensor;
  /* All tensors; more than one only for grids of YOLO. */
  GPtrArray      *tensors;
  /* Scores in a tensor of their own; NULL unless the property names it. */
  C2gTensor      *scores;
  /* Number of class names; 0 if unknown. */
  gsize           n_labels;

  /* Maps pixels of the model's picture to the frame; NULL if unknown. */
  C2gGstGeometry *geometry;
  /* Size of the frame in pixels; 0 if it is not video. */
  int             width;
  int             height;

  /* Size of the model's picture, 0 if unknown, and the range of its pixel values. */
  C2gPictureForm  form;
  double          threshold;
  double          overlap;
  /* 0 for no limit. */
  guint           max_boxes;
  /* TRUE if YOLO boxes are fractions of the picture, FALSE if they are in pixels. */
  gboolean        is_relative;
  /* Widths and heights of the anchors for YOLO grids, in the order of the tensors. */
  GArray         *anchors;
  /* For the pixels of a picture; kept from frame to frame. */
  C2gTensor      *scratch;
} C2gGstView;

/* A class that was found, and its box in pixels of the frame. */
typedef struct
{
  guint  index;
  double score;
  double x;
  double y;
  double width;
  double height;
} C2gGstFinding;

/* Appends findings to the array. */
typedef gboolean (*C2gGstFind)  (const C2gGstView  *view,
                                 GArray            *findings,
                                 GError           **error);
/* Paints an RGB or GRAY8 frame. */
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
