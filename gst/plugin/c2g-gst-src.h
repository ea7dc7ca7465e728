/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/app/gstappsrc.h>

G_BEGIN_DECLS

#define C2G_GST_TYPE_SRC (c2g_gst_src_get_type ())

G_DECLARE_FINAL_TYPE (C2gGstSrc, c2g_gst_src, C2G_GST, SRC, GstAppSrc)

G_END_DECLS
