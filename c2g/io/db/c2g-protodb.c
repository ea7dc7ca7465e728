/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-protodb-private.h>

#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* Caffe2's protodb, a file with one TensorProtos message: opens databases, and recognizes their
 * files. */

struct _C2gProtodbDb
{
  C2gAppendDb  parent_instance;

  /* Set for writing: keys must be unique. */
  GHashTable  *keys;
};

G_DEFINE_FINAL_TYPE (C2gProtodbDb, c2g_protodb_db, C2G_TYPE_APPEND_DB)

static gboolean
c2g_protodb_db_check_records (C2gAppendDb  *db,
                              C2gSource    *source,
                              GError      **error)
{
  C2gProtodbDb *self = C2G_PROTODB_DB (db);
  g_autoptr (C2gDbCursor) cursor = c2g_protodb_cursor_new (source, error);

  if (cursor == NULL)
    return FALSE;

  while (c2g_db_cursor_is_valid (cursor))
    {
      GBytes *key = c2g_db_cursor_dup_key (cursor, error);

      if (key == NULL)
        return FALSE;
      g_hash_table_add (self->keys, key);
      if (!c2g_db_cursor_next (cursor, error))
        return FALSE;
    }

  return TRUE;
}

static C2gDbCursor *
c2g_protodb_db_new_cursor (C2gAppendDb  *db,
                           C2gSource    *source,
                           GError      **error)
{
  return c2g_protodb_cursor_new (source, error);
}

static C2gDbTransaction *
c2g_protodb_db_new_transaction (C2gAppendDb   *db,
                                C2gAppendFile *file)
{
  return c2g_protodb_transaction_new (file, C2G_PROTODB_DB (db)->keys);
}

static void
c2g_protodb_db_finalize (GObject *object)
{
  g_hash_table_unref (C2G_PROTODB_DB (object)->keys);

  G_OBJECT_CLASS (c2g_protodb_db_parent_class)->finalize (object);
}

static void
c2g_protodb_db_class_init (C2gProtodbDbClass *klass)
{
  C2gAppendDbClass *db_class = C2G_APPEND_DB_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = c2g_protodb_db_finalize;

  db_class->check_records = c2g_protodb_db_check_records;
  db_class->new_cursor = c2g_protodb_db_new_cursor;
  db_class->new_transaction = c2g_protodb_db_new_transaction;
}

static void
c2g_protodb_db_init (C2gProtodbDb *self)
{
  self->keys = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                      NULL);
}

/* A TensorProto of Caffe2 or c2g begins with its dims or, for a scalar, with its data type. Blobs
 * and nets begin with a name, which has another tag. */
gboolean
c2g_protodb_looks_like (const guint8 *data,
                        gsize         n_bytes,
                        guint64       n_file_bytes)
{
  guint64 n_record_bytes;
  gsize n;

  if (n_bytes < 2 || data[0] != (C2G_PROTODB_FIELD << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED))
    return FALSE;
  n = 1 + c2g_wire_scan_varint (data + 1, n_bytes - 1, &n_record_bytes);
  if (n == 1 || n >= n_bytes || n_record_bytes < 2 || n_record_bytes > n_file_bytes - n)
    return FALSE;
  if (data[n] != (C2G_TENSOR_FIELD_DIMS << 3 | PROTOBUF_C_WIRE_TYPE_VARINT) &&
      data[n] != (C2G_TENSOR_FIELD_DATA_TYPE << 3 | PROTOBUF_C_WIRE_TYPE_VARINT))
    return FALSE;

  /* Check the tag of the next record, if it is in the data. */
  return n_record_bytes >= n_bytes - n || data[n + n_record_bytes] == data[0];
}
