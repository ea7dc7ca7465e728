/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/types/c2g-float16-private.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Compares conversions of arrays with a model. A long double can hold every number of every element
 * type, so the model rounds only once, and comparing needs no rounding. */

#define FLOAT16 C2G_DATA_TYPE_FLOAT16
#define FLOAT   C2G_DATA_TYPE_FLOAT

typedef struct
{
  C2gDataType  type;
  /* The range of integers; unused for the others. */
  long double  min;
  long double  max;
  /* Number of mantissa bits, and the exponents of the smallest and the largest normal number; 0 for
   * integers. */
  int          n_bits;
  int          min_exponent;
  int          max_exponent;
} NumberType;

static const NumberType types[] = {
  { C2G_DATA_TYPE_BOOL, 0, 1 },
  { C2G_DATA_TYPE_UINT8, 0, G_MAXUINT8 },
  { C2G_DATA_TYPE_INT8, G_MININT8, G_MAXINT8 },
  { C2G_DATA_TYPE_UINT16, 0, G_MAXUINT16 },
  { C2G_DATA_TYPE_INT16, G_MININT16, G_MAXINT16 },
  { C2G_DATA_TYPE_UINT32, 0, G_MAXUINT32 },
  { C2G_DATA_TYPE_INT32, G_MININT32, G_MAXINT32 },
  { C2G_DATA_TYPE_UINT64, 0, G_MAXUINT64 },
  { C2G_DATA_TYPE_INT64, G_MININT64, G_MAXINT64 },
  { C2G_DATA_TYPE_FLOAT16, 0, 0, 11, -14, 15 },
  { C2G_DATA_TYPE_BFLOAT16, 0, 0, 8, -126, 127 },
  { C2G_DATA_TYPE_FLOAT, 0, 0, 24, -126, 127 },
  { C2G_DATA_TYPE_DOUBLE, 0, 0, 53, -1022, 1023 },
};

typedef union
{
  guint8  bytes[8];
  guint8  as_uint8;
  gint8   as_int8;
  guint16 as_uint16;
  gint16  as_int16;
  guint32 as_uint32;
  gint32  as_int32;
  guint64 as_uint64;
  gint64  as_int64;
  float   as_float;
  double  as_double;
} Item;

static Item
item_at (gconstpointer items,
         gsize         i,
         gsize         item_size)
{
  Item item = { .as_uint64 = 0 };

  memcpy (&item, (const char *) items + i * item_size, item_size);

  return item;
}

/* Decodes 16 bits by the formula of IEEE 754. */
static long double
number_of_bits (const NumberType *type,
                guint16           bits)
{
  const int n_stored = type->n_bits - 1;
  const int mantissa = bits & ((1 << n_stored) - 1);
  const int exponent = (bits & 0x7fff) >> n_stored;
  const long double sign = bits >> 15 ? -1 : 1;

  if (exponent == 2 * type->max_exponent + 1)
    return mantissa != 0 ? (long double) NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexpl (mantissa, type->min_exponent - n_stored);

  return sign * ldexpl ((1 << n_stored) + mantissa, exponent - type->max_exponent - n_stored);
}

static long double
number_of_item (const NumberType *type,
                Item              item)
{
  switch ((int) type->type)
    {
    case C2G_DATA_TYPE_BOOL:
      return item.as_uint8 != 0;
    case C2G_DATA_TYPE_UINT8:
      return item.as_uint8;
    case C2G_DATA_TYPE_INT8:
      return item.as_int8;
    case C2G_DATA_TYPE_UINT16:
      return item.as_uint16;
    case C2G_DATA_TYPE_INT16:
      return item.as_int16;
    case C2G_DATA_TYPE_UINT32:
      return item.as_uint32;
    case C2G_DATA_TYPE_INT32:
      return item.as_int32;
    case C2G_DATA_TYPE_UINT64:
      return item.as_uint64;
    case C2G_DATA_TYPE_INT64:
      return item.as_int64;
    case C2G_DATA_TYPE_FLOAT:
      return item.as_float;
    case C2G_DATA_TYPE_DOUBLE:
      return item.as_double;
    default:
      return number_of_bits (type, item.as_uint16);
    }
}

/* Rounds to the nearest number of the floating-point type, as if it had no largest one. */
static long double
round_number (const NumberType *type,
              long double       x)
{
  int exponent;

  if (x == 0 || !isfinite (x))
    return x;

  exponent = MAX (ilogbl (x), type->min_exponent) - type->n_bits + 1;

  return ldexpl (rintl (ldexpl (x, -exponent)), exponent);
}

