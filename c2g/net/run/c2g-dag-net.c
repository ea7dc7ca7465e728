/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/net/run/c2g-dag-private.h>
#include <c2g/net/run/c2g-workers-private.h>

/* Runs chains of operators. A chain starts as soon as all chains that it depends on have ended,
 * in the thread that runs the net or in a helper thread.
 *
 * Chains of the group GROUP_CALLER run only in the calling thread. Observers are also called
 * there: when a net is observed, the calling thread leaves the other chains to the helpers and
 * calls the observers. */

#define MAX_WORKERS 64

#define NO_CHAIN G_MAXUINT

/* Number of polls for new work before an idle thread sleeps, because a sleep and wake-up cost
 * more. */
#define N_LOOKS 200

/* Time that helpers have to start before the calling thread of an observed net runs a chain
 * itself. Until the chain ends it calls no observers then, and helpers wait for that, so the time
 * is long enough for a thread to start on a busy machine. If none has come by then, there may be none
 * to be had, and the run waits no more than the shorter time for its other chains. */
#define PATIENCE       (100 * G_TIME_SPAN_MILLISECOND)
#define SHORT_PATIENCE G_TIME_SPAN_MILLISECOND

enum
{
  GROUP_ANY = C2G_DAG_GROUP_ANY,
  GROUP_CALLER = C2G_DAG_GROUP_CALLER,
  N_GROUPS
};

/* Queue of ready chains, first in, first out. Each chain is added at most once per run. */
typedef struct
{
  guint *chains;
  guint  n_taken;
  guint  n_added;
} Queue;

/* State of a call to observers that a helper thread hands to the calling thread. */
typedef enum
{
  MESSAGE_NONE,
  MESSAGE_WAITING,
  MESSAGE_TOLD,
} MessageState;

typedef struct
{
  MessageState state;
  guint        position;
  gboolean     is_after;
  gboolean     is_done;
} Message;

typedef struct
{
  C2gNet         parent_instance;

  C2gNetPrivate *priv;
  C2gDag        *dag;
  const C2gChain *chains;
  guint          n_chains;
  guint          n_workers;

  /* State of one run. */
  C2gWork        work;
  GCancellable  *cancellable;
  /* Atomic. */
  int            is_stopping;
  /* Atomic. Counts changes of the state; an idle thread polls it to see if there may be work. */
  int            n_changes;

  GMutex         lock;
  /* Wakes the calling thread. */
  GCond          changed;
  /* Wakes helper threads that wait for the state of the message to change. */
  GCond          told;

  /* The members below are protected by the lock. */
  Queue          queues[N_GROUPS];
  /* For each chain, the number of its parents that have not ended. */
  guint         *n_missing;
  /* Number of chains that have not ended, and of those that run now. */
  guint          n_left;
  guint          n_busy;
  guint          n_helpers;
  gboolean       is_helper_called;
  gboolean       is_caller_waiting;
  gint64         patience;
  GError        *error;
  int            failed_position;
  Message        message;
} C2gDagNet;

typedef struct
{
  C2gNetClass parent_class;
} C2gDagNetClass;

G_DEFINE_FINAL_TYPE (C2gDagNet, c2g_dag_net, C2G_TYPE_NET)

static void
c2g_dag_net_finalize (GObject *object)
{
  C2gDagNet *self = (C2gDagNet *) object;

  g_clear_pointer (&self->dag, c2g_dag_free);
  for (guint i = 0; i < N_GROUPS; i++)
    g_free (self->queues[i].chains);
  g_free (self->n_missing);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_cond_clear (&self->told);

  G_OBJECT_CLASS (c2g_dag_net_parent_class)->finalize (object);
}

static gboolean
has_ready (C2gDagNet *self,
           guint      group)
{
  return self->queues[group].n_taken < self->queues[group].n_added;
}

static void
push_locked (C2gDagNet *self,
             guint      chain)
{
  Queue *queue = &self->queues[self->chains[chain].group];

  queue->chains[queue->n_added++] = chain;
}

