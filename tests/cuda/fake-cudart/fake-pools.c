/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-pool-private.h"

#define CHUNK_BYTES ((gsize) 2 << 20)
#define ALIGNMENT   512
/* The timeline of ranges that no work has to finish with. */
#define NO_TIMELINE G_MAXUINT

/* A part of a chunk. A free range may be used after the work that freed it. */
typedef struct
{
  gsize    begin;
  gsize    n_bytes;
  gboolean is_used;
  guint    timeline;
  guint64  count;
} Range;

/* Memory that a pool got from the device. The ranges cover all of it, in order. */
typedef struct
{
  FakeMapping *mapping;
  gsize        n_bytes;
  GPtrArray   *ranges;
} Chunk;

/* The work of an allocation, which fills the block, or of a free, on a stream. */
typedef struct
{
  FakeItem   item;
  FakeBlock *block;
} Change;

/* Ranges and chunks */

static Range *
range_new (gsize begin,
           gsize n_bytes)
{
  Range *self = g_new0 (Range, 1);

  self->begin = begin;
  self->n_bytes = n_bytes;
  self->timeline = NO_TIMELINE;

  return self;
}

static gboolean
is_before (const Range     *range,
           const FakeClock *clock)
{
  return range->timeline == NO_TIMELINE || range->count <= fake_clock_get (clock, range->timeline);
}

static gboolean
is_done (const Range *range)
{
  return range->timeline == NO_TIMELINE ||
         range->count <= g_array_index (fake_state.timelines, FakeTimeline, range->timeline).n_done;
}

static void
chunk_free (gpointer data)
{
  Chunk *self = data;

  fake_mapping_unref (self->mapping);
  g_ptr_array_unref (self->ranges);
  g_free (self);
}

/* Free neighbours are merged if nobody then has to wait longer. */
static gboolean
can_merge (const Range *a,
           const Range *b)
{
  if (a->is_used || b->is_used)
    return FALSE;

  return a->timeline == b->timeline || (is_done (a) && is_done (b));
}

static void
merge_ranges (Chunk *chunk)
{
  for (guint i = 1; i < chunk->ranges->len; i++)
    {
      Range *a = chunk->ranges->pdata[i - 1], *b = chunk->ranges->pdata[i];

      if (!can_merge (a, b))
        continue;
      if (a->timeline != b->timeline)
        a->timeline = NO_TIMELINE;
      a->count = MAX (a->count, b->count);
      a->n_bytes += b->n_bytes;
      g_ptr_array_remove_index (chunk->ranges, i--);
    }
}

/* Returns TRUE if the host knows that nothing in the chunk is in use. */
static gboolean
is_releasable (Chunk *chunk)
{
  for (guint i = 0; i < chunk->ranges->len; i++)
    {
      Range *range = chunk->ranges->pdata[i];

      if (range->is_used || !is_before (range, &fake_state.host))
        return FALSE;
    }
  return TRUE;
}

/* Pools */

FakePool *
fake_pool_new (int      device,
               gboolean is_default)
{
  FakePool *self = g_new0 (FakePool, 1);

  self->id = ++fake_state.n_handles;
  self->device = device;
  self->is_default = is_default;
  self->is_following_events = self->is_opportunistic = self->is_adding_dependencies = TRUE;
  self->chunks = g_ptr_array_new_with_free_func (chunk_free);
  self->access[device] = cudaMemAccessFlagsProtReadWrite;
  g_hash_table_insert (fake_state.pools, &self->id, self);

  return self;
}

static void
remove_chunk (FakePool *pool,
              guint     i)
{
  Chunk *chunk = pool->chunks->pdata[i];

  pool->n_reserved -= chunk->n_bytes;
  fake_device_give (pool->device, chunk->n_bytes);
  g_ptr_array_remove_index_fast (pool->chunks, i);
}

static void
pool_free (FakePool *self)
{
  while (self->chunks->len > 0)
    remove_chunk (self, self->chunks->len - 1);
  g_ptr_array_unref (self->chunks);
  g_hash_table_remove (fake_state.pools, &self->id);
  g_free (self);
}

