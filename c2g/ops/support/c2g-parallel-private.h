/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parallel loops. The calling thread works together with the threads of one pool, which starts
 * with the first loop. Loops can be nested and can run in several threads at once; they allocate
 * nothing. If the run is cancelled, the rest of a loop is left out. */

/* Handles the range from begin up to end. Concurrent calls in one loop get different workers. */
typedef void (*C2gParallelFunc) (gsize    begin,
                                 gsize    end,
                                 guint    worker,
                                 gpointer data);

/* Returns the maximum number of threads of a loop, including the caller. */
guint c2g_parallel_get_n_workers (void);

/* Calls func for parts of the range 0 … n - 1. All parts but the last have at least grain
 * items. */
void  c2g_parallel_for           (gsize            n,
                                  gsize            grain,
                                  C2gParallelFunc  func,
                                  gpointer         data);
/* Does the same with at most n_workers threads; worker is below that, so it can index buffers. */
void  c2g_parallel_for_workers   (gsize            n,
                                  gsize            grain,
                                  guint            n_workers,
                                  C2gParallelFunc  func,
                                  gpointer         data);

G_END_DECLS
