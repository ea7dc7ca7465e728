/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Name of the only tensor of a stream, if it has no other name. */
#define C2G_GST_LONE_NAME "tensor"

/* Attaches a tensor. Also appends its bytes as a memory if the CPU can access them, because queues
 * count bytes. GstBuffer merges all memories by a copy when it has too many, so bytes beyond that
 * number are left out. */
gboolean c2g_gst_append_tensor (GstBuffer       *buffer,
                                const char      *name,
                                C2gTensor       *tensor,
                                C2gGstGeometry  *geometry,
                                GError         **error);

/* The same with a tensor that is attached to another buffer, and its geometry. */
gboolean c2g_gst_append_from   (GstBuffer       *buffer,
                                const char      *name,
                                GstBuffer       *source,
                                const char      *source_name,
                                GError         **error);

G_END_DECLS
