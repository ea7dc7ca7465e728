/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Reads the format of data.mdb. Fields of a meta page, with their sizes in bytes: page header,
 * magic number (4), version (4), two unused fields (8 + 8), the tree of free pages and the tree of
 * records (48 each), last page (8), transaction (8).
 *
 * A tree: page size (4, only in the tree of free pages), flags (2), depth (2), numbers of branch,
 * leaf and overflow pages and of entries (8 each), root page (8). */
#define META_BYTES         152
#define MARK_OFFSET        16
#define VERSION_OFFSET     20
#define FREE_OFFSET        40
#define RECORDS_OFFSET     88
#define LAST_PAGE_OFFSET   136
#define TRANSACTION_OFFSET 144

#define MARK               0xbeefc0deu
#define VERSION            1
#define NO_PAGE            G_MAXUINT64

/* Offset of the magic number in files of 32-bit programs, and of LMDB 1.0 and later. c2g does not
 * read these; the error names them. */
#define MARK_OFFSET_32     12
#define MARK_OFFSET_1_0    24

/* Flags that the tree of free pages never has. The other bits of its flags belong to the whole
 * file. */
#define FLAGS_OF_OTHERS    0x76

typedef struct
{
  guint64  number;
  guint64  transaction;
  guint16  flags;
  guint8   data[META_BYTES];
} Meta;

static gboolean
set_other_machine (GError **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("An LMDB database written on a machine of another byte order or word size; "
                     "only those of little-endian machines of 64 bits can be read"));
}

static gboolean
set_version (guint32   version,
             GError  **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("Version %u of the format of LMDB; only version %u can be read"), version,
                   VERSION);
}

static gboolean
is_of_other_machine (const guint8 *data)
{
  return c2g_lmdb_get_uint32 (data + MARK_OFFSET_32) == MARK ||
         c2g_lmdb_get_uint32 (data + MARK_OFFSET_32) == GUINT32_SWAP_LE_BE (MARK) ||
         c2g_lmdb_get_uint32 (data + MARK_OFFSET) == GUINT32_SWAP_LE_BE (MARK);
}

gboolean
c2g_lmdb_file_looks_like (const guint8 *data,
                          gsize         n_bytes)
{
  return n_bytes >= MARK_OFFSET_1_0 + 8 &&
         (c2g_lmdb_get_uint32 (data + MARK_OFFSET) == MARK || is_of_other_machine (data) ||
          c2g_lmdb_get_uint32 (data + MARK_OFFSET_1_0) == MARK);
}

static gboolean
check_meta (const Meta  *meta,
            guint32      page_size,
            GError     **error)
{
  guint32 mark = c2g_lmdb_get_uint32 (meta->data + MARK_OFFSET);
  guint32 version = c2g_lmdb_get_uint32 (meta->data + VERSION_OFFSET);

  if (mark != MARK && is_of_other_machine (meta->data))
    return set_other_machine (error);
  if (mark != MARK && c2g_lmdb_get_uint32 (meta->data + MARK_OFFSET_1_0) == MARK)
    return set_version (c2g_lmdb_get_uint32 (meta->data + MARK_OFFSET_1_0 + 4), error);
  if (mark != MARK)
    return c2g_lmdb_set_damaged (meta->number, page_size, error,
                                 _("The mark of LMDB is not there"));
  if (version != VERSION)
    return set_version (version, error);
  if (!(c2g_lmdb_get_uint16 (meta->data + 10) & C2G_LMDB_PAGE_META) ||
      c2g_lmdb_get_uint64 (meta->data) != meta->number)
    return c2g_lmdb_set_damaged (meta->number, page_size, error,
                                 _("This is no page that tells of the trees"));
  return TRUE;
}

static gboolean
read_meta (C2gLmdbFile  *self,
           guint64       number,
           Meta         *meta,
           GError      **error)
{
  guint32 page_size = number == 0 ? C2G_LMDB_MIN_PAGE_BYTES : self->page_size;

  meta->number = number;
  if (!c2g_source_read (self->source, number * page_size, meta->data, META_BYTES, NULL, error) ||
      !check_meta (meta, page_size, error))
    return FALSE;

  meta->transaction = c2g_lmdb_get_uint64 (meta->data + TRANSACTION_OFFSET);
  return TRUE;
}

static gboolean
check_page_size (C2gLmdbFile  *self,
                 const Meta   *meta,
                 GError      **error)
{
  guint32 page_size = c2g_lmdb_get_uint32 (meta->data + FREE_OFFSET);

  if (page_size < C2G_LMDB_MIN_PAGE_BYTES || page_size > C2G_LMDB_MAX_PAGE_BYTES ||
      (page_size & (page_size - 1)) != 0 ||
      (self->page_size != 0 && page_size != self->page_size))
    return c2g_lmdb_set_damaged (meta->number, MAX (self->page_size, 1), error,
                                 _("Pages of %u bytes"), page_size);

  self->page_size = page_size;
  return TRUE;
}

