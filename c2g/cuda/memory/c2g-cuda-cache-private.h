/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/memory/c2g-cuda-bins-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* A cache of memory, which the caching and the pinned allocator use.
 *
 * A free block on the shelf of a stream was last used on that stream, and can be given to it again
 * at once. No stream uses the blocks on the common shelf any more. Blocks that a stream is done
 * with move to the common shelf. That is checked by events, but only when a shelf has no fitting
 * block left, so that most allocations need no call of CUDA.
 *
 * No lock is held while CUDA is called: CUDA may wait for a host function that gives a block back,
 * which takes the lock. */
typedef struct _C2gCudaCache C2gCudaCache;

/* The functions that allocate and free segments. */
typedef struct
{
  const char  *name;
  cudaError_t (*take) (gpointer *address,
                       gsize     n_bytes);
  cudaError_t (*give) (gpointer  address);
} C2gCudaSource;

/* Allocated: blocks that callers hold. Active: these, and returned blocks whose users are still
 * waited for. Reserved: all segments together. */
typedef struct
{
  guint64 requested_bytes;
  guint64 allocated_bytes;
  guint64 active_bytes;
  guint64 reserved_bytes;
  guint64 peak_allocated_bytes;
  guint64 peak_reserved_bytes;
  guint64 n_allocated;
  guint64 n_active;
  guint64 n_cached;
  guint64 n_segments;
  guint64 n_retries;
  guint64 n_ooms;
} C2gCudaCacheStatistics;

/* With device -1 each segment is allocated on the device that is current at that time. */
C2gCudaCache *c2g_cuda_cache_new            (const C2gCudaSource     *source,
                                             int                      device);
/* One with expandable segments, for a device with n_bytes of memory. */
C2gCudaCache *c2g_cuda_cache_new_expandable (int                       device,
                                             guint64                   n_bytes);
gboolean      c2g_cuda_cache_is_expandable  (C2gCudaCache            *self);
C2gCudaCache *c2g_cuda_cache_ref            (C2gCudaCache            *self);
/* The last reference gives the memory back to CUDA, or later if CUDA permits no call now. */
void          c2g_cuda_cache_unref          (C2gCudaCache            *self);

/* Returns a block that stream can use at once; with stream NULL, one that every stream can use at
 * once. With device not -1 it is one that was allocated on that device, which must be current. Sets
 * *retried if there was not enough memory at first: the caller reports that. error must not be
 * NULL, and stays unset if n_bytes is more than any machine has. */
gpointer      c2g_cuda_cache_take           (C2gCudaCache            *self,
                                             gsize                    n_bytes,
                                             C2gCudaStream           *stream,
                                             int                      device,
                                             gboolean                *retried,
                                             GError                 **error);
void          c2g_cuda_cache_give           (C2gCudaCache            *self,
                                             gpointer                 address);
/* Records that stream was given work that uses an allocated block. */
void          c2g_cuda_cache_use            (C2gCudaCache            *self,
                                             gpointer                 address,
                                             C2gCudaStream           *stream);
/* Records that stream is about to use an allocated block. */
void          c2g_cuda_cache_expect         (C2gCudaCache            *self,
                                             gpointer                 address,
                                             C2gCudaStream           *stream);
/* Makes stream wait for all uses of the block, those by the block's own stream included. */
gboolean      c2g_cuda_cache_wait_for_uses  (C2gCudaCache            *self,
                                             gpointer                 address,
                                             C2gCudaStream           *stream,
                                             GError                 **error);

/* Returns TRUE if the device was reset since an allocated block was made. Asks CUDA. */
gboolean      c2g_cuda_cache_is_gone        (C2gCudaCache            *self,
                                             gpointer                 address);
/* Waits for all users of the block. */
gboolean      c2g_cuda_cache_finish_uses    (C2gCudaCache            *self,
                                             gpointer                 address,
                                             GError                 **error);

/* Waits for the streams that still use blocks, then gives segments back until keep_bytes are
 * cached. Returns the number of bytes that were given back. */
gsize         c2g_cuda_cache_trim           (C2gCudaCache            *self,
                                             gsize                    keep_bytes);

guint64       c2g_cuda_cache_get_limit      (C2gCudaCache            *self);
/* Returns TRUE if the limit changed. */
gboolean      c2g_cuda_cache_set_limit      (C2gCudaCache            *self,
                                             guint64                  max_bytes);
/* The number of events that are kept, 0 if none are recorded. The second returns TRUE if that
 * changed. There is no history without a cache. */
guint         c2g_cuda_cache_get_history    (C2gCudaCache            *self);
gboolean      c2g_cuda_cache_set_history    (C2gCudaCache            *self,
                                             guint                    max_entries);
/* All numbers are 0 if there is no cache. */
void          c2g_cuda_cache_get_statistics (C2gCudaCache            *self,
                                             C2gCudaCacheStatistics  *statistics);
/* Returns how many bytes the cache holds that nobody has allocated. Blocks that a device still uses
 * are included. */
gsize         c2g_cuda_cache_count          (gpointer                 cache);
void          c2g_cuda_cache_reset_peaks    (C2gCudaCache            *self);

/* Ends an allocation from a cache: emits "retried", and converts the failure, which may be NULL, if
 * there is no block. Returns the block. */
gpointer      c2g_cuda_cache_finish_take    (C2gAllocator            *allocator,
                                             gsize                    n_bytes,
                                             gpointer                 block,
                                             gboolean                 retried,
                                             const GError            *failure,
                                             GError                 **error);

/* Defines the public getter of a number of an allocator's cache, by the cache's statistics "now".
 * Its documentation stands above the macro. */
#define C2G_CUDA_DEFINE_NUMBER(Type, prefix, IS_TYPE, name, value) \
  guint64                                                          \
  prefix##_get_##name (Type *self)                                 \
  {                                                                \
    C2gCudaCacheStatistics now;                                    \
                                                                   \
    g_return_val_if_fail (IS_TYPE (self), 0);                      \
                                                                   \
    c2g_cuda_cache_get_statistics (self->cache, &now);             \
                                                                   \
    return value;                                                  \
  }

G_END_DECLS