/* Returns TRUE if all chains have ended, or if the run stops and no chain is running. */
static gboolean
is_over_locked (C2gDagNet *self)
{
  return self->n_left == 0 || (g_atomic_int_get (&self->is_stopping) && self->n_busy == 0);
}

/* Takes a ready chain, which then counts as busy. Returns NO_CHAIN if none is ready or the run
 * stops. */
static guint
take_locked (C2gDagNet *self,
             guint      group)
{
  Queue *queue = &self->queues[group];

  if (!has_ready (self, group) || g_atomic_int_get (&self->is_stopping))
    return NO_CHAIN;

  self->n_busy++;
  return queue->chains[queue->n_taken++];
}

/* Returns TRUE if one more helper should be called, and notes the call. Only one call is open at
 * a time. */
static gboolean
note_call_locked (C2gDagNet *self,
                  guint      n_ready)
{
  guint n_wanted = self->n_workers;

  /* In an observed net the calling thread only calls observers, so it does not count as a
   * worker. */
  if (!self->priv->is_observed || n_wanted == 1)
    n_wanted--;
  if (n_ready == 0 || self->is_helper_called || self->n_helpers >= n_wanted)
    return FALSE;

  self->is_helper_called = TRUE;
  return TRUE;
}

/* Wakes the calling thread and calls a helper if there is work for them; unlocks. To be used
 * after a chain became ready or ended. */
static void
wake_and_unlock (C2gDagNet *self)
{
  guint n_ready = self->queues[GROUP_ANY].n_added - self->queues[GROUP_ANY].n_taken;
  gboolean is_caller_wanted = FALSE;
  gboolean is_helper_wanted;

  if (self->is_caller_waiting)
    {
      is_caller_wanted = has_ready (self, GROUP_CALLER) || n_ready > 0 || is_over_locked (self);
      if (n_ready > 0 && !self->priv->is_observed)
        n_ready--;
    }
  is_helper_wanted = !g_atomic_int_get (&self->is_stopping) && note_call_locked (self, n_ready);
  g_atomic_int_inc (&self->n_changes);
  if (is_caller_wanted)
    g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);

  if (is_helper_wanted)
    c2g_workers_call (&self->work);
}

static void
note_failure (C2gDagNet *self,
              GError    *error,
              int        position)
{
  g_mutex_lock (&self->lock);
  g_atomic_int_set (&self->is_stopping, TRUE);
  if (self->error == NULL)
    {
      self->error = error;
      self->failed_position = position;
      error = NULL;
    }
  g_mutex_unlock (&self->lock);

  g_clear_error (&error);
}

/* Makes the calling thread notify the observers of an operator, and waits until it has. */
static void
send_message (C2gDagNet *self,
              Message    message)
{
  g_mutex_lock (&self->lock);
  while (self->message.state != MESSAGE_NONE)
    g_cond_wait (&self->told, &self->lock);
  self->message = message;
  self->message.state = MESSAGE_WAITING;
  g_cond_signal (&self->changed);
  while (self->message.state != MESSAGE_TOLD)
    g_cond_wait (&self->told, &self->lock);
  self->message.state = MESSAGE_NONE;
  g_cond_broadcast (&self->told);
  g_mutex_unlock (&self->lock);
}

static gboolean
run_operator (C2gDagNet  *self,
              guint       position,
              gboolean    is_caller,
              GError    **error)
{
  gboolean is_done;

  if (G_LIKELY (!self->priv->is_observed) || is_caller)
    return c2g_net_run_operator (&self->parent_instance, self->priv, position, error);

  send_message (self, (Message) { .position = position });
  is_done = c2g_operator_run_unchecked (self->priv->operators[position], error);
  send_message (self, (Message) { .position = position, .is_after = TRUE, .is_done = is_done });
  return is_done;
}

static void
run_chain (C2gDagNet      *self,
           const C2gChain *chain,
           gboolean        is_caller)
{
  for (guint i = 0; i < chain->n_nodes && !g_atomic_int_get (&self->is_stopping); i++)
    {
      GError *error = NULL;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
        note_failure (self, error, -1);
      else if (!run_operator (self, chain->nodes[i], is_caller, &error))
        note_failure (self, error, chain->nodes[i]);
    }
}

