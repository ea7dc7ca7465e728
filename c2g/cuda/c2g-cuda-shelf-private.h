/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-cache-private.h>
#include <c2g/cuda/c2g-cuda-epoch-private.h>
#include <c2g/cuda/c2g-cuda-point-private.h>

G_BEGIN_DECLS

/* The parts of a C2gCudaCache.  Everything here but what waits is guarded by its lock. */

/* The free blocks of one stream. */
typedef struct
{
  /* NULL for the common one. */
  C2gCudaStream *stream;
  /* Somebody else may destroy the stream at any time: events are recorded while a block of
   * it is given back, and not later. */
  gboolean       is_eager;
  /* Blocks that are out or waited for, and threads that look after it. */
  guint          n_holders;
  /* Of large segments, and of small ones. */
  C2gCudaBins    bins[2];

  /* Behind all releases up to n_point; NULL if there is none. */
  C2gCudaPoint  *point;
  guint64        n_point;
} C2gCudaShelf;

struct _C2gCudaCache
{
  gatomicrefcount         ref_count;
  const C2gCudaSource    *source;
  int                     device;

  GMutex                  lock;
  C2gCudaShelf            common;
  /* By the stream; the last one that was looked up. */
  GHashTable             *shelves;
  C2gCudaShelf           *last;
  /* All blocks, by their address. */
  GHashTable             *blocks;
  /* C2gCudaWait of blocks that others than their stream use. */
  GPtrArray              *waits;
  guint64                 n_releases;
  /* The resets that are known here, and whether a block is out that is gone. */
  guint                   n_resets;
  gboolean                has_gone;
  guint64                 max_bytes;
  C2gCudaCacheStatistics  statistics;
};

/* A block that goes back when those who used it are done. */
typedef struct
{
  C2gCudaBlock *block;
  C2gCudaUsers *users;
} C2gCudaWait;

/* The shelf of a stream, which is made if need be. */
C2gCudaShelf *c2g_cuda_shelf_find         (C2gCudaCache   *self,
                                           C2gCudaStream  *stream);
/* A block that is out is free now. */
void          c2g_cuda_shelf_put          (C2gCudaCache   *self,
                                           C2gCudaBlock   *block);
void          c2g_cuda_shelf_join         (C2gCudaCache   *self,
                                           C2gCudaShelf   *shelf);

/* What follows is called without the lock; where it gives false, CUDA permits nothing now. */

/* Moves what streams are done with to the common shelf; with wait, after waiting for them. */
gboolean      c2g_cuda_cache_settle       (C2gCudaCache   *self,
                                           gboolean        wait);
/* Puts a block on an eager shelf. */
gboolean      c2g_cuda_shelf_put_marked   (C2gCudaCache   *self,
                                           C2gCudaBlock   *block);

/* Forgets what is gone since a device was reset.  What of it is still out has addresses that are
 * given again: nothing is got before it is given back, which is an error. */
gboolean      c2g_cuda_cache_check        (C2gCudaCache   *self,
                                           GError        **error);
/* With the lock: forgets a block that is on no shelf. */
void          c2g_cuda_cache_drop         (C2gCudaCache   *self,
                                           C2gCudaBlock   *block);
/* Gets a segment, and a block of it that is out. */
C2gCudaBlock *c2g_cuda_cache_grow         (C2gCudaCache   *self,
                                           gsize           n_bytes,
                                           C2gCudaShelf   *shelf,
                                           GError        **error);
/* Gives segments back, the oldest first, until it was so much. */
gsize         c2g_cuda_cache_give_back    (C2gCudaCache   *self,
                                           gsize           n_bytes);
/* With the lock: makes a block of the common shelf one that is out. */
void          c2g_cuda_cache_hand_out     (C2gCudaCache   *self,
                                           C2gCudaBlock   *block,
                                           C2gCudaShelf   *shelf);
void          c2g_cuda_cache_add_rest     (C2gCudaCache   *self,
                                           C2gCudaBlock   *block,
                                           gsize           n_bytes);

static inline gboolean
c2g_cuda_block_is_gone (const C2gCudaBlock *block)
{
  return block->epoch != c2g_cuda_epoch_get (block->device);
}

static inline gboolean
c2g_cuda_cache_is_small (gsize n_bytes)
{
  return n_bytes <= 1 << 20;
}

G_END_DECLS
