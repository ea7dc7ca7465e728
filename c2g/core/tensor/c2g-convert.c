/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-convert-private.h>

#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/core/types/c2g-hot-private.h>

#include <string.h>

/* Converts numbers of one element type to another; used by c2g-tensor-convert.c.
 *
 * Each pair of C types is one loop. The 16-bit floating-point types are converted by way of float,
 * a block at a time.
 *
 * A number outside of the range of an integer type becomes the nearest end of it, and NaN becomes
 * 0. Only with C2G_CONVERT_WRAP the lower bits of integers are kept, as in C. */

typedef void (*Loop) (gconstpointer source,
                      gpointer      target,
                      gsize         n);

/* Number of floats in a block between two conversions; it fits into the first-level cache. */
#define N_BLOCK 1024

#define DEFINE_LOOP(attribute, name, from, to, value, expression)                                  \
  attribute static void                                                                            \
  name (gconstpointer source,                                                                      \
        gpointer      target,                                                                      \
        gsize         n)                                                                           \
  {                                                                                                \
    const from *xs = source;                                                                       \
    to *ys = target;                                                                               \
                                                                                                   \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        const from x = value;                                                                      \
                                                                                                   \
        ys[i] = expression;                                                                        \
      }                                                                                            \
  }

static inline gint64
clamp_signed (gint64 x,
              gint64 min,
              gint64 max)
{
  return MIN (MAX (x, min), max);
}

static inline guint64
clamp_unsigned (guint64 x,
                guint64 max)
{
  return MIN (x, max);
}

/* Convert a number to an integer type with the limits min and max. end is max + 1, which every
 * floating-point type can hold. */
#define FROM_UNSIGNED(from, to, min, max, end) ((to) clamp_unsigned (x, max))
#define FROM_SIGNED(from, to, min, max, end) \
  ((to) clamp_signed (x, min, (gint64) MIN ((guint64) (max), (guint64) G_MAXINT64)))
#define FROM_REAL(from, to, min, max, end)                                                         \
  (x >= (from) (end) ? (to) (max) : x > (from) (min) ? (to) x                                      \
                                : x <= (from) (min)  ? (to) (min)                                  \
                                                     : 0)

#define DEFINE_INTEGERS(attribute, name, from, value, FROM)                                        \
  DEFINE_LOOP (attribute, name##_to_uint8, from, guint8, value,                                    \
               FROM (from, guint8, 0, G_MAXUINT8, 0x1p8))                                          \
  DEFINE_LOOP (attribute, name##_to_int8, from, gint8, value,                                      \
               FROM (from, gint8, G_MININT8, G_MAXINT8, 0x1p7))                                    \
  DEFINE_LOOP (attribute, name##_to_uint16, from, guint16, value,                                  \
               FROM (from, guint16, 0, G_MAXUINT16, 0x1p16))                                       \
  DEFINE_LOOP (attribute, name##_to_int16, from, gint16, value,                                    \
               FROM (from, gint16, G_MININT16, G_MAXINT16, 0x1p15))                                \
  DEFINE_LOOP (attribute, name##_to_uint32, from, guint32, value,                                  \
               FROM (from, guint32, 0, G_MAXUINT32, 0x1p32))                                       \
  DEFINE_LOOP (attribute, name##_to_int32, from, gint32, value,                                    \
               FROM (from, gint32, G_MININT32, G_MAXINT32, 0x1p31))                                \
  DEFINE_LOOP (attribute, name##_to_uint64, from, guint64, value,                                  \
               FROM (from, guint64, 0, G_MAXUINT64, 0x1p64))                                       \
  DEFINE_LOOP (attribute, name##_to_int64, from, gint64, value,                                    \
               FROM (from, gint64, G_MININT64, G_MAXINT64, 0x1p63))

