/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-tensor-writer-private.h>

#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/wire/c2g-dims-scan-private.h>
#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Writes a part of a tensor as a BlobProto with a TensorProto, with the same bytes as Caffe2. The values
 * are measured first, because their size stands before them. */

/* Size of the block for values whose encoding differs from memory. */
#define BLOCK_BYTES (128u << 10)

/* Strings of at least this size are written without a copy. */
#define LARGE_BYTES (32u << 10)

/* Field numbers of BlobProto. */
enum
{
  FIELD_NAME = 1,
  FIELD_TYPE = 2,
  FIELD_TENSOR = 3,
};

/* A measured message; the parts before and behind the values are ready. */
typedef struct
{
  const C2gTensorPiece *piece;
  C2gDataType           data_type;
  gsize                 item_size;
  gsize                 n_items;
  const guint8         *items;
  /* The strings or submessages, and the field with the values. */
  GBytes *const        *strings;

  guint                 field;
  /* Size of the values, without the tag and the length of the field. */
  gsize                 n_value_bytes;
  GByteArray           *head;
  GByteArray           *tail;
} Plan;

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->head, g_byte_array_unref);
  g_clear_pointer (&self->tail, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static gboolean
set_type (C2gTensor  *tensor,
          GError    **error)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);

  return c2g_fail (error, C2G_ERROR_TYPE, _("A tensor of type %s cannot be written"),
                   meta == NULL ? "undefined" : c2g_type_meta_get_name (meta));
}

/* Finds the elements. An empty tensor needs no memory, and not even a type. */
static gboolean
plan_items (Plan    *self,
            GError **error)
{
  const C2gTensorPiece *piece = self->piece;
  C2gTensor *values = piece->values != NULL ? piece->values : piece->tensor;
  gint64 begin = piece->values != NULL ? 0 : piece->begin;
  const guint8 *items;

  if (!c2g_tensor_is_defined (piece->tensor))
    return set_type (piece->tensor, error);
  if (self->data_type == C2G_DATA_TYPE_UNDEFINED)
    {
      self->strings = piece->items;
      return self->n_items == 0 || piece->items != NULL || set_type (piece->tensor, error);
    }
  if (self->n_items == 0)
    return TRUE;

  items = c2g_tensor_data (values, self->data_type, error);
  if (items == NULL || !c2g_storage_finish_uses (c2g_tensor_get_storage (values), error))
    return FALSE;

  self->items = items + begin * self->item_size;
  if (self->data_type == C2G_DATA_TYPE_STRING)
    self->strings = (GBytes *const *) (gconstpointer) self->items;
  return TRUE;
}

static guint
field_of (const C2gTensorPiece *piece,
          C2gDataType           data_type)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      return C2G_TENSOR_FIELD_FLOATS;

    case C2G_DATA_TYPE_DOUBLE:
      return C2G_TENSOR_FIELD_DOUBLES;

    case C2G_DATA_TYPE_INT64:
      return C2G_TENSOR_FIELD_INT64S;

    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_STRING:
      return C2G_TENSOR_FIELD_STRINGS;

    /* Types that Caffe2 does not have are written to raw_data. */
    case C2G_DATA_TYPE_BFLOAT16:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      return C2G_TENSOR_FIELD_RAW;

    case C2G_DATA_TYPE_FLOAT16:
      return piece->float16_as_bytes ? C2G_TENSOR_FIELD_BYTES : C2G_TENSOR_FIELD_INT32S;

    default:
      return C2G_TENSOR_FIELD_INT32S;
    }
}

static gboolean
is_varint (const Plan *self)
{
  return self->field == C2G_TENSOR_FIELD_INT32S || self->field == C2G_TENSOR_FIELD_INT64S;
}

static gsize
measure_string (GBytes *string)
{
  gsize n_bytes = string == NULL ? 0 : g_bytes_get_size (string);

  return 1 + c2g_varint_size (n_bytes) + n_bytes;
}

static gboolean
set_too_large (guint64   n_bytes,
               GError  **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("A message of %" PRIu64 " bytes, the format allows %d"), n_bytes,
                   C2G_WIRE_MAX_BYTES);
}

