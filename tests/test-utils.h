/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

/* The sum of the listed blocks, which must equal what the reporter says. */
static inline guint64
c2g_test_ledger_bytes (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gMemoryBlock **blocks;
  guint64 n_bytes = 0;
  guint n_blocks;

  blocks = c2g_memory_reporter_list_blocks (reporter, NULL, &n_blocks);
  for (gsize i = 0; i < n_blocks; i++)
    {
      n_bytes += c2g_memory_block_get_n_bytes (blocks[i]);
      c2g_memory_block_unref (blocks[i]);
    }
  g_free (blocks);

  g_assert_cmpuint (n_bytes, ==, c2g_memory_reporter_get_current_bytes (reporter, NULL));
  g_assert_cmpuint (n_blocks, ==, c2g_memory_reporter_get_n_blocks (reporter, NULL));

  return n_bytes;
}

/* Waits until the worker threads, which may drop the last references, have freed all memory. They
 * may free some at any time: so this does not compare the list of blocks with the sum. */
static inline void
c2g_test_wait_for_memory (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();

  while (c2g_memory_reporter_get_current_bytes (reporter, NULL) > 0)
    g_thread_yield ();
}

/* Runs the tests of a program; at the end of each of them as at the end of all,
 * no memory may be out that was not at the start. For main(): it comes last. */
static inline int
c2g_test_run (void)
{
  guint64 n_bytes = c2g_test_ledger_bytes ();
  int status = g_test_run ();

  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
  g_assert_cmpuint (n_bytes, ==, 0);

  return status;
}

/* How often to do what finds the more the oftener it is done: less under valgrind and sanitizers,
 * where each time takes long. Their set-ups say so by C2G_TEST_QUICK. */
static inline gboolean
c2g_test_is_quick (void)
{
  return g_getenv ("C2G_TEST_QUICK") != NULL;
}

static inline guint
c2g_test_count_rounds (guint n)
{
  return c2g_test_is_quick () ? MAX (n / 10, 2) : n;
}

/* Skips a test whose code smaller tests already run under valgrind and sanitizers. */
static inline gboolean
c2g_test_skip_if_quick (void)
{
  if (c2g_test_is_quick ())
    g_test_skip ("C2G_TEST_QUICK is set");
  return c2g_test_is_quick ();
}

/* g_test_add_func() for a test that must leave no memory behind. */
static inline void
c2g_test_run_func (gconstpointer data)
{
  GTestFunc func = (GTestFunc) (gsize) data;
  guint64 n_bytes = c2g_test_ledger_bytes ();

  func ();
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
}

static inline void
c2g_test_add_func (const char *path,
                   GTestFunc   func)
{
  g_test_add_data_func (path, (gconstpointer) (gsize) func, c2g_test_run_func);
}

/* Puts the result of an asynchronous call where user_data points. */
static inline void
c2g_test_keep_result_cb (GObject      *source,
                         GAsyncResult *result,
                         gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* The message of a blob that is written in one of the other ways. */
static inline GBytes *
c2g_test_serialize (C2gBlob            *blob,
                    const char         *name,
                    C2gSerializeFlags   flags,
                    GError            **error)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  if (!c2g_blob_serialize_to_stream (blob, name, flags, stream, NULL, error) ||
      !g_output_stream_close (stream, NULL, error))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

static inline gboolean
c2g_test_equal (C2gTensor *tensor,
                C2gTensor *other)
{
  g_autoptr (GError) error = NULL;
  gboolean equal;
  const gboolean is_done = c2g_tensor_equal (tensor, other, &equal, &error);

  g_assert_no_error (error);
  g_assert_true (is_done);
  return equal;
}

static inline gboolean
c2g_test_allclose (C2gTensor *tensor,
                   C2gTensor *other,
                   double     rtol,
                   double     atol,
                   gboolean   equal_nan)
{
  g_autoptr (GError) error = NULL;
  gboolean close;
  const gboolean is_done = c2g_tensor_allclose (tensor, other, rtol, atol, equal_nan, &close, &error);

  g_assert_no_error (error);
  g_assert_true (is_done);
  return close;
}

/* DIMS (2, 3) for the two arguments of a shape; none for a scalar. */
#define C2G_TEST_DIMS(...)                                                                         \
  (gint64[]) { __VA_ARGS__ }, G_N_ELEMENTS (((gint64[]) { __VA_ARGS__ }))
