/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-append-file-private.h>
#include <c2g/io/db/c2g-db-transaction.h>

G_BEGIN_DECLS

#define C2G_TYPE_APPEND_TRANSACTION (c2g_append_transaction_get_type ())

/* A transaction that appends records to a file. put() of the derived classes defines the format
 * of a record. */
G_DECLARE_DERIVABLE_TYPE (C2gAppendTransaction, c2g_append_transaction,
                          C2G, APPEND_TRANSACTION, C2gDbTransaction)

struct _C2gAppendTransactionClass
{
  C2gDbTransactionClass parent_class;
};

/* A piece of a record. */
typedef struct
{
  gconstpointer data;
  gsize         n_bytes;
} C2gPiece;

void     c2g_append_transaction_set_file   (C2gAppendTransaction  *self,
                                            C2gAppendFile         *file);
/* Returns TRUE if a record can be written now. */
gboolean c2g_append_transaction_claim      (C2gAppendTransaction  *self,
                                            GError               **error);
/* After a failure the transaction has lost its records and accepts no more. */
gboolean c2g_append_transaction_put_pieces (C2gAppendTransaction  *self,
                                            const C2gPiece        *pieces,
                                            gsize                  n_pieces,
                                            GError               **error);

G_END_DECLS
