/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_GST_INSIDE) && !defined (C2G_GST_COMPILATION)
# error "Only <c2g-gst/c2g-gst.h> can be included directly."
#endif

#include <c2g/c2g.h>
#include <gst/gst.h>

#include <c2g-gst/c2g-gst-geometry.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
gboolean         c2g_gst_buffer_add_tensor   (GstBuffer       *buffer,
                                              const char      *name,
                                              C2gTensor       *tensor,
                                              C2gGstGeometry  *geometry,
                                              GError         **error);
C2G_AVAILABLE_IN_ALL
C2gTensor       *c2g_gst_buffer_get_tensor   (GstBuffer       *buffer,
                                              const char      *name,
                                              GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gGstGeometry  *c2g_gst_buffer_get_geometry (GstBuffer       *buffer,
                                              const char      *name);
C2G_AVAILABLE_IN_ALL
char           **c2g_gst_buffer_list_tensors (GstBuffer       *buffer) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
