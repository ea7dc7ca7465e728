/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-minidb-private.h>

#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Caffe2's minidb: opens databases, and recognizes their files. */

/* Keys are names of blobs: a longer key means that this is no minidb. */
#define MAX_LIKELY_KEY_BYTES 0xffff

/* First byte of a BlobProto: the tag of its name, a string. */
#define NAME_TAG 0x0a

struct _C2gMinidbDb
{
  C2gAppendDb parent_instance;
};

G_DEFINE_FINAL_TYPE (C2gMinidbDb, c2g_minidb_db, C2G_TYPE_APPEND_DB)

/* Refuses to append to a damaged database, where new records could not be read. This includes
 * trailing bytes, although reading accepts a few of them. */
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

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Damaged at offset %" PRIu64 ": %" PRIu64 " bytes behind the last record"),
                   offset, n_bytes - offset);
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

/* Returns TRUE if the value is a BlobProto that begins with the key as its name, or with the part
 * of the key before "#". */
static gboolean
begins_with_name (const guint8 *value,
                  gsize         n_bytes,
                  const guint8 *key,
                  gsize         n_key_bytes)
{
  guint64 n_name_bytes;
  gsize n = 0;

  if (n_bytes > 0 && value[0] == NAME_TAG)
    n = c2g_wire_scan_varint (value + 1, n_bytes - 1, &n_name_bytes);
  if (n == 0 || n_name_bytes == 0 || n_name_bytes > MIN (n_key_bytes, n_bytes - 1 - n) ||
      memcmp (value + 1 + n, key, n_name_bytes) != 0)
    return FALSE;

  return n_name_bytes == n_key_bytes || key[n_name_bytes] == '#';
}

static gboolean
has_control_characters (const guint8 *text,
                        gsize         n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    if (text[i] < 0x20)
      return TRUE;

  return FALSE;
}

/* Looks for two lengths and a key without control characters, or a key that the value repeats.
 * The value may be cut off: that is a damaged minidb, not another kind of file. */
gboolean
c2g_minidb_looks_like (const guint8 *data,
                       gsize         n_bytes)
{
  gint32 n_key_bytes, n_value_bytes;
  const guint8 *key;
  gsize n_left;

  if (n_bytes < C2G_MINIDB_HEADER_SIZE)
    return FALSE;
  c2g_minidb_read_header (data, &n_key_bytes, &n_value_bytes);
  if (n_key_bytes <= 0 || n_key_bytes > MAX_LIKELY_KEY_BYTES || n_value_bytes <= 0)
    return FALSE;

  key = data + C2G_MINIDB_HEADER_SIZE;
  n_left = n_bytes - C2G_MINIDB_HEADER_SIZE;
  if (!has_control_characters (key, MIN (n_left, (gsize) n_key_bytes)))
    return TRUE;
  return n_left > (gsize) n_key_bytes &&
         begins_with_name (key + n_key_bytes, n_left - n_key_bytes, key, n_key_bytes);
}