void
fake_pool_trim (FakePool *self,
                guint64   n_bytes)
{
  for (guint i = self->chunks->len; i > 0 && self->n_reserved > n_bytes; i--)
    {
      Chunk *chunk = self->chunks->pdata[i - 1];

      if (self->n_reserved - chunk->n_bytes >= n_bytes && is_releasable (chunk))
        remove_chunk (self, i - 1);
    }
}

/* Unlike trimming, it may leave less than n_bytes. */
static void
release (FakePool *self,
         guint64   n_bytes)
{
  for (guint i = self->chunks->len; i > 0 && self->n_reserved > n_bytes; i--)
    if (is_releasable (self->chunks->pdata[i - 1]))
      remove_chunk (self, i - 1);
}

static GPtrArray *
list_pools (void)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer pool;

  g_hash_table_iter_init (&iter, fake_state.pools);
  while (g_hash_table_iter_next (&iter, NULL, &pool))
    g_ptr_array_add (list, pool);

  return list;
}

/* When the host waits, pools give back what exceeds their release threshold. */
void
fake_pools_release (void)
{
  g_autoptr (GPtrArray) pools = list_pools ();

  for (guint i = 0; i < pools->len; i++)
    {
      FakePool *pool = pools->pdata[i];

      release (pool, pool->threshold);
      if (pool->is_destroyed && pool->chunks->len == 0)
        pool_free (pool);
    }
}

/* Frees memory that pools cache, for another allocation. */
void
fake_pools_release_for (int device)
{
  g_autoptr (GPtrArray) pools = list_pools ();

  for (guint i = 0; i < pools->len; i++)
    {
      FakePool *pool = pools->pdata[i];

      if (pool->device == device)
        fake_pool_trim (pool, 0);
    }
}

/* Ends all pools. */
void
fake_pools_reset (void)
{
  g_autoptr (GPtrArray) pools = list_pools ();

  for (guint i = 0; i < pools->len; i++)
    {
      FakePool *pool = pools->pdata[i];

      fake_state.devices[pool->device].default_pool = NULL;
      fake_state.devices[pool->device].pool = NULL;
      fake_handle_die (pool->id);
      pool_free (pool);
    }
}

gboolean
fake_pool_can_access (FakePool *self,
                      int       device)
{
  return self->access[device] != cudaMemAccessFlagsProtNone;
}

guint
fake_pools_check_leaks (void)
{
  g_autoptr (GPtrArray) pools = list_pools ();
  guint n = 0;

  for (guint i = 0; i < pools->len; i++)
    {
      FakePool *pool = pools->pdata[i];

      if (pool->is_default || pool->is_destroyed)
        continue;
      fake_fault ("leak: pool %" G_GUINT64_FORMAT " was never destroyed", pool->id);
      n++;
    }
  return n;
}

FakePool *
fake_pool_get_default (int device)
{
  FakeDevice *owner = &fake_state.devices[device];

  if (owner->default_pool == NULL)
    owner->default_pool = fake_pool_new (device, TRUE);
  return owner->default_pool;
}

FakePool *
fake_pool_get (int device)
{
  FakePool *pool = fake_state.devices[device].pool;

  return pool != NULL ? pool : fake_pool_get_default (device);
}

cudaError_t
fake_pool_find (cudaMemPool_t handle,
                FakePool    **pool)
{
  guint64 id = fake_handle_id (handle);

  *pool = g_hash_table_lookup (fake_state.pools, &id);
  if (*pool == NULL || (*pool)->is_destroyed)
    {
      fake_check_handle (id, "pool");
      return cudaErrorInvalidValue;
    }

  return cudaSuccess;
}

/* Allocation */

typedef enum
{
  REUSE_ORDERED,
  REUSE_DONE,
  REUSE_WAIT,
  REUSE_LAST,
} Reuse;

/* The three ways in which CUDA reuses memory, the best first. */
static gboolean
can_reuse (FakePool    *pool,
           const Range *range,
           FakeStream  *stream,
           Reuse        reuse)
{
  switch (reuse)
    {
    case REUSE_ORDERED:
      return is_before (range, &stream->clock) &&
             (range->timeline == stream->timeline || pool->is_following_events ||
              is_before (range, &fake_state.host));
    case REUSE_DONE:
      return pool->is_opportunistic && is_done (range);
    default:
      return pool->is_adding_dependencies;
    }
}

