/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/device/c2g-device-private.h>

#define N_THREADS 8

static void
test_cpu (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (cpu);
  g_assert_true (c2g_device_cpu () == cpu);
  g_assert_true (c2g_device_new (C2G_DEVICE_TYPE_CPU, 0, &error) == cpu);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_device_get_device_type (cpu), ==, C2G_DEVICE_TYPE_CPU);
  g_assert_cmpint (c2g_device_get_index (cpu), ==, 0);
  g_assert_cmpstr (c2g_device_to_string (cpu), ==, "cpu");
}

static void
test_parse (void)
{
  static const struct
  {
    const char    *text;
    C2gDeviceType  type;
    int            index;
    const char    *name;
  } cases[] = {
    { "cpu", C2G_DEVICE_TYPE_CPU, 0, "cpu" },
    { "cpu:0", C2G_DEVICE_TYPE_CPU, 0, "cpu" },
    { "cuda", C2G_DEVICE_TYPE_CUDA, 0, "cuda:0" },
    { "cuda:0", C2G_DEVICE_TYPE_CUDA, 0, "cuda:0" },
    { "cuda:1", C2G_DEVICE_TYPE_CUDA, 1, "cuda:1" },
    { "cuda:1023", C2G_DEVICE_TYPE_CUDA, 1023, "cuda:1023" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      C2gDevice *device = c2g_device_parse (cases[i].text, &error);

      g_assert_no_error (error);
      g_assert_nonnull (device);
      g_assert_cmpint (c2g_device_get_device_type (device), ==, cases[i].type);
      g_assert_cmpint (c2g_device_get_index (device), ==, cases[i].index);
      g_assert_cmpstr (c2g_device_to_string (device), ==, cases[i].name);

      /* There is one object for each device, and its name parses back to it. */
      g_assert_true (c2g_device_new (cases[i].type, cases[i].index, NULL) == device);
      g_assert_true (c2g_device_parse (cases[i].name, NULL) == device);
    }
}

static void
test_parse_errors (void)
{
  static const struct
  {
    const char *text;
    C2gError    code;
  } cases[] = {
    { "", C2G_ERROR_INVALID_ARGUMENT },
    { "CPU", C2G_ERROR_INVALID_ARGUMENT },
    { " cpu", C2G_ERROR_INVALID_ARGUMENT },
    { "cpu ", C2G_ERROR_INVALID_ARGUMENT },
    { "cpus", C2G_ERROR_INVALID_ARGUMENT },
    { "tpu:0", C2G_ERROR_INVALID_ARGUMENT },
    { "cuda:", C2G_ERROR_INVALID_ARGUMENT },
    { "cuda:-1", C2G_ERROR_INVALID_ARGUMENT },
    { "cuda:+1", C2G_ERROR_INVALID_ARGUMENT },
    { "cuda: 1", C2G_ERROR_INVALID_ARGUMENT },
    { "cuda:1x", C2G_ERROR_INVALID_ARGUMENT },
    { "cuda:1:2", C2G_ERROR_INVALID_ARGUMENT },
    { "cpu:1", C2G_ERROR_RANGE },
    { "cuda:1024", C2G_ERROR_RANGE },
    { "cuda:99999999999999999999", C2G_ERROR_RANGE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_device_parse (cases[i].text, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_null (c2g_device_parse (cases[i].text, NULL));
      if (g_str_has_prefix (cases[i].text, "tpu"))
        g_assert_cmpstr (error->message, ==,
                         "Expected the device “cpu”, “cuda” or “cuda:INDEX”, got “tpu:0”");
    }
}

static void
test_new_errors (void)
{
  static const struct
  {
    int      type;
    int      index;
    C2gError code;
  } cases[] = {
    { C2G_DEVICE_TYPE_CPU, 1, C2G_ERROR_RANGE },
    { C2G_DEVICE_TYPE_CPU, -1, C2G_ERROR_RANGE },
    { C2G_DEVICE_TYPE_CUDA, -1, C2G_ERROR_RANGE },
    { C2G_DEVICE_TYPE_CUDA, 1024, C2G_ERROR_RANGE },
    { C2G_DEVICE_TYPE_CUDA, G_MAXINT, C2G_ERROR_RANGE },
    { 2, 0, C2G_ERROR_INVALID_ARGUMENT },
    { -1, 0, C2G_ERROR_INVALID_ARGUMENT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_device_new (cases[i].type, cases[i].index, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
    }
}

static void
test_equal (void)
{
  C2gDevice *first = c2g_device_parse ("cuda:2", NULL);
  C2gDevice *second = c2g_device_parse ("cuda:3", NULL);

  g_assert_true (c2g_device_equal (first, first));
  g_assert_false (c2g_device_equal (first, second));
  g_assert_false (c2g_device_equal (first, c2g_device_cpu ()));
}

static void
test_boxed (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:4", NULL);
  C2gDevice *copy = g_boxed_copy (C2G_TYPE_DEVICE, device);

  g_assert_true (copy == device);
  g_boxed_free (C2G_TYPE_DEVICE, copy);
  g_boxed_free (C2G_TYPE_DEVICE, device);
  g_assert_cmpstr (c2g_device_to_string (device), ==, "cuda:4");
}

static void
count_device (C2gDevice *device,
              gpointer   user_data)
{
  GPtrArray *seen = user_data;

  g_ptr_array_add (seen, device);
}

static void
test_foreach (void)
{
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  C2gDevice *device = c2g_device_parse ("cuda:500", NULL);

  c2g_device_foreach (count_device, seen);

  g_assert_true (g_ptr_array_index (seen, 0) == c2g_device_cpu ());
  g_assert_true (g_ptr_array_find (seen, device, NULL));
  for (guint i = 2; i < seen->len; i++)
    g_assert_cmpint (c2g_device_get_index (g_ptr_array_index (seen, i - 1)), <,
                     c2g_device_get_index (g_ptr_array_index (seen, i)));
}

static gpointer
intern_all_cb (gpointer data)
{
  GPtrArray *devices = g_ptr_array_new ();

  for (int i = 600; i < 900; i++)
    g_ptr_array_add (devices, c2g_device_new (C2G_DEVICE_TYPE_CUDA, i, NULL));

  return devices;
}

static void
test_threads (void)
{
  GThread *threads[N_THREADS];
  GPtrArray *devices[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("intern", intern_all_cb, NULL);
  for (int i = 0; i < N_THREADS; i++)
    devices[i] = g_thread_join (threads[i]);

  for (int i = 0; i < N_THREADS; i++)
    {
      g_assert_cmpuint (devices[i]->len, ==, 300);
      g_assert_cmpmem (devices[i]->pdata, 300 * sizeof (gpointer),
                       devices[0]->pdata, 300 * sizeof (gpointer));
    }
  for (int i = 0; i < N_THREADS; i++)
    g_ptr_array_unref (devices[i]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/device/cpu", test_cpu);
  c2g_test_add_func ("/device/parse", test_parse);
  c2g_test_add_func ("/device/parse-errors", test_parse_errors);
  c2g_test_add_func ("/device/new-errors", test_new_errors);
  c2g_test_add_func ("/device/equal", test_equal);
  c2g_test_add_func ("/device/boxed", test_boxed);
  c2g_test_add_func ("/device/foreach", test_foreach);
  c2g_test_add_func ("/device/threads", test_threads);

  return c2g_test_run ();
}
