/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

/* A thread may use what it got from a predictor, the outputs of a run or the net, without a reference. The
 * predictor keeps it until the same thread gets another one, however many threads there are: a language
 * binding takes references only after the call, and may have to wait for its interpreter before. */

/* Stands for a thread, even after it has ended. */
typedef struct
{
  gatomicrefcount ref_count;
  /* Atomic. */
  gboolean        is_over;
} Life;

typedef struct
{
  Life          *life;
  gpointer       value;
  GDestroyNotify free_value;
} Held;

static void
life_unref (Life *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    g_free (self);
}

/* Called when the thread ends. */
static void
end_life (gpointer data)
{
  Life *self = data;

  g_atomic_int_set (&self->is_over, TRUE);
  life_unref (self);
}

static Life *
ref_life (void)
{
  static GPrivate lives = G_PRIVATE_INIT (end_life);
  Life *self = g_private_get (&lives);

  if (self == NULL)
    {
      self = g_new0 (Life, 1);
      g_atomic_ref_count_init (&self->ref_count);
      g_private_set (&lives, self);
    }
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
held_free (gpointer data)
{
  Held *self = data;

  self->free_value (self->value);
  life_unref (self->life);
  g_free (self);
}

/* Removes from the list what this thread got, and what too many threads got that have ended. */
static GQueue
take_old_locked (GQueue     *list,
                 const Life *life,
                 guint       max_ended)
{
  GQueue old = G_QUEUE_INIT;
  guint n_ended = 0;

  /* The list begins with the oldest. */
  for (GList *link = list->tail, *next; link != NULL; link = next)
    {
      const Held *held = link->data;

      next = link->prev;
      if (held->life != life && (!g_atomic_int_get (&held->life->is_over) || ++n_ended <= max_ended))
        continue;
      g_queue_unlink (list, link);
      g_queue_push_tail_link (&old, link);
    }
  return old;
}

void
c2g_predictor_hold (C2gPredictor   *self,
                    GQueue         *list,
                    gpointer        value,
                    GDestroyNotify  free_value,
                    guint           max_ended)
{
  Held *held = g_new (Held, 1);
  GQueue old;

  *held = (Held){ ref_life (), value, free_value };
  g_mutex_lock (&self->lock);
  old = take_old_locked (list, held->life, max_ended);
  g_queue_push_tail (list, held);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&old, held_free);
}

void
c2g_predictor_clear_held (GQueue *list)
{
  g_queue_clear_full (list, held_free);
}
