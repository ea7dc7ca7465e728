/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/device/c2g-device-backend.h>

#define N_WAITERS 4
#define N_ROUNDS  500

/* Asynchronous work, with functions that wait for it. */
typedef struct
{
  GMutex   lock;
  GCond    changed;
  gboolean is_done;
  gboolean has_failed;
  gboolean has_reason;
  int      n_queries;
  int      n_waits;
  int      n_freed;
} Work;

static void
work_init (Work *work)
{
  memset (work, 0, sizeof *work);
  g_mutex_init (&work->lock);
  g_cond_init (&work->changed);
  work->has_reason = TRUE;
}

static void
work_clear (Work *work)
{
  g_cond_clear (&work->changed);
  g_mutex_clear (&work->lock);
}

static void
work_end (Work     *work,
          gboolean  has_failed)
{
  g_mutex_lock (&work->lock);
  work->is_done = TRUE;
  work->has_failed = has_failed;
  g_cond_broadcast (&work->changed);
  g_mutex_unlock (&work->lock);
}

static void
set_reason (Work    *work,
            GError **error)
{
  if (work->has_reason)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_DEVICE, "on fire");
}

static C2gEventStatus
query_work (gpointer  handle,
            GError  **error)
{
  Work *work = handle;
  C2gEventStatus status = C2G_EVENT_SCHEDULED;

  g_mutex_lock (&work->lock);
  work->n_queries++;
  if (work->is_done)
    status = work->has_failed ? C2G_EVENT_FAILED : C2G_EVENT_SUCCESS;
  g_mutex_unlock (&work->lock);

  if (status == C2G_EVENT_FAILED)
    set_reason (work, error);

  return status;
}

static gboolean
finish_work (gpointer  handle,
             GError  **error)
{
  Work *work = handle;

  g_mutex_lock (&work->lock);
  while (!work->is_done)
    g_cond_wait (&work->changed, &work->lock);
  g_mutex_unlock (&work->lock);

  if (work->has_failed)
    set_reason (work, error);

  return !work->has_failed;
}

static gboolean
wait_for_work (gpointer     handle,
               C2gContext  *context,
               GError     **error)
{
  Work *work = handle;

  g_atomic_int_inc (&work->n_waits);
  return TRUE;
}

static void
free_work (gpointer handle)
{
  Work *work = handle;

  g_atomic_int_inc (&work->n_freed);
}

static const C2gEventFuncs work_funcs = {
  .query = query_work,
  .finish = finish_work,
  .wait = wait_for_work,
  .free = free_work,
};

static void
test_new (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:1", NULL);
  g_autoptr (C2gEvent) event = c2g_event_new (device);
  g_autoptr (C2gEvent) cpu_event = c2g_event_new (NULL);
  g_autoptr (C2gEvent) plain = g_object_new (C2G_TYPE_EVENT, NULL);
  C2gDevice *got;

  g_assert_true (c2g_event_get_device (event) == device);
  g_assert_true (c2g_event_get_device (cpu_event) == c2g_device_cpu ());
  g_assert_true (c2g_event_get_device (plain) == c2g_device_cpu ());
  g_object_get (event, "device", &got, NULL);
  g_assert_true (got == device);

  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_INITIALIZED);
  g_assert_false (c2g_event_is_scheduled (event));
  g_assert_false (c2g_event_is_finished (event));
  g_assert_null (c2g_event_dup_error_message (event));

  g_assert_finalize_object (g_steal_pointer (&event));
}

/* Repeats Caffe2's EventBasics: INITIALIZED, SCHEDULED, SUCCESS. */
static void
test_basics (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gEvent) event = c2g_event_new (c2g_device_cpu ());
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_context_record (context, event, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);
  g_assert_true (c2g_event_is_scheduled (event));
  g_assert_false (c2g_event_is_finished (event));

  g_assert_true (c2g_context_wait (context, event, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);
  g_assert_true (c2g_event_is_scheduled (event));
  g_assert_true (c2g_event_is_finished (event));
  g_assert_true (c2g_event_finish (event, &error));
  g_assert_no_error (error);

  c2g_event_reset (event);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_INITIALIZED);
  g_assert_true (c2g_context_record (context, event, &error));
  g_assert_true (c2g_event_finish (event, &error));
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);
}

