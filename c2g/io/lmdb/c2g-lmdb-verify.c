/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-verify-private.h>

#include <c2g/io/lmdb/c2g-lmdb-walk-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Checks that an LMDB file is sound, before liblmdb may write to it. */

typedef struct
{
  C2gLmdbFile  *file;
  GCancellable *cancellable;

  /* One bit for each page, set if the page was seen. */
  guint8       *seen;
} Verification;

/* liblmdb moves records between pages, and sizes its buffers by these limits. Larger records could
 * be read, but not written. */
static gboolean
check_node (Verification       *self,
            const C2gLmdbPage  *page,
            guint               i,
            guint8             *used,
            GError            **error)
{
  gboolean has_key = page->kind == C2G_LMDB_PAGE_LEAF || i > 0;
  gsize max_key = has_key ? c2g_lmdb_file_get_max_key (self->file) : 0;
  gsize max_bytes = C2G_LMDB_MAX_NODE_BYTES (page->n_bytes);
  C2gLmdbNode node;
  gsize begin;
  gsize end;

  c2g_lmdb_page_get_node (page, i, &node);
  begin = node.key - page->data - C2G_LMDB_NODE_BYTES;
  end = node.offset;
  if (page->kind == C2G_LMDB_PAGE_LEAF)
    end += node.page != 0 ? 8 : node.n_value_bytes;

  if (node.n_key_bytes > max_key || end - begin > max_bytes)
    return c2g_lmdb_set_damaged (page->number, page->n_bytes, error,
                                 _("Record %u takes %zu bytes of the page, %zu of them for the key"),
                                 i, end - begin, node.n_key_bytes);
  for (gsize j = begin; j < end; j++)
    {
      if (begin % 2 != 0 || used[j])
        return c2g_lmdb_set_damaged (page->number, page->n_bytes, error,
                                     _("Record %u lies where another one is"), i);
      used[j] = TRUE;
    }
  return TRUE;
}

/* When liblmdb splits a full page, it expects at least two records in it. So every byte of the page
 * must be free space or belong to a record. */
static gboolean
check_nodes (Verification       *self,
             const C2gLmdbPage  *page,
             GError            **error)
{
  g_autofree guint8 *used = g_malloc0 (page->n_bytes);

  for (guint i = 0; i < page->n_nodes; i++)
    if (!check_node (self, page, i, used, error))
      return FALSE;

  return page->n_gap_bytes == 0 ||
         c2g_lmdb_set_damaged (page->number, page->n_bytes, error,
                               _("%zu bytes between its records"), page->n_gap_bytes);
}

static gboolean
mark_pages (const C2gLmdbPage  *page,
            guint64             number,
            guint64             n_pages,
            gpointer            user_data,
            GError            **error)
{
  Verification *self = user_data;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (page != NULL && !check_nodes (self, page, error))
    return FALSE;

  for (guint64 i = number; i < number + n_pages; i++)
    {
      if (self->seen[i / 8] & 1 << i % 8)
        return c2g_lmdb_set_damaged (i, self->file->page_size, error,
                                     _("The page is used twice"));
      self->seen[i / 8] |= 1 << i % 8;
    }

  return TRUE;
}

/* Transaction ids begin at 1. An id above the current one would belong to the future. */
static gboolean
check_free_key (C2gLmdbWalk  *walk,
                GError      **error)
{
  guint64 transaction = c2g_lmdb_get_uint64 (walk->node.key);

  return (transaction >= 1 && transaction <= walk->file->transaction) ||
         c2g_lmdb_set_damaged (c2g_lmdb_walk_get_offset (walk) / walk->file->page_size,
                               walk->file->page_size, error,
                               _("Pages freed by transaction %" PRIu64 ", where there can be "
                                 "1 to %" PRIu64),
                               transaction, walk->file->transaction);
}

/* Reads the page numbers in an entry of the tree of free pages. The first number is their count. */
static gboolean
read_free_pages (C2gLmdbWalk   *walk,
                 guint64      **numbers,
                 guint64       *n_numbers,
                 GError       **error)
{
  g_autoptr (GBytes) bytes = NULL;
  guint64 offset = c2g_lmdb_walk_get_offset (walk);
  gsize n_bytes = walk->node.n_value_bytes;
  const guint8 *data;

  bytes = c2g_source_ref_bytes (walk->file->source, offset, n_bytes, NULL, error);
  if (bytes == NULL)
    return FALSE;

  data = g_bytes_get_data (bytes, NULL);
  *n_numbers = n_bytes < 8 ? G_MAXUINT64 : c2g_lmdb_get_uint64 (data);
  if (*n_numbers > n_bytes / 8 - 1)
    return c2g_lmdb_set_damaged (offset / walk->file->page_size, walk->file->page_size, error,
                                 _("%" PRIu64 " free pages in a list of %zu bytes"),
                                 *n_numbers, n_bytes);

  *numbers = g_try_new (guint64, *n_numbers + 1);
  if (*numbers == NULL)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"), n_bytes);
  for (guint64 i = 0; i < *n_numbers; i++)
    (*numbers)[i] = c2g_lmdb_get_uint64 (data + 8 * (i + 1));
  return TRUE;
}

