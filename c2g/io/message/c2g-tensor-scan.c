/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-tensor-scan-private.h>

#include <c2g/io/wire/c2g-dims-scan-private.h>
#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Locates the fields of a TensorProto in a file, merges repeated ones as protobuf does, and checks
 * them. This fills in a C2gTensorRecord, from which c2g-tensor-values.c reads later. */

/* Limit against hostile files: a span takes more memory than it takes bytes in the file. */
#define MAX_SPANS 65536

/* Caffe2's numbers of data types that exist only in the writer's program. */
#define TYPE_ZERO_COLLISION_HASH 14
#define TYPE_REBATCHING_BUFFER   15

/* Values of data_format (since 2021). */
#define FORMAT_PROTOBUF 0
#define FORMAT_BFLOAT16 1

void
c2g_tensor_scan_init (C2gTensorScan   *self,
                      C2gTensorRecord *record)
{
  *record = (C2gTensorRecord) { 0 };
  *self = (C2gTensorScan) {
    .record = record,
    .dims = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .number = C2G_DATA_TYPE_FLOAT,
  };
}

void
c2g_tensor_scan_clear (C2gTensorScan *self)
{
  g_clear_pointer (&self->dims, g_array_unref);
}

/* As in proto2, a number that is not in the enum is ignored. */
static void
merge_data_type (C2gTensorScan *self,
                 gint32         number)
{
  switch (number)
    {
    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_FLOAT:
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_BYTE:
    case C2G_DATA_TYPE_STRING:
    case C2G_DATA_TYPE_BOOL:
    case C2G_DATA_TYPE_UINT8:
    case C2G_DATA_TYPE_INT8:
    case C2G_DATA_TYPE_UINT16:
    case C2G_DATA_TYPE_INT16:
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_FLOAT16:
    case C2G_DATA_TYPE_DOUBLE:
    case TYPE_ZERO_COLLISION_HASH:
    case TYPE_REBATCHING_BUFFER:
    case C2G_DATA_TYPE_BFLOAT16:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      self->number = number;
      return;

    default:
      return;
    }
}

guint8
c2g_tensor_wire_type (guint32 field)
{
  switch (field)
    {
    case C2G_TENSOR_FIELD_FLOATS:
      return PROTOBUF_C_WIRE_TYPE_32BIT;

    case C2G_TENSOR_FIELD_DOUBLES:
      return PROTOBUF_C_WIRE_TYPE_64BIT;

    case C2G_TENSOR_FIELD_INT32S:
    case C2G_TENSOR_FIELD_INT64S:
      return PROTOBUF_C_WIRE_TYPE_VARINT;

    default:
      return PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
    }
}

/* Size of an element with a fixed size, or 0. */
static gsize
wire_size_of (guint32 field)
{
  switch (field)
    {
    case C2G_TENSOR_FIELD_FLOATS:
      return 4;

    case C2G_TENSOR_FIELD_DOUBLES:
      return 8;

    default:
      return 0;
    }
}

static gboolean
add_span (GArray              **spans,
          const C2gTensorSpan  *span,
          GError              **error)
{
  if (*spans == NULL)
    *spans = g_array_new (FALSE, FALSE, sizeof (C2gTensorSpan));
  if ((*spans)->len == MAX_SPANS)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("The values are in more than %d pieces, up to offset %" PRIu64), MAX_SPANS,
                     span->offset);

  g_array_append_val (*spans, *span);
  return TRUE;
}

static gboolean
add_packed (GArray            **spans,
            guint32             field,
            const C2gWireItem  *item,
            GError            **error)
{
  gsize size = wire_size_of (field);
  C2gTensorSpan span = {
    .field = field,
    .is_packed = TRUE,
    .offset = item->value_offset,
    .n_bytes = item->n_bytes,
  };

  if (size > 0 && item->n_bytes % size != 0)
    return c2g_wire_set_damaged (item->offset, _("packed numbers of a broken length"), error);
  if (size > 0)
    span.n_items = item->n_bytes / size;

  return item->n_bytes == 0 || add_span (spans, &span, error);
}

