/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-append-db-private.h>
#include <c2g/io/db/c2g-append-transaction-private.h>
#include <c2g/io/db/c2g-db-cursor-private.h>

G_BEGIN_DECLS

/* Caffe2's own database. A record is two int32 lengths, the key and the value; the file is
 * nothing but records. */

#define C2G_TYPE_MINIDB_DB          (c2g_minidb_db_get_type ())
#define C2G_TYPE_MINIDB_CURSOR      (c2g_minidb_cursor_get_type ())
#define C2G_TYPE_MINIDB_TRANSACTION (c2g_minidb_transaction_get_type ())

G_DECLARE_FINAL_TYPE (C2gMinidbDb, c2g_minidb_db, C2G, MINIDB_DB, C2gAppendDb)
G_DECLARE_FINAL_TYPE (C2gMinidbCursor, c2g_minidb_cursor, C2G, MINIDB_CURSOR, C2gDbCursor)
G_DECLARE_FINAL_TYPE (C2gMinidbTransaction, c2g_minidb_transaction,
                      C2G, MINIDB_TRANSACTION, C2gAppendTransaction)

/* Size of the two lengths before a record. */
#define C2G_MINIDB_HEADER_SIZE 8

/* Reads the lengths of the key and of the value. */
void              c2g_minidb_read_header     (const guint8     *header,
                                              gint32           *n_key_bytes,
                                              gint32           *n_value_bytes);
/* Returns TRUE if the beginning of a file looks like a minidb. */
gboolean          c2g_minidb_looks_like      (const guint8     *data,
                                              gsize             n_bytes);

/* The new cursor is at the first record. */
C2gDbCursor      *c2g_minidb_cursor_new      (C2gSource        *source,
                                              GError          **error);
/* Returns the offset of the current record or, behind the last one, the end of that. */
guint64           c2g_minidb_cursor_get_offset (C2gMinidbCursor *self);

C2gDbTransaction *c2g_minidb_transaction_new (C2gAppendFile    *file);

G_END_DECLS