/* Measures the values. The sum stops at the size limit, so it cannot overflow. */
static gboolean
measure_values (Plan    *self,
                GError **error)
{
  gsize n_bytes = 0;

  if (self->field == C2G_TENSOR_FIELD_STRINGS)
    for (gsize i = 0; i < self->n_items && n_bytes <= C2G_WIRE_MAX_BYTES; i++)
      n_bytes += measure_string (self->strings[i]);
  else if (self->n_items > C2G_WIRE_MAX_BYTES)
    n_bytes = self->n_items;
  else if (is_varint (self))
    n_bytes = c2g_varint_measure (self->data_type, self->items, self->n_items);
  else
    n_bytes = self->n_items * self->item_size;

  self->n_value_bytes = n_bytes;
  return n_bytes <= C2G_WIRE_MAX_BYTES || set_too_large (n_bytes, error);
}

static void
put_shape (const Plan *self,
           GByteArray *array)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (self->piece->tensor, &n_dims);

  for (gsize i = 0; i < n_dims; i++)
    c2g_wire_put_number (array, C2G_TENSOR_FIELD_DIMS, dims[i]);
  c2g_wire_put_number (array, C2G_TENSOR_FIELD_DATA_TYPE, self->data_type);
}

/* Writes the name, also if it is empty, and the device if it is not the CPU. */
static void
put_name (const Plan *self,
          GByteArray *array)
{
  const C2gTensorPiece *piece = self->piece;
  g_autoptr (GByteArray) device = NULL;

  c2g_wire_put_bytes (array, C2G_TENSOR_FIELD_NAME, piece->name, strlen (piece->name));
  if (piece->device == NULL ||
      c2g_device_get_device_type (piece->device) == C2G_DEVICE_TYPE_CPU)
    return;

  device = g_byte_array_new ();
  c2g_wire_put_number (device, 1, c2g_device_get_device_type (piece->device));
  c2g_wire_put_number (device, 2, c2g_device_get_index (piece->device));
  c2g_wire_put_bytes (array, C2G_TENSOR_FIELD_DEVICE, device->data, device->len);
}

static void
put_segment (const Plan *self,
             GByteArray *array)
{
  g_autoptr (GByteArray) segment = g_byte_array_new ();

  c2g_wire_put_number (segment, 1, self->piece->begin);
  c2g_wire_put_number (segment, 2, self->piece->end);
  c2g_wire_put_bytes (array, C2G_TENSOR_FIELD_SEGMENT, segment->data, segment->len);
}

/* Writes the tag and length before packed values. Empty lists are left out, but not an empty
 * byte_data. */
static void
put_length (const Plan *self,
            GByteArray *array)
{
  if (self->field == C2G_TENSOR_FIELD_STRINGS ||
      (self->n_value_bytes == 0 && self->field != C2G_TENSOR_FIELD_BYTES))
    return;

  c2g_wire_put_length (array, self->field, self->n_value_bytes);
}

/* Writes the fields in the order of their numbers, as protobuf does. */
static void
put_fields (Plan       *self,
            GByteArray *tensor_head)
{
  put_shape (self, tensor_head);
  if (self->field < C2G_TENSOR_FIELD_NAME)
    put_length (self, tensor_head);
  put_name (self, self->field < C2G_TENSOR_FIELD_NAME ? self->tail : tensor_head);
  if (self->field > C2G_TENSOR_FIELD_NAME && self->field < C2G_TENSOR_FIELD_SEGMENT)
    put_length (self, tensor_head);
  put_segment (self, self->field < C2G_TENSOR_FIELD_SEGMENT ? self->tail : tensor_head);
  if (self->field > C2G_TENSOR_FIELD_SEGMENT)
    put_length (self, tensor_head);
}

static void
put_head (Plan             *self,
          const GByteArray *tensor_head)
{
  const char *name = self->piece->name;

  c2g_wire_put_bytes (self->head, FIELD_NAME, name, strlen (name));
  c2g_wire_put_bytes (self->head, FIELD_TYPE,
                      C2G_BLOB_TYPE_TENSOR, strlen (C2G_BLOB_TYPE_TENSOR));
  c2g_wire_put_length (self->head, FIELD_TENSOR,
                       (guint64) tensor_head->len + self->n_value_bytes + self->tail->len);
  g_byte_array_append (self->head, tensor_head->data, tensor_head->len);
}

