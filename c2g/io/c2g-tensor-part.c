/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-tensor-part-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-shape-private.h>

#include <string.h>

/* A lone part of a tensor may be this many times smaller than the tensor, which
 * has to be allocated whole: chunks hold a million elements as a rule. */
#define MAX_REST_FACTOR   4096
#define MIN_ELEMENTS_FREE (16 << 20)

/* data_format since 2021. */
#define FORMAT_PROTOBUF 0
#define FORMAT_BFLOAT16 1

/* Where the values of a message are. */
typedef enum
{
  SOURCE_FLOAT,
  SOURCE_DOUBLE,
  SOURCE_INT32,
  SOURCE_INT64,
  SOURCE_STRING,
  SOURCE_BYTES,
  SOURCE_RAW,
  SOURCE_RAW_BFLOAT16,
} Source;

/* proto2 keeps a number that is not in the enumeration as an unknown field, so
 * that the default applies; protobuf-c hands it out. */
static C2gDataType
data_type_of (const Caffe2__TensorProto *proto)
{
  if (!proto->has_data_type ||
      protobuf_c_enum_descriptor_get_value (&caffe2__tensor_proto__data_type__descriptor,
                                            proto->data_type) == NULL)
    return C2G_DATA_TYPE_FLOAT;
  if (proto->data_type == CAFFE2__TENSOR_PROTO__DATA_TYPE__BYTE)
    return C2G_DATA_TYPE_UINT8;

  return (C2gDataType) proto->data_type;
}

static Source
source_of (const C2gTensorPart *self)
{
  switch (self->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      return self->proto->data_format == FORMAT_BFLOAT16 ? SOURCE_RAW_BFLOAT16 : SOURCE_FLOAT;

    case C2G_DATA_TYPE_DOUBLE:
      return SOURCE_DOUBLE;

    case C2G_DATA_TYPE_INT32:
      return SOURCE_INT32;

    case C2G_DATA_TYPE_INT64:
      return SOURCE_INT64;

    case C2G_DATA_TYPE_STRING:
      return SOURCE_STRING;

    case C2G_DATA_TYPE_BFLOAT16:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      return SOURCE_RAW;

    default:
      if (self->proto->data_type == CAFFE2__TENSOR_PROTO__DATA_TYPE__BYTE)
        return SOURCE_BYTES;
      return self->proto->has_byte_data ? SOURCE_BYTES : SOURCE_INT32;
    }
}

static gint64
count_items (const ProtobufCBinaryData *bytes,
             gsize                      item_size)
{
  return bytes->len % item_size == 0 ? (gint64) (bytes->len / item_size) : -1;
}

/* How many values the message has, or -1 for bytes that are no whole number. */
static gint64
count_values (const C2gTensorPart *self)
{
  const Caffe2__TensorProto *proto = self->proto;
  gsize item_size = c2g_data_type_get_item_size (self->data_type);

  switch (source_of (self))
    {
    case SOURCE_FLOAT:
      return proto->n_float_data;

    case SOURCE_DOUBLE:
      return proto->n_double_data;

    case SOURCE_INT32:
      return proto->n_int32_data;

    case SOURCE_INT64:
      return proto->n_int64_data;

    case SOURCE_STRING:
      return proto->n_string_data;

    case SOURCE_BYTES:
      return count_items (&proto->byte_data, item_size);

    case SOURCE_RAW:
      return count_items (&proto->raw_data, item_size);

    case SOURCE_RAW_BFLOAT16:
      return count_items (&proto->raw_data, 2);
    }

  g_assert_not_reached ();
}

static gboolean
check_segment (C2gTensorPart  *self,
               GError        **error)
{
  const Caffe2__TensorProto__Segment *segment = self->proto->segment;

  self->begin = segment == NULL ? 0 : segment->begin;
  self->end = segment == NULL ? self->n_elements : segment->end;
  if (self->begin >= 0 && self->begin <= self->end && self->end <= self->n_elements)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("Elements %" PRId64 " to %" PRId64 " of a tensor of %" PRId64),
               self->begin, self->end, self->n_elements);
  return FALSE;
}