#define DEFINE_REST(name, from, value)                                                             \
  DEFINE_LOOP (, name##_to_bool, from, guint8, value, x != 0)                                      \
  DEFINE_LOOP (C2G_HOT, name##_to_float, from, float, value, (float) x)                            \
  DEFINE_LOOP (C2G_HOT, name##_to_double, from, double, value, (double) x)

#define DEFINE_WRAPS(name, from)                                                                   \
  DEFINE_LOOP (, name##_wrap_8, from, guint8, xs[i], (guint8) x)                                   \
  DEFINE_LOOP (, name##_wrap_16, from, guint16, xs[i], (guint16) x)                                \
  DEFINE_LOOP (, name##_wrap_32, from, guint32, xs[i], (guint32) x)                                \
  DEFINE_LOOP (, name##_wrap_64, from, guint64, xs[i], (guint64) x)

#define DEFINE_FROM(name, from, FROM)                                                              \
  DEFINE_INTEGERS (, name, from, xs[i], FROM)                                                      \
  DEFINE_REST (name, from, xs[i])                                                                  \
  DEFINE_WRAPS (name, from)

/* Any byte other than 0 counts as true. */
DEFINE_INTEGERS (, bool, guint8, xs[i] != 0, FROM_UNSIGNED)
DEFINE_REST (bool, guint8, xs[i] != 0)
DEFINE_FROM (uint8, guint8, FROM_UNSIGNED)
DEFINE_FROM (int8, gint8, FROM_SIGNED)
DEFINE_FROM (uint16, guint16, FROM_UNSIGNED)
DEFINE_FROM (int16, gint16, FROM_SIGNED)
DEFINE_FROM (uint32, guint32, FROM_UNSIGNED)
DEFINE_FROM (int32, gint32, FROM_SIGNED)
DEFINE_FROM (uint64, guint64, FROM_UNSIGNED)
DEFINE_FROM (int64, gint64, FROM_SIGNED)
DEFINE_INTEGERS (C2G_HOT, float, float, xs[i], FROM_REAL)
DEFINE_REST (float, float, xs[i])
DEFINE_INTEGERS (C2G_HOT, double, double, xs[i], FROM_REAL)
DEFINE_REST (double, double, xs[i])

/* These loops work on the bits of floats, because compilers vectorize that better. */
DEFINE_LOOP (C2G_HOT, bfloat16_to_float, guint16, guint32, xs[i], (guint32) x << 16)
DEFINE_LOOP (C2G_HOT, float_to_bfloat16, guint32, guint16, xs[i], c2g_bfloat16_from_float_bits (x))

static void
float16_to_float (gconstpointer source,
                  gpointer      target,
                  gsize         n)
{
  c2g_float16_row_to_floats (source, target, n);
}

static void
float_to_float16 (gconstpointer source,
                  gpointer      target,
                  gsize         n)
{
  c2g_float16_row_from_floats (source, target, n);
}

/* Rounds to odd: an integer that no double can hold exactly becomes an odd multiple of 4096. The
 * second rounding, to a 16-bit type, then gives the same result as a single rounding. */
static inline float
odd_float_of_uint64 (guint64 x)
{
  if (x >> 53 != 0 && x % 4096 != 0)
    x = (x & ~(guint64) 4095) | 4096;

  return c2g_odd_float ((double) x);
}

static inline float
odd_float_of_int64 (gint64 x)
{
  return x < 0 ? -odd_float_of_uint64 (-(guint64) x) : odd_float_of_uint64 ((guint64) x);
}

DEFINE_LOOP (, uint32_to_odd_float, guint32, float, xs[i], c2g_odd_float (x))
DEFINE_LOOP (, int32_to_odd_float, gint32, float, xs[i], c2g_odd_float (x))
DEFINE_LOOP (, uint64_to_odd_float, guint64, float, xs[i], odd_float_of_uint64 (x))
DEFINE_LOOP (, int64_to_odd_float, gint64, float, xs[i], odd_float_of_int64 (x))
DEFINE_LOOP (C2G_HOT, double_to_odd_float, double, float, xs[i], c2g_odd_float (x))

#define AT(type) [C2G_CONVERT_SLOT (C2G_DATA_TYPE_##type)]

#define ROW(name)                                                                                  \
  {                                                                                                \
    AT (FLOAT) = name##_to_float, AT (DOUBLE) = name##_to_double, AT (BOOL) = name##_to_bool,      \
    AT (UINT8) = name##_to_uint8, AT (INT8) = name##_to_int8, AT (UINT16) = name##_to_uint16,      \
    AT (INT16) = name##_to_int16, AT (UINT32) = name##_to_uint32, AT (INT32) = name##_to_int32,    \
    AT (UINT64) = name##_to_uint64, AT (INT64) = name##_to_int64,                                  \
  }

static const Loop loops[C2G_N_CONVERT_SLOTS][C2G_N_CONVERT_SLOTS] = {
  AT (BOOL) = ROW (bool),
  AT (UINT8) = ROW (uint8),
  AT (INT8) = ROW (int8),
  AT (UINT16) = ROW (uint16),
  AT (INT16) = ROW (int16),
  AT (UINT32) = ROW (uint32),
  AT (INT32) = ROW (int32),
  AT (UINT64) = ROW (uint64),
  AT (INT64) = ROW (int64),
  AT (FLOAT) = ROW (float),
  AT (DOUBLE) = ROW (double),
};

/* Conversions between integers keep the lower bits; they depend only on the target size, 1, 2, 4 or
 * 8 bytes. */
#define WRAP_ROW(name)                                                                             \
  {                                                                                                \
    name##_wrap_8, name##_wrap_16, name##_wrap_32, name##_wrap_64                                  \
  }

static const Loop wraps[C2G_N_CONVERT_SLOTS][4] = {
  AT (UINT8) = WRAP_ROW (uint8),
  AT (INT8) = WRAP_ROW (int8),
  AT (UINT16) = WRAP_ROW (uint16),
  AT (INT16) = WRAP_ROW (int16),
  AT (UINT32) = WRAP_ROW (uint32),
  AT (INT32) = WRAP_ROW (int32),
  AT (UINT64) = WRAP_ROW (uint64),
  AT (INT64) = WRAP_ROW (int64),
};

/* The first of two steps for conversions from or to a 16-bit floating-point type. */
static const Loop to_floats[C2G_N_CONVERT_SLOTS] = {
  AT (BOOL) = bool_to_float,
  AT (UINT8) = uint8_to_float,
  AT (INT8) = int8_to_float,
  AT (UINT16) = uint16_to_float,
  AT (INT16) = int16_to_float,
  AT (UINT32) = uint32_to_odd_float,
  AT (INT32) = int32_to_odd_float,
  AT (UINT64) = uint64_to_odd_float,
  AT (INT64) = int64_to_odd_float,
  AT (DOUBLE) = double_to_odd_float,
  AT (FLOAT16) = float16_to_float,
  AT (BFLOAT16) = bfloat16_to_float,
};

gboolean
c2g_convert_is_integer (C2gDataType type)
{
  return wraps[C2G_CONVERT_SLOT (type)][0] != NULL;
}

static gboolean
is_16_bit_float (C2gDataType type)
{
  return type == C2G_DATA_TYPE_FLOAT16 || type == C2G_DATA_TYPE_BFLOAT16;
}

/* Returns the loop that converts in one step, without floats between; NULL if there is none. */
static Loop
find_loop (C2gDataType     to,
           C2gDataType     from,
           C2gConvertFlags flags)
{
  const Loop wrap = wraps[C2G_CONVERT_SLOT (from)]
                         [g_bit_nth_lsf (c2g_data_type_get_item_size (to), -1)];

  if ((flags & C2G_CONVERT_WRAP) != 0 && wrap != NULL && c2g_convert_is_integer (to))
    return wrap;
  if (from == C2G_DATA_TYPE_FLOAT && is_16_bit_float (to))
    return to == C2G_DATA_TYPE_FLOAT16 ? float_to_float16 : float_to_bfloat16;
  if (to == C2G_DATA_TYPE_FLOAT && is_16_bit_float (from))
    return to_floats[C2G_CONVERT_SLOT (from)];

  return loops[C2G_CONVERT_SLOT (from)][C2G_CONVERT_SLOT (to)];
}

static void
convert_by_floats (C2gDataType   to,
                   char         *target,
                   C2gDataType   from,
                   const char   *source,
                   gsize         n)
{
  const Loop first = to_floats[C2G_CONVERT_SLOT (from)];
  const Loop second = find_loop (to, C2G_DATA_TYPE_FLOAT, C2G_CONVERT_SATURATE);
  const gsize source_size = c2g_data_type_get_item_size (from);
  const gsize target_size = c2g_data_type_get_item_size (to);
  float floats[N_BLOCK];

  for (gsize i = 0; i < n; i += N_BLOCK)
    {
      const gsize n_block = MIN (n - i, N_BLOCK);

      first (source + i * source_size, floats, n_block);
      second (floats, target + i * target_size, n_block);
    }
}

void
c2g_convert_all (C2gDataType      to,
                 gpointer         target,
                 C2gDataType      from,
                 gconstpointer    source,
                 gsize            n,
                 C2gConvertFlags  flags)
{
  const Loop loop = find_loop (to, from, flags);

  if (to == from && n > 0)
    memcpy (target, source, n * c2g_data_type_get_item_size (to));
  else if (loop != NULL)
    loop (source, target, n);
  else
    convert_by_floats (to, target, from, source, n);
}
