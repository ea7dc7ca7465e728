/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-shelf-private.h>

#include <c2g/cuda/c2g-cuda-deferred-private.h>
#include <c2g/cuda/c2g-cuda-event-pool-private.h>
#include <c2g/cuda/c2g-cuda-guard-private.h>
#include <c2g/cuda/c2g-cuda-stream-private.h>

/* What a thread knows that looks after a shelf. */
typedef struct
{
  C2gCudaShelf *shelf;
  C2gCudaMark   mark;
  guint64       n_mark;
  /* The latest release when it began, and the latest one that the stream is done with. */
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
  c2g_cuda_event_pool_give (&self->mark);
  g_object_unref (self->stream);
  g_free (self);
}

static void
put (C2gCudaCache *self,
     C2gCudaBlock *block)
{
  C2gCudaShelf *shelf = block->owner;
  C2gCudaBins *bins = &shelf->bins[block->is_small];

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

/* Success without an event means that everything is done. */
static gboolean
record_mark (C2gCudaStream *stream,
             C2gCudaMark   *mark)
{
  int index = c2g_cuda_stream_find_index (stream);

  return c2g_cuda_event_pool_record (index, c2g_cuda_stream_peek (stream), mark, NULL) ||
         c2g_cuda_deferred_wait_for_stream (index, c2g_cuda_stream_peek (stream));
}

/* Work that failed is over, too. */
static gboolean
has_passed (const C2gCudaMark *mark,
            gboolean           wait,
            gboolean          *permitted)
{
  cudaError_t result;

  if (mark->event == NULL)
    return TRUE;

  c2g_cuda_epoch_find (mark->device);
  result = C2G_CUDA_ON_DEVICE (c2g_cuda_mark_index (mark),
                               C2G_CUDA_RELAXED (wait ? cudaEventSynchronize (mark->event)
                                                      : cudaEventQuery (mark->event)));
  *permitted = c2g_cuda_deferred_try (result);

  return *permitted && result != cudaErrorNotReady;
}

gboolean
c2g_cuda_wait_for_users (GArray    *marks,
                         GPtrArray *users)
{
  while (users->len > 0)
    {
      C2gCudaMark mark;

      if (!record_mark (g_ptr_array_index (users, users->len - 1), &mark))
        return FALSE;

      if (mark.event != NULL)
        g_array_append_val (marks, mark);
      g_ptr_array_set_size (users, users->len - 1);
    }

  return TRUE;
}

static void
swap_mark (C2gCudaShelf *shelf,
           C2gCudaMark  *mark,
           guint64       n_mark)
{
  C2gCudaMark old = shelf->mark;

  if (old.event != NULL && shelf->n_mark > n_mark)
    return;

  shelf->mark = *mark;
  shelf->n_mark = n_mark;
  *mark = old;
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

/* The number comes before the event: what has a lower one was used before it. */
gboolean
c2g_cuda_shelf_put_marked (C2gCudaCache *self,
                           C2gCudaBlock *block)
{
  C2gCudaShelf *shelf = block->owner;
  C2gCudaMark mark;

  g_mutex_lock (&self->lock);
  block->n_release = ++self->n_releases;
  g_mutex_unlock (&self->lock);

  if (!record_mark (shelf->stream, &mark))
    return FALSE;

  g_mutex_lock (&self->lock);
  if (mark.event != NULL)
    swap_mark (shelf, &mark, block->n_release);
  else
    make_common (self, block);
  put (self, block);
  g_mutex_unlock (&self->lock);

  c2g_cuda_event_pool_give (&mark);

  return TRUE;
}

static void
begin_visit (C2gCudaCache *self,
             C2gCudaShelf *shelf,
             GArray       *visits)
{
  Visit visit = {
    .shelf = shelf,
    .mark = shelf->mark,
    .n_mark = shelf->n_mark,
    .n_latest = self->n_releases,
  };

  shelf->mark.event = NULL;
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

/* An event behind everything that was released so far; an eager shelf has one that is. */
static gboolean
renew_mark (Visit *visit)
{
  if (visit->shelf->is_eager)
    return TRUE;

  c2g_cuda_event_pool_give (&visit->mark);
  visit->n_mark = visit->n_latest;

  return record_mark (visit->shelf->stream, &visit->mark);
}

/* To record an event takes time even on an idle stream. */
static gboolean
is_idle (const Visit *visit)
{
  cudaError_t result;

  if (visit->shelf->is_eager)
    return FALSE;

  result = C2G_CUDA_ON_DEVICE (c2g_cuda_stream_find_index (visit->shelf->stream),
                               C2G_CUDA_RELAXED (
                                 cudaStreamQuery (c2g_cuda_stream_peek (visit->shelf->stream))));
  c2g_cuda_deferred_try (result);

  return result == cudaSuccess;
}

static gboolean
visit_shelf (Visit    *visit,
             gboolean  wait)
{
  gboolean permitted = TRUE;

  /* Another thread has the event. */
  if (visit->shelf->is_eager && visit->mark.event == NULL)
    return TRUE;
  if (is_idle (visit))
    {
      visit->n_done = visit->n_latest;
      c2g_cuda_event_pool_give (&visit->mark);
      return TRUE;
    }
  if ((visit->mark.event == NULL || wait) && !renew_mark (visit))
    return FALSE;
  if (!has_passed (&visit->mark, wait, &permitted))
    return permitted;

  visit->n_done = visit->n_mark;
  if (visit->n_done == visit->n_latest || visit->shelf->is_eager)
    c2g_cuda_event_pool_give (&visit->mark);
  else if (!renew_mark (visit))
    return FALSE;
  else if (has_passed (&visit->mark, FALSE, &permitted))
    {
      visit->n_done = visit->n_mark;
      c2g_cuda_event_pool_give (&visit->mark);
    }

  return permitted;
}

/* What the stream is done with belongs to all. */
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
  if (visit->mark.event != NULL)
    swap_mark (visit->shelf, &visit->mark, visit->n_mark);
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

/* With the shelf goes a reference to the stream. */
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
    c2g_cuda_event_pool_give (&g_array_index (visits, Visit, i).mark);
}

static gboolean
settle_wait (C2gCudaWait *wait,
             gboolean     may_wait)
{
  gboolean permitted = TRUE;

  while (wait->marks->len > 0)
    {
      C2gCudaMark *mark = &g_array_index (wait->marks, C2gCudaMark, wait->marks->len - 1);

      if (!has_passed (mark, may_wait, &permitted))
        return permitted;

      c2g_cuda_event_pool_give (mark);
      g_array_set_size (wait->marks, wait->marks->len - 1);
    }

  return TRUE;
}

/* What was used on an eager shelf's stream has waited for that, too. */
static void
end_wait (C2gCudaCache *self,
          C2gCudaWait  *wait)
{
  C2gCudaShelf *shelf = wait->block->owner;

  if (shelf->is_eager)
    make_common (self, wait->block);
  c2g_cuda_shelf_put (self, wait->block);
  g_array_unref (wait->marks);
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

      if (wait->marks->len == 0)
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