static gsize
plan_size (const Plan *self)
{
  return self->head->len + self->n_value_bytes + self->tail->len;
}

/* Refuses a name that c2g could not read back. */
static gboolean
check_name (const char  *name,
            GError     **error)
{
  if (strlen (name) <= C2G_SCANNER_WINDOW)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("A name of %zu bytes, %u are allowed"), strlen (name),
                   C2G_SCANNER_WINDOW);
}

static gboolean
plan_init (Plan                  *self,
           const C2gTensorPiece  *piece,
           GError               **error)
{
  g_autoptr (GByteArray) tensor_head = g_byte_array_new ();

  *self = (Plan) {
    .piece = piece,
    .data_type = c2g_tensor_get_data_type (piece->tensor),
    .n_items = piece->end - piece->begin,
    .head = g_byte_array_new (),
    .tail = g_byte_array_new (),
  };
  self->item_size = c2g_data_type_get_item_size (self->data_type);
  self->field = field_of (piece, self->data_type);
  if (!check_name (piece->name, error) ||
      !c2g_dims_check (c2g_tensor_get_n_dims (piece->tensor), error) ||
      !plan_items (self, error) || !measure_values (self, error))
    return FALSE;

  put_fields (self, tensor_head);
  put_head (self, tensor_head);
  return plan_size (self) <= C2G_WIRE_MAX_BYTES || set_too_large (plan_size (self), error);
}

static gboolean
check_values (const C2gTensorPiece *self)
{
  C2gTensor *values = self->values;

  if (values == NULL)
    return c2g_tensor_get_device (self->tensor) == c2g_device_cpu ();

  return c2g_tensor_get_device (values) == c2g_device_cpu () &&
         c2g_tensor_get_type_meta (values) == c2g_tensor_get_type_meta (self->tensor) &&
         c2g_tensor_get_n_elements (values) == self->end - self->begin;
}

static gboolean
check_piece (const C2gTensorPiece *self)
{
  return self->name != NULL && self->begin >= 0 && self->begin <= self->end &&
         self->end <= c2g_tensor_get_n_elements (self->tensor) && check_values (self);
}

/* Buffer for encoded values: either memory of the sink for all of them, or a block that is
 * written whenever it is full. */
typedef struct
{
  C2gSink      *sink;
  const C2gJob *job;
  guint8       *data;
  gsize         n_bytes;
  gsize         capacity;
  gboolean      is_sink;
} Output;

static gboolean
output_init (Output        *self,
             C2gSink       *sink,
             gsize          n_bytes,
             const C2gJob  *job,
             GError       **error)
{
  *self = (Output) { .sink = sink, .job = job, .capacity = n_bytes };
  self->data = c2g_sink_extend (sink, n_bytes);
  self->is_sink = self->data != NULL;
  if (self->is_sink)
    return TRUE;

  self->capacity = BLOCK_BYTES;
  self->data = g_try_malloc (BLOCK_BYTES);
  if (self->data != NULL)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to write %u bytes"), BLOCK_BYTES);
}

