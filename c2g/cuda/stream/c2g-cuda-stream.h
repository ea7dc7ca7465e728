/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_STREAM (c2g_cuda_stream_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaStream, c2g_cuda_stream, C2G_CUDA, STREAM, GObject)

C2G_AVAILABLE_IN_ALL
C2gCudaStream  *c2g_cuda_stream_new               (C2gDevice      *device,
                                                   GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gCudaStream  *c2g_cuda_stream_new_with_priority (C2gDevice      *device,
                                                   int             priority,
                                                   GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gCudaStream  *c2g_cuda_stream_new_from_handle   (C2gDevice      *device,
                                                   guint64         handle,
                                                   GError        **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDevice      *c2g_cuda_stream_get_device        (C2gCudaStream  *self);
C2G_AVAILABLE_IN_ALL
guint64         c2g_cuda_stream_get_handle        (C2gCudaStream  *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_stream_is_foreign        (C2gCudaStream  *self);

C2G_AVAILABLE_IN_ALL
C2gEventStatus  c2g_cuda_stream_query             (C2gCudaStream  *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_stream_finish            (C2gCudaStream  *self,
                                                   GError        **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_stream_wait              (C2gCudaStream  *self,
                                                   C2gCudaStream  *other,
                                                   GError        **error);

G_END_DECLS
