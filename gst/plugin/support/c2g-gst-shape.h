/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Caps of streams with a single tensor of pictures. */

/* Caps of a flexible stream, whose buffers describe their tensors. */
#define C2G_GST_FLEXIBLE_CAPS C2G_GST_CAPS_TENSORS ", format=flexible"
#define C2G_GST_STATIC_CAPS   C2G_GST_CAPS_TENSORS ", format=static"

/* Fields of caps for pixels: the order of the channels; the mean and the scale. */
typedef enum
{
  C2G_GST_SHAPE_CHANNELS = 1 << 0,
  C2G_GST_SHAPE_RANGE = 1 << 1,
} C2gGstShapeFlags;

/* Makes caps for tensors with the dimensions of FORM, where a width of 0 means any size, and one of
 * the types up to UNDEFINED. With NAME the caps are for output: they have the name, and the order
 * of the dimensions as `layout`. Without it they are for input, and accept any number of pictures.
 * FLAGS says which fields for pixels the caps have. */
GstCaps     *c2g_gst_shape_new   (const C2gPictureForm *form,
                                  const C2gDataType    *types,
                                  const char           *name,
                                  C2gGstShapeFlags      flags);

/* Fixates the first structure of output caps. Pixels keep their values if nobody says a mean and a
 * scale. Takes ownership of CAPS. */
GstCaps     *c2g_gst_shape_fix   (GstCaps              *caps,
                                  int                   width,
                                  int                   height);

/* Parses fixed output caps into ARGUMENTS. Returns the element type; UNDEFINED if the caps do not
 * describe a tensor of pixels. */
C2gDataType  c2g_gst_shape_parse (GstCaps              *caps,
                                  C2gPictureArguments  *arguments);

/* Returns the caps with the tensor called NAME as the first one; with the present first one if none has the name. */
GstCaps     *c2g_gst_shape_choose (GstCaps              *caps,
                                   const char           *name);

/* Compares the pixels of fixed caps with those that a model wants; FLAGS says what is known of them. If they differ,
 * returns FALSE and the properties of both. Caps of other elements say nothing of pixels, so they do not differ. */
gboolean c2g_gst_shape_has_pixels (GstCaps *caps,
                                   const C2gPictureForm *form,
                                   C2gGstShapeFlags flags,
                                   char **given_text,
                                   char **wanted_text);

/* Writes the mean or the scale as the property of that name: one number, or one for each channel. */
char        *c2g_gst_shape_write_numbers (const double *numbers,
                                          gsize         n);

/* Tells in a few words what caps allow: the shapes of c2g's tensors, and all of structures called NAME,
 * which may be NULL. Caps that have neither are told by the names of the streams. */
char        *c2g_gst_caps_describe (GstCaps            *caps,
                                    const char         *name);

/* Applies the filter of a caps query, which may be NULL. Takes ownership of CAPS. */
GstCaps     *c2g_gst_caps_filter   (GstCaps            *caps,
                                    GstCaps            *filter);

/* Chooses caps for a stream that begins without tensors: the first of these that the next element takes, with what it leaves
 * open fixed. Returns NULL if there are none. Takes ownership of CAPS. */
GstCaps     *c2g_gst_caps_choose_first (GstPad         *src,
                                        GstCaps        *caps);

G_END_DECLS
