/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-dims-private.h>

#include <string.h>

G_BEGIN_DECLS

/* Shared by operators that move elements of any type. */

/* Returns an input whose elements can be copied, or NULL with an error. */
C2gTensor *c2g_move_input   (C2gOperator   *op,
                             guint          input,
                             GError       **error);
/* Makes output 0 with the elements of source in another shape. It may be in place. */
gboolean   c2g_move_reshape (C2gOperator   *op,
                             C2gTensor     *source,
                             const C2gDims *dims,
                             GError       **error);

/* Copies items of an input to items of an output, which must not overlap. */
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
    c2g_operator_copy_elements (meta, n_items, source, target);
}

/* Rows to be copied, of n_items items each. Strides are in items. */
typedef struct
{
  C2gTypeMeta  *meta;
  gint64        n_rows;
  gint64        n_items;
  gconstpointer source;
  gint64        source_stride;
  gpointer      target;
  gint64        target_stride;
} C2gRowsToMove;

/* Copies rows on the device of the operator. */
gboolean   c2g_operator_move_rows (C2gOperator         *op,
                                   const C2gRowsToMove *rows,
                                   GError             **error);

/* Copies of runs of rows from an input to an output, whose rows are numbered. On the CPU each run is
 * copied at once. On a device they are collected, and one request copies all. */
typedef struct
{
  C2gOperator *op;
  C2gTensor   *source;
  C2gTensor   *target;
  /* Number of items of a row. */
  gint64       n_items;
  /* Every copied row of the target is below this one. The memory that a device needs grows with it,
   * so padding at the end should not count. */
  gint64       n_rows;
  /* c2g_row_runs_begin() sets the rest. */
  const char  *from;
  char        *to;
  gsize        n_bytes;
  /* On a device, unless there is nothing to copy: the source's row for each of the n_rows rows; -1
   * leaves a row as it is. */
  gint64      *rows;
} C2gRowRuns;

/* Begins copies between tensors that have their memory. If this does not fail, the last call must be
 * c2g_row_runs_end(). The target must have elements: rows of no elements take no memory, so there may
 * be so many of them that loops over them do not end. */
gboolean   c2g_row_runs_begin     (C2gRowRuns          *self,
                                   GError             **error);
gboolean   c2g_row_runs_end       (C2gRowRuns          *self,
                                   GError             **error);

/* Copies n_rows rows, from that row of the source and to that row of the target on. */
static inline void
c2g_row_runs_add (C2gRowRuns *self,
                  gint64      from,
                  gint64      to,
                  gint64      n_rows)
{
  if (G_UNLIKELY (self->rows != NULL))
    for (gint64 i = 0; i < n_rows; i++)
      self->rows[to + i] = from + i;
  else if (n_rows > 0)
    c2g_move_items (self->source->meta, n_rows * self->n_items, self->from + from * self->n_bytes,
                    self->to + to * self->n_bytes);
}

/* Indices from an input of int32 (narrow) or int64 (wide), in memory of the CPU. */
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
/* Reads the input without bringing it to the CPU; only the device can read the values then. */
gboolean   c2g_indices_init_far (C2gIndices       *self,
                                 C2gOperator      *op,
                                 guint             input,
                                 GError          **error);
/* Reads an input that must have one dimension. */
gboolean   c2g_indices_init_vector (C2gIndices  *self,
                                    C2gOperator *op,
                                    guint        input,
                                    GError     **error);
/* Reads an input with a single element. */
gboolean   c2g_indices_scalar (C2gOperator     *op,
                               guint            input,
                               gint64          *value,
                               GError         **error);
/* Checks that all indices are in 0 … size - 1; with wrap, from -size on. */
gboolean   c2g_indices_check (const C2gIndices *self,
                              gint64            size,
                              gboolean          wrap,
                              GError          **error);
/* Checks that no element is negative, and computes their sum. */
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
