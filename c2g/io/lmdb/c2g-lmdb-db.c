/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-db-private.h>

#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/db/c2g-db-transaction.h>
#include <c2g/io/lmdb/c2g-lmdb-cursor-private.h>
#include <c2g/io/lmdb/c2g-lmdb-file-private.h>
#include <c2g/io/lmdb/c2g-lmdb-page-private.h>
#include <c2g/io/lmdb/c2g-lmdb-store-private.h>
#include <c2g/io/stream/c2g-net-file-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* LMDB databases: reading with c2g's own code, writing with liblmdb. */

#define DATA_NAME "data.mdb"

#define C2G_TYPE_LMDB_TRANSACTION (c2g_lmdb_transaction_get_type ())

/* A transaction that keeps references to the records until they are written. liblmdb's own
 * transactions belong to a thread and lock out other writers, so they must not last from one call
 * to the next. */
G_DECLARE_FINAL_TYPE (C2gLmdbTransaction, c2g_lmdb_transaction, C2G, LMDB_TRANSACTION,
                      C2gDbTransaction)

/* Records of a new database are kept in memory up to this size. While writing them, liblmdb needs
 * the same amount again. */
#define BATCH_BYTES (1u << 20)

struct _C2gLmdbTransaction
{
  C2gDbTransaction  parent_instance;

  C2gLmdbStore     *store;
  GArray           *records;
  guint64           n_bytes;
  /* Set after a failed write: a commit would miss records, so it is refused. */
  gboolean          has_failed;
};

G_DEFINE_FINAL_TYPE (C2gLmdbTransaction, c2g_lmdb_transaction, C2G_TYPE_DB_TRANSACTION)

static void
clear_record (gpointer data)
{
  C2gLmdbRecord *record = data;

  g_bytes_unref (record->key);
  g_bytes_unref (record->value);
}

static void
drop_records (C2gLmdbTransaction *self)
{
  g_array_set_size (self->records, 0);
  self->n_bytes = 0;
}

static gboolean
check_not_failed (C2gLmdbTransaction  *self,
                  GError             **error)
{
  if (!self->has_failed)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_FAILED, _("The transaction has failed, and was given up"));
}

static gboolean
check_record (C2gLmdbTransaction  *self,
              GBytes              *key,
              GBytes              *value,
              GError             **error)
{
  gsize n_key_bytes = g_bytes_get_size (key);
  gsize n_value_bytes = g_bytes_get_size (value);
  gsize max_key = c2g_lmdb_store_get_max_key (self->store);
  g_autofree char *name = c2g_db_display_key (key);

  if (n_key_bytes == 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("A record with a value of %zu bytes has an empty key, which LMDB cannot have"),
                 n_value_bytes);
  else if (n_key_bytes > max_key)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The key “%s” has %zu bytes, in this LMDB database it can have %zu"),
                 name, n_key_bytes, max_key);
  else if (n_value_bytes > C2G_LMDB_MAX_VALUE_BYTES)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The value of key “%s” has %zu bytes, in an LMDB database it can have %u"),
                 name, n_value_bytes, C2G_LMDB_MAX_VALUE_BYTES);
  else
    return TRUE;

  return FALSE;
}

/* Writes the records into the draft of a new database if they are many. For an existing database all
 * of them wait for the commit, because liblmdb would lock out other writers until then. */
static gboolean
write_batch (C2gLmdbTransaction  *self,
             GError             **error)
{
  if (self->n_bytes < BATCH_BYTES || c2g_lmdb_store_is_there (self->store))
    return TRUE;

  self->has_failed = !c2g_lmdb_store_write_batch (self->store, self,
                                                  (gconstpointer) self->records->data,
                                                  self->records->len, error);
  drop_records (self);
  return !self->has_failed;
}

static gboolean
c2g_lmdb_transaction_put (C2gDbTransaction  *transaction,
                          GBytes            *key,
                          GBytes            *value,
                          GError           **error)
{
  C2gLmdbTransaction *self = C2G_LMDB_TRANSACTION (transaction);
  C2gLmdbRecord record;

  if (!check_not_failed (self, error) || !check_record (self, key, value, error))
    return FALSE;

  record.key = g_bytes_ref (key);
  record.value = g_bytes_ref (value);
  g_array_append_val (self->records, record);
  self->n_bytes += sizeof record + g_bytes_get_size (key) + g_bytes_get_size (value);
  return write_batch (self, error);
}

static gboolean
c2g_lmdb_transaction_commit (C2gDbTransaction  *transaction,
                             GError           **error)
{
  C2gLmdbTransaction *self = C2G_LMDB_TRANSACTION (transaction);

  if (!check_not_failed (self, error))
    return FALSE;

  self->has_failed = !c2g_lmdb_store_commit (self->store, self,
                                             (gconstpointer) self->records->data,
                                             self->records->len, error);
  drop_records (self);
  return !self->has_failed;
}

static void
c2g_lmdb_transaction_finalize (GObject *object)
{
  C2gLmdbTransaction *self = C2G_LMDB_TRANSACTION (object);

  if (self->store != NULL)
    c2g_lmdb_store_roll_back (self->store, self);
  g_clear_pointer (&self->store, c2g_lmdb_store_unref);
  g_array_unref (self->records);

  G_OBJECT_CLASS (c2g_lmdb_transaction_parent_class)->finalize (object);
}

static void
c2g_lmdb_transaction_class_init (C2gLmdbTransactionClass *klass)
{
  C2gDbTransactionClass *transaction_class = C2G_DB_TRANSACTION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_lmdb_transaction_finalize;

  transaction_class->put = c2g_lmdb_transaction_put;
  transaction_class->commit = c2g_lmdb_transaction_commit;
}

static void
c2g_lmdb_transaction_init (C2gLmdbTransaction *self)
{
  self->records = g_array_new (FALSE, FALSE, sizeof (C2gLmdbRecord));
  g_array_set_clear_func (self->records, clear_record);
}

static C2gDbTransaction *
new_transaction (C2gLmdbStore *store)
{
  C2gLmdbTransaction *self = g_object_new (C2G_TYPE_LMDB_TRANSACTION, NULL);

  self->store = c2g_lmdb_store_ref (store);
  return C2G_DB_TRANSACTION (self);
}

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
  return new_transaction (C2G_LMDB_DB (db)->store);
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
