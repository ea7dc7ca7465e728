/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/stream/c2g-context-call-private.h>

#include <string.h>

typedef struct
{
  GMainContext *context;
  GCancellable *cancellable;

  /* The result to return, the thread of the call, and the number of calls. */
  gboolean      fails;
  GThread      *thread;
  int           n_calls;
  int           n_destroyed;

  /* Set when the call has ended. */
  GBytes       *result;
  GError       *error;
  GMainLoop    *loop;
} Data;

static GBytes *
give (gpointer   data,
      GError   **error)
{
  Data *self = data;

  self->thread = g_thread_self ();
  self->n_calls++;
  if (!self->fails)
    return g_bytes_new_static ("given", 5);

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_TYPE, "not given");
  return NULL;
}

static void
destroy (gpointer data)
{
  Data *self = data;

  g_atomic_int_inc (&self->n_destroyed);
}

static gpointer
call_in_thread (gpointer data)
{
  Data *self = data;

  self->result = c2g_context_call (self->context, give, self, destroy, self->cancellable,
                                   &self->error);
  if (self->loop != NULL)
    g_main_loop_quit (self->loop);
  return NULL;
}

static void
assert_given (Data *self)
{
  g_assert_cmpint (self->n_calls, ==, 1);
  g_assert_cmpint (self->n_destroyed, ==, 1);
  g_assert_true (self->thread == g_thread_self ());
  if (self->fails)
    {
      g_assert_null (self->result);
      g_assert_error (self->error, C2G_ERROR, C2G_ERROR_TYPE);
      g_clear_error (&self->error);
      return;
    }

  g_assert_no_error (self->error);
  g_assert_cmpmem (g_bytes_get_data (self->result, NULL), g_bytes_get_size (self->result),
                   "given", 5);
  g_bytes_unref (self->result);
}

static void
test_here (void)
{
  for (int i = 0; i < 2; i++)
    {
      Data data = { .fails = i };

      call_in_thread (&data);
      assert_given (&data);
    }
}

static void
test_elsewhere (void)
{
  for (int i = 0; i < 4; i++)
    {
      g_autoptr (GMainContext) context = g_main_context_new ();
      g_autoptr (GMainLoop) loop = g_main_loop_new (context, FALSE);
      g_autoptr (GCancellable) cancellable = i < 2 ? NULL : g_cancellable_new ();
      Data data = { .context = context, .cancellable = cancellable, .fails = i % 2, .loop = loop };
      GThread *thread = g_thread_new ("caller", call_in_thread, &data);

      g_main_loop_run (loop);
      g_thread_join (thread);
      assert_given (&data);
    }
}

/* A context that is never iterated. */
static void
test_cancelled (void)
{
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GMainContext) context = g_main_context_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Data data = { .context = context, .cancellable = cancellable };
      GThread *thread;

      if (i == 0)
        g_cancellable_cancel (cancellable);
      thread = g_thread_new ("caller", call_in_thread, &data);
      g_usleep (2000);
      g_cancellable_cancel (cancellable);
      g_thread_join (thread);
      g_assert_error (data.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&data.error);

      /* A cancelled call is not made later. */
      while (g_main_context_iteration (context, FALSE))
        ;
      g_assert_cmpint (data.n_calls, ==, 0);
      g_assert_cmpint (data.n_destroyed, ==, 1);
    }
}

static void
test_gone (void)
{
  GMainContext *context = g_main_context_new ();
  Data data = { .context = context };
  GThread *thread = g_thread_new ("caller", call_in_thread, &data);

  while (!g_main_context_pending (context))
    g_thread_yield ();
  g_main_context_unref (context);
  g_thread_join (thread);
  g_assert_error (data.error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&data.error);
  g_assert_cmpint (data.n_calls, ==, 0);
  g_assert_cmpint (data.n_destroyed, ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/context-call/here", test_here);
  c2g_test_add_func ("/context-call/elsewhere", test_elsewhere);
  c2g_test_add_func ("/context-call/cancelled", test_cancelled);
  c2g_test_add_func ("/context-call/gone", test_gone);

  return c2g_test_run ();
}
