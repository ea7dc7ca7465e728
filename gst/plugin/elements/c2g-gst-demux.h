/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define C2G_TYPE_TENSOR_DEMUX (c2g_tensor_demux_get_type ())

G_DECLARE_FINAL_TYPE (C2gTensorDemux, c2g_tensor_demux, C2G, TENSOR_DEMUX, GstElement)
GST_ELEMENT_REGISTER_DECLARE (c2gtensordemux)

G_END_DECLS
