/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "exchange.h"
#include "tests/test-utils.h"

#include <c2g/core/memory/c2g-cpu-allocator.h>
#include <c2g/core/memory/c2g-failure-callback-allocator.h>
#include <c2g/core/memory/c2g-limiting-allocator.h>
#include <c2g/core/memory/c2g-logging-allocator.h>
#include <c2g/core/memory/c2g-memory-reporter.h>
#include <c2g/core/memory/c2g-pool-allocator.h>
#include <c2g/core/memory/c2g-tracking-allocator.h>
#include <c2g/core/types/c2g-error.h>

#include <string.h>

#define N_THREADS 8
#define N_ROUNDS  1000

G_DEFINE_FINAL_TYPE (ProbeAllocator, probe_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

static C2gStorage *
probe_allocator_allocate (C2gAllocator  *allocator,
                          gsize          n_bytes,
                          C2gContext    *context,
                          GError       **error)
{
  ProbeAllocator *self = PROBE_ALLOCATOR (allocator);
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (probe_allocator_parent_class);
  int n_call = g_atomic_int_add (&self->n_calls, 1) + 1;
  C2gStorage *storage;

  if (self->fail_at > 0 && n_call >= self->fail_at && n_call < self->fail_at + self->n_fail)
    {
      g_set_error (error, C2G_ERROR, self->error_code, "Injected at call %d", n_call);
      return NULL;
    }

  storage = parent_class->allocate (allocator, n_bytes, context, error);
  if (storage != NULL)
    {
      g_atomic_int_inc (&self->n_given);
      g_atomic_pointer_add (&self->n_bytes, n_bytes);
    }

  return storage;
}

static void
probe_allocator_released (C2gAllocator *allocator,
                          guint64       address,
                          gsize         n_bytes)
{
  ProbeAllocator *self = PROBE_ALLOCATOR (allocator);

  g_atomic_int_inc (&self->n_released);
  g_atomic_pointer_add (&self->n_bytes, -(gssize) n_bytes);
}

static void
probe_allocator_finalize (GObject *object)
{
  ProbeAllocator *self = PROBE_ALLOCATOR (object);

  g_assert_cmpint (self->n_given, ==, self->n_released);
  g_assert_cmpint (self->n_bytes, ==, 0);

  G_OBJECT_CLASS (probe_allocator_parent_class)->finalize (object);
}

static void
probe_allocator_class_init (ProbeAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = probe_allocator_finalize;

  allocator_class->allocate = probe_allocator_allocate;
  allocator_class->released = probe_allocator_released;
}

static void
probe_allocator_init (ProbeAllocator *self)
{
  self->n_fail = 1;
  self->error_code = C2G_ERROR_NO_MEMORY;
}

C2gAllocator *
probe_allocator_new (C2gAllocator *upstream)
{
  return g_object_new (PROBE_TYPE_ALLOCATOR, "upstream", upstream, NULL);
}

static void
fill (gpointer address,
      int      value,
      gsize    n_bytes)
{
  memset (address, value, n_bytes);
}

static gboolean
is_filled (gconstpointer address,
           int           value,
           gsize         n_bytes)
{
  const guint8 *bytes = address;

  return bytes[0] == value && memcmp (bytes, bytes + 1, n_bytes - 1) == 0;
}

static const AllocatorSuiteMemory near_memory = { fill, is_filled, 0 };
static const AllocatorSuiteMemory *memory = &near_memory;

void
allocator_suite_set_memory (const AllocatorSuiteMemory *other)
{
  memory = other;
}

static const char *base_names[8];
static AllocatorSuiteMake base_makes[8];

void
allocator_suite_add_base (const char        *name,
                          AllocatorSuiteMake make)
{
  for (guint i = 0; i < G_N_ELEMENTS (base_names); i++)
    if (base_names[i] == NULL)
      {
        base_names[i] = name;
        base_makes[i] = make;
        return;
      }
}

static C2gAllocator *
stack_one (const char   *name,
           C2gAllocator *upstream)
{
  g_autoptr (GOutputStream) stream = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (base_names) && base_names[i] != NULL; i++)
    if (g_str_equal (name, base_names[i]))
      return base_makes[i](name);

  if (g_str_equal (name, "cpu"))
    return c2g_cpu_allocator_new ();
  if (g_str_equal (name, "aligned"))
    return c2g_cpu_allocator_new_aligned (4096, NULL);
  if (g_str_equal (name, "pool"))
    return c2g_pool_allocator_new (upstream);
  if (g_str_equal (name, "limiting"))
    return c2g_limiting_allocator_new (upstream, 1 << 30);
  if (g_str_equal (name, "tracking"))
    return c2g_tracking_allocator_new (upstream);
  if (g_str_equal (name, "failure"))
    return c2g_failure_callback_allocator_new (upstream, NULL, NULL, NULL);
  if (g_str_equal (name, "probe"))
    return probe_allocator_new (upstream);

  g_assert_cmpstr (name, ==, "logging");
  stream = g_memory_output_stream_new_resizable ();

  return c2g_logging_allocator_new (upstream, stream);
}

