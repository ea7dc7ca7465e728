/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Replays what C2gLoggingAllocators wrote down, for each allocator of the library and for
 * cudaMalloc() alone, and tells what each of them took for it; and, without replaying it, how
 * the bins of CUB would round the sizes.
 *
 *   bench-cuda-replay [LOG.csv...]
 *
 * Several logs are replayed one after another, with addresses of their own. Without one, what a
 * convolutional network asks for is made up. */

#include "bench-cuda.h"

#include <c2g/cuda/c2g-cuda.h>

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

/* One line of the log; a block that goes back has no size. */
typedef struct
{
  guint64 address;
  gsize   n_bytes;
} Event;

/* The cost of an allocator. */
typedef struct
{
  /* Bytes that were requested, and bytes of the blocks: in total, and at the peak. */
  guint64 total_requested;
  guint64 total_blocks;
  guint64 peak_requested;
  guint64 peak_blocks;

  guint64 reserved;
  gint64  time;
  guint   n_failed;
} Result;

static void
check (GError *error)
{
  if (error == NULL)
    return;
  g_printerr ("bench-cuda-replay: %s\n", error->message);
  exit (EXIT_FAILURE);
}

/* Uses cudaMalloc() and cudaFree() for each block. */
#define DIRECT_TYPE_ALLOCATOR (direct_allocator_get_type ())
G_DECLARE_FINAL_TYPE (DirectAllocator, direct_allocator, DIRECT, ALLOCATOR, C2gAllocator)

struct _DirectAllocator
{
  C2gAllocator parent_instance;
};

G_DEFINE_FINAL_TYPE (DirectAllocator, direct_allocator, C2G_TYPE_ALLOCATOR)

static gpointer
direct_allocator_alloc_block (C2gAllocator  *allocator,
                              gsize          n_bytes,
                              C2gContext    *context,
                              GError       **error)
{
  gpointer block = NULL;

  return cudaMalloc (&block, n_bytes) == cudaSuccess ? block : NULL;
}

static void
direct_allocator_free_block (C2gAllocator *allocator,
                             gpointer      block,
                             gsize         n_bytes,
                             C2gContext   *context)
{
  cudaFree (block);
}

static C2gDevice *
direct_allocator_get_device (C2gAllocator *allocator)
{
  return c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

static void
direct_allocator_class_init (DirectAllocatorClass *klass)
{
  static const C2gBlockFuncs block_funcs = {
    .alloc_block = direct_allocator_alloc_block,
    .free_block = direct_allocator_free_block,
  };

  C2G_ALLOCATOR_CLASS (klass)->get_device = direct_allocator_get_device;
  C2G_ALLOCATOR_CLASS (klass)->block_funcs = &block_funcs;
}

static void
direct_allocator_init (DirectAllocator *self)
{
}

static C2gAllocator *
direct_allocator_new (C2gDevice  *device,
                      GError    **error)
{
  return g_object_new (DIRECT_TYPE_ALLOCATOR, NULL);
}

static void
parse_line (GArray     *events,
            const char *text)
{
  g_auto (GStrv) fields = g_strsplit (text, ",", -1);
  Event event = { 0 };

  if (g_strv_length (fields) < 6 ||
      (!g_str_equal (fields[2], "allocate") && !g_str_equal (fields[2], "release")))
    return;

  event.address = g_ascii_strtoull (fields[3], NULL, 16);
  if (g_str_equal (fields[2], "allocate"))
    event.n_bytes = g_ascii_strtoull (fields[4], NULL, 10);
  if (event.address != 0)
    g_array_append_val (events, event);
}

/* Blocks that the log does not free are freed at its end. */
static void
end_log (GArray *events,
         guint   first)
{
  const guint n = events->len;

  for (guint i = first; i < n; i++)
    {
      Event event = { g_array_index (events, Event, i).address, 0 };

      if (g_array_index (events, Event, i).n_bytes > 0)
        g_array_append_val (events, event);
    }
}

static void
read_log (const char *path,
          GArray     *events)
{
  const guint first = events->len;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GError *error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  check (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    parse_line (events, lines[i]);
  end_log (events, first);
}

static void
add_event (GArray  *events,
           guint64  address,
           gsize    n_bytes)
{
  Event event = { address, n_bytes };

  g_array_append_val (events, event);
}

/* Makes a log of weights that stay, and for each image of activations and scratch memory that come
 * and go, with batches of several sizes. */
static GArray *
make_log (void)
{
  static const gsize n_channels[] = { 64, 64, 128, 128, 256, 256, 512, 512 };
  static const gsize batches[] = { 1, 4, 3, 8, 2, 7 };
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));
  const guint n_layers = G_N_ELEMENTS (n_channels);

  for (guint i = 0; i < n_layers; i++)
    add_event (events, 1 + i, n_channels[i] * n_channels[i] * 9 * sizeof (float));
  for (guint run = 0; run < 600; run++)
    for (guint i = 0; i < n_layers; i++)
      {
        gsize side = 224 >> (i / 2 + 1);
        gsize n_elements = batches[run % G_N_ELEMENTS (batches)] * n_channels[i] * side * side;

        if (i > 1)
          add_event (events, 98 + i, 0);
        add_event (events, 100 + i, n_elements * sizeof (float));
        add_event (events, 200, n_elements * 9 / 4 + 1000 * (run % 7));
        add_event (events, 200, 0);
        if (i == n_layers - 1)
          {
            add_event (events, 99 + i, 0);
            add_event (events, 100 + i, 0);
          }
      }

  return events;
}

