/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-bins-private.h>

/* Free blocks of memory in bins by size, with splitting and joining. The cache (c2g-cuda-cache.c)
 * keeps its blocks in them. */

/* Number of blocks of a bin that are tried, because some may be too small. */
#define N_TRIES 16

/* The rest of a block is split off only if it is at least 1 / MIN_REST of the requested size:
 * smaller pieces would be of little use. */
#define MIN_REST 16

static inline guint
bin_of (gsize n_bytes)
{
  gsize n_grains = n_bytes / C2G_CUDA_GRAIN;
  guint bits;

  if (n_grains < 8)
    return (guint) n_grains;

  bits = g_bit_storage (n_grains) - 1;

  return 8 * (bits - 2) + ((n_grains >> (bits - 3)) & 7);
}

void
c2g_cuda_bins_put (C2gCudaBins  *self,
                   C2gCudaBlock *block)
{
  guint bin = bin_of (block->n_bytes);

  block->is_free = TRUE;
  block->newer = NULL;
  block->older = self->newest[bin];
  if (block->older != NULL)
    block->older->newer = block;
  self->newest[bin] = block;
  self->filled[bin / 64] |= G_GUINT64_CONSTANT (1) << bin % 64;
  self->n_bytes += block->n_bytes;
  self->n_blocks++;
}

void
c2g_cuda_bins_remove (C2gCudaBins  *self,
                      C2gCudaBlock *block)
{
  guint bin = bin_of (block->n_bytes);

  block->is_free = FALSE;
  if (block->older != NULL)
    block->older->newer = block->newer;
  if (block->newer != NULL)
    block->newer->older = block->older;
  else
    self->newest[bin] = block->older;
  if (self->newest[bin] == NULL)
    self->filled[bin / 64] &= ~(G_GUINT64_CONSTANT (1) << bin % 64);
  self->n_bytes -= block->n_bytes;
  self->n_blocks--;
}

/* Returns the first bin from `first` on that has blocks; C2G_CUDA_N_BINS if there is none. */
static guint
find_filled (const C2gCudaBins *self,
             guint              first)
{
  guint word = first / 64;
  guint64 bits;

  if (first >= C2G_CUDA_N_BINS)
    return C2G_CUDA_N_BINS;

  bits = self->filled[word] & G_MAXUINT64 << first % 64;
  while (bits == 0)
    {
      if (++word == G_N_ELEMENTS (self->filled))
        return C2G_CUDA_N_BINS;
      bits = self->filled[word];
    }

  return word * 64 + (guint) __builtin_ctzll (bits);
}

static C2gCudaBlock *
find_of_device (C2gCudaBlock *newest,
                int           device)
{
  C2gCudaBlock *block = newest;

  while (device >= 0 && block != NULL && block->device != device)
    block = block->older;

  return block;
}

/* Prefers the block that was given back last, which most likely has the same size. */
C2gCudaBlock *
c2g_cuda_bins_take (C2gCudaBins *self,
                    gsize        n_bytes,
                    int          device)
{
  guint bin = bin_of (n_bytes);
  C2gCudaBlock *block = find_of_device (self->newest[bin], device);

  for (guint i = 0; block != NULL && block->n_bytes < n_bytes; i++)
    block = i < N_TRIES ? find_of_device (block->older, device) : NULL;
  while (block == NULL && (bin = find_filled (self, bin + 1)) < C2G_CUDA_N_BINS)
    block = find_of_device (self->newest[bin], device);
  if (block != NULL)
    c2g_cuda_bins_remove (self, block);

  return block;
}

C2gCudaBlock *
c2g_cuda_bins_empty (C2gCudaBins *self)
{
  C2gCudaBlock *all = NULL;

  for (guint bin = find_filled (self, 0); bin < C2G_CUDA_N_BINS; bin = find_filled (self, bin))
    {
      C2gCudaBlock *block = self->newest[bin];

      c2g_cuda_bins_remove (self, block);
      block->older = all;
      all = block;
    }

  return all;
}

static gboolean
can_join (const C2gCudaBlock *block,
          const C2gCudaBlock *next)
{
  return next != NULL && next->is_free && next->owner == block->owner;
}

void
c2g_cuda_block_join_next (C2gCudaBlock *self)
{
  C2gCudaBlock *next = self->next;

  self->n_bytes += next->n_bytes;
  self->n_release = MAX (self->n_release, next->n_release);
  self->next = next->next;
  if (self->next != NULL)
    self->next->previous = self;
  next->is_joined = TRUE;
}

/* Joined blocks stay in the list until the last loop. */
void
c2g_cuda_bins_join (C2gCudaBins  *self,
                    void        (*gone) (C2gCudaBlock *block,
                                         gpointer      user_data),
                    gpointer      user_data)
{
  C2gCudaBlock *all, *next;

  if (!self->is_split)
    return;

  all = c2g_cuda_bins_empty (self);
  for (C2gCudaBlock *block = all; block != NULL; block = block->older)
    block->is_free = TRUE;
  for (C2gCudaBlock *block = all; block != NULL; block = block->older)
    while (!block->is_joined && can_join (block, block->next))
      c2g_cuda_block_join_next (block);
  for (C2gCudaBlock *block = all; block != NULL; block = next)
    {
      next = block->older;
      if (block->is_joined)
        gone (block, user_data);
      else
        c2g_cuda_bins_put (self, block);
    }
  self->is_split = FALSE;
}

C2gCudaBlock *
c2g_cuda_block_cut (C2gCudaBlock *self,
                    gsize         n_bytes)
{
  C2gCudaBlock *rest = g_new0 (C2gCudaBlock, 1);

  rest->address = self->address + n_bytes;
  rest->n_bytes = self->n_bytes - n_bytes;
  rest->previous = self;
  rest->next = self->next;
  rest->device = self->device;
  rest->epoch = self->epoch;
  rest->owner = self->owner;
  rest->n_release = self->n_release;
  rest->is_small = self->is_small;
  if (rest->next != NULL)
    rest->next->previous = rest;
  self->n_bytes = n_bytes;
  self->next = rest;

  return rest;
}

C2gCudaBlock *
c2g_cuda_block_split (C2gCudaBlock *self,
                      gsize         n_bytes)
{
  gsize n_rest = self->n_bytes - n_bytes;

  return n_rest < C2G_CUDA_GRAIN || n_rest < n_bytes / MIN_REST ? NULL
                                                               : c2g_cuda_block_cut (self, n_bytes);
}

int
c2g_cuda_block_compare (gconstpointer a,
                        gconstpointer b)
{
  const C2gCudaBlock *left = *(C2gCudaBlock *const *) a;
  const C2gCudaBlock *right = *(C2gCudaBlock *const *) b;

  return left->address < right->address ? -1 : left->address > right->address;
}
