/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

import C2g from 'gi://C2g?version=1';
import System from 'system';

if (!C2g.check_version(C2g.MAJOR_VERSION, C2g.MINOR_VERSION, C2g.MICRO_VERSION))
  System.exit(1);

print(`c2g ${C2g.get_version_string()}`);