static guint64
count_block_bytes (C2gAllocator *allocator,
                   guint64       requested_bytes)
{
  if (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator))
    return c2g_cuda_caching_allocator_get_allocated_bytes (C2G_CUDA_CACHING_ALLOCATOR (allocator));
  if (C2G_CUDA_IS_ASYNC_ALLOCATOR (allocator))
    return c2g_cuda_async_allocator_get_used_bytes (C2G_CUDA_ASYNC_ALLOCATOR (allocator));

  return requested_bytes;
}

static GHashTable *
new_blocks (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                (GDestroyNotify) c2g_storage_unref);
}

/* The former block of this place is freed. */
static C2gStorage *
do_event (C2gAllocator *allocator,
          C2gContext   *context,
          GHashTable   *blocks,
          const Event  *event)
{
  C2gStorage *storage;

  if (event->n_bytes == 0)
    {
      g_hash_table_remove (blocks, &event->address);
      return NULL;
    }

  storage = c2g_allocator_allocate (allocator, event->n_bytes, context, NULL);
  if (storage != NULL)
    g_hash_table_replace (blocks, g_memdup2 (&event->address, sizeof event->address), storage);
  return storage;
}

/* Counts requested bytes and bytes of blocks, as they are allocated and freed. */
typedef struct
{
  Result  result;
  guint64 requested;
  guint64 blocks;
} Count;

static void
count_event (Count   *self,
             guint64  requested,
             guint64  blocks)
{
  self->result.total_requested += requested > self->requested ? requested - self->requested : 0;
  self->result.total_blocks += blocks > self->blocks ? blocks - self->blocks : 0;
  self->requested = requested;
  self->blocks = blocks;
  if (requested <= self->result.peak_requested)
    return;
  self->result.peak_requested = requested;
  self->result.peak_blocks = blocks;
}

/* This run is not timed. */
static void
observe (C2gAllocator *allocator,
         C2gContext   *context,
         const GArray *events,
         Result       *result)
{
  g_autoptr (GHashTable) blocks = new_blocks ();
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gDevice *device = c2g_allocator_get_device (allocator);
  Count count = { { 0 } };

  for (guint i = 0; i < events->len; i++)
    {
      const Event *event = &g_array_index (events, Event, i);
      guint64 requested;

      if (do_event (allocator, context, blocks, event) == NULL && event->n_bytes > 0)
        count.result.n_failed++;
      requested = c2g_memory_reporter_get_current_bytes (reporter, device);
      count_event (&count, requested, count_block_bytes (allocator, requested));
    }
  *result = count.result;
}

static void
replay (C2gAllocator *allocator,
        C2gContext   *context,
        const GArray *events,
        Result       *result)
{
  g_autoptr (GHashTable) blocks = new_blocks ();
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < events->len; i++)
    do_event (allocator, context, blocks, &g_array_index (events, Event, i));
  result->time = g_get_monotonic_time () - start;
}

