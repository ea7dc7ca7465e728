/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-stream.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* As many as C2gDevice has numbers for. */
#define C2G_CUDA_MAX_DEVICES 1024

/* The number of a CUDA device; an error for any other. */
gboolean       c2g_cuda_stream_check_device (C2gDevice  *device,
                                             int        *index,
                                             GError    **error);

cudaStream_t   c2g_cuda_stream_peek     (C2gCudaStream   *self);
/* The number of the device, or in its place C2G_CUDA_NO_DEVICE, or C2G_CUDA_GONE of it, where a
 * reset is known. */
int            c2g_cuda_stream_index    (C2gCudaStream   *self);
/* The same, and CUDA is asked for a reset. */
int            c2g_cuda_stream_find_index (C2gCudaStream *self);
/* One of CUDA's own, which outlives a reset of the device. */
gboolean       c2g_cuda_stream_is_default (C2gCudaStream *self);
/* The same stream, which the same handle need not be: CUDA gives that of a destroyed one to
 * another. */
guint          c2g_cuda_stream_hash     (gconstpointer    self);
gboolean       c2g_cuda_stream_equal    (gconstpointer    a,
                                         gconstpointer    b);
/* Whether one object stands for the other: a foreign stream may have been taken by its handle any
 * number of times.  One of c2g's own lives as long as its object. */
gboolean       c2g_cuda_stream_is_same  (C2gCudaStream   *self,
                                         C2gCudaStream   *other);

/* Whether somebody captures a graph on a foreign stream. */
gboolean       c2g_cuda_stream_is_captured (C2gCudaStream *self);
/* Whether nothing is left to do, be it for a failure; false where CUDA permits no question. */
gboolean       c2g_cuda_stream_is_idle     (C2gCudaStream *self);
/* Whether there will never be anything to do again. */
gboolean       c2g_cuda_stream_is_gone     (C2gCudaStream *self);

G_END_DECLS
