/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-reader-private.h>

#include <c2g/io/stream/c2g-net-file-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* The DBReaderProto of Caffe2: writes the position of a reader, and opens a reader at such a
 * position. */

/* Field numbers of DBReaderProto. */
enum
{
  FIELD_NAME = 1,
  FIELD_SOURCE = 2,
  FIELD_DB_TYPE = 3,
  FIELD_KEY = 4,
};

static void
put_text (GByteArray *message,
          guint32     field,
          const char *text)
{
  c2g_wire_put_bytes (message, field, text, strlen (text));
}

GBytes *
c2g_db_reader_to_message (C2gDbReader  *self,
                          const char   *name,
                          GError      **error)
{
  g_autoptr (GByteArray) message = g_byte_array_new ();
  g_autoptr (GBytes) key = NULL;
  C2gDb *db = c2g_db_reader_get_db (self);
  GFile *file = db != NULL ? c2g_db_get_file (db) : NULL;

  if (file == NULL || g_file_peek_path (file) == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("Only a reader of a database that is on this machine can be saved"));
  if (!c2g_db_reader_dup_next_key (self, &key, error))
    return NULL;

  put_text (message, FIELD_NAME, name);
  put_text (message, FIELD_SOURCE, g_file_peek_path (file));
  put_text (message, FIELD_DB_TYPE, c2g_db_get_db_type (db));
  if (key != NULL)
    c2g_wire_put_bytes (message, FIELD_KEY, g_bytes_get_data (key, NULL), g_bytes_get_size (key));
  return g_byte_array_free_to_bytes (g_steal_pointer (&message));
}

/* Replaces *TEXT: in protobuf the last of repeated fields counts. */
static gboolean
take_text (const C2gWireField  *field,
           char               **text,
           GError             **error)
{
  if (field->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED || field->n_bytes == 0 ||
      memchr (field->data, 0, field->n_bytes) != NULL)
    return c2g_wire_set_damaged (field->offset, _("not the place or type of a database"), error);

  g_free (*text);
  *text = g_strndup ((const char *) field->data, field->n_bytes);
  return TRUE;
}

/* Names of database types must be UTF-8, since error messages contain them. */
static gboolean
take_type (const C2gWireField  *field,
           char               **db_type,
           GError             **error)
{
  if (!take_text (field, db_type, error))
    return FALSE;

  return g_utf8_validate (*db_type, -1, NULL) ||
         c2g_wire_set_damaged (field->offset, _("not the place or type of a database"), error);
}

static gboolean
take_key (const C2gWireField  *field,
          GBytes             **key,
          GError             **error)
{
  if (field->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
    return c2g_wire_set_damaged (field->offset, _("a value of a wrong kind"), error);

  g_clear_pointer (key, g_bytes_unref);
  *key = g_bytes_new (field->data, field->n_bytes);
  return TRUE;
}

static gboolean
parse (GBytes  *message,
       char   **source,
       char   **db_type,
       GBytes **key,
       GError **error)
{
  g_autoptr (GError) own_error = NULL;
  C2gWireReader fields;
  C2gWireField field;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (message, &n_bytes);

  c2g_wire_reader_init (&fields, data, n_bytes, 0);
  while (own_error == NULL && c2g_wire_reader_next (&fields, &field, &own_error))
    switch (field.number)
      {
      case FIELD_SOURCE:
        take_text (&field, source, &own_error);
        break;

      case FIELD_DB_TYPE:
        take_type (&field, db_type, &own_error);
        break;

      case FIELD_KEY:
        take_key (&field, key, &own_error);
        break;

      default:
        break;
      }

  if (own_error == NULL && (*source == NULL || *db_type == NULL))
    g_set_error_literal (&own_error, C2G_ERROR, C2G_ERROR_CORRUPT,
                         _("The reader does not say where its database is, and of which type"));
  if (own_error == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}

/* Never opens a URI: a file must not make the program fetch something from elsewhere. Without
 * rules a relative path starts at the working directory, as in Caffe2. */
static GFile *
find_file (const char          *source,
           const C2gFileRules  *rules,
           GError             **error)
{
  if (rules == NULL || rules->access == C2G_FILE_ACCESS_ALL)
    return g_file_new_for_path (source);
  return c2g_net_file_find (rules, C2G_BLOB_TYPE_DB_READER, source, FALSE, C2G_FILE_USE_READ,
                            error);
}

C2gDbReader *
c2g_db_reader_from_message (GBytes              *message,
                            const C2gFileRules  *rules,
                            GError             **error)
{
  g_autofree char *source = NULL;
  g_autofree char *db_type = NULL;
  g_autoptr (GBytes) key = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (C2gDbReader) self = NULL;

  if (!parse (message, &source, &db_type, &key, error))
    return NULL;

  file = find_file (source, rules, error);
  if (file == NULL)
    return NULL;
  self = c2g_db_reader_open (db_type, file, 1, 0, NULL, error);
  if (self == NULL || (key != NULL && !c2g_db_reader_seek (self, key, error)))
    return NULL;
  return g_steal_pointer (&self);
}