C2gAllocator *
allocator_suite_build (const char *stack)
{
  g_auto (GStrv) names = g_strsplit (stack, "/", -1);
  C2gAllocator *top = NULL;
  guint i;

  for (i = g_strv_length (names); i > 0; i--)
    {
      g_autoptr (C2gAllocator) upstream = top;

      top = stack_one (names[i - 1], upstream);
      g_assert_true (C2G_IS_ALLOCATOR (top));
    }

  return top;
}

gpointer
allocator_suite_upstream (gpointer adaptor)
{
  return c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (adaptor));
}

gpointer
allocator_suite_find (C2gAllocator *top,
                      GType         type)
{
  while (!g_type_is_a (G_OBJECT_TYPE (top), type))
    {
      if (!C2G_IS_ADAPTOR_ALLOCATOR (top))
        return NULL;
      top = allocator_suite_upstream (top);
    }

  return top;
}

typedef struct
{
  AllocatorSuiteMake make;
  gconstpointer      data;
} Case;

/* The data of all tests. GTest does not free it. */
static GSList *cases;

/* Numbers of the ledger at the start of a test. They must be the same at its end. */
typedef struct
{
  C2gAllocator *allocator;
  guint64       current_bytes;
  guint64       n_blocks;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  const Case *test = data;
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();

  fixture->current_bytes = c2g_memory_reporter_get_current_bytes (reporter, NULL);
  fixture->n_blocks = c2g_memory_reporter_get_n_blocks (reporter, NULL);
  fixture->allocator = test->make (test->data);
}

/* Checks that no part of the stack counts a block after all were freed. */
static void
assert_unused (C2gAllocator *allocator)
{
  C2gTrackingAllocator *tracking = allocator_suite_find (allocator, C2G_TYPE_TRACKING_ALLOCATOR);
  C2gLimitingAllocator *limiting = allocator_suite_find (allocator, C2G_TYPE_LIMITING_ALLOCATOR);
  C2gPoolAllocator *pool = allocator_suite_find (allocator, C2G_TYPE_POOL_ALLOCATOR);
  ProbeAllocator *probe = allocator_suite_find (allocator, PROBE_TYPE_ALLOCATOR);

  c2g_allocator_trim (allocator, 0);

  if (tracking != NULL)
    {
      g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (tracking), ==, 0);
      g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (tracking), ==, 0);
    }
  if (limiting != NULL)
    g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 0);
  if (pool != NULL)
    {
      g_assert_cmpuint (c2g_pool_allocator_get_used_bytes (pool), ==, 0);
      g_assert_cmpuint (c2g_pool_allocator_get_cached_bytes (pool), ==, 0);
    }
  if (probe != NULL)
    {
      g_assert_cmpint (probe->n_given, ==, probe->n_released);
      g_assert_cmpint (probe->n_bytes, ==, 0);
    }
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();

  if (fixture->allocator != NULL)
    {
      assert_unused (fixture->allocator);
      g_assert_finalize_object (fixture->allocator);
    }

  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==,
                    fixture->current_bytes);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, fixture->n_blocks);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, 0);
}

