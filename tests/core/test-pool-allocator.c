/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "exchange.h"
#include "test-utils.h"

#include <string.h>

static C2gPoolAllocator *
new_pool (const char *upstream_stack)
{
  g_autoptr (C2gAllocator) upstream = allocator_suite_build (upstream_stack);

  return C2G_POOL_ALLOCATOR (c2g_pool_allocator_new (upstream));
}

static C2gStorage *
allocate (gpointer allocator,
          gsize    n_bytes)
{
  return c2g_allocator_allocate (C2G_ALLOCATOR (allocator), n_bytes, NULL, NULL);
}

static guint8 *
bytes_of (C2gStorage *storage)
{
  return (guint8 *) (guintptr) c2g_storage_get_address (storage);
}

static guint64
reported_cached_bytes (C2gDevice *device)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();

  return c2g_memory_reporter_get_cached_bytes (reporter, device);
}

static void
assert_bytes (C2gPoolAllocator *pool,
              guint64           used_bytes,
              guint64           cached_bytes)
{
  g_assert_cmpuint (c2g_pool_allocator_get_used_bytes (pool), ==, used_bytes);
  g_assert_cmpuint (c2g_pool_allocator_get_cached_bytes (pool), ==, cached_bytes);
  g_assert_cmpuint (reported_cached_bytes (NULL), ==, cached_bytes);
  g_assert_cmpuint (reported_cached_bytes (c2g_device_cpu ()), ==, cached_bytes);
}

/* The pool rounds requests up to size classes, which are not much larger. */
static void
test_size_classes (void)
{
  static const struct
  {
    gsize n_bytes;
    gsize class_size;
  } table[] = {
    { 1, 64 },
    { 64, 64 },
    { 65, 128 },
    { 128, 128 },
    { 449, 512 },
    { 512, 512 },
    { 513, 576 },
    { 576, 576 },
    { 577, 640 },
    { 961, 1024 },
    { 1024, 1024 },
    { 1025, 1152 },
    { 4096, 4096 },
    { 4097, 4608 },
    { 1 << 20, 1 << 20 },
    { (1 << 20) + 1, 9 << 17 },
    { 16 << 20, 16 << 20 },
    { (16 << 20) + 1, 18 << 20 },
    { 17 << 20, 18 << 20 },
  };
  gsize n_bytes;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (C2gPoolAllocator) pool = new_pool ("cpu");
      g_autoptr (C2gStorage) storage = allocate (pool, table[i].n_bytes);

      assert_bytes (pool, table[i].class_size + 64, 0);
    }

  for (n_bytes = 1; n_bytes < 64 << 20; n_bytes += n_bytes / 9 + 1)
    {
      g_autoptr (C2gPoolAllocator) pool = new_pool ("cpu");
      g_autoptr (C2gStorage) storage = allocate (pool, n_bytes);
      gsize class_size = c2g_pool_allocator_get_used_bytes (pool) - 64;

      g_assert_cmpuint (class_size, >=, n_bytes);
      g_assert_cmpuint (class_size - n_bytes, <=, MAX (n_bytes / 8, 63));
    }
}

static void
test_reuse (void)
{
  g_autoptr (C2gPoolAllocator) pool = new_pool ("tracking/cpu");
  C2gTrackingAllocator *upstream =
    C2G_TRACKING_ALLOCATOR (allocator_suite_upstream (pool));
  C2gStorage *storage = allocate (pool, 1000);
  guint64 address = c2g_storage_get_address (storage);
  g_autoptr (C2gStorage) other = NULL;
  guint i;

  assert_bytes (pool, 1024 + 64, 0);
  c2g_storage_unref (storage);
  assert_bytes (pool, 0, 1024 + 64);

  /* Requests of the same size class get the same block. */
  for (i = 961; i <= 1024; i++)
    {
      g_autoptr (C2gStorage) again = allocate (pool, i);

      g_assert_cmpuint (c2g_storage_get_address (again), ==, address);
      g_assert_cmpuint (c2g_storage_get_n_bytes (again), ==, i);
    }

  /* A request of another class gets a new block. */
  other = allocate (pool, 2000);
  g_assert_cmpuint (c2g_storage_get_address (other), !=, address);
  assert_bytes (pool, 2048 + 64, 1024 + 64);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (upstream), ==, 2);
}

