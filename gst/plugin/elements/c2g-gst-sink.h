/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/app/gstappsink.h>

G_BEGIN_DECLS

#define C2G_TYPE_SINK (c2g_sink_get_type ())

/* The type has this name because GStreamer derives names of elements from it: c2gsink0. */
G_DECLARE_FINAL_TYPE (C2gSink, c2g_sink, C2G, SINK, GstAppSink)
GST_ELEMENT_REGISTER_DECLARE (c2gsink)

G_END_DECLS
