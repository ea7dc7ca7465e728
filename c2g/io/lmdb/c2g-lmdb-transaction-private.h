/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db-transaction.h>
#include <c2g/io/lmdb/c2g-lmdb-store-private.h>

G_BEGIN_DECLS

#define C2G_TYPE_LMDB_TRANSACTION (c2g_lmdb_transaction_get_type ())

/* A transaction that keeps references to the records until they are written. liblmdb's own
 * transactions belong to a thread and lock out other writers, so they must not last from one call
 * to the next. */
G_DECLARE_FINAL_TYPE (C2gLmdbTransaction, c2g_lmdb_transaction, C2G, LMDB_TRANSACTION,
                      C2gDbTransaction)

C2gDbTransaction *c2g_lmdb_transaction_new (C2gLmdbStore *store);

G_END_DECLS
