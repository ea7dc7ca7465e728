/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/memory/c2g-cuda-cache-private.h>
#include <c2g/cuda/memory/c2g-cuda-history-private.h>
#include <c2g/cuda/memory/c2g-cuda-reservation-private.h>
#include <c2g/cuda/stream/c2g-cuda-point-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

G_BEGIN_DECLS

/* The parts of a C2gCudaCache. Its lock guards everything here, except C2gCudaWait while a thread
 * settles it. */

/* The free blocks of one stream. */
typedef struct
{
  /* NULL for the common shelf. */
  C2gCudaStream *stream;
  /* TRUE for a foreign stream, which its owner may destroy at any time. Events are recorded while a
   * block is given back, and not later. */
  gboolean       is_eager;
  /* Number of blocks that are allocated or waited for, plus threads that visit the shelf. */
  guint          n_holders;
  /* bins[0] has blocks of large segments, bins[1] those of small ones. */
  C2gCudaBins    bins[2];

  /* Recorded after all releases up to number n_point; NULL if there is none. */
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
  /* Shelves by their stream, and the shelf that was looked up last. */
  GHashTable             *shelves;
  C2gCudaShelf           *last;
  /* All blocks by their address. */
  GHashTable             *blocks;
  /* C2gCudaWait of returned blocks that streams other than their own use. */
  GPtrArray              *waits;
  guint64                 n_releases;
  /* The number of resets that the cache has handled. has_gone is TRUE if a block from before a
   * reset is still allocated. */
  guint                   n_resets;
  gboolean                has_gone;
  guint64                 max_bytes;
  C2gCudaCacheStatistics  statistics;
  /* NULL if no history is recorded. */
  C2gCudaHistory         *history;

  /* For expandable segments: the size of the device's memory, otherwise 0; and the addresses of
   * large and of small blocks. The mutex `expanding` guards them. */
  gsize                   n_room;
  GMutex                  expanding;
  C2gCudaReservation     *reservations[2];
};

/* A returned block, which becomes free when its users are done. */
typedef struct
{
  C2gCudaBlock *block;
  C2gCudaUsers *users;
} C2gCudaWait;

/* Returns the shelf of a stream, and makes it if there is none. */
C2gCudaShelf *c2g_cuda_shelf_find         (C2gCudaCache   *self,
                                           C2gCudaStream  *stream);
/* Makes an allocated block free. */
void          c2g_cuda_shelf_put          (C2gCudaCache   *self,
                                           C2gCudaBlock   *block);
void          c2g_cuda_shelf_join         (C2gCudaCache   *self,
                                           C2gCudaShelf   *shelf);

/* The functions below are called without the lock unless they say otherwise. FALSE without an error
 * means that CUDA permits no call now. */

/* Moves blocks that their streams are done with to the common shelf. If wait, waits for the
 * streams. */
gboolean      c2g_cuda_cache_settle       (C2gCudaCache   *self,
                                           gboolean        wait);
/* Puts a block on an eager shelf, after recording an event. */
gboolean      c2g_cuda_shelf_put_marked   (C2gCudaCache   *self,
                                           C2gCudaBlock   *block);

/* Forgets blocks from before a reset. While such a block is still allocated nothing is allocated,
 * which is an error: CUDA may give out the same address again. */
gboolean      c2g_cuda_cache_check        (C2gCudaCache   *self,
                                           GError        **error);
/* Forgets a block that is on no shelf. The caller holds the lock. */
void          c2g_cuda_cache_drop         (C2gCudaCache   *self,
                                           C2gCudaBlock   *block);
/* Allocates a segment, and returns a block of it as allocated. */
C2gCudaBlock *c2g_cuda_cache_grow         (C2gCudaCache   *self,
                                           gsize           n_requested,
                                           C2gCudaShelf   *shelf,
                                           GError        **error);
