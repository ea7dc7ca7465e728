/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-error-private.h>

G_BEGIN_DECLS

/* The thread's current device is the caller's own, who must find it as it was.
 *
 * To set it back by cudaSetDevice() would give a device a context, and hundreds of megabytes of
 * its memory to it, that the caller never used. So the context of the other device is put on
 * top of what the thread has, and taken off again; cudaSetDevice() is for where that cannot be. */
typedef struct
{
  int      previous;
  int      current;
  gboolean is_pushed;
} C2gCudaGuard;

cudaError_t c2g_cuda_guard_begin (C2gCudaGuard  *self,
                                  int            device);
gboolean    c2g_cuda_guard_enter (C2gCudaGuard  *self,
                                  int            device,
                                  GError       **error);
void        c2g_cuda_guard_leave (C2gCudaGuard  *self);

/* What a call gives that is made with device as the current one.  All that names a stream is:
 * CUDA takes the handles of the default streams for those of the current device. */
#define C2G_CUDA_ON_DEVICE(device, call)                                                           \
  (G_GNUC_EXTENSION ({                                                                             \
    C2gCudaGuard guard_;                                                                           \
    cudaError_t result_ = c2g_cuda_guard_begin (&guard_, device);                                  \
                                                                                                   \
    if (result_ == cudaSuccess)                                                                    \
      {                                                                                            \
        result_ = call;                                                                            \
        c2g_cuda_guard_leave (&guard_);                                                            \
      }                                                                                            \
    result_;                                                                                       \
  }))

/* While any thread captures a graph, CUDA forbids to wait, to ask how far work is and to get
 * memory, and breaks the capture: unless the thread says that it knows what it does.  c2g has
 * no part in the capture, and does. */
gboolean    c2g_cuda_guard_relax (enum cudaStreamCaptureMode *previous);
void        c2g_cuda_guard_tense (enum cudaStreamCaptureMode  previous);

/* What such a call gives. */
#define C2G_CUDA_RELAXED(call)                                                                     \
  (G_GNUC_EXTENSION ({                                                                             \
    enum cudaStreamCaptureMode mode_;                                                              \
    gboolean is_relaxed_ = c2g_cuda_guard_relax (&mode_);                                          \
    cudaError_t relaxed_result_ = call;                                                            \
                                                                                                   \
    if (is_relaxed_)                                                                               \
      c2g_cuda_guard_tense (mode_);                                                                \
    relaxed_result_;                                                                               \
  }))

/* Calls a function of the runtime for what is on device, with that as the current one. */
#define C2G_CUDA_STREAM_CALL(device, error, function, ...)                                         \
  c2g_cuda_check (C2G_CUDA_ON_DEVICE (device, function (__VA_ARGS__)), #function, (device), (error))

/* The same for those that CUDA forbids while a graph is captured. */
#define C2G_CUDA_RELAXED_CALL(device, error, function, ...)                                        \
  c2g_cuda_check (C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED (function (__VA_ARGS__))),          \
                  #function, (device), (error))

G_END_DECLS
