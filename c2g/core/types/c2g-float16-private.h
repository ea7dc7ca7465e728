/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <math.h>
#include <string.h>

G_BEGIN_DECLS

static inline guint32
c2g_bits_of_float (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);

  return bits;
}

static inline float
c2g_float_of_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);

  return value;
}

/* Rounds to odd: a double that no float can hold exactly becomes the neighbour with an odd
 * mantissa. The second rounding, to a 16-bit type, then gives the same result as a single rounding. */
static inline float
c2g_odd_float (double value)
{
  const float nearest = value;
  guint32 bits = c2g_bits_of_float (nearest);

  if (fabs ((double) nearest) > fabs (value))
    bits--;
  if ((double) nearest != value)
    bits |= 1;

  return c2g_float_of_bits (bits);
}

/* Conversions to and from the bits of IEEE 754 binary16 and bfloat16. They round to nearest even,
 * and a NaN becomes a quiet NaN. As binary16, finite values beyond ±65504 become ±65504, as in
 * NVCaffe. bfloat16 has the range of float, and only the largest floats round to infinity. */
guint16 c2g_float16_from_float (float   value);
float   c2g_float16_to_float   (guint16 bits);

static inline guint16
c2g_bfloat16_from_float_bits (guint32 bits)
{
  const guint32 rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;

  /* Rounding could carry a NaN into infinity, and so could dropping its low bits. */
  return (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40 : rounded;
}

static inline guint16
c2g_bfloat16_from_float (float value)
{
  return c2g_bfloat16_from_float_bits (c2g_bits_of_float (value));
}

static inline float
c2g_bfloat16_to_float (guint16 bits)
{
  return c2g_float_of_bits ((guint32) bits << 16);
}

/* The same for arrays, with the instructions of the processor if it has them; results are equal bit
 * by bit. The arrays must not overlap. */
void    c2g_float16_row_from_floats (const float   *source,
                                     guint16       *target,
                                     gsize          n);
void    c2g_float16_row_to_floats   (const guint16 *source,
                                     float         *target,
                                     gsize          n);

/* Implementations of these, the fastest first; the last one runs on every processor. */
typedef struct
{
  const char *name;
  gboolean  (*is_supported) (void);
  void      (*from_floats)  (const float   *source,
                             guint16       *target,
                             gsize          n);
  void      (*to_floats)    (const guint16 *source,
                             float         *target,
                             gsize          n);
} C2gFloat16Rows;

extern const C2gFloat16Rows c2g_float16_rows[];
extern const gsize          c2g_n_float16_rows;

G_END_DECLS
