/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-chunk-queue-private.h>

/* Serializes chunks in several threads ahead of the one that writes them. Saving a database uses
 * it.
 *
 * All chunks of all items form one sequence. A window of it, from the chunk taken last, has a
 * slot for each chunk, and workers claim these in order. The consumer itself makes a chunk that
 * no worker has claimed or may make, so that it works with any number of threads, also with
 * none. */

typedef enum
{
  /* Not made by a worker: the consumer makes it. */
  LEFT,
  IN_WORK,
  MADE,
} ChunkState;

typedef struct
{
  ChunkState  state;
  guint       item;
  guint       chunk;

  /* Set in state MADE: one of the two. */
  GBytes     *value;
  GError     *error;
} Slot;

struct _C2gChunkQueue
{
  const C2gChunkItem  *items;
  guint                n_items;
  C2gChunkFunc         func;
  gpointer             user_data;

  GMutex               lock;
  /* Signalled when a chunk has been made. */
  GCond                made;
  /* Signalled when there are chunks to claim, and when the work ends. */
  GCond                moved;

  /* Position of the next chunk to claim. */
  guint                item;
  guint                chunk;
  guint64              n_claimed;
  /* Number of chunks that were taken and released: the begin of the window. */
  guint64              n_done;
  gboolean             has_taken;
  gboolean             is_stopped;

  Slot                *slots;
  guint                n_slots;
  GThread            **threads;
  guint                n_threads;
};

/* The functions from here to work() are called with the lock held. */

static Slot *
get_slot (C2gChunkQueue *self,
          guint64        position)
{
  return &self->slots[position % self->n_slots];
}

/* Advances to the next item that has chunks left. */
static void
settle (C2gChunkQueue *self)
{
  while (self->item < self->n_items && self->chunk >= self->items[self->item].n_chunks)
    {
      self->item++;
      self->chunk = 0;
    }
}

static gboolean
can_claim (C2gChunkQueue *self)
{
  return self->item < self->n_items && self->n_claimed < self->n_done + self->n_slots;
}

static Slot *
claim (C2gChunkQueue *self)
{
  Slot *slot = get_slot (self, self->n_claimed++);

  slot->state = LEFT;
  slot->item = self->item;
  slot->chunk = self->chunk;
  self->chunk++;
  settle (self);
  return slot;
}

/* Makes the chunk. The lock is released meanwhile. */
static void
make (C2gChunkQueue *self,
      Slot          *slot)
{
  slot->state = IN_WORK;
  g_mutex_unlock (&self->lock);
  slot->value = self->func (slot->item, slot->chunk, self->user_data, &slot->error);
  g_mutex_lock (&self->lock);
  slot->state = MADE;
}

static gpointer
work (gpointer data)
{
  C2gChunkQueue *self = data;

  g_mutex_lock (&self->lock);
  while (!self->is_stopped && self->item < self->n_items)
    {
      Slot *slot;

      if (!can_claim (self))
        {
          g_cond_wait (&self->moved, &self->lock);
          continue;
        }

      slot = claim (self);
      if (self->items[slot->item].is_of_taker)
        continue;
      make (self, slot);
      g_cond_signal (&self->made);
    }
  g_mutex_unlock (&self->lock);

  return NULL;
}

/* The consumer counts as one of the threads. If a thread cannot be created, the work goes on with
 * fewer. */
static void
start_threads (C2gChunkQueue *self,
               guint          n_threads)
{
  self->threads = g_new (GThread *, n_threads);
  while (self->n_threads + 1 < n_threads)
    {
      GThread *thread = g_thread_try_new ("c2g-save", work, self, NULL);

      if (thread == NULL)
        break;
      self->threads[self->n_threads++] = thread;
    }
}

C2gChunkQueue *
c2g_chunk_queue_new (const C2gChunkItem *items,
                     guint               n_items,
                     guint               n_threads,
                     C2gChunkFunc        func,
                     gpointer            user_data)
{
  C2gChunkQueue *self = g_new0 (C2gChunkQueue, 1);

  self->items = items;
  self->n_items = n_items;
  self->func = func;
  self->user_data = user_data;
  self->n_slots = MAX (n_threads, 1);
  self->slots = g_new0 (Slot, self->n_slots);
  g_mutex_init (&self->lock);
  g_cond_init (&self->made);
  g_cond_init (&self->moved);
  settle (self);
  start_threads (self, self->n_slots);
  return self;
}

void
c2g_chunk_queue_free (C2gChunkQueue *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  g_cond_broadcast (&self->moved);
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < self->n_threads; i++)
    g_thread_join (self->threads[i]);
  for (guint i = 0; i < self->n_slots; i++)
    {
      g_clear_pointer (&self->slots[i].value, g_bytes_unref);
      g_clear_error (&self->slots[i].error);
    }

  g_cond_clear (&self->moved);
  g_cond_clear (&self->made);
  g_mutex_clear (&self->lock);
  g_free (self->threads);
  g_free (self->slots);
  g_free (self);
}

GBytes *
c2g_chunk_queue_take (C2gChunkQueue  *self,
                      GError        **error)
{
  GBytes *value;
  Slot *slot;

  g_mutex_lock (&self->lock);
  if (self->has_taken)
    {
      self->n_done++;
      g_cond_signal (&self->moved);
    }
  self->has_taken = TRUE;

  slot = self->n_claimed == self->n_done ? claim (self) : get_slot (self, self->n_done);
  if (slot->state == LEFT)
    make (self, slot);
  while (slot->state == IN_WORK)
    g_cond_wait (&self->made, &self->lock);

  value = g_steal_pointer (&slot->value);
  if (value == NULL)
    g_propagate_error (error, g_steal_pointer (&slot->error));
  g_mutex_unlock (&self->lock);

  return value;
}
