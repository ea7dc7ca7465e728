/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-convert-private.h>

#include <c2g/core/tensor/c2g-number-range-private.h>
#include <c2g/core/types/c2g-hot-private.h>

#include <math.h>

/* Tells which numbers fit into an element type. Floating-point types round, and hold infinity and
 * NaN; a finite number that rounding would make infinite does not fit. Integer types hold whole
 * numbers only, and a boolean holds 0 and 1. */

/* Number of elements converted between two checks for one that does not fit. */
#define N_BLOCK 1024

typedef gsize (*Find) (gconstpointer         source,
                       gsize                 n,
                       const C2gComputeRange *within);

/* Defines a function that returns the position of the first element that does not fit, or n. It
 * tests whole blocks, and the elements of the first block with a hit one by one. mask is an
 * integer type as wide as the elements, which lets the compiler compare many of them at once. */
#define DEFINE_FIND(name, type, mask, limit_type, first, last, is_unfit)                           \
  C2G_HOT static mask name##_has (const type *xs, gsize n, limit_type low, limit_type high)        \
  {                                                                                                \
    mask has = 0;                                                                                  \
                                                                                                   \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        const type x = xs[i];                                                                      \
                                                                                                   \
        has |= is_unfit;                                                                           \
      }                                                                                            \
                                                                                                   \
    return has;                                                                                    \
  }                                                                                                \
                                                                                                   \
  static gsize name (gconstpointer source, gsize n, const C2gComputeRange *within)                 \
  {                                                                                                \
    const type *xs = source;                                                                       \
    const limit_type low = first, high = last;                                                     \
    gsize i = 0;                                                                                   \
                                                                                                   \
    while (i < n && !name##_has (xs + i, MIN (n - i, N_BLOCK), low, high))                         \
      i += N_BLOCK;                                                                                \
    while (i < n && !name##_has (xs + i, 1, low, high))                                            \
      i++;                                                                                         \
                                                                                                   \
    return MIN (i, n);                                                                             \
  }

#define DEFINE_FIND_SIGNED(name, type, mask, MIN_INTEGER, MAX_INTEGER)                             \
  DEFINE_FIND (name, type, mask, type, MAX (within->min, MIN_INTEGER),                             \
               MIN (within->max, (guint64) (MAX_INTEGER)), (x < low) | (x > high))

#define DEFINE_FIND_UNSIGNED(name, type, MAX_INTEGER)                                              \
  DEFINE_FIND (name, type, type, type, 0, MIN (within->max, MAX_INTEGER), (x < low) | (x > high))

/* _whole looks for numbers that an integer type does not hold: fractions, NaN, and those out of
 * the range. _finite looks for finite numbers that would become infinite in a narrower
 * floating-point type. */
#define DEFINE_FIND_REAL(name, type, mask, trunc_function, abs_function)                           \
  DEFINE_FIND (name##_whole, type, mask, type, within->min, within->end,                           \
               !((x >= low) & (x < high) & (trunc_function (x) == x)))                             \
  DEFINE_FIND (name##_finite, type, mask, type, within->end, INFINITY,                             \
               (abs_function (x) >= low) & (abs_function (x) < high))

DEFINE_FIND_SIGNED (find_int8, gint8, guint8, G_MININT8, G_MAXINT8)
DEFINE_FIND_SIGNED (find_int16, gint16, guint16, G_MININT16, G_MAXINT16)
DEFINE_FIND_SIGNED (find_int32, gint32, guint32, G_MININT32, G_MAXINT32)
DEFINE_FIND_SIGNED (find_int64, gint64, guint64, G_MININT64, G_MAXINT64)
DEFINE_FIND_UNSIGNED (find_uint8, guint8, G_MAXUINT8)
DEFINE_FIND_UNSIGNED (find_uint16, guint16, G_MAXUINT16)
DEFINE_FIND_UNSIGNED (find_uint32, guint32, G_MAXUINT32)
DEFINE_FIND_UNSIGNED (find_uint64, guint64, G_MAXUINT64)
DEFINE_FIND_REAL (find_float, float, guint32, truncf, fabsf)
DEFINE_FIND_REAL (find_double, double, guint64, trunc, fabs)

/* Returns NULL for the 16-bit types, which find_by_floats() handles. */
static Find
find_loop (const C2gComputeRange *within,
           C2gDataType           from)
{
  switch (from)
    {
    case C2G_DATA_TYPE_UINT8:
      return find_uint8;
    case C2G_DATA_TYPE_INT8:
      return find_int8;
    case C2G_DATA_TYPE_UINT16:
      return find_uint16;
    case C2G_DATA_TYPE_INT16:
      return find_int16;
    case C2G_DATA_TYPE_UINT32:
      return find_uint32;
    case C2G_DATA_TYPE_INT32:
      return find_int32;
    case C2G_DATA_TYPE_UINT64:
      return find_uint64;
    case C2G_DATA_TYPE_INT64:
      return find_int64;
    case C2G_DATA_TYPE_FLOAT:
      return within->n_digits > 0 ? find_float_finite : find_float_whole;
    case C2G_DATA_TYPE_DOUBLE:
      return within->n_digits > 0 ? find_double_finite : find_double_whole;
    default:
      return NULL;
    }
}

const C2gComputeRange *
c2g_convert_find_range (C2gDataType to,
                        C2gDataType from)
{
  const C2gComputeRange *wide = c2g_number_range (to);
  const C2gComputeRange *narrow = c2g_number_range (from);
  const gboolean has_all = (wide->n_digits > 0 || narrow->n_digits == 0) &&
                           wide->min <= narrow->min && wide->max >= narrow->max &&
                           wide->end >= narrow->end;

  return has_all ? NULL : wide;
}

/* Compares 16-bit floating-point numbers after converting them to float. */
static gsize
find_by_floats (C2gDataType    to,
                C2gDataType    from,
                const guint16 *source,
                gsize          n)
{
  float floats[N_BLOCK];

  for (gsize i = 0; i < n; i += N_BLOCK)
    {
      const gsize n_block = MIN (n - i, N_BLOCK);
      gsize position;

      c2g_convert_all (C2G_DATA_TYPE_FLOAT, floats, from, source + i, n_block, C2G_CONVERT_SATURATE);
      position = c2g_convert_find_unfit (to, C2G_DATA_TYPE_FLOAT, floats, n_block);
      if (position < n_block)
        return i + position;
    }

  return n;
}

gsize
c2g_convert_find_unfit (C2gDataType    to,
                        C2gDataType    from,
                        gconstpointer  source,
                        gsize          n)
{
  const C2gComputeRange *range = c2g_convert_find_range (to, from);
  Find find;

  if (range == NULL)
    return n;

  find = find_loop (range, from);
  return find != NULL ? find (source, n, range) : find_by_floats (to, from, source, n);
}

gboolean
c2g_convert_items (C2gDataType      to,
                   gpointer         target,
                   C2gDataType      from,
                   gconstpointer    source,
                   gsize            n,
                   C2gConvertFlags  flags,
                   gsize           *position)
{
  if ((flags & (C2G_CONVERT_SATURATE | C2G_CONVERT_WRAP)) == 0)
    {
      *position = c2g_convert_find_unfit (to, from, source, n);
      if (*position < n)
        return FALSE;
    }

  c2g_convert_all (to, target, from, source, n, flags);
  return TRUE;
}
