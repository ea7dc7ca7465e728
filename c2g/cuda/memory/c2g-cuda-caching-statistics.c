/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-caching-allocator-private.h>

/* The statistics of C2gCudaCachingAllocator. */

static void
get_statistics (C2gCudaCachingAllocator *self,
                C2gCudaCacheStatistics  *statistics)
{
  C2gCudaCache *cache = c2g_cuda_caching_allocator_peek_cache (self);

  if (cache != NULL)
    c2g_cuda_cache_get_statistics (cache, statistics);
  else
    *statistics = (C2gCudaCacheStatistics) { 0 };
}

/**
 * c2g_cuda_caching_allocator_get_requested_bytes: (get-property requested-bytes)
 * @self: an allocator
 *
 * Gets how many bytes were requested for the allocated blocks.
 *
 * Returns: bytes, before rounding up
 */
guint64
c2g_cuda_caching_allocator_get_requested_bytes (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.requested_bytes;
}

/**
 * c2g_cuda_caching_allocator_get_allocated_bytes: (get-property allocated-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocated blocks have.
 *
 * Returns: bytes, after rounding up
 */
guint64
c2g_cuda_caching_allocator_get_allocated_bytes (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.allocated_bytes;
}

/**
 * c2g_cuda_caching_allocator_get_active_bytes: (get-property active-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocated blocks have, and returned ones that another stream
 * still uses.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_caching_allocator_get_active_bytes (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.active_bytes;
}

/**
 * c2g_cuda_caching_allocator_get_cached_bytes: (get-property cached-bytes)
 * @self: an allocator
 *
 * Gets how many bytes of the device are cached for later allocations.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_caching_allocator_get_cached_bytes (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.reserved_bytes - statistics.active_bytes;
}

/**
 * c2g_cuda_caching_allocator_get_peak_allocated_bytes: (get-property peak-allocated-bytes)
 * @self: an allocator
 *
 * Gets the largest value that [property@CachingAllocator:allocated-bytes] had.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_caching_allocator_get_peak_allocated_bytes (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.peak_allocated_bytes;
}

/**
 * c2g_cuda_caching_allocator_get_peak_bytes: (get-property peak-bytes)
 * @self: an allocator
 *
 * Gets the most bytes of the device that the allocator had, cached ones included.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_caching_allocator_get_peak_bytes (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.peak_reserved_bytes;
}

/**
 * c2g_cuda_caching_allocator_get_n_allocated: (get-property n-allocated)
 * @self: an allocator
 *
 * Gets how many blocks are allocated.
 *
 * Returns: a number
 */
guint64
c2g_cuda_caching_allocator_get_n_allocated (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.n_allocated;
}

/**
 * c2g_cuda_caching_allocator_get_n_active: (get-property n-active)
 * @self: an allocator
 *
 * Gets how many blocks are allocated, or returned and still used by another stream.
 *
 * Returns: a number
 */
guint64
c2g_cuda_caching_allocator_get_n_active (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.n_active;
}

/**
 * c2g_cuda_caching_allocator_get_n_cached: (get-property n-cached)
 * @self: an allocator
 *
 * Gets how many free blocks there are. Neighbours may be joined.
 *
 * Returns: a number
 */
guint64
c2g_cuda_caching_allocator_get_n_cached (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.n_cached;
}

/**
 * c2g_cuda_caching_allocator_get_n_segments: (get-property n-segments)
 * @self: an allocator
 *
 * Gets how many segments the allocator has from the device.
 *
 * Returns: a number
 */
guint64
c2g_cuda_caching_allocator_get_n_segments (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.n_segments;
}

/**
 * c2g_cuda_caching_allocator_get_n_retries: (get-property n-retries)
 * @self: an allocator
 *
 * Gets how often the device had no memory left, and cached memory was given back to try
 * again.
 *
 * Returns: a number
 */
guint64
c2g_cuda_caching_allocator_get_n_retries (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.n_retries;
}

/**
 * c2g_cuda_caching_allocator_get_n_ooms: (get-property n-ooms)
 * @self: an allocator
 *
 * Gets how many allocations failed for want of memory.
 *
 * Returns: a number
 */
guint64
c2g_cuda_caching_allocator_get_n_ooms (C2gCudaCachingAllocator *self)
{
  C2gCudaCacheStatistics statistics;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  get_statistics (self, &statistics);

  return statistics.n_ooms;
}

/**
 * c2g_cuda_caching_allocator_reset_peaks:
 * @self: an allocator
 *
 * Sets the peaks to the present values.
 */
void
c2g_cuda_caching_allocator_reset_peaks (C2gCudaCachingAllocator *self)
{
  C2gCudaCache *cache;

  g_return_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self));

  cache = c2g_cuda_caching_allocator_peek_cache (self);
  if (cache != NULL)
    c2g_cuda_cache_reset_peaks (cache);
}
