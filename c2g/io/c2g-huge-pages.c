/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-huge-pages-private.h>

#include <sys/mman.h>

#define HUGE_PAGE (2u << 20)

/* Below, asking costs more than it brings. */
#define MIN_BYTES (2 * HUGE_PAGE)

void
c2g_huge_pages_prepare (gpointer memory,
                        gsize    n_bytes)
{
#ifdef MADV_HUGEPAGE
  gsize begin = ((gsize) memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  gsize end = ((gsize) memory + n_bytes) / HUGE_PAGE * HUGE_PAGE;

  /* Where it is not to be had everything is as it was. */
  if (n_bytes >= MIN_BYTES && begin < end &&
      madvise ((gpointer) begin, end - begin, MADV_HUGEPAGE) != 0)
    g_debug ("No huge pages for %zu bytes", n_bytes);
#endif
}
