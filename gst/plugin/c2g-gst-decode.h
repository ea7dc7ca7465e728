/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_GST_TYPE_DECODE (c2g_gst_decode_get_type ())

G_DECLARE_FINAL_TYPE (C2gGstDecode, c2g_gst_decode, C2G_GST, DECODE, GstBaseTransform)

G_END_DECLS
