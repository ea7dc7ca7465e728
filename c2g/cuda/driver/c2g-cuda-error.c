/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-error-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Converts errors of the CUDA runtime to GError. */

char *
c2g_cuda_dup_version_text (int version)
{
  return g_strdup_printf ("%d.%d", version / 1000, version % 1000 / 10);
}

static char *
dup_cause (cudaError_t result)
{
  return g_strdup_printf ("%s: %s", cudaGetErrorName (result), cudaGetErrorString (result));
}

static C2gError
error_code (cudaError_t result)
{
  switch ((int) result)
    {
    case cudaErrorMemoryAllocation:
      return C2G_ERROR_NO_MEMORY;
    case cudaErrorNotSupported:
    case cudaErrorStreamCaptureUnsupported:
      return C2G_ERROR_NOT_SUPPORTED;
    default:
      return C2G_ERROR_DEVICE;
    }
}

/* CUDA's own text names neither of the two versions. */
static void
set_old_driver (const char  *cause,
                GError     **error)
{
  g_autofree char *driver_text = NULL;
  g_autofree char *runtime_text = NULL;
  int driver = 0, runtime = 0;

  (void) cudaDriverGetVersion (&driver);
  (void) cudaRuntimeGetVersion (&runtime);
  driver_text = c2g_cuda_dup_version_text (driver);
  runtime_text = c2g_cuda_dup_version_text (runtime);

  if (driver == 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("There is no CUDA driver: %s"), cause);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("The CUDA driver supports CUDA %s at most, and CUDA %s is needed; install a "
                   "newer driver: %s"),
                 driver_text, runtime_text, cause);
}

gboolean
c2g_cuda_check (cudaError_t   result,
                const char   *function,
                int           device,
                GError      **error)
{
  g_autofree char *cause = NULL;

  if (G_LIKELY (result == cudaSuccess))
    return TRUE;

  /* Clears the thread's last error, because it is reported here. */
  (void) cudaGetLastError ();

  if (error == NULL)
    return FALSE;

  cause = dup_cause (result);
  if (device == C2G_CUDA_NO_DEVICE)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("This stream could not be made by its properties; “%s” says why"),
                 "c2g_cuda_stream_new_from_handle");
  else if (result == cudaErrorInsufficientDriver)
    set_old_driver (cause, error);
  else
    g_set_error (error, C2G_ERROR, error_code (result), _("%s failed for cuda:%d: %s"), function,
                 device < 0 ? C2G_CUDA_GONE (device) : device, cause);

  return FALSE;
}

gboolean
c2g_cuda_check_limit (guint64   max_bytes,
                      guint64   n_reserved,
                      gsize     n_bytes,
                      GError  **error)
{
  if (n_reserved <= max_bytes && n_bytes <= max_bytes - n_reserved)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NO_MEMORY,
                   _("the limit is %" PRIu64 " bytes, of which %" PRIu64 " are reserved"),
                   max_bytes, n_reserved);
}

C2gEventStatus
c2g_cuda_status (cudaError_t result)
{
  if (result == cudaSuccess)
    return C2G_EVENT_SUCCESS;

  (void) cudaGetLastError ();

  return result == cudaErrorNotReady ? C2G_EVENT_SCHEDULED : C2G_EVENT_FAILED;
}