/* The numbers of free pages must descend, and no tree may use these pages. */
static gboolean
mark_free_pages (Verification   *self,
                 const guint64  *numbers,
                 guint64         n_numbers,
                 GError        **error)
{
  guint64 before = self->file->last_page + 1;

  for (guint64 i = 0; i < n_numbers; before = numbers[i++])
    {
      if (numbers[i] < C2G_LMDB_N_META_PAGES || numbers[i] >= before)
        return c2g_lmdb_set_damaged (numbers[i], self->file->page_size, error,
                                     _("The page comes out of order in a list of free pages"));
      if (self->seen != NULL && !mark_pages (NULL, numbers[i], 1, self, error))
        return FALSE;
    }

  return TRUE;
}

/* The count of overflow pages in the header must be right: liblmdb subtracts from it when it frees
 * values. */
static gboolean
check_overflow_pages (C2gLmdbWalk  *walk,
                      GError      **error)
{
  return walk->n_all_overflow_pages == walk->tree->n_overflow_pages ||
         c2g_lmdb_set_damaged (walk->file->meta_page, walk->file->page_size, error,
                               _("A tree with %" PRIu64 " pages of values has %" PRIu64),
                               walk->tree->n_overflow_pages, walk->n_all_overflow_pages);
}

static gboolean
walk_free_pages (Verification  *self,
                 guint64       *n_free,
                 GError       **error)
{
  g_auto (C2gLmdbWalk) walk = { 0 };

  c2g_lmdb_walk_init (&walk, self->file, &self->file->free_pages);
  if (self->seen != NULL)
    walk.pages_func = mark_pages;
  walk.user_data = self;
  *n_free = 0;

  if (!c2g_lmdb_walk_seek_to_first (&walk, error))
    return FALSE;
  while (walk.is_valid)
    {
      g_autofree guint64 *numbers = NULL;
      guint64 n_numbers;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
          !check_free_key (&walk, error) ||
          !read_free_pages (&walk, &numbers, &n_numbers, error) ||
          !mark_free_pages (self, numbers, n_numbers, error) ||
          !c2g_lmdb_walk_next (&walk, error))
        return FALSE;
      *n_free += n_numbers;
    }

  return check_overflow_pages (&walk, error);
}

static gboolean
walk_records (Verification  *self,
              GError       **error)
{
  g_auto (C2gLmdbWalk) walk = { 0 };

  c2g_lmdb_walk_init (&walk, self->file, &self->file->records);
  walk.pages_func = mark_pages;
  walk.user_data = self;

  if (!c2g_lmdb_walk_seek_to_first (&walk, error))
    return FALSE;
  while (walk.is_valid)
    if (!c2g_lmdb_walk_next (&walk, error))
      return FALSE;
  return check_overflow_pages (&walk, error);
}

/* The file may end before its last page, if all missing pages are free. */
static gboolean
allocate_marks (Verification  *self,
                guint64        n_free,
                GError       **error)
{
  guint64 last_page = self->file->last_page;
  guint64 n_in_file = c2g_source_get_n_bytes (self->file->source) / self->file->page_size;

  if (last_page < 1 || last_page >= n_in_file + n_free)
    return c2g_lmdb_set_damaged (last_page, self->file->page_size, error,
                                 _("This is said to be the last page, the file has %" PRIu64
                                   " and %" PRIu64 " are free"),
                                 n_in_file, n_free);

  self->seen = g_try_malloc0 (last_page / 8 + 1);
  if (self->seen == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("No memory to check %" PRIu64 " pages"), last_page);
  return self->seen != NULL;
}

/* liblmdb alternates the two meta pages by the parity of the transaction id. The id must not be the
 * largest one, because the next transaction adds 1. */
static gboolean
check_state (C2gLmdbFile  *file,
             GError      **error)
{
  if (!file->is_newest)
    return c2g_lmdb_set_damaged (0, file->page_size, error,
                                 _("The newest state of the database cannot be read"));
  if (file->page_size > C2G_LMDB_MAX_WRITTEN_PAGE_BYTES)
    return c2g_lmdb_set_damaged (0, file->page_size, error,
                                 _("Pages of %u bytes"), file->page_size);
  if (file->transaction % 2 != file->meta_page || file->transaction == G_MAXUINT64)
    return c2g_lmdb_set_damaged (file->meta_page, file->page_size, error,
                                 _("Transaction %" PRIu64 " cannot have written this page"),
                                 file->transaction);
  return TRUE;
}

/* Reports damage, unless another process has written to the file meanwhile: then the error is
 * C2G_ERROR_BUSY. */
static gboolean
settle (C2gLmdbFile  *file,
        gboolean      is_sound,
        GError       *damage,
        GError      **error)
{
  gboolean is_of_file = is_sound || g_error_matches (damage, C2G_ERROR, C2G_ERROR_CORRUPT);

  if (!is_of_file || c2g_lmdb_file_is_current (file, error))
    {
      if (!is_sound)
        g_propagate_error (error, damage);
      return is_sound;
    }

  g_clear_error (&damage);
  return FALSE;
}

gboolean
c2g_lmdb_verify (C2gLmdbFile   *file,
                 GCancellable  *cancellable,
                 GError       **error)
{
  Verification self = { .file = file, .cancellable = cancellable };
  GError *damage = NULL;
  guint64 n_free;
  gboolean is_sound;

  /* The first walk only counts the free pages, which limits the memory for the marks. The second one
   * marks them. */
  is_sound = check_state (file, &damage) &&
             walk_free_pages (&self, &n_free, &damage) &&
             allocate_marks (&self, n_free, &damage) &&
             walk_free_pages (&self, &n_free, &damage) &&
             walk_records (&self, &damage);
  g_free (self.seen);
  return settle (file, is_sound, damage, error);
}
