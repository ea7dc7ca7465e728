/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-page-private.h>
#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

/* Maximum depth of a tree, the same as in liblmdb. */
#define C2G_LMDB_MAX_DEPTH 32

typedef struct
{
  C2gLmdbOrder order;
  guint        depth;
  /* Valid unless depth is 0: then the tree is empty. */
  guint64      root;
  guint64      n_overflow_pages;
  guint64      n_entries;
} C2gLmdbTree;

/* A data.mdb in the state after one transaction. Read-only; any thread may use it. */
typedef struct
{
  gatomicrefcount ref_count;

  C2gSource      *source;
  guint32         page_size;

  /* The number of the meta page that describes the state, and of the transaction that wrote it. */
  guint           meta_page;
  guint64         transaction;
  /* FALSE if the second meta page is damaged, so that nobody knows which state is the newest, or if
   * this is the state before it, because what the newer meta page describes is damaged. liblmdb
   * itself always takes the newest. */
  gboolean        is_newest;
  guint64         last_page;
  C2gLmdbTree     records;
  C2gLmdbTree     free_pages;
} C2gLmdbFile;

/* Returns TRUE if the bytes begin an LMDB file of any architecture or version; FALSE for fewer than
 * 32 bytes. */
gboolean     c2g_lmdb_file_looks_like    (const guint8     *data,
                                          gsize             n_bytes);

C2gLmdbFile *c2g_lmdb_file_new           (C2gSource        *source,
                                          GError          **error);
C2gLmdbFile *c2g_lmdb_file_ref           (C2gLmdbFile      *self);
void         c2g_lmdb_file_unref         (C2gLmdbFile      *self);

/* Returns the size of the longest key that liblmdb can write to this file. */
gsize        c2g_lmdb_file_get_max_key   (C2gLmdbFile      *self);

/* Reads a branch or leaf page into BUFFER, which has the size of a page. */
gboolean     c2g_lmdb_file_read_page     (C2gLmdbFile      *self,
                                          guint64           number,
                                          C2gLmdbPageKind   kind,
                                          C2gLmdbOrder      order,
                                          guint8           *buffer,
                                          C2gLmdbPage      *page,
                                          GError          **error);
/* Checks that a value of that size fits into the overflow pages from NUMBER on, and returns their
 * number. */
gboolean     c2g_lmdb_file_read_overflow (C2gLmdbFile      *self,
                                          guint64           number,
                                          gsize             n_value_bytes,
                                          guint32          *n_pages,
                                          GError          **error);
/* Checks that the pages read so far have not been overwritten. liblmdb reuses the pages of a state
 * from the third following transaction on; the second one replaces the meta page, so comparing that
 * page is enough. If it changed, the error is C2G_ERROR_BUSY. */
gboolean     c2g_lmdb_file_is_current    (C2gLmdbFile      *self,
                                          GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLmdbFile, c2g_lmdb_file_unref)

G_END_DECLS
