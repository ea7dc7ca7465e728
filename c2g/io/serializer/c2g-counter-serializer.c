/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-builtin-serializers-private.h>

#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Writes and reads counters, the int64 values of Caffe2's CountUp and related operators: as a tensor of
 * one element. */

static gboolean
get_count (C2gBlob  *blob,
           gint64   *count,
           GError  **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) as_int64 = G_VALUE_INIT;

  c2g_blob_get_value (blob, &value);
  g_value_init (&as_int64, G_TYPE_INT64);
  if (!g_value_transform (&value, &as_int64))
    return c2g_fail (error, C2G_ERROR_TYPE, _("There is no serializer for %s"),
                     G_VALUE_TYPE_NAME (&value));

  *count = g_value_get_int64 (&as_int64);
  if (*count >= 0 || !(G_VALUE_HOLDS_UINT64 (&value) || G_VALUE_HOLDS_ULONG (&value)))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("%" PRIu64 " is too large for a counter"),
                   (guint64) *count);
}

static gboolean
write_counter (const C2gSerializeRequest  *request,
               C2gSink                    *sink,
               const C2gJob               *job,
               GError                    **error)
{
  Caffe2__BlobProto proto = CAFFE2__BLOB_PROTO__INIT;
  Caffe2__TensorProto tensor = CAFFE2__TENSOR_PROTO__INIT;
  g_autoptr (GBytes) message = NULL;
  int64_t dim = 1;
  int64_t value;
  gint64 count;

  if (!get_count (request->blob, &count, error))
    return FALSE;

  value = count;
  tensor.n_dims = 1;
  tensor.dims = &dim;
  tensor.has_data_type = TRUE;
  tensor.data_type = CAFFE2__TENSOR_PROTO__DATA_TYPE__INT64;
  tensor.name = (char *) request->name;
  tensor.n_int64_data = 1;
  tensor.int64_data = &value;
  proto.name = (char *) request->name;
  proto.type = (char *) C2G_BLOB_TYPE_COUNTER;
  proto.tensor = &tensor;
  message = c2g_wire_serialize (&proto.base, error);
  return message != NULL && c2g_sink_write (sink, g_bytes_get_data (message, NULL),
                                            g_bytes_get_size (message), job, error);
}

static gboolean
is_counter (const C2gBlobRecord *record)
{
  const C2gTensorRecord *tensor = &record->tensor;

  return record->has_tensor && tensor->data_type == C2G_DATA_TYPE_INT64 && tensor->n_dims == 1 &&
         tensor->dims[0] == 1 && tensor->begin == 0 && tensor->end == 1;
}

static gboolean
read_counter (C2gBlob              *blob,
              const C2gBlobRecord  *record,
              C2gSource            *source,
              const C2gJob         *job,
              GError              **error)
{
  /* The value is needed on the CPU, whatever device the job loads tensors to. */
  const C2gJob near_job = {
    .cancellable = job != NULL ? job->cancellable : NULL,
    .progress = job != NULL ? job->progress : NULL,
  };
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (C2gTensor) tensor = NULL;

  if (!is_counter (record))
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("A counter is not a single int64 value"));

  tensor = c2g_tensor_record_to_tensor (&record->tensor, source, &near_job, error);
  if (tensor == NULL)
    return FALSE;

  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, c2g_tensor_get_int64 (tensor, 0, NULL));
  c2g_blob_set_value (blob, &value);
  return TRUE;
}

const C2gSerializerFuncs c2g_counter_serializer_funcs = {
  .type_name = "C2gCounterSerializer",
  .blob_type = C2G_BLOB_TYPE_COUNTER,
  .write = write_counter,
  .read = read_counter,
};