static guint64
count_reserved (C2gAllocator *allocator,
                guint64       requested_bytes)
{
  if (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator))
    return c2g_cuda_caching_allocator_get_peak_bytes (C2G_CUDA_CACHING_ALLOCATOR (allocator));
  if (C2G_CUDA_IS_ASYNC_ALLOCATOR (allocator))
    return c2g_cuda_async_allocator_get_peak_bytes (C2G_CUDA_ASYNC_ALLOCATOR (allocator));

  return requested_bytes;
}

static void
print_result (const char   *name,
              const Result *result,
              guint         n_events)
{
  static guint n_rows;

  g_print ("%s\n  \"%s\": {\"ns\": %.1f, \"asked\": %" G_GUINT64_FORMAT
           ", \"rounding\": %.5f, \"peak rounding\": %.5f, \"reserved\": %" G_GUINT64_FORMAT
           ", \"failures\": %u}",
           n_rows++ > 0 ? "," : "", name, 1e3 * (double) result->time / n_events,
           result->peak_requested,
           (double) result->total_blocks / (double) result->total_requested - 1,
           (double) result->peak_blocks / (double) result->peak_requested - 1, result->reserved,
           result->n_failed);
}

static void
measure (const char    *name,
         C2gAllocator *(*make) (C2gDevice  *device,
                                GError    **error),
         const GArray  *events)
{
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
  GError *error = NULL;
  g_autoptr (C2gContext) context = c2g_cuda_context_new (device, &error);
  g_autoptr (C2gAllocator) allocator = NULL;
  Result result;

  check (error);
  allocator = make (device, &error);
  check (error);
  observe (allocator, context, events, &result);
  replay (allocator, context, events, &result);
  result.reserved = count_reserved (allocator, result.peak_requested);
  print_result (name, &result, events->len);
}

/* CUB's CachingDeviceAllocator rounds up to the next power of the growth factor, except for sizes
 * above the largest bin. */
static guint64
round_up (guint64 n_bytes,
          guint   growth,
          guint   first_bin,
          guint   last_bin)
{
  guint64 size = 1;
  guint bin = 0;

  while (bin < first_bin || (size < n_bytes && bin <= last_bin))
    {
      size *= growth;
      bin++;
    }
  return bin > last_bin ? n_bytes : size;
}

static void
measure_bins (const char   *name,
              guint         growth,
              guint         first_bin,
              guint         last_bin,
              const GArray *events)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint64 requested = 0, blocks = 0;
  Count count = { { 0 } };

  for (guint i = 0; i < events->len; i++)
    {
      const Event *event = &g_array_index (events, Event, i);
      gsize old = GPOINTER_TO_SIZE (g_hash_table_lookup (sizes, &event->address));

      requested += event->n_bytes - old;
      if (old > 0)
        blocks -= round_up (old, growth, first_bin, last_bin);
      if (event->n_bytes > 0)
        blocks += round_up (event->n_bytes, growth, first_bin, last_bin);
      g_hash_table_replace (sizes, g_memdup2 (&event->address, sizeof event->address),
                            GSIZE_TO_POINTER (event->n_bytes));
      count_event (&count, requested, blocks);
    }
  print_result (name, &count.result, events->len);
}

static GArray *
find_events (int    n_logs,
             char **logs)
{
  GArray *events;

  if (n_logs == 0)
    return make_log ();

  events = g_array_new (FALSE, FALSE, sizeof (Event));
  for (int i = 0; i < n_logs; i++)
    read_log (logs[i], events);
  if (events->len == 0)
    {
      g_printerr ("bench-cuda-replay: There is nothing in %s to replay\n", logs[0]);
      exit (EXIT_FAILURE);
    }
  return events;
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GArray) events = find_events (argc - 1, argv + 1);

  bench_cuda_begin ("c2g-cuda-replay", c2g_get_version_string ());
  measure ("caching", c2g_cuda_caching_allocator_new, events);
  measure ("stream-ordered", c2g_cuda_async_allocator_new, events);
  measure ("cudaMalloc", direct_allocator_new, events);
  measure_bins ("CUB, growth 2", 2, 6, 22, events);
  measure_bins ("CUB, growth 8", 8, 3, 10, events);
  bench_cuda_end ();

  return EXIT_SUCCESS;
}
