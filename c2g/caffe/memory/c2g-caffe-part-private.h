/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-mixed-tensor.h>

G_BEGIN_DECLS

/* A reference from a blob to a mixed tensor. Several blobs may use the same tensor, which counts
 * them. */
typedef struct
{
  C2gMixedTensor *tensor;
  /* FALSE if the blob made the tensor itself. */
  gboolean        is_borrowed;
  /* TRUE if this blob locks the type: then nobody may write the tensor in another type. */
  gboolean        is_locked;
} C2gCaffePart;

/* Replaces the tensor, and takes a reference. */
void     c2g_caffe_part_use       (C2gCaffePart   *self,
                                   C2gMixedTensor *tensor,
                                   gboolean        is_borrowed,
                                   gboolean        is_locked);
void     c2g_caffe_part_clear     (C2gCaffePart   *self);
/* Returns TRUE if other blobs use the tensor too. */
gboolean c2g_caffe_part_is_shared (C2gCaffePart   *self);

G_END_DECLS
