/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* A picture of bytes that a model made: GRAY8 or RGB. The pixels lie in the scratch of the view. */
typedef struct
{
  guint8 *pixels;
  gint64  width;
  gint64  height;
  guint   n_channels;
} C2gGstPixels;

gboolean c2g_gst_pixels_init  (C2gGstPixels        *self,
                               const C2gGstView    *view,
                               gint64               width,
                               gint64               height,
                               guint                n_channels,
                               GError             **error);

/* Fills a frame with a picture that lies in it as the picture lies that the model saw; the rest of the
 * frame becomes 0. The frame has as many channels. Pixels are mixed if is_smooth is set. */
gboolean c2g_gst_pixels_paint (const C2gGstPixels  *self,
                               const C2gGstView    *view,
                               gboolean             is_smooth,
                               GstVideoFrame       *frame,
                               GError             **error);

/* The color of a class. */
void     c2g_gst_pixels_set_color (guint8            class,
                                   guint8           *rgb);

G_END_DECLS