static long double
largest (const NumberType *type)
{
  return ldexpl (2 - ldexpl (1, 1 - type->n_bits), type->max_exponent);
}

static gboolean
model_fits (const NumberType *to,
            long double       x)
{
  if (to->n_bits == 0)
    return x >= to->min && x <= to->max && x == truncl (x);

  return !isfinite (x) || fabsl (round_number (to, x)) <= largest (to);
}

/* Returns the number after rounding to the type. */
static long double
model_convert (const NumberType *to,
               long double       x)
{
  long double y;

  if (to->type == C2G_DATA_TYPE_BOOL)
    return x != 0;
  if (to->n_bits == 0)
    return isnan (x) ? 0 : MIN (MAX (truncl (x), to->min), to->max) + 0.0L;

  y = round_number (to, x);
  if (!isfinite (y) || fabsl (y) <= largest (to))
    return y;

  return copysignl (to->type == FLOAT16 ? 65504 : INFINITY, y);
}

static gboolean
is_same (long double x,
         long double y)
{
  return isnan (x) ? isnan (y) : x == y && signbit (x) == signbit (y);
}

/* Fills with numbers around every power of two, and random ones. */
static gsize
fill_items (const NumberType *type,
            gpointer          items,
            GRand            *rand)
{
  const gsize item_size = c2g_data_type_get_item_size (type->type);
  gsize n = 0;

  for (int k = -150; k <= 150; k++)
    for (int side = -2; side <= 2; side++)
      for (int sign = -1; sign <= 1; sign += 2)
        {
          const double x = sign * ldexp (1, k);
          const double beside = side == -2  ? nextafter (x, -INFINITY)
                                : side == 2 ? nextafter (x, INFINITY)
                                            : x + side;
          Item item = { .as_uint64 = 0 };

          if (type->type == C2G_DATA_TYPE_DOUBLE)
            item.as_double = beside;
          else if (type->type == FLOAT)
            item.as_float = side == -2  ? nextafterf ((float) x, -INFINITY)
                            : side == 2 ? nextafterf ((float) x, INFINITY)
                                        : (float) beside;
          else
            item.as_uint64 = k < 0 ? (guint64) (k + 150) * 437
                                   : ((guint64) 1 << MIN (k, 63)) * (guint64) sign + (guint64) side;
          memcpy ((char *) items + n++ * item_size, &item, item_size);
        }

  for (gsize i = 0; i < 4000; i++)
    {
      Item item = { .as_uint64 = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand) };

      /* Random bit patterns are rarely near 0, so use values near 0 too. */
      if (type->type == C2G_DATA_TYPE_DOUBLE && i % 2 == 0)
        item.as_double = ldexp (g_rand_double_range (rand, -1, 1), g_rand_int_range (rand, -30, 70));
      if (type->type == FLOAT && i % 2 == 0)
        item.as_float = ldexp (g_rand_double_range (rand, -1, 1), g_rand_int_range (rand, -30, 70));
      memcpy ((char *) items + n++ * item_size, &item, item_size);
    }

  if (type->type == C2G_DATA_TYPE_DOUBLE || type->type == FLOAT)
    for (gsize i = 0; i < 3; i++)
      {
        const double special[] = { INFINITY, -INFINITY, NAN };
        Item item = { .as_double = special[i] };

        if (type->type == FLOAT)
          item.as_float = special[i];
        memcpy ((char *) items + n++ * item_size, &item, item_size);
      }

  return n;
}

#define MAX_ITEMS 8192

static void
check_fit (const NumberType *to,
           const NumberType *from,
           gconstpointer     source,
           gsize             n)
{
  const gsize item_size = c2g_data_type_get_item_size (from->type);
  g_autofree char *fitting = g_malloc (n * item_size + 1);
  g_autofree char *target = g_malloc (n * 8 + 1);
  gsize n_fitting = 0, position = 0;
  Item unfit = { .as_uint64 = 0 };
  gboolean has_unfit = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      const Item item = item_at (source, i, item_size);
      const gboolean fits = model_fits (to, number_of_item (from, item));

      g_assert_cmpuint (c2g_convert_find_unfit (to->type, from->type, &item, 1), ==, fits ? 1 : 0);
      if (fits)
        memcpy (fitting + n_fitting++ * item_size, &item, item_size);
      else
        unfit = item;
      has_unfit |= !fits;
    }

  g_assert_true (c2g_convert_items (to->type, target, from->type, fitting, n_fitting,
                                    C2G_CONVERT_NONE, &position));
  if (!has_unfit)
    return;

  /* The position of the first number that does not fit is returned, and nothing is written. */
  for (gsize at = 0; at < n_fitting; at += 1 + n_fitting / 7)
    {
      memcpy (fitting + at * item_size, &unfit, item_size);
      memcpy (fitting + (n_fitting - 1) * item_size, &unfit, item_size);
    }
  for (gsize at = 0; at < n_fitting; at += 1 + n_fitting / 7)
    {
      memset (target, 0x5a, n * 8);
      g_assert_false (c2g_convert_items (to->type, target, from->type, fitting + at * item_size,
                                         n_fitting - at, C2G_CONVERT_NONE, &position));
      g_assert_cmpuint (position, ==, 0);
      g_assert_cmphex (*(guint8 *) target, ==, 0x5a);
      if (at + 1 >= n_fitting)
        break;
      g_assert_false (c2g_convert_items (to->type, target, from->type, fitting + (at + 1) * item_size,
                                         n_fitting - at - 1, C2G_CONVERT_NONE, &position));
      g_assert_cmpuint (position, ==, MIN (n_fitting / 7, n_fitting - at - 2));
    }
}

