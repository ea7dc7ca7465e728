/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-huge-pages-private.h>

#include <sys/mman.h>

#define MIN_BYTES  (4u << 20)
#define PAGE_BYTES ((guintptr) 2 << 20)

void
c2g_huge_pages_advise (gconstpointer data,
                       gsize         n_bytes)
{
#ifdef MADV_HUGEPAGE
  /* Whole pages only: what is beside the memory belongs to others. */
  guintptr begin = ((guintptr) data + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
  guintptr end = ((guintptr) data + n_bytes) & ~(PAGE_BYTES - 1);

  if (n_bytes >= MIN_BYTES && begin < end)
    madvise ((gpointer) begin, end - begin, MADV_HUGEPAGE);
#endif
}
