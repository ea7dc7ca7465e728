/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* What of a tensor becomes a message: the elements from begin up to end. */
typedef struct
{
  /* With memory, which is not changed meanwhile. */
  C2gTensor   *tensor;
  /* The elements of the piece alone, in a row on the CPU; NULL if the tensor is there. */
  C2gTensor   *values;
  const char  *name;
  gint64       begin;
  gint64       end;
  /* Where it was saved from, NULL or the CPU to say nothing. */
  C2gDevice   *device;
  /* float16 in byte_data, as Caffe2 does when caffe2_serialize_fp16_as_bytes is set. */
  gboolean     float16_as_bytes;

  /* For elements of a type without a number, which the writer cannot read: the BlobProto
   * of each, end - begin of them. */
  GBytes     **items;
} C2gTensorPiece;

/* The whole BlobProto, byte for byte as Caffe2 writes it.  Its size is known before
 * anything is written, and an error if it is beyond what protobuf allows (2 GiB - 1).
 * Writing tells the job of every byte. */
gboolean c2g_tensor_piece_measure (const C2gTensorPiece  *self,
                                   gsize                 *n_bytes,
                                   GError               **error);
gboolean c2g_tensor_piece_write   (const C2gTensorPiece  *self,
                                   C2gSink               *sink,
                                   const C2gJob          *job,
                                   GError               **error);

G_END_DECLS