static gboolean
check_values (const C2gTensorPart  *self,
              GError              **error)
{
  gint64 n_expected = self->end - self->begin;
  gint64 n_values = count_values (self);

  if (n_values == n_expected)
    return TRUE;

  if (n_values < 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("The bytes are no whole number of %s elements"),
                 c2g_data_type_get_name (self->data_type));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %" PRId64 " values of type %s, got %" PRId64),
                 n_expected, c2g_data_type_get_name (self->data_type), n_values);
  return FALSE;
}

/* A few bytes may not ask for a huge allocation. */
static gboolean
check_rest (const C2gTensorPart  *self,
            GError              **error)
{
  gint64 n_values = self->end - self->begin;

  if (self->n_elements <= MIN_ELEMENTS_FREE || self->n_elements / MAX_REST_FACTOR <= n_values)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("Only %" PRId64 " elements of a tensor of %" PRId64),
               n_values, self->n_elements);
  return FALSE;
}

gboolean
c2g_tensor_part_init (C2gTensorPart              *self,
                      const Caffe2__TensorProto  *proto,
                      GError                    **error)
{
  gsize n_bytes;

  self->proto = proto;
  self->data_type = data_type_of (proto);

  if (self->data_type == C2G_DATA_TYPE_UNDEFINED)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                           _("The elements are of a type of the writing program's own"));
      return FALSE;
    }
  if (proto->data_format != FORMAT_PROTOBUF &&
      (proto->data_format != FORMAT_BFLOAT16 || self->data_type != C2G_DATA_TYPE_FLOAT))
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("The values are in format %u, which is unknown"), proto->data_format);
      return FALSE;
    }

  return c2g_shape_count (proto->dims, proto->n_dims, &self->n_elements, error) &&
         c2g_shape_bytes (self->n_elements, c2g_data_type_get_item_size (self->data_type),
                          &n_bytes, error) &&
         check_segment (self, error) &&
         check_values (self, error);
}

