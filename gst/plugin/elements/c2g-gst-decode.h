/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_TYPE_DECODE (c2g_decode_get_type ())

/* The type has this name because GStreamer derives names of elements from it: c2gdecode0. */
G_DECLARE_FINAL_TYPE (C2gDecode, c2g_decode, C2G, DECODE, GstBaseTransform)
GST_ELEMENT_REGISTER_DECLARE (c2gdecode)

G_END_DECLS
