/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

G_BEGIN_DECLS

typedef struct
{
  guint8      *buffer;
  C2gLmdbPage  page;
  guint        index;
} C2gLmdbLevel;

/* A place in a tree, with the pages on the way to it.  As every page must lie at its depth
 * and between the keys above it, no page comes twice, and a walk ends whatever the file
 * says.
 */
typedef struct
{
  C2gLmdbFile       *file;
  const C2gLmdbTree *tree;
  C2gLmdbLevel       levels[C2G_LMDB_MAX_DEPTH];

  /* At a record, and which. */
  gboolean           is_valid;
  C2gLmdbNode        node;
  guint32            n_overflow_pages;

  /* Since seek_to_first(), to compare with what the tree says of itself. */
  gboolean           is_counting;
  guint64            n_entries;
  guint64            n_all_overflow_pages;

  /* This is called for all pages: for each branch and leaf, and once for all pages of a value, with
   * NULL as the page. */
  gboolean         (*pages_func) (const C2gLmdbPage  *page,
                                  guint64             number,
                                  guint64             n_pages,
                                  gpointer            user_data,
                                  GError            **error);
  gpointer           user_data;
} C2gLmdbWalk;

/* The tree is one of the file's; the file must be there as long. */
void     c2g_lmdb_walk_init          (C2gLmdbWalk        *self,
                                      C2gLmdbFile        *file,
                                      const C2gLmdbTree  *tree);
void     c2g_lmdb_walk_clear         (C2gLmdbWalk        *self);

gboolean c2g_lmdb_walk_seek_to_first (C2gLmdbWalk        *self,
                                      GError            **error);
/* To the first key that is not before this one. */
gboolean c2g_lmdb_walk_seek          (C2gLmdbWalk        *self,
                                      const guint8       *key,
                                      gsize               n_key_bytes,
                                      GError            **error);
gboolean c2g_lmdb_walk_next          (C2gLmdbWalk        *self,
                                      GError            **error);
/* Returns the place of the value in the file. */
guint64  c2g_lmdb_walk_get_offset    (C2gLmdbWalk        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gLmdbWalk, c2g_lmdb_walk_clear)

G_END_DECLS
