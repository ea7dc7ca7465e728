/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Makes a buffer whose tensors have the rows of those of some buffers, one after the other.  A tensor of a
 * single buffer is not copied.  If stacks, a new first dimension counts the buffers. */
gboolean c2g_gst_join_buffers (GPtrArray  *sources,
                               gboolean    stacks,
                               GstBuffer  *buffer,
                               GError    **error);

G_END_DECLS
