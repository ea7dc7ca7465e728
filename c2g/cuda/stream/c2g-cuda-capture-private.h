/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/stream/c2g-cuda-stream.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Work of a stream that was captured, to be launched again and again. It holds the scratch memory
 * that it uses, but not the blobs: the caller launches it only while they are where they were. */
typedef struct _C2gCudaGraph C2gCudaGraph;

/* From now on the calling thread captures the work that it gives to the stream, and nothing runs.
 * What is captured is a hidden stream, which only this thread gets from c2g_cuda_stream_peek():
 * other threads use the stream meanwhile as always. */
gboolean      c2g_cuda_capture_begin   (C2gCudaStream  *stream,
                                        GError        **error);
/* Returns the work; NULL if it is not wanted, or if a call was refused or could not be captured. */
C2gCudaGraph *c2g_cuda_capture_end     (gboolean        is_wanted,
                                        GError        **error);

/* Returns the stream in whose place the work of this stream is captured in this thread; otherwise
 * the given handle. */
cudaStream_t  c2g_cuda_capture_find    (C2gCudaStream  *stream,
                                        cudaStream_t    handle);
/* Returns TRUE if this thread captures the work of the stream. */
gboolean      c2g_cuda_capture_has     (C2gCudaStream  *stream);
/* To be called for whatever a graph cannot repeat: memory of the host, waits and events. During a
 * capture it fails, and so will the capture; otherwise it returns TRUE. */
gboolean      c2g_cuda_capture_permits (GError        **error);
/* To be called when a block of this stream is freed: if it was used in a capture of the stream, the
 * graph could not be launched. The stream may be NULL. */
void          c2g_cuda_capture_note_free (C2gCudaStream *stream);
/* The graph that is captured, if there is one, keeps the memory. */
void          c2g_cuda_capture_hold    (C2gStorage     *storage);
/* To be called when a setting changes that captured work depends on: older graphs are not launched
 * any more. */
void          c2g_cuda_capture_outdate (void);

/* Fails if the stream is gone, or a setting has changed. */
gboolean      c2g_cuda_graph_launch    (C2gCudaGraph   *self,
                                        GError        **error);
void          c2g_cuda_graph_free      (C2gCudaGraph   *self);

G_END_DECLS
