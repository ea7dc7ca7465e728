/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-minidb-private.h>

#include <c2g/io/db/c2g-db-private.h>

/* Appends records to a minidb file. */

struct _C2gMinidbTransaction
{
  C2gAppendTransaction parent_instance;
};

G_DEFINE_FINAL_TYPE (C2gMinidbTransaction, c2g_minidb_transaction, C2G_TYPE_APPEND_TRANSACTION)

static gboolean
c2g_minidb_transaction_put (C2gDbTransaction  *transaction,
                            GBytes            *key,
                            GBytes            *value,
                            GError           **error)
{
  C2gPiece pieces[3];
  guint32 lengths[2];

  if (!c2g_db_check_record (key, value, error))
    return FALSE;

  lengths[0] = GUINT32_TO_LE ((guint32) g_bytes_get_size (key));
  lengths[1] = GUINT32_TO_LE ((guint32) g_bytes_get_size (value));
  pieces[0] = (C2gPiece) { lengths, sizeof lengths };
  pieces[1].data = g_bytes_get_data (key, &pieces[1].n_bytes);
  pieces[2].data = g_bytes_get_data (value, &pieces[2].n_bytes);
  return c2g_append_transaction_put_pieces (C2G_APPEND_TRANSACTION (transaction),
                                            pieces, G_N_ELEMENTS (pieces), error);
}

static void
c2g_minidb_transaction_class_init (C2gMinidbTransactionClass *klass)
{
  C2G_DB_TRANSACTION_CLASS (klass)->put = c2g_minidb_transaction_put;
}

static void
c2g_minidb_transaction_init (C2gMinidbTransaction *self)
{
}

C2gDbTransaction *
c2g_minidb_transaction_new (C2gAppendFile *file)
{
  C2gMinidbTransaction *self = g_object_new (C2G_TYPE_MINIDB_TRANSACTION, NULL);

  c2g_append_transaction_set_file (C2G_APPEND_TRANSACTION (self), file);
  return C2G_DB_TRANSACTION (self);
}
