/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

/* A checkpoint in Caffe2's own database; nothing at all is one too. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         n_bytes)
{
  fuzz_file (data, n_bytes, "input.minidb");
  return 0;
}
