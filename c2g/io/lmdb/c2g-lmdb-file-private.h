/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-page-private.h>
#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

/* Levels of a tree; LMDB itself has no more. */
#define C2G_LMDB_MAX_DEPTH 32

typedef struct
{
  C2gLmdbOrder order;
  guint        depth;
  /* Without depth there is none. */
  guint64      root;
  guint64      n_overflow_pages;
  guint64      n_entries;
} C2gLmdbTree;

/* A data.mdb as the transaction of that number left it. */
typedef struct
{
  gatomicrefcount ref_count;

  C2gSource      *source;
  guint32         page_size;

  /* Which meta page tells of it. */
  guint           meta_page;
  guint64         transaction;
  /* LMDB takes the newest state whatever it is; this may be the one before. */
  gboolean        is_newest;
  guint64         last_page;
  C2gLmdbTree     records;
  C2gLmdbTree     free_pages;
} C2gLmdbFile;

/* Returns TRUE if a file of any machine begins with these bytes; 32 of them suffice. */
gboolean     c2g_lmdb_file_looks_like    (const guint8     *data,
                                          gsize             n_bytes);

C2gLmdbFile *c2g_lmdb_file_new           (C2gSource        *source,
                                          GError          **error);
C2gLmdbFile *c2g_lmdb_file_ref           (C2gLmdbFile      *self);
void         c2g_lmdb_file_unref         (C2gLmdbFile      *self);

/* The longest key that liblmdb can put into it. */
gsize        c2g_lmdb_file_get_max_key   (C2gLmdbFile      *self);

/* Reads a branch or leaf into buffer, which has room for a page. */
gboolean     c2g_lmdb_file_read_page     (C2gLmdbFile      *self,
                                          guint64           number,
                                          C2gLmdbPageKind   kind,
                                          C2gLmdbOrder      order,
                                          guint8           *buffer,
                                          C2gLmdbPage      *page,
                                          GError          **error);
/* Makes sure that so many bytes lie in the pages from number on, and tells how many
 * these are. */
gboolean     c2g_lmdb_file_read_overflow (C2gLmdbFile      *self,
                                          guint64           number,
                                          gsize             n_value_bytes,
                                          guint32          *n_pages,
                                          GError          **error);
/* Checks that nothing was overwritten that has been read until now. LMDB uses the pages of a state
 * again from the third transaction after it on, and the second one replaces its meta page. The
 * error is C2G_ERROR_BUSY. */
gboolean     c2g_lmdb_file_is_current    (C2gLmdbFile      *self,
                                          GError          **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLmdbFile, c2g_lmdb_file_unref)

G_END_DECLS
