/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-reader-private.h>

#include <c2g/io/serializer/c2g-serializer-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Serializes the position of a reader, not its records. */

static gboolean
write_reader (const C2gSerializeRequest  *request,
              C2gSink                    *sink,
              const C2gJob               *job,
              GError                    **error)
{
  Caffe2__BlobProto proto = CAFFE2__BLOB_PROTO__INIT;
  GObject *reader = c2g_blob_get_object (request->blob);
  g_autoptr (GBytes) content = NULL;
  g_autoptr (GBytes) message = NULL;

  if (!C2G_IS_DB_READER (reader))
    return c2g_fail (error, C2G_ERROR_TYPE, _("There is no reader of a database in the blob"));

  content = c2g_db_reader_to_message (C2G_DB_READER (reader), request->name, error);
  if (content == NULL)
    return FALSE;

  proto.name = (char *) request->name;
  proto.type = (char *) C2G_BLOB_TYPE_DB_READER;
  proto.has_content = TRUE;
  proto.content.data = (uint8_t *) g_bytes_get_data (content, &proto.content.len);
  message = c2g_wire_serialize (&proto.base, error);
  return message != NULL && c2g_sink_write (sink, g_bytes_get_data (message, NULL),
                                            g_bytes_get_size (message), job, error);
}

static gboolean
read_reader (C2gBlob              *blob,
             const C2gBlobRecord  *record,
             C2gSource            *source,
             const C2gJob         *job,
             GError              **error)
{
  g_autoptr (GBytes) content = NULL;
  g_autoptr (C2gDbReader) reader = NULL;

  if (!record->has_content)
    return c2g_fail (error, C2G_ERROR_CORRUPT,
                     _("A reader of a database does not say where that is"));

  content = c2g_source_ref_bytes (source, record->content_offset, record->n_content_bytes, job,
                                  error);
  if (content != NULL)
    reader = c2g_db_reader_from_message (content, job != NULL ? job->files : NULL, error);
  if (reader == NULL)
    return FALSE;

  c2g_blob_set_object (blob, G_OBJECT (reader));
  return TRUE;
}

const C2gSerializerFuncs c2g_db_reader_serializer_funcs = {
  .type_name = "C2gDbReaderSerializer",
  .blob_type = C2G_BLOB_TYPE_DB_READER,
  .write = write_reader,
  .read = read_reader,
};
