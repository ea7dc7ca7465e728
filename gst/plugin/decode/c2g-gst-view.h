/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* The key of the tensor in the buffer, among the data of floats that were made of it. */
#define C2G_GST_VIEW_GIVEN "c2g-given"

/* Returns the floats of a tensor, and its last n_dims dimensions. NULL if it has fewer dimensions,
 * or if one of those before is not 1. */
const float *c2g_gst_view_read      (C2gTensor        *tensor,
                                     gint64           *dims,
                                     gsize             n_dims);

/* Describes the tensor in the buffer, of which TENSOR may be a conversion. */
char        *c2g_gst_view_describe  (C2gTensor        *tensor);
void         c2g_gst_view_set_error (C2gTensor        *tensor,
                                     const char       *expected,
                                     GError          **error);

/* Returns FALSE if the geometry, which may be NULL, is that of a frame of another size: elements that
 * crop or pad a frame do not change it. */
gboolean     c2g_gst_view_fits     (const C2gGstView  *view,
                                    C2gGstGeometry    *geometry);
/* Returns the size of the picture that the model got. */
void         c2g_gst_view_get_size (const C2gGstView  *view,
                                    double            *width,
                                    double            *height);
/* Maps a point of that picture to the frame. */
void         c2g_gst_view_map      (const C2gGstView  *view,
                                    double             x,
                                    double             y,
                                    double            *frame_x,
                                    double            *frame_y);

G_END_DECLS
