/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

typedef struct
{
  guint64 current_bytes;
  guint64 peak_bytes;
  guint64 total_bytes;
  guint64 n_blocks;
  guint64 n_allocations;
  guint64 n_failures;
} Counts;

static C2gTrackingAllocator *
new_tracking (const char *upstream_stack)
{
  g_autoptr (C2gAllocator) upstream = allocator_suite_build (upstream_stack);

  return C2G_TRACKING_ALLOCATOR (c2g_tracking_allocator_new (upstream));
}

static C2gStorage *
allocate (gpointer allocator,
          gsize    n_bytes)
{
  return c2g_allocator_allocate (C2G_ALLOCATOR (allocator), n_bytes, NULL, NULL);
}

static void
assert_counts (C2gTrackingAllocator *self,
               Counts                counts)
{
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (self), ==, counts.current_bytes);
  g_assert_cmpuint (c2g_tracking_allocator_get_peak_bytes (self), ==, counts.peak_bytes);
  g_assert_cmpuint (c2g_tracking_allocator_get_total_bytes (self), ==, counts.total_bytes);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (self), ==, counts.n_blocks);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (self), ==, counts.n_allocations);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_failures (self), ==, counts.n_failures);
}

static void
test_empty (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("cpu");

  assert_counts (tracking, (Counts){ 0 });
}

static void
test_all_freed (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("pool/cpu");
  guint i;

  for (i = 0; i < 10; i++)
    c2g_storage_unref (allocate (tracking, 1000));

  assert_counts (tracking, (Counts){ 0, 1000, 10000, 0, 10, 0 });
}

static void
test_peak (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("cpu");
  C2gStorage *storages[10];
  guint i;

  for (i = 0; i < 10; i++)
    storages[i] = allocate (tracking, 100);
  for (i = 0; i < 5; i++)
    c2g_storage_unref (storages[i]);
  assert_counts (tracking, (Counts){ 500, 1000, 1000, 5, 10, 0 });

  storages[0] = allocate (tracking, 300);
  assert_counts (tracking, (Counts){ 800, 1000, 1300, 6, 11, 0 });

  c2g_tracking_allocator_reset_peak (tracking);
  assert_counts (tracking, (Counts){ 800, 800, 1300, 6, 11, 0 });
  c2g_storage_unref (allocate (tracking, 50));
  assert_counts (tracking, (Counts){ 800, 850, 1350, 6, 12, 0 });

  c2g_storage_unref (storages[0]);
  for (i = 5; i < 10; i++)
    c2g_storage_unref (storages[i]);
  assert_counts (tracking, (Counts){ 0, 850, 1350, 0, 12, 0 });
}

static void
test_failures (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("probe/cpu");
  ProbeAllocator *probe = PROBE_ALLOCATOR (allocator_suite_upstream (tracking));
  g_autoptr (C2gStorage) storage = NULL;

  probe->fail_at = 1;
  probe->n_fail = 3;
  g_assert_null (allocate (tracking, 10));
  g_assert_null (allocate (tracking, 10));
  probe->error_code = C2G_ERROR_DEVICE;
  g_assert_null (allocate (tracking, 10));
  assert_counts (tracking, (Counts){ 0, 0, 0, 0, 0, 3 });

  storage = allocate (tracking, 10);
  assert_counts (tracking, (Counts){ 10, 10, 10, 1, 1, 3 });
}

static void
test_zero_size (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("cpu");
  g_autoptr (C2gStorage) storage = allocate (tracking, 0);

  assert_counts (tracking, (Counts){ 0, 0, 0, 1, 1, 0 });
  g_clear_pointer (&storage, c2g_storage_unref);
  assert_counts (tracking, (Counts){ 0, 0, 0, 0, 1, 0 });
}

/* The inner allocator counts more than the outer one, because one request goes to it directly. */
static void
test_nested (void)
{
  g_autoptr (C2gTrackingAllocator) inner = new_tracking ("cpu");
  g_autoptr (C2gTrackingAllocator) outer =
    C2G_TRACKING_ALLOCATOR (c2g_tracking_allocator_new (C2G_ALLOCATOR (inner)));
  g_autoptr (C2gStorage) below = allocate (inner, 100);
  g_autoptr (C2gStorage) through = allocate (outer, 50);

  assert_counts (inner, (Counts){ 150, 150, 150, 2, 2, 0 });
  assert_counts (outer, (Counts){ 50, 50, 50, 1, 1, 0 });

  g_clear_pointer (&below, c2g_storage_unref);
  assert_counts (inner, (Counts){ 50, 150, 150, 1, 2, 0 });
  assert_counts (outer, (Counts){ 50, 50, 50, 1, 1, 0 });

  g_clear_pointer (&through, c2g_storage_unref);
  assert_counts (inner, (Counts){ 0, 150, 150, 0, 2, 0 });
  assert_counts (outer, (Counts){ 0, 50, 50, 0, 1, 0 });
}

static void
test_stray_release (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("cpu");

  C2G_ALLOCATOR_GET_CLASS (tracking)->released (C2G_ALLOCATOR (tracking), 0, 5000);
  assert_counts (tracking, (Counts){ 0 });
}

/* Below a pool, an allocator counts the blocks of the pool. */
static void
test_below_pool (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("cpu");
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (C2G_ALLOCATOR (tracking));
  g_autoptr (C2gStorage) first = allocate (pool, 1000);
  g_autoptr (C2gStorage) second = allocate (pool, 5000);

  g_clear_pointer (&first, c2g_storage_unref);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (tracking), ==, 2);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (tracking), ==,
                    c2g_pool_allocator_get_used_bytes (C2G_POOL_ALLOCATOR (pool)) +
                      c2g_pool_allocator_get_cached_bytes (C2G_POOL_ALLOCATOR (pool)));

  c2g_allocator_trim (pool, 0);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (tracking), ==, 1);
}

static gpointer
churn (gpointer data)
{
  guint i;

  for (i = 0; i < 5000; i++)
    c2g_storage_unref (allocate (data, 64));

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gTrackingAllocator) tracking = new_tracking ("pool/cpu");
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("churn", churn, tracking);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_cmpuint (c2g_tracking_allocator_get_peak_bytes (tracking), <=, 4 * 64);
  assert_counts (tracking, (Counts){ 0, c2g_tracking_allocator_get_peak_bytes (tracking),
                                     4 * 5000 * 64, 0, 4 * 5000, 0 });
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tracking-allocator/empty", test_empty);
  c2g_test_add_func ("/tracking-allocator/all-freed", test_all_freed);
  c2g_test_add_func ("/tracking-allocator/peak", test_peak);
  c2g_test_add_func ("/tracking-allocator/failures", test_failures);
  c2g_test_add_func ("/tracking-allocator/zero-size", test_zero_size);
  c2g_test_add_func ("/tracking-allocator/nested", test_nested);
  c2g_test_add_func ("/tracking-allocator/stray-release", test_stray_release);
  c2g_test_add_func ("/tracking-allocator/below-pool", test_below_pool);
  c2g_test_add_func ("/tracking-allocator/threads", test_threads);

  return c2g_test_run ();
}
