/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures the storage hierarchy through the public API of the shared library, as programs use
 * it. */

#include "bench.h"

#include <c2g/c2g.h>

#include <stdlib.h>
#include <string.h>

#define N_ROWS_EXTENDED 4096
#define N_FEW_NAMES     100
#define N_MANY_NAMES    100000

/* Results are stored here, so that the compiler does not remove the work that computes them. */
static volatile gconstpointer sink;
static void *(*volatile copy_bytes) (void *, const void *, size_t) = memcpy;

/* Ends the program after an error, because it would time failed calls. */
static void
check (GError *error)
{
  if (error == NULL)
    return;
  g_printerr ("bench-core: %s\n", error->message);
  exit (EXIT_FAILURE);
}

static void
resize (C2gTensor *tensor,
        gint64     n)
{
  GError *error = NULL;

  c2g_tensor_resize (tensor, &n, 1, &error);
  check (error);
}

static void
allocate (C2gTensor *tensor)
{
  GError *error = NULL;

  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error);
  check (error);
}

static C2gTensor *
new_allocated (gint64 n)
{
  C2gTensor *tensor = c2g_tensor_new ();

  resize (tensor, n);
  allocate (tensor);
  return tensor;
}

/* Objects: the cost of any GObject, for comparison */

#define BENCH_TYPE_OBJECT (bench_object_get_type ())

G_DECLARE_FINAL_TYPE (BenchObject, bench_object, BENCH, OBJECT, GObject)

struct _BenchObject
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (BenchObject, bench_object, G_TYPE_OBJECT)

static void
bench_object_class_init (BenchObjectClass *klass)
{
}

static void
bench_object_init (BenchObject *self)
{
}

static void
run_object (void         *state,
            unsigned long n)
{
  for (unsigned long i = 0; i < n; i++)
    g_object_unref (g_object_new (BENCH_TYPE_OBJECT, NULL));
}

/* Tensors */

static void
run_create (void         *state,
            unsigned long n)
{
  for (unsigned long i = 0; i < n; i++)
    g_object_unref (new_allocated (64));
}

static void
set_default_allocator (C2gAllocator *allocator)
{
  GError *error = NULL;

  c2g_allocator_set_default (c2g_device_cpu (), allocator, &error);
  check (error);
}

static C2gAllocator *
get_default_allocator (void)
{
  GError *error = NULL;
  C2gAllocator *allocator = c2g_allocator_get_default (c2g_device_cpu (), &error);

  check (error);
  return allocator;
}

static void *
set_up_pool (void)
{
  g_autoptr (C2gAllocator) upstream = get_default_allocator ();

  return c2g_pool_allocator_new (upstream);
}

static void *
set_up_default_pool (void)
{
  C2gAllocator *pool = set_up_pool ();

  set_default_allocator (pool);
  return pool;
}

static void
tear_down_default_pool (void *pool)
{
  set_default_allocator (c2g_adaptor_allocator_get_upstream (pool));
  g_object_unref (pool);
}

static void *
set_up_tensor (void)
{
  return new_allocated (1024);
}

static void
run_resize (void         *state,
            unsigned long n)
{
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    {
      gint64 dim = 512 + (i & 511);

      c2g_tensor_resize (state, &dim, 1, &error);
      sink = c2g_tensor_mutable_data (state, C2G_DATA_TYPE_FLOAT, &error);
    }
  check (error);
}

static void
run_mutable_data (void         *state,
                  unsigned long n)
{
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    sink = c2g_tensor_mutable_data (state, C2G_DATA_TYPE_FLOAT, &error);
  check (error);
}

static void
run_data (void         *state,
          unsigned long n)
{
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    sink = c2g_tensor_data (state, C2G_DATA_TYPE_FLOAT, &error);
  check (error);
}

typedef struct
{
  C2gTensor *tensor;
  C2gTensor *sources[2];
} ThreeTensors;

static void *
set_up_three_tensors (void)
{
  ThreeTensors *tensors = g_new (ThreeTensors, 1);

  tensors->tensor = new_allocated (512);
  tensors->sources[0] = new_allocated (512);
  tensors->sources[1] = new_allocated (512);
  return tensors;
}

