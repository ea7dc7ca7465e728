/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

#include <string.h>

static C2gLimitingAllocator *
new_limited (const char *upstream_stack,
             guint64     max_bytes)
{
  g_autoptr (C2gAllocator) upstream = allocator_suite_build (upstream_stack);

  return C2G_LIMITING_ALLOCATOR (c2g_limiting_allocator_new (upstream, max_bytes));
}

static C2gStorage *
allocate (gpointer  allocator,
          gsize     n_bytes,
          GError  **error)
{
  return c2g_allocator_allocate (C2G_ALLOCATOR (allocator), n_bytes, NULL, error);
}

static void
test_too_big (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("probe/cpu", 1000);
  ProbeAllocator *probe = PROBE_ALLOCATOR (allocator_suite_upstream (limiting));
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = NULL;

  g_assert_null (allocate (limiting, 1001, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "1001"));
  g_assert_nonnull (strstr (error->message, "limit of 1000"));
  g_assert_cmpint (probe->n_calls, ==, 0);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 0);

  /* An allocation of exactly the limit succeeds. */
  storage = allocate (limiting, 1000, NULL);
  g_assert_nonnull (storage);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 1000);
  g_assert_null (allocate (limiting, 1, NULL));
}

static void
test_over_limit (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("cpu", 1000);
  g_autoptr (C2gStorage) first = allocate (limiting, 600, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (allocate (limiting, 401, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "600 bytes are in use of a limit of 1000"));
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 600);
}

static void
test_under_limit_due_to_frees (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("cpu", 1000);
  guint i;

  for (i = 0; i < 100; i++)
    {
      g_autoptr (C2gStorage) first = allocate (limiting, 600, NULL);
      g_autoptr (C2gStorage) second = allocate (limiting, 400, NULL);

      g_assert_nonnull (first);
      g_assert_nonnull (second);
      g_assert_null (allocate (limiting, 1, NULL));
      g_clear_pointer (&first, c2g_storage_unref);
      first = allocate (limiting, 500, NULL);
      g_assert_nonnull (first);
    }

  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 0);
}

static void
test_upstream_failure (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("probe/cpu", 1000);
  ProbeAllocator *probe = PROBE_ALLOCATOR (allocator_suite_upstream (limiting));
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = NULL;

  probe->fail_at = 1;
  g_assert_null (allocate (limiting, 1000, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpstr (error->message, ==, "Injected at call 1");
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 0);

  storage = allocate (limiting, 1000, NULL);
  g_assert_nonnull (storage);
}

static void
count_notify (GObject    *object,
              GParamSpec *pspec,
              gpointer    user_data)
{
  ++*(guint *) user_data;
}

static void
test_set_max_bytes (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("cpu", 1000);
  g_autoptr (C2gStorage) storage = allocate (limiting, 800, NULL);
  g_autoptr (C2gStorage) more = NULL;
  guint n_notified = 0;

  g_signal_connect (limiting, "notify::max-bytes", G_CALLBACK (count_notify), &n_notified);
  c2g_limiting_allocator_set_max_bytes (limiting, 1000);
  g_assert_cmpuint (n_notified, ==, 0);

  /* A limit below the used bytes: live blocks stay, and new requests fail. */
  c2g_limiting_allocator_set_max_bytes (limiting, 500);
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_cmpuint (c2g_limiting_allocator_get_max_bytes (limiting), ==, 500);
  g_assert_null (allocate (limiting, 1, NULL));
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 800);

  g_object_set (limiting, "max-bytes", G_MAXUINT64, NULL);
  g_assert_cmpuint (n_notified, ==, 2);
  more = allocate (limiting, 1 << 20, NULL);
  g_assert_nonnull (more);
}

static void
test_no_room_at_all (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("cpu", 0);
  g_autoptr (C2gStorage) empty = allocate (limiting, 0, NULL);

  g_assert_nonnull (empty);
  g_assert_null (allocate (limiting, 1, NULL));
}