/* More blocks than the slots of a thread can hold, and sizes that never use slots. */
static void
test_many (void)
{
  static const gsize sizes[] = { 64, 4096, 40 << 20 };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (C2gPoolAllocator) pool = new_pool ("tracking/cpu");
      C2gTrackingAllocator *upstream =
        C2G_TRACKING_ALLOCATOR (allocator_suite_upstream (pool));
      C2gStorage *storages[20];
      guint round;

      for (round = 0; round < 3; round++)
        {
          for (j = 0; j < G_N_ELEMENTS (storages); j++)
            storages[j] = allocate (pool, sizes[i]);
          assert_bytes (pool, 20 * (sizes[i] + 64), 0);
          for (j = 0; j < G_N_ELEMENTS (storages); j++)
            c2g_storage_unref (storages[j]);
          assert_bytes (pool, 0, 20 * (sizes[i] + 64));
        }

      g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (upstream), ==, 20);
    }
}

static void
test_trim (void)
{
  static const gsize sizes[] = { 64, 1024, 4096, 65536, 1 << 20, 32 << 20 };
  g_autoptr (C2gPoolAllocator) pool = new_pool ("tracking/cpu");
  C2gTrackingAllocator *upstream =
    C2G_TRACKING_ALLOCATOR (allocator_suite_upstream (pool));
  C2gStorage *storages[G_N_ELEMENTS (sizes)];
  guint64 cached_bytes = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    storages[i] = allocate (pool, sizes[i]);
  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      c2g_storage_unref (storages[i]);
      cached_bytes += sizes[i] + 64;
    }
  assert_bytes (pool, 0, cached_bytes);

  /* The cache is within the limit, so nothing is freed. */
  g_assert_cmpuint (c2g_allocator_trim (C2G_ALLOCATOR (pool), cached_bytes), ==, 0);
  g_assert_cmpuint (c2g_allocator_trim (C2G_ALLOCATOR (pool), G_MAXSIZE), ==, 0);

  /* One byte above the limit: the largest block is freed. */
  for (i = G_N_ELEMENTS (sizes); i > 0; i--)
    {
      g_assert_cmpuint (c2g_allocator_trim (C2G_ALLOCATOR (pool), cached_bytes - 1), ==,
                        sizes[i - 1] + 64);
      cached_bytes -= sizes[i - 1] + 64;
      assert_bytes (pool, 0, cached_bytes);
      g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (upstream), ==, cached_bytes);
    }
  g_assert_cmpuint (cached_bytes, ==, 0);
}

/* Within a class, the block that was cached longest is freed first. */
static void
test_trim_oldest (void)
{
  g_autoptr (C2gPoolAllocator) pool = new_pool ("cpu");
  gsize n_bytes = 20 << 20;
  gsize full_bytes = n_bytes + 64;
  C2gStorage *storages[3];
  guint64 addresses[3];
  g_autoptr (C2gStorage) newest = NULL;
  g_autoptr (C2gStorage) middle = NULL;
  guint i;

  for (i = 0; i < 3; i++)
    {
      storages[i] = allocate (pool, n_bytes);
      addresses[i] = c2g_storage_get_address (storages[i]);
    }
  for (i = 0; i < 3; i++)
    c2g_storage_unref (storages[i]);

  g_assert_cmpuint (c2g_allocator_trim (C2G_ALLOCATOR (pool), 2 * full_bytes), ==, full_bytes);
  newest = allocate (pool, n_bytes);
  middle = allocate (pool, n_bytes);
  g_assert_cmpuint (c2g_storage_get_address (newest), ==, addresses[2]);
  g_assert_cmpuint (c2g_storage_get_address (middle), ==, addresses[1]);
}

/* A pool over a pool: trim() returns the bytes that leave the lower one. */
static void
test_trim_stacked (void)
{
  g_autoptr (C2gPoolAllocator) outer = new_pool ("pool/tracking/cpu");
  C2gPoolAllocator *inner = C2G_POOL_ALLOCATOR (allocator_suite_upstream (outer));
  C2gTrackingAllocator *tracking =
    C2G_TRACKING_ALLOCATOR (allocator_suite_upstream (inner));
  guint64 n_bytes;

  c2g_storage_unref (allocate (outer, 1024));
  n_bytes = c2g_tracking_allocator_get_current_bytes (tracking);
  g_assert_cmpuint (n_bytes, >, 1024);

  g_assert_cmpuint (c2g_allocator_trim (C2G_ALLOCATOR (outer), 0), ==, n_bytes);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (tracking), ==, 0);
}

