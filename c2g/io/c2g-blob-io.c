/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-blob-io.h>

#include <c2g/io/c2g-blob-proto-private.h>
#include <c2g/io/c2g-content-kind-private.h>
#include <c2g/io/c2g-tensor-part-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-q-tensor.h>

#include <string.h>

/* A tensor on the CPU with the content of one that may be elsewhere. */
static C2gTensor *
ref_on_cpu (C2gTensor  *tensor,
            GError    **error)
{
  if (c2g_tensor_get_device (tensor) == c2g_device_cpu ())
    return g_object_ref (tensor);

  return c2g_tensor_to_device (tensor, c2g_device_cpu (), error);
}

static GBytes *
serialize_tensor (C2gTensor          *tensor,
                  Caffe2__BlobProto  *proto,
                  GError            **error)
{
  g_autoptr (C2gTensor) on_cpu = ref_on_cpu (tensor, error);
  Caffe2__TensorProto tensor_proto = CAFFE2__TENSOR_PROTO__INIT;
  GBytes *bytes = NULL;

  if (on_cpu == NULL)
    return NULL;

  if (c2g_tensor_proto_fill (&tensor_proto, on_cpu, proto->name, error))
    {
      proto->type = (char *) C2G_BLOB_TYPE_TENSOR;
      proto->tensor = &tensor_proto;
      bytes = c2g_wire_serialize (&proto->base, error);
    }
  c2g_tensor_proto_clear (&tensor_proto);
  return bytes;
}

static GBytes *
serialize_q_tensor (C2gQTensor         *tensor,
                    Caffe2__BlobProto  *proto,
                    GError            **error)
{
  Caffe2__QTensorProto q = CAFFE2__QTENSOR_PROTO__INIT;
  g_autoptr (GBytes) planes = c2g_q_tensor_dup_bytes (tensor, error);
  g_autofree int32_t *data = NULL;
  const guint8 *bytes;

  if (planes == NULL)
    return NULL;
  bytes = g_bytes_get_data (planes, &q.n_data);
  data = g_try_new (int32_t, MAX (q.n_data, 1));
  if (data == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                   _("No memory to convert %zu elements"), q.n_data);
      return NULL;
    }
  for (gsize i = 0; i < q.n_data; i++)
    data[i] = bytes[i];

  q.dims = (int64_t *) c2g_q_tensor_get_dims (tensor, &q.n_dims);
  q.precision = c2g_q_tensor_get_precision (tensor);
  q.scale = c2g_q_tensor_get_scale (tensor);
  q.bias = c2g_q_tensor_get_bias (tensor);
  q.is_signed = c2g_q_tensor_is_signed (tensor);
  q.data = data;
  q.name = proto->name;
  proto->type = (char *) C2G_BLOB_TYPE_Q_TENSOR;
  proto->qtensor = &q;
  return c2g_wire_serialize (&proto->base, error);
}

static GBytes *
serialize_string (const guint8       *data,
                  gsize               n_bytes,
                  Caffe2__BlobProto  *proto,
                  GError            **error)
{
  proto->type = (char *) C2G_BLOB_TYPE_STRING;
  proto->has_content = TRUE;
  proto->content.data = (guint8 *) data;
  proto->content.len = n_bytes;
  return c2g_wire_serialize (&proto->base, error);
}

static GBytes *
serialize_counter (gint64              count,
                   Caffe2__BlobProto  *proto,
                   GError            **error)
{
  Caffe2__TensorProto tensor = CAFFE2__TENSOR_PROTO__INIT;
  int64_t dim = 1;
  int64_t value = count;

  tensor.n_dims = 1;
  tensor.dims = &dim;
  tensor.has_data_type = TRUE;
  tensor.data_type = CAFFE2__TENSOR_PROTO__DATA_TYPE__INT64;
  tensor.name = proto->name;
  tensor.n_int64_data = 1;
  tensor.int64_data = &value;
  proto->type = (char *) C2G_BLOB_TYPE_COUNTER;
  proto->tensor = &tensor;
  return c2g_wire_serialize (&proto->base, error);
}

/* Bindings hand in whatever integer type their language has. */
static gboolean
get_integer (const GValue *value,
             gint64       *result)
{
  g_auto (GValue) as_int64 = G_VALUE_INIT;

  switch (G_VALUE_TYPE (value))
    {
    case G_TYPE_UINT64:
      if (g_value_get_uint64 (value) > G_MAXINT64)
        return FALSE;
      break;

    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
      break;

    default:
      return FALSE;
    }

  g_value_init (&as_int64, G_TYPE_INT64);
  g_value_transform (value, &as_int64);
  *result = g_value_get_int64 (&as_int64);
  return *result >= 0 || !G_VALUE_HOLDS_ULONG (value);
}

