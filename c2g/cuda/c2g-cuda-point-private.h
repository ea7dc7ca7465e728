/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-stream.h>

G_BEGIN_DECLS

/* How far a stream had got when it was asked: a mark of which several may have references, and
 * which outlives the stream.  Any thread. */
typedef struct _C2gCudaPoint C2gCudaPoint;

/* NULL where no event can be recorded: in a host function, on a stream that is gone, that is
 * captured, or whose device has failed. */
C2gCudaPoint *c2g_cuda_point_try        (C2gCudaStream      *stream);
/* The same after waiting for a stream that takes no event: NULL then means that all is over.
 * False if CUDA permits nothing now, as in a host function, or while the stream is captured. */
gboolean     c2g_cuda_point_new        (C2gCudaStream      *stream,
                                       C2gCudaPoint       **point);
C2gCudaPoint *c2g_cuda_point_ref        (C2gCudaPoint        *self);
void         c2g_cuda_point_unref      (C2gCudaPoint        *self);

/* Work that failed is over, too.  permitted is set to false where CUDA permits nothing now. */
gboolean     c2g_cuda_point_has_passed (C2gCudaPoint        *self,
                                       gboolean            wait,
                                       gboolean           *permitted);
/* Waits, and says what failed. */
gboolean     c2g_cuda_point_finish     (C2gCudaPoint        *self,
                                       GError            **error);
/* Puts what the stream does from now on behind the point. */
gboolean     c2g_cuda_point_join       (C2gCudaPoint        *self,
                                       C2gCudaStream      *stream,
                                       GError            **error);

G_END_DECLS
