/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-caching-allocator-private.h>
#include <c2g/cuda/memory/c2g-cuda-shelf-private.h>

/* Describes what a cache holds, and the history of it, as a pickle in the form of PyTorch's
 * snapshots of memory.
 *
 * Python reads every pickle, but PyTorch's page memory_viz only some opcodes of the protocols 2 to
 * 4. Lists grow by single items, for that page cannot take very many at once. */

guint64
c2g_cuda_block_handle (const C2gCudaBlock *self)
{
  return c2g_cuda_shelf_handle (((const C2gCudaShelf *) self->owner)->stream);
}

void
c2g_cuda_cache_record (C2gCudaCache       *self,
                       C2gCudaAction       action,
                       const C2gCudaBlock *block)
{
  c2g_cuda_history_add (self->history, action, GPOINTER_TO_SIZE (block->address),
                        block->n_requested, c2g_cuda_block_handle (block));
}

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

/* Pickles have signed numbers. Only a request that failed can be too large for them. */
static void
add_integer (GByteArray *pickle,
             guint64     value)
{
  const guint8 head[] = { 0x8a, sizeof value };

  value = GUINT64_TO_LE (MIN (value, G_MAXINT64));
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
add_boolean_item (GByteArray *pickle,
                  const char *key,
                  gboolean    value)
{
  add_text (pickle, key);
  add_opcode (pickle, value ? 0x88 : 0x89);
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
  add_integer_item (pickle, "stream", c2g_cuda_block_handle (block));
  begin_list_item (pickle, "frames");
  end_dict_in_list (pickle);
}

/* The parts of a segment may belong to several streams: PyTorch's page shows the one named first. It
 * joins expandable segments only if they have the stream of the events. */
static void
add_segment (GByteArray         *pickle,
             const C2gCudaBlock *first,
             gboolean            is_expandable)
{
  guint64 total = 0, allocated = 0, active = 0, requested = 0, stream = 0;

  for (const C2gCudaBlock *block = first; block != NULL; block = block->next)
    {
      total += block->n_bytes;
      active += is_active (block) ? block->n_bytes : 0;
      allocated += block->is_allocated ? block->n_bytes : 0;
      requested += block->is_allocated ? block->n_requested : 0;
      stream = stream != 0 ? stream : c2g_cuda_block_handle (block);
    }

  begin_dict (pickle);
  add_integer_item (pickle, "device", (guint64) first->device);
  add_integer_item (pickle, "address", GPOINTER_TO_SIZE (first->address));
  add_integer_item (pickle, "total_size", total);
  add_integer_item (pickle, "allocated_size", allocated);
  add_integer_item (pickle, "active_size", active);
  add_integer_item (pickle, "requested_size", requested);
  add_integer_item (pickle, "stream", is_expandable ? 0 : stream);
  add_text_item (pickle, "segment_type", first->is_small ? "small" : "large");
  add_boolean_item (pickle, "is_expandable", is_expandable);
  begin_list_item (pickle, "frames");
  begin_list_item (pickle, "blocks");
  for (const C2gCudaBlock *block = first; block != NULL; block = block->next)
    add_block (pickle, block);
  end_dict_in_list (pickle);
}

/* The caller holds the lock. */
static void
add_segments (GByteArray   *pickle,
              C2gCudaCache *self)
{
  g_autoptr (GPtrArray) firsts = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer block;

  g_hash_table_iter_init (&iter, self->blocks);
  while (g_hash_table_iter_next (&iter, NULL, &block))
    if (((C2gCudaBlock *) block)->previous == NULL)
      g_ptr_array_add (firsts, block);
  g_ptr_array_sort (firsts, c2g_cuda_block_compare);
  for (guint i = 0; i < firsts->len; i++)
    add_segment (pickle, g_ptr_array_index (firsts, i), c2g_cuda_cache_is_expandable (self));
}

static void
add_entry (GByteArray         *pickle,
           const C2gCudaEntry *entry)
{
  static const char *const actions[] = {
    [C2G_CUDA_ALLOC] = "alloc",
    [C2G_CUDA_FREE_REQUESTED] = "free_requested",
    [C2G_CUDA_FREE_COMPLETED] = "free_completed",
    [C2G_CUDA_SEGMENT_ALLOC] = "segment_alloc",
    [C2G_CUDA_SEGMENT_FREE] = "segment_free",
    [C2G_CUDA_SEGMENT_MAP] = "segment_map",
    [C2G_CUDA_SEGMENT_UNMAP] = "segment_unmap",
    [C2G_CUDA_OOM] = "oom",
    [C2G_CUDA_SNAPSHOT] = "snapshot",
  };

  begin_dict (pickle);
  add_text_item (pickle, "action", actions[entry->action]);
  add_integer_item (pickle, entry->action == C2G_CUDA_OOM ? "device_free" : "addr", entry->address);
  add_integer_item (pickle, "size", entry->n_bytes);
  add_integer_item (pickle, "stream", entry->stream);
  add_integer_item (pickle, "time_us", (guint64) entry->time);
  begin_list_item (pickle, "frames");
  end_dict_in_list (pickle);
}

/* One list of events for each device up to that of the cache. Only the last one has any. */
static void
add_traces (GByteArray         *pickle,
            int                 device,
            const C2gCudaEntry *entries,
            guint               n_entries)
{
  begin_list_item (pickle, "device_traces");
  for (int i = 0; i <= device; i++)
    {
      add_opcode (pickle, ']');
      for (guint k = 0; i == device && k < n_entries; k++)
        add_entry (pickle, &entries[k]);
      add_opcode (pickle, 'a');
    }
}

/* The segments are those after the last event. */
static GByteArray *
make_pickle (C2gCudaCache *cache)
{
  GByteArray *pickle = g_byte_array_new ();
  g_autofree C2gCudaEntry *entries = NULL;
  guint n_entries = 0;

  add_opcode (pickle, 0x80);
  add_opcode (pickle, 2);
  begin_dict (pickle);
  begin_list_item (pickle, "segments");
  if (cache != NULL)
    {
      g_mutex_lock (&cache->lock);
      if (cache->history != NULL)
        c2g_cuda_history_add (cache->history, C2G_CUDA_SNAPSHOT, 0, cache->statistics.active_bytes,
                              0);
      entries = c2g_cuda_history_dup (cache->history, &n_entries);
      add_segments (pickle, cache);
      g_mutex_unlock (&cache->lock);
    }
  add_traces (pickle, cache != NULL ? cache->device : -1, entries, n_entries);
  add_opcode (pickle, 'u');
  add_opcode (pickle, '.');

  return pickle;
}

/**
 * c2g_cuda_caching_allocator_get_history_max_entries: (get-property history-max-entries)
 * @self: an allocator
 *
 * Gets how many of the newest events the allocator records.
 *
 * Returns: a number; 0 if it records none
 */
guint
c2g_cuda_caching_allocator_get_history_max_entries (C2gCudaCachingAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  return c2g_cuda_cache_get_history (c2g_cuda_caching_allocator_peek_cache (self));
}

/**
 * c2g_cuda_caching_allocator_set_history_max_entries: (set-property history-max-entries)
 * @self: an allocator
 * @max_entries: a number, or 0 to record no history and to forget the recorded one
 *
 * Sets how many of the newest events the allocator records, for [method@CachingAllocator.save_snapshot].
 *
 * An event takes 40 bytes. An allocator that was not made by one of its constructors records none.
 */
void
c2g_cuda_caching_allocator_set_history_max_entries (C2gCudaCachingAllocator *self,
                                                    guint                    max_entries)
{
  g_return_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self));
  g_return_if_fail (max_entries <= C2G_CUDA_MAX_ENTRIES);

  if (c2g_cuda_cache_set_history (c2g_cuda_caching_allocator_peek_cache (self), max_entries))
    g_object_notify (G_OBJECT (self), "history-max-entries");
}

