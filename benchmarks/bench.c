/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The number is known only after the measurement. */
#ifdef __GLIBC__
# include <malloc.h>
#endif

/* A sample is long enough for the clock, and so short that other programs disturb only a few. */
#define SAMPLE_NS 10e6
#define N_SAMPLES 7

/* Returns the processor time of this process, which does not count waiting for a processor. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

/* This function must not be inlined: callgrind counts the instructions inside it by its name. */
__attribute__ ((noinline)) void bench_measured (const BenchRow *row, void *state, unsigned long n);

__attribute__ ((noinline)) void
bench_measured (const BenchRow *row, void *state, unsigned long n)
{
  row->run (state, n);
}

static double
sample (const BenchRow *row, unsigned long n)
{
  void *state = row->set_up ? row->set_up () : NULL;
  double start, end;

  /* The first repetition loads the data into the caches. */
  if (row->max_n == 0)
    row->run (state, 1);
  start = now ();
  bench_measured (row, state, n);
  end = now ();

  if (row->tear_down)
    row->tear_down (state);
  return end - start;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median (double *values, unsigned long n)
{
  qsort (values, n, sizeof values[0], compare_doubles);
  return values[n / 2];
}

/* Finds how many repetitions of a row fill the time of a sample. */
static unsigned long
calibrate (const BenchRow *row)
{
  unsigned long n = 1;

  while (sample (row, n) < SAMPLE_NS && (row->max_n == 0 || n < row->max_n))
    n *= 2;
  return row->max_n != 0 && n > row->max_n ? row->max_n : n;
}

/* The rows take turns, because the speed of a machine changes within seconds. So each sample of a
 * row has a sample of the compared row from the same time. */
static void
measure (const BenchRow *rows, unsigned long n_rows, double (*samples)[N_SAMPLES])
{
  unsigned long *n = calloc (n_rows, sizeof n[0]);

  for (unsigned long i = 0; i < n_rows; i++)
    n[i] = calibrate (&rows[i]);
  for (int turn = 0; turn < N_SAMPLES; turn++)
    for (unsigned long i = 0; i < n_rows; i++)
      samples[i][turn] = sample (&rows[i], n[i]) / n[i];
  free (n);
}

/* By default glibc returns memory to the system and requests it again page by page, depending on
 * everything before. Here it keeps the memory. */
static void
keep_memory (void)
{
#ifdef __GLIBC__
  mallopt (M_TRIM_THRESHOLD, 1 << 30);
  mallopt (M_MMAP_THRESHOLD, 1 << 25);
#endif
}

static int
run_one (const char *name, unsigned long n, const BenchRow *rows, unsigned long n_rows)
{
  for (unsigned long i = 0; i < n_rows; i++)
    {
      if (strcmp (rows[i].name, name) == 0)
        {
          sample (&rows[i], n);
          return EXIT_SUCCESS;
        }
    }
  fprintf (stderr, "no such row: %s\n", name);
  return EXIT_FAILURE;
}

static void
print_about (const char *program, const char *version)
{
  printf ("{\"program\": \"%s\", \"version\": \"%s\", \"compiler\": \"%s\"",
          program, version, BENCH_COMPILER);
}

int
bench_main (int argc, char **argv, const char *program, const char *version,
            const BenchRow *rows, unsigned long n_rows)
{
  double (*samples)[N_SAMPLES];

  keep_memory ();

  while (argc >= 5 && strcmp (argv[1], "--row") == 0 && strcmp (argv[3], "--count") == 0)
    {
      if (run_one (argv[2], strtoul (argv[4], NULL, 10), rows, n_rows) != EXIT_SUCCESS)
        return EXIT_FAILURE;
      if (argc == 5)
        return EXIT_SUCCESS;
      argc -= 4;
      argv += 4;
    }
  if (argc == 2 && strcmp (argv[1], "--about") == 0)
    {
      print_about (program, version);
      puts ("}");
      return EXIT_SUCCESS;
    }
  if (argc != 1)
    {
      fprintf (stderr, "usage: %s [--about] [--row NAME --count N]...\n", argv[0]);
      return EXIT_FAILURE;
    }

  samples = calloc (n_rows, sizeof samples[0]);
  measure (rows, n_rows, samples);
  print_about (program, version);
  printf (", \"rows\": {");
  for (unsigned long i = 0; i < n_rows; i++)
    printf ("%s\n  \"%s\": %.2f", i ? "," : "", rows[i].name, bench_median (samples[i], N_SAMPLES));
  printf ("\n}}\n");
  free (samples);
  return EXIT_SUCCESS;
}
