/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/numpy/c2g-numpy-private.h>

/* Reads an archive of arrays of NumPy. */
void
fuzz_one (GBytes *bytes)
{
  fuzz_reader (bytes, c2g_npz_read_entries);
}
