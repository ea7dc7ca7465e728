/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads a file. Unlike g_file_load_bytes() it sets an error, and does not abort, if there is no
 * memory. */
GBytes *c2g_file_bytes_load        (GFile         *file,
                                    GCancellable  *cancellable,
                                    GError       **error);
/* Reads the rest of a stream; an error if it is more than max_bytes. */
GBytes *c2g_file_bytes_read_stream (GInputStream  *stream,
                                    gsize          max_bytes,
                                    GCancellable  *cancellable,
                                    GError       **error);

G_END_DECLS
