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

#define C2G_GST_TYPE_ALLOCATOR (c2g_gst_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gGstAllocator, c2g_gst_allocator, C2G_GST, ALLOCATOR, GstAllocator)

C2G_AVAILABLE_IN_ALL
C2gGstAllocator *c2g_gst_allocator_new         (C2gAllocator  *allocator,
                                                GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gGstAllocator *c2g_gst_allocator_get_default (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gStorage      *c2g_gst_memory_get_storage    (GstMemory     *memory,
                                                gsize         *offset);

G_END_DECLS
