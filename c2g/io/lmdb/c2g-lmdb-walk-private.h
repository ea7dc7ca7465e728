/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

G_BEGIN_DECLS

/* A page on the way from the root to a leaf, and the index of the node in it that the way takes. */
typedef struct
{
  guint8      *buffer;
  C2gLmdbPage  page;
  guint        index;
} C2gLmdbLevel;

/* A position in a tree: a page and an index for each level. Each page must be at the right level,
 * and its keys must be between the keys of the branch above. So no page can come twice, and every
 * walk ends, even in a damaged file. */
typedef struct
{
  C2gLmdbFile       *file;
  const C2gLmdbTree *tree;
  C2gLmdbLevel       levels[C2G_LMDB_MAX_DEPTH];

  /* TRUE if the walk is at a record, which is NODE. */
  gboolean           is_valid;
  C2gLmdbNode        node;
  guint32            n_overflow_pages;

  /* Counts since seek_to_first(), to compare with the numbers in the tree's header. */
  gboolean           is_counting;
  guint64            n_entries;
  guint64            n_all_overflow_pages;

  /* Called for all pages: for each branch and leaf, and once for all overflow pages of a value,
   * with NULL as the page. */
  gboolean         (*pages_func) (const C2gLmdbPage  *page,
                                  guint64             number,
                                  guint64             n_pages,
                                  gpointer            user_data,
                                  GError            **error);
  gpointer           user_data;
} C2gLmdbWalk;

/* TREE belongs to FILE, which must live longer than the walk. */
void     c2g_lmdb_walk_init          (C2gLmdbWalk        *self,
                                      C2gLmdbFile        *file,
                                      const C2gLmdbTree  *tree);
void     c2g_lmdb_walk_clear         (C2gLmdbWalk        *self);

gboolean c2g_lmdb_walk_seek_to_first (C2gLmdbWalk        *self,
                                      GError            **error);
/* Moves to the first key that is not less than this one. */
gboolean c2g_lmdb_walk_seek          (C2gLmdbWalk        *self,
                                      const guint8       *key,
                                      gsize               n_key_bytes,
                                      GError            **error);
gboolean c2g_lmdb_walk_next          (C2gLmdbWalk        *self,
                                      GError            **error);
/* Returns the offset of the value in the file. */
guint64  c2g_lmdb_walk_get_offset    (C2gLmdbWalk        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gLmdbWalk, c2g_lmdb_walk_clear)

G_END_DECLS