static gpointer
address_of (C2gStorage *storage)
{
  return (gpointer) (guintptr) c2g_storage_get_address (storage);
}

static C2gStorage *
allocate (C2gAllocator *allocator,
          gsize         n_bytes)
{
  g_autoptr (GError) error = NULL;
  C2gStorage *storage = c2g_allocator_allocate (allocator, n_bytes, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (storage);

  return storage;
}

static const gsize some_sizes[] = {
  1,
  2,
  63,
  64,
  65,
  127,
  128,
  129,
  511,
  512,
  513,
  576,
  577,
  1000,
  1024,
  1025,
  4095,
  4096,
  4097,
  65536,
  100000,
  (1 << 20) - 1,
  1 << 20,
  (1 << 20) + 1,
  (16 << 20) + 1,
};

static void
test_zero_size (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr (C2gStorage) first = allocate (fixture->allocator, 0);
  g_autoptr (C2gStorage) second = allocate (fixture->allocator, 0);

  g_assert_true (first != second);
  g_assert_cmpuint (c2g_storage_get_address (first), ==, 0);
  g_assert_cmpuint (c2g_storage_get_n_bytes (first), ==, 0);
  g_assert_true (c2g_storage_get_device (first) == c2g_allocator_get_device (fixture->allocator));
}

static void
test_alignment (Fixture      *fixture,
                gconstpointer data)
{
  gsize alignment = c2g_allocator_get_alignment (fixture->allocator);
  gsize n_bytes;
  guint round;

  g_assert_cmpuint (alignment, >=, 16);
  g_assert_cmpuint (alignment & (alignment - 1), ==, 0);

  /* The second round gets blocks from the cache, if the stack has one. */
  for (round = 0; round < 2; round++)
    for (n_bytes = 1; n_bytes < 20000; n_bytes += n_bytes / 7 + 1)
      {
        g_autoptr (C2gStorage) storage = allocate (fixture->allocator, n_bytes);

        g_assert_cmpuint (c2g_storage_get_address (storage) % alignment, ==, 0);
      }
}

static void
test_exact_size (Fixture      *fixture,
                 gconstpointer data)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gDevice *device = c2g_allocator_get_device (fixture->allocator);
  guint round, i;

  for (round = 0; round < 2; round++)
    for (i = 0; i < G_N_ELEMENTS (some_sizes); i++)
      {
        guint64 total_bytes = c2g_memory_reporter_get_total_bytes (reporter, device);
        g_autoptr (C2gStorage) storage = allocate (fixture->allocator, some_sizes[i]);

        g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, some_sizes[i]);
        g_assert_true (c2g_storage_get_device (storage) == device);
        g_assert_false (c2g_storage_is_read_only (storage));
        g_assert_cmpuint (c2g_storage_use_count (storage), ==, 1);

        g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==,
                          fixture->current_bytes + some_sizes[i]);
        g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==,
                          fixture->n_blocks + 1);
        g_assert_cmpuint (c2g_memory_reporter_get_total_bytes (reporter, device), ==,
                          total_bytes + some_sizes[i]);
      }
}

/* Writes all bytes of several live blocks: blocks must not overlap. */
static void
test_write_all (Fixture      *fixture,
                gconstpointer data)
{
  C2gStorage *storages[G_N_ELEMENTS (some_sizes)];
  /* The largest one has more bytes than all others. */
  const guint n_sizes = G_N_ELEMENTS (some_sizes) - (c2g_test_is_quick () ? 1 : 0);
  guint round, i;

  for (round = 0; round < 2; round++)
    {
      for (i = 0; i < n_sizes; i++)
        {
          storages[i] = allocate (fixture->allocator, some_sizes[i]);
          memory->fill (address_of (storages[i]), (int) (i + 1), some_sizes[i]);
        }

      for (i = 0; i < n_sizes; i++)
        {
          g_assert_true (memory->is_filled (address_of (storages[i]), (int) (i + 1), some_sizes[i]));
          c2g_storage_unref (storages[i]);
        }
    }
}