/* Finishing a context finishes the events recorded before, but not later ones. */
static void
test_context_finish (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gEvent) before = c2g_event_new (NULL);
  g_autoptr (C2gEvent) after = c2g_event_new (NULL);

  g_assert_true (c2g_context_record (context, before, NULL));
  g_assert_true (c2g_context_finish (context, NULL));
  g_assert_true (c2g_context_record (context, after, NULL));
  g_assert_cmpint (c2g_event_query (before), ==, C2G_EVENT_SUCCESS);
  g_assert_cmpint (c2g_event_query (after), ==, C2G_EVENT_SCHEDULED);

  /* The event still works when its context is finalized. */
  g_assert_finalize_object (g_steal_pointer (&context));
  g_assert_cmpint (c2g_event_query (after), ==, C2G_EVENT_SCHEDULED);
  g_assert_true (c2g_event_finish (after, NULL));
  g_assert_cmpint (c2g_event_query (after), ==, C2G_EVENT_SUCCESS);
}

typedef enum
{
  RECORD,
  FINISH,
  WAIT,
  SET_SUCCESS,
  SET_FAILED,
  RESET,
} Step;

static gboolean
take_step (C2gContext  *context,
           C2gEvent    *event,
           Step         step,
           GError     **error)
{
  switch (step)
    {
    case RECORD:
      return c2g_context_record (context, event, error);
    case FINISH:
      return c2g_event_finish (event, error);
    case WAIT:
      return c2g_context_wait (context, event, error);
    case SET_SUCCESS:
      return c2g_event_set_finished (event, NULL, error);
    case SET_FAILED:
      return c2g_event_set_finished (event, "went wrong", error);
    case RESET:
      c2g_event_reset (event);
      return TRUE;
    default:
      g_assert_not_reached ();
    }
}

/* Every operation in every state. */
static void
test_state_machine (void)
{
  static const struct
  {
    C2gEventStatus from;
    Step           step;
    C2gEventStatus to;
    int            code;
  } cases[] = {
    { C2G_EVENT_INITIALIZED, RECORD, C2G_EVENT_SCHEDULED, -1 },
    { C2G_EVENT_INITIALIZED, FINISH, C2G_EVENT_INITIALIZED, -1 },
    { C2G_EVENT_INITIALIZED, WAIT, C2G_EVENT_INITIALIZED, -1 },
    { C2G_EVENT_INITIALIZED, SET_SUCCESS, C2G_EVENT_SUCCESS, -1 },
    { C2G_EVENT_INITIALIZED, SET_FAILED, C2G_EVENT_FAILED, -1 },
    { C2G_EVENT_INITIALIZED, RESET, C2G_EVENT_INITIALIZED, -1 },
    { C2G_EVENT_SCHEDULED, RECORD, C2G_EVENT_SCHEDULED, C2G_ERROR_BUSY },
    { C2G_EVENT_SCHEDULED, FINISH, C2G_EVENT_SUCCESS, -1 },
    { C2G_EVENT_SCHEDULED, WAIT, C2G_EVENT_SUCCESS, -1 },
    { C2G_EVENT_SCHEDULED, SET_SUCCESS, C2G_EVENT_SUCCESS, -1 },
    { C2G_EVENT_SCHEDULED, SET_FAILED, C2G_EVENT_FAILED, -1 },
    { C2G_EVENT_SCHEDULED, RESET, C2G_EVENT_INITIALIZED, -1 },
    { C2G_EVENT_SUCCESS, RECORD, C2G_EVENT_SUCCESS, C2G_ERROR_BUSY },
    { C2G_EVENT_SUCCESS, FINISH, C2G_EVENT_SUCCESS, -1 },
    { C2G_EVENT_SUCCESS, WAIT, C2G_EVENT_SUCCESS, -1 },
    { C2G_EVENT_SUCCESS, SET_SUCCESS, C2G_EVENT_SUCCESS, C2G_ERROR_BUSY },
    { C2G_EVENT_SUCCESS, SET_FAILED, C2G_EVENT_SUCCESS, C2G_ERROR_BUSY },
    { C2G_EVENT_SUCCESS, RESET, C2G_EVENT_INITIALIZED, -1 },
    { C2G_EVENT_FAILED, RECORD, C2G_EVENT_FAILED, C2G_ERROR_BUSY },
    { C2G_EVENT_FAILED, FINISH, C2G_EVENT_FAILED, C2G_ERROR_FAILED },
    { C2G_EVENT_FAILED, WAIT, C2G_EVENT_FAILED, C2G_ERROR_FAILED },
    { C2G_EVENT_FAILED, SET_SUCCESS, C2G_EVENT_FAILED, C2G_ERROR_BUSY },
    { C2G_EVENT_FAILED, SET_FAILED, C2G_EVENT_FAILED, C2G_ERROR_BUSY },
    { C2G_EVENT_FAILED, RESET, C2G_EVENT_INITIALIZED, -1 },
  };
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gEvent) event = c2g_event_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *message = NULL;

      if (cases[i].from == C2G_EVENT_SCHEDULED)
        g_assert_true (c2g_context_record (context, event, NULL));
      else if (cases[i].from != C2G_EVENT_INITIALIZED)
        take_step (context, event,
                   cases[i].from == C2G_EVENT_SUCCESS ? SET_SUCCESS : SET_FAILED, NULL);
      g_assert_cmpint (c2g_event_query (event), ==, cases[i].from);

      g_assert_cmpint (take_step (context, event, cases[i].step, &error), ==, cases[i].code < 0);
      if (cases[i].code < 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, C2G_ERROR, cases[i].code);

      g_assert_cmpint (c2g_event_query (event), ==, cases[i].to);
      message = c2g_event_get_error_message (event);
      g_assert_cmpstr (message, ==, cases[i].to == C2G_EVENT_FAILED ? "went wrong" : NULL);
    }
}

