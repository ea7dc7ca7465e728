/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/lmdb/c2g-lmdb-cursor-private.h>

#include <glib/gstdio.h>

#include <string.h>

/* Builds an LMDB file like liblmdb does, but with pages of any size. */

typedef struct
{
  GByteArray *pages;
  guint32     page_size;
  guint64     n_entries;
  guint64     n_overflow_pages;
  guint       depth;
  guint64     root;

  /* The pages of the current level, and their first keys. */
  GArray     *level;
} LmdbBuilder;

typedef struct
{
  GBytes  *key;
  guint64  page;
} LmdbChild;

static inline void
lmdb_set_uint16 (guint8  *data,
                 guint16  value)
{
  value = GUINT16_TO_LE (value);
  memcpy (data, &value, sizeof value);
}

static inline void
lmdb_set_uint32 (guint8  *data,
                 guint32  value)
{
  value = GUINT32_TO_LE (value);
  memcpy (data, &value, sizeof value);
}

static inline void
lmdb_set_uint64 (guint8  *data,
                 guint64  value)
{
  value = GUINT64_TO_LE (value);
  memcpy (data, &value, sizeof value);
}

static inline guint8 *
lmdb_page (LmdbBuilder *self,
           guint64      page)
{
  return self->pages->data + page * self->page_size;
}

/* Appends pages; returns the number of the first one. */
static inline guint64
lmdb_add_pages (LmdbBuilder *self,
                guint        n_pages,
                guint16      kind)
{
  guint64 page = self->pages->len / self->page_size;
  guint8 *data;

  g_byte_array_set_size (self->pages, (page + n_pages) * self->page_size);
  data = lmdb_page (self, page);
  memset (data, 0, (gsize) n_pages * self->page_size);
  lmdb_set_uint64 (data, page);
  lmdb_set_uint16 (data + 10, kind);
  if (kind == C2G_LMDB_PAGE_OVERFLOW)
    lmdb_set_uint32 (data + 12, n_pages);
  else
    {
      lmdb_set_uint16 (data + 12, 16);
      lmdb_set_uint16 (data + 14, self->page_size);
    }
  return page;
}

/* Returns room for a node; NULL if it does not fit into the page. */
static inline guint8 *
lmdb_add_node (LmdbBuilder *self,
               guint64      page,
               gsize        n_bytes)
{
  guint8 *data = lmdb_page (self, page);
  gsize lower = c2g_lmdb_get_uint16 (data + 12);
  gsize upper = c2g_lmdb_get_uint16 (data + 14);

  /* The field has 16 bits, so 64 KiB are stored as 0. */
  if (upper == 0)
    upper = self->page_size;
  n_bytes += n_bytes & 1;
  if (lower + 2 + n_bytes > upper)
    return NULL;

  lmdb_set_uint16 (data + lower, upper - n_bytes);
  lmdb_set_uint16 (data + 12, lower + 2);
  lmdb_set_uint16 (data + 14, upper - n_bytes);
  return data + upper - n_bytes;
}

static inline void
lmdb_add_child (LmdbBuilder *self,
                GBytes      *key,
                guint64      page)
{
  LmdbChild child = { g_bytes_ref (key), page };

  g_array_append_val (self->level, child);
}

static inline void
lmdb_clear_child (gpointer data)
{
  g_bytes_unref (((LmdbChild *) data)->key);
}

static inline GArray *
lmdb_new_level (void)
{
  GArray *level = g_array_new (FALSE, FALSE, sizeof (LmdbChild));

  g_array_set_clear_func (level, lmdb_clear_child);
  return level;
}

static inline void
lmdb_builder_init (LmdbBuilder *self,
                   guint32      page_size)
{
  memset (self, 0, sizeof *self);
  self->page_size = page_size;
  self->pages = g_byte_array_new ();
  self->level = lmdb_new_level ();
  self->root = G_MAXUINT64;
  lmdb_add_pages (self, 1, C2G_LMDB_PAGE_META);
  lmdb_add_pages (self, 1, C2G_LMDB_PAGE_META);
}

static inline guint8 *
lmdb_new_leaf_node (LmdbBuilder *self,
                    GBytes      *key,
                    gsize        n_bytes)
{
  guint8 *node = NULL;

  if (self->level->len > 0)
    node = lmdb_add_node (self, g_array_index (self->level, LmdbChild, self->level->len - 1).page,
                          n_bytes);
  if (node == NULL)
    {
      guint64 page = lmdb_add_pages (self, 1, C2G_LMDB_PAGE_LEAF);

      lmdb_add_child (self, key, page);
      node = lmdb_add_node (self, page, n_bytes);
    }
  return node;
}