static int
compare_addresses (gconstpointer a,
                   gconstpointer b)
{
  guint64 left = c2g_storage_get_address (*(C2gStorage *const *) a);
  guint64 right = c2g_storage_get_address (*(C2gStorage *const *) b);

  return left < right ? -1 : left > right;
}

static void
test_distinct (Fixture      *fixture,
               gconstpointer data)
{
  g_autoptr (GPtrArray) storages = g_ptr_array_new ();
  guint i;

  g_ptr_array_set_free_func (storages, (GDestroyNotify) c2g_storage_unref);
  for (i = 0; i < 300; i++)
    {
      g_ptr_array_add (storages, allocate (fixture->allocator, 1 + (i * 37) % 700));
      /* Free some blocks in between, so that their memory is reused. */
      if (i % 5 == 4)
        g_ptr_array_remove_index_fast (storages, (i * 13) % storages->len);
    }

  g_ptr_array_sort (storages, compare_addresses);
  for (i = 1; i < storages->len; i++)
    {
      C2gStorage *lower = storages->pdata[i - 1];

      g_assert_cmpuint (c2g_storage_get_address (lower) + c2g_storage_get_n_bytes (lower), <=,
                        c2g_storage_get_address (storages->pdata[i]));
    }
}

static void
test_too_large (Fixture      *fixture,
                gconstpointer data)
{
  static const gsize sizes[] = {
    G_MAXSIZE,
    G_MAXSIZE - 1,
    G_MAXSIZE - 63,
    G_MAXSIZE - 64,
    G_MAXSIZE - 127,
    G_MAXSIZE - 4096,
    G_MAXSIZE / 2 + 1,
    G_MAXSIZE / 2,
    G_MAXSIZE / 4 + 1,
  };
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_allocator_allocate (fixture->allocator, sizes[i], NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      g_assert_null (c2g_allocator_allocate (fixture->allocator, sizes[i], NULL, NULL));
      g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==,
                        fixture->current_bytes);
    }

  c2g_storage_unref (allocate (fixture->allocator, 100));
}

static gpointer
unref_storage (gpointer data)
{
  c2g_storage_unref (data);
  return NULL;
}

static void
test_other_thread (Fixture      *fixture,
                   gconstpointer data)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (some_sizes); i++)
    g_thread_join (g_thread_new ("unref", unref_storage,
                                 allocate (fixture->allocator, some_sizes[i])));
}

/* A thread that allocates blocks and also frees blocks of other threads. */
typedef struct
{
  C2gAllocator *allocator;
  guint         seed;
  Exchange     *exchange;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (worker->seed);
  guint n_rounds = c2g_test_count_rounds (N_ROUNDS);

  for (guint i = 0; i < n_rounds; i++)
    {
      gsize n_bytes = (gsize) 1 << g_rand_int_range (random, 0, 16);
      C2gStorage *storage, *other;

      n_bytes += (gsize) g_rand_int_range (random, 0, (gint32) n_bytes + 1);
      storage = allocate (worker->allocator, n_bytes);
      memory->fill (address_of (storage), (int) i & 0xff, 1);
      memory->fill ((char *) address_of (storage) + n_bytes - 1, (int) i & 0xff, 1);

      exchange_push (worker->exchange, storage);
      if (g_rand_boolean (random) && (other = exchange_try_pop (worker->exchange)) != NULL)
        c2g_storage_unref (other);
      if (i % 100 == 99)
        c2g_allocator_trim (worker->allocator, 1 << 16);
      if (exchange_get_length (worker->exchange) > 64 &&
          (other = exchange_try_pop (worker->exchange)) != NULL)
        c2g_storage_unref (other);
    }

  return NULL;
}

