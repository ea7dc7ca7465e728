/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-shelf-private.h>

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>

/* Allocates segments from CUDA for the cache, and gives them back. */

/* A segment for several blocks is at most 1 / GROWTH of the reserved bytes. */
#define GROWTH       8

static gsize
round_up (gsize n_bytes)
{
  return c2g_cuda_round_up (n_bytes, C2G_CUDA_PAGE);
}

gboolean
c2g_cuda_cache_reserve (C2gCudaCache  *self,
                        gsize          n_bytes,
                        GError       **error)
{
  C2gCudaCacheStatistics *statistics = &self->statistics;
  gboolean fits;

  g_mutex_lock (&self->lock);
  fits = c2g_cuda_check_limit (self->max_bytes, statistics->reserved_bytes, n_bytes, error);
  if (fits)
    statistics->reserved_bytes += n_bytes;
  g_mutex_unlock (&self->lock);

  return fits;
}

void
c2g_cuda_cache_unreserve (C2gCudaCache *self,
                          gsize         n_bytes)
{
  g_mutex_lock (&self->lock);
  self->statistics.reserved_bytes -= n_bytes;
  g_mutex_unlock (&self->lock);
}

void
c2g_cuda_cache_drop (C2gCudaCache *self,
                     C2gCudaBlock *block)
{
  /* The parts of a segment go one by one. */
  c2g_cuda_cache_note_segment (self, C2G_CUDA_SEGMENT_UNMAP, block);
  if (c2g_cuda_block_is_whole (block))
    self->statistics.n_segments--;
  if (block->previous != NULL)
    block->previous->next = block->next;
  if (block->next != NULL)
    block->next->previous = block->previous;

  self->statistics.reserved_bytes -= block->n_bytes;
  g_hash_table_remove (self->blocks, block->address);
  g_free (block);
}

static void
drop_gone (C2gCudaCache *self,
           C2gCudaShelf *shelf)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (shelf->bins); kind++)
    {
      C2gCudaBins *bins = &shelf->bins[kind];
      C2gCudaBlock *next;

      for (C2gCudaBlock *block = c2g_cuda_bins_empty (bins); block != NULL; block = next)
        {
          next = block->older;
          if (c2g_cuda_block_is_gone (block))
            c2g_cuda_cache_drop (self, block);
          else
            c2g_cuda_bins_put (bins, block);
        }
      bins->is_split = TRUE;
    }
}

static gboolean
find_gone (gpointer address,
           gpointer block,
           gpointer user_data)
{
  return c2g_cuda_block_is_gone (block);
}

/* Forgets all free blocks from before a reset. Returns the device of one that is still allocated,
 * or -1. */
static int
drop_all_gone (C2gCudaCache *self)
{
  GHashTableIter iter;
  C2gCudaBlock *gone;
  gpointer shelf;

  self->n_resets = c2g_cuda_epoch_total ();
  drop_gone (self, &self->common);
  g_hash_table_iter_init (&iter, self->shelves);
  while (g_hash_table_iter_next (&iter, NULL, &shelf))
    drop_gone (self, shelf);

  gone = g_hash_table_find (self->blocks, find_gone, NULL);
  self->has_gone = gone != NULL;

  return gone != NULL ? gone->device : -1;
}

gboolean
c2g_cuda_cache_check (C2gCudaCache  *self,
                      GError       **error)
{
  gboolean is_known;
  int device;

  g_mutex_lock (&self->lock);
  is_known = self->n_resets == c2g_cuda_epoch_total () && !self->has_gone;
  g_mutex_unlock (&self->lock);
  if (is_known)
    return TRUE;

  /* Blocks that are only waited for become free here: they do not count as allocated. */
  c2g_cuda_cache_settle (self, FALSE);
  g_mutex_lock (&self->lock);
  device = drop_all_gone (self);
  g_mutex_unlock (&self->lock);

  return device < 0 ||
         c2g_cuda_check (cudaErrorContextIsDestroyed, self->source->name, device, error);
}

/* The device must be the current one. */
static C2gCudaBlock *
take_memory (C2gCudaCache  *self,
             int            device,
             gsize          n_bytes,
             GError       **error)
{
  guint epoch = c2g_cuda_epoch_find (device);
  gpointer address = NULL;
  C2gCudaBlock *block;

  if (!c2g_cuda_cache_check (self, error) ||
      !c2g_cuda_check (C2G_CUDA_RELAXED (self->source->take (&address, n_bytes)),
                       self->source->name, device, error))
    return NULL;

  block = g_new0 (C2gCudaBlock, 1);
  block->address = address;
  block->n_bytes = n_bytes;
  block->device = device;
  block->epoch = epoch;

  return block;
}

static C2gCudaBlock *
take_segment (C2gCudaCache  *self,
              gsize          n_bytes,
              GError       **error)
{
  int device = self->device;
  C2gCudaBlock *block = NULL;
  C2gCudaGuard guard;

  if (!c2g_cuda_cache_reserve (self, n_bytes, error))
    return NULL;

  if ((device >= 0 || C2G_CUDA_CALL (0, error, cudaGetDevice, &device)) &&
      c2g_cuda_guard_enter (&guard, device, error))
    {
      block = take_memory (self, device, n_bytes, error);
      c2g_cuda_guard_leave (&guard);
    }
  if (block == NULL)
    c2g_cuda_cache_unreserve (self, n_bytes);

  return block;
}

