/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-float16-private.h>

/* Converts between float and IEEE 754 binary16, one number at a time. c2g-float16-rows.c has the
 * faster versions for arrays. */

#define FLOAT_SIGN      0x80000000u
#define FLOAT_INFINITY  0x7f800000u
#define FLOAT_HIDDEN    0x00800000u
#define FLOAT_QUIET     0x00400000u
#define HALF_INFINITY   0x7c00u
#define HALF_MAX        0x7bffu

/* Drops the low bits; rounds to nearest, ties to even. */
static guint32
round_shift (guint32 number,
             guint   n_bits)
{
  const guint32 below_half = (1u << (n_bits - 1)) - 1;
  const guint32 is_odd = (number >> n_bits) & 1;

  return (number + below_half + is_odd) >> n_bits;
}

guint16
c2g_float16_from_float (float value)
{
  const guint32 bits = c2g_bits_of_float (value);
  const guint32 sign = (bits & FLOAT_SIGN) >> 16;
  const guint32 magnitude = bits & ~FLOAT_SIGN;
  const guint exponent = magnitude >> 23;

  if (magnitude > FLOAT_INFINITY)
    return sign | HALF_INFINITY | 0x200 | ((magnitude >> 13) & 0x1ff);
  if (magnitude == FLOAT_INFINITY)
    return sign | HALF_INFINITY;

  /* From 65520 on, rounding would give infinity. */
  if (magnitude >= 0x477ff000u)
    return sign | HALF_MAX;

  /* From 2^-14 on, the exponent moves from a bias of 127 to one of 15, and a
   * carry out of the mantissa is the next exponent. */
  if (exponent >= 113)
    return sign | round_shift (magnitude - (112u << 23), 13);

  /* Subnormal, in units of 2^-24; 2^-25 is a tie that goes to 0. */
  if (exponent >= 102)
    return sign | round_shift ((magnitude & (FLOAT_HIDDEN - 1)) | FLOAT_HIDDEN, 126 - exponent);

  return sign;
}

float
c2g_float16_to_float (guint16 bits)
{
  const guint32 sign = (guint32) (bits & 0x8000) << 16;
  const guint32 exponent = (bits >> 10) & 0x1f;
  const guint32 mantissa = bits & 0x3ff;

  if (exponent == 0)
    return c2g_float_of_bits (c2g_bits_of_float (mantissa * 0x1p-24f) | sign);
  if (exponent == 0x1f)
    return c2g_float_of_bits (sign | FLOAT_INFINITY | (mantissa << 13) |
                              (mantissa != 0 ? FLOAT_QUIET : 0));

  return c2g_float_of_bits (sign | ((exponent + 112) << 23) | (mantissa << 13));
}
