/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-stream-private.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* A library beside CUDA's runtime that need not be there: it is opened when it is first wanted, and
 * stays open. Any thread. */

/* What a library is called, the best first, and what it cannot be opened without. */
typedef struct
{
  const char *name;
  const char *needed;
} C2gCudaLibraryName;

typedef struct
{
  /* "cuBLAS", for messages. */
  const char               *title;
  /* Of the environment: the file to open instead, or an empty text for none. */
  const char               *variable;
  /* Up to one without a name. */
  const C2gCudaLibraryName *names;
  /* Of functions, up to a NULL, and where they are put in the same order. */
  const char * const       *symbols;
  gpointer                 *functions;

  gsize                     is_tried;
  /* Why it is not there; NULL if it is. */
  char                     *reason;
} C2gCudaLibrary;

gboolean    c2g_cuda_library_open       (C2gCudaLibrary  *self,
                                         GError         **error);

/* Whether results may be rounded to the 10 bits of TensorFloat-32 on the way: the environment
 * says so by C2G_CUDA_TF32. */
gboolean    c2g_cuda_library_has_tf32   (void);

/* What a library has for a device. As making it takes long it is kept for whoever comes next; as
 * long as one has it nobody else does. */
typedef struct
{
  int         device;
  gpointer    handle;
  guint       epoch;
  /* What is known of shapes, if the library is asked for that. */
  GHashTable *plans;

  /* Of the thread that has it: whether it breaks no captures until then, and may before. */
  gboolean                   is_relaxed;
  enum cudaStreamCaptureMode mode;
} C2gCudaHandle;

/* How often none could be made for a device, how many are refused before it is tried again, and why
 * none could be made the last time; NULL if one could. */
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
  /* Makes one on the current device, NULL with an error. */
  gpointer      (*create) (int        device,
                           GError   **error);
  C2gCudaAttempts attempts[C2G_CUDA_MAX_DEVICES];
} C2gCudaHandles;

/* On the current device, which is device.  Until the handle is given back, by the same thread, that
 * breaks no captures of others.  A library that cannot make one is
 * C2G_ERROR_NOT_SUPPORTED, as one that is not there, unless it is for want of memory. */
C2gCudaHandle *c2g_cuda_handles_take (C2gCudaHandles  *self,
                                      int              device,
                                      GError         **error);
void           c2g_cuda_handles_give (C2gCudaHandles  *self,
                                      C2gCudaHandle   *handle);

/* Why none could be made for the device the last time; NULL if one could, or nobody wanted one. */
char          *c2g_cuda_handles_dup_reason (C2gCudaHandles *self,
                                            int             device);

/* Sets what a status of the library means; returns FALSE. */
gboolean       c2g_cuda_library_fail (C2gError         code,
                                      const char      *function,
                                      int              device,
                                      const char      *name,
                                      const char      *text,
                                      GError         **error);

G_END_DECLS
