/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-minidb-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <string.h>

/* Keys are names of blobs: longer ones are no sign of a database. */
#define MAX_LIKELY_KEY_BYTES 0xffff

struct _C2gMinidbDb
{
  C2gAppendDb parent_instance;
};

G_DEFINE_FINAL_TYPE (C2gMinidbDb, c2g_minidb_db, C2G_TYPE_APPEND_DB)

/* Nothing can be added to a database that is damaged: the new records would be lost.
 * Bytes behind the last record are that too, though reading takes them for its end. */
static gboolean
c2g_minidb_db_check_records (C2gAppendDb  *db,
                             C2gSource    *source,
                             GError      **error)
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

static C2gDbCursor *
c2g_minidb_db_new_cursor (C2gAppendDb  *db,
                          C2gSource    *source,
                          GError      **error)
{
  return c2g_minidb_cursor_new (source, error);
}

static C2gDbTransaction *
c2g_minidb_db_new_transaction (C2gAppendDb   *db,
                               C2gAppendFile *file)
{
  return c2g_minidb_transaction_new (file);
}

static void
c2g_minidb_db_class_init (C2gMinidbDbClass *klass)
{
  C2gAppendDbClass *db_class = C2G_APPEND_DB_CLASS (klass);

  db_class->check_records = c2g_minidb_db_check_records;
  db_class->new_cursor = c2g_minidb_db_new_cursor;
  db_class->new_transaction = c2g_minidb_db_new_transaction;
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
