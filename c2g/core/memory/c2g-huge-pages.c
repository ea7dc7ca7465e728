/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-huge-pages-private.h>

#include <sys/mman.h>
#include <unistd.h>

/* Asks the kernel for huge pages, which makes filling large blocks faster. */

#define HUGE_PAGE (2u << 20)

/* For smaller blocks the system call costs more than it saves. */
#define MIN_BYTES (2 * HUGE_PAGE)

void
c2g_huge_pages_prepare (gpointer memory,
                        gsize    n_bytes)
{
#ifdef MADV_HUGEPAGE
  gsize page = sysconf (_SC_PAGESIZE);
  /* Round outwards to whole pages: if only a part of a mapping had the advice, mremap() could not
   * move it as one piece. */
  gsize begin = (gsize) memory / page * page;
  gsize end = ((gsize) memory + n_bytes + page - 1) / page * page;

  /* A failure changes nothing. */
  if (n_bytes >= MIN_BYTES &&
      madvise ((gpointer) begin, end - begin, MADV_HUGEPAGE) != 0)
    g_debug ("No huge pages for %zu bytes", n_bytes);
#endif
}
