/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-blob-record-private.h>

G_BEGIN_DECLS

/* A QTensorProto as it lies in a source: what C2gTensorRecord is for a TensorProto. */
typedef struct
{
  gint64  *dims;
  gsize    n_dims;
  gint64   n_elements;
  gint32   precision;
  double   scale;
  double   bias;
  gboolean is_signed;
  /* Since 2018, for Int8 tensors: the number of a data type, INT32 where there is none. */
  gint32   data_type;

  /* What the values take in the source.  Each is a byte at least, so there are no more of
   * them than this. */
  guint64  n_value_bytes;
  GArray  *spans;
} C2gQTensorRecord;

/* Initializes self, also when it fails; clear with c2g_q_tensor_record_clear(). */
gboolean c2g_q_tensor_record_scan      (C2gQTensorRecord        *self,
                                        C2gScanner              *scanner,
                                        guint64                  offset,
                                        gsize                    n_bytes,
                                        GError                 **error);
/* The one of a blob; an error if it has none. */
gboolean c2g_q_tensor_record_scan_blob (C2gQTensorRecord        *self,
                                        const C2gBlobRecord     *blob,
                                        C2gSource               *source,
                                        GError                 **error);
void     c2g_q_tensor_record_clear     (C2gQTensorRecord        *self);
/* All values, which must be so many, as UINT8 (the low byte of each) or INT32. */
gboolean c2g_q_tensor_record_read      (const C2gQTensorRecord  *self,
                                        C2gSource               *source,
                                        C2gDataType              data_type,
                                        gpointer                 items,
                                        gsize                    n_items,
                                        const C2gJob            *job,
                                        GError                 **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gQTensorRecord, c2g_q_tensor_record_clear)

G_END_DECLS