static void
test_threads (Fixture      *fixture,
              gconstpointer data)
{
  Exchange exchange = { 0 };
  GThread *threads[N_THREADS];
  Worker workers[N_THREADS];
  guint i;

  for (i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker){ fixture->allocator, i, &exchange };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);

  exchange_clear (&exchange);
}

static void
test_trim (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gStorage) kept = allocate (fixture->allocator, 5000);
  guint64 cached_bytes;
  guint i;

  memory->fill (address_of (kept), 7, 5000);
  for (i = 0; i < G_N_ELEMENTS (some_sizes); i++)
    c2g_storage_unref (allocate (fixture->allocator, some_sizes[i]));

  cached_bytes = c2g_memory_reporter_get_cached_bytes (reporter, NULL);
  if (cached_bytes == 0)
    g_assert_cmpuint (c2g_allocator_trim (fixture->allocator, 0), ==, 0);
  else
    g_assert_cmpuint (c2g_allocator_trim (fixture->allocator, 0), >, 0);

  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), <=, memory->max_kept);
  g_assert_cmpuint (c2g_allocator_trim (fixture->allocator, 0), ==, 0);
  g_assert_true (memory->is_filled (address_of (kept), 7, 5000));
}

/* Live blocks keep the stack alive after the program has dropped it. */
static void
test_outlived (Fixture      *fixture,
               gconstpointer data)
{
  C2gStorage *first = allocate (fixture->allocator, 5000);
  C2gStorage *second = allocate (fixture->allocator, 300);

  c2g_storage_unref (allocate (fixture->allocator, 5000));
  g_clear_object (&fixture->allocator);

  memory->fill (address_of (first), 1, 5000);
  memory->fill (address_of (second), 2, 300);
  c2g_storage_unref (first);
  g_assert_true (memory->is_filled (address_of (second), 2, 300));
  c2g_storage_unref (second);
}

/* A storage is freed with its last reference, in any thread. */
static void
test_references (Fixture      *fixture,
                 gconstpointer data)
{
  C2gStorage *storage = allocate (fixture->allocator, 200);
  g_autoptr (C2gMapping) mapping = NULL;

  g_thread_join (g_thread_new ("unref", unref_storage, c2g_storage_ref (storage)));
  if (c2g_storage_get_device (storage) != c2g_device_cpu ())
    {
      g_assert_null (c2g_storage_map (storage, C2G_MAP_READ_WRITE, NULL));
      c2g_storage_unref (storage);
      return;
    }

  mapping = c2g_storage_map (storage, C2G_MAP_READ_WRITE, NULL);
  g_assert_cmpuint (c2g_mapping_get_n_bytes (mapping), ==, 200);
  c2g_storage_unref (storage);

  memset ((gpointer) (guintptr) c2g_mapping_get_address (mapping), 3, 200);
  c2g_mapping_unmap (mapping);
}

void
allocator_suite_add (const char         *name,
                     AllocatorSuiteMake  make,
                     gconstpointer       data)
{
  static const struct
  {
    const char *name;
    void (*run) (Fixture      *fixture,
                 gconstpointer data);
  } tests[] = {
    { "zero-size", test_zero_size },
    { "alignment", test_alignment },
    { "exact-size", test_exact_size },
    { "write-all", test_write_all },
    { "distinct", test_distinct },
    { "too-large", test_too_large },
    { "other-thread", test_other_thread },
    { "threads", test_threads },
    { "trim", test_trim },
    { "outlived", test_outlived },
    { "references", test_references },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strdup_printf ("/allocator-suite/%s/%s", name, tests[i].name);
      Case *test = g_new (Case, 1);

      test->make = make;
      test->data = data;
      cases = g_slist_prepend (cases, test);
      g_test_add_vtable (path, sizeof (Fixture), test,
                         (GTestFixtureFunc) set_up,
                         (GTestFixtureFunc) tests[i].run,
                         (GTestFixtureFunc) tear_down);
    }
}
