/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_PINNED_ALLOCATOR (c2g_cuda_pinned_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaPinnedAllocator, c2g_cuda_pinned_allocator, C2G_CUDA, PINNED_ALLOCATOR, C2gAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_pinned_allocator_new                 (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_pinned_allocator_get_staging         (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_pinned_allocator_get_max_bytes       (C2gCudaPinnedAllocator *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_pinned_allocator_set_max_bytes       (C2gCudaPinnedAllocator *self,
                                                             guint64                 max_bytes);

C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_pinned_allocator_get_allocated_bytes (C2gCudaPinnedAllocator *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_pinned_allocator_get_active_bytes    (C2gCudaPinnedAllocator *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_pinned_allocator_get_cached_bytes    (C2gCudaPinnedAllocator *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_pinned_allocator_get_peak_bytes      (C2gCudaPinnedAllocator *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_pinned_allocator_reset_peak          (C2gCudaPinnedAllocator *self);

G_END_DECLS
