/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/stream/c2g-cuda-users-private.h>

G_BEGIN_DECLS

/* Free blocks, sorted into bins by size.
 *
 * A segment is one allocation from the device. Blocks are the parts that it is split into. Sizes
 * are multiples of C2G_CUDA_GRAIN bytes. There is one bin for each of the first eight sizes, and
 * eight bins for each doubling: a block is less than an eighth larger than the smallest size of its
 * bin. */

#define C2G_CUDA_GRAIN  256
#define C2G_CUDA_N_BINS 432

typedef struct _C2gCudaBlock C2gCudaBlock;

struct _C2gCudaBlock
{
  char         *address;
  gsize         n_bytes;
  /* The size that the last allocation of the block asked for. */
  gsize         n_requested;
  /* The neighbours in the segment, in the order of addresses. */
  C2gCudaBlock *previous;
  C2gCudaBlock *next;

  /* The device of the segment, and the epoch in which the segment was allocated. */
  int           device;
  guint         epoch;
  /* The shelf that the block belongs to. Only blocks with the same owner are joined. */
  gpointer      owner;
  /* The recorded users of an allocated block; NULL if no use was recorded. */
  C2gCudaUsers *users;
  /* Number of the release that made the block free. A joined block has the highest number of its
   * parts. */
  guint64       n_release;
  guint         is_small : 1;
  guint         is_free : 1;
  guint         is_allocated : 1;
  guint         is_joined : 1;

  /* Links of the list of its bin. */
  C2gCudaBlock *newer;
  C2gCudaBlock *older;
};

typedef struct
{
  C2gCudaBlock *newest[C2G_CUDA_N_BINS];
  guint64       filled[(C2G_CUDA_N_BINS + 63) / 64];
  gsize         n_bytes;
  guint         n_blocks;
  /* TRUE if blocks were added since neighbours were last joined. */
  gboolean      is_split;
} C2gCudaBins;

void          c2g_cuda_bins_put     (C2gCudaBins   *self,
                                     C2gCudaBlock  *block);
void          c2g_cuda_bins_remove  (C2gCudaBins   *self,
                                     C2gCudaBlock  *block);
/* Takes out a block of at least n_bytes, of the device or, with -1, of any one; NULL if there is
 * none. */
C2gCudaBlock *c2g_cuda_bins_take    (C2gCudaBins   *self,
                                     gsize          n_bytes,
                                     int            device);
/* Takes out all blocks and returns them as a list linked by `older`. */
C2gCudaBlock *c2g_cuda_bins_empty   (C2gCudaBins   *self);
/* Joins free neighbours. Calls gone for each block that became a part of another one. */
void          c2g_cuda_bins_join    (C2gCudaBins   *self,
                                     void         (*gone) (C2gCudaBlock *block,
                                                           gpointer      user_data),
                                     gpointer       user_data);

/* Splits the block after n_bytes and returns the rest; NULL if the rest is too small to be split
 * off. */
C2gCudaBlock *c2g_cuda_block_split  (C2gCudaBlock  *self,
                                     gsize          n_bytes);

/* Splits the block after n_bytes, whatever the rest is good for, and returns the rest. */
C2gCudaBlock *c2g_cuda_block_cut    (C2gCudaBlock  *self,
                                     gsize          n_bytes);
/* Makes the next block a part of this one. The caller frees it. */
void          c2g_cuda_block_join_next (C2gCudaBlock *self);

/* Compares the addresses of two blocks, for g_ptr_array_sort(): the lowest comes first. */
int           c2g_cuda_block_compare (gconstpointer  a,
                                      gconstpointer  b);

static inline gboolean
c2g_cuda_block_is_whole (const C2gCudaBlock *self)
{
  return self->previous == NULL && self->next == NULL;
}

G_END_DECLS
