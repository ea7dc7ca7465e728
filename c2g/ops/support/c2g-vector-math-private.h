/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <math.h>

#include <glib.h>

G_BEGIN_DECLS

/* Functions of floats without calls or branches, so that the compiler can vectorize loops around
 * them. Their error is at most two units in the last place. NaN gives NaN. */

typedef union
{
  float   number;
  guint32 bits;
} C2gFloatBits;

/* Returns 2^exponent for -126 … 127, by writing the exponent bits. */
G_ALWAYS_INLINE
static inline float
c2g_vector_power_of_two (gint32 exponent)
{
  C2gFloatBits result = { .bits = ((guint32) exponent + 127) << 23 };

  return result.number;
}

/* Splits exp (x) into 2^*exponent (1 + the returned value).  x must be clamped before. */
G_ALWAYS_INLINE
static inline float
c2g_vector_split_exp (float   x,
                      gint32 *exponent)
{
  /* 1.5 · 2^23: adding it rounds to an integer, which is then in the lowest bits. */
  const C2gFloatBits shift = { .number = 12582912.0f };
  const C2gFloatBits shifted = { .number = x * 1.44269504f + shift.number };
  float n = shifted.number - shift.number;
  /* ln 2 in two parts (Cody-Waite). The first part has few bits, so n times it is exact. */
  float r = x - n * 0.693359375f + n * 2.12194440e-4f;

  *exponent = (gint32) (shifted.bits - shift.bits);
  return r * (1 + r * (1 / 2.0f +
              r * (1 / 6.0f +
              r * (1 / 24.0f +
              r * (1 / 120.0f +
              r * (1 / 720.0f +
              r * (1 / 5040.0f)))))));
}

G_ALWAYS_INLINE
static inline float
c2g_vector_exp (float x)
{
  gint32 exponent, half;
  float rest;

  x = x > 89 ? 89 : x;
  x = x < -104 ? -104 : x;
  rest = c2g_vector_split_exp (x, &exponent);
  /* Two factors, because 2^exponent alone can overflow or underflow. */
  half = exponent >> 1;
  return (1 + rest) * c2g_vector_power_of_two (half) * c2g_vector_power_of_two (exponent - half);
}

/* Returns exp (x) - 1 for x ≤ 0, precise near 0 too. */
G_ALWAYS_INLINE
static inline float
c2g_vector_expm1_negative (float x)
{
  gint32 exponent;
  float rest, power;

  x = x < -30 ? -30 : x;
  rest = c2g_vector_split_exp (x, &exponent);
  power = c2g_vector_power_of_two (exponent);
  return power * rest + (power - 1);
}

G_ALWAYS_INLINE
static inline float
c2g_vector_sigmoid (float x)
{
  return 1 / (1 + c2g_vector_exp (-x));
}

G_ALWAYS_INLINE
static inline float
c2g_vector_tanh (float x)
{
  float size = fabsf (x);
  float square = size < 0.5f ? x * x : 0;
  /* Taylor series for small x, where the formula below would cancel. */
  float small =
    x * (1 - square * (1 / 3.0f -
             square * (2 / 15.0f -
             square * (17 / 315.0f -
             square * (62 / 2835.0f -
             square * (1382 / 155925.0f -
             square * (21844 / 6081075.0f -
             square * (929569 / 638512875.0f))))))));
  float large = copysignf (1 - 2 / (c2g_vector_exp (2 * size) + 1), x);

  return size < 0.5f ? small : large;
}

G_END_DECLS
