/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* What is written goes behind the n_bytes that the file has; without commit the file is
 * made as long as it was.  Nobody else of c2g can append to the file meanwhile. */
C2gSink *c2g_append_sink_new (GFile    *file,
                              guint64   n_bytes,
                              GError  **error);

G_END_DECLS
