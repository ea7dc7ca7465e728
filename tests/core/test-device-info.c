/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/device/c2g-device-backend.h>

static void
test_cpu (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (c2g_device_cpu (), &error);

  g_assert_no_error (error);
  g_assert_true (c2g_device_info_get_device (info) == c2g_device_cpu ());
  g_assert_cmpstr (c2g_device_info_get_name (info), !=, "");
  g_assert_cmpuint (c2g_device_info_get_total_bytes (info), >, 0);
  g_assert_cmpint (g_ascii_strtoll (c2g_device_info_get_detail (info, "processors"), NULL, 10), ==,
                   g_get_num_processors ());
}

/* Details keep the order in which they were added, and live as long as there is a reference. */
static void
test_details (void)
{
  C2gDevice *cuda = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 3, NULL);
  C2gDeviceInfo *info = c2g_device_info_new (cuda, "A device", 1000, 10);
  C2gDeviceInfo *other = c2g_device_info_ref (info);
  g_auto (GStrv) names = NULL;

  c2g_device_info_add_detail (info, "taste", "sweet");
  c2g_device_info_add_detail (info, "colour", "green");
  c2g_device_info_unref (info);

  names = c2g_device_info_list_details (other);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_cmpstr (names[0], ==, "taste");
  g_assert_cmpstr (names[1], ==, "colour");
  g_assert_cmpstr (c2g_device_info_get_detail (other, "taste"), ==, "sweet");
  g_assert_cmpstr (c2g_device_info_get_detail (other, "colour"), ==, "green");
  g_assert_null (c2g_device_info_get_detail (other, "sweet"));
  g_assert_true (c2g_device_info_get_device (other) == cuda);
  g_assert_cmpuint (c2g_device_info_get_free_bytes (other), ==, 10);
  c2g_device_info_unref (other);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/device-info/cpu", test_cpu);
  c2g_test_add_func ("/device-info/details", test_details);

  return c2g_test_run ();
}
