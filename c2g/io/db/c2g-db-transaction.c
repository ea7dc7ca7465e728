/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/db/c2g-db-transaction.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

/**
 * C2gDbTransaction:
 *
 * A group of records that is written to a database together.
 *
 * The records are in the database after [method@DbTransaction.commit]. If the transaction is
 * dropped or the database is closed before, the database does not change. A transaction can be
 * used for several commits, one after the other.
 *
 * In a `minidb` or a `protodb` only one transaction at a time can have uncommitted records;
 * putting a record into another one gives `C2G_ERROR_BUSY`. So does the commit to a new `lmdb`
 * while another transaction has put more records than fit into its memory. If a record cannot
 * be written, for example because the disk is full, the records of the transaction are
 * discarded, the file does not change, and the transaction accepts no more records. A record
 * that is refused (`C2G_ERROR_INVALID_ARGUMENT`, `C2G_ERROR_RANGE`, `C2G_ERROR_EXISTS`)
 * changes nothing.
 *
 * ## Threads
 *
 * A transaction belongs to one thread at a time.
 */

typedef struct
{
  C2gDb *db;
} C2gDbTransactionPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gDbTransaction, c2g_db_transaction, G_TYPE_OBJECT)

static void
c2g_db_transaction_finalize (GObject *object)
{
  C2gDbTransactionPrivate *priv =
    c2g_db_transaction_get_instance_private (C2G_DB_TRANSACTION (object));

  g_clear_object (&priv->db);

  G_OBJECT_CLASS (c2g_db_transaction_parent_class)->finalize (object);
}

static void
c2g_db_transaction_class_init (C2gDbTransactionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_db_transaction_finalize;
}

static void
c2g_db_transaction_init (C2gDbTransaction *self)
{
}

static gboolean
check_open (C2gDbTransaction  *self,
            GError           **error)
{
  C2gDbTransactionPrivate *priv = c2g_db_transaction_get_instance_private (self);

  return priv->db == NULL || c2g_db_check_open (priv->db, error);
}

static gboolean
check_writable (C2gDb   *self,
                GError **error)
{
  g_autofree char *name = NULL;

  if (!c2g_db_check_open (self, error))
    return FALSE;
  if (c2g_db_get_mode (self) != C2G_DB_MODE_READ)
    return TRUE;

  name = c2g_db_dup_name (self);
  return c2g_fail (error, C2G_ERROR_READ_ONLY, _("%s: The database was opened for reading"), name);
}

/**
 * c2g_db_new_transaction: (virtual new_transaction)
 * @self: a database
 * @error: return location for an error
 *
 * Makes a transaction, with which records are written.
 *
 * Sets `C2G_ERROR_INVALID_ARGUMENT` if the database is closed and `C2G_ERROR_READ_ONLY` if
 * it was opened for reading.
 *
 * Returns: (transfer full): a transaction
 */
C2gDbTransaction *
c2g_db_new_transaction (C2gDb   *self,
                        GError **error)
{
  C2gDbClass *klass;
  C2gDbTransaction *transaction;
  C2gDbTransactionPrivate *priv;

  g_return_val_if_fail (C2G_IS_DB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_writable (self, error))
    return NULL;
  klass = C2G_DB_GET_CLASS (self);
  if (klass->new_transaction == NULL)
    {
      c2g_vfunc_fail_not_implemented (self, "new_transaction()", error);
      return NULL;
    }

  transaction = klass->new_transaction (self, error);
  if (!c2g_vfunc_check_result (self, transaction != NULL, "new_transaction()", error))
    return NULL;

  priv = c2g_db_transaction_get_instance_private (transaction);
  g_set_object (&priv->db, self);
  return transaction;
}

/**
 * c2g_db_transaction_put: (virtual put)
 * @self: a transaction
 * @key: a key
 * @value: a value
 * @error: return location for an error
 *
 * Adds a record.
 *
 * Which keys and values there can be depends on the type of database: a `minidb` takes neither
 * empty ones nor more than 2³¹ − 1 bytes. Sets `C2G_ERROR_INVALID_ARGUMENT`, `C2G_ERROR_RANGE`
 * or `C2G_ERROR_EXISTS` if it cannot hold the record or the database is closed,
 * `C2G_ERROR_BUSY` while another transaction is writing, and errors of the system if it cannot
 * be written.
 *
 * Returns: `TRUE` if the next commit will write it
 */
gboolean
c2g_db_transaction_put (C2gDbTransaction  *self,
                        GBytes            *key,
                        GBytes            *value,
                        GError           **error)
{
  C2gDbTransactionClass *klass;

  g_return_val_if_fail (C2G_IS_DB_TRANSACTION (self), FALSE);
  g_return_val_if_fail (key != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_open (self, error))
    return FALSE;
  klass = C2G_DB_TRANSACTION_GET_CLASS (self);
  if (klass->put == NULL)
    return c2g_vfunc_fail_not_implemented (self, "put()", error);

  return c2g_vfunc_check_result (self, klass->put (self, key, value, error), "put()", error);
}

/**
 * c2g_db_transaction_commit: (virtual commit)
 * @self: a transaction
 * @error: return location for an error
 *
 * Writes the records to the database and to the disk.
 *
 * Afterwards the transaction is empty and can be used again. An empty commit only creates a
 * new database. If it fails, the records are discarded.
 *
 * Returns: `TRUE` if it is done
 */
gboolean
c2g_db_transaction_commit (C2gDbTransaction  *self,
                           GError           **error)
{
  C2gDbTransactionClass *klass;

  g_return_val_if_fail (C2G_IS_DB_TRANSACTION (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_open (self, error))
    return FALSE;
  klass = C2G_DB_TRANSACTION_GET_CLASS (self);
  if (klass->commit == NULL)
    return c2g_vfunc_fail_not_implemented (self, "commit()", error);

  return c2g_vfunc_check_result (self, klass->commit (self, error), "commit()", error);
}
