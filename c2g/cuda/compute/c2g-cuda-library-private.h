/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/driver/c2g-cuda-error-private.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* An optional library besides CUDA's runtime. It is opened when it is first needed, and stays open.
 * Any thread may use it. */

/* A file name of a library, and the name of another library without which it cannot be opened. */
typedef struct
{
  const char *name;
  const char *needed;
} C2gCudaLibraryName;

typedef struct
{
  /* The name for messages, such as "cuBLAS". */
  const char               *title;
  /* The environment variable that names the file to open instead. If it is empty no file is
   * opened. */
  const char               *variable;
  /* File names, the preferred one first. The last entry has no name. */
  const C2gCudaLibraryName *names;
  /* Names of functions, ending with NULL, and their addresses in the same order. */
  const char * const       *symbols;
  gpointer                 *functions;

  gsize                     is_tried;
  /* The reason why the library cannot be used; NULL if it can. */
  char                     *reason;
} C2gCudaLibrary;

gboolean    c2g_cuda_library_open       (C2gCudaLibrary  *self,
                                         GError         **error);

/* A library's handle for a device. Handles take long to make, so they are kept for the next user.
 * Only one thread has a handle at a time. */
typedef struct
{
  int         device;
  gpointer    handle;
  guint       epoch;
  /* Plans by shape, if the library needs them; NULL if there are none. */
  GHashTable *plans;

  /* TRUE if the thread that has the handle was put into relaxed capture mode, and its mode before
   * that. */
  gboolean                   is_relaxed;
  enum cudaStreamCaptureMode mode;
} C2gCudaHandle;

/* Failed attempts to make a handle for a device, the number of requests to refuse before the next
 * attempt, and the reason of the last failure; NULL after a success. */
typedef struct
{
  guint  epoch;
  guint  n_failures;
  guint  n_refusals;
  char  *reason;
} C2gCudaAttempts;

typedef struct
{
  GMutex          lock;
  GPtrArray      *kept;
  /* Makes a handle on the current device; NULL with an error. */
  gpointer      (*create) (int        device,
                           GError   **error);
  C2gCudaAttempts attempts[C2G_CUDA_MAX_DEVICES];
} C2gCudaHandles;

/* Takes a handle for device, which must be the current one. The thread is in relaxed capture mode
 * until it gives the handle back, so that the library breaks no captures of others. The same thread
 * must give it back. A library that cannot make a handle is C2G_ERROR_NOT_SUPPORTED, like a missing
 * library, except for want of memory. */
C2gCudaHandle *c2g_cuda_handles_take (C2gCudaHandles  *self,
                                      int              device,
                                      GError         **error);
void           c2g_cuda_handles_give (C2gCudaHandles  *self,
                                      C2gCudaHandle   *handle);

/* Returns the reason why the last attempt for the device failed; NULL if it succeeded, or there was
 * none. */
char          *c2g_cuda_handles_dup_reason (C2gCudaHandles *self,
                                            int             device);

/* Sets an error for a status of the library; returns FALSE. */
gboolean       c2g_cuda_library_fail (C2gError         code,
                                      const char      *function,
                                      int              device,
                                      const char      *name,
                                      const char      *text,
                                      GError         **error);

G_END_DECLS
