/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-append-db-private.h>
#include <c2g/io/db/c2g-append-transaction-private.h>
#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

G_BEGIN_DECLS

/* Caffe2's TensorProtos: a file of TensorProto messages in field 1. The name of a tensor is the
 * key. */

#define C2G_TYPE_PROTODB_DB          (c2g_protodb_db_get_type ())
#define C2G_TYPE_PROTODB_CURSOR      (c2g_protodb_cursor_get_type ())
#define C2G_TYPE_PROTODB_TRANSACTION (c2g_protodb_transaction_get_type ())

G_DECLARE_FINAL_TYPE (C2gProtodbDb, c2g_protodb_db, C2G, PROTODB_DB, C2gAppendDb)
G_DECLARE_FINAL_TYPE (C2gProtodbCursor, c2g_protodb_cursor, C2G, PROTODB_CURSOR, C2gDbCursor)
G_DECLARE_FINAL_TYPE (C2gProtodbTransaction, c2g_protodb_transaction,
                      C2G, PROTODB_TRANSACTION, C2gAppendTransaction)

/* Field number of the tensors in TensorProtos. */
#define C2G_PROTODB_FIELD 1

/* Returns TRUE if the beginning of a file of n_file_bytes looks like a TensorProtos. */
gboolean          c2g_protodb_looks_like      (const guint8   *data,
                                               gsize           n_bytes,
                                               guint64         n_file_bytes);

/* Finds the name of a TensorProto; it has no bytes if there is none. Checks only that the message
 * consists of valid fields. */
gboolean          c2g_protodb_find_name       (C2gWireScan    *fields,
                                               C2gWireItem    *name,
                                               GError        **error);

/* The new cursor is at the first record. */
C2gDbCursor      *c2g_protodb_cursor_new      (C2gSource      *source,
                                               GError        **error);
/* KEYS is the set of existing keys (GBytes); commits add to it. */
C2gDbTransaction *c2g_protodb_transaction_new (C2gAppendFile  *file,
                                               GHashTable     *keys);

G_END_DECLS
