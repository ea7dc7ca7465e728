/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-shelf-private.h>

#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

/* Describes what a cache holds as a pickle, in the form of PyTorch's snapshots of memory.
 *
 * Python reads every pickle, but PyTorch's page memory_viz only some opcodes of the protocols 2 to
 * 4. Lists grow by single items, for that page cannot take very many at once. */

static void
add_opcode (GByteArray *pickle,
            guint8      opcode)
{
  g_byte_array_append (pickle, &opcode, 1);
}

static void
add_text (GByteArray *pickle,
          const char *text)
{
  const guint32 size = GUINT32_TO_LE ((guint32) strlen (text));

  add_opcode (pickle, 'X');
  g_byte_array_append (pickle, (const guint8 *) &size, sizeof size);
  g_byte_array_append (pickle, (const guint8 *) text, (guint) strlen (text));
}

/* Nothing that is counted here reaches the sign bit. */
static void
add_integer (GByteArray *pickle,
             guint64     value)
{
  const guint8 head[] = { 0x8a, sizeof value };

  value = GUINT64_TO_LE (value);
  g_byte_array_append (pickle, head, sizeof head);
  g_byte_array_append (pickle, (const guint8 *) &value, sizeof value);
}

static void
begin_dict (GByteArray *pickle)
{
  add_opcode (pickle, '}');
  add_opcode (pickle, '(');
}

static void
add_integer_item (GByteArray *pickle,
                  const char *key,
                  guint64     value)
{
  add_text (pickle, key);
  add_integer (pickle, value);
}

static void
add_text_item (GByteArray *pickle,
               const char *key,
               const char *value)
{
  add_text (pickle, key);
  add_text (pickle, value);
}

static void
begin_list_item (GByteArray *pickle,
                 const char *key)
{
  add_text (pickle, key);
  add_opcode (pickle, ']');
}

/* Ends a dictionary that is an item of a list. */
static void
end_dict_in_list (GByteArray *pickle)
{
  add_opcode (pickle, 'u');
  add_opcode (pickle, 'a');
}

static guint64
stream_of (const C2gCudaBlock *block)
{
  const C2gCudaShelf *shelf = block->owner;

  return shelf->stream != NULL ? GPOINTER_TO_SIZE (c2g_cuda_stream_peek_own (shelf->stream)) : 0;
}

/* A returned block that a stream still uses is pending. */
static gboolean
is_active (const C2gCudaBlock *block)
{
  return !block->is_free;
}

static void
add_block (GByteArray         *pickle,
           const C2gCudaBlock *block)
{
  const char *state = block->is_allocated ? "active_allocated"
                      : is_active (block) ? "active_pending_free"
                                          : "inactive";

  begin_dict (pickle);
  add_integer_item (pickle, "address", GPOINTER_TO_SIZE (block->address));
  add_integer_item (pickle, "size", block->n_bytes);
  add_integer_item (pickle, "requested_size", is_active (block) ? block->n_requested : 0);
  add_text_item (pickle, "state", state);
  add_integer_item (pickle, "stream", stream_of (block));
  begin_list_item (pickle, "frames");
  end_dict_in_list (pickle);
}

/* The parts of a segment may belong to several streams: PyTorch's page shows the one named first. */
static void
add_segment (GByteArray         *pickle,
             const C2gCudaBlock *first)
{
  guint64 total = 0, allocated = 0, active = 0, requested = 0, stream = 0;

  for (const C2gCudaBlock *block = first; block != NULL; block = block->next)
    {
      total += block->n_bytes;
      active += is_active (block) ? block->n_bytes : 0;
      allocated += block->is_allocated ? block->n_bytes : 0;
      requested += block->is_allocated ? block->n_requested : 0;
      stream = stream != 0 ? stream : stream_of (block);
    }

  begin_dict (pickle);
  add_integer_item (pickle, "device", (guint64) first->device);
  add_integer_item (pickle, "address", GPOINTER_TO_SIZE (first->address));
  add_integer_item (pickle, "total_size", total);
  add_integer_item (pickle, "allocated_size", allocated);
  add_integer_item (pickle, "active_size", active);
  add_integer_item (pickle, "requested_size", requested);
  add_integer_item (pickle, "stream", stream);
  add_text_item (pickle, "segment_type", first->is_small ? "small" : "large");
  begin_list_item (pickle, "frames");
  begin_list_item (pickle, "blocks");
  for (const C2gCudaBlock *block = first; block != NULL; block = block->next)
    add_block (pickle, block);
  end_dict_in_list (pickle);
}

static int
compare_addresses (gconstpointer a,
                   gconstpointer b)
{
  const C2gCudaBlock *left = *(C2gCudaBlock *const *) a;
  const C2gCudaBlock *right = *(C2gCudaBlock *const *) b;

  return left->address < right->address ? -1 : left->address > right->address;
}

static void
add_segments (GByteArray   *pickle,
              C2gCudaCache *self)
{
  g_autoptr (GPtrArray) firsts = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer block;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->blocks);
  while (g_hash_table_iter_next (&iter, NULL, &block))
    if (((C2gCudaBlock *) block)->previous == NULL)
      g_ptr_array_add (firsts, block);
  g_ptr_array_sort (firsts, compare_addresses);
  for (guint i = 0; i < firsts->len; i++)
    add_segment (pickle, g_ptr_array_index (firsts, i));
  g_mutex_unlock (&self->lock);
}

GByteArray *
c2g_cuda_cache_pickle (C2gCudaCache *self)
{
  GByteArray *pickle = g_byte_array_new ();

  add_opcode (pickle, 0x80);
  add_opcode (pickle, 2);
  begin_dict (pickle);
  begin_list_item (pickle, "segments");
  if (self != NULL)
    add_segments (pickle, self);
  /* One list of events for each device up to that of the cache: nothing is recorded. */
  begin_list_item (pickle, "device_traces");
  for (int device = 0; self != NULL && device <= self->device; device++)
    {
      add_opcode (pickle, ']');
      add_opcode (pickle, 'a');
    }
  add_opcode (pickle, 'u');
  add_opcode (pickle, '.');

  return pickle;
}
