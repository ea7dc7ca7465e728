/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Loops over rows of floats. Sums are computed as several partial sums side by side, in an order
 * that never changes, so results are reproducible. */

float c2g_row_sum          (const float *x,
                            gsize        n);
/* Computes Σ (x - center) y. */
float c2g_row_dot          (const float *x,
                            float        center,
                            const float *y,
                            gsize        n);
/* Computes Σ (x - center)². */
float c2g_row_square_sum   (const float *x,
                            float        center,
                            gsize        n);
/* Returns the maximum, or -INFINITY if n is 0. */
float c2g_row_max          (const float *x,
                            gsize        n);

/* In the following functions y may be x. */

/* Computes y = scale x + shift. */
void  c2g_row_scale        (const float *x,
                            float        scale,
                            float        shift,
                            float       *y,
                            gsize        n);
/* Computes y = scale (x - center) + shift. Subtracting the center first keeps precision if it is
 * much larger than the differences. */
void  c2g_row_normalize    (const float *x,
                            float        center,
                            float        scale,
                            float        shift,
                            float       *y,
                            gsize        n);
/* Does the same with one center, scale and shift per element. */
void  c2g_row_normalize_each (const float *x,
                              const float *centers,
                              const float *scales,
                              const float *shifts,
                              float       *y,
                              gsize        n);
/* Computes y = scale x + shift with one scale and shift per element. */
void  c2g_row_scale_each   (const float *x,
                            const float *scales,
                            const float *shifts,
                            float       *y,
                            gsize        n);
/* Computes y = exp (x - shift) and returns the sum of y. */
float c2g_row_exp          (const float *x,
                            float        shift,
                            float       *y,
                            gsize        n);
/* Returns only the sum. */
float c2g_row_exp_sum      (const float *x,
                            float        shift,
                            gsize        n);

/* Adds x (or x y) to n sums, element by element. */
void  c2g_row_add          (const float *x,
                            float       *sums,
                            gsize        n);
void  c2g_row_add_products (const float *x,
                            const float *y,
                            float       *sums,
                            gsize        n);
/* Adds (x - center)² to n sums, element by element. */
void  c2g_row_add_squares  (const float *x,
                            const float *centers,
                            float       *sums,
                            gsize        n);

G_END_DECLS
