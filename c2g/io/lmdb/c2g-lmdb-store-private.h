/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-writer-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* The destination of transactions: an existing database, or a new one that becomes visible with the
 * first commit.
 *
 * Records of a new database can be written in batches before the commit, because the database is
 * not visible yet. A transaction that does so owns the draft until it commits or rolls back. Only
 * one thread may write at a time. */
typedef struct _C2gLmdbStore C2gLmdbStore;

C2gLmdbStore *c2g_lmdb_store_new            (GFile                *file,
                                             GError              **error);
/* Opens an existing database. DATA is the data file: FILE itself, or a file in the folder FILE. The
 * content of DATA is verified first. */
C2gLmdbStore *c2g_lmdb_store_open           (GFile                *file,
                                             GFile                *data,
                                             GCancellable         *cancellable,
                                             GError              **error);
C2gLmdbStore *c2g_lmdb_store_ref            (C2gLmdbStore         *self);
void          c2g_lmdb_store_unref          (C2gLmdbStore         *self);

/* Returns TRUE once the database exists. Thread-safe. */
gboolean      c2g_lmdb_store_is_there       (C2gLmdbStore         *self);
gsize         c2g_lmdb_store_get_max_key    (C2gLmdbStore         *self);

/* Writes records into the draft of a new database. */
gboolean      c2g_lmdb_store_write_batch    (C2gLmdbStore         *self,
                                             gconstpointer         owner,
                                             const C2gLmdbRecord  *records,
                                             gsize                 n_records,
                                             GError              **error);
/* Writes these records and makes all batches visible. If it fails, none of the records are there. */
gboolean      c2g_lmdb_store_commit         (C2gLmdbStore         *self,
                                             gconstpointer         owner,
                                             const C2gLmdbRecord  *records,
                                             gsize                 n_records,
                                             GError              **error);
/* Discards the draft. OWNER limits that to records of this owner; NULL means of any. */
void          c2g_lmdb_store_roll_back      (C2gLmdbStore         *self,
                                             gconstpointer         owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLmdbStore, c2g_lmdb_store_unref)

G_END_DECLS