/**
 * c2g_cuda_caching_allocator_save_snapshot:
 * @self: an allocator
 * @file: the file to write
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes which memory the allocator has from the device, and what of it is in use, for PyTorch's
 * [memory_viz](https://pytorch.org/memory_viz).
 *
 * The file is a pickle as `torch.cuda.memory._dump_snapshot()` writes it: "segments" lists the
 * memory by address, with the device, the stream and the "blocks" of each segment. A block has a
 * "size", a "requested_size", and a "state": "active_allocated", "active_pending_free" if it was
 * returned and a stream still uses it, or "inactive". Blocks name their streams by handles, 0 if
 * any stream may have the block. The sums are those of the properties.
 *
 * "device_traces" has a list for each device. That of the allocator's device has what happened before, if
 * [property@CachingAllocator:history-max-entries] is not 0. An event has an "action", an "addr", a
 * "size", a "stream" and a "time_us", in microseconds since 1970. The action is "alloc",
 * "free_requested", "free_completed" when no stream uses the block any more, "segment_alloc",
 * "segment_free", "segment_map", "segment_unmap", "oom", which has "device_free" in place of the
 * address, or "snapshot". No "frames" are recorded.
 *
 * ```python
 * allocator.save_snapshot('memory.pickle')
 * with open('memory.pickle', 'rb') as file:
 *     segments = pickle.load(file)['segments']
 * ```
 *
 * Errors: those of the file.
 *
 * Returns: true on success
 */
gboolean
c2g_cuda_caching_allocator_save_snapshot (C2gCudaCachingAllocator  *self,
                                          GFile                    *file,
                                          GCancellable             *cancellable,
                                          GError                  **error)
{
  g_autoptr (GByteArray) pickle = NULL;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* GLib may replace a file and then say that it was cancelled, so it is asked before. */
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  pickle = make_pickle (c2g_cuda_caching_allocator_peek_cache (self));

  return g_file_replace_contents (file, (const char *) pickle->data, pickle->len, NULL, FALSE,
                                  G_FILE_CREATE_NONE, NULL, NULL, error);
}
