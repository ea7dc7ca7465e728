/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Draws regions of interest on frames: boxes with their labels. */
typedef struct _C2gGstDrawing C2gGstDrawing;

/* FONT is a Pango font description or NULL. Without a size the font size depends on the frame. */
C2gGstDrawing              *c2g_gst_drawing_new       (const char                 *font,
                                                       guint                       line_width);
void                        c2g_gst_drawing_free      (C2gGstDrawing              *self);

/* Returns FALSE if none of the font's families is there, so that Pango takes another one. */
gboolean                    c2g_gst_drawing_has_font  (C2gGstDrawing              *self);
/* Sets the size of the following frames. Returns FALSE if the font was given a size that does not fit into them. */
gboolean                    c2g_gst_drawing_set_frame (C2gGstDrawing              *self,
                                                       int                         width,
                                                       int                         height);
/* Draws the regions of a buffer, on top of the composition that it already has, if any. Parts
 * outside of the frame are cut off. */
GstVideoOverlayComposition *c2g_gst_drawing_compose   (C2gGstDrawing              *self,
                                                       GstBuffer                  *buffer,
                                                       GstVideoOverlayComposition *older);

G_END_DECLS
