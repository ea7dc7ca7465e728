/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* The elements from BEGIN up to END of a tensor, to be written as a message. */
typedef struct
{
  /* Allocated, and not changed meanwhile. */
  C2gTensor   *tensor;
  /* A CPU copy of just these elements; NULL if the tensor is on the CPU. */
  C2gTensor   *values;
  const char  *name;
  gint64       begin;
  gint64       end;
  /* The device that the message names; none if NULL or the CPU. */
  C2gDevice   *device;
  /* Write float16 as byte_data, like Caffe2 with caffe2_serialize_fp16_as_bytes. */
  gboolean     float16_as_bytes;

  /* The BlobProto of each element (END - BEGIN of them), for registered types. */
  GBytes     **items;
} C2gTensorPiece;

/* Writes the whole BlobProto, with the same bytes as Caffe2. A size beyond protobuf's limit of
 * 2 GiB - 1 is an error before anything is written. Reports all bytes to the job. */
gboolean c2g_tensor_piece_write (const C2gTensorPiece  *self,
                                 C2gSink               *sink,
                                 const C2gJob          *job,
                                 GError               **error);

G_END_DECLS
