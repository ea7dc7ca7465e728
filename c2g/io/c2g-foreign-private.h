/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-source-private.h>

G_BEGIN_DECLS

/* Whether it begins as a file of another program does that has a mark. */
gboolean    c2g_foreign_has_mark (const guint8 *data,
                                  gsize         n_bytes);
/* What a file of another program is, translated; NULL if it is none that is known.  Some have no
 * mark, and could be something else: ask only about what cannot be read. */
const char *c2g_foreign_describe (C2gSource    *source);

G_END_DECLS
