/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_CACHING_ALLOCATOR (c2g_cuda_caching_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaCachingAllocator, c2g_cuda_caching_allocator, C2G_CUDA, CACHING_ALLOCATOR, C2gAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_caching_allocator_new                      (C2gDevice                *device,
                                                                   GError                  **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_caching_allocator_new_managed              (C2gDevice                *device,
                                                                   GError                  **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cuda_caching_allocator_new_expandable           (C2gDevice                *device,
                                                                   GError                  **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean      c2g_cuda_caching_allocator_has_expandable_segments  (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_max_bytes            (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_caching_allocator_set_max_bytes            (C2gCudaCachingAllocator  *self,
                                                                   guint64                   max_bytes);
C2G_AVAILABLE_IN_ALL
double        c2g_cuda_caching_allocator_get_max_fraction         (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_caching_allocator_set_max_fraction         (C2gCudaCachingAllocator  *self,
                                                                   double                    max_fraction);

C2G_AVAILABLE_IN_ALL
guint         c2g_cuda_caching_allocator_get_history_max_entries  (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_caching_allocator_set_history_max_entries  (C2gCudaCachingAllocator  *self,
                                                                   guint                     max_entries);

C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_requested_bytes      (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_allocated_bytes      (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_active_bytes         (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_cached_bytes         (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_peak_allocated_bytes (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_peak_bytes           (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_n_allocated          (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_n_active             (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_n_cached             (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_n_segments           (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_n_retries            (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_cuda_caching_allocator_get_n_ooms               (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cuda_caching_allocator_reset_peaks              (C2gCudaCachingAllocator  *self);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_cuda_caching_allocator_save_snapshot            (C2gCudaCachingAllocator  *self,
                                                                   GFile                    *file,
                                                                   GCancellable             *cancellable,
                                                                   GError                  **error);

G_END_DECLS
