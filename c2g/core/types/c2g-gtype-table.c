/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-gtype-table-private.h>

/* Finds the entry for a GType, its nearest parent or an interface in a table. The registries of
 * serializers and of blob sizes use it. */

static gpointer
find_interface (GHashTable *table,
                GType       gtype)
{
  g_autofree GType *interfaces = g_type_interfaces (gtype, NULL);
  gpointer found = NULL;

  for (gsize i = 0; found == NULL && interfaces != NULL && interfaces[i] != 0; i++)
    found = g_hash_table_lookup (table, GSIZE_TO_POINTER (interfaces[i]));
  return found;
}

gpointer
c2g_gtype_table_find (GHashTable *table,
                      GType       gtype)
{
  for (GType type = gtype; type != G_TYPE_INVALID; type = g_type_parent (type))
    {
      gpointer found = g_hash_table_lookup (table, GSIZE_TO_POINTER (type));

      if (found != NULL)
        return found;
    }

  return find_interface (table, gtype);
}
