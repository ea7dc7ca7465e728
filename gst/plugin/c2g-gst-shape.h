/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture.h"

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Caps of streams that have one tensor of pictures. */

/* A stream whose buffers say what they have. */
#define C2G_GST_FLEXIBLE_CAPS C2G_GST_CAPS_TENSORS ", format=flexible"

/* Describes a tensor with the dimensions of form, where a width of 0 is any size, and one of the types, which
 * UNDEFINED ends.  With a name it is a stream that is offered: it has the name and says the order of the
 * dimensions as `layout`.  Without one it is a stream that is taken, with any number of pictures. */
GstCaps     *c2g_gst_shape_new   (const C2gPictureForm *form,
                                  const C2gDataType    *types,
                                  const char           *name);

/* Fixes what is open in the first caps that are offered.  Takes caps. */
GstCaps     *c2g_gst_shape_fix   (GstCaps              *caps,
                                  int                   width,
                                  int                   height);

/* Gives caps of tensors the rate of the stream that they come from, if it has one.  Takes caps. */
GstCaps     *c2g_gst_shape_add_rate (GstCaps           *caps,
                                     GstCaps           *input);

/* Reads fixed caps of a stream that was offered into arguments, and returns the type: UNDEFINED if they
 * describe no tensor. */
C2gDataType  c2g_gst_shape_parse (GstCaps              *caps,
                                  C2gPictureArguments  *arguments);

/* Makes caps those of a buffer of tensors. Returns TRUE if they were others, or NULL. */
gboolean c2g_gst_caps_follow (GstCaps   **caps,
                              GstBuffer  *buffer);

G_END_DECLS
