/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-builtin-serializers-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Writes and reads strings and bytes. Both are read back as bytes, because Caffe2 does not distinguish
 * them. */

/* Returns the content without a copy; it is valid as long as VALUE. */
static GBytes *
ref_content (const GValue  *value,
             GError       **error)
{
  const char *text = NULL;

  if (G_VALUE_HOLDS_STRING (value))
    text = g_value_get_string (value);
  else if (G_VALUE_HOLDS (value, G_TYPE_BYTES) && g_value_get_boxed (value) != NULL)
    return g_bytes_ref (g_value_get_boxed (value));

  if (text != NULL)
    return g_bytes_new_static (text, strlen (text));

  return c2g_fail_null (error, C2G_ERROR_TYPE,
                        _("There is nothing in the blob that could be written"));
}

static gboolean
write_string (const C2gSerializeRequest  *request,
              C2gSink                    *sink,
              const C2gJob               *job,
              GError                    **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GBytes) content = NULL;

  c2g_blob_get_value (request->blob, &value);
  content = ref_content (&value, error);
  return content != NULL && c2g_content_write (C2G_BLOB_TYPE_STRING, request->name, content, 0,
                                               1, sink, job, error);
}

/* Copies the content: a slice would keep a whole file in memory. */
static GBytes *
copy_content (const C2gBlobRecord  *record,
              C2gSource            *source,
              const C2gJob         *job,
              GError              **error)
{
  gsize n_bytes = record->has_content ? record->n_content_bytes : 0;
  g_autofree guint8 *data = g_try_malloc (MAX (n_bytes, 1));

  if (data == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"), n_bytes);
  if (n_bytes > 0 &&
      !c2g_source_read (source, record->content_offset, data, n_bytes, job, error))
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&data), n_bytes);
}

static gboolean
check_one_chunk (const C2gBlobRecord  *record,
                 GError              **error)
{
  if (record->n_chunks == 1)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("The content of a string is in %u chunks"),
                   record->n_chunks);
}

static gboolean
read_string (C2gBlob              *blob,
             const C2gBlobRecord  *record,
             C2gSource            *source,
             const C2gJob         *job,
             GError              **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GBytes *content;

  if (!check_one_chunk (record, error))
    return FALSE;

  content = copy_content (record, source, job, error);
  if (content == NULL)
    return FALSE;

  g_value_init (&value, G_TYPE_BYTES);
  g_value_take_boxed (&value, content);
  c2g_blob_set_value (blob, &value);
  return TRUE;
}

const C2gSerializerFuncs c2g_string_serializer_funcs = {
  .type_name = "C2gStringSerializer",
  .blob_type = C2G_BLOB_TYPE_STRING,
  .write = write_string,
  .read = read_string,
};
