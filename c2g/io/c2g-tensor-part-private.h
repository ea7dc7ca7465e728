/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>

#include <c2g/io/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* A TensorProto that has been checked: what it says fits together, and there are
 * as many values as it speaks of.  It holds the elements from begin up to end of
 * a tensor; all of them unless the tensor was written in chunks.
 */
typedef struct
{
  const Caffe2__TensorProto *proto;
  C2gDataType                data_type;
  gint64                     n_elements;
  gint64                     begin;
  gint64                     end;
} C2gTensorPart;

gboolean   c2g_tensor_part_init       (C2gTensorPart              *self,
                                       const Caffe2__TensorProto  *proto,
                                       GError                    **error);
/* A tensor of the whole size, its memory allocated and nothing in it. */
C2gTensor *c2g_tensor_part_new_tensor (const C2gTensorPart        *self,
                                       GError                    **error);
/* Puts the part's elements where they belong in such a tensor. */
gboolean   c2g_tensor_part_read       (const C2gTensorPart        *self,
                                       C2gTensor                  *tensor,
                                       GError                    **error);
/* A new tensor with the part in it, zero elsewhere. */
C2gTensor *c2g_tensor_part_to_tensor  (const C2gTensorPart        *self,
                                       GError                    **error);

/* The message of a tensor on the CPU, unchunked, in two steps: what init filled in
 * points into the tensor and into memory that clear releases. */
gboolean   c2g_tensor_proto_fill      (Caffe2__TensorProto        *proto,
                                       C2gTensor                  *tensor,
                                       const char                 *name,
                                       GError                    **error);
void       c2g_tensor_proto_clear     (Caffe2__TensorProto        *proto);

G_END_DECLS
