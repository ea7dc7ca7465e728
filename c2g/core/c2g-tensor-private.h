/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-label-private.h>
#include <c2g/core/c2g-tensor.h>

G_BEGIN_DECLS

#define C2G_TENSOR_N_INLINE_DIMS 6

struct _C2gTensor
{
  GObject        parent_instance;

  /* dims points to inline_dims, or to g_malloc'd room for more. */
  gint64        *dims;
  gint64         inline_dims[C2G_TENSOR_N_INLINE_DIMS];
  gsize          n_dims;
  gint64         n_elements;

  C2gTypeMeta   *meta;
  C2gDevice     *device;

  /* The block, from offset on; capacity bytes of it are this tensor's. */
  C2gStorage    *storage;
  gsize          offset;
  gsize          capacity;
  guint64        max_keep_on_shrink;

  guint          is_defined : 1;
  guint          is_slice : 1;
  guint          is_reserved : 1;
  guint          has_keep_on_shrink : 1;
  guint          keep_on_shrink : 1;
  guint          has_max_keep_on_shrink : 1;

  /* The name of the blob that holds this tensor, or NULL. */
  C2gLabel      *label;
};

/* Reports the tensor's memory under label from now on, NULL for none. */
void c2g_tensor_set_label (C2gTensor *self,
                           C2gLabel  *label);

G_END_DECLS