/* Keys must be added in order. */
static inline void
lmdb_builder_add (LmdbBuilder *self,
                  GBytes      *key,
                  GBytes      *value)
{
  gsize n_key_bytes;
  gsize n_value_bytes;
  gconstpointer key_data = g_bytes_get_data (key, &n_key_bytes);
  gconstpointer value_data = g_bytes_get_data (value, &n_value_bytes);
  gboolean is_big = 8 + n_key_bytes + n_value_bytes > C2G_LMDB_MAX_NODE_BYTES (self->page_size);
  guint64 page = 0;
  guint8 *node;

  if (is_big)
    {
      guint n_pages = (15 + n_value_bytes) / self->page_size + 1;

      page = lmdb_add_pages (self, n_pages, C2G_LMDB_PAGE_OVERFLOW);
      memcpy (lmdb_page (self, page) + 16, value_data, n_value_bytes);
      self->n_overflow_pages += n_pages;
    }

  node = lmdb_new_leaf_node (self, key, 8 + n_key_bytes + (is_big ? 8 : n_value_bytes));
  lmdb_set_uint32 (node, n_value_bytes);
  lmdb_set_uint16 (node + 4, is_big);
  lmdb_set_uint16 (node + 6, n_key_bytes);
  memcpy (node + 8, key_data, n_key_bytes);
  if (is_big)
    lmdb_set_uint64 (node + 8 + n_key_bytes, page);
  else if (n_value_bytes > 0)
    memcpy (node + 8 + n_key_bytes, value_data, n_value_bytes);
  self->n_entries++;
}

/* Returns how many of the pages from BEGIN on fit into a branch. A branch has at least two. */
static inline guint
lmdb_count_children (LmdbBuilder *self,
                     GArray      *below,
                     guint        begin)
{
  gsize n_bytes = C2G_LMDB_PAGE_HEADER_BYTES + 10;
  guint end = begin + 1;

  for (; end < below->len; end++)
    {
      gsize n_key_bytes = g_bytes_get_size (g_array_index (below, LmdbChild, end).key);

      n_bytes += 10 + n_key_bytes + n_key_bytes % 2;
      if (n_bytes > self->page_size)
        break;
    }

  return end - begin - (end + 1 == below->len);
}

static inline void
lmdb_add_branch_node (LmdbBuilder     *self,
                      guint64          page,
                      const LmdbChild *child,
                      gboolean         is_first)
{
  gsize n_key_bytes = is_first ? 0 : g_bytes_get_size (child->key);
  guint8 *node = lmdb_add_node (self, page, 8 + n_key_bytes);

  lmdb_set_uint64 (node, child->page | (guint64) n_key_bytes << 48);
  if (n_key_bytes > 0)
    memcpy (node + 8, g_bytes_get_data (child->key, NULL), n_key_bytes);
}

/* Adds branches above the pages of the current level; these become the current level. */
static inline void
lmdb_add_level (LmdbBuilder *self)
{
  g_autoptr (GArray) below = g_steal_pointer (&self->level);
  guint n;

  self->level = lmdb_new_level ();
  for (guint i = 0; i < below->len; i += n)
    {
      guint64 page = lmdb_add_pages (self, 1, C2G_LMDB_PAGE_BRANCH);

      n = lmdb_count_children (self, below, i);
      for (guint j = i; j < i + n; j++)
        lmdb_add_branch_node (self, page, &g_array_index (below, LmdbChild, j), j == i);
      lmdb_add_child (self, g_array_index (below, LmdbChild, i).key, page);
    }
}

static inline void
lmdb_write_meta (LmdbBuilder *self,
                 guint64      number,
                 guint64      transaction)
{
  guint8 *data = lmdb_page (self, number);

  lmdb_set_uint32 (data + 16, 0xbeefc0de);
  lmdb_set_uint32 (data + 20, 1);
  lmdb_set_uint64 (data + 32, 1 << 20);
  lmdb_set_uint32 (data + 40, self->page_size);
  lmdb_set_uint16 (data + 44, 0x08);
  lmdb_set_uint64 (data + 80, G_MAXUINT64);
  lmdb_set_uint16 (data + 94, self->depth);
  lmdb_set_uint64 (data + 112, self->n_overflow_pages);
  lmdb_set_uint64 (data + 120, self->n_entries);
  lmdb_set_uint64 (data + 128, self->root);
  lmdb_set_uint64 (data + 136, self->pages->len / self->page_size - 1);
  lmdb_set_uint64 (data + 144, transaction);
}

/* Both meta pages describe the same tree; the second one is newer. */
static inline GBytes *
lmdb_builder_finish (LmdbBuilder *self)
{
  if (self->level->len > 0)
    {
      for (self->depth = 1; self->level->len > 1; self->depth++)
        lmdb_add_level (self);
      self->root = g_array_index (self->level, LmdbChild, 0).page;
    }
  g_array_unref (self->level);

  lmdb_write_meta (self, 0, 4);
  lmdb_write_meta (self, 1, 5);
  return g_byte_array_free_to_bytes (self->pages);
}

/* Returns the key of record I; the keys are sorted. */

static inline GBytes *
lmdb_make_key (guint i,
               gsize max_bytes)
{
  char *key = g_strdup_printf ("blob/%06u#%%%0*d", i, (int) (i * 37 % max_bytes), 0);

  return g_bytes_new_take (key, MIN (strlen (key), max_bytes));
}

