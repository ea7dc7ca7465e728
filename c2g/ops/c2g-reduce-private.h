/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-elementwise-private.h>

#include <c2g/core/c2g-tensor-private.h>

G_BEGIN_DECLS

/* Many elements into one. */
typedef struct
{
  /* What n results are before anything has been added to them. */
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
  /* Makes results of sums of n_added elements, more than none; or NULL. */
  void (*finish) (gpointer      y,
                  gsize         n,
                  gint64        n_added);
} C2gReducer;

/* By element type, start being NULL where there is none. */
extern const C2gReducer c2g_sum_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_mean_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_max_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_min_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_l1_reducers[C2G_N_LOOPS];
extern const C2gReducer c2g_l2_reducers[C2G_N_LOOPS];
/* l2 without the root. */
extern const C2gReducer c2g_square_reducers[C2G_N_LOOPS];

/* The reducer for the type of input 0, or NULL with an error. */
const C2gReducer *c2g_reducer_find  (const C2gReducer  *reducers,
                                     C2gOperator       *op,
                                     C2gTensor         *x,
                                     GError           **error);
/* Output 0 from x, without the axes whose bits are set, or with 1 in their place.  The function is
 * what a device is asked for in place of the reducer. */
gboolean          c2g_reduce        (const C2gReducer  *reducer,
                                     C2gComputeReduce   function,
                                     C2gOperator       *op,
                                     C2gTensor         *x,
                                     guint32            axes,
                                     gboolean           keep_dims,
                                     GError           **error);

G_END_DECLS