static void
test_bare (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = g_object_new (C2G_TYPE_LIMITING_ALLOCATOR, NULL);
  g_autoptr (C2gAllocator) upstream = NULL;
  g_autoptr (C2gAllocator) standard = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  guint64 max_bytes;

  g_object_get (limiting, "upstream", &upstream, "max-bytes", &max_bytes, NULL);
  g_assert_true (upstream == standard);
  g_assert_cmpuint (max_bytes, ==, G_MAXUINT64);
}

/* Two limits in a stack count separately, and the lower one decides. */
static void
test_twice (void)
{
  g_autoptr (C2gLimitingAllocator) inner = new_limited ("cpu", 300);
  g_autoptr (C2gLimitingAllocator) outer =
    C2G_LIMITING_ALLOCATOR (c2g_limiting_allocator_new (C2G_ALLOCATOR (inner), 1000));
  g_autoptr (C2gStorage) storage = allocate (outer, 200, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (inner), ==, 200);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (outer), ==, 200);

  g_assert_null (allocate (outer, 200, &error));
  g_assert_nonnull (strstr (error->message, "limit of 300"));
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (outer), ==, 200);

  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (inner), ==, 0);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (outer), ==, 0);
}

/* A binding may call released() for a block that was never allocated: that changes no counter. */
static void
test_stray_release (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("cpu", 1000);
  g_autoptr (C2gStorage) storage = allocate (limiting, 100, NULL);

  C2G_ALLOCATOR_GET_CLASS (limiting)->released (C2G_ALLOCATOR (limiting), 0, 5000);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 0);
}

typedef struct
{
  C2gLimitingAllocator *limiting;
  int                   n_failures;
} Race;

static gpointer
race (gpointer data)
{
  Race *self = data;
  C2gStorage *storages[8] = { NULL };
  guint i;

  for (i = 0; i < 4000; i++)
    {
      C2gStorage **place = &storages[i % G_N_ELEMENTS (storages)];

      g_clear_pointer (place, c2g_storage_unref);
      *place = allocate (self->limiting, 100, NULL);
      if (*place == NULL)
        g_atomic_int_inc (&self->n_failures);
      g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (self->limiting), <=, 1000);
    }
  for (i = 0; i < G_N_ELEMENTS (storages); i++)
    g_clear_pointer (&storages[i], c2g_storage_unref);

  return NULL;
}

/* Four threads request 3200 bytes of 1000. The upstream counts a freed block a moment later than
 * the limit does, so its peak may be higher by one block for each thread. */
static void
test_threads (void)
{
  g_autoptr (C2gLimitingAllocator) limiting = new_limited ("tracking/cpu", 1000);
  C2gTrackingAllocator *tracking =
    C2G_TRACKING_ALLOCATOR (allocator_suite_upstream (limiting));
  Race data = { limiting, 0 };
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("race", race, &data);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_cmpuint (c2g_tracking_allocator_get_peak_bytes (tracking), <=, 1000 + 4 * 100);
  g_assert_cmpuint (c2g_tracking_allocator_get_peak_bytes (tracking), >=, 800);
  g_assert_cmpuint (c2g_limiting_allocator_get_used_bytes (limiting), ==, 0);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (tracking) +
                        (guint) data.n_failures,
                    ==, 4 * 4000);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/limiting-allocator/too-big", test_too_big);
  c2g_test_add_func ("/limiting-allocator/over-limit", test_over_limit);
  c2g_test_add_func ("/limiting-allocator/under-limit-due-to-frees", test_under_limit_due_to_frees);
  c2g_test_add_func ("/limiting-allocator/upstream-failure", test_upstream_failure);
  c2g_test_add_func ("/limiting-allocator/set-max-bytes", test_set_max_bytes);
  c2g_test_add_func ("/limiting-allocator/no-room-at-all", test_no_room_at_all);
  c2g_test_add_func ("/limiting-allocator/bare", test_bare);
  c2g_test_add_func ("/limiting-allocator/twice", test_twice);
  c2g_test_add_func ("/limiting-allocator/stray-release", test_stray_release);
  c2g_test_add_func ("/limiting-allocator/threads", test_threads);

  return c2g_test_run ();
}
