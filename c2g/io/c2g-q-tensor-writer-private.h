/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-data-type.h>
#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* What becomes the BlobProto of a QTensor or of an Int8 tensor. */
typedef struct
{
  /* Of the blob. */
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
  /* Whether the message says so. */
  gboolean      has_data_type;
  gconstpointer items;
  gsize         n_items;
} C2gQTensorPiece;

/* Byte for byte as Caffe2 writes it; tells the job of every byte. */
gboolean c2g_q_tensor_piece_write (const C2gQTensorPiece  *self,
                                   C2gSink                *sink,
                                   const C2gJob           *job,
                                   GError                **error);

G_END_DECLS
