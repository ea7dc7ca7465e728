/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-workers-private.h>

/* The pool of helper threads of the process, which nets with several chains use. */

#define MAX_THREADS 256

/* Time after which an idle thread ends. */
#define IDLE_TIME (10 * G_TIME_SPAN_SECOND)

static GMutex workers_lock;
static GCond work_is_there;
static GCond helper_has_left;

static C2gWork *first_work;
static C2gWork *last_work;
static guint n_works;

static guint n_threads;
static guint n_idle_threads;

/* Upper bound on helper threads over all works. */
static guint n_wanted;

static C2gWork *
take_work_locked (void)
{
  C2gWork *work = first_work;

  first_work = work->next;
  if (first_work == NULL)
    last_work = NULL;
  work->next = NULL;
  work->is_queued = FALSE;
  n_works--;
  return work;
}

/* Returns FALSE if there was no work for a while, so that the thread should end. */
static gboolean
wait_for_work_locked (void)
{
  gint64 end = g_get_monotonic_time () + IDLE_TIME;
  gboolean is_there = TRUE;

  n_idle_threads++;
  while (first_work == NULL && is_there)
    is_there = g_cond_wait_until (&work_is_there, &workers_lock, end);
  n_idle_threads--;

  return first_work != NULL;
}

static gpointer
work_cb (gpointer data)
{
  g_mutex_lock (&workers_lock);
  while (wait_for_work_locked ())
    {
      C2gWork *work = take_work_locked ();

      work->n_helpers++;
      g_mutex_unlock (&workers_lock);
      work->help (work);
      g_mutex_lock (&workers_lock);
      if (--work->n_helpers == 0)
        g_cond_broadcast (&helper_has_left);
    }
  n_threads--;
  g_mutex_unlock (&workers_lock);

  return NULL;
}

/* Adds a worker thread. A failure is no error: the caller then does all work alone. */
static void
add_thread_locked (void)
{
  GThread *thread = g_thread_try_new ("c2g-worker", work_cb, NULL, NULL);

  if (thread == NULL)
    return;

  n_threads++;
  g_thread_unref (thread);
}

void
c2g_workers_call (C2gWork *work)
{
  g_mutex_lock (&workers_lock);
  if (!work->is_open)
    {
      work->is_open = TRUE;
      n_wanted += work->max_helpers;
    }
  if (!work->is_queued)
    {
      if (last_work != NULL)
        last_work->next = work;
      else
        first_work = work;
      last_work = work;
      work->is_queued = TRUE;
      n_works++;

      if (n_works > n_idle_threads && n_threads < MIN (n_wanted, MAX_THREADS))
        add_thread_locked ();
      else
        g_cond_signal (&work_is_there);
    }
  g_mutex_unlock (&workers_lock);
}

static void
remove_work_locked (C2gWork *work)
{
  C2gWork **place = &first_work;
  C2gWork *previous = NULL;

  for (; *place != work; place = &(*place)->next)
    previous = *place;

  *place = work->next;
  if (last_work == work)
    last_work = previous;
  work->next = NULL;
  work->is_queued = FALSE;
  n_works--;
}

void
c2g_workers_dismiss (C2gWork *work)
{
  g_mutex_lock (&workers_lock);
  /* Repeat: a helper that was still running may have called another one. */
  while (work->is_queued || work->n_helpers > 0)
    if (work->is_queued)
      remove_work_locked (work);
    else
      g_cond_wait (&helper_has_left, &workers_lock);
  if (work->is_open)
    n_wanted -= work->max_helpers;
  work->is_open = FALSE;
  g_mutex_unlock (&workers_lock);
}
