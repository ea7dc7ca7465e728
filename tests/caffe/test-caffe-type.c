/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

/* The numbers of NVCaffe's enum Type. */
static const C2gDataType types[] = {
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_BOOL,
};

static void
test_numbers (void)
{
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < (int) G_N_ELEMENTS (types); i++)
    {
      g_assert_cmpint (c2g_data_type_from_caffe (i, &error), ==, types[i]);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_data_type_to_caffe (types[i]), ==, i);
    }
}

static void
test_unknown (void)
{
  static const int numbers[] = { -1, 6, G_MAXINT, G_MININT };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_data_type_from_caffe (numbers[i], &error), ==, C2G_DATA_TYPE_UNDEFINED);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
    }

  g_assert_cmpint (c2g_data_type_to_caffe (C2G_DATA_TYPE_INT64), ==, -1);
  g_assert_cmpint (c2g_data_type_to_caffe (C2G_DATA_TYPE_UNDEFINED), ==, -1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe-type/numbers", test_numbers);
  c2g_test_add_func ("/caffe-type/unknown", test_unknown);

  return c2g_test_run ();
}
