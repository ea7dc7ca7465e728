/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-bins-private.h>
#include <c2g/cuda/c2g-cuda-stream.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Memory that is kept to be given out again; what the allocators that cache stand on.
 *
 * A free block is on the shelf of the stream that it was last used on, and free for that
 * stream at once, or on the common shelf, where nothing uses it any more.  What streams are
 * done with moves to the common shelf: that is looked after when a shelf has nothing left,
 * by events, and so takes no call of CUDA as long as it has.
 *
 * No lock is held while CUDA is called: it may wait for a host function that gives a block
 * back. */
typedef struct _C2gCudaCache C2gCudaCache;

/* Where segments come from. */
typedef struct
{
  const char  *name;
  cudaError_t (*take) (gpointer *address,
                       gsize     n_bytes);
  cudaError_t (*give) (gpointer  address);
} C2gCudaSource;

/* Blocks that are out are allocated; those and the ones whose users are waited for are
 * active; all segments together are reserved. */
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

/* Without a device, -1, memory is got on the current one. */
C2gCudaCache *c2g_cuda_cache_new            (const C2gCudaSource     *source,
                                             int                      device);
C2gCudaCache *c2g_cuda_cache_ref            (C2gCudaCache            *self);
/* The last one gives the memory back; if CUDA permits nothing now, later. */
void          c2g_cuda_cache_unref          (C2gCudaCache            *self);

/* A block that can be used on stream at once, or with NULL everywhere.  It is for the caller
 * to tell that there was not enough at first.  The error is wanted; none is for more than any
 * machine has. */
gpointer      c2g_cuda_cache_take           (C2gCudaCache            *self,
                                             gsize                    n_bytes,
                                             C2gCudaStream           *stream,
                                             gboolean                *retried,
                                             GError                 **error);
void          c2g_cuda_cache_give           (C2gCudaCache            *self,
                                             gpointer                 address,
                                             gsize                    n_bytes);
/* A stream was given work that uses a block that is out. */
void          c2g_cuda_cache_use            (C2gCudaCache            *self,
                                             gpointer                 address,
                                             C2gCudaStream           *stream);
/* A stream is about to use it. */
void          c2g_cuda_cache_expect         (C2gCudaCache            *self,
                                             gpointer                 address,
                                             C2gCudaStream           *stream);
/* Puts stream behind all uses of the block, those by its own stream included. */
gboolean      c2g_cuda_cache_wait_for_uses  (C2gCudaCache            *self,
                                             gpointer                 address,
                                             C2gCudaStream           *stream,
                                             GError                 **error);

/* Whether the device was reset since that a block which is out is of: CUDA is asked. */
gboolean      c2g_cuda_cache_is_gone        (C2gCudaCache            *self,
                                             gpointer                 address);
/* Waits for all users of the block, which then use it no more. */
gboolean      c2g_cuda_cache_finish_uses    (C2gCudaCache            *self,
                                             gpointer                 address,
                                             GError                 **error);

/* Waits for what is still used, and gives back what is above; returns how much that was. */
gsize         c2g_cuda_cache_trim           (C2gCudaCache            *self,
                                             gsize                    keep_bytes);

guint64       c2g_cuda_cache_get_limit      (C2gCudaCache            *self);
/* True if that is another one. */
gboolean      c2g_cuda_cache_set_limit      (C2gCudaCache            *self,
                                             guint64                  max_bytes);
void          c2g_cuda_cache_get_statistics (C2gCudaCache            *self,
                                             C2gCudaCacheStatistics  *statistics);
void          c2g_cuda_cache_reset_peaks    (C2gCudaCache            *self);

G_END_DECLS
