/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Replays what a C2gLoggingAllocator wrote down, once for each allocator of the library and
 * once for cudaMalloc() alone, and tells what each of them took for it.
 *
 *   bench-cuda-replay [LOG.csv]
 *
 * Without a log, what a convolutional network asks for is made up. */

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

/* What an allocator took. */
typedef struct
{
  guint64 requested_bytes;
  guint64 peak_requested_bytes;
  /* Of blocks, when most was asked for. */
  guint64 block_bytes;
  guint64 peak_bytes;
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

/* cudaMalloc() and cudaFree() for each block. */
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

static GArray *
read_log (const char *path)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GError *error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  check (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    parse_line (events, lines[i]);

  return events;
}

static void
add_event (GArray  *events,
           guint64  address,
           gsize    n_bytes)
{
  Event event = { address, n_bytes };

  g_array_append_val (events, event);
}

/* Weights that stay, and for each image activations and scratch memory that come and go, with
 * batches of several sizes. */
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

/* The most that was asked for is looked at in a run of its own, which is not timed. */
static void
replay (C2gAllocator *allocator,
        C2gContext   *context,
        const GArray *events,
        gboolean      is_timed,
        Result       *result)
{
  g_autoptr (GHashTable) blocks = g_hash_table_new_full (NULL, NULL, NULL,
                                                         (GDestroyNotify) c2g_storage_unref);
  gint64 start = g_get_monotonic_time ();

  result->requested_bytes = 0;
  for (guint i = 0; i < events->len; i++)
    {
      const Event *event = &g_array_index (events, Event, i);
      gpointer key = (gpointer) (guintptr) event->address;
      C2gStorage *storage = NULL;

      if (event->n_bytes == 0)
        {
          storage = g_hash_table_lookup (blocks, key);
          if (storage != NULL)
            result->requested_bytes -= c2g_storage_get_n_bytes (storage);
          g_hash_table_remove (blocks, key);
          continue;
        }

      storage = c2g_allocator_allocate (allocator, event->n_bytes, context, NULL);
      if (storage == NULL)
        {
          result->n_failed++;
          continue;
        }
      g_hash_table_insert (blocks, key, storage);
      result->requested_bytes += event->n_bytes;
      if (is_timed || result->requested_bytes <= result->peak_requested_bytes)
        continue;
      result->peak_requested_bytes = result->requested_bytes;
      result->block_bytes = count_block_bytes (allocator, result->requested_bytes);
    }
  if (is_timed)
    result->time = g_get_monotonic_time () - start;
}

static guint64
count_peak (C2gAllocator *allocator,
            guint64       requested_bytes)
{
  if (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator))
    return c2g_cuda_caching_allocator_get_peak_bytes (C2G_CUDA_CACHING_ALLOCATOR (allocator));
  if (C2G_CUDA_IS_ASYNC_ALLOCATOR (allocator))
    return c2g_cuda_async_allocator_get_peak_bytes (C2G_CUDA_ASYNC_ALLOCATOR (allocator));

  return requested_bytes;
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
  Result result = { 0 };

  check (error);
  allocator = make (device, &error);
  check (error);
  replay (allocator, context, events, FALSE, &result);
  replay (allocator, context, events, TRUE, &result);
  result.peak_bytes = count_peak (allocator, result.peak_requested_bytes);

  g_print ("%-16s %12.1f %14.1f %10.2f %% %14.1f %9u\n", name,
           (double) result.time * 1e3 / (double) events->len,
           (double) result.peak_requested_bytes / (1 << 20),
           100.0 * ((double) result.block_bytes / (double) result.peak_requested_bytes - 1.0),
           (double) result.peak_bytes / (1 << 20), result.n_failed);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GArray) events = argc > 1 ? read_log (argv[1]) : make_log ();

  if (events->len == 0)
    {
      g_printerr ("bench-cuda-replay: There is nothing in %s to replay\n", argv[1]);
      return EXIT_FAILURE;
    }

  g_print ("%-16s %12s %14s %12s %14s %9s\n", "allocator", "ns per event", "asked for, MiB",
           "rounding", "reserved, MiB", "failures");
  measure ("caching", c2g_cuda_caching_allocator_new, events);
  measure ("stream-ordered", c2g_cuda_async_allocator_new, events);
  measure ("cudaMalloc", direct_allocator_new, events);

  return EXIT_SUCCESS;
}
