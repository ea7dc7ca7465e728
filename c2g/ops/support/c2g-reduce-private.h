/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-elementwise-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>

G_BEGIN_DECLS

/* The steps of a reduction for one element type. */
typedef struct
{
  /* Sets n results to the neutral element. */
  void (*start)  (gpointer      y,
                  gsize         n);
  /* Adds n elements to one result. */
  void (*row)    (gpointer      y,
                  gconstpointer x,
                  gsize         n);
  /* Adds one element to each of n results. */
  void (*column) (gpointer      y,
                  gconstpointer x,
                  gsize         n);
  /* Finishes n results of n_added > 0 elements each, for instance divides by n_added. May be
   * NULL. */
  void (*finish) (gpointer      y,
                  gsize         n,
                  gint64        n_added);
} C2gReducer;

/* Indexed by element type.  start is NULL for types that are not supported. */
extern const C2gReducer c2g_sum_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_mean_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_max_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_min_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_l1_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_l2_reducers[C2G_N_LOOPS];
/* Sum of squares: l2 without the square root. */
extern const C2gReducer c2g_square_reducers[C2G_N_LOOPS];

/* Returns the reducer for the type of input 0, or NULL with an error. */
const C2gReducer *c2g_reducer_find  (const C2gReducer  *reducers,
                                     C2gOperator       *op,
                                     C2gTensor         *x,
                                     GError           **error);
/* Computes output 0 from x, reducing the axes whose bits are set. They are dropped, or become 1
 * with keep_dims. A device runs function instead of the reducer. */
gboolean          c2g_reduce        (const C2gReducer  *reducer,
                                     C2gComputeReduce   function,
                                     C2gOperator       *op,
                                     C2gTensor         *x,
                                     guint32            axes,
                                     gboolean           keep_dims,
                                     GError           **error);

G_END_DECLS