static gboolean
check_free_flags (C2gLmdbFile  *self,
                  const Meta   *meta,
                  GError      **error)
{
  guint16 flags = c2g_lmdb_get_uint16 (meta->data + FREE_OFFSET + 4);

  return !(flags & FLAGS_OF_OTHERS) ||
         c2g_lmdb_set_damaged (meta->number, self->page_size, error,
                               _("The tree of free pages is of another kind (flags 0x%x)"), flags);
}

static gboolean
check_flags (const Meta  *meta,
             GError     **error)
{
  guint16 flags = c2g_lmdb_get_uint16 (meta->data + RECORDS_OFFSET + 4);

  if (flags == 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("The database has several values for a key or an order of its own "
                     "(flags 0x%x), which cannot be read"),
                   flags);
}

static gboolean
read_tree (C2gLmdbFile  *self,
           const Meta   *meta,
           gsize         offset,
           C2gLmdbTree  *tree,
           GError      **error)
{
  const guint8 *data = meta->data + offset;
  guint64 n_in_file = c2g_source_get_n_bytes (self->source) / self->page_size;
  gboolean has_root;

  tree->depth = c2g_lmdb_get_uint16 (data + 6);
  tree->n_overflow_pages = c2g_lmdb_get_uint64 (data + 24);
  tree->n_entries = c2g_lmdb_get_uint64 (data + 32);
  tree->root = c2g_lmdb_get_uint64 (data + 40);

  has_root = tree->root != NO_PAGE;
  if (tree->depth > C2G_LMDB_MAX_DEPTH || (tree->depth > 0) != has_root ||
      (tree->n_entries > 0) != has_root)
    return c2g_lmdb_set_damaged (meta->number, self->page_size, error,
                                 _("A tree of %u levels and %" PRIu64 " entries with its root at "
                                   "page %" PRIu64),
                                 tree->depth, tree->n_entries, tree->root);
  if (tree->n_overflow_pages > n_in_file)
    return c2g_lmdb_set_damaged (meta->number, self->page_size, error,
                                 _("A tree with %" PRIu64 " pages of values in a file of %" PRIu64),
                                 tree->n_overflow_pages, n_in_file);
  return TRUE;
}

static gboolean
check_root (C2gLmdbFile        *self,
            const C2gLmdbTree  *tree,
            GError            **error)
{
  g_autofree guint8 *buffer = NULL;
  C2gLmdbPage page;

  if (tree->depth == 0)
    return TRUE;

  buffer = g_malloc (self->page_size);
  return c2g_lmdb_file_read_page (self, tree->root,
                                  tree->depth > 1 ? C2G_LMDB_PAGE_BRANCH : C2G_LMDB_PAGE_LEAF,
                                  tree->order, buffer, &page, error);
}

static gboolean
take_meta (C2gLmdbFile  *self,
           const Meta   *meta,
           GError      **error)
{
  self->meta_page = meta->number;
  self->transaction = meta->transaction;
  self->last_page = c2g_lmdb_get_uint64 (meta->data + LAST_PAGE_OFFSET);
  self->records.order = C2G_LMDB_ORDER_BYTES;
  self->free_pages.order = C2G_LMDB_ORDER_NUMBERS;

  return check_page_size (self, meta, error) && check_free_flags (self, meta, error) &&
         check_flags (meta, error) &&
         read_tree (self, meta, FREE_OFFSET, &self->free_pages, error) &&
         read_tree (self, meta, RECORDS_OFFSET, &self->records, error) &&
         check_root (self, &self->records, error);
}

/* Takes the newer meta page. If it describes damaged trees, takes the older one. */
static gboolean
choose_meta (C2gLmdbFile  *self,
             const Meta   *first,
             GError      **error)
{
  g_autoptr (GError) damage = NULL;
  const Meta *newer = first;
  const Meta *older = NULL;
  Meta second;

  if (read_meta (self, 1, &second, &damage))
    {
      older = second.transaction > first->transaction ? first : &second;
      newer = older == first ? &second : first;
    }
  /* If the second meta page is damaged, other readers do not know which state is newer either. */
  self->is_newest = older != NULL;

  g_clear_error (&damage);
  if (take_meta (self, newer, &damage))
    return TRUE;
  self->is_newest = FALSE;
  if (older != NULL && g_error_matches (damage, C2G_ERROR, C2G_ERROR_CORRUPT) &&
      take_meta (self, older, NULL))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&damage));
  return FALSE;
}

C2gLmdbFile *
c2g_lmdb_file_new (C2gSource  *source,
                   GError    **error)
{
  g_autoptr (C2gLmdbFile) self = g_new0 (C2gLmdbFile, 1);
  Meta meta;

  g_atomic_ref_count_init (&self->ref_count);
  self->source = c2g_source_ref (source);

  if (!read_meta (self, 0, &meta, error) || !check_page_size (self, &meta, error) ||
      !choose_meta (self, &meta, error))
    return NULL;
  return g_steal_pointer (&self);
}

