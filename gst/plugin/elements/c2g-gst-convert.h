/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_TYPE_CONVERT (c2g_convert_get_type ())

/* The type has this name because GStreamer derives names of elements from it: c2gconvert0. */
G_DECLARE_FINAL_TYPE (C2gConvert, c2g_convert, C2G, CONVERT, GstBaseTransform)
GST_ELEMENT_REGISTER_DECLARE (c2gconvert)

G_END_DECLS
