/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/numpy/c2g-numpy-private.h>

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  return c2g_npy_read_entries (source, "array", error);
}

/* Reads an array of NumPy. */
void
fuzz_one (GBytes *bytes)
{
  fuzz_reader (bytes, read_entries);
}
