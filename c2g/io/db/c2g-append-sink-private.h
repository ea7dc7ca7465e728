/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* Appends to a file of n_bytes bytes. Without a commit the file is truncated to its old size. A
 * lock keeps other processes that use c2g from appending meanwhile. */
C2gSink *c2g_append_sink_new (GFile    *file,
                              guint64   n_bytes,
                              GError  **error);

G_END_DECLS
