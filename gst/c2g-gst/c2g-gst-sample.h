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
 * C2G_GST_FRAME:
 *
 * The name of the frame itself among the tensors of a sample.
 */
#define C2G_GST_FRAME "frame"

C2G_AVAILABLE_IN_ALL
char      **c2g_gst_sample_list_tensors   (GstSample     *sample) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor  *c2g_gst_sample_get_tensor     (GstSample     *sample,
                                           const char    *name,
                                           GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean    c2g_gst_sample_fill_workspace (GstSample     *sample,
                                           C2gWorkspace  *workspace,
                                           GError       **error);

G_END_DECLS
