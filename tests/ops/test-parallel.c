/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/ops/support/c2g-parallel-private.h>

#define N_MAX     5000
#define N_WORKERS 8
#define N_THREADS 4
#define N_ROUNDS  200

typedef struct
{
  /* The number of calls for each index. */
  int   counts[N_MAX];
  /* TRUE while a worker is running. */
  int   busy[N_WORKERS];
  gsize n;
  gsize grain;
  guint n_workers;
  int   n_short;
} Loop;

static void
count_cb (gsize    begin,
          gsize    end,
          guint    worker,
          gpointer data)
{
  Loop *loop = data;

  g_assert_cmpuint (begin, <, end);
  g_assert_cmpuint (end, <=, loop->n);
  g_assert_cmpuint (worker, <, loop->n_workers);
  g_assert_cmpint (g_atomic_int_add (&loop->busy[worker], 1), ==, 0);
  if (end - begin < loop->grain)
    g_atomic_int_inc (&loop->n_short);

  for (gsize i = begin; i < end; i++)
    g_atomic_int_inc (&loop->counts[i]);
  g_atomic_int_add (&loop->busy[worker], -1);
}

static void
check_loop (gsize n,
            gsize grain,
            guint n_workers)
{
  g_autofree Loop *loop = g_new0 (Loop, 1);

  loop->n = n;
  loop->grain = grain;
  loop->n_workers = n_workers;
  c2g_parallel_for_workers (n, grain, n_workers, count_cb, loop);

  for (gsize i = 0; i < N_MAX; i++)
    g_assert_cmpint (loop->counts[i], ==, i < n);
  /* Only the last part may be short. */
  g_assert_cmpint (loop->n_short, <=, 1);
}

static void
test_parts (void)
{
  static const gsize numbers[] = { 0, 1, 2, 3, 7, 64, 1000, 4999, N_MAX };
  static const gsize grains[] = { 0, 1, 3, 64, 999, N_MAX, G_MAXSIZE };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (grains); j++)
      for (guint n_workers = 1; n_workers <= N_WORKERS; n_workers++)
        check_loop (numbers[i], grains[j], n_workers);
}

static void
nested_cb (gsize    begin,
           gsize    end,
           guint    worker,
           gpointer data)
{
  for (gsize i = begin; i < end; i++)
    check_loop (100 + i, 1, 3);
}

static void
test_nested (void)
{
  for (int i = 0; i < N_ROUNDS; i++)
    c2g_parallel_for_workers (9, 1, 4, nested_cb, NULL);
}

static gpointer
run_nested_cb (gpointer data)
{
  test_nested ();
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("loops", run_nested_cb, NULL);
  for (int i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

static void
remember_thread_cb (gsize    begin,
                    gsize    end,
                    guint    worker,
                    gpointer data)
{
  GThread **thread = data;

  g_assert_cmpuint (begin, ==, 0);
  g_assert_cmpuint (worker, ==, 0);
  *thread = g_thread_self ();
}

static void
test_settings (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  GThread *thread = NULL;

  g_assert_cmpuint (c2g_parallel_get_n_workers (), ==, g_get_num_processors ());
  c2g_settings_set_n_threads (settings, 3);
  g_assert_cmpuint (c2g_parallel_get_n_workers (), ==, 3);

  /* With one thread, the caller itself does all the work. */
  c2g_settings_set_n_threads (settings, 1);
  c2g_parallel_for (N_MAX, 1, remember_thread_cb, &thread);
  g_assert_true (thread == g_thread_self ());

  c2g_settings_set_n_threads (settings, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/parallel/settings", test_settings);
  c2g_test_add_func ("/parallel/parts", test_parts);
  c2g_test_add_func ("/parallel/nested", test_nested);
  c2g_test_add_func ("/parallel/threads", test_threads);

  return c2g_test_run ();
}
