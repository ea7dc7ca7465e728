/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The content of a file; unlike g_file_load_bytes() it gives an error, and does not
 * abort, when memory is short. */
GBytes *c2g_file_bytes_load        (GFile         *file,
                                    GCancellable  *cancellable,
                                    GError       **error);
/* What is left of a stream: an error if it is more than max_bytes. */
GBytes *c2g_file_bytes_read_stream (GInputStream  *stream,
                                    gsize          max_bytes,
                                    GCancellable  *cancellable,
                                    GError       **error);

G_END_DECLS
