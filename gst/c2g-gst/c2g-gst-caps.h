/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_GST_INSIDE) && !defined (C2G_GST_COMPILATION)
# error "Only <c2g-gst/c2g-gst.h> can be included directly."
#endif

#include <c2g/c2g.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * C2G_GST_CAPS_TENSORS:
 *
 * The media type of streams of tensors.
 */
#define C2G_GST_CAPS_TENSORS "application/x-c2g-tensors"

C2G_AVAILABLE_IN_ALL
GstCaps *c2g_gst_caps_new_for_buffer (GstBuffer *buffer) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
