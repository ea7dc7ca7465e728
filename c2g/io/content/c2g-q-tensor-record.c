/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/content/c2g-q-tensor-record-private.h>

#include <c2g/io/wire/c2g-dims-scan-private.h>
#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Locates the fields of a QTensorProto in a file, and reads its values. The serializers of QTensor
 * and Int8Tensor use it. */

/* Field numbers of QTensorProto. */
enum
{
  FIELD_DIMS = 1,
  FIELD_PRECISION = 2,
  FIELD_SCALE = 3,
  FIELD_BIAS = 4,
  FIELD_IS_SIGNED = 5,
  FIELD_DATA = 6,
  FIELD_NAME = 7,
  FIELD_DATA_TYPE = 8,
  /* Added in 2020: scales and biases of groups along an axis. */
  FIELD_SCALES = 9,
  FIELD_BIASES = 10,
  FIELD_AXIS = 11,
  FIELD_IS_MULTIPARAM = 12,
};

/* Limit against hostile files: a span takes more memory than it takes bytes in the file. */
#define MAX_SPANS 65536

#define WINDOW_BYTES (64u << 10)

/* A contiguous range of values: a packed field, or consecutive single fields. */
typedef struct
{
  gboolean is_packed;
  guint64  offset;
  guint64  n_bytes;
} Span;

typedef struct
{
  C2gQTensorRecord *record;
  GArray           *dims;
  /* Bit set of the fields that were found. */
  guint             seen;
  gboolean          has_groups;
} Scan;

/* Adds a span; consecutive single fields are merged into one. */
static gboolean
add_span (GArray             *spans,
          const C2gWireItem  *item,
          GError            **error)
{
  gboolean is_packed = item->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
  guint64 offset = is_packed ? item->value_offset : item->offset;
  Span span = { is_packed, offset, item->value_offset + item->n_bytes - offset };
  Span *last = spans->len > 0 ? &g_array_index (spans, Span, spans->len - 1) : NULL;

  if (!is_packed && last != NULL && !last->is_packed && last->offset + last->n_bytes == offset)
    {
      last->n_bytes += span.n_bytes;
      return TRUE;
    }
  if (spans->len == MAX_SPANS)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("The values are in more than %d pieces, up to offset %" PRIu64), MAX_SPANS,
                     offset);

  g_array_append_val (spans, span);
  return TRUE;
}

static gboolean
scan_list (Scan               *self,
           C2gScanner         *scanner,
           const C2gWireItem  *item,
           GError            **error)
{
  gboolean is_packed = item->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;

  if (!is_packed && !c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error))
    return FALSE;

  if (item->number == FIELD_DATA)
    {
      self->record->n_value_bytes += item->n_bytes;
      return add_span (self->record->spans, item, error);
    }

  return c2g_dims_scan (self->dims, scanner, item, error);
}

static gboolean
scan_number (Scan               *self,
             const C2gWireItem  *item,
             GError            **error)
{
  C2gQTensorRecord *record = self->record;

  self->seen |= 1u << item->number;
  switch (item->number)
    {
    case FIELD_PRECISION:
      record->precision = (gint32) item->value;
      break;

    case FIELD_IS_SIGNED:
      record->is_signed = item->value != 0;
      break;

    case FIELD_DATA_TYPE:
      record->data_type = (gint32) item->value;
      break;

    default:
      self->has_groups |= item->value != 0;
      break;
    }

  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error);
}

static gboolean
scan_double (Scan               *self,
             const C2gWireItem  *item,
             GError            **error)
{
  self->seen |= 1u << item->number;
  if (item->number == FIELD_SCALE)
    memcpy (&self->record->scale, &item->value, sizeof item->value);
  else
    memcpy (&self->record->bias, &item->value, sizeof item->value);

  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_64BIT, error);
}

