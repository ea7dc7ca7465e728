/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-builtin-serializers-private.h>

#include <c2g/io/message/c2g-q-tensor-record-private.h>
#include <c2g/io/message/c2g-q-tensor-writer-private.h>

#include <c2g/core/tensor/c2g-q-tensor.h>
#include <c2g/core/types/c2g-error-private.h>

/* Writes and reads QTensors. A QTensor is stored as bit planes; each byte of them is an integer in the
 * message. */

static gboolean
write_q_tensor (const C2gSerializeRequest  *request,
                C2gSink                    *sink,
                const C2gJob               *job,
                GError                    **error)
{
  C2gQTensor *tensor = C2G_Q_TENSOR (c2g_blob_get_object (request->blob));
  g_autoptr (GBytes) planes = c2g_q_tensor_dup_bytes (tensor, error);
  C2gQTensorPiece piece = {
    .type = C2G_BLOB_TYPE_Q_TENSOR,
    .name = request->name,
    .precision = c2g_q_tensor_get_precision (tensor),
    .scale = c2g_q_tensor_get_scale (tensor),
    .bias = c2g_q_tensor_get_bias (tensor),
    .is_signed = c2g_q_tensor_is_signed (tensor),
    .data_type = C2G_DATA_TYPE_UINT8,
  };

  if (planes == NULL)
    return FALSE;

  piece.dims = c2g_q_tensor_get_dims (tensor, &piece.n_dims);
  piece.items = g_bytes_get_data (planes, &piece.n_items);
  return c2g_q_tensor_piece_write (&piece, sink, job, error);
}

static gboolean
set_short (const C2gQTensorRecord  *record,
           GError                 **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("%" PRIu64 " bytes are not what the dimensions and %d bits an element need"),
                   record->n_value_bytes, record->precision);
}

/* Computes the size of the planes. The message must have at least as many values, or it is
 * damaged. */
static gboolean
count_bytes (const C2gQTensorRecord  *record,
             gsize                   *n_bytes,
             GError                 **error)
{
  guint64 n_planes = (guint64) record->precision + (record->is_signed ? 1 : 0);
  guint64 plane_bytes = (guint64) record->n_elements / 8 + (record->n_elements % 8 != 0 ? 1 : 0);

  if (record->precision < 1)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("A precision of %d bits"), record->precision);
  if (plane_bytes > record->n_value_bytes / n_planes)
    return set_short (record, error);

  *n_bytes = plane_bytes * n_planes;
  return TRUE;
}

static C2gQTensor *
read_tensor (const C2gQTensorRecord  *record,
             C2gSource               *source,
             const C2gJob            *job,
             GError                 **error)
{
  g_autoptr (C2gQTensor) tensor = NULL;
  g_autoptr (GBytes) planes = NULL;
  g_autofree guint8 *data = NULL;
  gsize n_bytes;

  if (!count_bytes (record, &n_bytes, error))
    return NULL;

  tensor = c2g_q_tensor_new (record->dims, record->n_dims, record->precision, record->is_signed,
                             error);
  if (tensor == NULL)
    return NULL;
  data = g_try_malloc (MAX (n_bytes, 1));
  if (data == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"), n_bytes);
  if (!c2g_q_tensor_record_read (record, source, C2G_DATA_TYPE_UINT8, data, n_bytes, job, error))
    return NULL;

  planes = g_bytes_new_take (g_steal_pointer (&data), n_bytes);
  if (!c2g_q_tensor_set_bytes (tensor, planes, error))
    return NULL;
  c2g_q_tensor_set_scale (tensor, record->scale);
  c2g_q_tensor_set_bias (tensor, record->bias);
  return g_steal_pointer (&tensor);
}

static gboolean
read_q_tensor (C2gBlob              *blob,
               const C2gBlobRecord  *record,
               C2gSource            *source,
               const C2gJob         *job,
               GError              **error)
{
  g_auto (C2gQTensorRecord) tensor_record = { NULL };
  g_autoptr (C2gQTensor) tensor = NULL;

  if (!c2g_q_tensor_record_scan_blob (&tensor_record, record, source, error))
    return FALSE;

  tensor = read_tensor (&tensor_record, source, job, error);
  if (tensor == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return TRUE;
}

const C2gSerializerFuncs c2g_q_tensor_serializer_funcs = {
  .type_name = "C2gQTensorSerializer",
  .blob_type = C2G_BLOB_TYPE_Q_TENSOR,
  .write = write_q_tensor,
  .read = read_q_tensor,
};
