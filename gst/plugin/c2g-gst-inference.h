/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_GST_TYPE_INFERENCE (c2g_gst_inference_get_type ())

G_DECLARE_FINAL_TYPE (C2gGstInference, c2g_gst_inference, C2G_GST, INFERENCE, GstBaseTransform)

G_END_DECLS
