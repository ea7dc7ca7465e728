/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/app/gstappsrc.h>

G_BEGIN_DECLS

#define C2G_TYPE_SRC (c2g_src_get_type ())

/* The type has this name because GStreamer derives names of elements from it: c2gsrc0. */
G_DECLARE_FINAL_TYPE (C2gSrc, c2g_src, C2G, SRC, GstAppSrc)
GST_ELEMENT_REGISTER_DECLARE (c2gsrc)

G_END_DECLS
