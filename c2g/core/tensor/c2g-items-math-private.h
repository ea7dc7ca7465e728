/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* Level 1 BLAS for rows of FLOAT, DOUBLE, FLOAT16 and BFLOAT16 elements on the CPU.
 *
 * Sums are accumulated in double, in the same order on every machine. Everything else is computed
 * in the element type, and for 16-bit types in float; factors are rounded to that type first. */

/* Returns TRUE for these four types. */
gboolean c2g_items_is_possible (C2gDataType    type);

/* Return the sum of x y, the sum of |x|, and the largest |x|, which is NaN if any x is NaN. */
double   c2g_items_dot         (C2gDataType    type,
                                gconstpointer  xs,
                                gconstpointer  ys,
                                gsize          n);
double   c2g_items_asum        (C2gDataType    type,
                                gconstpointer  xs,
                                gsize          n);
double   c2g_items_amax        (C2gDataType    type,
                                gconstpointer  xs,
                                gsize          n);

void     c2g_items_scale       (C2gDataType    type,
                                double         alpha,
                                gpointer       ys,
                                gsize          n);
/* Computes y = alpha x + beta y. A factor of 0 drops its term, even if the term contains NaN. The
 * rows are the same or do not overlap. */
void     c2g_items_axpby       (C2gDataType    type,
                                double         alpha,
                                gconstpointer  xs,
                                double         beta,
                                gpointer       ys,
                                gsize          n);

G_END_DECLS
