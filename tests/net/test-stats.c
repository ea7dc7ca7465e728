/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <math.h>
#include <string.h>

#define N_THREADS 4
#define N_ROUNDS 2000
#define N_SAMPLES (N_THREADS * N_ROUNDS)

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

/* The default registry counts the runs of all nets. */
static void
test_runs (void)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (
    "name: 'n' op { type: 'ConstantFill' output: 'x' } op { type: 'Relu' input: 'x' output: 'y' }",
    NULL);
  g_autoptr (C2gNet) net = c2g_workspace_create_net (workspace, def, FALSE, NULL);
  g_autoptr (C2gBlob) x = c2g_workspace_get_blob (workspace, "x", NULL);
  const gint64 n_runs = c2g_stat_registry_get_value (stats, "net/run_us/count");
  const gint64 n_failed = c2g_stat_registry_get_value (stats, "net/failed_runs");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_assert_true (c2g_net_run (net, NULL, NULL));
  g_assert_true (c2g_net_run (net, NULL, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_false (c2g_net_run (net, cancellable, NULL));

  g_assert_cmpint (c2g_stat_registry_get_value (stats, "net/run_us/count"), ==, n_runs + 3);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "net/failed_runs"), ==, n_failed + 1);
  g_assert_cmpint (c2g_stat_registry_get_value (stats, "net/run_us/sum"), >=, 0);
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

/* Counts, resets and merges values. */
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

/* The statistics of two merged registries are those of all samples together. */
static void
test_deviation (void)
{
  static const gint64 samples[] = { 1000000000003, 1000000000007, 999999999990, 1000000000000 };
  g_autoptr (C2gStatRegistry) one = c2g_stat_registry_new ();
  g_autoptr (C2gStatRegistry) two = c2g_stat_registry_new ();
  g_autoptr (C2gStatRegistry) sum = c2g_stat_registry_new ();

  g_assert_cmpfloat (c2g_stat_registry_get_deviation (one, "time"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    c2g_stat_registry_add_deviation_sample (i < 1 ? one : two, "time", samples[i]);
  g_assert_cmpint (c2g_stat_registry_get_value (two, "time/count"), ==, 3);
  g_assert_cmpint (c2g_stat_registry_get_value (two, "time/sum"), ==, 2999999999997);
  g_assert_cmpint (c2g_stat_registry_get_value (two, "time/sumoffset"), ==, -17 - 7);
  g_assert_cmpint (c2g_stat_registry_get_value (two, "time/sumsqoffset"), ==, 17 * 17 + 7 * 7);
  g_assert_cmpfloat (c2g_stat_registry_get_deviation (one, "time"), ==, 0);
  g_assert_cmpfloat_with_epsilon (c2g_stat_registry_get_deviation (two, "time"), 8.54400374531753,
                                  1e-12);

  c2g_stat_registry_publish (one, sum, TRUE);
  c2g_stat_registry_publish (two, sum, FALSE);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "time/sumoffset"), ==, 4 - 13 - 3);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "time/sumsqoffset"), ==, 16 + 169 + 9);
  g_assert_cmpfloat_with_epsilon (c2g_stat_registry_get_deviation (sum, "time"), 7.25718035235908,
                                  1e-12);
  c2g_stat_registry_publish (one, sum, FALSE);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "time/count"), ==, 4);
  c2g_stat_registry_publish (sum, sum, TRUE);
  g_assert_cmpint (c2g_stat_registry_get_value (sum, "time/count"), ==, 4);
}

static void
test_details (void)
{
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_new ();
  g_autoptr (GVariant) values = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpint (c2g_stat_registry_increment_detail (stats, "reads", "fast", 5), ==, 5);
  g_assert_cmpint (c2g_stat_registry_increment_detail (stats, "reads", "slow", 2), ==, 7);
  g_assert_cmpint (c2g_stat_registry_increment_detail (stats, "reads", "fast", 1), ==, 8);
  g_assert_cmpint (c2g_stat_registry_increment (stats, "reads", 10), ==, 18);
  values = c2g_stat_registry_to_variant (stats);
  text = g_variant_print (values, FALSE);
  g_assert_cmpstr (text, ==, "{'reads': 18, 'reads/fast': 6, 'reads/slow': 2}");
}

#ifdef HAVE_SYS_SDT_H
/* Looks for the probe in the ELF notes: a note has the owner, three addresses, and the names of
 * provider and probe. */
static gboolean
has_probe (const char *program,
           gsize       length)
{
  static const char owner[] = "stapsdt";
  static const char names[] = "c2g\0stat";
  gsize offset = sizeof owner + 3 * sizeof (gpointer);

  for (gsize i = 0; i + offset + sizeof names <= length; i++)
    if (memcmp (program + i, owner, sizeof owner) == 0 &&
        memcmp (program + i + offset, names, sizeof names) == 0)
      return TRUE;

  return FALSE;
}
#endif

/* The probe is in the notes of the program, where tracing tools look for it. */
static void
test_probe (void)
{
#ifdef HAVE_SYS_SDT_H
  g_autofree char *program = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents ("/proc/self/exe", &program, &length, &error);
  g_assert_no_error (error);
  g_assert_true (has_probe (program, length));
#else
  g_test_skip ("Built without probes");
#endif
}

static gpointer
count_cb (gpointer data)
{
  for (int i = 0; i < N_ROUNDS; i++)
    {
      c2g_stat_registry_increment (data, "a", 1);
      c2g_stat_registry_add_sample (data, "b", 2);
      c2g_stat_registry_add_deviation_sample (data, "c", i);
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
  g_assert_cmpfloat_with_epsilon (c2g_stat_registry_get_deviation (stats, "c"),
                                  sqrt ((N_ROUNDS * (double) N_ROUNDS - 1) / 12 * N_SAMPLES /
                                        (N_SAMPLES - 1)),
                                  1e-6);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/stats/class", test_class);
  c2g_test_add_func ("/stats/runs", test_runs);
  c2g_test_add_func ("/stats/duration", test_duration);
  c2g_test_add_func ("/stats/simple", test_simple);
  c2g_test_add_func ("/stats/deviation", test_deviation);
  c2g_test_add_func ("/stats/details", test_details);
  c2g_test_add_func ("/stats/probe", test_probe);
  c2g_test_add_func ("/stats/threads", test_threads);

  return c2g_test_run ();
}
