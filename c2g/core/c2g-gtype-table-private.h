/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* What a table has under a type, the nearest of its parents or, failing these, one of its
 * interfaces; NULL if there is nothing. */
gpointer c2g_gtype_table_find (GHashTable *table,
                               GType       gtype);

G_END_DECLS
