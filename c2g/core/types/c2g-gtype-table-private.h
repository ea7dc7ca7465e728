/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Looks up a type, then its nearest parent, then one of its interfaces. Returns NULL if none is
 * in the table. */
gpointer c2g_gtype_table_find (GHashTable *table,
                               GType       gtype);

G_END_DECLS
