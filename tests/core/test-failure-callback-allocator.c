/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

typedef struct
{
  guint         n_calls;
  guint         n_tries_allowed;
  guint         last_n_tries;
  guint64       last_n_bytes;
  C2gAllocator *last_allocator;
  gboolean      destroyed;
} Calls;

static gboolean
count_calls (C2gAllocator *allocator,
             guint64       n_bytes,
             guint         n_tries,
             gpointer      user_data)
{
  Calls *calls = user_data;

  calls->n_calls++;
  calls->last_n_tries = n_tries;
  calls->last_n_bytes = n_bytes;
  calls->last_allocator = allocator;

  return n_tries <= calls->n_tries_allowed;
}

static void
destroy_calls (gpointer user_data)
{
  Calls *calls = user_data;

  g_assert_false (calls->destroyed);
  calls->destroyed = TRUE;
}

static C2gStorage *
allocate (gpointer  allocator,
          gsize     n_bytes,
          GError  **error)
{
  return c2g_allocator_allocate (C2G_ALLOCATOR (allocator), n_bytes, NULL, error);
}

static ProbeAllocator *
new_probe (int fail_at,
           int n_fail)
{
  g_autoptr (C2gAllocator) cpu = c2g_cpu_allocator_new ();
  ProbeAllocator *probe = PROBE_ALLOCATOR (probe_allocator_new (cpu));

  probe->fail_at = fail_at;
  probe->n_fail = n_fail;

  return probe;
}

static void
test_not_called (void)
{
  g_autoptr (ProbeAllocator) probe = new_probe (0, 0);
  Calls calls = { .n_tries_allowed = 1 };
  C2gAllocator *allocator =
    c2g_failure_callback_allocator_new (C2G_ALLOCATOR (probe), count_calls, &calls, destroy_calls);

  c2g_storage_unref (allocate (allocator, 100, NULL));
  g_assert_cmpuint (calls.n_calls, ==, 0);
  g_assert_false (calls.destroyed);
  g_assert_finalize_object (allocator);
  g_assert_true (calls.destroyed);
}

