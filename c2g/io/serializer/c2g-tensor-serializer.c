/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-builtin-serializers-private.h>

#include <c2g/io/message/c2g-tensor-writer-private.h>
#include <c2g/io/stream/c2g-upload-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Writes tensors of all types in chunks of a given number of elements, and reads such chunks. */

/* Limit on the ratio of total size to chunk size for unregistered types, against hostile
 * shapes. */
#define MAX_REST_FACTOR   4096
#define MIN_ELEMENTS_FREE (1 << 20)

/* Number of elements in a chunk. It is increased if the number of chunks would overflow an
 * int32. */
static gint64
elements_of_chunk (gint64 n_elements,
                   gint64 chunk_size)
{
  if (chunk_size == C2G_NO_CHUNKING)
    return MAX (n_elements, 1);
  if (chunk_size == C2G_DEFAULT_CHUNK_SIZE)
    chunk_size = C2G_CHUNK_ELEMENTS;

  return MAX (chunk_size, n_elements / G_MAXINT32 + 1);
}

static guint
count_chunks (gint64 n_elements,
              gint64 chunk_elements)
{
  return n_elements == 0 ? 1 : (n_elements - 1) / chunk_elements + 1;
}

static guint
count_tensor_chunks (C2gSerializer *serializer,
                     C2gBlob       *blob,
                     gint64         chunk_size)
{
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
  gint64 n_elements = tensor != NULL ? c2g_tensor_get_n_elements (tensor) : 0;

  return count_chunks (n_elements, elements_of_chunk (n_elements, chunk_size));
}

/* Finds the range of elements of a chunk. */
static gboolean
find_range (C2gTensorPiece             *piece,
            const C2gSerializeRequest  *request,
            GError                    **error)
{
  gint64 n_elements = c2g_tensor_get_n_elements (piece->tensor);
  gint64 chunk_elements = elements_of_chunk (n_elements, request->format->chunk_size);

  if (request->chunk >= request->n_chunks ||
      request->n_chunks != count_chunks (n_elements, chunk_elements))
    return c2g_fail (error, C2G_ERROR_BUSY, _("The tensor was changed while it was written"));

  piece->begin = request->chunk * chunk_elements;
  piece->end = MIN (n_elements, piece->begin + chunk_elements);
  return TRUE;
}

static gboolean
needs_items (const C2gTensorPiece *piece)
{
  return piece->end > piece->begin && c2g_tensor_get_type_meta (piece->tensor) != NULL &&
         c2g_tensor_get_data_type (piece->tensor) == C2G_DATA_TYPE_UNDEFINED;
}

static gboolean
write_piece (C2gTensorPiece            *piece,
             const C2gSerializeFormat  *format,
             C2gSink                   *sink,
             const C2gJob              *job,
             GError                   **error)
{
  g_autoptr (GPtrArray) items = NULL;

  if (needs_items (piece))
    {
      items = piece->values != NULL
                ? c2g_tensor_items_serialize (piece->values, 0, piece->end - piece->begin, format,
                                              error)
                : c2g_tensor_items_serialize (piece->tensor, piece->begin, piece->end, format,
                                              error);
      if (items == NULL)
        return FALSE;
      piece->items = (GBytes **) items->pdata;
    }

  return c2g_tensor_piece_write (piece, sink, job, error);
}

static gboolean
write_tensor (const C2gSerializeRequest  *request,
              C2gSink                    *sink,
              const C2gJob               *job,
              GError                    **error)
{
  const C2gSerializeFormat *format = request->format;
  C2gTensor *tensor = c2g_blob_get_tensor (request->blob, error);
  g_autoptr (C2gTensor) values = NULL;
  C2gTensorPiece piece = { .name = request->name, .float16_as_bytes = format->float16_as_bytes };

  if (tensor == NULL)
    return FALSE;

  piece.tensor = tensor;
  if (format->keep_device)
    piece.device = format->device != NULL ? format->device : c2g_tensor_get_device (tensor);
  if (!find_range (&piece, request, error))
    return FALSE;

  /* Copies only the range of the chunk from the device to the CPU. */
  if (c2g_tensor_get_device (tensor) != c2g_device_cpu ())
    {
      values = c2g_tensor_dup_range (tensor, piece.begin, piece.end, c2g_device_cpu (), error);
      if (values == NULL)
        return FALSE;
      piece.values = values;
    }

  return write_piece (&piece, format, sink, job, error);
}

/* Checks that an existing tensor fits the chunk. */
static gboolean
check_tensor (C2gTensor              *tensor,
              const C2gTensorRecord  *record,
              GError                **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  if ((record->data_type == C2G_DATA_TYPE_UNDEFINED ||
       record->data_type == c2g_tensor_get_data_type (tensor)) &&
      n_dims == record->n_dims &&
      (n_dims == 0 || memcmp (dims, record->dims, n_dims * sizeof *dims) == 0))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The chunks are of tensors of different shapes or types"));
}

static gboolean
read_into (C2gTensor              *tensor,
           const C2gTensorRecord  *record,
           C2gSource              *source,
           const C2gJob           *job,
           GError                **error)
{
  if (record->data_type == C2G_DATA_TYPE_UNDEFINED)
    return c2g_tensor_items_read (tensor, record, source, job, error);

  return c2g_tensor_record_read (record, source, tensor, job, error) &&
         c2g_upload_finish (tensor, error);
}

/* Refuses a huge allocation for only a few bytes in the file. */
static gboolean
check_rest (const C2gTensorRecord  *record,
            GError                **error)
{
  gint64 n_values = record->end - record->begin;

  if (n_values == 0 && record->n_elements > 0)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Nothing tells what type the elements are of"));
  if (record->n_elements <= MIN_ELEMENTS_FREE || record->n_elements / MAX_REST_FACTOR <= n_values)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("Only %" PRId64 " elements of a tensor of %" PRId64),
                   n_values, record->n_elements);
}

static C2gTensor *
new_tensor (const C2gTensorRecord  *record,
            C2gSource              *source,
            const C2gJob           *job,
            GError                **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (record->data_type != C2G_DATA_TYPE_UNDEFINED)
    return c2g_tensor_record_to_tensor (record, source, job, error);

  if (!check_rest (record, error))
    return NULL;
  tensor = c2g_tensor_record_new_tensor (record, NULL, error);
  if (tensor == NULL || !c2g_tensor_items_read (tensor, record, source, job, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

static gboolean
read_tensor (C2gBlob              *blob,
             const C2gBlobRecord  *record,
             C2gSource            *source,
             const C2gJob         *job,
             GError              **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (!record->has_tensor)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("No tensor in a blob of type “%s”"), record->type);

  if (!c2g_blob_is_empty (blob))
    {
      C2gTensor *there = c2g_blob_get_tensor (blob, error);

      return there != NULL && check_tensor (there, &record->tensor, error) &&
             read_into (there, &record->tensor, source, job, error);
    }

  tensor = new_tensor (&record->tensor, source, job, error);
  if (tensor == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return TRUE;
}

const C2gSerializerFuncs c2g_tensor_serializer_funcs = {
  .type_name = "C2gTensorSerializer",
  .blob_type = C2G_BLOB_TYPE_TENSOR,
  .get_n_chunks = count_tensor_chunks,
  .write = write_tensor,
  .read = read_tensor,
};