/* Marks the chain as done and adds its children that are ready now. Returns a chain that this
 * thread can run next, or NO_CHAIN. */
static guint
end_chain (C2gDagNet      *self,
           const C2gChain *chain,
           gboolean        is_caller)
{
  guint next = NO_CHAIN;

  g_mutex_lock (&self->lock);
  self->n_busy--;
  self->n_left--;
  for (guint i = 0; i < chain->n_children; i++)
    if (--self->n_missing[chain->children[i]] == 0)
      push_locked (self, chain->children[i]);

  /* Chains that only the calling thread can run come first. */
  if (is_caller)
    next = take_locked (self, GROUP_CALLER);
  if (next == NO_CHAIN && (!is_caller || !self->priv->is_observed))
    next = take_locked (self, GROUP_ANY);
  wake_and_unlock (self);

  return next;
}

static void
run_chains (C2gDagNet *self,
            guint      chain,
            gboolean   is_caller)
{
  while (chain != NO_CHAIN)
    {
      run_chain (self, &self->chains[chain], is_caller);
      chain = end_chain (self, &self->chains[chain], is_caller);
    }
}

/* Polls for a while. Returns TRUE if the state has changed since n_changes was read. */
static gboolean
look_for_change (C2gDagNet *self,
                 int        n_changes)
{
  for (guint i = 0; i < N_LOOKS; i++)
    {
      if (g_atomic_int_get (&self->n_changes) != n_changes)
        return TRUE;
      c2g_relax ();
    }

  return FALSE;
}

/* Runs chains in a helper thread until none is ready. Polls for a while before it leaves. */
static void
help_cb (C2gWork *work)
{
  C2gDagNet *self = (gpointer) ((guint8 *) work - G_STRUCT_OFFSET (C2gDagNet, work));
  gboolean is_first = TRUE;
  gboolean is_over;
  int n_changes;
  guint chain;

  do
    {
      g_mutex_lock (&self->lock);
      if (is_first)
        {
          self->is_helper_called = FALSE;
          self->n_helpers++;
          is_first = FALSE;
        }
      n_changes = g_atomic_int_get (&self->n_changes);
      is_over = is_over_locked (self);
      chain = take_locked (self, GROUP_ANY);
      if (chain != NO_CHAIN)
        wake_and_unlock (self);
      else
        g_mutex_unlock (&self->lock);
      run_chains (self, chain, FALSE);
    }
  while (chain != NO_CHAIN || (!is_over && look_for_change (self, n_changes)));

  g_mutex_lock (&self->lock);
  self->n_helpers--;
  wake_and_unlock (self);
}

static void
reset (C2gDagNet    *self,
       GCancellable *cancellable)
{
  self->cancellable = cancellable;
  g_atomic_int_set (&self->is_stopping, FALSE);
  self->n_left = self->n_chains;
  self->n_busy = 0;
  self->is_helper_called = FALSE;
  self->patience = PATIENCE;
  self->failed_position = -1;
  for (guint i = 0; i < N_GROUPS; i++)
    self->queues[i].n_taken = self->queues[i].n_added = 0;

  for (guint i = 0; i < self->n_chains; i++)
    {
      self->n_missing[i] = self->chains[i].n_parents;
      if (self->n_missing[i] == 0)
        push_locked (self, i);
    }
}

/* Calls the observers for the waiting message. Releases the lock meanwhile. */
static void
tell_locked (C2gDagNet *self)
{
  Message message = self->message;

  g_mutex_unlock (&self->lock);
  c2g_net_tell_operator (&self->parent_instance, self->priv, message.position,
                         message.is_after, message.is_done);
  g_mutex_lock (&self->lock);

  self->message.state = MESSAGE_TOLD;
  g_cond_broadcast (&self->told);
}

/* Sleeps until the state changes. In an observed net, ready chains are left to the helpers for a
 * while; if none of them comes, or the net may have only one worker, returns a chain to run
 * here. */
