/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

/* Reads a file of unknown kind. If the content does not show the kind, the name decides. */
void
fuzz_one (GBytes *bytes)
{
  static const char *const names[] = {
    "input.pb",
    "input.minidb",
    "input.npz",
    "input.npy",
    "input.safetensors",
  };
  gsize n_bytes = g_bytes_get_size (bytes);

  fuzz_file (bytes, names[n_bytes % G_N_ELEMENTS (names)]);
}
