/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-transaction-private.h>

#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/lmdb/c2g-lmdb-page-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* A transaction on an LMDB database: collects records and gives them to the store. */

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

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_FAILED,
                       _("The transaction has failed, and was given up"));
  return FALSE;
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

C2gDbTransaction *
c2g_lmdb_transaction_new (C2gLmdbStore *store)
{
  C2gLmdbTransaction *self = g_object_new (C2G_TYPE_LMDB_TRANSACTION, NULL);

  self->store = c2g_lmdb_store_ref (store);
  return C2G_DB_TRANSACTION (self);
}
