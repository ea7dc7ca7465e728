/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-walk-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>

/* Moves through the records of a tree in an LMDB file, and checks each page on the way. */

void
c2g_lmdb_walk_init (C2gLmdbWalk       *self,
                    C2gLmdbFile       *file,
                    const C2gLmdbTree *tree)
{
  memset (self, 0, sizeof *self);
  self->file = file;
  self->tree = tree;
}

void
c2g_lmdb_walk_clear (C2gLmdbWalk *self)
{
  for (guint i = 0; i < C2G_LMDB_MAX_DEPTH; i++)
    g_clear_pointer (&self->levels[i].buffer, g_free);
}

/* Finds the key in the branches above that is the lower limit of the page at LEVEL or, with NEXT,
 * its upper limit. Returns FALSE if there is no limit, at the left or right edge of the tree. */
static gboolean
get_bound (C2gLmdbWalk *self,
           guint        level,
           gboolean     next,
           C2gLmdbNode *bound)
{
  while (level-- > 0)
    {
      C2gLmdbLevel *above = &self->levels[level];
      guint i = above->index + next;

      if (i > 0 && i < above->page.n_nodes)
        {
          c2g_lmdb_page_get_node (&above->page, i, bound);
          return TRUE;
        }
    }

  return FALSE;
}

static gboolean
check_bounds (C2gLmdbWalk  *self,
              guint         level,
              GError      **error)
{
  const C2gLmdbPage *page = &self->levels[level].page;
  C2gLmdbOrder order = self->tree->order;
  /* The first node of a branch has no key. */
  guint first = page->kind == C2G_LMDB_PAGE_BRANCH;
  C2gLmdbNode bound;
  C2gLmdbNode node;
  gboolean is_good = TRUE;

  if (get_bound (self, level, FALSE, &bound))
    {
      c2g_lmdb_page_get_node (page, first, &node);
      is_good = c2g_lmdb_compare (order, bound.key, bound.n_key_bytes,
                                  node.key, node.n_key_bytes) <= 0;
    }
  if (is_good && get_bound (self, level, TRUE, &bound))
    {
      c2g_lmdb_page_get_node (page, page->n_nodes - 1, &node);
      is_good = c2g_lmdb_compare (order, node.key, node.n_key_bytes,
                                  bound.key, bound.n_key_bytes) < 0;
    }

  return is_good ||
         c2g_lmdb_set_damaged (page->number, self->file->page_size, error,
                               _("Its keys are not between those of the pages above it"));
}

static gboolean
read_level (C2gLmdbWalk  *self,
            guint         level,
            guint64       number,
            GError      **error)
{
  C2gLmdbLevel *at = &self->levels[level];
  gboolean is_leaf = level + 1 == self->tree->depth;

  if (at->buffer == NULL)
    at->buffer = g_malloc (self->file->page_size);
  at->index = 0;

  return c2g_lmdb_file_read_page (self->file, number,
                                  is_leaf ? C2G_LMDB_PAGE_LEAF : C2G_LMDB_PAGE_BRANCH,
                                  self->tree->order, at->buffer, &at->page, error) &&
         check_bounds (self, level, error) &&
         (self->pages_func == NULL ||
          self->pages_func (&at->page, number, 1, self->user_data, error));
}

/* Returns the number of the page at LEVEL, which the branch above contains. */
static guint64
get_number (C2gLmdbWalk *self,
            guint        level)
{
  C2gLmdbLevel *above;
  C2gLmdbNode node;

  if (level == 0)
    return self->tree->root;

  above = &self->levels[level - 1];
  c2g_lmdb_page_get_node (&above->page, above->index, &node);
  return node.page;
}

static void
find_in_level (C2gLmdbWalk   *self,
               guint          level,
               const guint8  *key,
               gsize          n_key_bytes)
{
  C2gLmdbLevel *at = &self->levels[level];
  C2gLmdbNode node;

  at->index = c2g_lmdb_page_find (&at->page, self->tree->order, key, n_key_bytes);
  if (at->page.kind == C2G_LMDB_PAGE_LEAF)
    return;

  /* If the found node has a greater key, the key belongs to the child before it. */
  if (at->index < at->page.n_nodes)
    c2g_lmdb_page_get_node (&at->page, at->index, &node);
  if (at->index == at->page.n_nodes ||
      c2g_lmdb_compare (self->tree->order, key, n_key_bytes, node.key, node.n_key_bytes) != 0)
    at->index--;
}

