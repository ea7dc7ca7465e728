/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/net/run/c2g-stat-registry.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/io/stream/c2g-context-call-private.h>

/* Runs nets, in the calling thread or in another one, and notifies handlers of signals and
 * observers. */

/* A call that is made in the thread of the caller. */
typedef struct
{
  C2gNet         *net;
  C2gNetPrivate  *priv;
  void          (*func) (gpointer data);
  guint           position;
  gboolean        is_after;
  gboolean        is_done;
  GError        **error;
} Step;

static GBytes *
step_cb (gpointer   data,
         GError   **error)
{
  Step *step = data;

  step->func (step);
  return g_bytes_new (NULL, 0);
}

/* Calls the function in the caller's main context, if there is one. If the context is gone,
 * nobody is notified; a step that can fail then sets an error. */
static void
do_step (Step *step)
{
  GBytes *done;

  if (step->priv->home == NULL)
    {
      step->func (step);
      return;
    }

  done = c2g_context_call (step->priv->home, step_cb, step, NULL, NULL, step->error);
  g_clear_pointer (&done, g_bytes_unref);
}

static void
emit_run_cb (gpointer data)
{
  Step *step = data;

  if (step->is_after)
    {
      g_signal_emit (step->net, c2g_net_signals[C2G_NET_SIGNAL_AFTER_RUN], 0, step->is_done);
      c2g_observer_list_after (&step->priv->observers, step->net, step->is_done);
    }
  else
    {
      c2g_observer_list_before (&step->priv->observers, step->net);
      g_signal_emit (step->net, c2g_net_signals[C2G_NET_SIGNAL_BEFORE_RUN], 0);
    }
}

static gboolean
is_heard (C2gNet *self,
          guint   signal)
{
  return g_signal_has_handler_pending (self, c2g_net_signals[signal], 0, TRUE);
}

static gboolean
is_run_observed (C2gNet        *self,
                 C2gNetPrivate *priv,
                 gboolean       is_after)
{
  return is_heard (self, is_after ? C2G_NET_SIGNAL_AFTER_RUN : C2G_NET_SIGNAL_BEFORE_RUN) ||
         !c2g_observer_list_is_empty (&priv->observers);
}

static void
tell_run (C2gNet        *self,
          C2gNetPrivate *priv,
          gboolean       is_after,
          gboolean       is_done)
{
  Step step = { .net = self, .priv = priv, .func = emit_run_cb, .is_after = is_after };

  step.is_done = is_done;
  if (is_run_observed (self, priv, is_after))
    do_step (&step);
}

static void
emit_operator_cb (gpointer data)
{
  Step *step = data;
  C2gOperator *op = step->priv->operators[step->position];
  C2gObserverList *observers = &c2g_operator_get_private (op)->observers;

  if (step->is_after)
    {
      g_signal_emit (step->net, c2g_net_signals[C2G_NET_SIGNAL_AFTER_OPERATOR], 0, op,
                     step->is_done);
      c2g_observer_list_after (observers, op, step->is_done);
    }
  else
    {
      c2g_observer_list_before (observers, op);
      g_signal_emit (step->net, c2g_net_signals[C2G_NET_SIGNAL_BEFORE_OPERATOR], 0, op);
    }
}

void
c2g_net_tell_operator (C2gNet        *self,
                       C2gNetPrivate *priv,
                       guint          position,
                       gboolean       is_after,
                       gboolean       is_done)
{
  Step step = { .net = self, .priv = priv, .func = emit_operator_cb, .position = position };

  step.is_after = is_after;
  step.is_done = is_done;
  do_step (&step);
}

static void
run_operator_cb (gpointer data)
{
  Step *step = data;

  step->is_done = c2g_operator_run_unchecked (step->priv->operators[step->position],
                                              step->error);
}

static gboolean
run_operator (C2gNet         *self,
              C2gNetPrivate  *priv,
              guint           position,
              GError        **error)
{
  C2gOperator *op = priv->operators[position];
  Step step = { .net = self, .priv = priv, .func = run_operator_cb, .position = position };

  if (G_LIKELY (priv->home == NULL) || !c2g_operator_get_private (op)->is_caller_thread_only)
    return c2g_operator_run_unchecked (op, error);

  step.error = error;
  do_step (&step);
  return step.is_done;
}

