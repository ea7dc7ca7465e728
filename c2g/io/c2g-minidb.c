/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-minidb-private.h>

#include <c2g/io/c2g-db-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <string.h>

/* Keys are names of blobs: longer ones are no sign of a database. */
#define MAX_LIKELY_KEY_BYTES 0xffff

struct _C2gMinidbDb
{
  C2gDb          parent_instance;

  /* For reading, or for writing. */
  C2gSource     *source;
  C2gAppendFile *file;
};

G_DEFINE_FINAL_TYPE (C2gMinidbDb, c2g_minidb_db, C2G_TYPE_DB)

/* Nothing can be added to a database that is damaged: the new records would be lost.
 * Bytes behind the last record are that too, though reading takes them for its end. */
static gboolean
check_records (C2gSource  *source,
               GError    **error)
{
  g_autoptr (C2gDbCursor) cursor = c2g_minidb_cursor_new (source, error);
  guint64 n_bytes = c2g_source_get_n_bytes (source);
  guint64 offset;

  if (cursor == NULL)
    return FALSE;
  while (c2g_db_cursor_is_valid (cursor))
    if (!c2g_db_cursor_next (cursor, error))
      return FALSE;

  offset = c2g_minidb_cursor_get_offset (C2G_MINIDB_CURSOR (cursor));
  if (offset == n_bytes)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("Damaged at offset %" PRIu64 ": %" PRIu64 " bytes behind the last record"),
               offset, n_bytes - offset);
  return FALSE;
}

static gboolean
open_for_writing (C2gMinidbDb   *self,
                  GFile         *file,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_autoptr (GError) own_error = NULL;
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, &own_error);

  if (g_error_matches (own_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    self->file = c2g_append_file_new (file, cancellable, error);
  else if (own_error != NULL)
    g_propagate_error (error, g_steal_pointer (&own_error));
  else if (!check_records (source, error))
    g_prefix_error (error, "%s: ", c2g_source_get_name (source));
  else
    self->file = c2g_append_file_open (file, c2g_source_get_n_bytes (source), error);

  return self->file != NULL;
}

static gboolean
c2g_minidb_db_open_file (C2gDb         *db,
                         GFile         *file,
                         C2gDbMode      mode,
                         GCancellable  *cancellable,
                         GError       **error)
{
  C2gMinidbDb *self = C2G_MINIDB_DB (db);

  switch (mode)
    {
    case C2G_DB_MODE_WRITE:
      return open_for_writing (self, file, cancellable, error);

    case C2G_DB_MODE_NEW:
      self->file = c2g_append_file_new (file, cancellable, error);
      return self->file != NULL;

    case C2G_DB_MODE_READ:
    default:
      self->source = c2g_source_new_for_file (file, cancellable, error);
      return self->source != NULL;
    }
}

static C2gDbCursor *
c2g_minidb_db_new_cursor (C2gDb   *db,
                          GError **error)
{
  C2gMinidbDb *self = C2G_MINIDB_DB (db);

  if (self->source != NULL)
    return c2g_minidb_cursor_new (self->source, error);

  c2g_db_fail_not_readable (db, error);
  return NULL;
}

static C2gDbTransaction *
c2g_minidb_db_new_transaction (C2gDb   *db,
                               GError **error)
{
  return c2g_minidb_transaction_new (C2G_MINIDB_DB (db)->file);
}

static gboolean
c2g_minidb_db_close (C2gDb   *db,
                     GError **error)
{
  C2gMinidbDb *self = C2G_MINIDB_DB (db);

  if (self->file != NULL)
    c2g_append_file_close (self->file);
  return TRUE;
}

static void
c2g_minidb_db_finalize (GObject *object)
{
  C2gMinidbDb *self = C2G_MINIDB_DB (object);

  g_clear_pointer (&self->source, c2g_source_unref);
  g_clear_pointer (&self->file, c2g_append_file_unref);

  G_OBJECT_CLASS (c2g_minidb_db_parent_class)->finalize (object);
}

static void
c2g_minidb_db_class_init (C2gMinidbDbClass *klass)
{
  C2gDbClass *db_class = C2G_DB_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_minidb_db_finalize;

  db_class->open_file = c2g_minidb_db_open_file;
  db_class->new_cursor = c2g_minidb_db_new_cursor;
  db_class->new_transaction = c2g_minidb_db_new_transaction;
  db_class->close = c2g_minidb_db_close;
}

static void
c2g_minidb_db_init (C2gMinidbDb *self)
{
}

static gint32
get_int32 (const guint8 *data)
{
  guint32 value;

  memcpy (&value, data, sizeof value);
  return (gint32) GUINT32_FROM_LE (value);
}

/* Two lengths and a key without control characters; what comes after that may be
 * cut off, which is an error and not another kind of file. */
gboolean
c2g_minidb_looks_like (const guint8 *data,
                       gsize         n_bytes)
{
  gint32 n_key_bytes;

  if (n_bytes < 8)
    return FALSE;
  n_key_bytes = get_int32 (data);
  if (n_key_bytes <= 0 || n_key_bytes > MAX_LIKELY_KEY_BYTES || get_int32 (data + 4) <= 0)
    return FALSE;

  for (gsize i = 8; i < MIN (n_bytes, 8 + (gsize) n_key_bytes); i++)
    if (data[i] < 0x20)
      return FALSE;
  return TRUE;
}
