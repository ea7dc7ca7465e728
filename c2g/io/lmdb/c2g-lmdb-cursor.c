/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-cursor-private.h>

#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/lmdb/c2g-lmdb-walk-private.h>

/* Reads the records of an LMDB database without liblmdb. */

struct _C2gLmdbCursor
{
  C2gDbCursor  parent_instance;

  C2gLmdbFile *file;
  C2gLmdbWalk  walk;
};

G_DEFINE_FINAL_TYPE (C2gLmdbCursor, c2g_lmdb_cursor, C2G_TYPE_DB_CURSOR)

static gboolean
c2g_lmdb_cursor_supports_seek (C2gDbCursor *cursor)
{
  return TRUE;
}

static gboolean
c2g_lmdb_cursor_seek (C2gDbCursor  *cursor,
                      GBytes       *key,
                      GError      **error)
{
  C2gLmdbCursor *self = C2G_LMDB_CURSOR (cursor);
  gsize n_key_bytes;
  const guint8 *data = g_bytes_get_data (key, &n_key_bytes);

  if (self->file == NULL)
    return TRUE;
  if (n_key_bytes == 0)
    return c2g_lmdb_walk_seek_to_first (&self->walk, error);
  return c2g_lmdb_walk_seek (&self->walk, data, n_key_bytes, error);
}

static gboolean
c2g_lmdb_cursor_seek_to_first (C2gDbCursor  *cursor,
                               GError      **error)
{
  C2gLmdbCursor *self = C2G_LMDB_CURSOR (cursor);

  return self->file == NULL || c2g_lmdb_walk_seek_to_first (&self->walk, error);
}

static gboolean
c2g_lmdb_cursor_next (C2gDbCursor  *cursor,
                      GError      **error)
{
  return c2g_lmdb_walk_next (&C2G_LMDB_CURSOR (cursor)->walk, error);
}

static gboolean
c2g_lmdb_cursor_is_valid (C2gDbCursor *cursor)
{
  return C2G_LMDB_CURSOR (cursor)->walk.is_valid;
}

static GBytes *
c2g_lmdb_cursor_dup_key (C2gDbCursor  *cursor,
                         GError      **error)
{
  C2gLmdbNode *node = &C2G_LMDB_CURSOR (cursor)->walk.node;

  return g_bytes_new (node->key, node->n_key_bytes);
}

static GBytes *
c2g_lmdb_cursor_dup_value (C2gDbCursor  *cursor,
                           GError      **error)
{
  C2gLmdbCursor *self = C2G_LMDB_CURSOR (cursor);
  g_autoptr (GBytes) value = NULL;

  value = c2g_source_ref_bytes (self->file->source, c2g_lmdb_walk_get_offset (&self->walk),
                                self->walk.node.n_value_bytes, NULL, error);
  if (value == NULL || !c2g_lmdb_file_is_current (self->file, error))
    return NULL;
  return g_steal_pointer (&value);
}

static gboolean
c2g_lmdb_cursor_locate_value (C2gDbCursor  *cursor,
                              C2gDbValue   *value,
                              GError      **error)
{
  C2gLmdbCursor *self = C2G_LMDB_CURSOR (cursor);

  value->source = c2g_source_ref (self->file->source);
  value->offset = c2g_lmdb_walk_get_offset (&self->walk);
  value->n_bytes = self->walk.node.n_value_bytes;
  return TRUE;
}

static const C2gDbCursorFuncs c2g_lmdb_cursor_funcs = {
  .locate_value = c2g_lmdb_cursor_locate_value,
};

static void
c2g_lmdb_cursor_finalize (GObject *object)
{
  C2gLmdbCursor *self = C2G_LMDB_CURSOR (object);

  c2g_lmdb_walk_clear (&self->walk);
  g_clear_pointer (&self->file, c2g_lmdb_file_unref);

  G_OBJECT_CLASS (c2g_lmdb_cursor_parent_class)->finalize (object);
}

static void
c2g_lmdb_cursor_class_init (C2gLmdbCursorClass *klass)
{
  C2gDbCursorClass *cursor_class = C2G_DB_CURSOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_lmdb_cursor_finalize;

  cursor_class->supports_seek = c2g_lmdb_cursor_supports_seek;
  cursor_class->seek = c2g_lmdb_cursor_seek;
  cursor_class->seek_to_first = c2g_lmdb_cursor_seek_to_first;
  cursor_class->next = c2g_lmdb_cursor_next;
  cursor_class->is_valid = c2g_lmdb_cursor_is_valid;
  cursor_class->dup_key = c2g_lmdb_cursor_dup_key;
  cursor_class->dup_value = c2g_lmdb_cursor_dup_value;
  cursor_class->funcs = &c2g_lmdb_cursor_funcs;
}

static void
c2g_lmdb_cursor_init (C2gLmdbCursor *self)
{
}

C2gDbCursor *
c2g_lmdb_cursor_new (C2gLmdbFile  *file,
                     GError      **error)
{
  g_autoptr (C2gLmdbCursor) self = g_object_new (C2G_TYPE_LMDB_CURSOR, NULL);

  if (file != NULL)
    {
      self->file = c2g_lmdb_file_ref (file);
      c2g_lmdb_walk_init (&self->walk, self->file, &self->file->records);
      if (!c2g_lmdb_walk_seek_to_first (&self->walk, error))
        return NULL;
    }

  return C2G_DB_CURSOR (g_steal_pointer (&self));
}
