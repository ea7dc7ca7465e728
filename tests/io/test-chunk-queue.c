/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/save/c2g-chunk-queue-private.h>

#include <string.h>

/* Makes the chunks and records what happens. */
typedef struct
{
  GThread *taker;
  guint    n_items;

  /* The item for which the next call fails, or -1. */
  guint    bad_item;

  /* Atomic: the number of chunks that exist or are being made, and its maximum. */
  int      n_out;
  int      max_out;
  /* Number of chunks of foreign items that were not made by the consumer. */
  int      n_strayed;
} Factory;

static const C2gChunkItem *factory_items;

static void
free_chunk (gpointer data)
{
  Factory *factory = *(Factory **) data;

  g_atomic_int_add (&factory->n_out, -1);
  g_free (data);
}

static GBytes *
make_chunk (guint      item,
            guint      chunk,
            gpointer   user_data,
            GError   **error)
{
  Factory *self = user_data;
  struct
  {
    Factory *factory;
    guint    item;
    guint    chunk;
  } *content;
  int n_out = g_atomic_int_add (&self->n_out, 1) + 1;
  int max_out = g_atomic_int_get (&self->max_out);

  while (n_out > max_out && !g_atomic_int_compare_and_exchange (&self->max_out, max_out, n_out))
    max_out = g_atomic_int_get (&self->max_out);
  if (factory_items[item].is_of_taker && g_thread_self () != self->taker)
    g_atomic_int_inc (&self->n_strayed);

  if ((item + chunk) % 3 == 0)
    g_usleep (g_random_int_range (0, 200));
  if (item == self->bad_item)
    {
      g_atomic_int_add (&self->n_out, -1);
      g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED, "item %u", item);
      return NULL;
    }

  content = g_malloc0 (sizeof *content);
  content->factory = self;
  content->item = item;
  content->chunk = chunk;
  return g_bytes_new_with_free_func (content, sizeof *content, free_chunk, content);
}

static void
assert_chunk (GBytes *bytes,
              guint   item,
              guint   chunk)
{
  const guint *numbers = (const guint *) ((const guint8 *) g_bytes_get_data (bytes, NULL) +
                                          sizeof (Factory *));

  g_assert_cmpuint (numbers[0], ==, item);
  g_assert_cmpuint (numbers[1], ==, chunk);
}

/* Takes all chunks, or only a number of them. */
static guint
take_all (const C2gChunkItem *items,
          guint               n_items,
          guint               n_threads,
          Factory            *factory,
          guint               n_wanted)
{
  g_autoptr (C2gChunkQueue) queue = NULL;
  guint n_taken = 0;

  factory_items = items;
  factory->taker = g_thread_self ();
  queue = c2g_chunk_queue_new (items, n_items, n_threads, make_chunk, factory);

  for (guint i = 0; i < n_items; i++)
    for (guint j = 0; j < items[i].n_chunks; j++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GBytes) chunk = NULL;

        if (n_taken == n_wanted)
          return n_taken;
        chunk = c2g_chunk_queue_take (queue, &error);
        if (i == factory->bad_item)
          {
            g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
            g_assert_null (chunk);
            return n_taken;
          }
        g_assert_no_error (error);
        assert_chunk (chunk, i, j);
        n_taken++;
      }

  return n_taken;
}

static C2gChunkItem *
random_items (guint     n_items,
              gboolean  with_foreign,
              guint    *n_chunks)
{
  C2gChunkItem *items = g_new0 (C2gChunkItem, n_items);

  *n_chunks = 0;
  for (guint i = 0; i < n_items; i++)
    {
      items[i].n_chunks = g_random_int_range (0, 6);
      items[i].is_of_taker = with_foreign && g_random_boolean ();
      *n_chunks += items[i].n_chunks;
    }
  return items;
}

static void
test_order (void)
{
  static const guint n_threads[] = { 0, 1, 2, 3, 8, 40 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (n_threads); i++)
    {
      guint n = n_threads[i / 2];
      guint n_chunks;
      g_autofree C2gChunkItem *items = random_items (60, i % 2, &n_chunks);
      Factory factory = { .bad_item = G_MAXUINT };

      g_assert_cmpuint (take_all (items, 60, n, &factory, G_MAXUINT), ==, n_chunks);
      g_assert_cmpint (factory.n_strayed, ==, 0);
      g_assert_cmpint (factory.n_out, ==, 0);
      g_assert_cmpint (factory.max_out, <=, MAX (n, 1));
    }
}

static void
test_nothing (void)
{
  C2gChunkItem items[3] = { { 0, FALSE }, { 0, TRUE }, { 0, FALSE } };
  Factory factory = { .bad_item = G_MAXUINT };

  g_assert_cmpuint (take_all (items, 0, 4, &factory, G_MAXUINT), ==, 0);
  g_assert_cmpuint (take_all (items, 3, 4, &factory, G_MAXUINT), ==, 0);
}

/* A consumer may stop in the middle, without leaks. */
static void
test_stop (void)
{
  for (guint i = 0; i < 50; i++)
    {
      guint n_chunks;
      g_autofree C2gChunkItem *items = random_items (30, i % 2, &n_chunks);
      Factory factory = { .bad_item = G_MAXUINT };
      guint n_wanted = g_random_int_range (0, n_chunks + 1);

      g_assert_cmpuint (take_all (items, 30, i % 5, &factory, n_wanted), ==, n_wanted);
      g_assert_cmpint (factory.n_out, ==, 0);
    }
}

static void
test_error (void)
{
  for (guint i = 0; i < 50; i++)
    {
      guint n_chunks;
      g_autofree C2gChunkItem *items = random_items (30, i % 2, &n_chunks);
      Factory factory = { .bad_item = g_random_int_range (0, 30) };
      guint n_before = 0;

      for (guint j = 0; j < factory.bad_item; j++)
        n_before += items[j].n_chunks;
      if (items[factory.bad_item].n_chunks == 0)
        continue;

      g_assert_cmpuint (take_all (items, 30, 1 + i % 5, &factory, G_MAXUINT), ==, n_before);
      g_assert_cmpint (factory.n_out, ==, 0);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/chunk-queue/order", test_order);
  c2g_test_add_func ("/chunk-queue/nothing", test_nothing);
  c2g_test_add_func ("/chunk-queue/stop", test_stop);
  c2g_test_add_func ("/chunk-queue/error", test_error);

  return c2g_test_run ();
}
