/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* The name of a tensor that is alone in its stream. */
#define C2G_GST_LONE_NAME "tensor"

/* Attaches a tensor, and appends its bytes as far as the processor reaches them: queues count bytes.  A buffer
 * would copy all of its memories into one when it gets too many, so further bytes are left out. */
gboolean c2g_gst_append_tensor (GstBuffer       *buffer,
                                const char      *name,
                                C2gTensor       *tensor,
                                C2gGstGeometry  *geometry,
                                GError         **error);

/* The same with a tensor of another buffer, and its geometry. */
gboolean c2g_gst_append_from   (GstBuffer       *buffer,
                                const char      *name,
                                GstBuffer       *source,
                                const char      *source_name,
                                GError         **error);

G_END_DECLS
