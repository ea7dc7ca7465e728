/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/wire/c2g-wire-scan-private.h>

G_BEGIN_DECLS

/* Appends the dims of a field, packed or not, to an array of gint64. Limits their number. They
 * may still be negative. */
gboolean c2g_dims_scan (GArray             *dims,
                        C2gScanner         *scanner,
                        const C2gWireItem  *item,
                        GError            **error);
/* Refuses to write more dimensions than c2g_dims_scan() accepts. */
gboolean c2g_dims_check (gsize              n_dims,
                         GError           **error);

G_END_DECLS
