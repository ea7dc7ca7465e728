/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_TYPE_INFERENCE (c2g_inference_get_type ())

/* The type has this name because GStreamer derives names of elements from it: c2ginference0. */
G_DECLARE_FINAL_TYPE (C2gInference, c2g_inference, C2G, INFERENCE, GstBaseTransform)
GST_ELEMENT_REGISTER_DECLARE (c2ginference)

G_END_DECLS
