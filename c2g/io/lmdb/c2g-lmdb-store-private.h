/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-writer-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* Transactions write here: into a new database, which appears with the first commit, or into one
 * that exists.
 *
 * Records of a new database can be written in batches before they are committed, because nobody
 * sees them yet. The transaction that writes them owns the draft until it commits or rolls
 * back. Only one thread may write at a time.
 */
typedef struct _C2gLmdbStore C2gLmdbStore;

C2gLmdbStore *c2g_lmdb_store_new            (GFile                *file,
                                             GError              **error);
/* Data is the file, or lies in it if that is a folder; its content is checked first. */
C2gLmdbStore *c2g_lmdb_store_open           (GFile                *file,
                                             GFile                *data,
                                             GCancellable         *cancellable,
                                             GError              **error);
C2gLmdbStore *c2g_lmdb_store_ref            (C2gLmdbStore         *self);
void          c2g_lmdb_store_unref          (C2gLmdbStore         *self);

/* From then on; thread-safe. */
gboolean      c2g_lmdb_store_is_there       (C2gLmdbStore         *self);
gsize         c2g_lmdb_store_get_max_key    (C2gLmdbStore         *self);

/* Into a draft only. */
gboolean      c2g_lmdb_store_write_batch    (C2gLmdbStore         *self,
                                             gconstpointer         owner,
                                             const C2gLmdbRecord  *records,
                                             gsize                 n_records,
                                             GError              **error);
/* The last batch, or all there is.  After an error nothing is left of any. */
gboolean      c2g_lmdb_store_commit         (C2gLmdbStore         *self,
                                             gconstpointer         owner,
                                             const C2gLmdbRecord  *records,
                                             gsize                 n_records,
                                             GError              **error);
/* Without an owner: whatever is in the draft. */
void          c2g_lmdb_store_roll_back      (C2gLmdbStore         *self,
                                             gconstpointer         owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLmdbStore, c2g_lmdb_store_unref)

G_END_DECLS
