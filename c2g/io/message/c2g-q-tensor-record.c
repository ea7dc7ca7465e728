/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-q-tensor-record-private.h>

#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/wire/c2g-dims-scan-private.h>
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

typedef struct
{
  C2gQTensorRecord *record;
  GArray           *dims;
  /* Bit set of the fields that were found. */
  guint             seen;
  gboolean          has_groups;
} Scan;

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
      return c2g_tensor_spans_add (&self->record->spans, C2G_TENSOR_FIELD_INT32S, item, error);
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

  *self = (C2gQTensorRecord) { .data_type = C2G_DATA_TYPE_INT32 };
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
  const C2gTensorRecord record = { .data_type = data_type, .end = n_items, .spans = self->spans };

  return c2g_tensor_record_read_items (&record, source, items == NULL ? (guint8 *) &nowhere : items, job, error);
}