/* Counts n_bytes as reserved, if the limit permits that. */
gboolean      c2g_cuda_cache_reserve      (C2gCudaCache   *self,
                                           gsize           n_bytes,
                                           GError        **error);
void          c2g_cuda_cache_unreserve    (C2gCudaCache   *self,
                                           gsize           n_bytes);
/* Returns how many bytes to take from the device for a block of n_bytes, at least n_missing. */
gsize         c2g_cuda_cache_preferred_size (C2gCudaCache *self,
                                             gsize         n_bytes,
                                             gsize         n_missing);
/* Gives segments back, the oldest first, until n_bytes are given back. Returns the number of
 * bytes. */
gsize         c2g_cuda_cache_give_back    (C2gCudaCache   *self,
                                           gsize           n_bytes);
/* Makes a free block an allocated one of shelf. The caller holds the lock. */
void          c2g_cuda_cache_hand_out     (C2gCudaCache   *self,
                                           C2gCudaBlock   *block,
                                           C2gCudaShelf   *shelf,
                                           gsize           n_requested);
void          c2g_cuda_cache_add_rest     (C2gCudaCache   *self,
                                           C2gCudaBlock   *block,
                                           gsize           n_bytes);

/* A cache with expandable segments grows, gives memory back and ends by these functions. */
C2gCudaBlock *c2g_cuda_expandable_grow    (C2gCudaCache   *self,
                                           gsize           n_requested,
                                           C2gCudaShelf   *shelf,
                                           GError        **error);
gsize         c2g_cuda_expandable_give_back (C2gCudaCache *self,
                                             gsize         n_bytes);
/* Unmaps what is left, and frees the addresses. FALSE means that CUDA permits no call now, or that
 * the device has failed. */
gboolean      c2g_cuda_expandable_end     (C2gCudaCache   *self);
/* Gives another device access to the memory, if it can have that. */
void          c2g_cuda_expandable_open    (C2gCudaCache   *self,
                                           int             device);

static inline gboolean
c2g_cuda_block_is_gone (const C2gCudaBlock *block)
{
  return block->epoch != (guint) g_atomic_int_get (&c2g_cuda_epochs[block->device]);
}

/* Returns the size of a block for a request. */
static inline gsize
c2g_cuda_cache_round (gsize n_requested)
{
  return (n_requested + C2G_CUDA_GRAIN - 1) / C2G_CUDA_GRAIN * C2G_CUDA_GRAIN;
}

static inline gboolean
c2g_cuda_cache_is_small (gsize n_bytes)
{
  return n_bytes <= 1 << 20;
}

/* Returns the handle of a stream; 0 for NULL. */
static inline guint64
c2g_cuda_shelf_handle (C2gCudaStream *stream)
{
  return stream != NULL ? GPOINTER_TO_SIZE (c2g_cuda_stream_peek_own (stream)) : 0;
}

/* Returns the handle of the stream that the block belongs to; 0 if any stream may have it. */
guint64       c2g_cuda_block_handle       (const C2gCudaBlock *self);
void          c2g_cuda_cache_record       (C2gCudaCache       *self,
                                           C2gCudaAction       action,
                                           const C2gCudaBlock *block);

/* These record what becomes of a block, and of the memory that blocks are parts of, if there is a
 * history. The caller holds the lock. */
static inline void
c2g_cuda_cache_note (C2gCudaCache       *self,
                     C2gCudaAction       action,
                     const C2gCudaBlock *block)
{
  if (G_UNLIKELY (self->history != NULL))
    c2g_cuda_cache_record (self, action, block);
}

static inline void
c2g_cuda_cache_note_segment (C2gCudaCache       *self,
                             C2gCudaAction       action,
                             const C2gCudaBlock *whole)
{
  if (G_UNLIKELY (self->history != NULL))
    c2g_cuda_history_add (self->history, action, GPOINTER_TO_SIZE (whole->address), whole->n_bytes,
                          0);
}

G_END_DECLS
