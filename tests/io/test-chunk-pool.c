/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/save/c2g-chunk-pool-private.h>

#include <string.h>

#define N_BYTES (200u << 10)

/* Makes a chunk of n_bytes equal bytes, whose announced maximum is max_bytes. */
static GBytes *
make (C2gChunkPool  *pool,
      guint64        max_bytes,
      gsize          n_bytes,
      guint8         value,
      gconstpointer *buffer)
{
  g_autoptr (C2gSink) sink = c2g_chunk_pool_new_sink (pool, max_bytes, buffer);
  g_autofree guint8 *data = g_malloc (n_bytes + 1);
  g_autoptr (GError) error = NULL;

  memset (data, value, n_bytes + 1);
  c2g_sink_write (sink, data, n_bytes, NULL, &error);
  g_assert_no_error (error);
  return c2g_chunk_pool_take (pool, sink, *buffer);
}

static void
assert_content (GBytes *bytes,
                gsize   n_bytes,
                guint8  value)
{
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  g_assert_cmpuint (g_bytes_get_size (bytes), ==, n_bytes);
  for (gsize i = 0; i < n_bytes; i++)
    g_assert_cmpuint (data[i], ==, value);
}

/* The memory of one chunk is reused for the next. */
static void
test_again (void)
{
  g_autoptr (C2gChunkPool) pool = c2g_chunk_pool_new (N_BYTES);
  gconstpointer first;
  gconstpointer second;

  for (gsize n_bytes = 1; n_bytes <= N_BYTES; n_bytes *= 2)
    {
      GBytes *bytes = make (pool, N_BYTES, n_bytes, 1, &first);
      g_autoptr (GBytes) again = NULL;

      g_assert_true (g_bytes_get_data (bytes, NULL) == first);
      assert_content (bytes, n_bytes, 1);
      g_bytes_unref (bytes);
      again = make (pool, N_BYTES, n_bytes, 2, &second);
      g_assert_true (first == second);
      assert_content (again, n_bytes, 2);
    }
}

/* Chunks that are small, large, of unknown size, or that grow are not in pool memory. */
static void
test_sizes (void)
{
  static const struct
  {
    guint64 max_bytes;
    gsize   n_bytes;
  } sizes[] = {
    { 0, 0 },
    { 0, 10 },
    { 0, N_BYTES },
    { 10, 10 },
    { N_BYTES + 1, 10 },
    { G_MAXUINT64, N_BYTES },
    { N_BYTES, 0 },
    { N_BYTES, N_BYTES },
    { N_BYTES, N_BYTES + 1 },
    { N_BYTES, 5 * N_BYTES },
    { N_BYTES, 10 },
  };
  g_autoptr (C2gChunkPool) pool = c2g_chunk_pool_new (N_BYTES);

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      gsize n_bytes = sizes[i / 2].n_bytes;
      gconstpointer buffer;
      g_autoptr (GBytes) bytes = make (pool, sizes[i / 2].max_bytes, n_bytes, i, &buffer);

      assert_content (bytes, n_bytes, i);
    }
}

/* Bytes may outlive the pool. */
static void
test_longer (void)
{
  C2gChunkPool *pool = c2g_chunk_pool_new (N_BYTES);
  gconstpointer buffer;
  g_autoptr (GBytes) bytes = make (pool, N_BYTES, N_BYTES, 1, &buffer);
  g_autoptr (GBytes) more = make (pool, N_BYTES, N_BYTES, 2, &buffer);

  g_clear_pointer (&bytes, g_bytes_unref);
  bytes = make (pool, N_BYTES, 10, 3, &buffer);
  c2g_chunk_pool_free (pool);
  assert_content (bytes, 10, 3);
  assert_content (more, N_BYTES, 2);
}

static gpointer
make_many (gpointer data)
{
  for (guint i = 0; i < 200; i++)
    {
      gconstpointer buffer;
      g_autoptr (GBytes) bytes = make (data, N_BYTES, N_BYTES / 2, i, &buffer);
      g_autoptr (GBytes) other = make (data, N_BYTES, 100, i + 1, &buffer);

      assert_content (bytes, N_BYTES / 2, i);
      assert_content (other, 100, i + 1);
    }
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gChunkPool) pool = c2g_chunk_pool_new (N_BYTES);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("maker", make_many, pool);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/chunk-pool/again", test_again);
  c2g_test_add_func ("/chunk-pool/sizes", test_sizes);
  c2g_test_add_func ("/chunk-pool/longer", test_longer);
  c2g_test_add_func ("/chunk-pool/threads", test_threads);

  return c2g_test_run ();
}