C2gTensor *
c2g_tensor_part_new_tensor (const C2gTensorPart  *self,
                            GError              **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = c2g_tensor_new_sized (self->proto->dims, self->proto->n_dims, NULL, error);
  if (tensor == NULL || !c2g_tensor_allocate (tensor, self->data_type, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* int32_data holds everything up to 32 bits, cast without a check of its range. */
static void
read_int32 (const int32_t *values,
            gsize          n_values,
            C2gDataType    data_type,
            gpointer       items)
{
  guint8 *bytes = items;
  guint16 *shorts = items;

  switch (data_type)
    {
    case C2G_DATA_TYPE_INT32:
      memcpy (items, values, n_values * sizeof (gint32));
      return;

    case C2G_DATA_TYPE_BOOL:
      for (gsize i = 0; i < n_values; i++)
        bytes[i] = values[i] != 0;
      return;

    case C2G_DATA_TYPE_UINT8:
    case C2G_DATA_TYPE_INT8:
      for (gsize i = 0; i < n_values; i++)
        bytes[i] = (guint8) values[i];
      return;

    default:
      for (gsize i = 0; i < n_values; i++)
        shorts[i] = (guint16) values[i];
      return;
    }
}

static void
read_strings (const ProtobufCBinaryData *values,
              gsize                      n_values,
              GBytes                   **items)
{
  for (gsize i = 0; i < n_values; i++)
    {
      g_clear_pointer (&items[i], g_bytes_unref);
      if (values[i].len > 0)
        items[i] = g_bytes_new (values[i].data, values[i].len);
    }
}

/* Little-endian bytes, as they are in memory or to be turned round. */
static void
read_raw (const guint8 *data,
          gsize         n_bytes,
          gsize         item_size,
          gboolean      is_bool,
          guint8       *items)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN || item_size == 1)
    memcpy (items, data, n_bytes);
  else
    for (gsize i = 0; i < n_bytes; i++)
      items[i] = data[i - i % item_size + item_size - 1 - i % item_size];

  if (is_bool)
    for (gsize i = 0; i < n_bytes; i++)
      items[i] = items[i] != 0;
}

static void
read_bfloat16 (const guint8 *data,
               gsize         n_values,
               float        *items)
{
  for (gsize i = 0; i < n_values; i++)
    {
      guint32 bits = (guint32) data[2 * i] << 16 | (guint32) data[2 * i + 1] << 24;

      memcpy (&items[i], &bits, sizeof bits);
    }
}

static void
read_values (const C2gTensorPart *self,
             guint8              *items)
{
  const Caffe2__TensorProto *proto = self->proto;
  gsize item_size = c2g_data_type_get_item_size (self->data_type);
  gboolean is_bool = self->data_type == C2G_DATA_TYPE_BOOL;

  switch (source_of (self))
    {
    case SOURCE_FLOAT:
      memcpy (items, proto->float_data, proto->n_float_data * sizeof (float));
      return;

    case SOURCE_DOUBLE:
      memcpy (items, proto->double_data, proto->n_double_data * sizeof (double));
      return;

    case SOURCE_INT32:
      read_int32 (proto->int32_data, proto->n_int32_data, self->data_type, items);
      return;

    case SOURCE_INT64:
      memcpy (items, proto->int64_data, proto->n_int64_data * sizeof (gint64));
      return;

    case SOURCE_STRING:
      read_strings (proto->string_data, proto->n_string_data, (gpointer) items);
      return;

    case SOURCE_BYTES:
      read_raw (proto->byte_data.data, proto->byte_data.len, item_size, is_bool, items);
      return;

    case SOURCE_RAW:
      read_raw (proto->raw_data.data, proto->raw_data.len, item_size, is_bool, items);
      return;

    case SOURCE_RAW_BFLOAT16:
      read_bfloat16 (proto->raw_data.data, proto->raw_data.len / 2, (gpointer) items);
      return;
    }
}

gboolean
c2g_tensor_part_read (const C2gTensorPart  *self,
                      C2gTensor            *tensor,
                      GError              **error)
{
  g_autoptr (GError) local_error = NULL;
  guint8 *items;

  items = c2g_tensor_mutable_data (tensor, self->data_type, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  if (self->end > self->begin)
    read_values (self, items + self->begin * c2g_data_type_get_item_size (self->data_type));
  return TRUE;
}

static gboolean
clear_rest (const C2gTensorPart  *self,
            C2gTensor            *tensor,
            GError              **error)
{
  gsize item_size = c2g_data_type_get_item_size (self->data_type);
  guint8 *items;

  /* New strings are empty as they are. */
  if (self->end - self->begin == self->n_elements || self->data_type == C2G_DATA_TYPE_STRING)
    return TRUE;

  items = c2g_tensor_mutable_data (tensor, self->data_type, error);
  if (items == NULL)
    return FALSE;

  memset (items, 0, self->begin * item_size);
  memset (items + self->end * item_size, 0, (self->n_elements - self->end) * item_size);
  return TRUE;
}

C2gTensor *
c2g_tensor_part_to_tensor (const C2gTensorPart  *self,
                           GError              **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (!check_rest (self, error))
    return NULL;

  tensor = c2g_tensor_part_new_tensor (self, error);
  if (tensor == NULL ||
      !clear_rest (self, tensor, error) ||
      !c2g_tensor_part_read (self, tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* Room for what has to be converted; the error says whose. */
static gpointer
try_new (gsize    n_items,
         gsize    item_size,
         GError **error)
{
  gpointer items = g_try_malloc_n (MAX (n_items, 1), item_size);

  if (items == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("No memory to convert %zu elements"), n_items);
  return items;
}

static int32_t
as_int32 (gconstpointer items,
          gsize         i,
          C2gDataType   data_type)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_INT8:
      return ((const gint8 *) items)[i];

    case C2G_DATA_TYPE_INT16:
      return ((const gint16 *) items)[i];

    case C2G_DATA_TYPE_UINT16:
    case C2G_DATA_TYPE_FLOAT16:
      return ((const guint16 *) items)[i];

    default:
      return ((const guint8 *) items)[i];
    }
}

static gboolean
fill_int32 (Caffe2__TensorProto  *proto,
            gconstpointer         items,
            gsize                 n_items,
            C2gDataType           data_type,
            GError              **error)
{
  proto->int32_data = try_new (n_items, sizeof (int32_t), error);
  if (proto->int32_data == NULL)
    return FALSE;

  for (gsize i = 0; i < n_items; i++)
    proto->int32_data[i] = as_int32 (items, i, data_type);
  proto->n_int32_data = n_items;
  return TRUE;
}

static gboolean
fill_strings (Caffe2__TensorProto  *proto,
              GBytes *const        *items,
              gsize                 n_items,
              GError              **error)
{
  proto->string_data = try_new (n_items, sizeof (ProtobufCBinaryData), error);
  if (proto->string_data == NULL)
    return FALSE;

  for (gsize i = 0; i < n_items; i++)
    {
      ProtobufCBinaryData *string = &proto->string_data[i];

      string->len = 0;
      string->data = NULL;
      if (items[i] != NULL)
        string->data = (guint8 *) g_bytes_get_data (items[i], &string->len);
    }
  proto->n_string_data = n_items;
  return TRUE;
}

/* Types that Caffe2 does not know, in its newer field for bytes. */
static gboolean
fill_raw (Caffe2__TensorProto  *proto,
          const guint8         *items,
          gsize                 n_items,
          gsize                 item_size,
          GError              **error)
{
  proto->raw_data.data = try_new (n_items, item_size, error);
  if (proto->raw_data.data == NULL)
    return FALSE;

  proto->has_raw_data = TRUE;
  proto->raw_data.len = n_items * item_size;
  read_raw (items, n_items * item_size, item_size, FALSE, proto->raw_data.data);
  return TRUE;
}

static gboolean
fill_values (Caffe2__TensorProto  *proto,
             gconstpointer         items,
             gsize                 n_items,
             C2gDataType           data_type,
             GError              **error)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      proto->float_data = (float *) items;
      proto->n_float_data = n_items;
      return TRUE;

    case C2G_DATA_TYPE_DOUBLE:
      proto->double_data = (double *) items;
      proto->n_double_data = n_items;
      return TRUE;

    case C2G_DATA_TYPE_INT32:
      proto->int32_data = (int32_t *) items;
      proto->n_int32_data = n_items;
      return TRUE;

    case C2G_DATA_TYPE_INT64:
      proto->int64_data = (int64_t *) items;
      proto->n_int64_data = n_items;
      return TRUE;

    case C2G_DATA_TYPE_STRING:
      return fill_strings (proto, items, n_items, error);

    case C2G_DATA_TYPE_BFLOAT16:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      return fill_raw (proto, items, n_items, c2g_data_type_get_item_size (data_type), error);

    default:
      return fill_int32 (proto, items, n_items, data_type, error);
    }
}

gboolean
c2g_tensor_proto_fill (Caffe2__TensorProto  *proto,
                       C2gTensor            *tensor,
                       const char           *name,
                       GError              **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  gint64 n_items = c2g_tensor_get_n_elements (tensor);
  gconstpointer items;

  if (data_type == C2G_DATA_TYPE_UNDEFINED || !c2g_tensor_is_defined (tensor))
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                   _("A tensor of type %s cannot be written"),
                   meta == NULL ? "undefined" : c2g_type_meta_get_name (meta));
      return FALSE;
    }

  items = c2g_tensor_data (tensor, data_type, error);
  if (items == NULL && n_items > 0)
    return FALSE;

  caffe2__tensor_proto__init (proto);
  proto->dims = (int64_t *) c2g_tensor_get_dims (tensor, &proto->n_dims);
  proto->has_data_type = TRUE;
  proto->data_type = (Caffe2__TensorProto__DataType) data_type;
  proto->name = (char *) name;
  if (n_items > 0 && !fill_values (proto, items, n_items, data_type, error))
    return FALSE;

  proto->segment = g_new (Caffe2__TensorProto__Segment, 1);
  caffe2__tensor_proto__segment__init (proto->segment);
  proto->segment->begin = 0;
  proto->segment->end = n_items;
  return TRUE;
}

void
c2g_tensor_proto_clear (Caffe2__TensorProto *proto)
{
  if (proto->data_type != CAFFE2__TENSOR_PROTO__DATA_TYPE__INT32)
    g_clear_pointer (&proto->int32_data, g_free);
  g_clear_pointer (&proto->string_data, g_free);
  g_clear_pointer (&proto->raw_data.data, g_free);
  g_clear_pointer (&proto->segment, g_free);
}
