/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-minidb-private.h>

#include <c2g/io/stream/c2g-scanner-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Reads the records of a minidb file. */

/* As in Caffe2, up to this many bytes behind the last record count as the end: they are too few for the
 * size of a key. */
#define MAX_TRAILING_BYTES 3

struct _C2gMinidbCursor
{
  C2gDbCursor parent_instance;

  C2gScanner  scanner;

  guint64     offset;
  /* Sizes of the current record. Both are positive and the record lies within the file. */
  gint32      n_key_bytes;
  gint32      n_value_bytes;
  gboolean    is_valid;
};

G_DEFINE_FINAL_TYPE (C2gMinidbCursor, c2g_minidb_cursor, C2G_TYPE_DB_CURSOR)

void
c2g_minidb_read_header (const guint8 *header,
                        gint32       *n_key_bytes,
                        gint32       *n_value_bytes)
{
  guint32 lengths[2];

  memcpy (lengths, header, sizeof lengths);
  *n_key_bytes = (gint32) GUINT32_FROM_LE (lengths[0]);
  *n_value_bytes = (gint32) GUINT32_FROM_LE (lengths[1]);
}

static gboolean
check_record (C2gMinidbCursor  *self,
              guint64           n_left,
              GError          **error)
{
  if (self->n_key_bytes > 0 && self->n_value_bytes > 0 &&
      (guint64) self->n_key_bytes + (guint64) self->n_value_bytes <= n_left)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Damaged at offset %" PRIu64 ": a record with a key of %d and a value "
                     "of %d bytes, %" PRIu64 " are left"),
                   self->offset, self->n_key_bytes,
                   self->n_value_bytes, n_left);
}

static gboolean
go_to (C2gMinidbCursor  *self,
       guint64           offset,
       GError          **error)
{
  guint64 n_left = c2g_source_get_n_bytes (self->scanner.source) - offset;
  const guint8 *header;
  gsize n_bytes;

  self->offset = offset;
  self->is_valid = FALSE;
  if (n_left <= MAX_TRAILING_BYTES)
    return TRUE;

  header = c2g_scanner_look (&self->scanner, offset, C2G_MINIDB_HEADER_SIZE, &n_bytes, error);
  if (header == NULL)
    return FALSE;
  if (n_bytes < C2G_MINIDB_HEADER_SIZE)
    return c2g_fail (error, C2G_ERROR_CORRUPT,
                     _("Damaged at offset %" PRIu64 ": a record needs 8 bytes for its lengths, "
                       "%" PRIu64 " are left"),
                     offset, n_left);

  c2g_minidb_read_header (header, &self->n_key_bytes, &self->n_value_bytes);
  self->is_valid = check_record (self, n_left - C2G_MINIDB_HEADER_SIZE, error);
  return self->is_valid;
}

static guint64
get_value_offset (C2gMinidbCursor *self)
{
  return self->offset + C2G_MINIDB_HEADER_SIZE + self->n_key_bytes;
}

static gboolean
c2g_minidb_cursor_seek_to_first (C2gDbCursor  *cursor,
                                 GError      **error)
{
  return go_to (C2G_MINIDB_CURSOR (cursor), 0, error);
}

static gboolean
c2g_minidb_cursor_next (C2gDbCursor  *cursor,
                        GError      **error)
{
  C2gMinidbCursor *self = C2G_MINIDB_CURSOR (cursor);

  return go_to (self, get_value_offset (self) + self->n_value_bytes, error);
}

static gboolean
c2g_minidb_cursor_is_valid (C2gDbCursor *cursor)
{
  return C2G_MINIDB_CURSOR (cursor)->is_valid;
}

/* Most keys fit into the scanner's window that was read for the sizes. */
static GBytes *
c2g_minidb_cursor_dup_key (C2gDbCursor  *cursor,
                           GError      **error)
{
  C2gMinidbCursor *self = C2G_MINIDB_CURSOR (cursor);
  gsize n_wanted = C2G_MINIDB_HEADER_SIZE + self->n_key_bytes;
  const guint8 *record;
  gsize n_bytes;

  if (n_wanted > C2G_SCANNER_WINDOW)
    return c2g_source_ref_bytes (self->scanner.source, self->offset + C2G_MINIDB_HEADER_SIZE,
                                 self->n_key_bytes, NULL, error);

  record = c2g_scanner_look (&self->scanner, self->offset, n_wanted, &n_bytes, error);
  return record != NULL ? g_bytes_new (record + C2G_MINIDB_HEADER_SIZE, self->n_key_bytes) : NULL;
}

static GBytes *
c2g_minidb_cursor_dup_value (C2gDbCursor  *cursor,
                             GError      **error)
{
  C2gMinidbCursor *self = C2G_MINIDB_CURSOR (cursor);

  return c2g_source_ref_bytes (self->scanner.source, get_value_offset (self), self->n_value_bytes,
                               NULL, error);
}

static gboolean
c2g_minidb_cursor_locate_value (C2gDbCursor  *cursor,
                                C2gDbValue   *value,
                                GError      **error)
{
  C2gMinidbCursor *self = C2G_MINIDB_CURSOR (cursor);

  value->source = c2g_source_ref (self->scanner.source);
  value->offset = get_value_offset (self);
  value->n_bytes = self->n_value_bytes;
  return TRUE;
}

static C2gScanner *
c2g_minidb_cursor_peek_scanner (C2gDbCursor *cursor)
{
  return &C2G_MINIDB_CURSOR (cursor)->scanner;
}

static const C2gDbCursorFuncs c2g_minidb_cursor_funcs = {
  .locate_value = c2g_minidb_cursor_locate_value,
  .peek_scanner = c2g_minidb_cursor_peek_scanner,
};

static void
c2g_minidb_cursor_finalize (GObject *object)
{
  c2g_scanner_clear (&C2G_MINIDB_CURSOR (object)->scanner);

  G_OBJECT_CLASS (c2g_minidb_cursor_parent_class)->finalize (object);
}

static void
c2g_minidb_cursor_class_init (C2gMinidbCursorClass *klass)
{
  C2gDbCursorClass *cursor_class = C2G_DB_CURSOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_minidb_cursor_finalize;

  cursor_class->seek_to_first = c2g_minidb_cursor_seek_to_first;
  cursor_class->next = c2g_minidb_cursor_next;
  cursor_class->is_valid = c2g_minidb_cursor_is_valid;
  cursor_class->dup_key = c2g_minidb_cursor_dup_key;
  cursor_class->dup_value = c2g_minidb_cursor_dup_value;
  cursor_class->funcs = &c2g_minidb_cursor_funcs;
}

static void
c2g_minidb_cursor_init (C2gMinidbCursor *self)
{
}

C2gDbCursor *
c2g_minidb_cursor_new (C2gSource  *source,
                       GError    **error)
{
  g_autoptr (C2gMinidbCursor) self = g_object_new (C2G_TYPE_MINIDB_CURSOR, NULL);

  c2g_scanner_init (&self->scanner, source);
  return go_to (self, 0, error) ? C2G_DB_CURSOR (g_steal_pointer (&self)) : NULL;
}

guint64
c2g_minidb_cursor_get_offset (C2gMinidbCursor *self)
{
  return self->offset;
}