/* Reads the pages from LEVEL down to a leaf: towards the key, or along the left edge without one. */
static gboolean
descend (C2gLmdbWalk   *self,
         guint          level,
         const guint8  *key,
         gsize          n_key_bytes,
         GError       **error)
{
  for (; level < self->tree->depth; level++)
    {
      if (!read_level (self, level, get_number (self, level), error))
        return FALSE;
      if (key != NULL)
        find_in_level (self, level, key, n_key_bytes);
    }

  return TRUE;
}

static gboolean
finish (C2gLmdbWalk  *self,
        GError      **error)
{
  self->is_valid = FALSE;
  if (!self->is_counting || self->n_entries == self->tree->n_entries)
    return TRUE;

  return c2g_lmdb_set_damaged (self->tree->root, self->file->page_size, error,
                               _("A tree of %" PRIu64 " entries has %" PRIu64),
                               self->tree->n_entries, self->n_entries);
}

static gboolean
count (C2gLmdbWalk  *self,
       GError      **error)
{
  const C2gLmdbPage *leaf = &self->levels[self->tree->depth - 1].page;

  if (!self->is_counting)
    return TRUE;

  self->n_entries++;
  self->n_all_overflow_pages += self->n_overflow_pages;
  if (self->n_entries > self->tree->n_entries ||
      self->n_all_overflow_pages > self->tree->n_overflow_pages)
    return c2g_lmdb_set_damaged (leaf->number, self->file->page_size, error,
                                 _("More than the %" PRIu64 " entries and %" PRIu64
                                   " pages of values that the tree has"),
                                 self->tree->n_entries, self->tree->n_overflow_pages);
  return TRUE;
}

static gboolean
take_record (C2gLmdbWalk  *self,
             GError      **error)
{
  C2gLmdbLevel *leaf = &self->levels[self->tree->depth - 1];

  c2g_lmdb_page_get_node (&leaf->page, leaf->index, &self->node);
  self->n_overflow_pages = 0;
  if (self->node.page != 0 &&
      !c2g_lmdb_file_read_overflow (self->file, self->node.page, self->node.n_value_bytes,
                                    &self->n_overflow_pages, error))
    return FALSE;
  if (self->n_overflow_pages > 0 && self->pages_func != NULL &&
      !self->pages_func (NULL, self->node.page, self->n_overflow_pages, self->user_data, error))
    return FALSE;

  self->is_valid = count (self, error);
  return self->is_valid;
}

/* Moves to the first record of the next leaf. */
static gboolean
climb (C2gLmdbWalk  *self,
       GError      **error)
{
  guint level = self->tree->depth - 1;

  while (level-- > 0)
    {
      C2gLmdbLevel *at = &self->levels[level];

      if (at->index + 1 < at->page.n_nodes)
        {
          at->index++;
          return descend (self, level + 1, NULL, 0, error) && take_record (self, error);
        }
    }

  return finish (self, error);
}

gboolean
c2g_lmdb_walk_seek_to_first (C2gLmdbWalk  *self,
                             GError      **error)
{
  self->is_valid = FALSE;
  self->is_counting = TRUE;
  self->n_entries = 0;
  self->n_all_overflow_pages = 0;
  if (self->tree->depth == 0)
    return TRUE;

  return descend (self, 0, NULL, 0, error) && take_record (self, error);
}

gboolean
c2g_lmdb_walk_seek (C2gLmdbWalk   *self,
                    const guint8  *key,
                    gsize          n_key_bytes,
                    GError       **error)
{
  C2gLmdbLevel *leaf;

  self->is_valid = FALSE;
  self->is_counting = FALSE;
  if (self->tree->depth == 0)
    return TRUE;

  if (!descend (self, 0, key, n_key_bytes, error))
    return FALSE;
  leaf = &self->levels[self->tree->depth - 1];
  return leaf->index < leaf->page.n_nodes ? take_record (self, error) : climb (self, error);
}

gboolean
c2g_lmdb_walk_next (C2gLmdbWalk  *self,
                    GError      **error)
{
  C2gLmdbLevel *leaf;

  if (!self->is_valid)
    return TRUE;

  self->is_valid = FALSE;
  leaf = &self->levels[self->tree->depth - 1];
  leaf->index++;
  return leaf->index < leaf->page.n_nodes ? take_record (self, error) : climb (self, error);
}

guint64
c2g_lmdb_walk_get_offset (C2gLmdbWalk *self)
{
  C2gLmdbLevel *leaf = &self->levels[self->tree->depth - 1];

  if (self->node.page != 0)
    return self->node.page * self->file->page_size + C2G_LMDB_PAGE_HEADER_BYTES;
  return leaf->page.number * self->file->page_size + self->node.offset;
}
