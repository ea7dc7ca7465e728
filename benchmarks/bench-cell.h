/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* What a process measures that does one cell of the table of models.
 * Plain C without GLib: a peer need not have it.
 */

#ifdef __cplusplus
extern "C"
{
#endif

/* To be called first: what the process has in memory by then is its libraries. Loading begins here. */
void bench_cell_begin (void);

/* Runs it until it is warm and then for a while, and prints
 *
 *   {"program": PROGRAM, "version": VERSION, "compiler": ...,
 *    "seconds": MEDIAN OF ONE RUN, "least": SECONDS, "load": SECONDS, "first": SECONDS, "peak": BYTES,
 *    "grown": BYTES}
 *
 * where least is the shortest run, load is the time from the begin to this call, first is that of the first run, and the last
 * is the peak without what was there at the begin.
 */
void bench_cell_measure (const char *program, const char *version,
                         void (*run) (void *state), void *state);

#ifdef __cplusplus
}
#endif