static void
test_other_device (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gEvent) event = c2g_event_new (c2g_device_parse ("cuda:0", NULL));
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_context_record (context, event, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "cuda:0"));
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_INITIALIZED);
}

static gpointer
finish_cb (gpointer data)
{
  GError *error = NULL;

  c2g_event_finish (data, &error);
  return error;
}

/* Threads wait until another thread finishes the event. */
static void
test_waiters (void)
{
  for (int round = 0; round < 2; round++)
    {
      g_autoptr (C2gEvent) event = c2g_event_new (NULL);
      GThread *threads[N_WAITERS];

      g_assert_true (c2g_event_schedule (event, NULL, NULL, NULL));
      for (int i = 0; i < N_WAITERS; i++)
        threads[i] = g_thread_new ("wait", finish_cb, event);
      g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);

      g_assert_true (c2g_event_set_finished (event, round == 0 ? NULL : "went wrong", NULL));
      for (int i = 0; i < N_WAITERS; i++)
        {
          g_autoptr (GError) error = g_thread_join (threads[i]);

          if (round == 0)
            g_assert_no_error (error);
          else
            g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
          if (round == 1)
            g_assert_cmpstr (error->message, ==, "went wrong");
        }
    }
}

static void
test_reset_lets_go (void)
{
  g_autoptr (C2gEvent) event = c2g_event_new (NULL);
  g_autoptr (GError) error = NULL;
  GThread *thread;

  g_assert_true (c2g_event_schedule (event, NULL, NULL, NULL));
  thread = g_thread_new ("wait", finish_cb, event);
  c2g_event_reset (event);
  error = g_thread_join (thread);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_INITIALIZED);
}

static gpointer
record_and_finish_cb (gpointer data)
{
  C2gEvent *event = data;

  for (int i = 0; i < N_ROUNDS; i++)
    {
      c2g_event_schedule (event, NULL, NULL, NULL);
      c2g_event_set_finished (event, i % 2 ? NULL : "went wrong", NULL);
      c2g_event_reset (event);
    }

  return NULL;
}

static gpointer
look_cb (gpointer data)
{
  C2gEvent *event = data;

  for (int i = 0; i < N_ROUNDS; i++)
    {
      g_autofree char *message = c2g_event_dup_error_message (event);

      g_assert_cmpint (c2g_event_query (event), <=, C2G_EVENT_FAILED);
      c2g_event_finish (event, NULL);
    }

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gEvent) event = c2g_event_new (NULL);
  GThread *threads[4];

  threads[0] = g_thread_new ("record", record_and_finish_cb, event);
  threads[1] = g_thread_new ("record", record_and_finish_cb, event);
  threads[2] = g_thread_new ("look", look_cb, event);
  threads[3] = g_thread_new ("look", look_cb, event);
  for (gsize i = 0; i < 2; i++)
    g_thread_join (threads[i]);

  /* Reset the event, whatever its state is, so that no thread waits for it any more. */
  c2g_event_reset (event);
  for (gsize i = 2; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* An event of an asynchronous device. */
static void
test_funcs (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gEvent) event = c2g_event_new (NULL);
  g_autoptr (GError) error = NULL;
  GThread *thread;
  Work work;

  work_init (&work);
  g_assert_true (c2g_event_schedule (event, &work_funcs, &work, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);
  g_assert_cmpint (work.n_queries, ==, 1);

  /* The device orders the context behind the event: this call does not block. */
  g_assert_true (c2g_context_wait (context, event, &error));
  g_assert_cmpint (work.n_waits, ==, 1);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);

  thread = g_thread_new ("wait", finish_cb, event);
  work_end (&work, FALSE);
  g_assert_null (g_thread_join (thread));
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);
  g_assert_cmpint (work.n_freed, ==, 1);

  work_clear (&work);
}

