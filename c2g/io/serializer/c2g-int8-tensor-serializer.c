/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-builtin-serializers-private.h>

#include <c2g/io/message/c2g-q-tensor-record-private.h>
#include <c2g/io/message/c2g-q-tensor-writer-private.h>

#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <math.h>

/* Writes and reads Int8 tensors. As in Caffe2, an Int8 tensor is written as a QTensor with 8 bits,
 * whose bias is the zero point, together with the data type of its elements. */

static gboolean
check_type (C2gTensor  *tensor,
            GError    **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);

  if (data_type == C2G_DATA_TYPE_UINT8 || data_type == C2G_DATA_TYPE_INT32)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE,
                   _("An Int8 tensor of type %s cannot be written, only uint8 and int32"),
                   meta == NULL ? "undefined" : c2g_type_meta_get_name (meta));
}

static gboolean
write_int8_tensor (const C2gSerializeRequest  *request,
                   C2gSink                    *sink,
                   const C2gJob               *job,
                   GError                    **error)
{
  C2gInt8Tensor *quantized = C2G_INT8_TENSOR (c2g_blob_get_object (request->blob));
  C2gTensor *tensor = c2g_int8_tensor_get_tensor (quantized);
  g_autoptr (C2gTensor) on_cpu = NULL;
  C2gQTensorPiece piece = {
    .type = C2G_BLOB_TYPE_INT8_TENSOR,
    .name = request->name,
    .precision = 8,
    .scale = c2g_int8_tensor_get_scale (quantized),
    .bias = c2g_int8_tensor_get_zero_point (quantized),
    .has_data_type = TRUE,
  };

  if (!check_type (tensor, error))
    return FALSE;
  on_cpu = c2g_tensor_ref_on_cpu (tensor, error);
  if (on_cpu == NULL)
    return FALSE;

  piece.data_type = c2g_tensor_get_data_type (on_cpu);
  piece.dims = c2g_tensor_get_dims (on_cpu, &piece.n_dims);
  piece.n_items = c2g_tensor_get_n_elements (on_cpu);
  if (piece.n_items > 0)
    {
      piece.items = c2g_tensor_data (on_cpu, piece.data_type, error);
      if (piece.items == NULL ||
          !c2g_storage_finish_uses (c2g_tensor_get_storage (on_cpu), error))
        return FALSE;
    }
  return c2g_q_tensor_piece_write (&piece, sink, job, error);
}

/* Checks the record. There must be at least one byte for each element, so the file limits the
 * memory. */
static gboolean
check_record (const C2gQTensorRecord  *record,
              GError                 **error)
{
  if (record->data_type != C2G_DATA_TYPE_UINT8 && record->data_type != C2G_DATA_TYPE_INT32)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("An Int8 tensor of data type %d, expected uint8 or int32"), record->data_type);
  else if (!(record->bias >= G_MININT32 && record->bias <= G_MAXINT32) ||
           record->bias != trunc (record->bias))
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("A zero point of %g, which is no 32-bit integer"), record->bias);
  else if (isfinite (record->scale) && fabs (record->scale) > G_MAXFLOAT)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("A scale of %g, which is beyond what a float holds"), record->scale);
  else if ((guint64) record->n_elements > record->n_value_bytes)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %" PRId64 " values of type %s, got at most %" PRIu64),
                 record->n_elements, c2g_data_type_get_name ((C2gDataType) record->data_type),
                 record->n_value_bytes);
  else
    return TRUE;

  return FALSE;
}

static C2gTensor *
read_tensor (const C2gQTensorRecord  *record,
             C2gSource               *source,
             const C2gJob            *job,
             GError                 **error)
{
  C2gDataType data_type = (C2gDataType) record->data_type;
  g_autoptr (C2gTensor) tensor = NULL;
  gpointer items;

  tensor = c2g_tensor_new_sized (record->dims, record->n_dims, NULL, error);
  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error))
    return NULL;

  items = c2g_tensor_mutable_data (tensor, data_type, NULL);
  if (!c2g_q_tensor_record_read (record, source, data_type, items, record->n_elements, job, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

static gboolean
read_int8_tensor (C2gBlob              *blob,
                  const C2gBlobRecord  *record,
                  C2gSource            *source,
                  const C2gJob         *job,
                  GError              **error)
{
  g_auto (C2gQTensorRecord) tensor_record = { NULL };
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gInt8Tensor) quantized = NULL;

  if (!c2g_q_tensor_record_scan_blob (&tensor_record, record, source, error) ||
      !check_record (&tensor_record, error))
    return FALSE;

  tensor = read_tensor (&tensor_record, source, job, error);
  if (tensor == NULL)
    return FALSE;
  quantized = c2g_int8_tensor_new (tensor, (float) tensor_record.scale, (int) tensor_record.bias);
  c2g_blob_set_object (blob, G_OBJECT (quantized));
  return TRUE;
}

const C2gSerializerFuncs c2g_int8_tensor_serializer_funcs = {
  .type_name = "C2gInt8TensorSerializer",
  .blob_type = C2G_BLOB_TYPE_INT8_TENSOR,
  .write = write_int8_tensor,
  .read = read_int8_tensor,
};
