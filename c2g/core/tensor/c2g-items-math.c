/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-items-math-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-number-range-private.h>
#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/core/types/c2g-hot-private.h>

#include <math.h>

/* Level 1 BLAS for rows of elements on the CPU. c2g-tensor-math.c calls it for tensors on the CPU. */

/* Fused multiply-add is off: a product is rounded before it is added, so results are the same on
 * every processor. */
#ifdef __clang__
# pragma STDC FP_CONTRACT OFF
#else
# pragma GCC optimize ("fp-contract=off")
#endif

/* Number of elements of a 16-bit type that are converted to float at once. */
#define N_BLOCK 1024

/* Number of parallel partial sums. It is fixed, so that results do not depend on the processor. */
#define N_SUMS 16

/* Bytes of parallel maxima. Eight vector registers are enough to hide the latency of the
 * comparison. */
#define N_LARGEST_BYTES 256

/* The order of the sum does not depend on the width of the registers; wide ones only load more at
 * once. */
#define DEFINE_SUM(name, type, term)                                                               \
  C2G_HOT_FOR ("avx512f", "avx2")                                                                  \
  static double                                                                                    \
  name (const type *xs,                                                                            \
        const type *ys,                                                                            \
        gsize       n)                                                                             \
  {                                                                                                \
    double sums[N_SUMS] = { 0 };                                                                   \
    gsize i;                                                                                       \
                                                                                                   \
    for (i = 0; i + N_SUMS <= n; i += N_SUMS)                                                      \
      for (gsize j = 0; j < N_SUMS; j++)                                                           \
        {                                                                                          \
          const double x = xs[i + j], y = ys[i + j];                                               \
                                                                                                   \
          sums[j] += term;                                                                         \
        }                                                                                          \
                                                                                                   \
    for (; i < n; i++)                                                                             \
      {                                                                                            \
        const double x = xs[i], y = ys[i];                                                         \
                                                                                                   \
        sums[i % N_SUMS] += term;                                                                  \
      }                                                                                            \
                                                                                                   \
    for (gsize width = N_SUMS / 2; width > 0; width /= 2)                                          \
      for (gsize j = 0; j < width; j++)                                                            \
        sums[j] += sums[j + width];                                                                \
                                                                                                   \
    return sums[0];                                                                                \
  }

/* Without the sign bit, the bits of floating-point numbers sort like the numbers, with NaN last. So
 * the largest magnitude is an integer maximum. */
#define DEFINE_LARGEST(name, type, mask)                                                           \
  C2G_HOT static type                                                                              \
  name (gconstpointer source,                                                                      \
        gsize         n)                                                                           \
  {                                                                                                \
    const type *bits = source;                                                                     \
    type largest[N_LARGEST_BYTES / sizeof (type)] = { 0 };                                         \
    gsize i;                                                                                       \
                                                                                                   \
    for (i = 0; i + G_N_ELEMENTS (largest) <= n; i += G_N_ELEMENTS (largest))                      \
      for (gsize j = 0; j < G_N_ELEMENTS (largest); j++)                                           \
        largest[j] = MAX (largest[j], bits[i + j] & mask);                                         \
                                                                                                   \
    for (; i < n; i++)                                                                             \
      largest[0] = MAX (largest[0], bits[i] & mask);                                               \
    for (gsize j = 1; j < G_N_ELEMENTS (largest); j++)                                             \
      largest[0] = MAX (largest[0], largest[j]);                                                   \
                                                                                                   \
    return largest[0];                                                                             \
  }

#define DEFINE_UPDATES(type)                                                                       \
  C2G_HOT static void                                                                              \
  type##_scale (type   alpha,                                                                      \
                type  *ys,                                                                         \
                gsize  n)                                                                          \
  {                                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i] *= alpha;                                                                              \
  }                                                                                                \
                                                                                                   \
  C2G_HOT static void                                                                              \
  type##_set (type        alpha,                                                                   \
              const type *xs,                                                                      \
              type       *ys,                                                                      \
              gsize       n)                                                                       \
  {                                                                                                \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i] = alpha * xs[i];                                                                       \
  }                                                                                                \
                                                                                                   \
  C2G_HOT static void                                                                              \
  type##_add (type        alpha,                                                                   \
              const type *xs,                                                                      \
              type       *ys,                                                                      \
              gsize       n)                                                                       \
  {                                                                                                \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i] += alpha * xs[i];                                                                      \
  }                                                                                                \
                                                                                                   \
  C2G_HOT static void                                                                              \
  type##_combine (type        alpha,                                                               \
                  const type *xs,                                                                  \
                  type        beta,                                                                \
                  type       *ys,                                                                  \
                  gsize       n)                                                                   \
  {                                                                                                \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i] = alpha * xs[i] + beta * ys[i];                                                        \
  }                                                                                                \
                                                                                                   \
  static void                                                                                      \
  type##_axpby (type        alpha,                                                                 \
                const type *xs,                                                                    \
                type        beta,                                                                  \
                type       *ys,                                                                    \
                gsize       n)                                                                     \
  {                                                                                                \
    if (beta == 0)                                                                                 \
      type##_set (alpha, xs, ys, n);                                                               \
    else if (beta == 1)                                                                            \
      type##_add (alpha, xs, ys, n);                                                               \
    else                                                                                           \
      type##_combine (alpha, xs, beta, ys, n);                                                     \
  }