static gboolean
scan_field (Scan               *self,
            C2gScanner         *scanner,
            const C2gWireItem  *item,
            GError            **error)
{
  switch (item->number)
    {
    case FIELD_DIMS:
    case FIELD_DATA:
      return scan_list (self, scanner, item, error);

    case FIELD_PRECISION:
    case FIELD_IS_SIGNED:
    case FIELD_DATA_TYPE:
    case FIELD_IS_MULTIPARAM:
      return scan_number (self, item, error);

    case FIELD_SCALE:
    case FIELD_BIAS:
      return scan_double (self, item, error);

    case FIELD_SCALES:
    case FIELD_BIASES:
      self->has_groups |= item->n_bytes > 0;
      return TRUE;

    case FIELD_NAME:
      return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error);

    case FIELD_AXIS:
    default:
      return TRUE;
    }
}

static gboolean
check_required (const Scan  *self,
                guint64      offset,
                GError     **error)
{
  static const struct
  {
    guint       field;
    const char *name;
  } required[] = {
    { FIELD_PRECISION, "precision" },
    { FIELD_SCALE, "scale" },
    { FIELD_BIAS, "bias" },
    { FIELD_IS_SIGNED, "is_signed" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (required); i++)
    if ((self->seen & 1u << required[i].field) == 0)
      return c2g_fail (error, C2G_ERROR_CORRUPT,
                       _("Damaged at offset %" PRIu64 ": %s without “%s”"), offset, "QTensorProto",
                       required[i].name);

  return TRUE;
}

static gboolean
finish (Scan     *self,
        guint64   offset,
        GError  **error)
{
  C2gQTensorRecord *record = self->record;

  if (!check_required (self, offset, error))
    return FALSE;
  if (self->has_groups)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The tensor is quantized in several groups, "
                       "each with a scale of its own"));

  record->n_dims = self->dims->len;
  record->dims = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&self->dims), FALSE);
  return c2g_shape_count (record->dims, record->n_dims, &record->n_elements, error);
}

static gboolean
scan_fields (Scan         *self,
             C2gWireScan  *fields,
             GError      **error)
{
  C2gWireItem item;

  while (c2g_wire_scan_next (fields, &item, error))
    if (!scan_field (self, fields->scanner, &item, error))
      return FALSE;

  return !fields->has_failed;
}

/* Initializes SELF, also on failure; clear it with c2g_q_tensor_record_clear(). */
static gboolean
scan_message (C2gQTensorRecord  *self,
              C2gScanner        *scanner,
              guint64            offset,
              gsize              n_bytes,
              GError           **error)
{
  Scan scan = { .record = self, .dims = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  C2gWireScan fields;
  gboolean done;

  *self = (C2gQTensorRecord) {
    .data_type = C2G_DATA_TYPE_INT32,
    .spans = g_array_new (FALSE, FALSE, sizeof (Span)),
  };
  done = c2g_wire_scan_init (&fields, scanner, offset, n_bytes, error) &&
         scan_fields (&scan, &fields, error) && finish (&scan, offset, error);
  g_clear_pointer (&scan.dims, g_array_unref);
  return done;
}

gboolean
c2g_q_tensor_record_scan_blob (C2gQTensorRecord     *self,
                               const C2gBlobRecord  *blob,
                               C2gSource            *source,
                               GError              **error)
{
  g_auto (C2gScanner) scanner = { NULL };

  *self = (C2gQTensorRecord) { NULL };
  if (!blob->has_qtensor)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("No tensor in a blob of type “%s”"), blob->type);

  c2g_scanner_init (&scanner, source);
  return scan_message (self, &scanner, blob->qtensor_offset, blob->n_qtensor_bytes, error);
}

void
c2g_q_tensor_record_clear (C2gQTensorRecord *self)
{
  g_clear_pointer (&self->dims, g_free);
  g_clear_pointer (&self->spans, g_array_unref);
}

/* State of reading the values. */
typedef struct
{
  C2gSource    *source;
  const C2gJob *job;
  C2gDataType   data_type;
  gsize         item_size;
  guint8       *items;
  gsize         n_items;
  gsize         n_done;
  /* Buffer for a source that is not in memory; allocated when needed. */
  guint8       *window;
} Values;

