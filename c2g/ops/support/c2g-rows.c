/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-rows-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-vector-math-private.h>

#include <math.h>

/* Loops over rows of floats, in versions for several instruction sets (C2G_HOT). */

/* Number of partial sums of a row. */
#define LANES 16

/* Functions with target_clones are exported from the library, whatever their visibility is. So
 * the clones are static here, and the functions for other files only call them. */

#define JOIN_LANES(end, term, join)                                                                \
  for (; i + LANES <= end; i += LANES)                                                             \
    for (gsize lane = 0; lane < LANES; lane++)                                                     \
      {                                                                                            \
        const gsize at = i + lane;                                                                 \
                                                                                                   \
        lanes[lane] = join (lanes[lane], term);                                                    \
      }

/* Sums LANES partial sums side by side, which fit in vectors, and adds them pairwise. This keeps
 * rounding errors small. A row can be a whole tensor, so a cancelled run stops within it. Rows
 * of usual length have a loop of their own, in which the lanes stay in registers. */
#define REDUCE(start, term, join)                                                                  \
  float lanes[LANES];                                                                              \
  gsize i = 0;                                                                                     \
                                                                                                   \
  for (gsize lane = 0; lane < LANES; lane++)                                                       \
    lanes[lane] = start;                                                                           \
  while (G_UNLIKELY (n - i > C2G_INTERRUPT_ELEMENTS))                                              \
    {                                                                                              \
      const gsize end = i + C2G_INTERRUPT_ELEMENTS;                                                \
                                                                                                   \
      JOIN_LANES (end, term, join)                                                                 \
      if (c2g_interrupt_is_wanted ())                                                              \
        return lanes[0];                                                                           \
    }                                                                                              \
  JOIN_LANES (n, term, join)                                                                       \
  for (gsize lane = 0; i + lane < n; lane++)                                                       \
    {                                                                                              \
      const gsize at = i + lane;                                                                   \
                                                                                                   \
      lanes[lane] = join (lanes[lane], term);                                                      \
    }                                                                                              \
  for (gsize width = LANES / 2; width > 0; width /= 2)                                             \
    for (gsize lane = 0; lane < width; lane++)                                                     \
      lanes[lane] = join (lanes[lane], lanes[lane + width]);                                       \
  return lanes[0]

#define PLUS(a, b) ((a) + (b))
#define LARGER(a, b) ((b) > (a) ? (b) : (a))

C2G_HOT static float
hot_sum (const float *x,
         gsize        n)
{
  REDUCE (0, x[at], PLUS);
}

float
c2g_row_sum (const float *x,
             gsize        n)
{
  return hot_sum (x, n);
}

C2G_HOT static float
hot_dot (const float *x,
         float        center,
         const float *y,
         gsize        n)
{
  REDUCE (0, (x[at] - center) * y[at], PLUS);
}

float
c2g_row_dot (const float *x,
             float        center,
             const float *y,
             gsize        n)
{
  return hot_dot (x, center, y, n);
}

C2G_HOT static float
hot_square_sum (const float *x,
                float        center,
                gsize        n)
{
  REDUCE (0, (x[at] - center) * (x[at] - center), PLUS);
}

float
c2g_row_square_sum (const float *x,
                    float        center,
                    gsize        n)
{
  return hot_square_sum (x, center, n);
}

C2G_HOT static float
hot_max (const float *x,
         gsize        n)
{
  REDUCE (-INFINITY, x[at], LARGER);
}

float
c2g_row_max (const float *x,
             gsize        n)
{
  return hot_max (x, n);
}

C2G_HOT static float
hot_exp_sum (const float *x,
             float        shift,
             gsize        n)
{
  REDUCE (0, c2g_vector_exp (x[at] - shift), PLUS);
}

float
c2g_row_exp_sum (const float *x,
                 float        shift,
                 gsize        n)
{
  return hot_exp_sum (x, shift, n);
}

C2G_HOT static void
exp_row (const float *x,
         float        shift,
         float       *y,
         gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = c2g_vector_exp (x[i] - shift);
}

float
c2g_row_exp (const float *x,
             float        shift,
             float       *y,
             gsize        n)
{
  for (gsize i = 0, n_part = 0; c2g_interrupt_next_part (n, &i, &n_part);)
    exp_row (x + i, shift, y + i, n_part);
  return c2g_row_sum (y, n);
}

C2G_HOT static void
hot_scale (const float *x,
           float        scale,
           float        shift,
           float       *y,
           gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = scale * x[i] + shift;
}

void
c2g_row_scale (const float *x,
               float        scale,
               float        shift,
               float       *y,
               gsize        n)
{
  for (gsize i = 0, n_part = 0; c2g_interrupt_next_part (n, &i, &n_part);)
    hot_scale (x + i, scale, shift, y + i, n_part);
}

C2G_HOT static void
hot_normalize (const float *x,
               float        center,
               float        scale,
               float        shift,
               float       *y,
               gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = scale * (x[i] - center) + shift;
}

void
c2g_row_normalize (const float *x,
                   float        center,
                   float        scale,
                   float        shift,
                   float       *y,
                   gsize        n)
{
  hot_normalize (x, center, scale, shift, y, n);
}

C2G_HOT static void
hot_normalize_each (const float *x,
                    const float *centers,
                    const float *scales,
                    const float *shifts,
                    float       *y,
                    gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = scales[i] * (x[i] - centers[i]) + shifts[i];
}

void
c2g_row_normalize_each (const float *x,
                        const float *centers,
                        const float *scales,
                        const float *shifts,
                        float       *y,
                        gsize        n)
{
  hot_normalize_each (x, centers, scales, shifts, y, n);
}

C2G_HOT static void
hot_scale_each (const float *x,
                const float *scales,
                const float *shifts,
                float       *y,
                gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = scales[i] * x[i] + shifts[i];
}

void
c2g_row_scale_each (const float *x,
                    const float *scales,
                    const float *shifts,
                    float       *y,
                    gsize        n)
{
  hot_scale_each (x, scales, shifts, y, n);
}

C2G_HOT static void
hot_add (const float *x,
         float       *sums,
         gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    sums[i] += x[i];
}

void
c2g_row_add (const float *x,
             float       *sums,
             gsize        n)
{
  hot_add (x, sums, n);
}

C2G_HOT static void
hot_add_products (const float *x,
                  const float *y,
                  float       *sums,
                  gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    sums[i] += x[i] * y[i];
}

void
c2g_row_add_products (const float *x,
                      const float *y,
                      float       *sums,
                      gsize        n)
{
  hot_add_products (x, y, sums, n);
}

C2G_HOT static void
hot_add_squares (const float *x,
                 const float *centers,
                 float       *sums,
                 gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    sums[i] += (x[i] - centers[i]) * (x[i] - centers[i]);
}

void
c2g_row_add_squares (const float *x,
                     const float *centers,
                     float       *sums,
                     gsize        n)
{
  hot_add_squares (x, centers, sums, n);
}