C2gLmdbFile *
c2g_lmdb_file_ref (C2gLmdbFile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
c2g_lmdb_file_unref (C2gLmdbFile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  c2g_source_unref (self->source);
  g_free (self);
}

/* A page must have room for two records, each with a page number. */
gsize
c2g_lmdb_file_get_max_key (C2gLmdbFile *self)
{
  gsize max_bytes = C2G_LMDB_MAX_NODE_BYTES (self->page_size) - C2G_LMDB_NODE_BYTES - 8;

  return MIN (max_bytes, C2G_LMDB_MAX_KEY_BYTES);
}

/* Checks that these pages are inside the file and are not meta pages. */
static gboolean
check_pages (C2gLmdbFile  *self,
             guint64       number,
             guint64       n_pages,
             GError      **error)
{
  guint64 n_in_file = c2g_source_get_n_bytes (self->source) / self->page_size;

  if (number < C2G_LMDB_N_META_PAGES || number > self->last_page ||
      n_pages - 1 > self->last_page - number)
    return c2g_lmdb_set_damaged (number, self->page_size, error,
                                 _("%" PRIu64 " pages from this one on, where there can be pages %u "
                                   "to %" PRIu64),
                                 n_pages, C2G_LMDB_N_META_PAGES, self->last_page);
  if (number >= n_in_file || n_pages > n_in_file - number)
    return c2g_lmdb_set_damaged (number, self->page_size, error,
                                 _("%" PRIu64 " pages from this one on, in a file of %" PRIu64),
                                 n_pages, n_in_file);
  return TRUE;
}

/* Reports damage, unless another process has overwritten the pages meanwhile: then the error is
 * C2G_ERROR_BUSY. */
static gboolean
set_damage (C2gLmdbFile  *self,
            GError       *damage,
            GError      **error)
{
  if (c2g_lmdb_file_is_current (self, error))
    g_propagate_error (error, damage);
  else
    g_error_free (damage);
  return FALSE;
}

gboolean
c2g_lmdb_file_read_page (C2gLmdbFile      *self,
                         guint64           number,
                         C2gLmdbPageKind   kind,
                         C2gLmdbOrder      order,
                         guint8           *buffer,
                         C2gLmdbPage      *page,
                         GError          **error)
{
  GError *damage = NULL;

  if (!check_pages (self, number, 1, error) ||
      !c2g_source_read (self->source, number * self->page_size, buffer, self->page_size,
                        NULL, error))
    return FALSE;
  if (!c2g_lmdb_page_init (page, number, buffer, self->page_size, kind, order, &damage))
    return set_damage (self, damage, error);
  return c2g_lmdb_file_is_current (self, error);
}

static gboolean
check_overflow (C2gLmdbFile   *self,
                guint64        number,
                const guint8  *header,
                gsize          n_value_bytes,
                guint32       *n_pages,
                GError       **error)
{
  if (!c2g_lmdb_page_read_overflow (number, header, self->page_size, n_pages, error))
    return FALSE;
  if ((guint64) *n_pages * self->page_size < C2G_LMDB_PAGE_HEADER_BYTES + (guint64) n_value_bytes)
    return c2g_lmdb_set_damaged (number, self->page_size, error,
                                 _("A value of %zu bytes in %u pages"), n_value_bytes, *n_pages);
  return check_pages (self, number, *n_pages, error);
}

gboolean
c2g_lmdb_file_read_overflow (C2gLmdbFile  *self,
                             guint64       number,
                             gsize         n_value_bytes,
                             guint32      *n_pages,
                             GError      **error)
{
  guint8 header[C2G_LMDB_PAGE_HEADER_BYTES];
  GError *damage = NULL;

  if (!check_pages (self, number, 1, error) ||
      !c2g_source_read (self->source, number * self->page_size, header, sizeof header,
                        NULL, error))
    return FALSE;

  return check_overflow (self, number, header, n_value_bytes, n_pages, &damage) ||
         set_damage (self, damage, error);
}

gboolean
c2g_lmdb_file_is_current (C2gLmdbFile  *self,
                          GError      **error)
{
  guint64 offset = (guint64) self->meta_page * self->page_size + TRANSACTION_OFFSET;
  guint8 data[8];

  /* A source in memory must not be written to, so there is nothing to check. A mapped file is such a
   * source: a write by another process is not detected here. */
  if (c2g_source_peek (self->source) != NULL)
    return TRUE;
  if (!c2g_source_read (self->source, offset, data, sizeof data, NULL, error))
    return FALSE;
  if (c2g_lmdb_get_uint64 (data) == self->transaction)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY, _("The database has been written to while it was read"));
}
