/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-job-private.h>
#include <c2g/io/stream/c2g-progress-private.h>

#include "tests/test-utils.h"

#define N_STEPS   1000
#define STEP_SIZE 100

typedef struct
{
  C2gProgress *progress;
  GThread     *thread;
  guint        n_emissions;
  guint64      n_bytes_done;
} Listener;

static void
changed_cb (C2gProgress *progress,
            guint64      n_bytes_done,
            guint64      n_bytes_total,
            gpointer     data)
{
  Listener *listener = data;

  g_assert_true (listener->thread == g_thread_self ());
  g_assert_cmpuint (n_bytes_total, ==, N_STEPS * STEP_SIZE);
  g_assert_cmpuint (n_bytes_done, >=, listener->n_bytes_done);
  g_assert_cmpuint (n_bytes_done, <=, n_bytes_total);
  listener->n_bytes_done = n_bytes_done;
  listener->n_emissions++;
}

static void
listener_init (Listener *self)
{
  *self = (Listener) { c2g_progress_new (), g_thread_self (), 0, 0 };
  g_signal_connect (self->progress, "changed", G_CALLBACK (changed_cb), self);
}

static gpointer
work (gpointer data)
{
  C2gJob job = { .progress = data };

  c2g_job_expect (&job, N_STEPS * STEP_SIZE);
  for (guint i = 0; i < N_STEPS; i++)
    g_assert_true (c2g_job_advance (&job, STEP_SIZE, NULL));
  return NULL;
}

static void
test_same_thread (void)
{
  Listener listener;

  listener_init (&listener);
  for (guint round = 1; round <= 2; round++)
    {
      listener.n_bytes_done = 0;
      c2g_progress_begin (listener.progress, NULL);
      g_assert_cmpuint (c2g_progress_get_n_bytes_done (listener.progress), ==, 0);
      work (listener.progress);
      g_assert_cmpuint (listener.n_bytes_done, ==, N_STEPS * STEP_SIZE);
      g_assert_cmpuint (listener.n_emissions, >, round * 50);
      g_assert_cmpuint (listener.n_emissions, <=, round * 130);
    }
  g_assert_cmpuint (c2g_progress_get_n_bytes_total (listener.progress), ==, N_STEPS * STEP_SIZE);
  g_object_unref (listener.progress);
}

/* Bytes reported by other threads count, but only the thread that began emits. */
static void
test_helpers (void)
{
  Listener listener;

  listener_init (&listener);
  c2g_progress_begin (listener.progress, NULL);
  g_thread_join (g_thread_new ("work", work, listener.progress));
  g_assert_cmpuint (listener.n_emissions, ==, 0);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (listener.progress), ==, N_STEPS * STEP_SIZE);
  g_object_unref (listener.progress);
}

/* With a main context its thread emits, and always gets the final state. */
static void
test_context (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  GThread *thread;
  Listener listener;

  listener_init (&listener);
  c2g_progress_begin (listener.progress, context);
  thread = g_thread_new ("work", work, listener.progress);
  while (listener.n_bytes_done < N_STEPS * STEP_SIZE)
    g_main_context_iteration (context, TRUE);
  g_thread_join (thread);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpuint (listener.n_emissions, >, 0);
  g_object_unref (listener.progress);
}

/* A context that is never iterated does not delay the next one. */
static void
test_lost_context (void)
{
  GMainContext *lost = g_main_context_new ();
  g_autoptr (GMainContext) context = g_main_context_new ();
  Listener listener;

  listener_init (&listener);
  c2g_progress_begin (listener.progress, lost);
  work (listener.progress);

  c2g_progress_begin (listener.progress, context);
  g_main_context_unref (lost);
  work (listener.progress);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpuint (listener.n_emissions, >, 0);
  g_assert_cmpuint (listener.n_bytes_done, ==, N_STEPS * STEP_SIZE);
  g_object_unref (listener.progress);
}

static void
test_properties (void)
{
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  guint64 n_bytes_done;
  guint64 n_bytes_total;

  c2g_progress_begin (progress, NULL);
  c2g_progress_expect (progress, 10);
  c2g_progress_add (progress, 3);
  g_object_get (progress, "n-bytes-done", &n_bytes_done, "n-bytes-total", &n_bytes_total, NULL);
  g_assert_cmpuint (n_bytes_done, ==, 3);
  g_assert_cmpuint (n_bytes_total, ==, 10);
}

static void
test_nobody (void)
{
  C2gJob job = { NULL };

  c2g_job_expect (NULL, 10);
  g_assert_true (c2g_job_advance (NULL, 10, NULL));
  c2g_job_expect (&job, 10);
  g_assert_true (c2g_job_advance (&job, 10, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/progress/same-thread", test_same_thread);
  c2g_test_add_func ("/progress/helpers", test_helpers);
  c2g_test_add_func ("/progress/context", test_context);
  c2g_test_add_func ("/progress/lost-context", test_lost_context);
  c2g_test_add_func ("/progress/properties", test_properties);
  c2g_test_add_func ("/progress/nobody", test_nobody);

  return c2g_test_run ();
}
