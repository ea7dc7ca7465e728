/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-parallel-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-settings-private.h>

/* Divides loops among threads. All operators use it for long loops. */

/* Number of parts per worker, to balance the load between fast and slow workers. */
#define PARTS_PER_WORKER 4
/* Factor for the number of parts of a loop that can be cancelled: it is cancelled between parts,
 * so they must be short. */
#define PARTS_PER_PART 64
/* A thread looks for work for so many microseconds before it sleeps. The loops of a net follow each
 * other faster than a sleeping thread wakes up. */
#define SPIN_TIME 100

/* A loop, on the stack of its caller. The caller works until no part is left and then waits for
 * the workers that are still busy. Busy workers wait for nobody but loops they started
 * themselves, so nested loops cannot deadlock. */
typedef struct _Loop Loop;

struct _Loop
{
  C2gParallelFunc func;
  gpointer        data;
  gsize           n;
  gsize           part;
  guint           n_workers;
  /* Ends the loop early, for all workers. May be NULL. */
  GCancellable   *cancellable;

  /* Begin of the next part. Accessed atomically. */
  gsize           next_begin;

  /* Protected by lock. */
  Loop           *next;
  guint           n_joined;
  /* Written with the lock. The loop may end as soon as it is 0. */
  guint           n_active;
};

static GMutex lock;
static GCond wake;
static GCond done;
/* Written with the lock. */
static Loop *loops;
/* Protected by lock. */
static guint n_threads;
static guint n_sleeping;
static guint n_waiting;

/* Waits a moment until there is a loop, or until the loop has no active worker if it is given. */
static void
spin (const Loop *loop)
{
  const gint64 end = g_get_monotonic_time () + SPIN_TIME;

  do
    for (guint i = 0; i < 64; i++)
      {
        if (loop != NULL ? __atomic_load_n (&loop->n_active, __ATOMIC_ACQUIRE) == 0
                         : __atomic_load_n (&loops, __ATOMIC_RELAXED) != NULL)
          return;
        c2g_relax ();
      }
  while (g_get_monotonic_time () < end);
}

static void
work (Loop  *loop,
      guint  worker)
{
  gsize begin;

  while (!c2g_interrupt_is_wanted () &&
         (begin = __atomic_fetch_add (&loop->next_begin, loop->part, __ATOMIC_RELAXED)) < loop->n)
    loop->func (begin, begin + MIN (loop->part, loop->n - begin), worker, loop->data);
}

/* Takes the loop out of the list, so that no other thread joins it. */
static void
remove_loop (Loop *loop)
{
  for (Loop **at = &loops; *at != NULL; at = &(*at)->next)
    if (*at == loop)
      {
        __atomic_store_n (at, loop->next, __ATOMIC_RELAXED);
        return;
      }
}

static void
take_part (Loop *loop)
{
  const guint worker = ++loop->n_joined;
  guint n_active;

  __atomic_store_n (&loop->n_active, loop->n_active + 1, __ATOMIC_RELAXED);
  if (worker + 1 == loop->n_workers)
    remove_loop (loop);
  g_mutex_unlock (&lock);

  c2g_interrupt_set (loop->cancellable);
  work (loop, worker);
  c2g_interrupt_set (NULL);

  g_mutex_lock (&lock);
  remove_loop (loop);
  n_active = loop->n_active - 1;
  __atomic_store_n (&loop->n_active, n_active, __ATOMIC_RELEASE);
  if (n_active == 0 && n_waiting > 0)
    g_cond_broadcast (&done);
}

/* Waits with the lock until there is a loop. */
static void
find_loop (void)
{
  if (loops != NULL)
    return;

  g_mutex_unlock (&lock);
  spin (NULL);
  g_mutex_lock (&lock);
  n_sleeping++;
  while (loops == NULL)
    g_cond_wait (&wake, &lock);
  n_sleeping--;
}

static gpointer G_GNUC_NORETURN
run_thread (gpointer data)
{
  g_mutex_lock (&lock);
  for (;;)
    {
      find_loop ();
      take_part (loops);
    }
}

/* Waits with the lock until no worker is busy with the loop, which is out of the list. */
static void
finish_loop (const Loop *loop)
{
  if (loop->n_active == 0)
    return;

  g_mutex_unlock (&lock);
  spin (loop);
  g_mutex_lock (&lock);
  n_waiting++;
  while (loop->n_active > 0)
    g_cond_wait (&done, &lock);
  n_waiting--;
}

/* Starts threads. If that fails, the loop runs with fewer. */
static void
ensure_threads (guint n_wanted)
{
  while (n_threads < n_wanted)
    {
      GThread *thread = g_thread_try_new ("c2g-loop", run_thread, NULL, NULL);

      if (thread == NULL)
        return;
      g_thread_unref (thread);
      n_threads++;
    }
}

guint
c2g_parallel_get_n_workers (void)
{
  static guint n_processors;
  guint n = __atomic_load_n (&c2g_settings_n_threads, __ATOMIC_RELAXED);

  if (n == 0)
    n = __atomic_load_n (&n_processors, __ATOMIC_RELAXED);
  if (n == 0)
    {
      n = MIN (g_get_num_processors (), C2G_SETTINGS_MAX_THREADS);
      __atomic_store_n (&n_processors, n, __ATOMIC_RELAXED);
    }
  return n;
}

static void
run_loop (Loop *loop)
{
  g_mutex_lock (&lock);
  ensure_threads (loop->n_workers - 1);
  loop->next = loops;
  __atomic_store_n (&loops, loop, __ATOMIC_RELAXED);
  if (n_sleeping > 0)
    g_cond_broadcast (&wake);
  g_mutex_unlock (&lock);

  work (loop, 0);

  g_mutex_lock (&lock);
  remove_loop (loop);
  finish_loop (loop);
  g_mutex_unlock (&lock);
}

void
c2g_parallel_for_workers (gsize           n,
                          gsize           grain,
                          guint           n_workers,
                          C2gParallelFunc func,
                          gpointer        data)
{
  GCancellable *cancellable = c2g_interrupt_cancellable;
  const gsize n_most = (gsize) PARTS_PER_WORKER * MAX (n_workers, 1) *
                       (cancellable != NULL ? PARTS_PER_PART : 1);
  const gsize part = MAX (MAX (grain, 1), n / n_most);
  const gsize n_parts = n / part + (n % part != 0);
  Loop loop = { func, data, n, part, MIN (n_workers, n_parts), cancellable };

  if (n == 0)
    return;
  if (loop.n_workers > 1)
    run_loop (&loop);
  else if (cancellable != NULL)
    work (&loop, 0);
  else
    func (0, n, 0, data);
}

void
c2g_parallel_for (gsize           n,
                  gsize           grain,
                  C2gParallelFunc func,
                  gpointer        data)
{
  c2g_parallel_for_workers (n, grain, c2g_parallel_get_n_workers (), func, data);
}
