/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/stream/c2g-cuda-stream.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Gets the number of a CUDA device; an error for any other device. */
gboolean       c2g_cuda_stream_check_device (C2gDevice  *device,
                                             int        *index,
                                             GError    **error);

/* Returns the handle for work of the calling thread, which may capture it; and the stream's own for
 * memory, which is no part of a graph. */
cudaStream_t   c2g_cuda_stream_peek     (C2gCudaStream   *self);
cudaStream_t   c2g_cuda_stream_peek_own (C2gCudaStream   *self);
/* Returns the device number; C2G_CUDA_NO_DEVICE if the stream could not be taken; or C2G_CUDA_GONE
 * of the number if c2g knows of a reset. */
int            c2g_cuda_stream_index    (C2gCudaStream   *self);
/* The same, after asking CUDA for a reset. */
int            c2g_cuda_stream_find_index (C2gCudaStream *self);
/* Returns TRUE for CUDA's default stream, which survives a reset of the device. */
gboolean       c2g_cuda_stream_is_default (C2gCudaStream *self);
/* Hash and compare by the stream's id and not by its handle, which CUDA gives to a new stream after
 * the old one is destroyed. */
guint          c2g_cuda_stream_hash     (gconstpointer    self);
gboolean       c2g_cuda_stream_equal    (gconstpointer    a,
                                         gconstpointer    b);
/* Returns TRUE if both objects stand for one stream. A foreign stream may have been taken by its
 * handle any number of times. A stream that c2g made lives as long as its only object. */
gboolean       c2g_cuda_stream_is_same  (C2gCudaStream   *self,
                                         C2gCudaStream   *other);

/* Returns TRUE if somebody captures a graph on a foreign stream, or this thread on one of c2g. */
gboolean       c2g_cuda_stream_is_captured (C2gCudaStream *self);
/* Returns TRUE if no work is left, even after a failure; FALSE if CUDA permits no query now. */
gboolean       c2g_cuda_stream_is_idle     (C2gCudaStream *self);
/* Returns TRUE if there will never be work on the stream again, because it failed or is gone. */
gboolean       c2g_cuda_stream_is_gone     (C2gCudaStream *self);

G_END_DECLS
