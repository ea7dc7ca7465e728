/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-mixed-tensor.h>

G_BEGIN_DECLS

/* A blob's use of a mixed tensor.  Several blobs may use the same one; the tensor counts them. */
typedef struct
{
  C2gMixedTensor *tensor;
  /* TRUE unless the blob made the tensor itself. */
  gboolean        is_borrowed;
  /* TRUE if the blob forbids everybody to write another type. */
  gboolean        is_locked;
} C2gCaffePart;

/* Replaces the tensor, and takes a reference. */
void     c2g_caffe_part_use       (C2gCaffePart   *self,
                                   C2gMixedTensor *tensor,
                                   gboolean        is_borrowed,
                                   gboolean        is_locked);
void     c2g_caffe_part_clear     (C2gCaffePart   *self);
/* Returns TRUE if another blob uses the tensor, too. */
gboolean c2g_caffe_part_is_shared (C2gCaffePart   *self);

G_END_DECLS
