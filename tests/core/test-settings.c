/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/types/c2g-settings-private.h>

#define N_THREADS 4
#define N_ROUNDS  2000

static void
count_notify_cb (GObject    *object,
                 GParamSpec *pspec,
                 gpointer    user_data)
{
  int *n_notified = user_data;

  (*n_notified)++;
}

static void
test_defaults (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (C2gSettings) again = c2g_settings_get_default ();

  g_assert_true (settings == again);
  g_assert_true (c2g_settings_get_keep_on_shrink (settings));
  g_assert_cmpuint (c2g_settings_get_max_keep_on_shrink (settings), ==, G_MAXUINT64);
  g_assert_false (c2g_settings_get_zero_fill (settings));
  g_assert_false (c2g_settings_get_log_memory (settings));
  g_assert_cmpuint (c2g_settings_get_n_threads (settings), ==, 0);
}

static void
test_booleans (void)
{
  static const struct
  {
    const char *property;
    gboolean    initial;
    gboolean   *setting;
    gboolean (*get) (C2gSettings *self);
    void (*set) (C2gSettings *self, gboolean value);
  } cases[] = {
    { "keep-on-shrink", TRUE, &c2g_settings_keep_on_shrink,
      c2g_settings_get_keep_on_shrink, c2g_settings_set_keep_on_shrink },
    { "zero-fill", FALSE, &c2g_settings_zero_fill,
      c2g_settings_get_zero_fill, c2g_settings_set_zero_fill },
    { "log-memory", FALSE, &c2g_settings_log_memory,
      c2g_settings_get_log_memory, c2g_settings_set_log_memory },
  };
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *signal = g_strdup_printf ("notify::%s", cases[i].property);
      const gboolean other = !cases[i].initial;
      int n_notified = 0;
      gulong handler =
        g_signal_connect (settings, signal, G_CALLBACK (count_notify_cb), &n_notified);
      gboolean value;

      cases[i].set (settings, cases[i].initial);
      g_assert_cmpint (n_notified, ==, 0);

      /* Every non-zero value means TRUE. */
      cases[i].set (settings, other ? 42 : 0);
      g_assert_cmpint (n_notified, ==, 1);
      g_assert_cmpint (cases[i].get (settings), ==, other);
      g_assert_cmpint (*cases[i].setting, ==, other);
      g_object_get (settings, cases[i].property, &value, NULL);
      g_assert_cmpint (value, ==, other);

      g_object_set (settings, cases[i].property, cases[i].initial, NULL);
      g_assert_cmpint (n_notified, ==, 2);
      g_assert_cmpint (*cases[i].setting, ==, cases[i].initial);

      g_signal_handler_disconnect (settings, handler);
    }
}

static void
test_limit (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  int n_notified = 0;
  gulong handler = g_signal_connect (settings, "notify::max-keep-on-shrink",
                                     G_CALLBACK (count_notify_cb), &n_notified);
  guint64 value;

  c2g_settings_set_max_keep_on_shrink (settings, G_MAXUINT64);
  g_assert_cmpint (n_notified, ==, 0);

  c2g_settings_set_max_keep_on_shrink (settings, 1 << 20);
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_cmpuint (c2g_settings_max_keep_on_shrink, ==, 1 << 20);
  g_object_get (settings, "max-keep-on-shrink", &value, NULL);
  g_assert_cmpuint (value, ==, 1 << 20);

  g_object_set (settings, "max-keep-on-shrink", G_MAXUINT64, NULL);
  g_assert_cmpint (n_notified, ==, 2);

  g_signal_handler_disconnect (settings, handler);
}

static void
test_n_threads (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  int n_notified = 0;
  gulong handler =
    g_signal_connect (settings, "notify::n-threads", G_CALLBACK (count_notify_cb), &n_notified);
  guint value;

  c2g_settings_set_n_threads (settings, 0);
  g_assert_cmpint (n_notified, ==, 0);

  c2g_settings_set_n_threads (settings, C2G_SETTINGS_MAX_THREADS);
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_cmpuint (c2g_settings_n_threads, ==, C2G_SETTINGS_MAX_THREADS);
  g_object_get (settings, "n-threads", &value, NULL);
  g_assert_cmpuint (value, ==, C2G_SETTINGS_MAX_THREADS);

  g_object_set (settings, "n-threads", 0, NULL);
  g_assert_cmpint (n_notified, ==, 2);
  g_assert_cmpuint (c2g_settings_get_n_threads (settings), ==, 0);

  g_signal_handler_disconnect (settings, handler);
}