/* Adds a single element; consecutive ones are merged into one span. */
static gboolean
add_unpacked (GArray            **spans,
              guint32             field,
              const C2gWireItem  *item,
              GError            **error)
{
  guint64 end = item->value_offset + item->n_bytes;
  C2gTensorSpan span = {
    .field = field,
    .offset = item->offset,
    .n_bytes = end - item->offset,
    .n_items = 1,
  };

  if (*spans != NULL && (*spans)->len > 0)
    {
      C2gTensorSpan *last = &g_array_index (*spans, C2gTensorSpan, (*spans)->len - 1);

      if (!last->is_packed && last->field == field &&
          last->offset + last->n_bytes == item->offset)
        {
          last->n_bytes += span.n_bytes;
          last->n_items++;
          return TRUE;
        }
    }

  return add_span (spans, &span, error);
}

gboolean
c2g_tensor_spans_add (GArray            **spans,
                      guint32             field,
                      const C2gWireItem  *item,
                      GError            **error)
{
  if (item->wire_type == c2g_tensor_wire_type (field))
    return add_unpacked (spans, field, item, error);

  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error) &&
         add_packed (spans, field, item, error);
}

/* Merges a bytes field: the last one counts. */
static gboolean
merge_bytes (C2gTensorSpan      *span,
             gboolean           *has_span,
             const C2gWireItem  *item,
             GError            **error)
{
  *has_span = TRUE;
  *span = (C2gTensorSpan) {
    .field = item->number,
    .is_packed = TRUE,
    .offset = item->value_offset,
    .n_bytes = item->n_bytes,
  };
  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error);
}

static gboolean
merge_segment (C2gTensorScan      *self,
               C2gScanner         *scanner,
               const C2gWireItem  *item,
               GError            **error)
{
  C2gWireScan fields;
  C2gWireItem field;

  if (!c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;

  self->has_segment = TRUE;
  self->segment_offset = item->value_offset;
  c2g_wire_scan_enter (&fields, scanner, item);
  while (c2g_wire_scan_next (&fields, &field, error))
    {
      if (field.number != 1 && field.number != 2)
        continue;
      if (!c2g_wire_item_check (&field, PROTOBUF_C_WIRE_TYPE_VARINT, error))
        return FALSE;

      if (field.number == 1)
        {
          self->record->begin = (gint64) field.value;
          self->has_begin = TRUE;
        }
      else
        {
          self->record->end = (gint64) field.value;
          self->has_end = TRUE;
        }
    }

  return !fields.has_failed;
}

static gboolean
merge_device (C2gTensorScan      *self,
              C2gScanner         *scanner,
              const C2gWireItem  *item,
              GError            **error)
{
  C2gWireScan fields;
  C2gWireItem field;

  if (!c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;

  c2g_wire_scan_enter (&fields, scanner, item);
  while (c2g_wire_scan_next (&fields, &field, error))
    {
      if (field.number != 1 && field.number != 2)
        continue;
      if (!c2g_wire_item_check (&field, PROTOBUF_C_WIRE_TYPE_VARINT, error))
        return FALSE;

      if (field.number == 1)
        self->record->device_type = (gint32) field.value;
      else
        self->record->device_index = (gint32) field.value;
    }

  self->record->has_device = self->record->device_type != C2G_DEVICE_TYPE_CPU;
  return !fields.has_failed;
}

static gboolean
merge_field (C2gTensorScan      *self,
             C2gScanner         *scanner,
             const C2gWireItem  *item,
             GError            **error)
{
  switch (item->number)
    {
    case C2G_TENSOR_FIELD_DIMS:
      return c2g_dims_scan (self->dims, scanner, item, error);

    case C2G_TENSOR_FIELD_DATA_TYPE:
      merge_data_type (self, (gint32) item->value);
      return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error);

    case C2G_TENSOR_FIELD_FLOATS:
    case C2G_TENSOR_FIELD_INT32S:
    case C2G_TENSOR_FIELD_STRINGS:
    case C2G_TENSOR_FIELD_DOUBLES:
    case C2G_TENSOR_FIELD_INT64S:
      return c2g_tensor_spans_add (&self->record->spans, item->number, item, error);

    case C2G_TENSOR_FIELD_BYTES:
      return merge_bytes (&self->bytes, &self->has_bytes, item, error);

    case C2G_TENSOR_FIELD_RAW:
      return merge_bytes (&self->raw, &self->has_raw, item, error);

    case C2G_TENSOR_FIELD_NAME:
      return c2g_wire_scan_name (scanner, item, &self->record->name, error);

    case C2G_TENSOR_FIELD_DEVICE:
      return merge_device (self, scanner, item, error);

    case C2G_TENSOR_FIELD_SEGMENT:
      return merge_segment (self, scanner, item, error);

    case C2G_TENSOR_FIELD_FORMAT:
      self->format = (guint32) item->value;
      return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error);

    default:
      return TRUE;
    }
}