static Range *
find_in_chunk (FakePool   *pool,
               Chunk      *chunk,
               gsize       n_bytes,
               FakeStream *stream,
               Reuse       reuse)
{
  for (guint i = 0; i < chunk->ranges->len; i++)
    {
      Range *range = chunk->ranges->pdata[i];

      if (range->is_used || range->n_bytes < n_bytes || !can_reuse (pool, range, stream, reuse))
        continue;
      if (range->n_bytes > n_bytes)
        {
          Range *rest = range_new (range->begin + n_bytes, range->n_bytes - n_bytes);

          rest->timeline = range->timeline;
          rest->count = range->count;
          range->n_bytes = n_bytes;
          g_ptr_array_insert (chunk->ranges, i + 1, rest);
        }
      return range;
    }

  return NULL;
}

static Range *
find_range (FakePool   *pool,
            gsize       n_bytes,
            FakeStream *stream,
            Chunk     **chunk)
{
  for (Reuse reuse = REUSE_ORDERED; reuse < REUSE_LAST; reuse++)
    for (guint i = 0; i < pool->chunks->len; i++)
      {
        Range *range;

        *chunk = pool->chunks->pdata[i];
        merge_ranges (*chunk);
        range = find_in_chunk (pool, *chunk, n_bytes, stream, reuse);
        if (range != NULL)
          return range;
      }

  return NULL;
}

/* Returns FALSE if the device has too little memory. */
static gboolean
add_chunk (FakePool *pool,
           gsize     n_bytes)
{
  FakeMapping *mapping;
  Chunk *chunk;

  if (pool->n_bytes_max > 0 && pool->n_reserved + n_bytes > pool->n_bytes_max)
    return FALSE;
  if (fake_device_take (pool->device, n_bytes) != cudaSuccess)
    return FALSE;
  mapping = fake_mapping_new (n_bytes, TRUE);
  if (mapping == NULL)
    {
      fake_device_give (pool->device, n_bytes);
      return FALSE;
    }

  chunk = g_new0 (Chunk, 1);
  chunk->mapping = mapping;
  chunk->n_bytes = n_bytes;
  chunk->ranges = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (chunk->ranges, range_new (0, n_bytes));
  g_ptr_array_add (pool->chunks, chunk);
  pool->n_reserved += n_bytes;
  pool->n_reserved_high = MAX (pool->n_reserved_high, pool->n_reserved);

  return TRUE;
}

