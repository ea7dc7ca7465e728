/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/caffe/mixed-utils.h"

/* Two threads read at the same time. */

static gpointer
read_thread (gpointer data)
{
  C2gMixedTensor *mixed = data;
  const guint n_rounds = c2g_test_count_rounds (10000);

  for (guint i = 0; i < n_rounds; i++)
    {
      const C2gDataType type = all_types[i % G_N_ELEMENTS (all_types)];
      g_autoptr (C2gTensor) tensor = ref_as (mixed, type);

      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 50, NULL), ==, 1);
      g_assert_nonnull (c2g_mixed_tensor_data (mixed, type, i % 2 == 0 ? gpu () : NULL, NULL));
      g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 100);
    }

  return NULL;
}

static void
read_twice (C2gMixedTensor *mixed)
{
  GThread *threads[2];

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_thread, mixed);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
count_cb (C2gMixedTensor *mixed,
          C2gDataType     from,
          C2gDataType     to,
          gpointer        user_data)
{
  g_atomic_int_inc ((int *) user_data);
}

static void
test_threads (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 100);
  int n_converted = 0;

  g_signal_connect (mixed, "converted", G_CALLBACK (count_cb), &n_converted);
  g_assert_true (c2g_mixed_tensor_fill (mixed, 1, NULL));
  read_twice (mixed);

  for (gsize i = 0; i < G_N_ELEMENTS (all_types); i++)
    g_assert_true (c2g_mixed_tensor_is_valid (mixed, all_types[i]));
  g_assert_cmpint (fake_device.n_copies, ==, (int) G_N_ELEMENTS (all_types));
  g_assert_cmpint (n_converted, ==, (int) G_N_ELEMENTS (all_types) - 1);
}

/* Two threads read while another one holds the elements for writing. */
static void
test_threads_held (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 100);
  g_autoptr (C2gTensor) writer = NULL;

  g_assert_true (c2g_mixed_tensor_fill (mixed, 1, NULL));
  writer = ref_mutable_as (mixed, FLOAT);
  read_twice (mixed);

  g_assert_true (c2g_mixed_tensor_is_held (mixed));
}

/* Foreign memory is converted at each read, by each thread. */
static void
test_threads_foreign (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 100);
  float numbers[100];

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = 1;
  g_assert_true (c2g_mixed_tensor_set_data (mixed, numbers, FLOAT, NULL, NULL, NULL, NULL));
  read_twice (mixed);
  g_assert_true (c2g_mixed_tensor_is_held (mixed));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/mixed-tensor/threads", test_threads);
  c2g_test_add_func ("/caffe/mixed-tensor/threads-held", test_threads_held);
  c2g_test_add_func ("/caffe/mixed-tensor/threads-foreign", test_threads_foreign);

  return c2g_test_run ();
}