static void
tear_down_three_tensors (void *state)
{
  ThreeTensors *tensors = state;

  g_object_unref (tensors->tensor);
  g_object_unref (tensors->sources[0]);
  g_object_unref (tensors->sources[1]);
  g_free (tensors);
}

/* The source alternates, so that no call can return early. */
static void
run_share_data (void         *state,
                unsigned long n)
{
  ThreeTensors *tensors = state;
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    c2g_tensor_share_data (tensors->tensor, tensors->sources[i & 1], &error);
  check (error);
}

static void
run_extend (void         *state,
            unsigned long n)
{
  const gint64 dims[] = { 1, 64 };
  GError *error = NULL;

  while (n > 0)
    {
      unsigned long n_now = MIN (n, N_ROWS_EXTENDED);
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, &error);

      check (error);
      allocate (tensor);
      for (unsigned long i = 0; i < n_now; i++)
        c2g_tensor_extend (tensor, 1, 40, NULL, &error);
      check (error);
      n -= n_now;
    }
}

/* Workspaces */

typedef struct
{
  C2gWorkspace *workspace;
  char        **names;
  gsize         n_names;
} Names;

static Names *
names_new (gsize n_names)
{
  Names *names = g_new0 (Names, 1);

  names->workspace = c2g_workspace_new ();
  names->names = g_new0 (char *, n_names + 1);
  names->n_names = n_names;
  for (gsize i = 0; i < n_names; i++)
    names->names[i] = g_strdup_printf ("gpu_0/conv%" G_GSIZE_FORMAT "_w", i);
  return names;
}

/* The order is random, so that neither the table nor the processor can predict it. The names are
 * copied, because a caller has its own strings. */
static void
names_shuffle (Names *names)
{
  guint32 random = 1;
  char **copies;

  for (gsize i = names->n_names - 1; i > 0; i--)
    {
      gsize j;
      char *name = names->names[i];

      random = random * 1664525 + 1013904223;
      j = ((guint64) random * (i + 1)) >> 32;
      names->names[i] = names->names[j];
      names->names[j] = name;
    }

  copies = g_strdupv (names->names);
  g_strfreev (names->names);
  names->names = copies;
}

static void
create_blobs (void         *state,
              unsigned long n)
{
  Names *names = state;
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    g_object_unref (c2g_workspace_create_blob (names->workspace, names->names[i], &error));
  check (error);
}

static Names *
set_up_names (gsize n_names)
{
  Names *names = names_new (n_names);

  create_blobs (names, n_names);
  names_shuffle (names);
  return names;
}

static void *
set_up_few_names (void)
{
  return set_up_names (N_FEW_NAMES);
}

static void *
set_up_many_names (void)
{
  return set_up_names (N_MANY_NAMES);
}

static void *
set_up_no_blobs (void)
{
  return names_new (N_MANY_NAMES);
}

static void
tear_down_names (void *state)
{
  Names *names = state;

  g_object_unref (names->workspace);
  g_strfreev (names->names);
  g_free (names);
}

static void
run_get_blob (void         *state,
              unsigned long n)
{
  Names *names = state;
  GError *error = NULL;
  gsize next = 0;

  for (unsigned long i = 0; i < n; i++)
    {
      g_object_unref (c2g_workspace_get_blob (names->workspace, names->names[next], &error));
      if (++next == names->n_names)
        next = 0;
    }
  check (error);
}

/* Allocators */

static void *
set_up_allocator (void)
{
  return get_default_allocator ();
}

static void
allocate_blocks (C2gAllocator *allocator,
                 gsize         n_bytes,
                 unsigned long n)
{
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    {
      C2gStorage *storage = c2g_allocator_allocate (allocator, n_bytes, NULL, &error);

      check (error);
      c2g_storage_unref (storage);
    }
}

static void
run_allocate_64 (void         *state,
                 unsigned long n)
{
  allocate_blocks (state, 64, n);
}

static void
run_allocate_4096 (void         *state,
                   unsigned long n)
{
  allocate_blocks (state, 4096, n);
}

static void
run_allocate_1048576 (void         *state,
                      unsigned long n)
{
  allocate_blocks (state, 1048576, n);
}

/* Memory: the cost of a read that misses all caches, for comparison */

#define PLACE_SIZE 160

