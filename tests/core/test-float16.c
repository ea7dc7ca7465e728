/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/types/c2g-float16-private.h>

#include <float.h>
#include <math.h>

static void
test_float16_values (void)
{
  static const struct
  {
    float   value;
    guint16 bits;
  } cases[] = {
    { 0.0f, 0x0000 },
    { -0.0f, 0x8000 },
    { 1.0f, 0x3c00 },
    { -2.0f, 0xc000 },
    { 0.333251953125f, 0x3555 },
    { 65504.0f, 0x7bff },
    { 0x1p-14f, 0x0400 },
    { 0x1p-24f, 0x0001 },
    { 0x1.ff8p-15f, 0x03ff },
    { INFINITY, 0x7c00 },
    { -INFINITY, 0xfc00 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmphex (c2g_float16_from_float (cases[i].value), ==, cases[i].bits);
      g_assert_true (c2g_float16_to_float (cases[i].bits) == cases[i].value);
    }
}

static void
test_float16_rounding (void)
{
  static const struct
  {
    float   value;
    guint16 bits;
  } cases[] = {
    /* Ties go to even, on both sides. */
    { 1.0f + 0x1p-11f, 0x3c00 },
    { 1.0f + 3 * 0x1p-11f, 0x3c02 },
    { 1.0f + 0x1p-11f + 0x1p-20f, 0x3c01 },
    /* The rounding carries into the exponent. */
    { 2.0f - 0x1p-12f, 0x4000 },
    /* Rounds from subnormal to normal, and to zero. */
    { 0x1.ffep-15f, 0x0400 },
    { 0x1p-25f, 0x0000 },
    { 0x1.000002p-25f, 0x0001 },
    { 0x1.8p-24f, 0x0002 },
    { 0x1p-26f, 0x0000 },
    { -FLT_MIN, 0x8000 },
    { 0x1p-149f, 0x0000 },
    /* Numbers that are too large become the largest finite one. */
    { 65519.0f, 0x7bff },
    { 65520.0f, 0x7bff },
    { -1e30f, 0xfbff },
    { FLT_MAX, 0x7bff },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmphex (c2g_float16_from_float (cases[i].value), ==, cases[i].bits);
}

/* Converts every bit pattern to a float and back. */
static void
test_float16_round_trip (void)
{
  for (guint bits = 0; bits <= G_MAXUINT16; bits++)
    {
      const float value = c2g_float16_to_float (bits);
      const gboolean is_nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;

      g_assert_cmpint (!!isnan (value), ==, is_nan);
      /* A NaN becomes a quiet one. */
      g_assert_cmphex (c2g_float16_from_float (value), ==, is_nan ? bits | 0x200 : bits);
    }
}

/* A number between two neighbours is rounded to the nearer one. */
static void
test_float16_nearest (void)
{
  for (guint bits = 0; bits < 0x7bff; bits++)
    {
      const float low = c2g_float16_to_float (bits);
      const float high = c2g_float16_to_float (bits + 1);
      const float middle = low + (high - low) / 2;

      g_assert_cmphex (c2g_float16_from_float (nextafterf (middle, low)), ==, bits);
      g_assert_cmphex (c2g_float16_from_float (nextafterf (middle, high)), ==, bits + 1);
      g_assert_cmphex (c2g_float16_from_float (middle), ==, bits % 2 == 0 ? bits : bits + 1);
      g_assert_cmphex (c2g_float16_from_float (-middle), ==,
                       (bits % 2 == 0 ? bits : bits + 1) | 0x8000);
    }
}

static void
test_bfloat16_values (void)
{
  static const struct
  {
    float   value;
    guint16 bits;
  } cases[] = {
    { 0.0f, 0x0000 },
    { -0.0f, 0x8000 },
    { 1.0f, 0x3f80 },
    { -3.140625f, 0xc049 },
    { INFINITY, 0x7f80 },
    { 1.0f + 0x1p-8f, 0x3f80 },
    { 1.0f + 3 * 0x1p-8f, 0x3f82 },
    { 2.0f - 0x1p-9f, 0x4000 },
    { 0x1p-149f, 0x0000 },
    { FLT_MAX, 0x7f80 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmphex (c2g_bfloat16_from_float (cases[i].value), ==, cases[i].bits);
}

static void
test_bfloat16_round_trip (void)
{
  for (guint bits = 0; bits <= G_MAXUINT16; bits++)
    {
      const float value = c2g_bfloat16_to_float (bits);

      g_assert_cmphex (c2g_bfloat16_from_float (value), ==, isnan (value) ? bits | 0x40 : bits);
    }
}

/* Doubles are rounded once: bits below a float's last bit decide between two neighbours. */
static void
test_doubles (void)
{
  static const struct
  {
    double  value;
    guint16 half;
    guint16 bfloat16;
  } cases[] = {
    { 0.0, 0x0000, 0x0000 },
    { -0.0, 0x8000, 0x8000 },
    { 1 + 0x1p-11, 0x3c00, 0x3f80 },
    { 1 + 0x1p-11 + 0x1p-52, 0x3c01, 0x3f80 },
    { 1 + 3 * 0x1p-11 - 0x1p-52, 0x3c01, 0x3f80 },
    { -1 - 0x1p-11 - 0x1p-40, 0xbc01, 0xbf80 },
    { 1 + 0x1p-8, 0x3c04, 0x3f80 },
    { 1 + 0x1p-8 + 0x1p-52, 0x3c04, 0x3f81 },
    { 1 + 3 * 0x1p-8 - 0x1p-40, 0x3c0c, 0x3f81 },
    /* These numbers are between 0 and the smallest number. */
    { 0x1p-25, 0x0000, 0x3300 },
    { 0x1p-25 + 0x1p-70, 0x0001, 0x3300 },
    { 0x1p-134, 0x0000, 0x0000 },
    { 0x1p-134 + 0x1p-180, 0x0000, 0x0001 },
    { -0x1p-160, 0x8000, 0x8000 },
    /* These numbers are just below the overflow limit, and beyond it. */
    { 65520 - 0x1p-30, 0x7bff, 0x4780 },
    { -0x1.ffp127 + 0x1p80, 0xfbff, 0xff7f },
    { 0x1.ffp127, 0x7bff, 0x7f80 },
    { 1e300, 0x7bff, 0x7f80 },
    { INFINITY, 0x7c00, 0x7f80 },
    { -INFINITY, 0xfc00, 0xff80 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const float odd = c2g_odd_float (cases[i].value);

      g_assert_cmphex (c2g_float16_from_float (odd), ==, cases[i].half);
      g_assert_cmphex (c2g_bfloat16_from_float (odd), ==, cases[i].bfloat16);
    }
  g_assert_true (isnan (c2g_odd_float (NAN)));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/float16/values", test_float16_values);
  c2g_test_add_func ("/float16/rounding", test_float16_rounding);
  c2g_test_add_func ("/float16/doubles", test_doubles);
  c2g_test_add_func ("/float16/round-trip", test_float16_round_trip);
  c2g_test_add_func ("/float16/nearest", test_float16_nearest);
  c2g_test_add_func ("/bfloat16/values", test_bfloat16_values);
  c2g_test_add_func ("/bfloat16/round-trip", test_bfloat16_round_trip);

  return c2g_test_run ();
}
