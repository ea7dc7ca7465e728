/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>
#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* A QTensor or Int8 tensor to be written as a BlobProto. */
typedef struct
{
  /* Type of the blob. */
  const char   *type;
  const char   *name;

  const gint64 *dims;
  gsize         n_dims;
  guint         precision;
  double        scale;
  double        bias;
  gboolean      is_signed;

  /* UINT8 or INT32. */
  C2gDataType   data_type;
  /* TRUE to write the data type into the message. */
  gboolean      has_data_type;
  gconstpointer items;
  gsize         n_items;
} C2gQTensorPiece;

/* Writes the same bytes as Caffe2; reports all bytes to the job. */
gboolean c2g_q_tensor_piece_write (const C2gQTensorPiece  *self,
                                   C2gSink                *sink,
                                   const C2gJob           *job,
                                   GError                **error);

G_END_DECLS
