/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* The first level of BLAS for rows on the CPU, of FLOAT, DOUBLE, FLOAT16 and BFLOAT16.
 *
 * Sums are in double, in the same order on every machine.  Other numbers are computed in the
 * element type, those of 16-bit types in float; factors are rounded to that type first. */

gboolean c2g_items_is_possible (C2gDataType    type);

/* The sums of x times y and of |x|; the largest |x|, or NaN if any x is. */
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
/* Computes y = alpha x + beta y.  A term with the factor 0 is left out, NaN included.  The rows are
 * the same or do not overlap. */
void     c2g_items_axpby       (C2gDataType    type,
                               double         alpha,
                               gconstpointer  xs,
                               double         beta,
                               gpointer       ys,
                               gsize          n);

G_END_DECLS
