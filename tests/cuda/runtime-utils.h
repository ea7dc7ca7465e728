/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <cuda.h>
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

/* Returns a function of the driver as CUDA 11.0 has it, or NULL. Runtimes before 12.5 cannot be
 * asked for a version, and have another cuCtxCreate(). */
static inline gpointer
find_driver_function (const char *name)
{
  enum cudaDriverEntryPointQueryResult result;
  gpointer function = NULL;

#if CUDART_VERSION >= 12050
  cudaGetDriverEntryPointByVersion (name, &function, 11000, cudaEnableDefault, &result);
#else
  if (is_fake () || !g_str_equal (name, "cuCtxCreate"))
    cudaGetDriverEntryPoint (name, &function, cudaEnableDefault, &result);
#endif

  return function;
}

/* The result of a function of the driver whose type is the header's. */
#define call_driver(function, ...) \
  (((__typeof__ (&function)) find_driver_function (#function)) (__VA_ARGS__))

/* Makes a context that is not the device's primary one, as GStreamer does. It is the current one
 * from then on. Returns NULL, and skips the test, if the runtime has no such function. */
static inline CUcontext
new_driver_context (int device)
{
  CUresult (*create) (CUcontext *, unsigned int, CUdevice) = find_driver_function ("cuCtxCreate");
  CUcontext context = NULL;

  if (create == NULL)
    g_test_skip ("The runtime has no cuCtxCreate of CUDA 11");
  else
    g_assert_cmpint (create (&context, 0, device), ==, CUDA_SUCCESS);

  return context;
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

/* Ends the contexts of all devices, and returns the status of the program. compute-sanitizer looks
 * for leaks when a context ends. */
static inline int
reset_devices (int status)
{
  CUresult (*get_state) (CUdevice, unsigned int *, int *) =
    find_driver_function ("cuDevicePrimaryCtxGetState");
  int n_devices = 0, is_active;
  unsigned int flags;

  cudaGetDeviceCount (&n_devices);
  for (int i = 0; get_state != NULL && i < n_devices; i++)
    if (get_state (i, &flags, &is_active) == CUDA_SUCCESS && is_active &&
        cudaSetDevice (i) == cudaSuccess)
      cudaDeviceReset ();

  return status;
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
      /* Results are compared with those of the processor. */
      if (!is_fake ())
        g_setenv ("C2G_CUDA_TF32", "0", FALSE);
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