static void
output_clear (Output *self)
{
  if (!self->is_sink)
    g_clear_pointer (&self->data, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Output, output_clear)

static gboolean
set_changed (GError **error)
{
  return c2g_fail (error, C2G_ERROR_BUSY, _("The tensor was changed while it was written"));
}

/* Writes the block. In memory of the sink the size must be exactly what was measured: otherwise
 * the tensor has changed. */
static gboolean
output_flush (Output   *self,
              gboolean  is_last,
              GError  **error)
{
  gsize n_bytes = self->n_bytes;

  if (self->is_sink)
    return is_last && n_bytes == self->capacity ? c2g_job_advance (self->job, n_bytes, error)
                                                : set_changed (error);

  self->n_bytes = 0;
  return c2g_sink_write (self->sink, self->data, n_bytes, self->job, error);
}

static gsize
output_room (const Output *self)
{
  return self->capacity - self->n_bytes;
}

static gboolean
write_varints (const Plan    *self,
               C2gSink       *sink,
               const C2gJob  *job,
               GError       **error)
{
  g_auto (Output) output = { NULL };
  gsize done = 0;

  if (!output_init (&output, sink, self->n_value_bytes, job, error))
    return FALSE;

  while (done < self->n_items)
    {
      gsize n_written;

      done += c2g_varint_encode (self->data_type, self->items + done * self->item_size,
                                 self->n_items - done, output.data + output.n_bytes,
                                 output_room (&output), &n_written);
      output.n_bytes += n_written;
      if (done < self->n_items && !output_flush (&output, FALSE, error))
        return FALSE;
    }

  return output_flush (&output, TRUE, error);
}

/* Writes a large string directly, after the block. */
static gboolean
write_large (Output         *output,
             gconstpointer   data,
             gsize           n_bytes,
             GError        **error)
{
  return output_flush (output, FALSE, error) &&
         c2g_sink_write (output->sink, data, n_bytes, output->job, error);
}

static gboolean
write_string (Output   *output,
              GBytes   *string,
              GError  **error)
{
  gsize n_bytes = 0;
  gconstpointer data = string == NULL ? NULL : g_bytes_get_data (string, &n_bytes);
  gboolean is_large = !output->is_sink && n_bytes >= LARGE_BYTES;
  gsize n_needed = 1 + c2g_varint_size (n_bytes) + (is_large ? 0 : n_bytes);
  guint8 *place;

  if (output_room (output) < n_needed && !output_flush (output, FALSE, error))
    return FALSE;

  place = output->data + output->n_bytes;
  place[0] = C2G_TENSOR_FIELD_STRINGS << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
  output->n_bytes += 1 + c2g_varint_put (place + 1, n_bytes);
  if (is_large)
    return write_large (output, data, n_bytes, error);

  if (n_bytes > 0)
    memcpy (output->data + output->n_bytes, data, n_bytes);
  output->n_bytes += n_bytes;
  return TRUE;
}

static gboolean
write_strings (const Plan    *self,
               C2gSink       *sink,
               const C2gJob  *job,
               GError       **error)
{
  g_auto (Output) output = { NULL };

  if (!output_init (&output, sink, self->n_value_bytes, job, error))
    return FALSE;

  for (gsize i = 0; i < self->n_items; i++)
    if (!write_string (&output, self->strings[i], error))
      return FALSE;

  return output_flush (&output, TRUE, error);
}

/* Writes little-endian values on a big-endian machine. */
static gboolean
write_swapped (const Plan    *self,
               C2gSink       *sink,
               const C2gJob  *job,
               GError       **error)
{
  g_auto (Output) output = { NULL };
  gsize size = self->item_size;

  if (!output_init (&output, sink, self->n_value_bytes, job, error))
    return FALSE;

  for (gsize i = 0; i < self->n_items; i++)
    {
      if (output_room (&output) < size && !output_flush (&output, FALSE, error))
        return FALSE;
      for (gsize j = 0; j < size; j++)
        output.data[output.n_bytes + j] = self->items[i * size + size - 1 - j];
      output.n_bytes += size;
    }

  return output_flush (&output, TRUE, error);
}

static gboolean
write_values (const Plan    *self,
              C2gSink       *sink,
              const C2gJob  *job,
              GError       **error)
{
  if (self->n_value_bytes == 0)
    return TRUE;
  if (self->field == C2G_TENSOR_FIELD_STRINGS)
    return write_strings (self, sink, job, error);
  if (is_varint (self))
    return write_varints (self, sink, job, error);
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    return write_swapped (self, sink, job, error);

  return c2g_sink_write (sink, self->items, self->n_value_bytes, job, error);
}

gboolean
c2g_tensor_piece_write (const C2gTensorPiece  *self,
                        C2gSink               *sink,
                        const C2gJob          *job,
                        GError               **error)
{
  g_auto (Plan) plan = { NULL };

  g_return_val_if_fail (check_piece (self), FALSE);

  if (!plan_init (&plan, self, error))
    return FALSE;

  c2g_sink_reserve (sink, plan.head->len + plan.n_value_bytes + plan.tail->len);
  return c2g_sink_write (sink, plan.head->data, plan.head->len, job, error) &&
         write_values (&plan, sink, job, error) &&
         c2g_sink_write (sink, plan.tail->data, plan.tail->len, job, error);
}
