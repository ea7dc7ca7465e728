/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/types/c2g-shape-private.h>

#define BIG G_GINT64_CONSTANT (0x100000000)

static void
test_count (void)
{
  static const struct
  {
    gint64 dims[4];
    gsize  n_dims;
    gint64 n_elements;
  } cases[] = {
    { { 0 }, 0, 1 },
    { { 7 }, 1, 7 },
    { { 0 }, 1, 0 },
    { { 2, 3, 4 }, 3, 24 },
    { { 2, 0, 4 }, 3, 0 },
    { { BIG, 1, 1 }, 3, BIG },
    { { G_MAXINT64 }, 1, G_MAXINT64 },
    { { 1, G_MAXINT64, 1 }, 3, G_MAXINT64 },
    /* A zero dimension gives 0, even if others overflow. */
    { { BIG, BIG, BIG, 0 }, 4, 0 },
    { { 0, BIG, BIG, BIG }, 4, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 n_elements = -1;

      g_assert_true (c2g_shape_count (cases[i].dims, cases[i].n_dims, &n_elements, &error));
      g_assert_no_error (error);
      g_assert_cmpint (n_elements, ==, cases[i].n_elements);
    }

  g_assert_true (c2g_shape_count (NULL, 0, &(gint64) { 0 }, NULL));
}

static void
test_count_errors (void)
{
  static const struct
  {
    gint64   dims[3];
    gsize    n_dims;
    C2gError code;
  } cases[] = {
    { { -1 }, 1, C2G_ERROR_SHAPE },
    { { 2, -3, 4 }, 3, C2G_ERROR_SHAPE },
    { { 0, G_MININT64 }, 2, C2G_ERROR_SHAPE },
    /* Two negative dimensions must not give a positive product. */
    { { -2, -2 }, 2, C2G_ERROR_SHAPE },
    { { BIG, BIG, -1 }, 3, C2G_ERROR_SHAPE },
    { { BIG, BIG }, 2, C2G_ERROR_RANGE },
    { { G_MAXINT64, 2 }, 2, C2G_ERROR_RANGE },
    { { BIG, BIG, BIG }, 3, C2G_ERROR_RANGE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 n_elements = 42;

      g_assert_false (c2g_shape_count (cases[i].dims, cases[i].n_dims, &n_elements, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_cmpint (n_elements, ==, 42);
    }
}

static void
test_bytes (void)
{
  static const struct
  {
    gint64   n_elements;
    gsize    item_size;
    gboolean fits;
    gsize    n_bytes;
  } cases[] = {
    { 0, 8, TRUE, 0 },
    { 3, 8, TRUE, 24 },
    { G_MAXINT64, 1, TRUE, G_MAXINT64 },
    { G_MAXINT64, 2, TRUE, G_MAXSIZE - 1 },
    { G_MAXINT64, 3, FALSE, 0 },
    { BIG, BIG, FALSE, 0 },
    { 2, G_MAXSIZE, FALSE, 0 },
    { 1, G_MAXSIZE, TRUE, G_MAXSIZE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize n_bytes;

      g_assert_cmpint (c2g_shape_bytes (cases[i].n_elements, cases[i].item_size, &n_bytes, &error),
                       ==, cases[i].fits);
      if (cases[i].fits)
        g_assert_cmpuint (n_bytes, ==, cases[i].n_bytes);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
    }
}

static void
test_axis (void)
{
  static const struct
  {
    int   axis;
    gsize n_dims;
    int   canonical;
  } cases[] = {
    { 0, 3, 0 },
    { 2, 3, 2 },
    { -1, 3, 2 },
    { -3, 3, 0 },
    { 3, 3, -1 },
    { -4, 3, -1 },
    { 0, 0, -1 },
    { -1, 0, -1 },
    { G_MAXINT, 3, -1 },
    { G_MININT, 3, -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_shape_axis (cases[i].axis, cases[i].n_dims, &error), ==,
                       cases[i].canonical);
      if (cases[i].canonical >= 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
    }
}

static void
test_to_string (void)
{
  g_autofree char *scalar = c2g_shape_to_string (NULL, 0);
  g_autofree char *one = c2g_shape_to_string ((gint64[]) { 5 }, 1);
  g_autofree char *three = c2g_shape_to_string ((gint64[]) { 2, -1, G_MAXINT64 }, 3);

  g_assert_cmpstr (scalar, ==, "[]");
  g_assert_cmpstr (one, ==, "[5]");
  g_assert_cmpstr (three, ==, "[2, -1, 9223372036854775807]");
}

static void
test_equal (void)
{
  const gint64 a[] = { 2, 3, 4 };
  const gint64 b[] = { 2, 3, 5 };

  g_assert_true (c2g_shape_equal (a, 3, a, 3));
  g_assert_true (c2g_shape_equal (a, 2, b, 2));
  g_assert_false (c2g_shape_equal (a, 3, b, 3));
  g_assert_false (c2g_shape_equal (a, 3, a, 2));
  g_assert_true (c2g_shape_equal (NULL, 0, NULL, 0));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/shape/count", test_count);
  c2g_test_add_func ("/shape/count-errors", test_count_errors);
  c2g_test_add_func ("/shape/bytes", test_bytes);
  c2g_test_add_func ("/shape/axis", test_axis);
  c2g_test_add_func ("/shape/to-string", test_to_string);
  c2g_test_add_func ("/shape/equal", test_equal);

  return c2g_test_run ();
}
