/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#include <stdio.h>

/* Limit on recorded faults: more would not help. */
#define N_MAX_FAULTS 1000

static GPtrArray *faults;

static GPtrArray *
get_faults (void)
{
  if (faults == NULL)
    {
      faults = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (faults, NULL);
    }
  return faults;
}

static void
add_fault (char *text)
{
  GPtrArray *list = get_faults ();

  if (g_getenv ("FAKE_CUDA_VERBOSE") != NULL)
    fprintf (stderr, "# fake-cudart: %s\n", text);

  if (list->len <= N_MAX_FAULTS)
    g_ptr_array_insert (list, list->len - 1, text);
  else
    g_free (text);
}

void
fake_fault (const char *format,
            ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_fault (g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* Races */

static gboolean
is_seen_by_host (const FakeAccess *access)
{
  return access->count <= fake_clock_get (&fake_state.host, access->timeline);
}

static void
report_race (const FakeAccess *access,
             FakeItem         *item,
             FakeBlock        *block,
             gsize             begin,
             gsize             end,
             gboolean          is_write)
{
  g_autofree char *name = fake_block_describe (block);

  fake_fault ("race: %s on stream %" G_GUINT64_FORMAT " %s bytes %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT
              " of %s, and nothing puts it behind %s on stream %" G_GUINT64_FORMAT ", which %s them",
              item->call, item->stream->id, is_write ? "writes" : "reads",
              MAX (begin, access->begin), MIN (end, access->end) - 1,
              name, access->call, access->stream, access->is_write ? "writes" : "reads");
}

/* An old access can be dropped if every later conflict with it conflicts with the new one too. */
static gboolean
is_covered (const FakeAccess *access,
            FakeItem         *item,
            gsize             begin,
            gsize             end,
            gboolean          is_write)
{
  return access->begin >= begin && access->end <= end && (is_write || !access->is_write) &&
         access->count <= fake_clock_get (&item->clock, access->timeline);
}

void
fake_check_access (FakeItem  *item,
                   FakeBlock *block,
                   gsize      begin,
                   gsize      end,
                   gboolean   is_write)
{
  const FakeAccess new_access = {
    .begin = begin,
    .end = end,
    .is_write = is_write,
    .timeline = item->stream->timeline,
    .count = item->count,
    .stream = item->stream->id,
    .call = item->call,
  };
  gboolean is_reported = FALSE;

  for (guint i = 0; i < block->accesses->len; i++)
    {
      FakeAccess *access = &g_array_index (block->accesses, FakeAccess, i);

      if (!is_reported && access->begin < end && begin < access->end &&
          (is_write || access->is_write) &&
          access->count > fake_clock_get (&item->clock, access->timeline))
        {
          report_race (access, item, block, begin, end, is_write);
          is_reported = TRUE;
        }
      if (is_seen_by_host (access) || is_covered (access, item, begin, end, is_write))
        g_array_remove_index_fast (block->accesses, i--);
    }

  g_array_append_val (block->accesses, new_access);
}

/* Memory that no stream orders is freed: the host must have waited for all its uses. */
void
fake_check_free (FakeBlock  *block,
                 const char *call)
{
  g_autofree char *name = fake_block_describe (block);

  for (guint i = 0; i < block->accesses->len; i++)
    {
      FakeAccess *access = &g_array_index (block->accesses, FakeAccess, i);

      if (is_seen_by_host (access))
        continue;
      fake_fault ("free: %s ends %s, which %s on stream %" G_GUINT64_FORMAT " may still use",
                  call, name, access->call, access->stream);
      return;
    }
}

/* Pointers and handles */

/* Reports a fault if the pointer is to freed memory. */
void
fake_check_pointer (gconstpointer pointer,
                    const char   *call)
{
  FakeBlock *block = fake_block_find_dead (pointer);
  g_autofree char *name = NULL;

  if (block == NULL)
    return;

  name = fake_block_describe (block);
  fake_fault ("use after %s: %s is given byte %" G_GSIZE_FORMAT " of %s, which %s ended",
              g_str_equal (block->freed_by, "cudaDeviceReset") ? "reset" : "free", call,
              (gsize) ((const guint8 *) pointer - block->address), name, block->freed_by);
}

void
fake_check_handle (guint64     id,
                   const char *kind)
{
  if (id == 0 || id > fake_state.n_handles)
    fake_fault ("handle: %s is given something that is no %s", fake_state.call, kind);
  else if (g_hash_table_contains (fake_state.reset_handles, &id))
    fake_fault ("use after reset: %s is given %s %" G_GUINT64_FORMAT, fake_state.call, kind, id);
  else
    fake_fault ("use after destroy: %s is given %s %" G_GUINT64_FORMAT, fake_state.call, kind, id);
}

/* Leaks */

static guint
check_blocks (void)
{
  g_autoptr (GPtrArray) blocks = fake_block_list ();

  for (guint i = 0; i < blocks->len; i++)
    {
      g_autofree char *name = fake_block_describe (blocks->pdata[i]);

      add_fault (g_strdup_printf ("leak: %s was never freed", name));
    }
  return blocks->len;
}

/* Reports memory of a device before its primary context ends, as compute-sanitizer does. It is
 * printed, for the program may not ask any more. */
void
fake_check_end (int device)
{
  g_autoptr (GPtrArray) blocks = fake_block_list ();

  if (g_getenv ("FAKE_CUDA_LEAK_CHECK") == NULL)
    return;

  for (guint i = 0; i < blocks->len; i++)
    {
      FakeBlock *block = blocks->pdata[i];
      g_autofree char *name = fake_block_describe (block);

      if (block->device == device && fake_block_is_device (block))
        fprintf (stderr, "# fake-cudart: leak at the end: %s was never freed\n", name);
    }
}

static guint
check_streams (void)
{
  guint n = 0;

  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->is_default || stream->is_destroyed)
        continue;
      add_fault (g_strdup_printf ("leak: stream %" G_GUINT64_FORMAT " was never destroyed", stream->id));
      n++;
    }
  return n;
}

static guint
check_events (void)
{
  GHashTableIter iter;
  FakeEvent *event;

  g_hash_table_iter_init (&iter, fake_state.events);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &event))
    add_fault (g_strdup_printf ("leak: event %" G_GUINT64_FORMAT " was never destroyed", event->id));

  return g_hash_table_size (fake_state.events);
}

unsigned int
fake_cuda_check_leaks (void)
{
  guint n;

  fake_lock ();
  fake_wait_for_context (NULL);
  fake_check_touches ();
  n = check_blocks () + check_streams () + check_events () + fake_pools_check_leaks () +
      fake_contexts_check_leaks () + fake_graphs_check_leaks () + fake_virtual_check_leaks ();
  fake_unlock ();

  return n;
}

/* Control */

const char *const *
fake_cuda_get_faults (void)
{
  const char *const *list;

  fake_lock ();
  fake_check_touches ();
  list = (const char *const *) get_faults ()->pdata;
  fake_unlock ();

  return list;
}

unsigned int
fake_cuda_get_n_faults (void)
{
  guint n;

  fake_lock ();
  fake_check_touches ();
  n = get_faults ()->len - 1;
  fake_unlock ();

  return n;
}

void
fake_cuda_clear_faults (void)
{
  fake_lock ();
  fake_check_touches ();
  g_clear_pointer (&faults, g_ptr_array_unref);
  fake_unlock ();
}
