/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The loop that c2g's program and its peers' share, so that both are timed alike.
 * Plain C without GLib: a peer need not have it.
 */

#ifdef __clang__
# define BENCH_COMPILER __VERSION__
#else
# define BENCH_COMPILER "GCC " __VERSION__
#endif

#ifdef __cplusplus
extern "C"
{
#endif

/* One row of the table. */
typedef struct
{
  const char *name;

  /* These calls are not timed; either may be NULL. */
  void *(*set_up) (void);
  void (*tear_down) (void *state);

  /* Does the operation n times. */
  void (*run) (void *state, unsigned long n);

  /* How often run () may do it with one state, 0 for any number. */
  unsigned long max_n;
} BenchRow;

/* With no arguments, times every row and prints
 *
 *   {"program": PROGRAM, "version": VERSION, "compiler": ..., "rows": {NAME: NANOSECONDS, ...}}
 *
 * With `--row NAME --count N`, once or more, does each of these rows N times and prints nothing:
 * for counting instructions.
 */
int bench_main (int argc, char **argv, const char *program, const char *version,
                const BenchRow *rows, unsigned long n_rows);

/* Sorts the values. */
double bench_median (double *values, unsigned long n);

#ifdef __cplusplus
}
#endif
