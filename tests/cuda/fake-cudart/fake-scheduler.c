/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* Number of pending items in a stream from which adding another one runs steps first. */
#define N_MAX_ITEMS 1024

/* Makes a piece of work of `size` bytes, whose first member is a FakeItem. */
gpointer
fake_item_new (gsize       size,
               FakeStream *stream,
               const char *call)
{
  FakeItem *self = g_malloc0 (size);

  self->stream = stream;
  self->call = call;
  self->n_steps = fake_state.latency;
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fake_block_unref);

  return self;
}

static void
item_free (FakeItem *self)
{
  if (self->clear != NULL)
    self->clear (self);
  fake_clock_clear (&self->clock);
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

static FakeTimeline *
get_timeline (const FakeItem *self)
{
  return &g_array_index (fake_state.timelines, FakeTimeline, self->stream->timeline);
}

/* Puts the work into its stream. fake_item_touch() then adds its accesses. */
void
fake_item_submit (FakeItem *self)
{
  FakeStream *stream = self->stream;

  while (stream->items.length >= N_MAX_ITEMS && fake_scheduler_step (NULL))
    continue;

  fake_stream_order (stream);
  self->count = ++get_timeline (self)->n_given;
  fake_clock_set (&stream->clock, stream->timeline, self->count);
  fake_clock_copy (&self->clock, &stream->clock);
  g_queue_push_tail (&stream->items, self);
}

/* Adds a read or write of bytes of a block. NULL stands for memory that CUDA does not know. */
void
fake_item_touch (FakeItem     *self,
                 FakeBlock    *block,
                 gconstpointer pointer,
                 gsize         n_bytes,
                 gboolean      is_write)
{
  gsize begin;

  if (block == NULL || n_bytes == 0)
    return;

  g_ptr_array_add (self->blocks, fake_block_ref (block));
  begin = (const guint8 *) pointer - block->address;
  fake_check_access (self, block, begin, begin + n_bytes, is_write);
}

/* Called when the work has run. */
void
fake_item_finish (FakeItem *self)
{
  FakeStream *stream = self->stream;

  g_queue_remove (&stream->items, self);
  get_timeline (self)->n_done = self->count;
  fake_state.time++;
  item_free (self);
  fake_wake ();
}

static guint64
get_done (guint timeline)
{
  return g_array_index (fake_state.timelines, FakeTimeline, timeline).n_done;
}

/* Asked for each item in each step, so what is done is looked at once. */
static gboolean
is_runnable (FakeItem        *item,
             const FakeClock *target)
{
  guint timeline = item->stream->timeline;

  if (item->is_running)
    return FALSE;
  if (target != NULL && fake_clock_get (target, timeline) < item->count)
    return FALSE;
  if (item->is_ready != NULL && !item->is_ready (item))
    return FALSE;

  /* On the item's own timeline all earlier work has run: it is the first of its stream. */
  for (; item->n_passed < item->clock.n_counts; item->n_passed++)
    if (item->n_passed != timeline && item->clock.counts[item->n_passed] > get_done (item->n_passed))
      return FALSE;

  return TRUE;
}

static void
open_blocks (FakeItem *item,
             void    (*func) (FakeBlock *))
{
  for (guint i = 0; i < item->blocks->len; i++)
    func (item->blocks->pdata[i]);
}

static void
run (FakeItem *item)
{
  item->is_running = TRUE;
  open_blocks (item, fake_block_open);
  item->run (item);
  open_blocks (item, fake_block_close);
}

/* Runs one step of a random piece of work that is ready; with a target, only of work that the
 * target waits for. Returns FALSE if no work is ready. */
gboolean
fake_scheduler_step (const FakeClock *target)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  FakeItem *item;

  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      item = g_queue_peek_head (&stream->items);
      if (item != NULL && is_runnable (item, target))
        g_ptr_array_add (items, item);
    }
  if (items->len == 0)
    return FALSE;

  item = items->pdata[g_rand_int_range (fake_state.rand, 0, items->len)];
  fake_state.time++;
  if (item->n_steps > 1)
    item->n_steps--;
  else if (item->run_elsewhere != NULL)
    {
      item->is_running = TRUE;
      item->run_elsewhere (item);
    }
  else
    {
      int device = item->stream->device;

      run (item);
      fake_item_finish (item);
      if (fake_state.devices[device].lost != cudaSuccess)
        fake_contexts_drop_work (device);
    }

  return TRUE;
}

/* Makes the host wait. By chance other work runs in the meantime, or does not. */
void
fake_wait (const FakeClock *target)
{
  gboolean is_lazy = g_rand_boolean (fake_state.rand);
  FakeClock copy = { 0 };

  fake_clock_copy (&copy, target);
  while (!fake_clock_is_done (&copy))
    if (!fake_scheduler_step (is_lazy ? &copy : NULL))
      fake_sleep ();

  fake_clock_join (&fake_state.host, &copy);
  fake_clock_clear (&copy);
}

/* Returns TRUE if the work has run, which the host then knows. Otherwise runs one step. */
gboolean
fake_query (const FakeClock *target)
{
  if (!fake_clock_is_done (target))
    {
      fake_scheduler_step (NULL);
      return FALSE;
    }

  fake_clock_join (&fake_state.host, target);
  return TRUE;
}

/* Waits for all work of a context; with NULL of all contexts. */
void
fake_wait_for_context (const FakeContext *context)
{
  FakeClock target = { 0 };

  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if ((context == NULL || stream->context == context) && stream->capture == NULL)
        fake_clock_join (&target, &stream->clock);
    }

  fake_wait (&target);
  fake_clock_clear (&target);
}

/* Runs all work that can run, without any wait of the host. */
void
fake_wait_for_all (void)
{
  while (fake_scheduler_step (NULL))
    continue;
}

/* The work of a lost device is over, as all its calls tell. */
static void
drop_item (FakeItem *item,
           gboolean  is_device_lost)
{
  FakeStream *stream = item->stream;

  get_timeline (item)->n_done = item->count;
  if (is_device_lost)
    fake_clock_set (&fake_state.host, stream->timeline, item->count);
  g_queue_remove (&stream->items, item);
  if (is_device_lost && item->drop != NULL)
    item->drop (item);
  item_free (item);
}

/* Returns TRUE if some of the work runs in another thread, so that the work behind it has to
 * wait. */
static gboolean
drop_items (const FakeContext *context)
{
  gboolean is_running = FALSE;

  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];
      FakeItem *item;

      if (context != NULL && stream->context != context)
        continue;
      while ((item = g_queue_peek_head (&stream->items)) != NULL && !item->is_running)
        drop_item (item, context != NULL && fake_state.devices[stream->device].lost != cudaSuccess);
      is_running |= item != NULL;
    }

  fake_wake ();
  return is_running;
}

/* Drops all pending work of a context; with NULL of all contexts. Work in other threads is waited
 * for. */
void
fake_drop_work (const FakeContext *context)
{
  while (drop_items (context))
    fake_sleep ();
}
