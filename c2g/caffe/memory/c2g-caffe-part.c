/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

/* The references from blobs of Caffe to the mixed tensors of their parts, with the counts of users
 * and locks in the tensor. */

static void
count (C2gCaffePart *self,
       int           n)
{
  g_atomic_int_add (&self->tensor->n_blobs, n);
  if (self->is_locked)
    g_atomic_int_add (&self->tensor->n_locks, n);
}

void
c2g_caffe_part_use (C2gCaffePart   *self,
                    C2gMixedTensor *tensor,
                    gboolean        is_borrowed,
                    gboolean        is_locked)
{
  C2gCaffePart old = *self;

  *self = (C2gCaffePart) { g_object_ref (tensor), is_borrowed, is_locked };
  count (self, 1);
  c2g_caffe_part_clear (&old);
}

void
c2g_caffe_part_clear (C2gCaffePart *self)
{
  if (self->tensor != NULL)
    count (self, -1);
  g_clear_object (&self->tensor);
}

gboolean
c2g_caffe_part_is_shared (C2gCaffePart *self)
{
  return g_atomic_int_get (&self->tensor->n_blobs) > 1;
}
