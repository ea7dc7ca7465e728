/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All arithmetic on sizes. Every function checks its arguments and sets C2G_ERROR_SHAPE (a
 * negative dimension, an axis that does not exist) or C2G_ERROR_RANGE (an overflow). */

/* The slow paths of c2g_shape_count() and c2g_shape_bytes() below: dimensions that are 0, and
 * errors. */
gboolean  c2g_shape_count_rest (const gint64  *dims,
                                gsize          n_dims,
                                gint64        *n_elements,
                                GError       **error);
gboolean  c2g_shape_fail_bytes (gint64         n_elements,
                                gsize          item_size,
                                GError       **error);
/* Converts an axis, which may be negative to count from the end, to 0 … n_dims - 1. Returns -1
 * with an error. */
int       c2g_shape_axis       (int            axis,
                                gsize          n_dims,
                                GError       **error);
/* Returns text like "[2, 3]"; "[]" for a scalar. */
char     *c2g_shape_to_string  (const gint64  *dims,
                                gsize          n_dims);

/* Computes the product of dims; 1 if there are none. */
static inline gboolean
c2g_shape_count (const gint64  *dims,
                 gsize          n_dims,
                 gint64        *n_elements,
                 GError       **error)
{
  gint64 product = 1;

  for (gsize i = 0; i < n_dims; i++)
    if (G_UNLIKELY (dims[i] <= 0 || __builtin_mul_overflow (product, dims[i], &product)))
      return c2g_shape_count_rest (dims, n_dims, n_elements, error);

  *n_elements = product;
  return TRUE;
}

/* Computes n_elements * item_size; n_elements must not be negative. */
static inline gboolean
c2g_shape_bytes (gint64    n_elements,
                 gsize     item_size,
                 gsize    *n_bytes,
                 GError  **error)
{
  g_assert (n_elements >= 0);

  if (G_LIKELY ((guint64) n_elements <= G_MAXSIZE &&
                g_size_checked_mul (n_bytes, n_elements, item_size)))
    return TRUE;

  return c2g_shape_fail_bytes (n_elements, item_size, error);
}

static inline gboolean
c2g_shape_equal (const gint64 *a,
                 gsize         n_a,
                 const gint64 *b,
                 gsize         n_b)
{
  if (n_a != n_b)
    return FALSE;

  for (gsize i = 0; i < n_a; i++)
    if (a[i] != b[i])
      return FALSE;

  return TRUE;
}

G_END_DECLS
