/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Loops over several threads: those of one pool, which begins with the first loop, and the
 * one that calls.  Loops may be in loops, and in several threads at once; nothing is
 * allocated for them.  A loop whose run is cancelled leaves out the rest. */

/* From begin up to end.  No two calls of one loop at the same time have the same worker. */
typedef void (*C2gParallelFunc) (gsize    begin,
                                 gsize    end,
                                 guint    worker,
                                 gpointer data);

/* How many threads a loop has at most, the caller's among them. */
guint c2g_parallel_get_n_workers (void);

/* Calls func for parts of 0 … n - 1, which are no smaller than grain, but for the last. */
void  c2g_parallel_for           (gsize            n,
                                  gsize            grain,
                                  C2gParallelFunc  func,
                                  gpointer         data);
/* The same with workers 0 … n_workers - 1, who have something of their own. */
void  c2g_parallel_for_workers   (gsize            n,
                                  gsize            grain,
                                  guint            n_workers,
                                  C2gParallelFunc  func,
                                  gpointer         data);

G_END_DECLS