gboolean
c2g_tensor_scan_merge (C2gTensorScan  *self,
                       C2gWireScan    *fields,
                       GError        **error)
{
  C2gWireItem item;

  while (c2g_wire_scan_next (fields, &item, error))
    if (!merge_field (self, fields->scanner, &item, error))
      return FALSE;

  return !fields->has_failed;
}

gboolean
c2g_tensor_record_is_bfloat16 (const C2gTensorRecord *self)
{
  return self->data_type == C2G_DATA_TYPE_FLOAT && self->source_field == C2G_TENSOR_FIELD_RAW;
}

static guint
source_field_of (const C2gTensorScan *self)
{
  switch (self->number)
    {
    case C2G_DATA_TYPE_FLOAT:
      return self->format == FORMAT_BFLOAT16 ? C2G_TENSOR_FIELD_RAW : C2G_TENSOR_FIELD_FLOATS;

    case C2G_DATA_TYPE_DOUBLE:
      return C2G_TENSOR_FIELD_DOUBLES;

    case C2G_DATA_TYPE_INT32:
      return C2G_TENSOR_FIELD_INT32S;

    case C2G_DATA_TYPE_INT64:
      return C2G_TENSOR_FIELD_INT64S;

    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_STRING:
      return C2G_TENSOR_FIELD_STRINGS;

    case C2G_DATA_TYPE_BFLOAT16:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      return C2G_TENSOR_FIELD_RAW;

    case C2G_DATA_TYPE_BYTE:
      return C2G_TENSOR_FIELD_BYTES;

    default:
      return self->has_bytes ? C2G_TENSOR_FIELD_BYTES : C2G_TENSOR_FIELD_INT32S;
    }
}

static gboolean
check_type (C2gTensorScan  *self,
            GError        **error)
{
  C2gTensorRecord *record = self->record;

  if (self->number == TYPE_ZERO_COLLISION_HASH || self->number == TYPE_REBATCHING_BUFFER)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The values are of data type %d, which only the program that wrote it knows"),
                     self->number);
  if (self->format != FORMAT_PROTOBUF &&
      (self->format != FORMAT_BFLOAT16 || self->number != C2G_DATA_TYPE_FLOAT))
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The values are in format %" PRIu64 ", which is unknown"), self->format);

  record->data_type = self->number == C2G_DATA_TYPE_BYTE ? C2G_DATA_TYPE_UINT8
                                                         : (C2gDataType) self->number;
  record->source_field = source_field_of (self);
  return TRUE;
}

static gboolean
check_shape (C2gTensorScan  *self,
             GError        **error)
{
  C2gTensorRecord *record = self->record;
  gsize item_size = MAX (c2g_data_type_get_item_size (record->data_type), 1);
  gsize n_bytes;

  record->n_dims = self->dims->len;
  record->dims = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&self->dims), FALSE);
  return c2g_shape_count (record->dims, record->n_dims, &record->n_elements, error) &&
         c2g_shape_bytes (record->n_elements, item_size, &n_bytes, error);
}

