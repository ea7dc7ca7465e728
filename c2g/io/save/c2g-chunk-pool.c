/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-chunk-pool-private.h>

/* Reuses the buffers of serialized chunks while a file is written. */

/* Limits of the buffers in the pool. malloc() itself reuses smaller blocks. Larger ones come from the
 * system and go back to it each time, unless the pool keeps them. The upper limit bounds that memory. */
#define MIN_BYTES (64u << 10)
#define MAX_BYTES (32u << 20)

struct _C2gChunkPool
{
  gatomicrefcount ref_count;

  GMutex          lock;
  gboolean        is_closed;
  /* Unused buffers, all of the same size. Pages that were never touched take no memory. */
  GPtrArray      *buffers;
  gsize           n_bytes;
};

/* The bytes of a chunk, and the pool that their buffer returns to. */
typedef struct
{
  C2gChunkPool *pool;
  GBytes       *bytes;
} Loan;

C2gChunkPool *
c2g_chunk_pool_new (guint64 n_bytes)
{
  C2gChunkPool *self = g_new0 (C2gChunkPool, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->buffers = g_ptr_array_new_with_free_func (g_free);
  self->n_bytes = MIN (n_bytes, MAX_BYTES);
  return self;
}

static void
unref (C2gChunkPool *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->buffers);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
c2g_chunk_pool_free (C2gChunkPool *self)
{
  g_mutex_lock (&self->lock);
  self->is_closed = TRUE;
  g_ptr_array_set_size (self->buffers, 0);
  g_mutex_unlock (&self->lock);

  unref (self);
}

C2gSink *
c2g_chunk_pool_new_sink (C2gChunkPool  *self,
                         guint64        n_bytes,
                         gconstpointer *buffer)
{
  gpointer data = NULL;

  *buffer = NULL;
  if (n_bytes < MIN_BYTES || n_bytes > self->n_bytes)
    return c2g_sink_new_for_memory (0);

  g_mutex_lock (&self->lock);
  if (self->buffers->len > 0)
    data = g_ptr_array_steal_index_fast (self->buffers, self->buffers->len - 1);
  g_mutex_unlock (&self->lock);

  if (data == NULL)
    data = g_try_malloc (self->n_bytes);
  *buffer = data;
  return c2g_sink_new_for_buffer (data, data != NULL ? self->n_bytes : 0);
}

static void
give_back (gpointer data)
{
  Loan *self = data;
  C2gChunkPool *pool = self->pool;
  gsize n_bytes;
  /* This is the last reference, so no copy is made. */
  gpointer buffer = g_bytes_unref_to_data (self->bytes, &n_bytes);

  g_mutex_lock (&pool->lock);
  if (!pool->is_closed)
    g_ptr_array_add (pool->buffers, g_steal_pointer (&buffer));
  g_mutex_unlock (&pool->lock);

  g_free (buffer);
  unref (pool);
  g_free (self);
}

GBytes *
c2g_chunk_pool_take (C2gChunkPool  *self,
                     C2gSink       *sink,
                     gconstpointer  buffer)
{
  GBytes *bytes = c2g_sink_steal_bytes (sink);
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);
  Loan *loan;

  /* The sink had to grow, so the bytes are not in the pool's buffer. */
  if (data == NULL || data != buffer || n_bytes > self->n_bytes)
    return bytes;

  loan = g_new (Loan, 1);
  g_atomic_ref_count_inc (&self->ref_count);
  loan->pool = self;
  loan->bytes = bytes;
  return g_bytes_new_with_free_func (data, n_bytes, give_back, loan);
}
