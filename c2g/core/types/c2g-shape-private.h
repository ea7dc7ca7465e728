/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All arithmetic on sizes. Every function checks its arguments and sets C2G_ERROR_SHAPE (a
 * negative dimension, an axis that does not exist) or C2G_ERROR_RANGE (an overflow). */

/* Computes the product of dims; 1 if there are none. */
gboolean  c2g_shape_count      (const gint64  *dims,
                                gsize          n_dims,
                                gint64        *n_elements,
                                GError       **error);
/* Computes n_elements * item_size; n_elements must not be negative. */
gboolean  c2g_shape_bytes      (gint64         n_elements,
                                gsize          item_size,
                                gsize         *n_bytes,
                                GError       **error);
/* Converts an axis, which may be negative to count from the end, to 0 … n_dims - 1. Returns -1
 * with an error. */
int       c2g_shape_axis       (int            axis,
                                gsize          n_dims,
                                GError       **error);
/* Returns text like "[2, 3]"; "[]" for a scalar. */
char     *c2g_shape_to_string  (const gint64  *dims,
                                gsize          n_dims);
gboolean  c2g_shape_equal      (const gint64  *a,
                                gsize          n_a,
                                const gint64  *b,
                                gsize          n_b);

G_END_DECLS
