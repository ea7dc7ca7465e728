/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-blob-record-private.h>

#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Locates the fields of a BlobProto in a file without reading large values. Recognizes a TensorProto
 * that stands alone, without a BlobProto around it. */

/* Field numbers of BlobProto. */
enum
{
  FIELD_NAME = 1,
  FIELD_TYPE = 2,
  FIELD_TENSOR = 3,
  FIELD_CONTENT = 4,
  FIELD_Q_TENSOR = 5,
  FIELD_N_CHUNKS = 6,
  FIELD_CHUNK = 7,
};

typedef enum
{
  KIND_UNKNOWN,
  KIND_BLOB,
  KIND_TENSOR,
} Kind;

typedef struct
{
  C2gBlobRecord *record;
  C2gTensorScan  tensor;
  gint32         n_chunks;
  gint32         chunk;
} BlobScan;

/* Tells a BlobProto from a TensorProto by a field whose number and wire type only one of them
 * has: fields 1 and 2 are the name and type of a blob, but the dims and data type of a tensor. */
static Kind
kind_of_item (const C2gWireItem *item)
{
  gboolean has_length = item->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;

  switch (item->number)
    {
    /* Dims may be packed, and values usually are: then they have a length too. */
    case FIELD_NAME:
    case FIELD_TENSOR:
    case FIELD_CONTENT:
    case FIELD_Q_TENSOR:
      return has_length ? KIND_UNKNOWN : KIND_TENSOR;

    case FIELD_TYPE:
      return has_length ? KIND_BLOB : KIND_TENSOR;

    case FIELD_N_CHUNKS:
    case FIELD_CHUNK:
      return has_length ? KIND_TENSOR : KIND_BLOB;

    case C2G_TENSOR_FIELD_DEVICE:
    case C2G_TENSOR_FIELD_DOUBLES:
    case C2G_TENSOR_FIELD_INT64S:
    case C2G_TENSOR_FIELD_SEGMENT:
    case C2G_TENSOR_FIELD_RAW:
    case C2G_TENSOR_FIELD_FORMAT:
      return KIND_TENSOR;

    default:
      return KIND_UNKNOWN;
    }
}

/* If no field decides, the message is a tensor if it has values and no name. */
static gboolean
is_bare_tensor (const C2gWireScan *all)
{
  C2gWireScan fields = *all;
  gboolean has_name = FALSE;
  gboolean has_values = FALSE;
  C2gWireItem item;

  while (c2g_wire_scan_next (&fields, &item, NULL))
    {
      Kind kind = kind_of_item (&item);

      if (kind != KIND_UNKNOWN)
        return kind == KIND_TENSOR;
      has_name |= item.number == FIELD_NAME;
      has_values |= item.number >= FIELD_TENSOR && item.number <= FIELD_Q_TENSOR;
    }

  return !fields.has_failed && has_values && !has_name;
}

/* Notes the place of a field of bytes. */
static gboolean
scan_bytes (const C2gWireItem  *item,
            gboolean           *has_content,
            guint64            *offset,
            gsize              *n_bytes,
            GError            **error)
{
  *has_content = TRUE;
  *offset = item->value_offset;
  *n_bytes = item->n_bytes;
  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error);
}

/* Refuses a repeated field. A parser has to merge the two, but no known program writes that. */
static gboolean
scan_q_tensor (C2gBlobRecord      *record,
               const C2gWireItem  *item,
               GError            **error)
{
  if (record->has_qtensor)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("A second part of a QTensor at offset %" PRIu64), item->offset);

  return scan_bytes (item, &record->has_qtensor, &record->qtensor_offset,
                       &record->n_qtensor_bytes, error);
}

static gboolean
scan_tensor (BlobScan           *self,
             C2gScanner         *scanner,
             const C2gWireItem  *item,
             GError            **error)
{
  C2gWireScan fields;

  if (!c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;

  self->record->has_tensor = TRUE;
  c2g_wire_scan_enter (&fields, scanner, item);
  return c2g_tensor_scan_merge (&self->tensor, &fields, error);
}

static gboolean
scan_item (BlobScan           *self,
           C2gScanner         *scanner,
           const C2gWireItem  *item,
           GError            **error)
{
  C2gBlobRecord *record = self->record;

  switch (item->number)
    {
    case FIELD_NAME:
      return c2g_wire_scan_name (scanner, item, &record->name, error);

    case FIELD_TYPE:
      return c2g_wire_scan_name (scanner, item, &record->type, error);

    case FIELD_TENSOR:
      return scan_tensor (self, scanner, item, error);

    case FIELD_CONTENT:
      return scan_bytes (item, &record->has_content, &record->content_offset,
                           &record->n_content_bytes, error);

    case FIELD_Q_TENSOR:
      return scan_q_tensor (record, item, error);

    case FIELD_N_CHUNKS:
      self->n_chunks = (gint32) item->value;
      return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error);

    case FIELD_CHUNK:
      self->chunk = (gint32) item->value;
      return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error);

    default:
      return TRUE;
    }
}

static gboolean
check_chunks (BlobScan  *self,
              GError   **error)
{
  if (self->n_chunks < 1 || self->chunk < 0 || self->chunk >= self->n_chunks)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("Chunk %d of %d chunks"), self->chunk,
                     self->n_chunks);

  self->record->n_chunks = self->n_chunks;
  self->record->chunk = self->chunk;
  return TRUE;
}

static gboolean
scan_blob (BlobScan     *self,
           C2gWireScan  *fields,
           GError      **error)
{
  C2gWireItem item;

  while (c2g_wire_scan_next (fields, &item, error))
    if (!scan_item (self, fields->scanner, &item, error))
      return FALSE;

  return !fields->has_failed && check_chunks (self, error) &&
         (!self->record->has_tensor || c2g_tensor_scan_finish (&self->tensor, error));
}

static gboolean
scan_bare_tensor (BlobScan     *self,
                  C2gWireScan  *fields,
                  GError      **error)
{
  C2gBlobRecord *record = self->record;

  record->has_tensor = TRUE;
  record->type = g_strdup (C2G_BLOB_TYPE_TENSOR);
  if (!c2g_tensor_scan_merge (&self->tensor, fields, error))
    return FALSE;

  record->name = g_strdup (record->tensor.name);
  return c2g_tensor_scan_finish (&self->tensor, error);
}

gboolean
c2g_blob_record_scan (C2gBlobRecord  *self,
                      C2gScanner     *scanner,
                      guint64         offset,
                      gsize           n_bytes,
                      GError        **error)
{
  BlobScan scan = { .record = self, .n_chunks = 1 };
  C2gWireScan fields;
  gboolean done;

  *self = (C2gBlobRecord) { .n_chunks = 1 };
  if (!c2g_wire_scan_init (&fields, scanner, offset, n_bytes, error))
    return FALSE;

  c2g_tensor_scan_init (&scan.tensor, &self->tensor);
  done = is_bare_tensor (&fields) ? scan_bare_tensor (&scan, &fields, error)
                                  : scan_blob (&scan, &fields, error);
  c2g_tensor_scan_clear (&scan.tensor);
  return done;
}

void
c2g_blob_record_clear (C2gBlobRecord *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->type, g_free);
  c2g_tensor_record_clear (&self->tensor);
}

/* Caffe2 reads both names and writes only "Tensor". */
gboolean
c2g_blob_record_is_tensor (const C2gBlobRecord *self)
{
  return g_strcmp0 (self->type, C2G_BLOB_TYPE_TENSOR) == 0 ||
         g_strcmp0 (self->type, "TensorCPU") == 0;
}