/* If the upstream is full, the cache is freed first; if that does not help, it is an error. */
static void
test_upstream_full (void)
{
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (NULL, 10000);
  g_autoptr (C2gPoolAllocator) pool = C2G_POOL_ALLOCATOR (c2g_pool_allocator_new (limiting));
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 1; i <= 5; i++)
    c2g_storage_unref (allocate (pool, i * 512));
  g_assert_cmpuint (c2g_pool_allocator_get_cached_bytes (pool), >, 5000);

  storage = allocate (pool, 8192);
  g_assert_nonnull (storage);
  assert_bytes (pool, 8192 + 64, 0);

  g_assert_null (c2g_allocator_allocate (C2G_ALLOCATOR (pool), 2048, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "limit of 10000"));
  assert_bytes (pool, 8192 + 64, 0);
}

/* The upstream is tried again once, and only if cached blocks were freed. */
static void
test_upstream_fails (void)
{
  g_autoptr (C2gPoolAllocator) pool = new_pool ("probe/cpu");
  ProbeAllocator *probe = PROBE_ALLOCATOR (allocator_suite_upstream (pool));
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;

  probe->fail_at = 1;
  probe->n_fail = 1;
  g_assert_null (allocate (pool, 100));
  g_assert_cmpint (probe->n_calls, ==, 1);

  c2g_storage_unref (allocate (pool, 100));
  probe->fail_at = 3;
  probe->n_fail = 1;
  storage = allocate (pool, 1000);
  g_assert_nonnull (storage);
  g_assert_cmpint (probe->n_calls, ==, 4);

  c2g_storage_unref (allocate (pool, 100));
  probe->fail_at = 6;
  probe->n_fail = 2;
  g_assert_null (c2g_allocator_allocate (C2G_ALLOCATOR (pool), 5000, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpstr (error->message, ==, "Injected at call 7");
  g_clear_error (&error);

  /* The cache is kept after other errors, where free memory does not help. */
  c2g_storage_unref (allocate (pool, 100));
  probe->fail_at = 9;
  probe->error_code = C2G_ERROR_DEVICE;
  g_assert_null (c2g_allocator_allocate (C2G_ALLOCATOR (pool), 5000, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_bytes (pool, 1024 + 64, 128 + 64);
}

static void
test_two_large_buffers (void)
{
  g_autoptr (C2gPoolAllocator) pool = new_pool ("cpu");
  gsize n_bytes = 100 << 20;
  g_autoptr (C2gStorage) first = allocate (pool, n_bytes);
  g_autoptr (C2gStorage) second = allocate (pool, n_bytes);

  bytes_of (first)[n_bytes - 1] = 1;
  bytes_of (second)[0] = 2;
  g_assert_cmpint (bytes_of (first)[n_bytes - 1], ==, 1);

  /* Large blocks are cached like others. */
  g_clear_pointer (&first, c2g_storage_unref);
  g_assert_cmpuint (c2g_pool_allocator_get_cached_bytes (pool), >=, n_bytes);
  g_assert_cmpuint (c2g_allocator_trim (C2G_ALLOCATOR (pool), 1 << 20), >=, n_bytes);
  assert_bytes (pool, c2g_pool_allocator_get_used_bytes (pool), 0);
}

/* The program drops the pool: live blocks keep it alive, cached ones are freed. */
static void
test_shared_ownership (void)
{
  g_autoptr (C2gAllocator) tracking = allocator_suite_build ("tracking/cpu");
  C2gAllocator *pool = c2g_pool_allocator_new (tracking);
  C2gStorage *first = allocate (pool, 1000);
  C2gStorage *second = allocate (pool, 5000);

  c2g_storage_unref (allocate (pool, 20000));
  g_object_add_weak_pointer (G_OBJECT (pool), (gpointer *) &pool);
  g_object_unref (pool);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (C2G_TRACKING_ALLOCATOR (tracking)), ==, 2);

  memset (bytes_of (first), 1, 1000);
  c2g_storage_unref (first);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (C2G_TRACKING_ALLOCATOR (tracking)), ==, 1);
  memset (bytes_of (second), 2, 5000);
  c2g_storage_unref (second);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (C2G_TRACKING_ALLOCATOR (tracking)), ==, 0);

  g_assert_finalize_object (g_steal_pointer (&tracking));
}

/* Two pools do not mix their blocks. */
static void
test_two_pools (void)
{
  g_autoptr (C2gPoolAllocator) first = new_pool ("cpu");
  g_autoptr (C2gPoolAllocator) second = new_pool ("cpu");

  c2g_storage_unref (allocate (first, 1000));
  g_assert_cmpuint (c2g_pool_allocator_get_cached_bytes (first), ==, 1024 + 64);
  g_assert_cmpuint (c2g_pool_allocator_get_cached_bytes (second), ==, 0);
  c2g_storage_unref (allocate (second, 1000));
  g_assert_cmpuint (reported_cached_bytes (NULL), ==, 2 * (1024 + 64));
}

static void
assert_zeros (C2gStorage *storage)
{
  const guint8 *bytes = bytes_of (storage);

  g_assert_cmpint (bytes[0], ==, 0);
  g_assert_cmpint (memcmp (bytes, bytes + 1, c2g_storage_get_n_bytes (storage) - 1), ==, 0);
}

static void
fill_and_take_again (const char *stack,
                     gsize       n_bytes,
                     gboolean    by_property)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (C2gPoolAllocator) pool = new_pool (stack);
  C2gCpuAllocator *cpu = allocator_suite_find (C2G_ALLOCATOR (pool), C2G_TYPE_CPU_ALLOCATOR);
  C2gStorage *storage = allocate (pool, n_bytes);
  guint64 address = c2g_storage_get_address (storage);

  memset (bytes_of (storage), 0xff, n_bytes);
  c2g_storage_unref (storage);

  if (by_property)
    c2g_cpu_allocator_set_zero_fill (cpu, TRUE);
  else
    c2g_settings_set_zero_fill (settings, TRUE);
  storage = allocate (pool, n_bytes);
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, address);
  assert_zeros (storage);
  c2g_storage_unref (storage);
  c2g_settings_set_zero_fill (settings, FALSE);
}

