/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-shelf-private.h>

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-workspace-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

/* The cache of the caching and the pinned allocator: takes and returns blocks. Segments and shelves
 * have files of their own. */

/* No device has more memory. */
#define MAX_ROOM ((gsize) 1 << 40)

/* A block that is being returned. No other thread uses it. */
typedef struct
{
  C2gCudaCache *cache;
  C2gCudaBlock *block;
  C2gCudaUsers *users;
} Return;

C2gCudaCache *
c2g_cuda_cache_new (const C2gCudaSource *source,
                    int                  device)
{
  C2gCudaCache *self = g_new0 (C2gCudaCache, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->source = source;
  self->device = device;
  self->max_bytes = G_MAXUINT64;
  self->n_resets = c2g_cuda_epoch_total ();
  g_mutex_init (&self->lock);
  g_mutex_init (&self->expanding);
  self->shelves = g_hash_table_new (c2g_cuda_stream_hash, c2g_cuda_stream_equal);
  self->blocks = g_hash_table_new (NULL, NULL);
  self->waits = g_ptr_array_new ();

  return self;
}

C2gCudaCache *
c2g_cuda_cache_new_expandable (int     device,
                               guint64 n_bytes)
{
  static const C2gCudaSource source = { .name = "cuMemCreate" };
  C2gCudaCache *self = c2g_cuda_cache_new (&source, device);

  self->n_room = CLAMP (n_bytes, 1, MAX_ROOM);

  return self;
}

gboolean
c2g_cuda_cache_is_expandable (C2gCudaCache *self)
{
  return self != NULL && self->n_room > 0;
}

C2gCudaCache *
c2g_cuda_cache_ref (C2gCudaCache *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

static gboolean
destroy (gpointer data)
{
  C2gCudaCache *self = data;

  if (!c2g_cuda_cache_settle (self, TRUE))
    return FALSE;

  c2g_cuda_cache_give_back (self, G_MAXSIZE);
  if (!c2g_cuda_expandable_end (self))
    return FALSE;

  g_hash_table_unref (self->shelves);
  g_hash_table_unref (self->blocks);
  g_ptr_array_unref (self->waits);
  c2g_cuda_history_free (self->history);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->expanding);
  g_free (self);

  return TRUE;
}

void
c2g_cuda_cache_unref (C2gCudaCache *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    c2g_cuda_deferred_run_or_queue (destroy, self);
}

void
c2g_cuda_cache_hand_out (C2gCudaCache *self,
                         C2gCudaBlock *block,
                         C2gCudaShelf *shelf,
                         gsize         n_requested)
{
  C2gCudaCacheStatistics *statistics = &self->statistics;

  block->owner = shelf;
  block->is_allocated = TRUE;
  block->n_requested = n_requested;
  shelf->n_holders++;
  statistics->n_allocated++;
  statistics->n_active++;
  statistics->requested_bytes += n_requested;
  statistics->active_bytes += block->n_bytes;
  statistics->allocated_bytes += block->n_bytes;
  statistics->peak_allocated_bytes = MAX (statistics->peak_allocated_bytes,
                                          statistics->allocated_bytes);
  c2g_cuda_cache_note (self, C2G_CUDA_ALLOC, block);
}

/* Splits off what the block has beyond n_bytes, and puts that on the block's shelf. */
void
c2g_cuda_cache_add_rest (C2gCudaCache *self,
                         C2gCudaBlock *block,
                         gsize         n_bytes)
{
  C2gCudaBlock *rest = c2g_cuda_block_split (block, n_bytes);
  C2gCudaShelf *shelf = block->owner;

  if (rest == NULL)
    return;

  g_hash_table_insert (self->blocks, rest->address, rest);
  c2g_cuda_bins_put (&shelf->bins[rest->is_small], rest);
  shelf->bins[rest->is_small].is_split = TRUE;
}

static C2gCudaBlock *
take_from (C2gCudaCache *self,
           C2gCudaShelf *shelf,
           gsize         n_bytes,
           int           device)
{
  C2gCudaBins *bins = &shelf->bins[c2g_cuda_cache_is_small (n_bytes)];
  C2gCudaBlock *block = c2g_cuda_bins_take (bins, n_bytes, device);

  if (block != NULL)
    c2g_cuda_cache_add_rest (self, block, n_bytes);

  return block;
}

static C2gCudaBlock *
take_kept (C2gCudaCache *self,
           C2gCudaShelf *shelf,
           gsize         n_requested,
           int           device)
{
  const gsize n_bytes = c2g_cuda_cache_round (n_requested);
  C2gCudaBlock *block = take_from (self, shelf, n_bytes, device);

  if (block == NULL && shelf != &self->common)
    block = take_from (self, &self->common, n_bytes, device);
  if (block != NULL)
    c2g_cuda_cache_hand_out (self, block, shelf, n_requested);

  return block;
}

static C2gCudaBlock *
take_joined (C2gCudaCache *self,
             C2gCudaShelf *shelf,
             gsize         n_requested,
             int           device)
{
  C2gCudaBlock *block;

  g_mutex_lock (&self->lock);
  c2g_cuda_shelf_join (self, shelf);
  c2g_cuda_shelf_join (self, &self->common);
  block = take_kept (self, shelf, n_requested, device);
  g_mutex_unlock (&self->lock);

  return block;
}

/* First waits for all streams: returned blocks may fit after they are joined. Then gives segments
 * back to CUDA, enough for the request and at last all, and allocates again. */
static C2gCudaBlock *
take_after_giving_back (C2gCudaCache  *self,
                        C2gCudaShelf  *shelf,
                        gsize          n_requested,
                        int            device,
                        GError       **error)
{
  C2gCudaBlock *block;
  g_autoptr (GError) local_error = NULL;

  g_mutex_lock (&self->lock);
  self->statistics.n_retries++;
  g_mutex_unlock (&self->lock);

  c2g_cuda_workspace_release_all (self->device);
  c2g_cuda_cache_settle (self, TRUE);
  block = take_joined (self, shelf, n_requested, device);
  if (block == NULL && c2g_cuda_cache_give_back (self, c2g_cuda_cache_round (n_requested)) > 0)
    block = c2g_cuda_cache_grow (self, n_requested, shelf, &local_error);
  if (block == NULL && c2g_cuda_cache_give_back (self, G_MAXSIZE) > 0)
    {
      g_clear_error (&local_error);
      block = c2g_cuda_cache_grow (self, n_requested, shelf, &local_error);
    }
  /* Another thread may have returned or allocated memory meanwhile. */
  if (block == NULL)
    block = take_joined (self, shelf, n_requested, device);
  if (block == NULL && local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));

  return block;
}

