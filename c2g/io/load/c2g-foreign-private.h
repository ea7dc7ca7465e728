/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

/* Returns TRUE if the data begins with magic bytes of another program. */
gboolean    c2g_foreign_has_mark (const guint8 *data,
                                  gsize         n_bytes);
/* Returns a translated description of the file format of another program, or NULL. Formats
 * without magic bytes are guessed, so call this only for files that could not be read. */
const char *c2g_foreign_describe (C2gSource    *source);

G_END_DECLS
