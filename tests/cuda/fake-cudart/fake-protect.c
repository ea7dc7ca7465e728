/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#ifdef __SANITIZE_ADDRESS__
# include <sanitizer/asan_interface.h>
#endif

/* The host has no business in device memory: while no work runs, AddressSanitizer
 * takes it for poison. */
void
fake_protect (gconstpointer address,
              gsize         n_bytes,
              gboolean      is_closed)
{
#ifdef __SANITIZE_ADDRESS__
  if (is_closed)
    ASAN_POISON_MEMORY_REGION (address, n_bytes);
  else
    ASAN_UNPOISON_MEMORY_REGION (address, n_bytes);
#endif
}
