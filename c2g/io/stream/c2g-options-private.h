/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Like g_set_object() for other types: return TRUE if the field changed. */
gboolean c2g_set_strv    (char              ***field,
                          const char *const   *value);
gboolean c2g_set_string  (char               **field,
                          const char          *value);
gboolean c2g_set_boolean (gboolean            *field,
                          gboolean             value);

G_END_DECLS
