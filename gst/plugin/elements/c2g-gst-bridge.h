/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define C2G_TYPE_BRIDGE (c2g_bridge_get_type ())

G_DECLARE_FINAL_TYPE (C2gBridge, c2g_bridge, C2G, BRIDGE, GstElement)
GST_ELEMENT_REGISTER_DECLARE (c2gbridge)

G_END_DECLS
