/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-tensor-record-private.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

G_BEGIN_DECLS

/* Field numbers of TensorProto. */
enum
{
  C2G_TENSOR_FIELD_DIMS = 1,
  C2G_TENSOR_FIELD_DATA_TYPE = 2,
  C2G_TENSOR_FIELD_FLOATS = 3,
  C2G_TENSOR_FIELD_INT32S = 4,
  C2G_TENSOR_FIELD_BYTES = 5,
  C2G_TENSOR_FIELD_STRINGS = 6,
  C2G_TENSOR_FIELD_NAME = 7,
  C2G_TENSOR_FIELD_DEVICE = 8,
  C2G_TENSOR_FIELD_DOUBLES = 9,
  C2G_TENSOR_FIELD_INT64S = 10,
  C2G_TENSOR_FIELD_SEGMENT = 11,
  /* Caffe2's raw_data and data_format of 2021, also used for types of c2g. With FORMAT 1 the data
   * is bfloat16: the upper halves of floats. */
  C2G_TENSOR_FIELD_RAW = 13,
  C2G_TENSOR_FIELD_FORMAT = 15,
};

/* A contiguous range of the values: a packed field, or consecutive single fields of one number,
 * with their tags. */
typedef struct
{
  guint32  field;
  gboolean is_packed;
  guint64  offset;
  guint64  n_bytes;
  /* Unknown for packed varints. */
  guint64  n_items;
} C2gTensorSpan;

/* A record while it is scanned. As in protobuf, a message may come in several parts, which are
 * merged. */
typedef struct
{
  C2gTensorRecord *record;
  GArray          *dims;

  gint32           number;
  guint64          format;

  gboolean         has_bytes;
  C2gTensorSpan    bytes;
  gboolean         has_raw;
  C2gTensorSpan    raw;

  gboolean         has_segment;
  guint64          segment_offset;
  gboolean         has_begin;
  gboolean         has_end;
} C2gTensorScan;

void     c2g_tensor_scan_init   (C2gTensorScan    *self,
                                 C2gTensorRecord  *record);
gboolean c2g_tensor_scan_merge  (C2gTensorScan    *self,
                                 C2gWireScan      *fields,
                                 GError          **error);
/* Checks the merged fields. */
gboolean c2g_tensor_scan_finish (C2gTensorScan    *self,
                                 GError          **error);
void     c2g_tensor_scan_clear  (C2gTensorScan    *self);

/* Returns the wire type of a single value of the field. */
guint8   c2g_tensor_wire_type   (guint32           field);
/* Adds one or more values of the field to the spans, which may be NULL. The item may have another
 * number: in a QTensorProto the values of INT32S have one of their own. */
gboolean c2g_tensor_spans_add   (GArray           **spans,
                                 guint32            field,
                                 const C2gWireItem *item,
                                 GError           **error);

/* Returns TRUE if the values are bfloat16. */
gboolean c2g_tensor_record_is_bfloat16 (const C2gTensorRecord *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gTensorScan, c2g_tensor_scan_clear)

G_END_DECLS
