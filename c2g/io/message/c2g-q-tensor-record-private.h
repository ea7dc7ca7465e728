/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-blob-record-private.h>

G_BEGIN_DECLS

/* The fields of a QTensorProto in a source, like C2gTensorRecord for a TensorProto. */
typedef struct
{
  gint64  *dims;
  gsize    n_dims;
  gint64   n_elements;
  gint32   precision;
  double   scale;
  double   bias;
  gboolean is_signed;
  /* Data type of an Int8 tensor, written since 2018; INT32 if it is missing. */
  gint32   data_type;

  /* Size of the values in the source. Each value takes at least a byte, so this limits their
   * number. */
  guint64  n_value_bytes;
  GArray  *spans;
} C2gQTensorRecord;

/* Scans the QTensorProto of a blob; an error if there is none. */
gboolean c2g_q_tensor_record_scan_blob (C2gQTensorRecord        *self,
                                        const C2gBlobRecord     *blob,
                                        C2gSource               *source,
                                        GError                 **error);
void     c2g_q_tensor_record_clear     (C2gQTensorRecord        *self);
/* Reads exactly n_items values as UINT8 (the low byte of each) or INT32. */
gboolean c2g_q_tensor_record_read      (const C2gQTensorRecord  *self,
                                        C2gSource               *source,
                                        C2gDataType              data_type,
                                        gpointer                 items,
                                        gsize                    n_items,
                                        const C2gJob            *job,
                                        GError                 **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gQTensorRecord, c2g_q_tensor_record_clear)

G_END_DECLS