gboolean
c2g_net_run_operator (C2gNet         *self,
                      C2gNetPrivate  *priv,
                      guint           position,
                      GError        **error)
{
  gboolean is_done;

  if (G_UNLIKELY (priv->is_observed))
    c2g_net_tell_operator (self, priv, position, FALSE, FALSE);
  is_done = run_operator (self, priv, position, error);
  if (G_UNLIKELY (priv->is_observed))
    c2g_net_tell_operator (self, priv, position, TRUE, is_done);

  if (G_UNLIKELY (!is_done))
    g_atomic_int_compare_and_exchange (&priv->failed_position, -1, position);
  return is_done;
}

static gboolean
is_observed (C2gNet        *self,
             C2gNetPrivate *priv)
{
  if (is_heard (self, C2G_NET_SIGNAL_BEFORE_OPERATOR) ||
      is_heard (self, C2G_NET_SIGNAL_AFTER_OPERATOR))
    return TRUE;

  for (guint i = 0; i < priv->n_operators; i++)
    if (!c2g_observer_list_is_empty (&c2g_operator_get_private (priv->operators[i])->observers))
      return TRUE;

  return FALSE;
}

static void
set_cancellable (C2gNetPrivate *priv,
                 GCancellable  *cancellable)
{
  for (guint i = 0; i < priv->n_operators; i++)
    c2g_operator_get_private (priv->operators[i])->cancellable = cancellable;
}

/* Waits for operators that still run on other devices; errors there are known only now. */
static gboolean
finish_devices (C2gNet         *self,
                C2gNetPrivate  *priv,
                GError        **error)
{
  gboolean is_done = TRUE;

  for (guint i = 0; i < priv->contexts->len; i++)
    if (!c2g_context_finish (g_ptr_array_index (priv->contexts, i), is_done ? error : NULL))
      {
        if (is_done)
          g_prefix_error (error, _("Net “%s”: "), c2g_net_get_name (self));
        is_done = FALSE;
      }

  return is_done;
}

static gboolean
run_operators (C2gNet         *self,
               C2gNetPrivate  *priv,
               GCancellable   *cancellable,
               GError        **error)
{
  gboolean is_done;

  priv->is_observed = is_observed (self, priv);
  if (cancellable == NULL)
    return C2G_NET_GET_CLASS (self)->run_operators (self, NULL, error);

  set_cancellable (priv, cancellable);
  is_done = C2G_NET_GET_CLASS (self)->run_operators (self, cancellable, error);
  set_cancellable (priv, NULL);
  return is_done;
}

static gboolean
reserve (C2gNet         *self,
         C2gNetPrivate  *priv,
         GError        **error)
{
  if (g_atomic_int_compare_and_exchange (&priv->is_running, FALSE, TRUE))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY, _("Net “%s” is running"), c2g_net_get_name (self));
}

/* Adds the run to the statistics. The keys are constant strings, so that counting allocates
 * nothing after the first run. */
static void
count_run (gboolean is_done,
           gint64   begin)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_get_default ();

  c2g_stat_registry_increment (stats, "net/run_us/sum", g_get_monotonic_time () - begin);
  c2g_stat_registry_increment (stats, "net/run_us/count", 1);
  if (!is_done)
    c2g_stat_registry_increment (stats, "net/failed_runs", 1);
}

