/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Draws regions of interest on frames: boxes, and what is in them as text. */
typedef struct _C2gGstDrawing C2gGstDrawing;

/* The font is as Pango writes it, and may be NULL. Without a size, it follows from the frame. */
C2gGstDrawing              *c2g_gst_drawing_new       (const char                 *font,
                                                       guint                       line_width);
void                        c2g_gst_drawing_free      (C2gGstDrawing              *self);

/* Sets the size of the frames that come next. */
void                        c2g_gst_drawing_set_frame (C2gGstDrawing              *self,
                                                       int                         width,
                                                       int                         height);
/* Draws the regions of a buffer, on top of an older composition if there is one. Parts of regions that
 * are not in the frame are left out. */
GstVideoOverlayComposition *c2g_gst_drawing_compose   (C2gGstDrawing              *self,
                                                       GstBuffer                  *buffer,
                                                       GstVideoOverlayComposition *older);

G_END_DECLS
