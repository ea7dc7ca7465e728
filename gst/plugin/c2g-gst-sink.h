/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/app/gstappsink.h>

G_BEGIN_DECLS

#define C2G_GST_TYPE_SINK (c2g_gst_sink_get_type ())

G_DECLARE_FINAL_TYPE (C2gGstSink, c2g_gst_sink, C2G_GST, SINK, GstAppSink)

G_END_DECLS
