/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The queue for a predictor, which does one run at a time. Inputs given by name wait in the same
 * queue as runs, so that runs requested earlier do not use them. */

/* A waiting run, or an input to set. */
typedef struct
{
  C2gPredictorTask *task;
  /* The handler for cancelling a waiting task; 0 if there is none. */
  gulong            handler;

  gsize             input;
  C2gTensor        *tensor;
} Turn;

static void
turn_free (Turn *self)
{
  if (self->handler != 0)
    g_signal_handler_disconnect (self->task->cancellable, self->handler);
  g_clear_object (&self->task);
  g_clear_object (&self->tensor);
  g_free (self);
}

static Turn *
take_turn (C2gPredictor     *self,
           C2gPredictorTask *task)
{
  Turn *turn = NULL;

  g_mutex_lock (&self->lock);
  for (GList *link = self->turns.head; link != NULL; link = link->next)
    if (((Turn *) link->data)->task == task)
      {
        turn = link->data;
        g_queue_delete_link (&self->turns, link);
        break;
      }
  g_mutex_unlock (&self->lock);
  return turn;
}

static gboolean
end_waiting_cb (gpointer data)
{
  C2gPredictorTask *task = data;
  Turn *turn = take_turn (task->predictor, task);

  /* The run has begun meanwhile; it will see the cancellation itself. */
  if (turn == NULL)
    return G_SOURCE_REMOVE;
  c2g_predictor_task_fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                                      _("The work was cancelled")));
  turn_free (turn);
  return G_SOURCE_REMOVE;
}

/* Data of the handler. It has its own reference to the context, because the task drops its
 * reference when it ends. */
typedef struct
{
  C2gPredictorTask *task;
  GMainContext     *home;
} Watch;

static void
watch_free (gpointer  data,
            GClosure *closure)
{
  Watch *self = data;

  g_object_unref (self->task);
  g_main_context_unref (self->home);
  g_free (self);
}

/* Ends the waiting in the caller's main context. Cancellable handlers must not do more, since they
 * run inside g_cancellable_cancel(). */
static void
cancelled_cb (GCancellable *cancellable,
              gpointer      data)
{
  Watch *self = data;
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, end_waiting_cb, g_object_ref (self->task), g_object_unref);
  g_source_attach (source, self->home);
}

/* Uses a signal handler and not a source of GCancellable: such a source leaks if one thread
 * destroys it while another one cancels. */
static void
watch_locked (Turn *turn)
{
  C2gPredictorTask *task = turn->task;
  Watch *watch;

  if (task->cancellable == NULL)
    return;
  watch = g_new (Watch, 1);
  *watch = (Watch){ g_object_ref (task), g_main_context_ref (task->home) };
  turn->handler = g_signal_connect_data (task->cancellable, "cancelled", G_CALLBACK (cancelled_cb), watch,
                                         watch_free, 0);
  if (g_cancellable_is_cancelled (task->cancellable))
    cancelled_cb (task->cancellable, watch);
}

/* Returns TRUE if the predictor is reserved now. If another run has it, queues TURN or, if that is
 * NULL, refuses the caller. */
static gboolean
reserve_or_wait (C2gPredictor *self,
                 Turn         *turn)
{
  gboolean is_mine;

  g_mutex_lock (&self->lock);
  is_mine = !self->is_reserved;
  self->is_reserved = TRUE;
  if (!is_mine && turn != NULL)
    {
      g_queue_push_tail (&self->turns, turn);
      watch_locked (turn);
    }
  g_mutex_unlock (&self->lock);
  return is_mine;
}

/* Swaps the given tensor of the input with the one in the turn. The caller frees the old tensor
 * after unlocking, because that may run foreign code. */
static void
swap_input_locked (C2gPredictor *self,
                   Turn         *turn)
{
  C2gTensor *former = self->given[turn->input];

  self->given[turn->input] = g_steal_pointer (&turn->tensor);
  turn->tensor = former;
}

static void
begin (Turn *turn)
{
  c2g_predictor_task_begin (turn->task);
  turn_free (turn);
}

gboolean
c2g_predictor_reserve (C2gPredictor  *self,
                       GError       **error)
{
  if (reserve_or_wait (self, NULL))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("The model “%s” is busy: A run of it, or a load of its parameters, has not been finished"),
                   c2g_net_get_def_name (self->def));
}

void
c2g_predictor_queue_run (C2gPredictor     *self,
                         C2gPredictorTask *task)
{
  Turn *turn = g_new0 (Turn, 1);

  turn->task = g_object_ref (task);
  if (reserve_or_wait (self, turn))
    begin (turn);
}

void
c2g_predictor_queue_input (C2gPredictor *self,
                           gsize         input,
                           C2gTensor    *tensor)
{
  Turn *turn = g_new0 (Turn, 1);

  turn->input = input;
  turn->tensor = g_object_ref (tensor);
  g_mutex_lock (&self->lock);
  if (self->is_reserved)
    g_queue_push_tail (&self->turns, g_steal_pointer (&turn));
  else
    swap_input_locked (self, turn);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&turn, turn_free);
}

/* Sets the waiting inputs up to the next run, and returns that run or NULL. The old tensors go into
 * the list, which the caller frees without the lock. */
static Turn *
take_next_locked (C2gPredictor  *self,
                  GSList       **given)
{
  Turn *turn;

  while ((turn = g_queue_pop_head (&self->turns)) != NULL && turn->task == NULL)
    {
      swap_input_locked (self, turn);
      *given = g_slist_prepend (*given, turn);
    }
  self->is_reserved = turn != NULL;
  return turn;
}

void
c2g_predictor_release (C2gPredictor *self)
{
  GSList *given = NULL;
  Turn *turn;

  g_mutex_lock (&self->lock);
  turn = take_next_locked (self, &given);
  g_mutex_unlock (&self->lock);

  if (turn != NULL)
    begin (turn);
  g_slist_free_full (given, (GDestroyNotify) turn_free);
}
