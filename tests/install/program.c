/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <c2g/c2g.h>

int
main (void)
{
  if (!c2g_check_version (C2G_MAJOR_VERSION, C2G_MINOR_VERSION, C2G_MICRO_VERSION))
    return 1;

  g_print ("c2g %s\n", c2g_get_version_string ());
  return 0;
}