static void
check_pair (const NumberType *to,
            const NumberType *from,
            gconstpointer     source,
            gsize             n)
{
  const gsize from_size = c2g_data_type_get_item_size (from->type);
  const gsize to_size = c2g_data_type_get_item_size (to->type);
  g_autofree char *target = g_malloc (n * to_size);
  g_autofree char *wrapped = g_malloc (n * to_size);

  g_assert_true (c2g_convert_items (to->type, target, from->type, source, n,
                                    C2G_CONVERT_SATURATE, NULL));
  g_assert_true (c2g_convert_items (to->type, wrapped, from->type, source, n, C2G_CONVERT_WRAP, NULL));

  for (gsize i = 0; i < n; i++)
    {
      const Item item = item_at (source, i, from_size);
      const Item result = item_at (target, i, to_size);
      const Item wrap = item_at (wrapped, i, to_size);
      const long double x = number_of_item (from, item);
      const gboolean wraps = from->n_bits == 0 && to->n_bits == 0 && to->max > 1;

      if (!is_same (number_of_item (to, result), model_convert (to, x)))
        g_error ("%s to %s: %.20Lg gives %.20Lg, expected %.20Lg", c2g_data_type_get_name (from->type),
                 c2g_data_type_get_name (to->type), x, number_of_item (to, result),
                 model_convert (to, x));
      /* The lower bits of a negative number are those of the number plus 2^64. */
      if (wraps)
        g_assert_true (memcmp (&wrap, &(Item) { .as_int64 = x < 0 ? (gint64) x : (gint64) (guint64) x },
                               to_size) == 0);
      else
        g_assert_true (memcmp (&wrap, &result, to_size) == 0);
    }
}

/* Converts each type to each other one, with and without the range check. */
static void
test_pairs (void)
{
  GRand *rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree guint64 *source = g_new0 (guint64, MAX_ITEMS);
      const gsize n = fill_items (&types[i], source, rand);

      g_assert_cmpuint (n, <=, MAX_ITEMS);
      for (gsize j = 0; j < G_N_ELEMENTS (types); j++)
        {
          check_pair (&types[j], &types[i], source, n);
          check_fit (&types[j], &types[i], source, n);
        }
    }

  g_rand_free (rand);
}

static const NumberType *
find_type (C2gDataType type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == type)
      return &types[i];

  g_assert_not_reached ();
}

/* Converts every float16 to every type and back, if that type has the number. */
static void
test_all_float16 (void)
{
  const NumberType *half = find_type (FLOAT16);
  g_autofree guint16 *source = g_new (guint16, 1 << 16);
  g_autofree guint64 *there = g_new0 (guint64, 1 << 16);
  g_autofree guint16 *back = g_new (guint16, 1 << 16);

  for (guint bits = 0; bits <= G_MAXUINT16; bits++)
    source[bits] = bits;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const NumberType *to = &types[i];
      const gsize item_size = c2g_data_type_get_item_size (to->type);

      c2g_convert_items (to->type, there, FLOAT16, source, 1 << 16, C2G_CONVERT_SATURATE, NULL);
      c2g_convert_items (FLOAT16, back, to->type, there, 1 << 16, C2G_CONVERT_SATURATE, NULL);
      for (guint bits = 0; bits <= G_MAXUINT16; bits++)
        {
          const long double x = number_of_bits (half, bits);
          const long double y = number_of_item (to, item_at (there, bits, item_size));

          g_assert_true (is_same (y, model_convert (to, x)));
          if (x == y && (x != 0 || to->n_bits != 0))
            g_assert_cmphex (back[bits], ==, bits);
          else if (isnan (y) && to->type != C2G_DATA_TYPE_BFLOAT16)
            g_assert_cmphex (back[bits], ==, to->type == FLOAT16 ? bits : bits | 0x200);
        }
    }
}

