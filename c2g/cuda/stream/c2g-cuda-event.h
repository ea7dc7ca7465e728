/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/cuda/stream/c2g-cuda-stream.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_EVENT (c2g_cuda_event_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaEvent, c2g_cuda_event, C2G_CUDA, EVENT, GObject)

C2G_AVAILABLE_IN_ALL
C2gCudaEvent   *c2g_cuda_event_new             (C2gDevice      *device,
                                                GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gCudaEvent   *c2g_cuda_event_new_with_timing (C2gDevice      *device,
                                                GError        **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gCudaEvent   *c2g_cuda_event_new_from_handle (C2gDevice      *device,
                                                guint64         handle,
                                                GError        **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDevice      *c2g_cuda_event_get_device      (C2gCudaEvent   *self);
C2G_AVAILABLE_IN_ALL
guint64         c2g_cuda_event_get_handle      (C2gCudaEvent   *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_event_is_foreign      (C2gCudaEvent   *self);

C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_event_record          (C2gCudaEvent   *self,
                                                C2gCudaStream  *stream,
                                                GError        **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_event_wait            (C2gCudaEvent   *self,
                                                C2gCudaStream  *stream,
                                                GError        **error);
C2G_AVAILABLE_IN_ALL
C2gEventStatus  c2g_cuda_event_query           (C2gCudaEvent   *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_event_finish          (C2gCudaEvent   *self,
                                                GError        **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_cuda_event_get_elapsed     (C2gCudaEvent   *self,
                                                C2gCudaEvent   *start,
                                                double         *milliseconds,
                                                GError        **error);

G_END_DECLS
