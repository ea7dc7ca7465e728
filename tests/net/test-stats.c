/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#define N_THREADS 4
#define N_ROUNDS 2000

static void
test_class (void)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_new ();
  g_auto (GStrv) keys = NULL;

  for (int i = 0; i < 10; i++)
    {
      c2g_stat_registry_increment (stats, "first/num_runs", 5);
      c2g_stat_registry_increment (stats, "first/num_successes", i % 2);
      c2g_stat_registry_increment (stats, "second/num_runs", 1);
      c2g_stat_registry_add_sample (stats, "second/size", i);
    }

  keys = c2g_stat_registry_list_keys (stats);
  g_assert_cmpuint (g_strv_length (keys), ==, 5);
  g_assert_cmpstr (keys[0], ==, "first/num_runs");
  g_assert_cmpstr (keys[4], ==, "second/size/sum");
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "first/num_runs"), ==, 50);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "first/num_successes"), ==, 5);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "second/num_runs"), ==, 10);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "second/size/sum"), ==, 45);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "second/size/count"), ==, 10);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "third"), ==, 0);
}

static void
test_duration (void)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_new ();
  gint64 all = 0;

  for (int i = 0; i < 3; i++)
    {
      gint64 begin = g_get_monotonic_time ();
      gint64 time;

      g_usleep (1000);
      time = g_get_monotonic_time () - begin;
      all += time;
      c2g_stat_registry_add_sample (stats, "time_us", time);
    }

  g_assert_cmpint (c2g_stat_registry_get_value (stats, "time_us/sum"), ==, all);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "time_us/count"), ==, 3);
}

/* Counts, resets, merges. */
static void
test_simple (void)
{
  g_autoptr (C2gStatRegistry) one = c2g_stat_registry_new ();
  g_autoptr (C2gStatRegistry) two = c2g_stat_registry_new ();
  g_autoptr (C2gStatRegistry) sum = c2g_stat_registry_new ();

  g_assert_cmpint (c2g_stat_registry_increment (one, "s1", 1), ==, 1);
  g_assert_cmpint (c2g_stat_registry_increment (one, "s1", 2), ==, 3);
  g_assert_cmpint (c2g_stat_registry_increment (one, "s2", -4), ==, -4);
  g_assert_cmpint (c2g_stat_registry_increment (two, "s2", 10), ==, 10);
  g_assert_cmpint (c2g_stat_registry_increment (two, "s3", 7), ==, 7);

  c2g_stat_registry_publish (one, sum, FALSE);
  c2g_stat_registry_publish (two, sum, TRUE);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "s1"), ==, 3);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "s2"), ==, 6);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "s3"), ==, 7);
  g_assert_cmpint (c2g_stat_registry_get_value (one, "s1"), ==, 3);
  g_assert_cmpint (c2g_stat_registry_get_value (two, "s3"), ==, 0);

  g_assert_cmpint (c2g_stat_registry_reset (sum, "s2"), ==, 6);
  g_assert_cmpint (c2g_stat_registry_reset (sum, "s2"), ==, 0);
  g_assert_cmpint (c2g_stat_registry_reset (sum, "s4"), ==, 0);

  g_assert_cmpint (c2g_stat_registry_increment (sum, "max", G_MAXINT64), ==, G_MAXINT64);
  g_assert_cmpint (c2g_stat_registry_increment (sum, "max", 1), ==, G_MININT64);
}

static gpointer
count_cb (gpointer data)
{
  for (int i = 0; i < N_ROUNDS; i++)
    {
      c2g_stat_registry_increment (data, "a", 1);
      c2g_stat_registry_add_sample (data, "b", 2);
    }

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_get_default ();
  g_autoptr (C2gStatRegistry) again = c2g_stat_registry_get_default ();
  GThread *threads[N_THREADS];

  g_assert_true (stats == again);
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("count", count_cb, stats);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (c2g_stat_registry_reset (stats, "a"), ==, N_THREADS * N_ROUNDS);
  g_assert_cmpint (c2g_stat_registry_reset (stats, "b/sum"), ==, 2 * N_THREADS * N_ROUNDS);
  g_assert_cmpint (c2g_stat_registry_reset (stats, "b/count"), ==, N_THREADS * N_ROUNDS);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/stats/class", test_class);
  c2g_test_add_func ("/stats/duration", test_duration);
  c2g_test_add_func ("/stats/simple", test_simple);
  c2g_test_add_func ("/stats/threads", test_threads);

  return c2g_test_run ();
}
