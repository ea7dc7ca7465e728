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

/* A double on the way to a 16-bit type: where no float equals it, the odd one of its two
 * neighbours, so that rounding again gives what rounding once would. */
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

/* IEEE 754 binary16 and bfloat16 as bit patterns.  Rounding to nearest even;
 * finite values beyond ±65504 saturate, as NVCaffe does.  A NaN becomes a quiet one.
 */
guint16 c2g_float16_from_float  (float   value);
guint16 c2g_float16_from_double (double  value);
float   c2g_float16_to_float    (guint16 bits);

static inline guint16
c2g_bfloat16_from_float_bits (guint32 bits)
{
  const guint32 rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;

  /* Rounding could carry a NaN into infinity, and so could dropping its bits. */
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

static inline guint16
c2g_bfloat16_from_double (double value)
{
  return c2g_bfloat16_from_float (c2g_odd_float (value));
}

/* Rows of them.  These use the processor's instructions where it has them, which give the same
 * bits.  Source and target have nothing in common. */
void    c2g_float16_row_from_floats (const float   *source,
                                     guint16       *target,
                                     gsize          n);
void    c2g_float16_row_to_floats   (const guint16 *source,
                                     float         *target,
                                     gsize          n);

/* The ways of doing so, the fastest first; the last one works everywhere. */
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
