/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/compute/c2g-cuda-kernels-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-workspace-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

G_BEGIN_DECLS

/* The stream and the device on which kernels are started: those of a CUDA context. */
typedef struct
{
  cudaStream_t stream;
  int          device;
  C2gCudaGuard guard;
} C2gCudaLaunch;

gboolean    c2g_cuda_launch_begin   (C2gCudaLaunch  *self,
                                     C2gContext     *context,
                                     GError        **error);
/* Restores the caller's device, and converts the result to an error. */
gboolean    c2g_cuda_launch_end     (C2gCudaLaunch  *self,
                                     cudaError_t     result,
                                     const char     *kernel,
                                     GError        **error);
/* Starts a kernel. If it does not take the type or the number of dimensions of the request, the
 * error says so. */
gboolean    c2g_cuda_launch         (C2gContext               *context,
                                     C2gCudaKernel            *kernel,
                                     const char               *name,
                                     const C2gComputeRequest  *request,
                                     gpointer                  memory,
                                     GError                  **error);
#define C2G_CUDA_LAUNCH(context, error, kernel, request, memory)                                   \
  c2g_cuda_launch (context, kernel, #kernel, request, memory, error)

/* Takes scratch memory for kernels on the context's stream. */
gboolean    c2g_cuda_launch_scratch (C2gContext     *context,
                                     gsize           n_bytes,
                                     C2gCudaScratch *scratch,
                                     GError        **error);
/* Copies from the device after all work that was started, and waits for that. */
gboolean    c2g_cuda_launch_read    (C2gContext     *context,
                                     gconstpointer   source,
                                     gsize           n_bytes,
                                     gpointer        destination,
                                     GError        **error);

G_END_DECLS