/* All ways to convert rows that the processor has, and the function for one number. */
static void
check_float16 (const float *floats,
               gsize        n)
{
  const NumberType *half = find_type (FLOAT16);
  g_autofree guint16 *expected = g_new (guint16, n);
  g_autofree guint16 *row = g_new (guint16, n);

  for (gsize i = 0; i < n; i++)
    {
      expected[i] = c2g_float16_from_float (floats[i]);
      g_assert_true (is_same (number_of_bits (half, expected[i]), model_convert (half, floats[i])));
    }

  for (gsize way = 0; way < c2g_n_float16_rows; way++)
    {
      if (!c2g_float16_rows[way].is_supported ())
        continue;
      c2g_float16_rows[way].from_floats (floats, row, n);
      for (gsize i = 0; i < n; i++)
        if (row[i] != expected[i])
          g_error ("%s makes %#x of %a instead of %#x", c2g_float16_rows[way].name, row[i], floats[i],
                   expected[i]);
    }
}

/* Converts floats from the whole range, and floats at, next to and between all numbers of the
 * narrow type. The option `-m thorough` converts all floats. */
static void
test_sampled_floats (void)
{
  const guint32 sampled = 1021 * (c2g_test_count_rounds (1000) < 1000 ? 100 : 1);
  const guint32 step = g_test_thorough () ? 1 : sampled;
  float floats[1000];
  gsize n = 0;

  for (guint64 bits = 0; bits <= G_MAXUINT32; bits += step)
    {
      floats[n++] = c2g_float_of_bits ((guint32) bits);
      if (n == G_N_ELEMENTS (floats) || bits + step > G_MAXUINT32)
        {
          check_float16 (floats, n);
          n = 0;
        }
    }

  for (guint bits = 0; bits < 0x7c00; bits++)
    {
      const float low = c2g_float16_to_float (bits);
      const float high = bits == 0x7bff ? 65536 : c2g_float16_to_float (bits + 1);
      const float middle = low + (high - low) / 2;
      const float around[] = { low, nextafterf (low, high), nextafterf (middle, low), middle,
                               nextafterf (middle, high), nextafterf (high, low), -low, -middle,
                               nextafterf (-middle, -low), nextafterf (-middle, -high), -high };

      if (n + G_N_ELEMENTS (around) > G_N_ELEMENTS (floats))
        {
          check_float16 (floats, n);
          n = 0;
        }
      memcpy (floats + n, around, sizeof around);
      n += G_N_ELEMENTS (around);
    }
  check_float16 (floats, n);
}

static void
check_to_floats (const C2gFloat16Rows *way,
                 const guint16        *bits,
                 float                *row)
{
  for (gsize n = 0; n < 40; n++)
    {
      memset (row, 0x5a, 41 * sizeof *row);
      way->to_floats (bits + 1, row, n);
      g_assert_cmphex (c2g_bits_of_float (row[n]), ==, 0x5a5a5a5a);
    }

  way->to_floats (bits, row, 1 << 16);
  for (guint i = 0; i <= G_MAXUINT16; i++)
    g_assert_cmphex (c2g_bits_of_float (row[i]), ==, c2g_bits_of_float (c2g_float16_to_float (i)));
}

static void
test_float16_rows (void)
{
  g_autofree guint16 *bits = g_new (guint16, 1 << 16);
  g_autofree float *row = g_new (float, 1 << 16);

  for (guint i = 0; i <= G_MAXUINT16; i++)
    bits[i] = i;

  for (gsize way = 0; way < c2g_n_float16_rows; way++)
    if (c2g_float16_rows[way].is_supported ())
      check_to_floats (&c2g_float16_rows[way], bits, row);
    else
      g_test_message ("This processor has no %s", c2g_float16_rows[way].name);
}

/* Returns FALSE if long double is no wider than double: under Valgrind, and on some machines. */
static gboolean
has_model (void)
{
  volatile long double large = 0x1p63L;

  large += 1;

  return large != 0x1p63L;
}

static void
add_with_model (const char *path,
                GTestFunc   func)
{
  if (has_model ())
    c2g_test_add_func (path, func);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_with_model ("/convert/pairs", test_pairs);
  add_with_model ("/convert/all-float16", test_all_float16);
  add_with_model ("/convert/sampled-floats", test_sampled_floats);
  c2g_test_add_func ("/convert/float16-rows", test_float16_rows);

  return c2g_test_run ();
}
