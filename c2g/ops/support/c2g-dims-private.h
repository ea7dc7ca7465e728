/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Limit on the number of dimensions where shapes are built on the stack. */
#define C2G_DIMS_MAX 32

typedef struct
{
  gint64 dims[C2G_DIMS_MAX];
  gsize  n;
} C2gDims;

gboolean   c2g_dims_set     (C2gDims        *self,
                             const gint64   *dims,
                             gsize           n,
                             GError        **error);
gboolean   c2g_dims_copy    (C2gDims        *self,
                             C2gTensor      *tensor,
                             GError        **error);
gboolean   c2g_dims_append  (C2gDims        *self,
                             const gint64   *dims,
                             gsize           n,
                             GError        **error);
gboolean   c2g_dims_insert  (C2gDims        *self,
                             gsize           axis,
                             gint64          dim,
                             GError        **error);
void       c2g_dims_remove  (C2gDims        *self,
                             gsize           axis);
/* Computes the product of the dimensions from begin up to end. Fails if it overflows. */
gboolean   c2g_dims_count   (const C2gDims  *self,
                             gsize           begin,
                             gsize           end,
                             gint64         *count,
                             GError        **error);

/* Makes the output with this shape and element type. */
C2gTensor *c2g_dims_output  (const C2gDims  *self,
                             C2gOperator    *op,
                             guint           output,
                             C2gTypeMeta    *meta,
                             GError        **error);

/* Returns the axis of an input, where negative axes count from the end; -1 with an error. */
int        c2g_dims_axis    (C2gOperator    *op,
                             guint           input,
                             gint64          axis,
                             GError        **error);

G_END_DECLS
