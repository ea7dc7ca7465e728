/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Floats that lie in a row, for sums of which the order does not matter: several are made
 * side by side, always in the same way. */

float c2g_row_sum          (const float *x,
                            gsize        n);
/* Of the products of y with the distances of x from a center. */
float c2g_row_dot          (const float *x,
                            float        center,
                            const float *y,
                            gsize        n);
/* Of the squares of the distances from a center. */
float c2g_row_square_sum   (const float *x,
                            float        center,
                            gsize        n);
/* -INFINITY for none. */
float c2g_row_max          (const float *x,
                            gsize        n);

/* y may be x in all of these. */

/* y = scale x + shift. */
void  c2g_row_scale        (const float *x,
                            float        scale,
                            float        shift,
                            float       *y,
                            gsize        n);
/* y = scale (x - center) + shift.  Unlike scaling with a shift that has the center in it, this
 * keeps its precision where the center is much larger than the distances from it. */
void  c2g_row_normalize    (const float *x,
                            float        center,
                            float        scale,
                            float        shift,
                            float       *y,
                            gsize        n);
/* The same with a center, a scale and a shift for each. */
void  c2g_row_normalize_each (const float *x,
                              const float *centers,
                              const float *scales,
                              const float *shifts,
                              float       *y,
                              gsize        n);
/* y = scale x + shift, with a scale and a shift for each. */
void  c2g_row_scale_each   (const float *x,
                            const float *scales,
                            const float *shifts,
                            float       *y,
                            gsize        n);
/* y = exp (x - shift), and their sum. */
float c2g_row_exp          (const float *x,
                            float        shift,
                            float       *y,
                            gsize        n);
/* The sum alone. */
float c2g_row_exp_sum      (const float *x,
                            float        shift,
                            gsize        n);

/* Adds to n sums at once. */
void  c2g_row_add          (const float *x,
                            float       *sums,
                            gsize        n);
void  c2g_row_add_products (const float *x,
                            const float *y,
                            float       *sums,
                            gsize        n);
/* The squares of the distances from a center of each. */
void  c2g_row_add_squares  (const float *x,
                            const float *centers,
                            float       *sums,
                            gsize        n);

G_END_DECLS
