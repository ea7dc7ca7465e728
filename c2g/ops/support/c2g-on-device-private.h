/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-window-private.h>

G_BEGIN_DECLS

/* Computations on a device other than the CPU.  Call them only if c2g_operator_get_compute() is
 * not NULL, with checked arguments; but any operator may call those that return types. */

/* Converts the window to that of a request. */
C2gComputeWindow c2g_on_device_window (const C2gWindowPlace *place);

/* Returns TRUE for the types of 16 bits that devices compute as floats. */
static inline gboolean
c2g_on_device_is_narrow (C2gDataType type)
{
  return type == C2G_DATA_TYPE_FLOAT16 || type == C2G_DATA_TYPE_BFLOAT16;
}

/* Returns the type of the first input if that has 16 bits and the operator runs on a device, or else
 * FLOAT. */
C2gDataType c2g_on_device_real_type (C2gOperator *op);
/* Returns the type that all inputs of a product must have: that of the first one if the operator
 * runs on a device that may multiply it, or else FLOAT. */
C2gDataType c2g_on_device_factor_type (C2gOperator *op);
/* Computes a matrix product.  biases is NULL or has one value per column, of the product's type. */
gboolean c2g_on_device_gemm      (C2gOperator    *op,
                                  const C2gGemm  *gemm,
                                  gconstpointer   biases,
                                  GError        **error);

/* Returns TRUE for the item sizes that devices can move: 1, 2, 4, 8 or 16 bytes. */
static inline gboolean
c2g_on_device_is_unit (gsize item_size)
{
  return item_size <= 16 && (item_size & (item_size - 1)) == 0;
}

/* Returns the size of the largest such unit that divides item_size. */
gsize    c2g_on_device_find_unit (gsize           item_size);

/* Copies n_items items within memory of the device. */
gboolean c2g_on_device_copy      (C2gOperator    *op,
                                  C2gTypeMeta    *meta,
                                  gsize           n_items,
                                  gconstpointer   source,
                                  gpointer        target,
                                  GError        **error);
/* Allocates device memory for intermediate results; NULL with an error. Dropping the reference is
 * safe before the queued work is done. */
C2gStorage *c2g_on_device_scratch (C2gOperator  *op,
                                   gsize         n_items,
                                   gsize         item_size,
                                   gpointer      data,
                                   GError      **error);
/* The same, with a copy of n_items items that are on the CPU. */
C2gStorage *c2g_on_device_upload  (C2gOperator  *op,
                                   gconstpointer items,
                                   gsize         n_items,
                                   gsize         item_size,
                                   gpointer      data,
                                   GError      **error);
/* Sets n_bytes bytes to 0. */
gboolean c2g_on_device_clear     (C2gOperator    *op,
                                  gpointer        data,
                                  gsize           n_bytes,
                                  GError        **error);
/* Sets n_bytes bytes to 0 on the device of the operator, which may be the CPU. */
gboolean c2g_operator_clear_items (C2gOperator   *op,
                                   gpointer       data,
                                   gsize          n_bytes,
                                   GError       **error);
/* For outputs that the CPU computes: returns a tensor on the CPU to write to, which is the output
 * itself unless that is on a device. c2g_operator_end_near() then copies it there. */
C2gTensor *c2g_operator_begin_near (C2gOperator   *op,
                                    C2gTensor     *output,
                                    GError       **error);
gboolean   c2g_operator_end_near   (C2gOperator   *op,
                                    C2gTensor     *near,
                                    C2gTensor     *output,
                                    GError       **error);
/* Computes y = a x + b for n floats.  y may be x. */
gboolean c2g_on_device_linear    (C2gOperator    *op,
                                  gconstpointer   x,
                                  float           a,
                                  float           b,
                                  gpointer        y,
                                  gsize           n,
                                  GError        **error);
/* Floats along three axes, and where the moments of each index of the middle one go. */
typedef struct
{
  const float *x;
  gint64       n_outer;
  /* Not 0. */
  gint64       n;
  gint64       n_inner;
  float       *means;
  float       *variances;
} C2gMoments;

/* Computes mean and variance for each index of the middle axis, over the other two. */
gboolean c2g_on_device_moments   (C2gOperator       *op,
                                  const C2gMoments  *self,
                                  GError           **error);
/* Computes y[i] = choice[i / n_alike] ? a[i] : b[i]. All three tensors have the same shape. */
gboolean c2g_on_device_choose    (C2gOperator    *op,
                                  const guint8   *choice,
                                  gint64          n_alike,
                                  C2gTensor      *a,
                                  C2gTensor      *b,
                                  C2gTensor      *y,
                                  GError        **error);
/* Copies n_bytes bytes from the CPU to memory of the device. */
gboolean c2g_on_device_write     (C2gOperator    *op,
                                  gconstpointer   source,
                                  gsize           n_bytes,
                                  gpointer        target,
                                  GError        **error);

G_END_DECLS