static void *
set_up_places (void)
{
  char *places = g_malloc (N_MANY_NAMES * PLACE_SIZE);
  gsize place = 0;

  /* Visits all places, with a step that has no common factor with their number. */
  for (gsize i = 0; i < N_MANY_NAMES; i++)
    {
      gsize next = (place + 61803) % N_MANY_NAMES;

      *(char **) (places + place * PLACE_SIZE) = places + next * PLACE_SIZE;
      place = next;
    }
  return places;
}

static void
run_read (void         *state,
          unsigned long n)
{
  char **place = state;

  for (unsigned long i = 0; i < n; i++)
    place = (char **) *place;
  sink = place;
}

/* Copies */

typedef struct
{
  C2gTensor *source;
  C2gTensor *destination;
} Pair;

static void *
set_up_pair (void)
{
  Pair *pair = g_new (Pair, 1);

  pair->source = new_allocated (1048576 / sizeof (float));
  pair->destination = new_allocated (1048576 / sizeof (float));
  memset (c2g_tensor_mutable_data (pair->source, C2G_DATA_TYPE_FLOAT, NULL), 1, 1048576);
  memset (c2g_tensor_mutable_data (pair->destination, C2G_DATA_TYPE_FLOAT, NULL), 2, 1048576);
  return pair;
}

static void
tear_down_pair (void *state)
{
  Pair *pair = state;

  g_object_unref (pair->source);
  g_object_unref (pair->destination);
  g_free (pair);
}

static void
run_copy_from (void         *state,
               unsigned long n)
{
  Pair *pair = state;
  GError *error = NULL;

  for (unsigned long i = 0; i < n; i++)
    c2g_tensor_copy_from (pair->destination, pair->source, NULL, &error);
  check (error);
}

static void
run_memcpy (void         *state,
            unsigned long n)
{
  Pair *pair = state;
  void *to = c2g_tensor_mutable_data (pair->destination, C2G_DATA_TYPE_FLOAT, NULL);
  const void *from = c2g_tensor_data (pair->source, C2G_DATA_TYPE_FLOAT, NULL);

  for (unsigned long i = 0; i < n; i++)
    copy_bytes (to, from, 1048576);
}

static const BenchRow rows[] = {
  { "object-create", NULL, NULL, run_object, 0 },
  { "tensor-create", NULL, NULL, run_create, 0 },
  { "tensor-create-pool", set_up_default_pool, tear_down_default_pool, run_create, 0 },
  { "resize-mutable-data", set_up_tensor, g_object_unref, run_resize, 0 },
  { "mutable-data", set_up_tensor, g_object_unref, run_mutable_data, 0 },
  { "data", set_up_tensor, g_object_unref, run_data, 0 },
  { "share-data", set_up_three_tensors, tear_down_three_tensors, run_share_data, 0 },
  { "extend-row", NULL, NULL, run_extend, 0 },
  { "get-blob-100", set_up_few_names, tear_down_names, run_get_blob, 0 },
  { "get-blob-100000", set_up_many_names, tear_down_names, run_get_blob, 0 },
  { "create-blob-100000", set_up_no_blobs, tear_down_names, create_blobs, N_MANY_NAMES },
  { "pool-allocate-64", set_up_pool, g_object_unref, run_allocate_64, 0 },
  { "pool-allocate-4096", set_up_pool, g_object_unref, run_allocate_4096, 0 },
  { "pool-allocate-1048576", set_up_pool, g_object_unref, run_allocate_1048576, 0 },
  { "allocate-64", set_up_allocator, g_object_unref, run_allocate_64, 0 },
  { "allocate-4096", set_up_allocator, g_object_unref, run_allocate_4096, 0 },
  { "allocate-1048576", set_up_allocator, g_object_unref, run_allocate_1048576, 0 },
  { "read-places", set_up_places, g_free, run_read, 0 },
  { "copy-1048576", set_up_pair, tear_down_pair, run_copy_from, 0 },
  { "memcpy-1048576", set_up_pair, tear_down_pair, run_memcpy, 0 },
};

int
main (int    argc,
      char **argv)
{
  g_autofree char *version = g_strdup_printf ("%s with GLib %u.%u.%u", c2g_get_version_string (),
                                              glib_major_version, glib_minor_version, glib_micro_version);

  return bench_main (argc, argv, "c2g", version, rows, G_N_ELEMENTS (rows));
}
