/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-private.h>

#include <c2g/io/stream/c2g-name-private.h>

#include <c2g/c2g-builtins-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>

/* The registry of database types by name: built-in ones and those of the program. */

/* Databases of programs: GTypes by name. Entries are never removed. */
static GMutex registry_lock;
static GHashTable *registry;

const char *
c2g_db_get_canonical_type (const char *db_type)
{
  for (const C2gBuiltinDb *db = c2g_builtin_dbs; db->db_type != NULL; db++)
    if (strcmp (db_type, db->alias) == 0)
      return db->db_type;

  return db_type;
}

static GType
lookup_builtin (const char *db_type)
{
  for (const C2gBuiltinDb *db = c2g_builtin_dbs; db->db_type != NULL; db++)
    if (strcmp (c2g_db_get_canonical_type (db_type), db->db_type) == 0)
      return db->get_type ();

  return G_TYPE_INVALID;
}

static GType
lookup_registered (const char *db_type)
{
  GType gtype = G_TYPE_INVALID;

  g_mutex_lock (&registry_lock);
  if (registry != NULL)
    gtype = (GType) g_hash_table_lookup (registry, db_type);
  g_mutex_unlock (&registry_lock);

  return gtype;
}

static gboolean
insert (const char *db_type,
        GType       gtype)
{
  gboolean is_new;

  g_mutex_lock (&registry_lock);
  if (registry == NULL)
    registry = g_hash_table_new (g_str_hash, g_str_equal);
  is_new = !g_hash_table_contains (registry, db_type);
  if (is_new)
    g_hash_table_insert (registry, g_strdup (db_type), (gpointer) gtype);
  g_mutex_unlock (&registry_lock);

  return is_new;
}

GType
c2g_db_lookup_type (const char  *db_type,
                    GError     **error)
{
  GType gtype = lookup_builtin (db_type);
  g_auto (GStrv) known = NULL;
  g_autofree char *list = NULL;

  if (gtype == G_TYPE_INVALID)
    gtype = lookup_registered (db_type);
  if (gtype != G_TYPE_INVALID)
    return gtype;

  known = c2g_db_list_types ();
  list = g_strjoinv (_(", "), known);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("No database type “%s” is known, only %s"), db_type, list);
  return G_TYPE_INVALID;
}

/**
 * c2g_db_register:
 * @db_type: a name
 * @gtype: a class that is derived from [class@Db]
 * @error: return location for an error
 *
 * Registers a class of databases under a name.
 *
 * It stays registered until the process ends. Sets `C2G_ERROR_EXISTS` if the name is taken,
 * `C2G_ERROR_TYPE` if @gtype is abstract or no class of databases, and
 * `C2G_ERROR_INVALID_ARGUMENT` if the name is empty.
 *
 * Returns: `TRUE` if it was registered
 */
gboolean
c2g_db_register (const char  *db_type,
                 GType        gtype,
                 GError     **error)
{
  g_return_val_if_fail (db_type != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (*db_type == '\0')
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         _("A database type needs a name"));
  else if (!g_type_is_a (gtype, C2G_TYPE_DB) || G_TYPE_IS_ABSTRACT (gtype))
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Expected a class derived from C2gDb for database type “%s”, got %s"),
                 db_type, gtype != G_TYPE_INVALID ? g_type_name (gtype) : "void");
  else if (lookup_builtin (db_type) != G_TYPE_INVALID || !insert (db_type, gtype))
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("Database type “%s” is registered already"), db_type);
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_db_list_types:
 *
 * Lists the database types that are known.
 *
 * Some have a second name, which [func@Db.open] takes as well: Caffe2 calls `minidb`
 * `MiniDB`, too.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, sorted
 */
char **
c2g_db_list_types (void)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  for (const C2gBuiltinDb *db = c2g_builtin_dbs; db->db_type != NULL; db++)
    g_ptr_array_add (names, g_strdup (db->db_type));

  g_mutex_lock (&registry_lock);
  if (registry != NULL)
    {
      g_hash_table_iter_init (&iter, registry);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_mutex_unlock (&registry_lock);

  return c2g_names_to_sorted_strv (names);
}