static gboolean
check_segment (C2gTensorScan  *self,
               GError        **error)
{
  C2gTensorRecord *record = self->record;

  if (!self->has_segment)
    {
      record->begin = 0;
      record->end = record->n_elements;
      return TRUE;
    }
  if (!self->has_begin || !self->has_end)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("Damaged at offset %" PRIu64 ": %s without “%s”"),
                     self->segment_offset, "Segment", self->has_begin ? "end" : "begin");
  if (record->begin >= 0 && record->begin <= record->end && record->end <= record->n_elements)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Elements %" PRId64 " to %" PRId64 " of a tensor of %" PRId64), record->begin,
                   record->end, record->n_elements);
}

/* Size of an element in byte_data or raw_data. */
static gsize
raw_size_of (const C2gTensorRecord *record)
{
  return c2g_tensor_record_is_bfloat16 (record) ? 2
                                                : c2g_data_type_get_item_size (record->data_type);
}

static gboolean
take_bytes (C2gTensorScan  *self,
            GError        **error)
{
  C2gTensorRecord *record = self->record;
  gboolean is_raw = record->source_field == C2G_TENSOR_FIELD_RAW;
  C2gTensorSpan *span = is_raw ? &self->raw : &self->bytes;
  gsize size = raw_size_of (record);

  if (span->n_bytes % size != 0)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("The bytes are no whole number of %s elements"),
                     c2g_data_type_get_name (record->data_type));

  span->n_items = span->n_bytes / size;
  return span->n_items == 0 || add_span (&self->record->spans, span, error);
}

/* Keeps only the spans of the field with the values. */
static void
drop_other_spans (C2gTensorRecord *record)
{
  guint n = 0;

  for (guint i = 0; record->spans != NULL && i < record->spans->len; i++)
    {
      C2gTensorSpan *span = &g_array_index (record->spans, C2gTensorSpan, i);

      if (span->field == record->source_field)
        {
          record->n_value_bytes += span->n_bytes;
          g_array_index (record->spans, C2gTensorSpan, n++) = *span;
        }
    }

  if (record->spans != NULL)
    g_array_set_size (record->spans, n);
}

/* Bounds on the number of values in the spans. A packed varint has 1 to 10 bytes. */
static void
count_values (const C2gTensorRecord *record,
              guint64               *minimum,
              guint64               *maximum)
{
  *minimum = 0;
  *maximum = 0;
  for (guint i = 0; record->spans != NULL && i < record->spans->len; i++)
    {
      const C2gTensorSpan *span = &g_array_index (record->spans, C2gTensorSpan, i);
      gboolean is_known = !span->is_packed ||
                          c2g_tensor_wire_type (span->field) != PROTOBUF_C_WIRE_TYPE_VARINT;

      *minimum += is_known ? span->n_items : (span->n_bytes + 9) / C2G_VARINT_MAX_BYTES;
      *maximum += is_known ? span->n_items : span->n_bytes;
    }
}

static gboolean
check_values (const C2gTensorRecord  *record,
              GError                **error)
{
  guint64 n_expected = record->end - record->begin;
  guint64 minimum, maximum;

  count_values (record, &minimum, &maximum);
  if (minimum <= n_expected && n_expected <= maximum)
    return TRUE;

  if (minimum == maximum)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %" PRIu64 " values of type %s, got %" PRIu64),
                 n_expected, c2g_data_type_get_name (record->data_type), minimum);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %" PRIu64 " values of type %s, got %" PRIu64 " to %" PRIu64),
                 n_expected, c2g_data_type_get_name (record->data_type), minimum, maximum);
  return FALSE;
}

gboolean
c2g_tensor_scan_finish (C2gTensorScan  *self,
                        GError        **error)
{
  C2gTensorRecord *record = self->record;

  if (!check_type (self, error) || !check_shape (self, error) || !check_segment (self, error))
    return FALSE;
  if ((record->source_field == C2G_TENSOR_FIELD_BYTES ||
       record->source_field == C2G_TENSOR_FIELD_RAW) &&
      !take_bytes (self, error))
    return FALSE;

  drop_other_spans (record);
  return check_values (record, error);
}
