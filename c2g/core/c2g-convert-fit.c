/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-convert-private.h>

#include <c2g/core/c2g-float16-private.h>
#include <c2g/core/c2g-hot-private.h>

#include <math.h>

/* Tells which numbers fit into an element type.  Floating-point types round, and hold infinity and
 * NaN; a finite number that rounding would make infinite does not fit.  Integer types hold whole
 * numbers only, and a boolean holds 0 and 1. */

/* Number of elements between two checks whether one did not fit. */
#define N_BLOCK 1024

typedef struct
{
  /* The integers that fit. */
  gint64  min;
  guint64 max;
  /* The first floating-point number beyond them, or that rounds to infinity. */
  double  end;
} Limits;

#define AT(type) [C2G_CONVERT_SLOT (C2G_DATA_TYPE_##type)]

static const Limits limits[C2G_N_CONVERT_SLOTS] = {
  AT (BOOL) = { 0, 1, 2 },
  AT (UINT8) = { 0, G_MAXUINT8, 0x1p8 },
  AT (INT8) = { G_MININT8, G_MAXINT8, 0x1p7 },
  AT (UINT16) = { 0, G_MAXUINT16, 0x1p16 },
  AT (INT16) = { G_MININT16, G_MAXINT16, 0x1p15 },
  AT (UINT32) = { 0, G_MAXUINT32, 0x1p32 },
  AT (INT32) = { G_MININT32, G_MAXINT32, 0x1p31 },
  AT (UINT64) = { 0, G_MAXUINT64, 0x1p64 },
  AT (INT64) = { G_MININT64, G_MAXINT64, 0x1p63 },
  AT (FLOAT16) = { -65519, 65519, 65520 },
  AT (BFLOAT16) = { G_MININT64, G_MAXUINT64, 0x1.ffp127 },
  AT (FLOAT) = { G_MININT64, G_MAXUINT64, 0x1.ffffffp127 },
  AT (DOUBLE) = { G_MININT64, G_MAXUINT64, INFINITY },
};

typedef gsize (*Find) (gconstpointer  source,
                       gsize          n,
                       const Limits  *within);

/* mask is an integer as wide as the elements, so that many of them are compared at once. */
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
  static gsize name (gconstpointer source, gsize n, const Limits *within)                          \
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

static gboolean
is_real (C2gDataType type)
{
  return type == C2G_DATA_TYPE_FLOAT || type == C2G_DATA_TYPE_DOUBLE ||
         type == C2G_DATA_TYPE_FLOAT16 || type == C2G_DATA_TYPE_BFLOAT16;
}

static Find
find_loop (C2gDataType to,
           C2gDataType from)
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
      return is_real (to) ? find_float_finite : find_float_whole;
    case C2G_DATA_TYPE_DOUBLE:
      return is_real (to) ? find_double_finite : find_double_whole;
    default:
      return NULL;
    }
}

/* Returns TRUE if every number of one type is within the limits of the other. */
static gboolean
has_all (C2gDataType to,
         C2gDataType from)
{
  const Limits *wide = &limits[C2G_CONVERT_SLOT (to)];
  const Limits *narrow = &limits[C2G_CONVERT_SLOT (from)];

  return (is_real (to) || !is_real (from)) && wide->min <= narrow->min &&
         wide->max >= narrow->max && wide->end >= narrow->end;
}

/* 16-bit floating-point numbers are looked at as floats. */
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

      c2g_convert_items (C2G_DATA_TYPE_FLOAT, floats, from, source + i, n_block,
                         C2G_CONVERT_SATURATE, NULL);
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
  const Find find = find_loop (to, from);

  if (has_all (to, from))
    return n;

  return find != NULL ? find (source, n, &limits[C2G_CONVERT_SLOT (to)])
                      : find_by_floats (to, from, source, n);
}
