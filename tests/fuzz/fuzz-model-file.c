/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

/* Whatever a file may be: its kind is found out first. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         n_bytes)
{
  fuzz_file (data, n_bytes, "input");
  return 0;
}