static C2gCudaBlock *
take_missing (C2gCudaCache  *self,
              C2gCudaShelf  *shelf,
              gsize          n_requested,
              int            device,
              gboolean      *retried,
              GError       **error)
{
  g_autoptr (GError) first_error = NULL;
  g_autoptr (GError) last_error = NULL;
  C2gCudaBlock *block;

  /* With a device given it is current now, and the caller has flushed before. */
  if (device < 0)
    c2g_cuda_deferred_flush ();
  c2g_cuda_cache_settle (self, FALSE);
  block = take_joined (self, shelf, n_requested, device);
  if (block == NULL)
    block = c2g_cuda_cache_grow (self, n_requested, shelf, &first_error);
  if (block != NULL)
    return block;

  *retried = g_error_matches (first_error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  if (*retried)
    block = take_after_giving_back (self, shelf, n_requested, device, &last_error);
  if (block != NULL)
    return block;

  g_propagate_error (error, last_error != NULL ? g_steal_pointer (&last_error)
                                               : g_steal_pointer (&first_error));

  return NULL;
}

/* Counts an allocation that failed for want of memory. */
static void
count_oom (C2gCudaCache  *self,
           gsize          n_requested,
           C2gCudaStream *stream)
{
  gsize n_free = 0, n_total;
  gboolean has_history;

  g_mutex_lock (&self->lock);
  self->statistics.n_ooms++;
  has_history = self->history != NULL;
  g_mutex_unlock (&self->lock);
  if (!has_history)
    return;

  C2G_CUDA_STREAM_CALL (self->device, NULL, cudaMemGetInfo, &n_free, &n_total);
  g_mutex_lock (&self->lock);
  if (self->history != NULL)
    c2g_cuda_history_add (self->history, C2G_CUDA_OOM, n_free, n_requested,
                          c2g_cuda_shelf_handle (stream));
  g_mutex_unlock (&self->lock);
}

static gpointer
take_checked (C2gCudaCache  *self,
              gsize          n_requested,
              C2gCudaStream *stream,
              int            device,
              gboolean      *retried,
              GError       **error)
{
  C2gCudaShelf *shelf;
  C2gCudaBlock *block;

  g_mutex_lock (&self->lock);
  if (G_UNLIKELY (self->n_resets != c2g_cuda_epoch_total () || self->has_gone))
    {
      g_mutex_unlock (&self->lock);
      if (!c2g_cuda_cache_check (self, error))
        return NULL;
      g_mutex_lock (&self->lock);
    }

  shelf = c2g_cuda_shelf_find (self, stream);
  block = take_kept (self, shelf, n_requested, device);
  if (G_LIKELY (block != NULL))
    {
      g_mutex_unlock (&self->lock);
      return block->address;
    }
  shelf->n_holders++;
  g_mutex_unlock (&self->lock);

  block = take_missing (self, shelf, n_requested, device, retried, error);

  g_mutex_lock (&self->lock);
  shelf->n_holders--;
  g_mutex_unlock (&self->lock);
  if (block == NULL && g_error_matches (*error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    count_oom (self, n_requested, stream);

  return block != NULL ? block->address : NULL;
}

gpointer
c2g_cuda_cache_take (C2gCudaCache   *self,
                     gsize           n_bytes,
                     C2gCudaStream  *stream,
                     int             device,
                     gboolean       *retried,
                     GError        **error)
{
  *retried = FALSE;
  /* No machine has that much. Smaller numbers do not overflow when they are rounded up. */
  if (n_bytes > G_MAXSIZE / 2)
    {
      count_oom (self, n_bytes, stream);
      return NULL;
    }

  /* Default streams survive a reset, so a reset has to be looked for here. */
  if (stream == NULL || c2g_cuda_stream_is_default (stream))
    c2g_cuda_epoch_find (self->device);

  return take_checked (self, n_bytes, stream, device, retried, error);
}

static void
add_wait (C2gCudaCache *self,
          Return       *data)
{
  C2gCudaWait *wait = g_new (C2gCudaWait, 1);

  wait->block = data->block;
  wait->users = g_steal_pointer (&data->users);

  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->waits, wait);
  g_mutex_unlock (&self->lock);
}

static gboolean
return_block (gpointer user_data)
{
  Return *data = user_data;
  C2gCudaCache *self = data->cache;

  if (data->users != NULL && !c2g_cuda_users_part (data->users))
    return FALSE;
  if (data->users == NULL && !c2g_cuda_shelf_put_marked (self, data->block))
    return FALSE;

  if (data->users != NULL)
    add_wait (self, data);
  g_free (data);
  c2g_cuda_cache_unref (self);

  return TRUE;
}

/* On an eager shelf a block is behind all its users, its own stream included. On any other shelf it
 * stays in the order of its own stream, which is not a user then. */
static void
return_later (C2gCudaCache *self,
              C2gCudaBlock *block,
              C2gCudaUsers *users)
{
  C2gCudaShelf *shelf = block->owner;
  Return *data = g_new (Return, 1);

  if (users != NULL && shelf->is_eager)
    c2g_cuda_users_expect (users, shelf->stream);
  else if (users != NULL && shelf->stream != NULL)
    c2g_cuda_users_drop (users, shelf->stream);

  data->cache = c2g_cuda_cache_ref (self);
  data->block = block;
  data->users = users;
  c2g_cuda_deferred_run_or_queue (return_block, data);
}

static void
count_return (C2gCudaCache *self,
              C2gCudaBlock *block)
{
  block->is_allocated = FALSE;
  c2g_cuda_cache_note (self, C2G_CUDA_FREE_REQUESTED, block);
  self->statistics.requested_bytes -= block->n_requested;
  self->statistics.allocated_bytes -= block->n_bytes;
  self->statistics.n_allocated--;
}

void
c2g_cuda_cache_give (C2gCudaCache *self,
                     gpointer      address)
{
  C2gCudaBlock *block;
  C2gCudaUsers *users;
  C2gCudaShelf *shelf;
  gboolean is_used, is_free;

  g_mutex_lock (&self->lock);
  block = g_hash_table_lookup (self->blocks, address);
  shelf = block->owner;
  count_return (self, block);
  users = g_steal_pointer (&block->users);
  is_used = users != NULL && c2g_cuda_users_has_others (users, shelf->stream);
  is_free = !is_used && !shelf->is_eager;
  if (G_LIKELY (is_free))
    c2g_cuda_shelf_put (self, block);
  g_mutex_unlock (&self->lock);

  if (!is_used)
    g_clear_pointer (&users, c2g_cuda_users_free);
  if (G_UNLIKELY (!is_free))
    return_later (self, block, users);
}

/* Returns the users of an allocated block. A new list has the block's own stream. The caller holds
 * the lock. */
static C2gCudaUsers *
ensure_users (C2gCudaBlock *block)
{
  C2gCudaShelf *shelf = block->owner;

  if (block->users != NULL)
    return block->users;

  block->users = c2g_cuda_users_new ();
  if (shelf->stream != NULL)
    c2g_cuda_users_expect (block->users, shelf->stream);

  return block->users;
}

static C2gCudaUsers *
get_users (C2gCudaCache *self,
           gpointer      address)
{
  C2gCudaUsers *users;

  g_mutex_lock (&self->lock);
  users = ensure_users (g_hash_table_lookup (self->blocks, address));
  g_mutex_unlock (&self->lock);

  return users;
}

void
c2g_cuda_cache_use (C2gCudaCache  *self,
                    gpointer       address,
                    C2gCudaStream *stream)
{
  c2g_cuda_users_add (get_users (self, address), stream);
}

void
c2g_cuda_cache_expect (C2gCudaCache  *self,
                       gpointer       address,
                       C2gCudaStream *stream)
{
  c2g_cuda_users_expect (get_users (self, address), stream);
}

/* Most blocks are used only by the stream that asks, and need no list. */
static C2gCudaUsers *
find_users (C2gCudaCache  *self,
            gpointer       address,
            C2gCudaStream *stream)
{
  C2gCudaUsers *users;
  C2gCudaBlock *block;
  C2gCudaShelf *shelf;

  g_mutex_lock (&self->lock);
  block = g_hash_table_lookup (self->blocks, address);
  shelf = block->owner;
  users = block->users;
  if (users == NULL && shelf->stream != NULL && !c2g_cuda_stream_equal (shelf->stream, stream))
    users = ensure_users (block);
  g_mutex_unlock (&self->lock);

  return users;
}

gboolean
c2g_cuda_cache_wait_for_uses (C2gCudaCache   *self,
                              gpointer        address,
                              C2gCudaStream  *stream,
                              GError        **error)
{
  C2gCudaUsers *users = find_users (self, address, stream);

  /* Every use by another device comes here before it, such as a copy. */
  if (self->n_room > 0)
    c2g_cuda_expandable_open (self, c2g_cuda_stream_index (stream));

  return users == NULL || c2g_cuda_users_wait (users, stream, error);
}

gboolean
c2g_cuda_cache_finish_uses (C2gCudaCache  *self,
                            gpointer       address,
                            GError       **error)
{
  C2gCudaUsers *users;

  g_mutex_lock (&self->lock);
  users = ((C2gCudaBlock *) g_hash_table_lookup (self->blocks, address))->users;
  g_mutex_unlock (&self->lock);

  return users == NULL || c2g_cuda_users_finish (users, error);
}

gboolean
c2g_cuda_cache_is_gone (C2gCudaCache *self,
                        gpointer      address)
{
  const C2gCudaBlock *block;
  guint epoch;
  int device;

  g_mutex_lock (&self->lock);
  block = g_hash_table_lookup (self->blocks, address);
  device = block->device;
  epoch = block->epoch;
  g_mutex_unlock (&self->lock);

  return c2g_cuda_epoch_find (device) != epoch;
}

gsize
c2g_cuda_cache_trim (C2gCudaCache *self,
                     gsize         keep_bytes)
{
  guint64 n_cached;

  c2g_cuda_deferred_flush ();
  c2g_cuda_cache_settle (self, TRUE);
  c2g_cuda_epoch_find (self->device);
  c2g_cuda_cache_check (self, NULL);

  g_mutex_lock (&self->lock);
  n_cached = self->statistics.reserved_bytes - self->statistics.active_bytes;
  g_mutex_unlock (&self->lock);

  return c2g_cuda_cache_give_back (self, n_cached > keep_bytes ? n_cached - keep_bytes : 0);
}

guint64
c2g_cuda_cache_get_limit (C2gCudaCache *self)
{
  guint64 max_bytes;

  g_mutex_lock (&self->lock);
  max_bytes = self->max_bytes;
  g_mutex_unlock (&self->lock);

  return max_bytes;
}

gboolean
c2g_cuda_cache_set_limit (C2gCudaCache *self,
                          guint64       max_bytes)
{
  gboolean is_other;

  g_mutex_lock (&self->lock);
  is_other = self->max_bytes != max_bytes;
  self->max_bytes = max_bytes;
  g_mutex_unlock (&self->lock);

  return is_other;
}

guint
c2g_cuda_cache_get_history (C2gCudaCache *self)
{
  guint max_entries;

  if (self == NULL)
    return 0;

  g_mutex_lock (&self->lock);
  max_entries = c2g_cuda_history_get_max (self->history);
  g_mutex_unlock (&self->lock);

  return max_entries;
}

gboolean
c2g_cuda_cache_set_history (C2gCudaCache *self,
                            guint         max_entries)
{
  C2gCudaHistory *old = NULL;

  if (self == NULL)
    return FALSE;

  g_mutex_lock (&self->lock);
  if (c2g_cuda_history_get_max (self->history) == max_entries)
    {
      g_mutex_unlock (&self->lock);
      return FALSE;
    }
  old = self->history;
  self->history = c2g_cuda_history_new (max_entries, old);
  g_mutex_unlock (&self->lock);
  c2g_cuda_history_free (old);

  return TRUE;
}

static void
count_free (C2gCudaCache *self,
            C2gCudaShelf *shelf)
{
  self->statistics.n_cached += shelf->bins[0].n_blocks + shelf->bins[1].n_blocks;
}

void
c2g_cuda_cache_get_statistics (C2gCudaCache           *self,
                               C2gCudaCacheStatistics *statistics)
{
  GHashTableIter iter;
  gpointer shelf;

  *statistics = (C2gCudaCacheStatistics) { 0 };
  if (self == NULL)
    return;

  g_mutex_lock (&self->lock);
  self->statistics.n_cached = 0;
  count_free (self, &self->common);
  g_hash_table_iter_init (&iter, self->shelves);
  while (g_hash_table_iter_next (&iter, NULL, &shelf))
    count_free (self, shelf);
  *statistics = self->statistics;
  g_mutex_unlock (&self->lock);
}

gsize
c2g_cuda_cache_count (gpointer cache)
{
  C2gCudaCacheStatistics statistics;

  c2g_cuda_cache_get_statistics (cache, &statistics);

  return statistics.reserved_bytes - statistics.allocated_bytes;
}

void
c2g_cuda_cache_reset_peaks (C2gCudaCache *self)
{
  g_mutex_lock (&self->lock);
  self->statistics.peak_allocated_bytes = self->statistics.allocated_bytes;
  self->statistics.peak_reserved_bytes = self->statistics.reserved_bytes;
  g_mutex_unlock (&self->lock);
}

gpointer
c2g_cuda_cache_finish_take (C2gAllocator  *allocator,
                            gsize          n_bytes,
                            gpointer       block,
                            gboolean       retried,
                            const GError  *failure,
                            GError       **error)
{
  if (G_UNLIKELY (retried))
    g_signal_emit_by_name (allocator, "retried", (guint64) n_bytes);
  if (G_LIKELY (block != NULL))
    return block;

  if (failure == NULL || g_error_matches (failure, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    c2g_allocator_set_no_memory (allocator, n_bytes, failure != NULL ? failure->message : NULL,
                                 error);
  else
    g_propagate_error (error, g_error_copy (failure));

  return NULL;
}
