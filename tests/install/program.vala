/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

int main () {
  if (!C2g.check_version (C2g.MAJOR_VERSION, C2g.MINOR_VERSION, C2g.MICRO_VERSION))
    return 1;

  print ("c2g %s\n", C2g.get_version_string ());
  return 0;
}
