/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_ASYNC_ALLOCATOR (c2g_cuda_async_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaAsyncAllocator, c2g_cuda_async_allocator, C2G_CUDA, ASYNC_ALLOCATOR, C2gAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_async_allocator_new                   (C2gDevice              *device,
                                                              GError                **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_async_allocator_new_with_limit        (C2gDevice              *device,
                                                              guint64                 max_bytes,
                                                              GError                **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_async_allocator_get_release_threshold (C2gCudaAsyncAllocator  *self);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_cuda_async_allocator_set_release_threshold (C2gCudaAsyncAllocator  *self,
                                                              guint64                 n_bytes,
                                                              GError                **error);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_async_allocator_get_max_bytes         (C2gCudaAsyncAllocator  *self);

C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_async_allocator_get_used_bytes        (C2gCudaAsyncAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_async_allocator_get_peak_used_bytes   (C2gCudaAsyncAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_async_allocator_get_reserved_bytes    (C2gCudaAsyncAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_async_allocator_get_peak_bytes        (C2gCudaAsyncAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_async_allocator_reset_peaks           (C2gCudaAsyncAllocator  *self);

G_END_DECLS
