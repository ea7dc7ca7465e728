/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-users-private.h>

G_BEGIN_DECLS

/* Free blocks by their size.
 *
 * A segment is what was got in one piece from the device; blocks are the parts that it was
 * split into.  Sizes are multiples of C2G_CUDA_GRAIN.  There is a bin for each of the first
 * eight sizes and eight for every doubling: a block of a bin is less than an eighth larger
 * than the smallest one of it. */

#define C2G_CUDA_GRAIN  256
#define C2G_CUDA_N_BINS 432

typedef struct _C2gCudaBlock C2gCudaBlock;

struct _C2gCudaBlock
{
  char         *address;
  gsize         n_bytes;
  /* In the segment, by address. */
  C2gCudaBlock *previous;
  C2gCudaBlock *next;

  /* Where the segment is, and since which epoch. */
  int           device;
  guint         epoch;
  /* What it is of: only blocks of one owner are joined. */
  gpointer      owner;
  /* Who uses a block that is out; NULL where nobody told but who has it. */
  C2gCudaUsers *users;
  /* The number of the release that made it free, the highest of all its parts. */
  guint64       n_release;
  guint         is_small : 1;
  guint         is_free : 1;
  guint         is_joined : 1;

  /* In the bin. */
  C2gCudaBlock *newer;
  C2gCudaBlock *older;
};

typedef struct
{
  C2gCudaBlock *newest[C2G_CUDA_N_BINS];
  guint64       filled[(C2G_CUDA_N_BINS + 63) / 64];
  gsize         n_bytes;
  guint         n_blocks;
  /* Whether blocks came in that were not tried to be joined. */
  gboolean      is_split;
} C2gCudaBins;

void          c2g_cuda_bins_put     (C2gCudaBins   *self,
                                     C2gCudaBlock  *block);
void          c2g_cuda_bins_remove  (C2gCudaBins   *self,
                                     C2gCudaBlock  *block);
/* A block of n_bytes or more, which is taken out; NULL if there is none. */
C2gCudaBlock *c2g_cuda_bins_take    (C2gCudaBins   *self,
                                     gsize          n_bytes);
/* Takes all blocks out: a list by `older`. */
C2gCudaBlock *c2g_cuda_bins_empty   (C2gCudaBins   *self);
/* Joins neighbours; what is no more is given to gone. */
void          c2g_cuda_bins_join    (C2gCudaBins   *self,
                                     void         (*gone) (C2gCudaBlock *block,
                                                           gpointer      user_data),
                                     gpointer       user_data);

/* The rest of a block of which n_bytes are enough; NULL if it is so small that it stays. */
C2gCudaBlock *c2g_cuda_block_split  (C2gCudaBlock  *self,
                                     gsize          n_bytes);

static inline gboolean
c2g_cuda_block_is_whole (const C2gCudaBlock *self)
{
  return self->previous == NULL && self->next == NULL;
}

G_END_DECLS
