/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-blob-proto-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-q-tensor.h>
#include <c2g/io/c2g-tensor-part-private.h>

/* From messages to blobs. */

/* Caffe2 knows the last one too; it writes only the first. */
gboolean
c2g_blob_proto_is_tensor (const Caffe2__BlobProto *proto)
{
  return g_strcmp0 (proto->type, C2G_BLOB_TYPE_TENSOR) == 0 ||
         g_strcmp0 (proto->type, "TensorCPU") == 0;
}

gboolean
c2g_tensor_proto_check_device (const Caffe2__TensorProto  *proto,
                               GError                    **error)
{
  const Caffe2__DeviceOption *device = proto->device_detail;

  if (device == NULL || device->device_type == CAFFE2__DEVICE_TYPE__CPU)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
               _("The tensor was saved for device %d of type %d, "
                 "which only the loader of a checkpoint sets aside"),
               device->cuda_gpu_id, device->device_type);
  return FALSE;
}

C2gBlob *
c2g_tensor_proto_new_blob (const Caffe2__TensorProto  *proto,
                           GError                    **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  C2gTensorPart part;
  C2gBlob *blob;

  if (!c2g_tensor_proto_check_device (proto, error) ||
      !c2g_tensor_part_init (&part, proto, error))
    return NULL;

  tensor = c2g_tensor_part_to_tensor (&part, error);
  if (tensor == NULL)
    return NULL;

  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return blob;
}

static C2gBlob *
new_tensor_blob (const Caffe2__BlobProto  *proto,
                 GError                  **error)
{
  if (proto->tensor == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                   _("No tensor in a blob of type '%s'"), proto->type);
      return NULL;
    }

  return c2g_tensor_proto_new_blob (proto->tensor, error);
}

static C2gBlob *
new_string_blob (const Caffe2__BlobProto *proto)
{
  g_auto (GValue) value = G_VALUE_INIT;
  C2gBlob *blob = c2g_blob_new ();

  g_value_init (&value, G_TYPE_BYTES);
  g_value_take_boxed (&value, g_bytes_new (proto->content.data, proto->content.len));
  c2g_blob_set_value (blob, &value);
  return blob;
}

static C2gBlob *
new_counter_blob (const Caffe2__BlobProto  *proto,
                  GError                  **error)
{
  const Caffe2__TensorProto *tensor = proto->tensor;
  g_auto (GValue) value = G_VALUE_INIT;
  C2gBlob *blob;

  if (tensor == NULL || tensor->n_dims != 1 || tensor->dims[0] != 1 ||
      tensor->data_type != CAFFE2__TENSOR_PROTO__DATA_TYPE__INT64 || tensor->n_int64_data != 1)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                           _("A counter is not a single int64 value"));
      return NULL;
    }

  blob = c2g_blob_new ();
  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, tensor->int64_data[0]);
  c2g_blob_set_value (blob, &value);
  return blob;
}

/* One int32 a byte, of which only the low byte counts. */
static gboolean
read_planes (const Caffe2__QTensorProto  *proto,
             C2gQTensor                  *tensor,
             GError                     **error)
{
  g_autoptr (GBytes) bytes = NULL;
  guint8 *data = g_try_malloc (MAX (proto->n_data, 1));

  if (data == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                   _("No memory for %zu bytes"), proto->n_data);
      return FALSE;
    }

  for (gsize i = 0; i < proto->n_data; i++)
    data[i] = (guint8) proto->data[i];
  bytes = g_bytes_new_take (data, proto->n_data);
  return c2g_q_tensor_set_bytes (tensor, bytes, error);
}

/* The bytes are there before memory for them is asked for. */
static gboolean
check_planes (const Caffe2__QTensorProto  *proto,
              GError                     **error)
{
  guint64 n_planes;
  guint64 n_elements = 1;

  if (proto->precision < 1)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                   _("A precision of %d bits"), proto->precision);
      return FALSE;
    }

  n_planes = (guint64) proto->precision + (proto->is_signed ? 1 : 0);
  for (gsize i = 0; i < proto->n_dims; i++)
    if (proto->dims[i] < 0 || !g_uint64_checked_mul (&n_elements, n_elements, proto->dims[i]))
      n_elements = G_MAXUINT64;

  if (n_elements <= 8 * (guint64) proto->n_data &&
      (n_elements + 7) / 8 * n_planes == proto->n_data)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("%zu bytes are not what the dimensions and %d bits an element need"),
               proto->n_data, proto->precision);
  return FALSE;
}

static C2gBlob *
new_q_tensor_blob (const Caffe2__BlobProto  *proto,
                   GError                  **error)
{
  const Caffe2__QTensorProto *q = proto->qtensor;
  g_autoptr (C2gQTensor) tensor = NULL;
  C2gBlob *blob;

  if (q == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                   _("No tensor in a blob of type '%s'"), proto->type);
      return NULL;
    }
  if (!check_planes (q, error))
    return NULL;

  tensor = c2g_q_tensor_new (q->dims, q->n_dims, q->precision, q->is_signed, error);
  if (tensor == NULL || !read_planes (q, tensor, error))
    return NULL;

  c2g_q_tensor_set_scale (tensor, q->scale);
  c2g_q_tensor_set_bias (tensor, q->bias);
  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return blob;
}

/* A message is UTF-8, whatever is in the file. */
static void
set_unknown_type (const char  *type,
                  GError     **error)
{
  g_autofree char *readable = g_utf8_make_valid (type != NULL ? type : "", -1);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("Unknown blob type '%s'"), readable);
}

C2gBlob *
c2g_blob_proto_new_blob (const Caffe2__BlobProto  *proto,
                         GError                  **error)
{
  if (proto->has_content_num_chunks && proto->content_num_chunks > 1)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("Content in %d chunks"), proto->content_num_chunks);
      return NULL;
    }

  if (c2g_blob_proto_is_tensor (proto))
    return new_tensor_blob (proto, error);
  if (g_strcmp0 (proto->type, C2G_BLOB_TYPE_STRING) == 0)
    return new_string_blob (proto);
  if (g_strcmp0 (proto->type, C2G_BLOB_TYPE_Q_TENSOR) == 0)
    return new_q_tensor_blob (proto, error);
  if (g_strcmp0 (proto->type, C2G_BLOB_TYPE_COUNTER) == 0)
    return new_counter_blob (proto, error);

  set_unknown_type (proto->type, error);
  return NULL;
}
