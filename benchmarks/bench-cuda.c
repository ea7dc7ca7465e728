/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "bench-cuda.h"

#include "bench.h"

#include <dlfcn.h>
#include <stdlib.h>

/* A sample is so long that waiting for the device does not matter. */
#define SAMPLE_SECONDS 0.03
#define N_SAMPLES      9

static guint n_rows;

gboolean
bench_cuda_is_fake (void)
{
  return dlsym (RTLD_DEFAULT, "fake_cuda_reset") != NULL;
}

gsize
bench_cuda_size (gsize n,
                 gsize n_small)
{
  return bench_cuda_is_fake () ? n_small : n;
}

void
bench_cuda_check (cudaError_t result)
{
  if (result == cudaSuccess)
    return;

  g_printerr ("%s: %s: %s\n", g_get_prgname (), cudaGetErrorName (result),
              cudaGetErrorString (result));
  exit (EXIT_FAILURE);
}

void
bench_cuda_begin (const char *program,
                  const char *version)
{
  struct cudaDeviceProp properties;
  int driver, runtime;

  g_set_prgname (program);
  bench_cuda_check (cudaGetDeviceProperties (&properties, 0));
  bench_cuda_check (cudaDriverGetVersion (&driver));
  bench_cuda_check (cudaRuntimeGetVersion (&runtime));
  g_print ("{\"program\": \"%s\", \"version\": \"%s\", \"compiler\": \"%s\", "
           "\"device\": \"%s\", \"driver\": \"%d.%d\", \"runtime\": \"%d.%d\", \"fake\": %s,\n"
           " \"rows\": {",
           program, version, BENCH_COMPILER, properties.name, driver / 1000, driver % 1000 / 10,
           runtime / 1000, runtime % 1000 / 10, bench_cuda_is_fake () ? "true" : "false");
}

void
bench_cuda_end (void)
{
  g_print ("\n}}\n");
}

/* Returns the seconds for all n repetitions. */
static double
sample (void   (*run) (gpointer state),
        gpointer state,
        gulong   n)
{
  gint64 start;

  bench_cuda_check (cudaDeviceSynchronize ());
  start = g_get_monotonic_time ();
  for (gulong i = 0; i < n; i++)
    run (state);
  bench_cuda_check (cudaDeviceSynchronize ());

  return (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

void
bench_cuda_row (const char *name,
                double      n_bytes,
                void      (*run) (gpointer state),
                gpointer    state)
{
  const guint n_samples = bench_cuda_is_fake () ? 1 : N_SAMPLES;
  double seconds[N_SAMPLES];
  gulong n = 1;

  /* The first repetition takes longer, so it is not timed. */
  sample (run, state, 1);
  while (!bench_cuda_is_fake () && sample (run, state, n) < SAMPLE_SECONDS)
    n *= 2;
  for (guint i = 0; i < n_samples; i++)
    seconds[i] = sample (run, state, n) / (double) n;

  g_print ("%s\n  \"%s\": {\"ns\": %.2f, \"bytes\": %.0f}", n_rows++ > 0 ? "," : "", name,
           1e9 * bench_median (seconds, n_samples), n_bytes);
}