static gboolean
set_count (const Values  *self,
           GError       **error)
{
  if (self->n_done < self->n_items)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %zu values of type %s, got %zu"), self->n_items,
                 c2g_data_type_get_name (self->data_type), self->n_done);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %zu values of type %s, got more"), self->n_items,
                 c2g_data_type_get_name (self->data_type));
  return FALSE;
}

static const guint8 *
look (Values   *self,
      guint64   offset,
      gsize     n_bytes,
      GError  **error)
{
  const guint8 *data = c2g_source_peek (self->source);

  if (data != NULL)
    return data + offset;

  if (self->window == NULL)
    self->window = g_malloc (WINDOW_BYTES);
  return c2g_source_read (self->source, offset, self->window, n_bytes, NULL, error) ? self->window
                                                                                   : NULL;
}

static gboolean
read_packed (Values      *self,
             const Span  *span,
             GError     **error)
{
  guint64 position = 0;

  while (position < span->n_bytes)
    {
      gsize n_window = MIN (span->n_bytes - position, WINDOW_BYTES);
      const guint8 *data = look (self, span->offset + position, n_window, error);
      gsize n_used = 0;
      gsize n_done = 0;
      gboolean is_whole;

      if (data == NULL)
        return FALSE;

      is_whole = c2g_varint_decode (self->data_type, data, n_window, &n_used,
                                    self->items + self->n_done * self->item_size,
                                    self->n_items - self->n_done, &n_done);
      self->n_done += n_done;
      if (is_whole && self->n_done == self->n_items && n_used < n_window)
        return set_count (self, error);
      if (!is_whole || n_used == 0)
        return c2g_wire_set_damaged (span->offset + position + n_used,
                                     _("a packed number does not end"), error);
      if (!c2g_job_advance (self->job, n_used, error))
        return FALSE;
      position += n_used;
    }

  return TRUE;
}

static gboolean
read_unpacked (Values      *self,
               const Span  *span,
               GError     **error)
{
  g_auto (C2gScanner) scanner = { NULL };
  C2gWireScan fields;
  C2gWireItem item;

  c2g_scanner_init (&scanner, self->source);
  if (!c2g_wire_scan_init (&fields, &scanner, span->offset, span->n_bytes, error))
    return FALSE;

  while (c2g_wire_scan_next (&fields, &item, error))
    {
      /* Do not store more than n_items values; set_count() reports the excess. */
      if (self->n_done < self->n_items)
        c2g_varint_store (self->data_type, self->items, self->n_done, item.value);
      self->n_done++;
    }

  if (fields.has_failed || !c2g_job_advance (self->job, span->n_bytes, error))
    return FALSE;
  return self->n_done <= self->n_items || set_count (self, error);
}

static gboolean
read_spans (Values        *self,
            const GArray  *spans,
            GError       **error)
{
  for (guint i = 0; i < spans->len; i++)
    {
      const Span *span = &g_array_index (spans, Span, i);

      if (span->is_packed ? !read_packed (self, span, error) : !read_unpacked (self, span, error))
        return FALSE;
    }

  return self->n_done == self->n_items || set_count (self, error);
}

gboolean
c2g_q_tensor_record_read (const C2gQTensorRecord  *self,
                          C2gSource               *source,
                          C2gDataType              data_type,
                          gpointer                 items,
                          gsize                    n_items,
                          const C2gJob            *job,
                          GError                 **error)
{
  /* Dummy address for an empty tensor. */
  guint64 nowhere;
  Values values = {
    .source = source,
    .job = job,
    .data_type = data_type,
    .item_size = c2g_data_type_get_item_size (data_type),
    .items = items == NULL ? (guint8 *) &nowhere : items,
    .n_items = n_items,
  };
  gboolean done = read_spans (&values, self->spans, error);

  g_free (values.window);
  return done;
}
