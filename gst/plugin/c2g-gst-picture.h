/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture.h"

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Makes tensors of frames, as a model wants them. */
typedef struct _C2gGstPicture C2gGstPicture;

/* NULL if GStreamer cannot convert such frames. */
C2gGstPicture  *c2g_gst_picture_new          (const C2gPictureForm  *form,
                                              const GstVideoInfo    *info,
                                              GError               **error);
void            c2g_gst_picture_free         (C2gGstPicture         *self);

/* Converts a frame into a tensor, which gets its size and type. */
gboolean        c2g_gst_picture_convert      (C2gGstPicture         *self,
                                              GstBuffer             *buffer,
                                              C2gTensor             *tensor,
                                              GError               **error);
C2gGstGeometry *c2g_gst_picture_get_geometry (C2gGstPicture         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGstPicture, c2g_gst_picture_free)

G_END_DECLS
