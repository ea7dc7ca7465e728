/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Properties of elements for the form of pictures; they are stored in a C2gPictureArguments. */
#define C2G_GST_PICTURE_PROPERTIES(Type, field)                                                    \
  { "preset", "Pictures as a known model wants them, one of the presets of `c2g run`",             \
    G_STRUCT_OFFSET (Type, field.preset), G_TYPE_STRING },                                         \
  { "size", "Pixels of the model's pictures, as 224x224", G_STRUCT_OFFSET (Type, field.size),      \
    G_TYPE_STRING },                                                                               \
  { "mean", "Number that is subtracted from pixels of 0 to 255, or one for each channel",          \
    G_STRUCT_OFFSET (Type, field.mean), G_TYPE_STRING },                                           \
  { "scale", "Number by which they are multiplied then, such as 1/255",                            \
    G_STRUCT_OFFSET (Type, field.scale), G_TYPE_STRING },                                          \
  { "channels", "Channels of the tensor: RGB, BGR, GRAY, RGBA or BGRA",                            \
    G_STRUCT_OFFSET (Type, field.channels), G_TYPE_STRING },                                       \
  { "order", "Order of its dimensions: NCHW or NHWC", G_STRUCT_OFFSET (Type, field.order),         \
    G_TYPE_STRING },                                                                               \
  { "crop", "Take the middle of frames, so that nothing is distorted",                             \
    G_STRUCT_OFFSET (Type, field.is_crop), G_TYPE_BOOLEAN },                                       \
  { "letterbox", "Add gray borders to frames, so that nothing is distorted",                       \
    G_STRUCT_OFFSET (Type, field.is_letterbox), G_TYPE_BOOLEAN },                                  \
  { "smooth", "Let all pixels count when a frame is made smaller",                                 \
    G_STRUCT_OFFSET (Type, field.is_smooth), G_TYPE_BOOLEAN },                                     \
  {                                                                                                \
    "nearest", "Take the nearest pixel when a frame is scaled",                                    \
        G_STRUCT_OFFSET (Type, field.is_nearest), G_TYPE_BOOLEAN                                   \
  }

/* Converts video frames to the tensors that a model wants. */
typedef struct _C2gGstPicture C2gGstPicture;

/* Returns NULL if GStreamer cannot convert frames of this format. */
C2gGstPicture  *c2g_gst_picture_new          (const C2gPictureForm  *form,
                                              const GstVideoInfo    *info,
                                              GError               **error);
void            c2g_gst_picture_free         (C2gGstPicture         *self);

/* Converts a frame into a tensor, which is resized and gets the type. */
gboolean        c2g_gst_picture_convert      (C2gGstPicture         *self,
                                              GstBuffer             *buffer,
                                              C2gTensor             *tensor,
                                              GError               **error);
C2gGstGeometry *c2g_gst_picture_get_geometry (C2gGstPicture         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGstPicture, c2g_gst_picture_free)

G_END_DECLS