static guint
wait_locked (C2gDagNet *self)
{
  gboolean is_patient = has_ready (self, GROUP_ANY) && self->n_busy == 0;
  guint chain = NO_CHAIN;

  if (note_call_locked (self, has_ready (self, GROUP_ANY)))
    c2g_workers_call (&self->work);

  self->is_caller_waiting = TRUE;
  if (!is_patient)
    g_cond_wait (&self->changed, &self->lock);
  else if (self->n_workers == 1 ||
           !g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + self->patience))
    {
      self->patience = SHORT_PATIENCE;
      chain = self->n_busy == 0 ? take_locked (self, GROUP_ANY) : NO_CHAIN;
    }
  self->is_caller_waiting = FALSE;

  return chain;
}

/* Returns the next chain for the calling thread, or NO_CHAIN when the run is over. Delivers
 * messages to observers and sleeps meanwhile, without the lock. */
static guint
find_chain_locked (C2gDagNet *self)
{
  guint chain = NO_CHAIN;

  while (chain == NO_CHAIN && !is_over_locked (self))
    {
      if (self->message.state == MESSAGE_WAITING)
        {
          tell_locked (self);
          continue;
        }

      chain = take_locked (self, GROUP_CALLER);
      if (chain == NO_CHAIN && !self->priv->is_observed)
        chain = take_locked (self, GROUP_ANY);
      if (chain == NO_CHAIN)
        chain = wait_locked (self);
    }

  return chain;
}

/* Polls for a while before sleeping, which costs more. */
static void
look_first (C2gDagNet *self)
{
  gboolean is_idle;
  int n_changes;

  g_mutex_lock (&self->lock);
  n_changes = g_atomic_int_get (&self->n_changes);
  is_idle = !has_ready (self, GROUP_ANY) && !has_ready (self, GROUP_CALLER) &&
            !is_over_locked (self);
  g_mutex_unlock (&self->lock);
  if (is_idle)
    look_for_change (self, n_changes);
}

static void
run_in_caller (C2gDagNet *self)
{
  guint chain;

  do
    {
      if (!self->priv->is_observed)
        look_first (self);
      g_mutex_lock (&self->lock);
      chain = find_chain_locked (self);
      if (chain != NO_CHAIN)
        wake_and_unlock (self);
      else
        g_mutex_unlock (&self->lock);
      run_chains (self, chain, TRUE);
    }
  while (chain != NO_CHAIN);
}

static gboolean
c2g_dag_net_run_operators (C2gNet        *net,
                           GCancellable  *cancellable,
                           GError       **error)
{
  C2gDagNet *self = (C2gDagNet *) net;

  reset (self, cancellable);
  run_in_caller (self);
  if (self->n_workers > 1)
    c2g_workers_dismiss (&self->work);

  if (self->error == NULL)
    return TRUE;
  g_atomic_int_set (&self->priv->failed_position, self->failed_position);
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

static guint
get_n_workers (C2gNetPrivate *priv)
{
  gint64 n_workers = c2g_net_def_get_n_workers (priv->def);

  if (n_workers <= 0)
    n_workers = g_get_num_processors ();
  return MIN (n_workers, MAX_WORKERS);
}

static gboolean
c2g_dag_net_set_up (C2gNet  *net,
                    GError **error)
{
  C2gDagNet *self = (C2gDagNet *) net;

  self->priv = c2g_net_get_private (net);
  self->n_workers = get_n_workers (self->priv);
  /* All workers can be helpers: in an observed net the calling thread only calls observers. */
  self->work.max_helpers = self->n_workers;
  self->dag = c2g_dag_new_for_operators (self->priv->operators, self->priv->n_operators);
  self->chains = c2g_dag_get_chains (self->dag, &self->n_chains);
  self->n_missing = g_new0 (guint, self->n_chains + 1);
  for (guint i = 0; i < N_GROUPS; i++)
    self->queues[i].chains = g_new (guint, self->n_chains + 1);
  return TRUE;
}

static void
c2g_dag_net_class_init (C2gDagNetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_dag_net_finalize;
  C2G_NET_CLASS (klass)->set_up = c2g_dag_net_set_up;
  C2G_NET_CLASS (klass)->run_operators = c2g_dag_net_run_operators;
}

static void
c2g_dag_net_init (C2gDagNet *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_cond_init (&self->told);
  self->work.help = help_cb;
}