/* Reused blocks are zeroed like new ones. */
static void
test_zero_fill (void)
{
  static const char *const stacks[] = { "cpu", "tracking/limiting/cpu", "pool/cpu", "probe/cpu" };
  static const gsize sizes[] = { 100, 5000, 17 << 20 };
  guint i, j;

  for (i = 0; i < G_N_ELEMENTS (stacks); i++)
    for (j = 0; j < G_N_ELEMENTS (sizes); j++)
      {
        fill_and_take_again (stacks[i], sizes[j], FALSE);
        fill_and_take_again (stacks[i], sizes[j], TRUE);
      }
}

static void
test_alignment (void)
{
  gsize alignment;

  for (alignment = 1; alignment <= 1 << 16; alignment *= 2)
    {
      g_autoptr (C2gAllocator) cpu = c2g_cpu_allocator_new_aligned (alignment, NULL);
      g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (cpu);
      guint i;

      g_assert_cmpuint (c2g_allocator_get_alignment (pool), ==, c2g_allocator_get_alignment (cpu));
      for (i = 0; i < 40; i++)
        {
          g_autoptr (C2gStorage) storage = allocate (pool, i * 100 + 1);

          g_assert_cmpuint (c2g_storage_get_address (storage) % alignment, ==, 0);
        }
    }
}

/* An allocator that claims to be of another device: the pool must not access its memory. */
#define TYPE_DISTANT_ALLOCATOR (distant_allocator_get_type ())
G_DECLARE_FINAL_TYPE (DistantAllocator, distant_allocator, DISTANT, ALLOCATOR, C2gAllocator)

struct _DistantAllocator
{
  C2gAllocator parent_instance;
};

G_DEFINE_FINAL_TYPE (DistantAllocator, distant_allocator, C2G_TYPE_ALLOCATOR)

static C2gStorage *
distant_allocator_allocate (C2gAllocator  *allocator,
                            gsize          n_bytes,
                            C2gContext    *context,
                            GError       **error)
{
  g_assert_not_reached ();
}

static C2gDevice *
distant_allocator_get_device (C2gAllocator *allocator)
{
  return c2g_device_parse ("cuda:0", NULL);
}

static void
distant_allocator_class_init (DistantAllocatorClass *klass)
{
  C2G_ALLOCATOR_CLASS (klass)->allocate = distant_allocator_allocate;
  C2G_ALLOCATOR_CLASS (klass)->get_device = distant_allocator_get_device;
}

static void
distant_allocator_init (DistantAllocator *self)
{
}

static void
test_other_device (void)
{
  g_autoptr (C2gAllocator) distant = g_object_new (TYPE_DISTANT_ALLOCATOR, NULL);
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (distant);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (pool, 100, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "DistantAllocator"));
  g_assert_nonnull (strstr (error->message, "cuda:0"));
}

/* One thread allocates and another one frees: the blocks are reused. */
typedef struct
{
  Exchange exchange;
  guint    n_blocks;
} Consumer;

static gpointer
consume (gpointer data)
{
  Consumer *self = data;
  guint n_left = self->n_blocks;

  while (n_left > 0)
    {
      C2gStorage *storage = exchange_try_pop (&self->exchange);

      if (storage == NULL)
        {
          g_thread_yield ();
          continue;
        }
      c2g_storage_unref (storage);
      n_left--;
    }

  return NULL;
}

