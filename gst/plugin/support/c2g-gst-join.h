/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Makes a buffer whose tensors have the rows of the tensors of all given buffers, in order. The
 * tensor of a single buffer is not copied. With STACKS, a new first dimension counts the buffers. */
gboolean c2g_gst_join_buffers (GPtrArray  *sources,
                               gboolean    stacks,
                               GstBuffer  *buffer,
                               GError    **error);

G_END_DECLS
