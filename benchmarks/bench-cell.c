/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define _POSIX_C_SOURCE 200809L

#include "bench-cell.h"
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Programs that compile themselves do it in their first runs, so these are not timed. */
#define MIN_WARM_UP_RUNS 3
#define WARM_UP_SECONDS 0.3

#define MIN_RUNS 5
#define MAX_RUNS 20000
#define SECONDS 0.7

static double samples[MAX_RUNS];
static unsigned long begin_bytes;
static double begin_seconds;

/* Measures elapsed time and not processor time: threads shorten only the former. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Returns a number from a line of Linux's status of this process; 0 elsewhere. */
static unsigned long
memory_bytes (const char *name)
{
  FILE *file = fopen ("/proc/self/status", "r");
  char line[256];
  unsigned long kib = 0;

  if (file == NULL)
    return 0;
  while (kib == 0 && fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, name, strlen (name)) == 0)
      sscanf (line + strlen (name), ": %lu", &kib);
  fclose (file);
  return kib * 1024;
}

void
bench_cell_begin (void)
{
  begin_bytes = memory_bytes ("VmRSS");
  begin_seconds = now ();
}

/* Returns the number of runs, and stores the time of each in the samples. */
static unsigned long
run_for (void (*run) (void *state), void *state, unsigned long min_runs, double seconds)
{
  const double start = now ();
  double end = start;
  unsigned long n = 0;

  while (n < min_runs || (n < MAX_RUNS && end < start + seconds))
    {
      const double before = end;

      run (state);
      end = now ();
      samples[n++] = end - before;
    }
  return n;
}

/* Other programs of the machine can only make a run longer. */
static double
find_least (const double *numbers, unsigned long n)
{
  double least = numbers[0];

  for (unsigned long i = 1; i < n; i++)
    least = numbers[i] < least ? numbers[i] : least;
  return least;
}

void
bench_cell_measure (const char *program, const char *version,
                    void (*run) (void *state), void *state)
{
  const double load = now () - begin_seconds;
  unsigned long n, peak;
  double first;

  run_for (run, state, 1, 0);
  first = samples[0];
  run_for (run, state, MIN_WARM_UP_RUNS, WARM_UP_SECONDS);
  n = run_for (run, state, MIN_RUNS, SECONDS);
  peak = memory_bytes ("VmHWM");
  printf ("{\"program\": \"%s\", \"version\": \"%s\", \"compiler\": \"%s\", \"seconds\": %.9f, "
          "\"least\": %.9f, \"load\": %.9f, \"first\": %.9f, \"peak\": %lu, \"grown\": %lu}\n",
          program, version, BENCH_COMPILER, bench_median (samples, n),
          find_least (samples, n), load, first, peak, peak > begin_bytes ? peak - begin_bytes : 0);
}