static void
test_producer_and_consumer (void)
{
  g_autoptr (C2gPoolAllocator) pool = new_pool ("tracking/cpu");
  C2gTrackingAllocator *upstream =
    C2G_TRACKING_ALLOCATOR (allocator_suite_upstream (pool));
  Consumer consumer = { .n_blocks = 20000 };
  GThread *thread = g_thread_new ("consume", consume, &consumer);
  guint i;

  for (i = 0; i < consumer.n_blocks; i++)
    {
      while (exchange_get_length (&consumer.exchange) > 30)
        g_thread_yield ();
      exchange_push (&consumer.exchange, allocate (pool, 1000));
    }
  g_thread_join (thread);

  /* The number of new blocks stays small: those in the queue, one in each thread, and some in the
   * slots of the other thread. */
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (upstream), <=, 200);
  assert_bytes (pool, 0, c2g_tracking_allocator_get_current_bytes (upstream));
}

/* Checks that no other thread writes to the blocks of this one. */
static gpointer
churn (gpointer data)
{
  C2gStorage *storages[6] = { NULL };
  guint i;

  for (i = 0; i < 20000 + G_N_ELEMENTS (storages); i++)
    {
      C2gStorage **place = &storages[i % G_N_ELEMENTS (storages)];

      if (*place != NULL)
        g_assert_true (*(gpointer *) (gpointer) bytes_of (*place) == (gpointer) place);
      g_clear_pointer (place, c2g_storage_unref);

      if (i < 20000)
        {
          *place = allocate (data, 100);
          *(gpointer *) (gpointer) bytes_of (*place) = place;
        }
    }

  return NULL;
}

static gpointer
trim_and_count (gpointer data)
{
  guint i;

  for (i = 0; i < 300; i++)
    {
      c2g_allocator_trim (data, i % 3 * 1000);
      c2g_pool_allocator_get_used_bytes (data);
      reported_cached_bytes (NULL);
    }

  return NULL;
}

/* All threads use one size class, while another one trims and counts. */
static void
test_threads (void)
{
  g_autoptr (C2gPoolAllocator) pool = new_pool ("probe/cpu");
  GThread *threads[5];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads) - 1; i++)
    threads[i] = g_thread_new ("churn", churn, pool);
  threads[i] = g_thread_new ("trim", trim_and_count, pool);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  c2g_allocator_trim (C2G_ALLOCATOR (pool), 0);
  assert_bytes (pool, 0, 0);
}

static gpointer
unref_storage (gpointer data)
{
  c2g_storage_unref (data);
  return NULL;
}

/* The last block and the pool are dropped at the same time. */
static void
test_dispose_race (void)
{
  guint i;

  for (i = c2g_test_count_rounds (2000); i > 0; i--)
    {
      C2gAllocator *pool = c2g_pool_allocator_new (NULL);
      GThread *thread = g_thread_new ("unref", unref_storage, allocate (pool, 100));

      g_object_unref (pool);
      g_thread_join (thread);
    }

  g_assert_cmpuint (reported_cached_bytes (NULL), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/pool-allocator/size-classes", test_size_classes);
  c2g_test_add_func ("/pool-allocator/reuse", test_reuse);
  c2g_test_add_func ("/pool-allocator/many", test_many);
  c2g_test_add_func ("/pool-allocator/trim", test_trim);
  c2g_test_add_func ("/pool-allocator/trim-oldest", test_trim_oldest);
  c2g_test_add_func ("/pool-allocator/trim-stacked", test_trim_stacked);
  c2g_test_add_func ("/pool-allocator/upstream-full", test_upstream_full);
  c2g_test_add_func ("/pool-allocator/upstream-fails", test_upstream_fails);
  c2g_test_add_func ("/pool-allocator/two-large-buffers", test_two_large_buffers);
  c2g_test_add_func ("/pool-allocator/shared-ownership", test_shared_ownership);
  c2g_test_add_func ("/pool-allocator/two-pools", test_two_pools);
  c2g_test_add_func ("/pool-allocator/zero-fill", test_zero_fill);
  c2g_test_add_func ("/pool-allocator/alignment", test_alignment);
  c2g_test_add_func ("/pool-allocator/other-device", test_other_device);
  c2g_test_add_func ("/pool-allocator/producer-and-consumer", test_producer_and_consumer);
  c2g_test_add_func ("/pool-allocator/threads", test_threads);
  c2g_test_add_func ("/pool-allocator/dispose-race", test_dispose_race);

  return c2g_test_run ();
}
