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

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_gst_tensor_begin_write (GstBuffer     *buffer,
                                       C2gDataType    data_type,
                                       const gint64  *dims,
                                       gsize          n_dims,
                                       GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean   c2g_gst_tensor_end_write   (C2gTensor     *tensor,
                                       GError       **error);

G_END_DECLS