static inline GBytes *
lmdb_make_value (guint i,
                 gsize n_bytes)
{
  guint8 *value = g_malloc (n_bytes + 1);

  for (gsize j = 0; j < n_bytes; j++)
    value[j] = (guint8) (i + j * 3 + (j >> 8));
  return g_bytes_new_take (value, n_bytes);
}

/* Returns the size of the value of record I: mostly small, some empty, some of one or several
 * pages. */
static inline gsize
lmdb_value_size (guint i,
                 gsize page_size)
{
  static const int around[] = { -17, -16, -15, -1, 0, 1 };

  if (i % 11 == 3)
    return 0;
  if (i % 13 == 5)
    return (1 + i % 3) * page_size + around[i % 6];
  return i % 13 == 7 ? page_size / 2 - i % 40 : i * 7 % 90;
}

static inline GBytes *
lmdb_build (guint32 page_size,
            guint   n_records)
{
  LmdbBuilder builder;

  lmdb_builder_init (&builder, page_size);
  for (guint i = 0; i < n_records; i++)
    {
      g_autoptr (GBytes) key = lmdb_make_key (i, page_size < 2048 ? 100 : 511);
      g_autoptr (GBytes) value = lmdb_make_value (i, lmdb_value_size (i, page_size));

      lmdb_builder_add (&builder, key, value);
    }
  return lmdb_builder_finish (&builder);
}

/* Walking */

static inline C2gDbCursor *
lmdb_open_bytes (GBytes  *bytes,
                 GError **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "data.mdb");
  g_autoptr (C2gLmdbFile) file = c2g_lmdb_file_new (source, error);

  return file != NULL ? c2g_lmdb_cursor_new (file, error) : NULL;
}

/* Reads the value of the record in different ways, which must give the same. */
static inline GBytes *
lmdb_read_value (C2gDbCursor *cursor)
{
  g_autoptr (GError) error = NULL;
  g_auto (C2gDbValue) located = { NULL };
  g_autoptr (GBytes) there = NULL;
  GBytes *value;
  gboolean is_located;

  value = c2g_db_cursor_dup_value (cursor, &error);
  g_assert_no_error (error);
  is_located = c2g_db_cursor_locate_value (cursor, &located, &error);
  g_assert_no_error (error);
  g_assert_true (is_located);
  there = c2g_source_ref_bytes (located.source, located.offset, located.n_bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (value, there));
  return value;
}

static inline void
lmdb_assert_at (C2gDbCursor *cursor,
                GBytes      *key,
                GBytes      *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) own_key = NULL;
  g_autoptr (GBytes) own_value = NULL;

  g_assert_true (c2g_db_cursor_is_valid (cursor));
  own_key = c2g_db_cursor_dup_key (cursor, &error);
  g_assert_no_error (error);
  own_value = lmdb_read_value (cursor);
  g_assert_true (g_bytes_equal (own_key, key));
  g_assert_true (g_bytes_equal (own_value, value));
}

static inline void
lmdb_assert_next (C2gDbCursor *cursor)
{
  g_autoptr (GError) error = NULL;
  gboolean has_moved = c2g_db_cursor_next (cursor, &error);

  g_assert_no_error (error);
  g_assert_true (has_moved);
}

/* Moves to the end of the file, which may be damaged. Returns the number of records, or -1 after an
 * error. */
static inline int
lmdb_walk (C2gDbCursor  *cursor,
           GError      **error)
{
  int n = 0;

  for (; c2g_db_cursor_is_valid (cursor); n++)
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, error);
      g_autoptr (GBytes) value = key != NULL ? c2g_db_cursor_dup_value (cursor, error) : NULL;

      if (value == NULL || !c2g_db_cursor_next (cursor, error))
        return -1;
    }

  return n;
}

static inline int
lmdb_walk_bytes (GBytes  *bytes,
                 GError **error)
{
  g_autoptr (C2gDbCursor) cursor = lmdb_open_bytes (bytes, error);

  return cursor != NULL ? lmdb_walk (cursor, error) : -1;
}

/* Folders */

static inline char *
lmdb_new_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("c2g-lmdb-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static inline void
lmdb_remove (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      lmdb_remove (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static inline void
lmdb_write_file (const char *path,
                 GBytes     *bytes)
{
  g_autoptr (GError) error = NULL;

  /* Removes the old file first, because GLib would keep the end of a longer one. */
  g_remove (path);
  g_file_set_contents_full (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                            G_FILE_SET_CONTENTS_NONE, 0666, &error);
  g_assert_no_error (error);
}

static inline GBytes *
lmdb_read_file (const char *path)
{
  char *data;
  gsize n_bytes;

  g_assert_true (g_file_get_contents (path, &data, &n_bytes, NULL));
  return g_bytes_new_take (data, n_bytes);
}

static inline C2gDb *
lmdb_open (const char  *folder,
           const char  *name,
           C2gDbMode    mode,
           GError     **error)
{
  g_autoptr (GFile) file = g_file_new_build_filename (folder, name, NULL);

  return c2g_db_open ("lmdb", file, mode, NULL, error);
}
