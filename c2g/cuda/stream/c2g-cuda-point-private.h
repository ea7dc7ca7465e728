/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/stream/c2g-cuda-stream.h>

G_BEGIN_DECLS

/* A point in the work of a stream: a recorded event with a reference count. It outlives the stream.
 * Any thread may use it. */
typedef struct _C2gCudaPoint C2gCudaPoint;

/* Returns NULL if no event can be recorded: in a host function, or on a stream that is gone, is
 * captured, or whose device has failed. */
C2gCudaPoint *c2g_cuda_point_try        (C2gCudaStream      *stream);
/* The same, but if the stream takes no event this waits for the stream. Then *point is NULL and all
 * work is over. Returns FALSE if CUDA permits no call now, as in a host function, or if the stream
 * is captured. */
gboolean      c2g_cuda_point_new        (C2gCudaStream      *stream,
                                         C2gCudaPoint       **point);
C2gCudaPoint *c2g_cuda_point_ref        (C2gCudaPoint        *self);
void          c2g_cuda_point_unref      (C2gCudaPoint        *self);

/* Returns TRUE if the work before the point is over, even if it failed. Sets *permitted to FALSE if
 * CUDA permits no call now. */
gboolean      c2g_cuda_point_has_passed (C2gCudaPoint        *self,
                                         gboolean            wait,
                                         gboolean           *permitted);
/* Waits for the work before the point; FALSE with an error if it failed. */
gboolean      c2g_cuda_point_finish     (C2gCudaPoint        *self,
                                         GError            **error);
/* Makes the later work of the stream wait for the point. */
gboolean      c2g_cuda_point_join       (C2gCudaPoint        *self,
                                         C2gCudaStream      *stream,
                                         GError            **error);

G_END_DECLS
