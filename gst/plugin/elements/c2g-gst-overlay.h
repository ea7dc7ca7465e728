/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_TYPE_OVERLAY (c2g_overlay_get_type ())

G_DECLARE_FINAL_TYPE (C2gOverlay, c2g_overlay, C2G, OVERLAY, GstBaseTransform)
GST_ELEMENT_REGISTER_DECLARE (c2goverlay)

G_END_DECLS