static void
test_retry_once (void)
{
  g_autoptr (ProbeAllocator) probe = new_probe (1, 1);
  Calls calls = { .n_tries_allowed = 1 };
  g_autoptr (C2gAllocator) allocator =
    c2g_failure_callback_allocator_new (C2G_ALLOCATOR (probe), count_calls, &calls, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = allocate (allocator, 100, &error);

  g_assert_no_error (error);
  g_assert_nonnull (storage);
  g_assert_cmpuint (calls.n_calls, ==, 1);
  g_assert_cmpuint (calls.last_n_tries, ==, 1);
  g_assert_cmpuint (calls.last_n_bytes, ==, 100);
  g_assert_true (calls.last_allocator == allocator);
  g_assert_cmpint (probe->n_calls, ==, 2);
}

static void
test_gives_up (void)
{
  g_autoptr (ProbeAllocator) probe = new_probe (1, 100);
  Calls calls = { .n_tries_allowed = 4 };
  g_autoptr (C2gAllocator) allocator =
    c2g_failure_callback_allocator_new (C2G_ALLOCATOR (probe), count_calls, &calls, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (allocate (allocator, 100, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpstr (error->message, ==, "Injected at call 5");
  g_assert_cmpuint (calls.n_calls, ==, 5);
  g_assert_cmpuint (calls.last_n_tries, ==, 5);

  /* The caller passes no place for the error. */
  g_assert_null (allocate (allocator, 100, NULL));
  g_assert_cmpuint (calls.n_calls, ==, 10);
}

static void
test_other_errors (void)
{
  const int codes[] = { C2G_ERROR_DEVICE, C2G_ERROR_FAILED, C2G_ERROR_NOT_SUPPORTED };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (ProbeAllocator) probe = new_probe (1, 1);
      Calls calls = { .n_tries_allowed = 1 };
      g_autoptr (C2gAllocator) allocator =
        c2g_failure_callback_allocator_new (C2G_ALLOCATOR (probe), count_calls, &calls, NULL);
      g_autoptr (GError) error = NULL;

      probe->error_code = codes[i];
      g_assert_null (allocate (allocator, 100, &error));
      g_assert_error (error, C2G_ERROR, codes[i]);
      g_assert_cmpuint (calls.n_calls, ==, 0);
    }
}

static void
test_no_callback (void)
{
  g_autoptr (ProbeAllocator) probe = new_probe (1, 1);
  g_autoptr (C2gAllocator) allocator =
    g_object_new (C2G_TYPE_FAILURE_CALLBACK_ALLOCATOR, "upstream", probe, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (allocator)) ==
                 C2G_ALLOCATOR (probe));
  g_assert_null (allocate (allocator, 100, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

static gboolean
free_some (C2gAllocator *allocator,
           guint64       n_bytes,
           guint         n_tries,
           gpointer      user_data)
{
  GQueue *cache = user_data;
  C2gStorage *storage = g_queue_pop_head (cache);

  if (storage == NULL)
    return FALSE;

  c2g_storage_unref (storage);

  return TRUE;
}

/* The intended use: a callback frees cached blocks until the allocation succeeds. */
static void
test_makes_room (void)
{
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (NULL, 1000);
  GQueue cache = G_QUEUE_INIT;
  g_autoptr (C2gAllocator) allocator =
    c2g_failure_callback_allocator_new (limiting, free_some, &cache, NULL);
  g_autoptr (C2gStorage) storage = NULL;
  guint i;

  for (i = 0; i < 10; i++)
    g_queue_push_tail (&cache, allocate (allocator, 100, NULL));

  storage = allocate (allocator, 350, NULL);
  g_assert_nonnull (storage);
  g_assert_cmpuint (g_queue_get_length (&cache), ==, 6);

  g_assert_null (allocate (allocator, 800, NULL));
  g_assert_cmpuint (g_queue_get_length (&cache), ==, 0);
}

static gboolean
allocate_within (C2gAllocator *allocator,
                 guint64       n_bytes,
                 guint         n_tries,
                 gpointer      user_data)
{
  Calls *calls = user_data;
  g_autoptr (C2gStorage) small = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (++calls->n_calls, ==, 1);

  /* A size that fits is allocated, and one that does not fit fails at once. */
  small = allocate (allocator, 10, NULL);
  g_assert_nonnull (small);
  g_assert_null (allocate (allocator, n_bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);

  return FALSE;
}

static void
test_allocates_within (void)
{
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (NULL, 100);
  Calls calls = { 0 };
  g_autoptr (C2gAllocator) allocator =
    c2g_failure_callback_allocator_new (limiting, allocate_within, &calls, NULL);

  g_assert_null (allocate (allocator, 200, NULL));
  g_assert_cmpuint (calls.n_calls, ==, 1);
  calls.n_calls = 0;
  g_assert_null (allocate (allocator, 200, NULL));
  g_assert_cmpuint (calls.n_calls, ==, 1);
}

/* Two in a stack: the callback of the upper one runs only after the lower one has failed. */
static void
test_twice (void)
{
  g_autoptr (ProbeAllocator) probe = new_probe (1, 3);
  Calls inner_calls = { .n_tries_allowed = 1 };
  Calls outer_calls = { .n_tries_allowed = 1 };
  g_autoptr (C2gAllocator) inner =
    c2g_failure_callback_allocator_new (C2G_ALLOCATOR (probe), count_calls, &inner_calls, NULL);
  g_autoptr (C2gAllocator) outer =
    c2g_failure_callback_allocator_new (inner, count_calls, &outer_calls, NULL);
  g_autoptr (C2gStorage) storage = allocate (outer, 100, NULL);

  g_assert_nonnull (storage);
  g_assert_cmpuint (inner_calls.n_calls, ==, 3);
  g_assert_cmpuint (outer_calls.n_calls, ==, 1);
  g_assert_cmpint (probe->n_calls, ==, 4);
}

static void
count_pressure (C2gAllocator *allocator,
                guint64       n_bytes,
                gpointer      user_data)
{
  guint64 *sum = user_data;

  *sum += n_bytes;
}

/* Each allocator that failed emits the signal. If a retry saved the request, the top does not emit
 * it. */
static void
test_pressure (void)
{
  g_autoptr (ProbeAllocator) probe = new_probe (1, 1);
  Calls calls = { .n_tries_allowed = 1 };
  g_autoptr (C2gAllocator) allocator =
    c2g_failure_callback_allocator_new (C2G_ALLOCATOR (probe), count_calls, &calls, NULL);
  g_autoptr (C2gStorage) storage = NULL;
  guint64 n_top = 0, n_bottom = 0;

  g_signal_connect (allocator, "pressure", G_CALLBACK (count_pressure), &n_top);
  g_signal_connect (probe, "pressure", G_CALLBACK (count_pressure), &n_bottom);

  storage = allocate (allocator, 100, NULL);
  g_assert_nonnull (storage);
  g_assert_cmpuint (n_bottom, ==, 100);
  g_assert_cmpuint (n_top, ==, 0);

  probe->fail_at = probe->n_calls + 1;
  probe->n_fail = 2;
  g_assert_null (allocate (allocator, 7, NULL));
  g_assert_cmpuint (n_bottom, ==, 114);
  g_assert_cmpuint (n_top, ==, 7);
}

static gpointer
fail_often (gpointer data)
{
  guint i;

  for (i = 0; i < 300; i++)
    g_assert_null (allocate (data, 10000, NULL));

  return NULL;
}

static gboolean
count_atomically (C2gAllocator *allocator,
                  guint64       n_bytes,
                  guint         n_tries,
                  gpointer      user_data)
{
  g_atomic_int_inc ((int *) user_data);

  return n_tries < 3;
}

static void
test_threads (void)
{
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (NULL, 1000);
  int n_calls = 0;
  g_autoptr (C2gAllocator) allocator =
    c2g_failure_callback_allocator_new (limiting, count_atomically, &n_calls, NULL);
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("fail", fail_often, allocator);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_cmpint (n_calls, ==, 4 * 300 * 3);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/failure-callback-allocator/not-called", test_not_called);
  c2g_test_add_func ("/failure-callback-allocator/retry-once", test_retry_once);
  c2g_test_add_func ("/failure-callback-allocator/gives-up", test_gives_up);
  c2g_test_add_func ("/failure-callback-allocator/other-errors", test_other_errors);
  c2g_test_add_func ("/failure-callback-allocator/no-callback", test_no_callback);
  c2g_test_add_func ("/failure-callback-allocator/makes-room", test_makes_room);
  c2g_test_add_func ("/failure-callback-allocator/allocates-within", test_allocates_within);
  c2g_test_add_func ("/failure-callback-allocator/twice", test_twice);
  c2g_test_add_func ("/failure-callback-allocator/pressure", test_pressure);
  c2g_test_add_func ("/failure-callback-allocator/threads", test_threads);

  return c2g_test_run ();
}
