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
 * C2G_GST_CONTEXT_TYPE_WORKSPACE:
 *
 * The type of a context that contains a workspace.
 */
#define C2G_GST_CONTEXT_TYPE_WORKSPACE "c2g.workspace"

C2G_AVAILABLE_IN_ALL
GstContext   *c2g_gst_context_new           (C2gWorkspace *workspace,
                                             gboolean      persistent) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gWorkspace *c2g_gst_context_get_workspace (GstContext   *context) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
GstContext   *c2g_gst_context_new_for_device (C2gDevice  *device,
                                              GError    **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
