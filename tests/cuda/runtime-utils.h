/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>

/* Finds out on which runtime the tests run. */

static inline gboolean
is_fake (void)
{
  return dlsym (RTLD_DEFAULT, "fake_cuda_reset") != NULL;
}

static inline char *
dup_version (int version)
{
  return g_strdup_printf ("%d.%d", version / 1000, version % 1000 / 10);
}

/* Prints the runtime in a line that build-aux/show-runtimes looks for. */
static inline void
print_runtime (int n_devices)
{
  int driver = 0, runtime = 0;
  struct cudaDeviceProp properties = { { 0 } };
  g_autofree char *driver_text = NULL;
  g_autofree char *runtime_text = NULL;

  cudaDriverGetVersion (&driver);
  cudaRuntimeGetVersion (&runtime);
  driver_text = dup_version (driver);
  runtime_text = dup_version (runtime);
  if (is_fake ())
    {
      g_print ("# CUDA runtime: the fake one, %s, no GPU\n", runtime_text);
      return;
    }

  cudaGetDeviceProperties (&properties, 0);
  g_print ("# CUDA runtime: %s, driver for %s, %d × %s (sm_%d%d)\n", runtime_text, driver_text,
           n_devices, properties.name, properties.major, properties.minor);
}

/* Returns TRUE if there is a device to test on. Otherwise the program prints why, and must end with
 * *status. If a GPU is required the fake runtime is not enough. */
static inline gboolean
find_runtime (int *status)
{
  gboolean needs_gpu = g_getenv ("C2G_TEST_GPU") != NULL;
  int n_devices = 0;
  cudaError_t error = cudaGetDeviceCount (&n_devices);

  *status = EXIT_SUCCESS;
  if (error == cudaSuccess && n_devices > 0 && !(needs_gpu && is_fake ()))
    {
      print_runtime (n_devices);
      return TRUE;
    }

  if (needs_gpu)
    {
      g_print ("Bail out! There is no GPU: %s\n",
               is_fake () ? "the runtime is the fake one" : cudaGetErrorString (error));
      *status = EXIT_FAILURE;
    }
  else
    g_print ("1..0 # SKIP no CUDA device: %s\n", cudaGetErrorString (error));

  return FALSE;
}
