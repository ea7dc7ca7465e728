/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-source-private.h>

G_BEGIN_DECLS

/* Tells whether it begins with the mark of a file of another program. */
gboolean    c2g_foreign_has_mark (const guint8 *data,
                                  gsize         n_bytes);
/* Names the kind of a file of another program, translated; NULL for unknown kinds.  Some have no
 * mark, and could be something else: ask only about what cannot be read. */
const char *c2g_foreign_describe (C2gSource    *source);

G_END_DECLS
