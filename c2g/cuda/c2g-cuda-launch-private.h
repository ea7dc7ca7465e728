/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-error-private.h>
#include <c2g/cuda/c2g-cuda-guard-private.h>
#include <c2g/cuda/c2g-cuda-stream-private.h>

G_BEGIN_DECLS

/* Where kernels are started: a context, which must be one of CUDA's. */
typedef struct
{
  cudaStream_t stream;
  int          device;
  C2gCudaGuard guard;
} C2gCudaLaunch;

gboolean    c2g_cuda_launch_begin   (C2gCudaLaunch  *self,
                                     C2gContext     *context,
                                     GError        **error);
/* Leaves the device, and says what became of it. */
gboolean    c2g_cuda_launch_end     (C2gCudaLaunch  *self,
                                     cudaError_t     result,
                                     const char     *kernel,
                                     GError        **error);
/* The same of a kernel for elements of one type, and of as many dimensions or 0: what there is
 * none for is told by these. */
gboolean    c2g_cuda_launch_end_typed (C2gCudaLaunch  *self,
                                       cudaError_t     result,
                                       const char     *kernel,
                                       C2gDataType     type,
                                       gsize           n_dims,
                                       GError        **error);

/* Memory that is used by what is started until it is given back. */
C2gStorage *c2g_cuda_launch_scratch (C2gContext     *context,
                                     gsize           n_bytes,
                                     GError        **error);
gpointer    c2g_cuda_launch_address (C2gStorage     *scratch);
/* Waits for all that was started, and gets what it has written. */
gboolean    c2g_cuda_launch_read    (C2gContext     *context,
                                     gconstpointer   source,
                                     gsize           n_bytes,
                                     gpointer        destination,
                                     GError        **error);

/* Starts a kernel with these arguments and the stream; whether that went well. */
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
