/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-shelf-private.h>

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

/* The free blocks of each stream in the cache, and the check which of them no stream uses any more. */

/* The state of a thread that checks what a shelf's stream is done with. */
typedef struct
{
  C2gCudaShelf *shelf;
  C2gCudaPoint *point;
  guint64       n_point;
  /* The last release when the visit began, and the last one that the stream is done with. */
  guint64       n_latest;
  guint64       n_done;
} Visit;

static C2gCudaShelf *
add_shelf (C2gCudaCache  *self,
           C2gCudaStream *stream)
{
  C2gCudaShelf *shelf = g_new0 (C2gCudaShelf, 1);

  shelf->stream = g_object_ref (stream);
  shelf->is_eager = c2g_cuda_stream_is_foreign (stream) && !c2g_cuda_stream_is_default (stream);
  g_hash_table_insert (self->shelves, stream, shelf);

  return shelf;
}

C2gCudaShelf *
c2g_cuda_shelf_find (C2gCudaCache  *self,
                     C2gCudaStream *stream)
{
  C2gCudaShelf *shelf = self->last;

  if (stream == NULL)
    return &self->common;
  if (shelf != NULL && shelf->stream == stream)
    return shelf;

  shelf = g_hash_table_lookup (self->shelves, stream);
  if (shelf == NULL)
    shelf = add_shelf (self, stream);
  self->last = shelf;

  return shelf;
}

static void
shelf_free (C2gCudaShelf *self)
{
  g_clear_pointer (&self->point, c2g_cuda_point_unref);
  g_object_unref (self->stream);
  g_free (self);
}

static void
put (C2gCudaCache *self,
     C2gCudaBlock *block)
{
  C2gCudaShelf *shelf = block->owner;
  C2gCudaBins *bins = &shelf->bins[block->is_small];

  c2g_cuda_cache_note (self, C2G_CUDA_FREE_COMPLETED, block);
  shelf->n_holders--;
  self->statistics.n_active--;
  self->statistics.active_bytes -= block->n_bytes;
  if (G_UNLIKELY (c2g_cuda_block_is_gone (block)))
    {
      c2g_cuda_cache_drop (self, block);
      return;
    }

  c2g_cuda_bins_put (bins, block);
  bins->is_split = TRUE;
}

void
c2g_cuda_shelf_put (C2gCudaCache *self,
                    C2gCudaBlock *block)
{
  block->n_release = ++self->n_releases;
  put (self, block);
}

static void
forget_block (C2gCudaBlock *block,
              gpointer      user_data)
{
  C2gCudaCache *self = user_data;

  g_hash_table_remove (self->blocks, block->address);
  g_free (block);
}

void
c2g_cuda_shelf_join (C2gCudaCache *self,
                     C2gCudaShelf *shelf)
{
  c2g_cuda_bins_join (&shelf->bins[0], forget_block, self);
  c2g_cuda_bins_join (&shelf->bins[1], forget_block, self);
}

static void
swap_point (C2gCudaShelf  *shelf,
            C2gCudaPoint **point,
            guint64        n_point)
{
  C2gCudaPoint *old = shelf->point;

  if (old != NULL && shelf->n_point > n_point)
    return;

  shelf->point = *point;
  shelf->n_point = n_point;
  *point = old;
}

static void
make_common (C2gCudaCache *self,
             C2gCudaBlock *block)
{
  C2gCudaShelf *shelf = block->owner;

  shelf->n_holders--;
  self->common.n_holders++;
  block->owner = &self->common;
}

/* The number is taken before the event is recorded: blocks with lower numbers were used before the
 * event. */
gboolean
c2g_cuda_shelf_put_marked (C2gCudaCache *self,
                           C2gCudaBlock *block)
{
  C2gCudaShelf *shelf = block->owner;
  C2gCudaPoint *point;

  g_mutex_lock (&self->lock);
  block->n_release = ++self->n_releases;
  g_mutex_unlock (&self->lock);

  if (!c2g_cuda_point_new (shelf->stream, &point))
    return FALSE;

  g_mutex_lock (&self->lock);
  if (point != NULL)
    swap_point (shelf, &point, block->n_release);
  else
    make_common (self, block);
  put (self, block);
  g_mutex_unlock (&self->lock);

  g_clear_pointer (&point, c2g_cuda_point_unref);

  return TRUE;
}

/* Without a point there is nothing to wait for. */
static gboolean
has_passed (C2gCudaPoint *point,
            gboolean      wait,
            gboolean     *permitted)
{
  return point == NULL || c2g_cuda_point_has_passed (point, wait, permitted);
}

static void
begin_visit (C2gCudaCache *self,
             C2gCudaShelf *shelf,
             GArray       *visits)
{
  Visit visit = {
    .shelf = shelf,
    .point = shelf->point,
    .n_point = shelf->n_point,
    .n_latest = self->n_releases,
  };

  shelf->point = NULL;
  shelf->n_holders++;
  g_array_append_val (visits, visit);
}

static GArray *
begin_visits (C2gCudaCache *self)
{
  GArray *visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  GHashTableIter iter;
  gpointer value;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->shelves);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      C2gCudaShelf *shelf = value;

      if (shelf->bins[0].n_blocks + shelf->bins[1].n_blocks > 0)
        begin_visit (self, shelf, visits);
    }
  g_mutex_unlock (&self->lock);

  return visits;
}

/* Records an event after everything that was released so far. An eager shelf already has that. */
static gboolean
renew_point (Visit *visit)
{
  if (visit->shelf->is_eager)
    return TRUE;

  g_clear_pointer (&visit->point, c2g_cuda_point_unref);
  visit->n_point = visit->n_latest;

  return c2g_cuda_point_new (visit->shelf->stream, &visit->point);
}

