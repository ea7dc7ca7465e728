/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/memory/c2g-cuda-cache-private.h>
#include <c2g/cuda/memory/c2g-cuda-caching-allocator.h>

G_BEGIN_DECLS

/* More than that might not fit into a snapshot. */
#define C2G_CUDA_MAX_ENTRIES (1 << 24)

/* NULL if the allocator was made with g_object_new(), not by its constructor function. */
C2gCudaCache *c2g_cuda_caching_allocator_peek_cache (C2gCudaCachingAllocator *self);

G_END_DECLS
