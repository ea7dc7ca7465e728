/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-tensor-record-private.h>

G_BEGIN_DECLS

/* Names of BlobProto types that Caffe2 writes. */
#define C2G_BLOB_TYPE_TENSOR      "Tensor"
#define C2G_BLOB_TYPE_STRING      "std::string"
#define C2G_BLOB_TYPE_Q_TENSOR    "QTensor"
#define C2G_BLOB_TYPE_INT8_TENSOR "Int8TensorCPU"
#define C2G_BLOB_TYPE_COUNTER     "std::unique_ptr<Counter<int64_t>>"

/* The fields of a BlobProto in a source. Large values are not read, only located. */
typedef struct
{
  /* Converted to UTF-8; NULL if the message has none. */
  char            *name;
  char            *type;

  gboolean         has_tensor;
  C2gTensorRecord  tensor;

  gboolean         has_content;
  guint64          content_offset;
  gsize            n_content_bytes;

  gboolean         has_qtensor;
  guint64          qtensor_offset;
  gsize            n_qtensor_bytes;

  /* Content in several messages: their number, and the index of this one. Otherwise 1 and 0. */
  guint            n_chunks;
  guint            chunk;
} C2gBlobRecord;

/* Initializes SELF, also on failure; clear it with c2g_blob_record_clear(). A bare TensorProto is
 * read as a blob of type Tensor. */
gboolean c2g_blob_record_scan      (C2gBlobRecord        *self,
                                    C2gScanner           *scanner,
                                    guint64               offset,
                                    gsize                 n_bytes,
                                    GError              **error);
void     c2g_blob_record_clear     (C2gBlobRecord        *self);
/* Returns TRUE for the type "Tensor" and its older name "TensorCPU". */
gboolean c2g_blob_record_is_tensor (const C2gBlobRecord  *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gBlobRecord, c2g_blob_record_clear)

G_END_DECLS