/* Returns TRUE if the stream is idle. Recording an event takes time even then. */
static gboolean
is_idle (const Visit *visit)
{
  cudaError_t result;

  if (visit->shelf->is_eager)
    return FALSE;

  result = C2G_CUDA_ON_DEVICE (c2g_cuda_stream_find_index (visit->shelf->stream),
                               C2G_CUDA_RELAXED (
                                 cudaStreamQuery (c2g_cuda_stream_peek_own (visit->shelf->stream))));
  c2g_cuda_deferred_try (result);

  return result == cudaSuccess;
}

static gboolean
visit_shelf (Visit    *visit,
             gboolean  wait)
{
  gboolean permitted = TRUE;

  /* Another thread has the event. */
  if (visit->shelf->is_eager && visit->point == NULL)
    return TRUE;
  if (is_idle (visit))
    {
      visit->n_done = visit->n_latest;
      g_clear_pointer (&visit->point, c2g_cuda_point_unref);
      return TRUE;
    }
  if ((visit->point == NULL || wait) && !renew_point (visit))
    return FALSE;
  if (!has_passed (visit->point, wait, &permitted))
    return permitted;

  visit->n_done = visit->n_point;
  if (visit->n_done == visit->n_latest || visit->shelf->is_eager)
    g_clear_pointer (&visit->point, c2g_cuda_point_unref);
  else if (!renew_point (visit))
    return FALSE;
  else if (has_passed (visit->point, FALSE, &permitted))
    {
      visit->n_done = visit->n_point;
      g_clear_pointer (&visit->point, c2g_cuda_point_unref);
    }

  return permitted;
}

/* Moves the blocks that the stream is done with to the common shelf. */
static void
move_done (C2gCudaCache *self,
           Visit        *visit,
           guint         kind)
{
  C2gCudaBins *from = &visit->shelf->bins[kind];
  C2gCudaBins *to = &self->common.bins[kind];
  C2gCudaBlock *next;

  for (C2gCudaBlock *block = c2g_cuda_bins_empty (from); block != NULL; block = next)
    {
      gboolean is_done = block->n_release <= visit->n_done;

      next = block->older;
      if (is_done)
        block->owner = &self->common;
      c2g_cuda_bins_put (is_done ? to : from, block);
    }
  to->is_split = TRUE;
}

static void
end_visit (C2gCudaCache *self,
           Visit        *visit)
{
  if (visit->n_done > 0)
    {
      move_done (self, visit, 0);
      move_done (self, visit, 1);
    }
  if (visit->point != NULL)
    swap_point (visit->shelf, &visit->point, visit->n_point);
  visit->shelf->n_holders--;
}

static gboolean
is_unused (gpointer key,
           gpointer value,
           gpointer user_data)
{
  C2gCudaShelf *shelf = value;

  if (shelf->n_holders + shelf->bins[0].n_blocks + shelf->bins[1].n_blocks > 0)
    return FALSE;

  g_ptr_array_add (user_data, shelf);
  return TRUE;
}

/* Shelves hold references to their streams, so they are freed without the lock. */
static void
end_visits (C2gCudaCache *self,
            GArray       *visits)
{
  g_autoptr (GPtrArray) unused = g_ptr_array_new_with_free_func ((GDestroyNotify) shelf_free);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < visits->len; i++)
    end_visit (self, &g_array_index (visits, Visit, i));
  if (g_hash_table_foreach_steal (self->shelves, is_unused, unused) > 0)
    self->last = NULL;
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < visits->len; i++)
    g_clear_pointer (&g_array_index (visits, Visit, i).point, c2g_cuda_point_unref);
}

/* Frees the users if all of them are done. */
static gboolean
settle_wait (C2gCudaWait *wait,
             gboolean     may_wait)
{
  gboolean permitted;

  if (c2g_cuda_users_settle (wait->users, may_wait, &permitted))
    g_clear_pointer (&wait->users, c2g_cuda_users_free);

  return permitted;
}

/* On an eager shelf the block's own stream was one of the users, so nothing uses the block now. */
static void
end_wait (C2gCudaCache *self,
          C2gCudaWait  *wait)
{
  C2gCudaShelf *shelf = wait->block->owner;

  if (shelf->is_eager)
    make_common (self, wait->block);
  c2g_cuda_shelf_put (self, wait->block);
  g_free (wait);
}

static gboolean
settle_waits (C2gCudaCache *self,
              gboolean      may_wait)
{
  g_autoptr (GPtrArray) waits = NULL;
  gboolean permitted = TRUE;

  g_mutex_lock (&self->lock);
  waits = g_steal_pointer (&self->waits);
  self->waits = g_ptr_array_new ();
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < waits->len && permitted; i++)
    permitted = settle_wait (g_ptr_array_index (waits, i), may_wait);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < waits->len; i++)
    {
      C2gCudaWait *wait = g_ptr_array_index (waits, i);

      if (wait->users == NULL)
        end_wait (self, wait);
      else
        g_ptr_array_add (self->waits, wait);
    }
  g_mutex_unlock (&self->lock);

  return permitted;
}

gboolean
c2g_cuda_cache_settle (C2gCudaCache *self,
                       gboolean      wait)
{
  gboolean permitted = settle_waits (self, wait);
  GArray *visits = begin_visits (self);

  for (guint i = 0; i < visits->len && permitted; i++)
    permitted = visit_shelf (&g_array_index (visits, Visit, i), wait);

  end_visits (self, visits);
  g_array_unref (visits);

  return permitted;
}
