/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-blas-private.h>
#include <c2g/ops/c2g-conv-private.h>
#include <c2g/ops/c2g-pool-private.h>

G_BEGIN_DECLS

/* What operators that know all about their work ask of a device other than the CPU, where
 * c2g_operator_get_compute() is not NULL. */

/* The window as devices know it. */
C2gComputeWindow c2g_on_device_window (const C2gWindowPlace *place);

gboolean c2g_on_device_conv      (C2gOperator    *op,
                                  const C2gConv  *conv,
                                  GError        **error);
gboolean c2g_on_device_pool      (C2gOperator    *op,
                                  const C2gPool  *pool,
                                  gboolean        is_average,
                                  GError        **error);
/* A bias for each column, or NULL. */
gboolean c2g_on_device_gemm      (C2gOperator    *op,
                                  const C2gGemm  *gemm,
                                  const float    *biases,
                                  GError        **error);

/* Whether devices know items of that many bytes as one: 1, 2, 4, 8 or 16. */
static inline gboolean
c2g_on_device_is_unit (gsize item_size)
{
  return item_size <= 16 && (item_size & (item_size - 1)) == 0;
}

/* The largest unit that items consist of, so that devices know it. */
gsize    c2g_on_device_find_unit (gsize           item_size);

/* Items from one place on the device to another. */
gboolean c2g_on_device_copy      (C2gOperator    *op,
                                  C2gTypeMeta    *meta,
                                  gsize           n_items,
                                  gconstpointer   source,
                                  gpointer        target,
                                  GError        **error);
/* n_rows rows of n_items items; strides are in items. */
gboolean c2g_on_device_move_rows (C2gOperator    *op,
                                  C2gTypeMeta    *meta,
                                  gint64          n_rows,
                                  gint64          n_items,
                                  gconstpointer   source,
                                  gint64          source_stride,
                                  gpointer        target,
                                  gint64          target_stride,
                                  GError        **error);
/* Memory for what is between two steps, which goes back when it has been used; NULL with an
 * error. */
C2gStorage *c2g_on_device_scratch (C2gOperator  *op,
                                   gsize         n_items,
                                   gsize         item_size,
                                   gpointer      data,
                                   GError      **error);
/* Zeros. */
gboolean c2g_on_device_clear     (C2gOperator    *op,
                                  gpointer        data,
                                  gsize           n_bytes,
                                  GError        **error);
/* The same where the operator runs. */
gboolean c2g_operator_clear_items (C2gOperator   *op,
                                   gpointer       data,
                                   gsize          n_bytes,
                                   GError       **error);
/* y = a x + b, of n floats, in place or not. */
gboolean c2g_on_device_linear    (C2gOperator    *op,
                                  gconstpointer   x,
                                  float           a,
                                  float           b,
                                  gpointer        y,
                                  gsize           n,
                                  GError        **error);
/* Means and variances of each place on the middle one of three axes, of floats or doubles of
 * which there are some. */
gboolean c2g_on_device_moments   (C2gOperator    *op,
                                  C2gDataType     type,
                                  gconstpointer   x,
                                  gint64          n_outer,
                                  gint64          n,
                                  gint64          n_inner,
                                  gpointer        means,
                                  gpointer        variances,
                                  GError        **error);
/* Elements of one tensor or another of the same shape: those of a where the choice, of which each
 * is for so many, is true. */
gboolean c2g_on_device_choose    (C2gOperator    *op,
                                  const guint8   *choice,
                                  gint64          n_alike,
                                  C2gTensor      *a,
                                  C2gTensor      *b,
                                  C2gTensor      *y,
                                  GError        **error);
/* Numbers that the operator has found, into memory of the device. */
gboolean c2g_on_device_write     (C2gOperator    *op,
                                  gconstpointer   source,
                                  gsize           n_bytes,
                                  gpointer        target,
                                  GError        **error);

G_END_DECLS
