/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-version.h>

static void
test_version_numbers (void)
{
  g_autofree char *text = NULL;

  g_assert_cmpint (c2g_get_major_version (), ==, C2G_MAJOR_VERSION);
  g_assert_cmpint (c2g_get_minor_version (), ==, C2G_MINOR_VERSION);
  g_assert_cmpint (c2g_get_micro_version (), ==, C2G_MICRO_VERSION);

  text = g_strdup_printf ("%d.%d.%d", c2g_get_major_version (), c2g_get_minor_version (), c2g_get_micro_version ());
  g_assert_cmpstr (c2g_get_version_string (), ==, text);
  g_assert_cmpstr (c2g_get_version_string (), ==, PACKAGE_VERSION);
}

static void
test_version_check (void)
{
  const int major = c2g_get_major_version ();
  const int minor = c2g_get_minor_version ();
  const int micro = c2g_get_micro_version ();
  const struct
  {
    int major, minor, micro;
    gboolean at_least;
  } cases[] = {
    { major, minor, micro, TRUE },
    { major, minor, micro - 1, TRUE },
    { major, minor, micro + 1, FALSE },
    { major, minor - 1, micro + 1, TRUE },
    { major, minor + 1, micro - 1, FALSE },
    { major - 1, minor + 1, micro + 1, TRUE },
    { major + 1, minor - 1, micro - 1, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (c2g_check_version (cases[i].major, cases[i].minor, cases[i].micro), ==, cases[i].at_least);
      g_assert_cmpint (C2G_CHECK_VERSION (cases[i].major, cases[i].minor, cases[i].micro), ==, cases[i].at_least);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/version/numbers", test_version_numbers);
  g_test_add_func ("/version/check", test_version_check);

  return g_test_run ();
}