static const struct
{
  const char *keep;
  const char *max_keep;
  const char *zero_fill;
  const char *log_memory;

  gboolean    expected_keep;
  guint64     expected_max_keep;
  gboolean    expected_zero_fill;
  gboolean    expected_log_memory;
  const char *expected_output;

  const char *n_threads;
  guint       expected_n_threads;
} environments[] = {
  { "0", "1048576", "1", "1", FALSE, 1048576, TRUE, TRUE, "" },
  { "false", "0", "TRUE", "yes", FALSE, 0, TRUE, TRUE, "" },
  { "no", NULL, "on", "off", FALSE, G_MAXUINT64, TRUE, FALSE, "" },
  { "", "18446744073709551615", "no", NULL, FALSE, G_MAXUINT64, FALSE, FALSE, "" },
  { "maybe", NULL, NULL, NULL, TRUE, G_MAXUINT64, FALSE, FALSE,
    "*C2G_KEEP_ON_SHRINK must be true or false, got*maybe*" },
  { NULL, "-1", NULL, NULL, TRUE, G_MAXUINT64, FALSE, FALSE,
    "*C2G_MAX_KEEP_ON_SHRINK must be a number of bytes, got*-1*" },
  { NULL, "1 MiB", "1", NULL, TRUE, G_MAXUINT64, TRUE, FALSE,
    "*C2G_MAX_KEEP_ON_SHRINK must be a number of bytes, got*1 MiB*" },
  { NULL, NULL, NULL, NULL, TRUE, G_MAXUINT64, FALSE, FALSE, "", "3", 3 },
  { NULL, NULL, NULL, NULL, TRUE, G_MAXUINT64, FALSE, FALSE,
    "*C2G_N_THREADS must be a number from 0 to 1024, got*1025*", "1025", 0 },
};

static void
set_or_unset (const char *variable,
              const char *value)
{
  if (value != NULL)
    g_setenv (variable, value, TRUE);
  else
    g_unsetenv (variable);
}

static void
test_environment_child (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  const guint64 i = g_ascii_strtoull (g_getenv ("C2G_TEST_CASE"), NULL, 10);

  g_assert_cmpint (c2g_settings_get_keep_on_shrink (settings), ==, environments[i].expected_keep);
  g_assert_cmpuint (c2g_settings_get_max_keep_on_shrink (settings), ==,
                    environments[i].expected_max_keep);
  g_assert_cmpint (c2g_settings_get_zero_fill (settings), ==, environments[i].expected_zero_fill);
  g_assert_cmpint (c2g_settings_get_log_memory (settings), ==, environments[i].expected_log_memory);
  g_assert_cmpuint (c2g_settings_get_n_threads (settings), ==, environments[i].expected_n_threads);

  /* The environment is read only once. */
  g_setenv ("C2G_ZERO_FILL", environments[i].expected_zero_fill ? "0" : "1", TRUE);
  c2g_settings_ensure ();
  g_assert_cmpint (c2g_settings_get_zero_fill (settings), ==, environments[i].expected_zero_fill);
}

static void
test_environment (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (environments); i++)
    {
      g_autofree char *number = g_strdup_printf ("%" G_GSIZE_FORMAT, i);

      g_setenv ("C2G_TEST_CASE", number, TRUE);
      set_or_unset ("C2G_KEEP_ON_SHRINK", environments[i].keep);
      set_or_unset ("C2G_MAX_KEEP_ON_SHRINK", environments[i].max_keep);
      set_or_unset ("C2G_ZERO_FILL", environments[i].zero_fill);
      set_or_unset ("C2G_LOG_MEMORY", environments[i].log_memory);
      set_or_unset ("C2G_N_THREADS", environments[i].n_threads);

      g_test_trap_subprocess ("/settings/environment/subprocess", 0, 0);
      g_test_trap_assert_passed ();
      if (*environments[i].expected_output != '\0')
        g_test_trap_assert_stderr (environments[i].expected_output);
    }

  g_unsetenv ("C2G_TEST_CASE");
  set_or_unset ("C2G_KEEP_ON_SHRINK", NULL);
  set_or_unset ("C2G_MAX_KEEP_ON_SHRINK", NULL);
  set_or_unset ("C2G_ZERO_FILL", NULL);
  set_or_unset ("C2G_LOG_MEMORY", NULL);
  set_or_unset ("C2G_N_THREADS", NULL);
}

static gpointer
toggle_cb (gpointer data)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  for (int i = 0; i < N_ROUNDS; i++)
    {
      c2g_settings_set_zero_fill (settings, i % 2);
      c2g_settings_set_max_keep_on_shrink (settings, i);
      g_assert_cmpuint (c2g_settings_get_max_keep_on_shrink (settings), <, N_ROUNDS);
    }

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  GThread *threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("toggle", toggle_cb, NULL);
  for (int i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);

  c2g_settings_set_zero_fill (settings, FALSE);
  c2g_settings_set_max_keep_on_shrink (settings, G_MAXUINT64);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  /* Some of the child processes cause a warning, which must not be fatal. */
  if (g_test_subprocess ())
    g_log_set_always_fatal (G_LOG_FATAL_MASK);

  c2g_test_add_func ("/settings/defaults", test_defaults);
  c2g_test_add_func ("/settings/booleans", test_booleans);
  c2g_test_add_func ("/settings/limit", test_limit);
  c2g_test_add_func ("/settings/n-threads", test_n_threads);
  c2g_test_add_func ("/settings/environment", test_environment);
  c2g_test_add_func ("/settings/environment/subprocess", test_environment_child);
  c2g_test_add_func ("/settings/threads", test_threads);

  return c2g_test_run ();
}