static gboolean
grow (FakePool *pool,
      gsize     n_bytes)
{
  gsize n_chunk_bytes = (n_bytes + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;

  return add_chunk (pool, n_chunk_bytes) || add_chunk (pool, n_bytes);
}

static void
run_allocation (FakeItem *item)
{
  fake_block_fill (((Change *) item)->block);
}

static void
clear_change (FakeItem *item)
{
  fake_block_unref (((Change *) item)->block);
}

/* Submits work that accesses the whole block. */
static FakeItem *
submit_change (FakeBlock  *block,
               FakeStream *stream,
               void      (*run) (FakeItem *item))
{
  Change *change = fake_item_new (sizeof (Change), stream, fake_state.call);

  change->item.run = run;
  change->item.clear = clear_change;
  change->block = fake_block_ref (block);
  fake_item_submit (&change->item);
  fake_item_touch (&change->item, block, block->address, block->n_bytes, TRUE);

  return &change->item;
}

static cudaError_t
allocate_from (gpointer   *pointer,
               gsize       n_bytes,
               FakePool   *pool,
               FakeStream *stream)
{
  gsize n_range_bytes = (n_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  FakeBlock *block;
  Chunk *chunk;
  Range *range;

  fake_stream_order (stream);
  range = find_range (pool, n_range_bytes, stream, &chunk);
  if (range == NULL && grow (pool, n_range_bytes))
    range = find_range (pool, n_range_bytes, stream, &chunk);
  if (range == NULL)
    return cudaErrorMemoryAllocation;

  range->is_used = TRUE;
  if (!is_before (range, &stream->clock))
    fake_clock_set (&stream->clock, range->timeline, range->count);
  pool->n_used += range->n_bytes;
  pool->n_used_high = MAX (pool->n_used_high, pool->n_used);

  block = fake_block_add (FAKE_BLOCK_POOL, pool->device, fake_mapping_ref (chunk->mapping),
                          chunk->mapping->address + range->begin, n_bytes, fake_state.call);
  block->pool = pool;
  submit_change (block, stream, run_allocation);
  *pointer = block->address;

  return cudaSuccess;
}

static cudaError_t
allocate (gpointer     *pointer,
          gsize         n_bytes,
          FakePool     *pool,
          cudaStream_t  handle)
{
  FakeStream *stream;
  cudaError_t error = fake_stream_find (handle, &stream);

  if (error != cudaSuccess)
    return error;
  if (pointer == NULL)
    return cudaErrorInvalidValue;
  *pointer = NULL;
  if (stream->capture != NULL)
    return fake_stream_break_capture (stream);
  if (n_bytes == 0)
    return cudaSuccess;
  if (n_bytes > G_MAXSSIZE)
    return cudaErrorMemoryAllocation;
  if (pool == NULL)
    pool = fake_pool_get (stream->device);

  return allocate_from (pointer, n_bytes, pool, stream);
}

cudaError_t
cudaMallocAsync (void       **pointer,
                 size_t       n_bytes,
                 cudaStream_t stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = allocate (pointer, n_bytes, NULL, stream);
  return fake_leave (error);
}

cudaError_t
cudaMallocFromPoolAsync (void        **pointer,
                         size_t        n_bytes,
                         cudaMemPool_t handle,
                         cudaStream_t  stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess)
    error = allocate (pointer, n_bytes, pool, stream);
  return fake_leave (error);
}

/* Freeing */

static Range *
find_range_of (FakeBlock *block)
{
  for (guint i = 0; i < block->pool->chunks->len; i++)
    {
      Chunk *chunk = block->pool->chunks->pdata[i];

      if (chunk->mapping != block->mapping)
        continue;
      for (guint k = 0; k < chunk->ranges->len; k++)
        {
          Range *range = chunk->ranges->pdata[k];

          if (chunk->mapping->address + range->begin == block->address)
            return range;
        }
    }

  g_assert_not_reached ();
}

/* Frees a block's range, to be used after count pieces of work of the timeline; at once with
 * G_MAXUINT. */
void
fake_pool_take_back (FakeBlock *block,
                     guint      timeline,
                     guint64    count)
{
  Range *range = find_range_of (block);

  range->is_used = FALSE;
  range->timeline = timeline;
  range->count = count;
  block->pool->n_used -= range->n_bytes;
  fake_block_remove (block, fake_state.call);
}

static void
run_nothing (FakeItem *item)
{
}

/* Memory of cudaMalloc() is freed when the stream has done its work. */
static void
wait_and_free (FakeBlock  *block,
               FakeStream *stream)
{
  const char *call = fake_state.call;

  fake_block_ref (block);
  fake_wait (&stream->clock);
  if (block->freed_by == NULL)
    {
      fake_device_give (block->device, block->n_bytes);
      fake_block_remove (block, call);
    }
  fake_block_unref (block);
}

static cudaError_t
free_block (gpointer     pointer,
            cudaStream_t handle)
{
  FakeStream *stream;
  FakeBlock *block;
  FakeItem *item;
  cudaError_t error = fake_stream_find (handle, &stream);

  if (error != cudaSuccess)
    return error;
  if (pointer == NULL)
    return cudaErrorInvalidValue;
  block = fake_block_find_start (pointer, FAKE_BLOCK_POOL, FAKE_BLOCK_DEVICE);
  if (block == NULL)
    return cudaErrorInvalidValue;
  if (stream->capture != NULL)
    return fake_stream_break_capture (stream);

  item = submit_change (block, stream, run_nothing);
  if (block->kind == FAKE_BLOCK_POOL)
    fake_pool_take_back (block, stream->timeline, item->count);
  else
    wait_and_free (block, stream);

  return cudaSuccess;
}

cudaError_t
cudaFreeAsync (void        *pointer,
               cudaStream_t stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = free_block (pointer, stream);
  return fake_leave (error);
}
