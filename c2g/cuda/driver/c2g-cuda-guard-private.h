/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/driver/c2g-cuda-error-private.h>

G_BEGIN_DECLS

/* The device that the innermost guard of a thread made current; C2G_CUDA_NO_DEVICE without one. Its
 * epoch is checked once. */
typedef struct
{
  int      device;
  gboolean is_checked;
} C2gCudaScope;

/* Makes a device's primary context current in this thread for some calls, and restores the caller's
 * context afterwards. That may be another one of the same device: programs such as GStreamer make
 * their own by cuCtxCreate().
 *
 * Restoring it with cudaSetDevice() could make a context on a device that the caller never used,
 * which takes hundreds of megabytes of its memory. So the primary context is pushed onto the
 * thread's stack of contexts, and popped again. cudaSetDevice() is used only where the driver's
 * functions are missing. */
typedef struct
{
  int              previous;
  int              device;
  gboolean         is_pushed;
  /* TRUE if a guard of the same thread already has this device: then there is nothing to do. */
  gboolean         is_inner;
  C2gCudaScope     outer;
} C2gCudaGuard;

cudaError_t c2g_cuda_guard_begin (C2gCudaGuard  *self,
                                  int            device);
gboolean    c2g_cuda_guard_enter (C2gCudaGuard  *self,
                                  int            device,
                                  GError       **error);
void        c2g_cuda_guard_leave (C2gCudaGuard  *self);

/* Returns TRUE if the thread has the device by a guard under which this was asked before. */
gboolean    c2g_cuda_guard_was_checked (int device);

/* The result of a call that is made with device as the current one. Every call that names a stream
 * needs this: CUDA takes the handles of the default streams for those of the current device. */
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

/* The result of a function that makes several calls with device as the current one; FALSE with an
 * error if that fails. */
#define C2G_CUDA_WITH_GUARD(device, error, call)                                                   \
  (G_GNUC_EXTENSION ({                                                                             \
    C2gCudaGuard guard_;                                                                           \
    gboolean is_done_ = c2g_cuda_guard_enter (&guard_, device, error);                             \
                                                                                                   \
    if (is_done_)                                                                                  \
      {                                                                                            \
        is_done_ = call;                                                                           \
        c2g_cuda_guard_leave (&guard_);                                                            \
      }                                                                                            \
    is_done_;                                                                                      \
  }))

/* While any thread captures a graph, CUDA forbids calls that wait, query or allocate, and such a
 * call breaks the capture, unless the thread is in relaxed capture mode. The calls of c2g are no
 * part of the capture, so c2g makes them in that mode. */
gboolean    c2g_cuda_guard_relax (enum cudaStreamCaptureMode *previous);
void        c2g_cuda_guard_tense (enum cudaStreamCaptureMode  previous);

/* The result of a call that is made in relaxed capture mode. */
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

/* Calls a function of the runtime with device as the current one; FALSE with an error if it
 * fails. */
#define C2G_CUDA_STREAM_CALL(device, error, function, ...)                                         \
  c2g_cuda_check (C2G_CUDA_ON_DEVICE (device, function (__VA_ARGS__)), #function, (device), (error))

/* The same for functions that CUDA forbids while a graph is captured. */
#define C2G_CUDA_RELAXED_CALL(device, error, function, ...)                                        \
  c2g_cuda_check (C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED (function (__VA_ARGS__))),          \
                  #function, (device), (error))

G_END_DECLS