DEFINE_SUM (dot_floats, float, x * y)
DEFINE_SUM (asum_floats, float, ((void) y, fabs (x)))
DEFINE_SUM (dot_doubles, double, x * y)
DEFINE_SUM (asum_doubles, double, ((void) y, fabs (x)))
DEFINE_LARGEST (largest_of_16, guint16, 0x7fff)
DEFINE_LARGEST (largest_of_32, gint32, 0x7fffffff)
DEFINE_LARGEST (largest_of_64, gint64, G_MAXINT64)

/* Updates are limited by memory access; unrolling removes most of the loop overhead. */
#ifndef __clang__
# pragma GCC optimize ("unroll-loops")
#endif
DEFINE_UPDATES (float)
DEFINE_UPDATES (double)

gboolean
c2g_items_is_possible (C2gDataType type)
{
  const C2gComputeRange *range = c2g_number_range (type);

  return range != NULL && range->n_digits > 0;
}

static void
to_floats (C2gDataType    type,
           const guint16 *source,
           float         *floats,
           gsize          n)
{
  c2g_convert_items (C2G_DATA_TYPE_FLOAT, floats, type, source, n, C2G_CONVERT_SATURATE, NULL);
}

typedef double (*SumFloats) (const float *xs,
                             const float *ys,
                             gsize        n);

static double
sum_by_floats (SumFloats      sum,
               C2gDataType    type,
               const guint16 *xs,
               const guint16 *ys,
               gsize          n)
{
  float x_floats[N_BLOCK], y_floats[N_BLOCK];
  double result = 0;

  for (gsize i = 0; i < n; i += N_BLOCK)
    {
      const gsize n_block = MIN (n - i, N_BLOCK);

      to_floats (type, xs + i, x_floats, n_block);
      if (ys != xs)
        to_floats (type, ys + i, y_floats, n_block);
      result += sum (x_floats, ys != xs ? y_floats : x_floats, n_block);
    }

  return result;
}

double
c2g_items_dot (C2gDataType    type,
               gconstpointer  xs,
               gconstpointer  ys,
               gsize          n)
{
  if (type == C2G_DATA_TYPE_FLOAT)
    return dot_floats (xs, ys, n);
  if (type == C2G_DATA_TYPE_DOUBLE)
    return dot_doubles (xs, ys, n);

  return sum_by_floats (dot_floats, type, xs, ys, n);
}

double
c2g_items_asum (C2gDataType    type,
                gconstpointer  xs,
                gsize          n)
{
  if (type == C2G_DATA_TYPE_FLOAT)
    return asum_floats (xs, xs, n);
  if (type == C2G_DATA_TYPE_DOUBLE)
    return asum_doubles (xs, xs, n);

  return sum_by_floats (asum_floats, type, xs, xs, n);
}

double
c2g_items_amax (C2gDataType    type,
                gconstpointer  xs,
                gsize          n)
{
  union
  {
    gint64 bits;
    double number;
  } largest;

  switch ((int) type)
    {
    case C2G_DATA_TYPE_FLOAT16:
      return c2g_float16_to_float (largest_of_16 (xs, n));
    case C2G_DATA_TYPE_BFLOAT16:
      return c2g_bfloat16_to_float (largest_of_16 (xs, n));
    case C2G_DATA_TYPE_FLOAT:
      return c2g_float_of_bits ((guint32) largest_of_32 (xs, n));
    default:
      largest.bits = largest_of_64 (xs, n);
      return largest.number;
    }
}

/* Computes axpby for 16-bit types. xs is not read if alpha is 0. */
static void
update_by_floats (C2gDataType    type,
                  double         alpha,
                  const guint16 *xs,
                  double         beta,
                  guint16       *ys,
                  gsize          n)
{
  float x_floats[N_BLOCK], y_floats[N_BLOCK];

  for (gsize i = 0; i < n; i += N_BLOCK)
    {
      const gsize n_block = MIN (n - i, N_BLOCK);

      to_floats (type, ys + i, y_floats, n_block);
      if (xs == NULL)
        float_scale ((float) beta, y_floats, n_block);
      else
        {
          to_floats (type, xs + i, x_floats, n_block);
          float_axpby ((float) alpha, x_floats, (float) beta, y_floats, n_block);
        }
      c2g_convert_items (type, ys + i, C2G_DATA_TYPE_FLOAT, y_floats, n_block,
                         C2G_CONVERT_SATURATE, NULL);
    }
}

void
c2g_items_scale (C2gDataType  type,
                 double       alpha,
                 gpointer     ys,
                 gsize        n)
{
  if (type == C2G_DATA_TYPE_FLOAT)
    float_scale ((float) alpha, ys, n);
  else if (type == C2G_DATA_TYPE_DOUBLE)
    double_scale (alpha, ys, n);
  else
    update_by_floats (type, 0, NULL, alpha, ys, n);
}

void
c2g_items_axpby (C2gDataType    type,
                 double         alpha,
                 gconstpointer  xs,
                 double         beta,
                 gpointer       ys,
                 gsize          n)
{
  if (alpha == 0 && beta == 0)
    memset (ys, 0, n * c2g_data_type_get_item_size (type));
  else if (alpha == 0)
    c2g_items_scale (type, beta, ys, n);
  else if (type == C2G_DATA_TYPE_FLOAT)
    float_axpby ((float) alpha, xs, (float) beta, ys, n);
  else if (type == C2G_DATA_TYPE_DOUBLE)
    double_axpby (alpha, xs, beta, ys, n);
  else
    update_by_floats (type, alpha, xs, beta, ys, n);
}
