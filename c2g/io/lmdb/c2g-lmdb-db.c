/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-db-private.h>

#include <c2g/io/lmdb/c2g-lmdb-cursor-private.h>
#include <c2g/io/lmdb/c2g-lmdb-file-private.h>
#include <c2g/io/lmdb/c2g-lmdb-store-private.h>
#include <c2g/io/lmdb/c2g-lmdb-transaction-private.h>
#include <c2g/io/stream/c2g-net-file-private.h>

/* LMDB databases: reading with c2g's own code, writing with liblmdb. */

#define DATA_NAME "data.mdb"

struct _C2gLmdbDb
{
  C2gDb         parent_instance;

  /* The file if opened for reading, the store if opened for writing. */
  C2gLmdbFile  *file;
  C2gLmdbStore *store;
};

G_DEFINE_FINAL_TYPE (C2gLmdbDb, c2g_lmdb_db, C2G_TYPE_DB)

/* Returns the data file: FILE, or data.mdb if FILE is a folder. It may not exist. */
static GFile *
get_data (GFile        *file,
          GCancellable *cancellable)
{
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) == G_FILE_TYPE_DIRECTORY)
    return c2g_net_file_get_child (file, DATA_NAME);
  return g_object_ref (file);
}

static C2gLmdbFile *
read_file (GFile         *file,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GFile) data = get_data (file, cancellable);
  g_autoptr (C2gSource) source = c2g_source_new_for_file (data, cancellable, error);
  C2gLmdbFile *lmdb_file;

  if (source == NULL)
    return NULL;
  lmdb_file = c2g_lmdb_file_new (source, error);
  if (lmdb_file == NULL)
    g_prefix_error (error, "%s: ", c2g_source_get_name (source));
  return lmdb_file;
}

static gboolean
c2g_lmdb_db_open_file (C2gDb         *db,
                       GFile         *file,
                       C2gDbMode      mode,
                       GCancellable  *cancellable,
                       GError       **error)
{
  C2gLmdbDb *self = C2G_LMDB_DB (db);
  g_autoptr (GFile) data = get_data (file, cancellable);

  switch (mode)
    {
    case C2G_DB_MODE_WRITE:
      self->store = g_file_query_exists (file, cancellable)
                      ? c2g_lmdb_store_open (file, data, cancellable, error)
                      : c2g_lmdb_store_new (file, error);
      return self->store != NULL;

    case C2G_DB_MODE_NEW:
      self->store = c2g_lmdb_store_new (file, error);
      return self->store != NULL;

    case C2G_DB_MODE_READ:
    default:
      self->file = read_file (file, cancellable, error);
      return self->file != NULL;
    }
}

static C2gDbCursor *
c2g_lmdb_db_new_cursor (C2gDb   *db,
                        GError **error)
{
  C2gLmdbDb *self = C2G_LMDB_DB (db);
  g_autoptr (C2gLmdbFile) file = NULL;

  if (self->file != NULL)
    return c2g_lmdb_cursor_new (self->file, error);
  if (!c2g_lmdb_store_is_there (self->store))
    return c2g_lmdb_cursor_new (NULL, error);

  file = read_file (c2g_db_get_file (db), NULL, error);
  return file != NULL ? c2g_lmdb_cursor_new (file, error) : NULL;
}

static C2gDbTransaction *
c2g_lmdb_db_new_transaction (C2gDb   *db,
                             GError **error)
{
  return c2g_lmdb_transaction_new (C2G_LMDB_DB (db)->store);
}

static gboolean
c2g_lmdb_db_close (C2gDb   *db,
                   GError **error)
{
  C2gLmdbDb *self = C2G_LMDB_DB (db);

  if (self->store != NULL)
    c2g_lmdb_store_roll_back (self->store, NULL);
  return TRUE;
}

static void
c2g_lmdb_db_finalize (GObject *object)
{
  C2gLmdbDb *self = C2G_LMDB_DB (object);

  g_clear_pointer (&self->file, c2g_lmdb_file_unref);
  g_clear_pointer (&self->store, c2g_lmdb_store_unref);

  G_OBJECT_CLASS (c2g_lmdb_db_parent_class)->finalize (object);
}

static void
c2g_lmdb_db_class_init (C2gLmdbDbClass *klass)
{
  C2gDbClass *db_class = C2G_DB_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_lmdb_db_finalize;

  db_class->open_file = c2g_lmdb_db_open_file;
  db_class->new_cursor = c2g_lmdb_db_new_cursor;
  db_class->new_transaction = c2g_lmdb_db_new_transaction;
  db_class->close = c2g_lmdb_db_close;
}

static void
c2g_lmdb_db_init (C2gLmdbDb *self)
{
}