static void
test_funcs_failure (void)
{
  static const struct
  {
    gboolean    has_reason;
    gboolean    by_query;
    C2gError    code;
    const char *message;
  } cases[] = {
    { TRUE, TRUE, C2G_ERROR_DEVICE, "on fire" },
    { TRUE, FALSE, C2G_ERROR_DEVICE, "on fire" },
    { FALSE, TRUE, C2G_ERROR_FAILED, "The work failed without a reason" },
    { FALSE, FALSE, C2G_ERROR_FAILED, "The work failed without a reason" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gEvent) event = c2g_event_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *message = NULL;
      Work work;

      work_init (&work);
      work.has_reason = cases[i].has_reason;
      g_assert_true (c2g_event_schedule (event, &work_funcs, &work, NULL));
      work_end (&work, TRUE);
      if (cases[i].by_query)
        g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_FAILED);

      g_assert_false (c2g_event_finish (event, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_FAILED);
      message = c2g_event_dup_error_message (event);
      g_assert_cmpstr (message, ==, cases[i].message);
      g_assert_cmpint (work.n_freed, ==, 1);
      work_clear (&work);
    }
}

/* The handle is freed exactly once, however the recording ends. */
static void
test_funcs_free (void)
{
  C2gEvent *event = c2g_event_new (NULL);
  g_autoptr (GError) error = NULL;
  Work work;

  work_init (&work);
  g_assert_true (c2g_event_schedule (event, &work_funcs, &work, NULL));
  c2g_event_reset (event);
  g_assert_cmpint (work.n_freed, ==, 1);

  g_assert_true (c2g_event_schedule (event, &work_funcs, &work, NULL));
  g_assert_true (c2g_event_set_finished (event, NULL, NULL));
  g_assert_cmpint (work.n_freed, ==, 2);

  /* A second recording is refused, and frees its handle. */
  g_assert_false (c2g_event_schedule (event, &work_funcs, &work, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_cmpint (work.n_freed, ==, 3);

  c2g_event_reset (event);
  g_assert_true (c2g_event_schedule (event, &work_funcs, &work, NULL));
  g_assert_finalize_object (event);
  g_assert_cmpint (work.n_freed, ==, 4);

  work_clear (&work);
}

static void
test_status_class (void)
{
  GEnumClass *klass = g_type_class_ref (C2G_TYPE_EVENT_STATUS);

  g_assert_cmpuint (klass->n_values, ==, 4);
  g_assert_cmpstr (g_enum_get_value (klass, 0)->value_nick, ==, "initialized");
  g_assert_cmpstr (g_enum_get_value (klass, 1)->value_nick, ==, "scheduled");
  g_assert_cmpstr (g_enum_get_value (klass, 2)->value_nick, ==, "success");
  g_assert_cmpstr (g_enum_get_value (klass, 3)->value_nick, ==, "failed");
  g_type_class_unref (klass);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/event/new", test_new);
  c2g_test_add_func ("/event/basics", test_basics);
  c2g_test_add_func ("/event/context-finish", test_context_finish);
  c2g_test_add_func ("/event/state-machine", test_state_machine);
  c2g_test_add_func ("/event/other-device", test_other_device);
  c2g_test_add_func ("/event/waiters", test_waiters);
  c2g_test_add_func ("/event/reset-lets-go", test_reset_lets_go);
  c2g_test_add_func ("/event/threads", test_threads);
  c2g_test_add_func ("/event/funcs", test_funcs);
  c2g_test_add_func ("/event/funcs-failure", test_funcs_failure);
  c2g_test_add_func ("/event/funcs-free", test_funcs_free);
  c2g_test_add_func ("/event/status-class", test_status_class);

  return c2g_test_run ();
}
