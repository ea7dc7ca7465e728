/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-append-db-private.h>

#include <c2g/io/db/c2g-db-private.h>

/* Base class of databases that are one file of records: minidb and protodb. */

typedef struct
{
  /* The source is set for reading, the file for writing. Neither changes while the database is
   * open. */
  C2gSource     *source;
  C2gAppendFile *file;
} C2gAppendDbPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gAppendDb, c2g_append_db, C2G_TYPE_DB)

static C2gAppendFile *
open_for_writing (C2gAppendDb   *self,
                  GFile         *file,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_autoptr (GError) own_error = NULL;
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, &own_error);

  if (g_error_matches (own_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return c2g_append_file_new (file, cancellable, error);
  if (source == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&own_error));
      return NULL;
    }

  if (C2G_APPEND_DB_GET_CLASS (self)->check_records (self, source, error))
    return c2g_append_file_open (file, c2g_source_get_n_bytes (source), error);

  g_prefix_error (error, "%s: ", c2g_source_get_name (source));
  return NULL;
}

static gboolean
c2g_append_db_open_file (C2gDb         *db,
                         GFile         *file,
                         C2gDbMode      mode,
                         GCancellable  *cancellable,
                         GError       **error)
{
  C2gAppendDb *self = C2G_APPEND_DB (db);
  C2gAppendDbPrivate *priv = c2g_append_db_get_instance_private (self);

  switch (mode)
    {
    case C2G_DB_MODE_WRITE:
      priv->file = open_for_writing (self, file, cancellable, error);
      return priv->file != NULL;

    case C2G_DB_MODE_NEW:
      priv->file = c2g_append_file_new (file, cancellable, error);
      return priv->file != NULL;

    case C2G_DB_MODE_READ:
    default:
      priv->source = c2g_source_new_for_file (file, cancellable, error);
      return priv->source != NULL;
    }
}

static C2gDbCursor *
c2g_append_db_new_cursor (C2gDb   *db,
                          GError **error)
{
  C2gAppendDb *self = C2G_APPEND_DB (db);
  C2gAppendDbPrivate *priv = c2g_append_db_get_instance_private (self);

  if (priv->source != NULL)
    return C2G_APPEND_DB_GET_CLASS (self)->new_cursor (self, priv->source, error);

  c2g_db_fail_not_readable (db, error);
  return NULL;
}

static C2gDbTransaction *
c2g_append_db_new_transaction (C2gDb   *db,
                               GError **error)
{
  C2gAppendDb *self = C2G_APPEND_DB (db);
  C2gAppendDbPrivate *priv = c2g_append_db_get_instance_private (self);

  return C2G_APPEND_DB_GET_CLASS (self)->new_transaction (self, priv->file);
}

static gboolean
c2g_append_db_close (C2gDb   *db,
                     GError **error)
{
  C2gAppendDbPrivate *priv = c2g_append_db_get_instance_private (C2G_APPEND_DB (db));

  if (priv->file != NULL)
    c2g_append_file_close (priv->file);
  return TRUE;
}

static void
c2g_append_db_finalize (GObject *object)
{
  C2gAppendDbPrivate *priv = c2g_append_db_get_instance_private (C2G_APPEND_DB (object));

  g_clear_pointer (&priv->source, c2g_source_unref);
  g_clear_pointer (&priv->file, c2g_append_file_unref);

  G_OBJECT_CLASS (c2g_append_db_parent_class)->finalize (object);
}

static void
c2g_append_db_class_init (C2gAppendDbClass *klass)
{
  C2gDbClass *db_class = C2G_DB_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_append_db_finalize;

  db_class->open_file = c2g_append_db_open_file;
  db_class->new_cursor = c2g_append_db_new_cursor;
  db_class->new_transaction = c2g_append_db_new_transaction;
  db_class->close = c2g_append_db_close;
}

static void
c2g_append_db_init (C2gAppendDb *self)
{
}