static GBytes *
serialize_value (C2gBlob            *self,
                 Caffe2__BlobProto  *proto,
                 GError            **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  const guint8 *data;
  gsize n_bytes;
  gint64 count;

  c2g_blob_get_value (self, &value);

  if (G_VALUE_HOLDS_STRING (&value) && g_value_get_string (&value) != NULL)
    {
      const char *string = g_value_get_string (&value);

      return serialize_string ((const guint8 *) string, strlen (string), proto, error);
    }
  if (G_VALUE_HOLDS (&value, G_TYPE_BYTES) && g_value_get_boxed (&value) != NULL)
    {
      data = g_bytes_get_data (g_value_get_boxed (&value), &n_bytes);
      return serialize_string (data, n_bytes, proto, error);
    }
  if (get_integer (&value, &count))
    return serialize_counter (count, proto, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
               _("Content of type %s cannot be written"),
               c2g_blob_is_empty (self) ? "nothing" : G_VALUE_TYPE_NAME (&value));
  return NULL;
}

/**
 * c2g_blob_serialize:
 * @self: a blob
 * @name: the name to write
 * @error: return location for an error
 *
 * Writes the blob as a message of Caffe2.
 *
 * The result is a `BlobProto`, byte for byte as Caffe2 writes it, in one piece.
 * Tensors of every type with a number can be written, strings and bytes as
 * `std::string`, an integer as a counter of Caffe2, and a [class@QTensor]. A tensor
 * on another device is copied from there.
 *
 * Tensors of the types `BFLOAT16`, `UINT32` and `UINT64` can be read only by c2g.
 *
 * Errors: `C2G_ERROR_TYPE` for other content and for an empty blob,
 * `C2G_ERROR_SHAPE` or `C2G_ERROR_TYPE` for a tensor without memory,
 * `C2G_ERROR_RANGE` for more than 2 GiB, `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): the message
 */
GBytes *
c2g_blob_serialize (C2gBlob     *self,
                    const char  *name,
                    GError     **error)
{
  Caffe2__BlobProto proto = CAFFE2__BLOB_PROTO__INIT;
  GObject *object;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  proto.name = (char *) name;
  object = c2g_blob_get_object (self);
  if (C2G_IS_TENSOR (object))
    return serialize_tensor (C2G_TENSOR (object), &proto, error);
  if (C2G_IS_Q_TENSOR (object))
    return serialize_q_tensor (C2G_Q_TENSOR (object), &proto, error);
  return serialize_value (self, &proto, error);
}

static C2gBlob *
parse_blob (GBytes  *bytes,
            GError **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  const ProtobufCMessageDescriptor *descriptor = &caffe2__blob_proto__descriptor;
  gboolean is_tensor = c2g_content_kind_guess (data, n_bytes) == C2G_CONTENT_TENSOR;
  ProtobufCMessage *message;
  C2gBlob *blob;

  if (is_tensor)
    descriptor = &caffe2__tensor_proto__descriptor;
  message = c2g_wire_parse (descriptor, data, n_bytes, 0, error);
  if (message == NULL)
    return NULL;

  if (is_tensor)
    blob = c2g_tensor_proto_new_blob ((Caffe2__TensorProto *) message, error);
  else
    blob = c2g_blob_proto_new_blob ((Caffe2__BlobProto *) message, error);
  c2g_wire_free (message);
  return blob;
}

/**
 * c2g_blob_deserialize:
 * @self: a blob
 * @bytes: a `BlobProto` or a `TensorProto` of Caffe2
 * @error: return location for an error
 *
 * Reads what a message of Caffe2 holds into the blob.
 *
 * A string comes as `GBytes`, a counter as a 64-bit integer, a `QTensor` as a
 * [class@QTensor]. If the blob holds a tensor on the CPU and so does the message,
 * the tensor stays the same object and gets the new shape and memory. A tensor of
 * which the message holds only a part is zero elsewhere. The name in the message
 * does not matter.
 *
 * If reading fails, the blob is as it was.
 *
 * Errors: `C2G_ERROR_CORRUPT` for a damaged message and for values that do not fit
 * the shape, `C2G_ERROR_SHAPE` and `C2G_ERROR_RANGE` for impossible shapes,
 * `C2G_ERROR_NOT_SUPPORTED` for an unknown type of blob, `C2G_ERROR_DEVICE` for a
 * tensor that was saved for another device, `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: true if the blob holds what the message held
 */
gboolean
c2g_blob_deserialize (C2gBlob  *self,
                      GBytes   *bytes,
                      GError  **error)
{
  g_autoptr (C2gBlob) loaded = NULL;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  loaded = parse_blob (bytes, error);
  if (loaded == NULL)
    return FALSE;

  c2g_blob_take_loaded (self, loaded);
  return TRUE;
}
