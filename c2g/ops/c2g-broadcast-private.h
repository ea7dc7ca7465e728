/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-elementwise-private.h>

G_BEGIN_DECLS

/* Two tensors of different shapes, element by element.
 *
 * Caffe2 has two rules.  With the argument broadcast the second tensor has some dimensions of
 * the first in a row, beginning at axis or ending at the end.  Without, NumPy's rule holds:
 * either one may lack dimensions in front, or have 1 for one of the other's. */

typedef struct
{
  gboolean is_legacy;
  int      axis;
} C2gBroadcastRule;

/* How to go through both: dimensions that behave alike are one. */
typedef struct
{
  gsize  n_dims;
  gint64 dims[C2G_DIMS_MAX];
  /* In elements, 0 where the same are read again. */
  gint64 a_strides[C2G_DIMS_MAX];
  gint64 b_strides[C2G_DIMS_MAX];
} C2gBroadcast;

/* Reads n elements of each, steps of 0 or 1 apart. */
typedef void (*C2gBinaryLoop) (gconstpointer a,
                               gsize         a_step,
                               gconstpointer b,
                               gsize         b_step,
                               gpointer      c,
                               gsize         n);

/* Reads broadcast, axis, axis_str and order. */
gboolean c2g_broadcast_rule_read (C2gBroadcastRule        *self,
                                  C2gArguments            *arguments);

/* Shapes of two tensors after NumPy's rule into the common shape; both pointers and the result
 * have room for C2G_DIMS_MAX, the result may be one of them. */
gboolean c2g_broadcast_dims      (const gint64            *a_dims,
                                  gsize                    n_a_dims,
                                  const gint64            *b_dims,
                                  gsize                    n_b_dims,
                                  gint64                  *dims,
                                  gsize                   *n_dims);
/* For tensors whose shapes are known to fit. */
void     c2g_broadcast_plan      (C2gBroadcast            *self,
                                  const gint64            *dims,
                                  gsize                    n_dims,
                                  const gint64            *a_dims,
                                  gsize                    n_a_dims,
                                  const gint64            *b_dims,
                                  gsize                    n_b_dims);
void     c2g_broadcast_run       (const C2gBroadcast      *self,
                                  C2gBinaryLoop            loop,
                                  gconstpointer            a,
                                  gconstpointer            b,
                                  gsize                    in_size,
                                  gpointer                 c,
                                  gsize                    out_size);

/* All of a binary operator: output 0 from inputs 0 and 1, which have the same element type,
 * one that there is a loop for.  The function is what a device is asked for in its place. */
gboolean c2g_binary_run          (C2gOperator             *op,
                                  int                      function,
                                  const C2gBroadcastRule  *rule,
                                  const C2gBinaryLoop     *loops,
                                  C2gDataType              to,
                                  GError                 **error);
/* Set-up of operators whose state is a rule. */
gboolean c2g_binary_set_up       (C2gOperator             *op,
                                  gpointer                 state,
                                  GError                 **error);

G_END_DECLS