/* Runs a net that reserve() has marked as running, and removes the mark. */
static gboolean
run_reserved (C2gNet         *self,
              C2gNetPrivate  *priv,
              GMainContext   *home,
              void          (*func) (gpointer data),
              gpointer        data,
              GCancellable   *cancellable,
              GError        **error)
{
  const gint64 begin = g_get_monotonic_time ();
  /* This net may be run by an operator of an outer net: each run has its own cancellable. */
  GCancellable *former = c2g_interrupt_set (NULL);
  GError *local_error = NULL;
  gboolean is_done;

  priv->home = home;
  g_atomic_int_set (&priv->failed_position, -1);
  tell_run (self, priv, FALSE, FALSE);
  is_done = run_operators (self, priv, cancellable, &local_error);
  if (G_UNLIKELY (priv->contexts->len > 0))
    {
      if (is_done && func != NULL && !is_run_observed (self, priv, TRUE))
        func (data);
      is_done = finish_devices (self, priv, is_done ? &local_error : NULL) && is_done;
    }
  c2g_net_keep_run (self, priv);
  is_done = c2g_interrupt_conclude (cancellable, is_done, &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_atomic_int_set (&priv->failed_position, -1);
  tell_run (self, priv, TRUE, is_done);
  priv->home = NULL;
  g_atomic_int_set (&priv->is_running, FALSE);
  count_run (is_done, begin);
  c2g_interrupt_set (former);

  if (!is_done)
    g_propagate_error (error, local_error);
  return is_done;
}

gboolean
c2g_net_run_away (C2gNet        *self,
                  GMainContext  *home,
                  GCancellable  *cancellable,
                  GError       **error)
{
  return c2g_net_run_with (self, home, NULL, NULL, cancellable, error);
}

gboolean
c2g_net_run_with (C2gNet        *self,
                  GMainContext  *home,
                  void         (*func) (gpointer data),
                  gpointer       data,
                  GCancellable  *cancellable,
                  GError       **error)
{
  C2gNetPrivate *priv = c2g_net_get_private (self);

  return reserve (self, priv, error) &&
         run_reserved (self, priv, home, func, data, cancellable, error);
}

C2gContext *
c2g_net_find_context (C2gNet    *self,
                      C2gDevice *device)
{
  return c2g_context_find (c2g_net_get_private (self)->contexts, device);
}

/**
 * c2g_net_run:
 * @self: a net
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs every operator of the net once.
 *
 * When one operator fails, no other is started; blobs keep what earlier operators wrote, and
 * the net can run again.
 *
 * A run that is cancelled fails, even if all operators were done by then. Most built-in
 * operators also stop soon while they compute; others run to their end, unless they check
 * [method@Operator.get_cancellable] themselves. Blobs may hold partial results then.
 *
 * With a cancellable large products are computed in blocks. Results may differ from those without
 * one in the last digits, because numbers are added in another order.
 *
 * Errors: those of the operators, naming net, number and operator; `C2G_ERROR_BUSY` if the
 * net runs already; `G_IO_ERROR_CANCELLED`.
 *
 * Returns: `TRUE` if all operators succeeded
 */
gboolean
c2g_net_run (C2gNet        *self,
             GCancellable  *cancellable,
             GError       **error)
{
  g_return_val_if_fail (C2G_IS_NET (self), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_net_run_away (self, NULL, cancellable, error);
}

static void
run_in_thread (GTask        *task,
               gpointer      source_object,
               gpointer      task_data,
               GCancellable *cancellable)
{
  C2gNet *self = source_object;
  GError *error = NULL;

  if (run_reserved (self, c2g_net_get_private (self), g_task_get_context (task), NULL, NULL,
                    cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * c2g_net_run_async:
 * @self: a net
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the run is over
 * @user_data: for @callback
 *
 * Runs the net in another thread.
 *
 * The net is running from this call on: another run meanwhile gives `C2G_ERROR_BUSY`.
 *
 * Handlers of signals, observers and operators that are not written in C are called in the
 * thread-default main context of the caller, which has to be iterated.
 */
void
c2g_net_run_async (C2gNet              *self,
                   GCancellable        *cancellable,
                   GAsyncReadyCallback  callback,
                   gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_NET (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_net_run_async);
  if (reserve (self, c2g_net_get_private (self), &error))
    g_task_run_in_thread (task, run_in_thread);
  else
    g_task_return_error (task, error);
}

/**
 * c2g_net_run_finish:
 * @self: a net
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes a run that was started with [method@Net.run_async].
 *
 * Errors: those of [method@Net.run].
 *
 * Returns: `TRUE` if all operators succeeded
 */
gboolean
c2g_net_run_finish (C2gNet        *self,
                    GAsyncResult  *result,
                    GError       **error)
{
  g_return_val_if_fail (C2G_IS_NET (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
