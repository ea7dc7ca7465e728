/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-dims-private.h>

#include <string.h>

G_BEGIN_DECLS

/* What operators that move elements of any type are made of. */

/* An input with elements that can be copied. */
C2gTensor *c2g_move_input   (C2gOperator   *op,
                             guint          input,
                             GError       **error);
/* The output with all elements of a tensor in another shape, in place or not. */
gboolean   c2g_move_reshape (C2gOperator   *op,
                             guint          output,
                             C2gTensor     *source,
                             const C2gDims *dims,
                             GError       **error);

/* Copies items that do not overlap. */
static inline void
c2g_move_items (C2gTypeMeta   *meta,
                gsize          n_items,
                gconstpointer  source,
                gpointer       target)
{
  if (n_items == 0)
    return;
  if (G_LIKELY (meta->is_plain))
    memcpy (target, source, n_items * meta->item_size);
  else
    c2g_type_meta_copy_items (meta, source, target, n_items);
}

/* Copies n_rows rows of n_items items; strides are in items. */
void       c2g_move_rows    (C2gTypeMeta   *meta,
                             gint64         n_rows,
                             gint64         n_items,
                             gconstpointer  source,
                             gint64         source_stride,
                             gpointer       target,
                             gint64         target_stride);

/* The same where the operator runs. */
gboolean   c2g_operator_move_rows (C2gOperator   *op,
                                   C2gTypeMeta   *meta,
                                   gint64         n_rows,
                                   gint64         n_items,
                                   gconstpointer  source,
                                   gint64         source_stride,
                                   gpointer       target,
                                   gint64         target_stride,
                                   GError       **error);

/* Integers that an input holds, as int32 or int64, where the processor reads them. */
typedef struct
{
  C2gOperator  *op;
  guint         input;
  C2gTensor    *tensor;
  const gint32 *narrow;
  const gint64 *wide;
  gsize         n;
} C2gIndices;

gboolean   c2g_indices_init  (C2gIndices       *self,
                              C2gOperator      *op,
                              guint             input,
                              GError          **error);
/* The same without the integers, for those that only a device reads. */
gboolean   c2g_indices_init_far (C2gIndices       *self,
                                 C2gOperator      *op,
                                 guint             input,
                                 GError          **error);
/* The same, of one dimension. */
gboolean   c2g_indices_init_vector (C2gIndices  *self,
                                    C2gOperator *op,
                                    guint        input,
                                    GError     **error);
/* A single one. */
gboolean   c2g_indices_scalar (C2gOperator     *op,
                               guint            input,
                               gint64          *value,
                               GError         **error);
/* Whether all are from 0 up to size; from -size on too if they wrap. */
gboolean   c2g_indices_check (const C2gIndices *self,
                              gint64            size,
                              gboolean          wrap,
                              GError          **error);
/* Whether all are lengths; sum is what they are together. */
gboolean   c2g_indices_sum   (const C2gIndices *self,
                              gint64           *sum,
                              GError          **error);

static inline gint64
c2g_indices_get (const C2gIndices *self,
                 gsize             i)
{
  return self->wide != NULL ? self->wide[i] : self->narrow[i];
}

G_END_DECLS
