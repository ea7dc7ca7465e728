/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-error-private.h>
#include <c2g/cuda/c2g-cuda-guard-private.h>
#include <c2g/cuda/c2g-cuda-stream-private.h>

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
/* The same for a kernel that takes some types or numbers of dimensions only. The error names what
 * there is no kernel for. n_dims is 0 if the number of dimensions does not matter. */
gboolean    c2g_cuda_launch_end_typed (C2gCudaLaunch  *self,
                                       cudaError_t     result,
                                       const char     *kernel,
                                       C2gDataType     type,
                                       gsize           n_dims,
                                       GError        **error);

/* Allocates scratch memory for kernels on the context's stream. It may be given back as soon as
 * they are started, because that is done in the order of the stream. */
C2gStorage *c2g_cuda_launch_scratch (C2gContext     *context,
                                     gsize           n_bytes,
                                     GError        **error);
gpointer    c2g_cuda_launch_address (C2gStorage     *scratch);
/* Copies from the device after all work that was started, and waits for that. */
gboolean    c2g_cuda_launch_read    (C2gContext     *context,
                                     gconstpointer   source,
                                     gsize           n_bytes,
                                     gpointer        destination,
                                     GError        **error);

/* Starts a kernel with these arguments and the stream; TRUE if it was started. */
#define C2G_CUDA_LAUNCH(context, error, kernel, ...)                                               \
  (G_GNUC_EXTENSION ({                                                                             \
    C2gCudaLaunch launch_;                                                                         \
    c2g_cuda_launch_begin (&launch_, context, error) &&                                            \
        c2g_cuda_launch_end (&launch_, kernel (__VA_ARGS__, launch_.stream), #kernel, error);      \
  }))
#define C2G_CUDA_LAUNCH_TYPED(context, error, type, n_dims, kernel, ...)                           \
  (G_GNUC_EXTENSION ({                                                                             \
    C2gCudaLaunch launch_;                                                                         \
    c2g_cuda_launch_begin (&launch_, context, error) &&                                            \
        c2g_cuda_launch_end_typed (&launch_, kernel (__VA_ARGS__, launch_.stream), #kernel, type,  \
                                   n_dims, error);                                                 \
  }))

G_END_DECLS
