/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All arithmetic on sizes.  Every function checks and says what is wrong in a
 * C2G_ERROR_SHAPE (a dimension is negative, an axis does not exist) or a
 * C2G_ERROR_RANGE (a product does not fit).
 */

/* The product of dims, 1 for none, into n_elements. */
gboolean  c2g_shape_count      (const gint64  *dims,
                                gsize          n_dims,
                                gint64        *n_elements,
                                GError       **error);
/* n_elements (not negative) times item_size into n_bytes. */
gboolean  c2g_shape_bytes      (gint64         n_elements,
                                gsize          item_size,
                                gsize         *n_bytes,
                                GError       **error);
/* An axis counted from the end, when negative, into 0 … n_dims - 1; or -1. */
int       c2g_shape_axis       (int            axis,
                                gsize          n_dims,
                                GError       **error);
/* "[2, 3]", "[]" for a scalar. */
char     *c2g_shape_to_string  (const gint64  *dims,
                                gsize          n_dims);
gboolean  c2g_shape_equal      (const gint64  *a,
                                gsize          n_a,
                                const gint64  *b,
                                gsize          n_b);

G_END_DECLS