/* Small blocks share segments of one page. Larger ones share segments of at most C2G_CUDA_MAX_PIECE and 1
 * / GROWTH of the reserved bytes. Still larger ones have a segment of their own. */
gsize
c2g_cuda_cache_preferred_size (C2gCudaCache *self,
                               gsize         n_bytes,
                               gsize         n_missing)
{
  guint64 n_reserved;

  if (c2g_cuda_cache_is_small (n_bytes))
    return C2G_CUDA_PAGE;

  g_mutex_lock (&self->lock);
  n_reserved = self->statistics.reserved_bytes;
  g_mutex_unlock (&self->lock);

  return round_up (MAX (n_missing, MIN (n_reserved / GROWTH, C2G_CUDA_MAX_PIECE)));
}

static void
add_segment (C2gCudaCache *self,
             C2gCudaBlock *block,
             gsize         n_requested,
             C2gCudaShelf *shelf)
{
  const gsize n_wanted = c2g_cuda_cache_round (n_requested);
  C2gCudaCacheStatistics *statistics = &self->statistics;

  block->owner = &self->common;
  block->is_small = c2g_cuda_cache_is_small (n_wanted);

  g_mutex_lock (&self->lock);
  block->n_release = self->n_releases;
  g_hash_table_insert (self->blocks, block->address, block);
  c2g_cuda_cache_note_segment (self, C2G_CUDA_SEGMENT_ALLOC, block);
  statistics->n_segments++;
  c2g_cuda_cache_add_rest (self, block, n_wanted);
  c2g_cuda_cache_hand_out (self, block, shelf, n_requested);
  statistics->peak_reserved_bytes = MAX (statistics->peak_reserved_bytes,
                                         statistics->reserved_bytes);
  g_mutex_unlock (&self->lock);
}

C2gCudaBlock *
c2g_cuda_cache_grow (C2gCudaCache  *self,
                     gsize          n_requested,
                     C2gCudaShelf  *shelf,
                     GError       **error)
{
  const gsize n_bytes = c2g_cuda_cache_round (n_requested);
  const gsize sizes[] = { c2g_cuda_cache_preferred_size (self, n_bytes, n_bytes),
                          round_up (n_bytes), n_bytes };
  gsize last = 0;

  if (self->n_room > 0)
    return c2g_cuda_expandable_grow (self, n_requested, shelf, error);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) local_error = NULL;
      C2gCudaBlock *block;

      if (sizes[i] == last)
        continue;
      last = sizes[i];

      block = take_segment (self, sizes[i], &local_error);
      if (block != NULL)
        {
          add_segment (self, block, n_requested, shelf);
          return block;
        }

      if (i == G_N_ELEMENTS (sizes) - 1 || last == n_bytes ||
          !g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
    }

  return NULL;
}

static void
find_whole (C2gCudaBins *bins,
            GPtrArray   *blocks)
{
  for (guint i = 0; i < C2G_CUDA_N_BINS; i++)
    for (C2gCudaBlock *block = bins->newest[i]; block != NULL; block = block->older)
      if (c2g_cuda_block_is_whole (block))
        g_ptr_array_add (blocks, block);
}

static int
compare_age (gconstpointer a,
             gconstpointer b)
{
  const C2gCudaBlock *left = *(C2gCudaBlock *const *) a;
  const C2gCudaBlock *right = *(C2gCudaBlock *const *) b;

  return left->n_release < right->n_release ? -1 : left->n_release > right->n_release;
}

/* Takes out whole free segments of the common shelf, the oldest first. */
static GPtrArray *
steal_segments (C2gCudaCache *self,
                gsize         n_bytes)
{
  GPtrArray *blocks = g_ptr_array_new ();
  gsize n_stolen = 0;
  guint n = 0;

  g_mutex_lock (&self->lock);
  c2g_cuda_shelf_join (self, &self->common);
  find_whole (&self->common.bins[0], blocks);
  find_whole (&self->common.bins[1], blocks);
  g_ptr_array_sort (blocks, compare_age);
  for (; n < blocks->len && n_stolen < n_bytes; n++)
    {
      C2gCudaBlock *block = g_ptr_array_index (blocks, n);

      c2g_cuda_bins_remove (&self->common.bins[block->is_small], block);
      g_hash_table_remove (self->blocks, block->address);
      c2g_cuda_cache_note_segment (self, C2G_CUDA_SEGMENT_FREE, block);
      self->statistics.n_segments--;
      n_stolen += block->n_bytes;
    }
  g_mutex_unlock (&self->lock);
  g_ptr_array_set_size (blocks, (int) n);

  return blocks;
}

gsize
c2g_cuda_cache_give_back (C2gCudaCache *self,
                          gsize         n_bytes)
{
  g_autoptr (GPtrArray) blocks = NULL;
  gsize n_given = 0;

  if (self->n_room > 0)
    return c2g_cuda_expandable_give_back (self, n_bytes);

  blocks = steal_segments (self, n_bytes);
  for (guint i = 0; i < blocks->len; i++)
    {
      C2gCudaBlock *block = g_ptr_array_index (blocks, i);

      c2g_cuda_deferred_destroy (self->source->give, block->address, block->device,
                                 block->epoch);
      c2g_cuda_cache_unreserve (self, block->n_bytes);
      n_given += block->n_bytes;
      g_free (block);
    }

  return n_given;
}
