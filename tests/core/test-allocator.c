/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

#include <c2g/core/device/c2g-device-backend.h>

#include <string.h>

/* An allocator class with a chosen fault. */
typedef enum
{
  FAULT_NULL,
  FAULT_NULL_WITH_ERROR,
  FAULT_TOO_SMALL,
  FAULT_READ_ONLY,
  FAULT_MISALIGNED,
  FAULT_OTHER_DEVICE,
  FAULT_SAME_TWICE,
  FAULT_ERROR_BESIDE_STORAGE,
  FAULT_ODD_ALIGNMENT,
  FAULT_NO_DEVICE,
} Fault;

#define HOSTILE_TYPE_ALLOCATOR (hostile_allocator_get_type ())
G_DECLARE_FINAL_TYPE (HostileAllocator, hostile_allocator, HOSTILE, ALLOCATOR, C2gAllocator)

struct _HostileAllocator
{
  C2gAllocator parent_instance;

  Fault        fault;
  C2gStorage  *given;
  int          n_released;
  int          n_destroyed;
  guint8      *foreign;
};

G_DEFINE_FINAL_TYPE (HostileAllocator, hostile_allocator, C2G_TYPE_ALLOCATOR)

static void
count_destroy (gpointer user_data)
{
  g_atomic_int_inc (&HOSTILE_ALLOCATOR (user_data)->n_destroyed);
}

static C2gStorage *
new_foreign (HostileAllocator *self,
             const char       *device_name,
             gsize             offset,
             gsize             n_bytes,
             gboolean          read_only)
{
  C2gDevice *device = c2g_device_parse (device_name, NULL);

  return c2g_storage_new_external (device, self->foreign + offset, n_bytes, read_only,
                                   count_destroy, self);
}

static C2gStorage *
hostile_allocator_allocate (C2gAllocator  *allocator,
                            gsize          n_bytes,
                            C2gContext    *context,
                            GError       **error)
{
  HostileAllocator *self = HOSTILE_ALLOCATOR (allocator);

  switch (self->fault)
    {
    case FAULT_NULL:
      return NULL;

    case FAULT_NULL_WITH_ERROR:
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, "Its own reason");
      return NULL;

    case FAULT_TOO_SMALL:
      return new_foreign (self, "cpu", 0, n_bytes - 1, FALSE);

    case FAULT_READ_ONLY:
      return new_foreign (self, "cpu", 0, n_bytes, TRUE);

    case FAULT_MISALIGNED:
      return new_foreign (self, "cpu", 8, n_bytes, FALSE);

    case FAULT_OTHER_DEVICE:
      return new_foreign (self, "cuda:1", 0, n_bytes, FALSE);

    case FAULT_SAME_TWICE:
      if (self->given == NULL)
        self->given = new_foreign (self, "cpu", 0, n_bytes, FALSE);
      return c2g_storage_ref (self->given);

    case FAULT_ERROR_BESIDE_STORAGE:
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, "No reason at all");
      return new_foreign (self, "cpu", 0, n_bytes, FALSE);

    case FAULT_ODD_ALIGNMENT:
    case FAULT_NO_DEVICE:
    default:
      return C2G_ALLOCATOR_CLASS (hostile_allocator_parent_class)
        ->allocate (allocator, n_bytes, context, error);
    }
}

static void
hostile_allocator_released (C2gAllocator *allocator,
                            guint64       address,
                            gsize         n_bytes)
{
  g_atomic_int_inc (&HOSTILE_ALLOCATOR (allocator)->n_released);
}

static gsize
hostile_allocator_get_alignment (C2gAllocator *allocator)
{
  return HOSTILE_ALLOCATOR (allocator)->fault == FAULT_ODD_ALIGNMENT ? 3 : 64;
}

static C2gDevice *
hostile_allocator_get_device (C2gAllocator *allocator)
{
  return HOSTILE_ALLOCATOR (allocator)->fault == FAULT_NO_DEVICE ? NULL : c2g_device_cpu ();
}

static void
hostile_allocator_finalize (GObject *object)
{
  HostileAllocator *self = HOSTILE_ALLOCATOR (object);

  g_clear_pointer (&self->given, c2g_storage_unref);
  g_aligned_free (self->foreign);

  G_OBJECT_CLASS (hostile_allocator_parent_class)->finalize (object);
}

static void
hostile_allocator_class_init (HostileAllocatorClass *klass)
{
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hostile_allocator_finalize;
  allocator_class->allocate = hostile_allocator_allocate;
  allocator_class->released = hostile_allocator_released;
  allocator_class->get_alignment = hostile_allocator_get_alignment;
  allocator_class->get_device = hostile_allocator_get_device;
}

static void
hostile_allocator_init (HostileAllocator *self)
{
  self->foreign = g_aligned_alloc0 (1, 4096, 64);
}

static HostileAllocator *
new_hostile (Fault fault)
{
  HostileAllocator *self = g_object_new (HOSTILE_TYPE_ALLOCATOR, NULL);

  self->fault = fault;

  return self;
}

static C2gStorage *
allocate (gpointer  allocator,
          gsize     n_bytes,
          GError  **error)
{
  return c2g_allocator_allocate (C2G_ALLOCATOR (allocator), n_bytes, NULL, error);
}

static const struct
{
  const char *name;
  Fault       fault;
  const char *message;
} refused[] = {
  { "null", FAULT_NULL, "HostileAllocator gave no memory and no reason" },
  { "too-small", FAULT_TOO_SMALL, "HostileAllocator gave 99 bytes, expected 100" },
  { "read-only", FAULT_READ_ONLY, "HostileAllocator gave memory that is read-only" },
  { "misaligned", FAULT_MISALIGNED, "expected a multiple of 64" },
  { "other-device", FAULT_OTHER_DEVICE, "HostileAllocator gave memory on cuda:1, expected cpu" },
};

static void
test_refused (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  HostileAllocator *hostile = new_hostile (refused[i].fault);
  g_autoptr (GError) error = NULL;

  g_assert_null (allocate (hostile, 100, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "HostileAllocator"));
  g_assert_nonnull (strstr (error->message, refused[i].message));
  g_assert_null (allocate (hostile, 100, NULL));

  /* A refused block was released, and never reached the caller. */
  g_assert_cmpint (hostile->n_destroyed, ==, refused[i].fault == FAULT_NULL ? 0 : 2);
  g_assert_cmpint (hostile->n_released, ==, 0);
  g_assert_finalize_object (hostile);
}

static void
assert_unused (C2gTrackingAllocator *tracking,
               guint64               n_failures)
{
  g_assert_cmpuint (c2g_tracking_allocator_get_n_failures (tracking), ==, n_failures);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_blocks (tracking), ==, 0);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (tracking), ==, 0);
}

static guint64
used_bytes (C2gAllocator *limiting)
{
  return c2g_limiting_allocator_get_used_bytes (C2G_LIMITING_ALLOCATOR (limiting));
}

/* The refusal is passed on by each adaptor above, and does not change their counters. */
static void
test_refused_in_stacks (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  HostileAllocator *hostile = new_hostile (refused[i].fault);
  C2gAllocator *tracking = c2g_tracking_allocator_new (C2G_ALLOCATOR (hostile));
  C2gAllocator *limiting = c2g_limiting_allocator_new (tracking, 10000);
  C2gAllocator *failure = c2g_failure_callback_allocator_new (limiting, NULL, NULL, NULL);
  C2gAllocator *logging = c2g_logging_allocator_new (failure, NULL);
  C2gAllocator *pool = c2g_pool_allocator_new (logging);
  g_autoptr (GError) error = NULL;

  g_assert_null (allocate (logging, 100, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, refused[i].message));
  g_clear_error (&error);

  g_assert_null (allocate (pool, 100, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "HostileAllocator"));

  assert_unused (C2G_TRACKING_ALLOCATOR (tracking), 2);
  g_assert_cmpuint (used_bytes (limiting), ==, 0);
  g_assert_cmpuint (c2g_pool_allocator_get_used_bytes (C2G_POOL_ALLOCATOR (pool)), ==, 0);

  g_assert_finalize_object (pool);
  g_assert_finalize_object (logging);
  g_assert_finalize_object (failure);
  g_assert_finalize_object (limiting);
  g_assert_finalize_object (tracking);
  g_assert_finalize_object (hostile);
}

static void
test_own_error (void)
{
  g_autoptr (HostileAllocator) hostile = new_hostile (FAULT_NULL_WITH_ERROR);
  g_autoptr (GError) error = NULL;

  g_assert_null (allocate (hostile, 100, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_cmpstr (error->message, ==, "Its own reason");
  g_assert_null (allocate (hostile, 100, NULL));
}

/* A returned storage is a success, even if an error was set too. */
static void
test_error_beside_storage (void)
{
  HostileAllocator *hostile = new_hostile (FAULT_ERROR_BESIDE_STORAGE);
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;

  storage = allocate (hostile, 100, &error);
  g_assert_no_error (error);
  g_assert_nonnull (storage);
  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_cmpint (hostile->n_released, ==, 1);
  g_assert_cmpint (hostile->n_destroyed, ==, 1);
  g_assert_finalize_object (hostile);
}

/* Returning the same storage twice is refused, even if the first reference was dropped. */
static void
test_same_twice (void)
{
  const char *const stacks[] = { NULL, "tracking", "pool" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (stacks); i++)
    {
      HostileAllocator *hostile = new_hostile (FAULT_SAME_TWICE);
      g_autoptr (C2gAllocator) top = NULL;
      g_autoptr (C2gStorage) storage = NULL;
      g_autoptr (GError) error = NULL;

      if (stacks[i] == NULL)
        top = C2G_ALLOCATOR (g_object_ref (hostile));
      else if (g_str_equal (stacks[i], "pool"))
        top = c2g_pool_allocator_new (C2G_ALLOCATOR (hostile));
      else
        top = c2g_tracking_allocator_new (C2G_ALLOCATOR (hostile));

      storage = allocate (top, 100, &error);
      g_assert_no_error (error);
      g_assert_null (allocate (top, 100, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, "HostileAllocator gave memory that is in use"));
      g_clear_error (&error);

      g_clear_pointer (&storage, c2g_storage_unref);
      if (stacks[i] == NULL)
        {
          g_assert_null (allocate (top, 100, &error));
          g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
          g_clear_error (&error);
        }

      /* Break the reference cycle: the allocator holds the storage, which holds the allocator. */
      g_clear_object (&top);
      g_clear_pointer (&hostile->given, c2g_storage_unref);
      g_assert_cmpint (hostile->n_released, ==, 1);
      g_assert_cmpint (hostile->n_destroyed, ==, 1);
      g_assert_finalize_object (hostile);
    }
}

static void
test_odd_answers (void)
{
  g_autoptr (HostileAllocator) odd_alignment = new_hostile (FAULT_ODD_ALIGNMENT);
  g_autoptr (HostileAllocator) no_device = new_hostile (FAULT_NO_DEVICE);
  g_autoptr (C2gStorage) first = allocate (odd_alignment, 100, NULL);
  g_autoptr (C2gStorage) second = allocate (no_device, 100, NULL);
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (C2G_ALLOCATOR (odd_alignment));
  g_autoptr (C2gStorage) third = allocate (pool, 100, NULL);

  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_nonnull (third);
  g_assert_cmpuint (c2g_allocator_get_alignment (C2G_ALLOCATOR (odd_alignment)), ==, 1);
  g_assert_true (c2g_allocator_get_device (C2G_ALLOCATOR (no_device)) == c2g_device_cpu ());
}

/* Each adaptor's released() is called once, also if one class is in the stack twice. */
static void
test_released_once (void)
{
  g_autoptr (C2gAllocator) top = allocator_suite_build ("probe/probe/tracking/probe/cpu");
  ProbeAllocator *probes[3];
  C2gStorage *storage;
  guint i;

  probes[0] = PROBE_ALLOCATOR (top);
  probes[1] = PROBE_ALLOCATOR (allocator_suite_upstream (probes[0]));
  probes[2] = allocator_suite_find (allocator_suite_upstream (probes[1]), PROBE_TYPE_ALLOCATOR);

  storage = allocate (top, 100, NULL);
  c2g_storage_unref (c2g_storage_ref (storage));
  for (i = 0; i < 3; i++)
    {
      g_assert_cmpint (probes[i]->n_given, ==, 1);
      g_assert_cmpint (probes[i]->n_released, ==, 0);
    }

  c2g_storage_unref (storage);
  for (i = 0; i < 3; i++)
    {
      g_assert_cmpint (probes[i]->n_released, ==, 1);
      g_assert_cmpint (probes[i]->n_bytes, ==, 0);
    }
}

/* Resetting a storage calls released(), and freeing it later does not call it again. */
static void
test_released_by_reset (void)
{
  g_autoptr (C2gAllocator) top = allocator_suite_build ("probe/pool/probe/cpu");
  ProbeAllocator *outer = PROBE_ALLOCATOR (top);
  ProbeAllocator *inner =
    allocator_suite_find (allocator_suite_upstream (outer), PROBE_TYPE_ALLOCATOR);
  g_autoptr (C2gStorage) storage = allocate (top, 100, NULL);

  g_assert_true (c2g_storage_reset (storage, NULL));
  g_assert_cmpint (outer->n_released, ==, 1);
  g_assert_cmpint (inner->n_released, ==, 0);
  g_assert_cmpuint (c2g_allocator_trim (top, 0), >, 0);
  g_assert_cmpint (inner->n_released, ==, 1);
  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_cmpint (outer->n_released, ==, 1);
}

/* Adaptors pass on the requested size; a pool rounds it up and adds a header. */
static void
test_forwards (void)
{
  static const char *const stacks[] = {
    "limiting/probe/cpu",
    "tracking/probe/cpu",
    "logging/probe/cpu",
    "failure/probe/cpu",
    "failure/logging/tracking/limiting/probe/aligned",
    "pool/probe/aligned",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (stacks); i++)
    {
      g_autoptr (C2gAllocator) top = allocator_suite_build (stacks[i]);
      ProbeAllocator *probe = allocator_suite_find (top, PROBE_TYPE_ALLOCATOR);
      g_autoptr (C2gStorage) storage = allocate (top, 1000, NULL);

      g_assert_cmpint (probe->n_calls, ==, 1);
      if (C2G_IS_POOL_ALLOCATOR (top))
        g_assert_cmpint (probe->n_bytes, ==, 1024 + 4096);
      else
        g_assert_cmpint (probe->n_bytes, ==, 1000);
      g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, 1000);
      g_assert_true (c2g_allocator_get_device (top) == c2g_device_cpu ());
      g_assert_cmpuint (c2g_allocator_get_alignment (top), ==,
                        c2g_allocator_get_alignment (C2G_ALLOCATOR (probe)));
    }
}

/* The allocator of a storage is the lowest one that makes blocks itself, here the pool. */
static void
test_storage_allocator (void)
{
  g_autoptr (C2gAllocator) top = allocator_suite_build ("tracking/pool/limiting/cpu");
  C2gPoolAllocator *pool = allocator_suite_find (top, C2G_TYPE_POOL_ALLOCATOR);
  g_autoptr (C2gStorage) storage = allocate (top, 1000, NULL);

  g_assert_true (c2g_storage_get_allocator (storage) == C2G_ALLOCATOR (pool));
}

#define N_REQUESTS 12

/* Fails the k-th call for every k, in several stacks. */
static void
test_failure_injection (void)
{
  static const char *const stacks[] = {
    "probe/cpu",
    "limiting/probe/cpu",
    "tracking/probe/cpu",
    "logging/probe/cpu",
    "failure/probe/cpu",
    "pool/probe/cpu",
    "tracking/limiting/probe/cpu",
    "limiting/tracking/pool/probe/cpu",
    "probe/pool/limiting/cpu",
    "logging/failure/tracking/limiting/pool/probe/cpu",
  };
  guint i, j;
  int k;

  for (i = 0; i < G_N_ELEMENTS (stacks); i++)
    for (k = 1; k <= N_REQUESTS; k++)
      {
        g_autoptr (C2gAllocator) top = allocator_suite_build (stacks[i]);
        ProbeAllocator *probe = allocator_suite_find (top, PROBE_TYPE_ALLOCATOR);
        C2gStorage *storages[N_REQUESTS];

        probe->fail_at = k;
        for (j = 0; j < N_REQUESTS; j++)
          {
            g_autoptr (GError) error = NULL;
            guint64 n_bytes = c2g_test_ledger_bytes ();

            storages[j] = allocate (top, 100 * (j + 1), &error);
            if (storages[j] != NULL)
              continue;

            g_assert_cmpint (probe->n_calls, ==, k);
            g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
            g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
          }

        /* All other requests have succeeded, with the requested sizes. */
        for (j = 0; j < N_REQUESTS; j++)
          {
            g_assert_cmpint (storages[j] == NULL, ==, (int) j + 1 == k);
            if (storages[j] == NULL)
              continue;
            memset ((gpointer) (guintptr) c2g_storage_get_address (storages[j]), (int) j,
                    c2g_storage_get_n_bytes (storages[j]));
          }
        for (j = 0; j < N_REQUESTS; j++)
          g_clear_pointer (&storages[j], c2g_storage_unref);

        c2g_allocator_trim (top, 0);
        g_assert_cmpint (probe->n_given, ==, probe->n_released);
      }
}

/* The default allocator of the CPU. */

static void
test_default (void)
{
  g_autoptr (C2gAllocator) first = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (C2gAllocator) again = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (C2gStorage) storage = c2g_storage_new (c2g_device_cpu (), 100, NULL, NULL);

  g_assert_true (first == again);
  g_assert_true (C2G_IS_CPU_ALLOCATOR (first));
  g_assert_true (c2g_storage_get_allocator (storage) == first);
}

/* In Caffe2, ReportAndDelete freed a block with the allocator set at that time, and not with the
 * one that had allocated it. */
static void
test_default_replaced (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gAllocator) builtin = c2g_allocator_get_default (cpu, NULL);
  g_autoptr (C2gAllocator) first = allocator_suite_build ("tracking/pool/probe/cpu");
  g_autoptr (C2gAllocator) second = allocator_suite_build ("tracking/pool/probe/aligned");
  C2gTrackingAllocator *first_tracking = C2G_TRACKING_ALLOCATOR (first);
  C2gTrackingAllocator *second_tracking = C2G_TRACKING_ALLOCATOR (second);
  g_autoptr (C2gAllocator) current = NULL;
  C2gStorage *before, *old, *new;

  before = c2g_storage_new (cpu, 1000, NULL, NULL);
  g_assert_true (c2g_allocator_set_default (cpu, first, NULL));
  old = c2g_storage_new (cpu, 2000, NULL, NULL);
  g_assert_true (c2g_allocator_set_default (cpu, second, NULL));
  new = c2g_storage_new (cpu, 3000, NULL, NULL);

  current = c2g_allocator_get_default (cpu, NULL);
  g_assert_true (current == second);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (first_tracking), ==, 2000);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (second_tracking), ==, 3000);
  g_assert_true (c2g_storage_get_allocator (before) == builtin);

  c2g_storage_unref (before);
  c2g_storage_unref (old);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (first_tracking), ==, 0);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (second_tracking), ==, 3000);

  /* Set the built-in allocator again; the replaced one lives as long as its block. */
  g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));
  g_clear_object (&current);
  current = c2g_allocator_get_default (cpu, NULL);
  g_assert_true (current == builtin);
  g_clear_object (&second);
  memset ((gpointer) (guintptr) c2g_storage_get_address (new), 1, 3000);
  c2g_storage_unref (new);
  g_assert_finalize_object (g_steal_pointer (&first));
}

static void
test_default_of_other_device (void)
{
  C2gDevice *cuda = c2g_device_parse ("cuda:0", NULL);
  g_autoptr (C2gAllocator) cpu_allocator = c2g_cpu_allocator_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_allocator_set_default (cuda, cpu_allocator, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "cuda:0"));
  g_assert_nonnull (strstr (error->message, "cpu"));
}

static void
test_default_fails (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (HostileAllocator) hostile = new_hostile (FAULT_MISALIGNED);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_allocator_set_default (cpu, C2G_ALLOCATOR (hostile), NULL));
  g_assert_null (c2g_storage_new (cpu, 100, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));
}

typedef struct
{
  C2gAllocator *allocators[2];
  int           stop;
} Switch;

static gpointer
switch_default (gpointer data)
{
  Switch *self = data;
  guint i;

  for (i = 0; g_atomic_int_get (&self->stop) == 0; i++)
    {
      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), self->allocators[i % 2], NULL));
      if (i % 16 == 0)
        c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL);
    }
  c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL);

  return NULL;
}

static gpointer
use_default (gpointer data)
{
  C2gStorage *storages[8] = { NULL };
  guint i;

  for (i = 0; i < 5000; i++)
    {
      C2gStorage **place = &storages[i % G_N_ELEMENTS (storages)];

      g_clear_pointer (place, c2g_storage_unref);
      *place = c2g_storage_new (c2g_device_cpu (), i % 300, NULL, NULL);
      g_assert_nonnull (*place);
    }
  for (i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[i]);

  return NULL;
}

static void
test_default_threads (void)
{
  C2gAllocator *first = allocator_suite_build ("probe/pool/cpu");
  C2gAllocator *second = allocator_suite_build ("probe/cpu");
  Switch data = { { first, second }, 0 };
  GThread *switcher = g_thread_new ("switch", switch_default, &data);
  GThread *users[3];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (users); i++)
    users[i] = g_thread_new ("use", use_default, NULL);
  for (i = 0; i < G_N_ELEMENTS (users); i++)
    g_thread_join (users[i]);
  g_atomic_int_set (&data.stop, 1);
  g_thread_join (switcher);

  g_assert_finalize_object (first);
  g_assert_finalize_object (second);
}

static void
count_pressure (C2gAllocator *allocator,
                guint64       n_bytes,
                gpointer      user_data)
{
  GThread **thread = user_data;

  g_assert_null (*thread);
  *thread = g_thread_self ();
}

static void
test_pressure (void)
{
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (NULL, 100);
  g_autoptr (HostileAllocator) hostile = new_hostile (FAULT_NULL);
  GThread *thread = NULL;

  g_signal_connect (limiting, "pressure", G_CALLBACK (count_pressure), &thread);
  g_signal_connect (hostile, "pressure", G_CALLBACK (count_pressure), &thread);

  /* The signal is not emitted for successful allocations or other errors. */
  c2g_storage_unref (allocate (limiting, 100, NULL));
  g_assert_null (allocate (hostile, 100, NULL));
  g_assert_null (thread);

  g_assert_null (allocate (limiting, 101, NULL));
  g_assert_true (thread == g_thread_self ());
}

/* The error for lack of memory lists the largest holders. */
static void
test_no_memory_message (void)
{
  g_autoptr (C2gStorage) storage = c2g_storage_new (c2g_device_cpu (), 12345, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_storage_new (c2g_device_cpu (), G_MAXSIZE / 2, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "on cpu"));
  g_assert_nonnull (strstr (error->message, "12345 bytes"));
}

/* The message has the given reason, or "out of memory" without one. */
static void
test_set_no_memory (void)
{
  static const char *const reasons[] = { "the limit is 5", NULL };
  g_autoptr (C2gAllocator) allocator = c2g_cpu_allocator_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autofree char *expected = g_strdup_printf ("678 bytes on cpu: %s; in use: ",
                                                   reasons[i] != NULL ? reasons[i] : "out of memory");
      g_autoptr (GError) error = NULL;

      c2g_allocator_set_no_memory (allocator, 678, reasons[i], &error);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      g_assert_nonnull (strstr (error->message, expected));
    }
  c2g_allocator_set_no_memory (allocator, 678, NULL, NULL);
}

/* An allocator whose allocate() calls itself. */
typedef struct
{
  C2gAllocator parent_instance;
} Circle;

typedef struct
{
  C2gAllocatorClass parent_class;
} CircleClass;

GType circle_get_type (void);

G_DEFINE_TYPE (Circle, circle, C2G_TYPE_ALLOCATOR)

static C2gStorage *
circle_allocate (C2gAllocator  *allocator,
                 gsize          n_bytes,
                 C2gContext    *context,
                 GError       **error)
{
  return c2g_allocator_allocate (allocator, n_bytes, context, error);
}

static void
circle_class_init (CircleClass *klass)
{
  C2G_ALLOCATOR_CLASS (klass)->allocate = circle_allocate;
}

static void
circle_init (Circle *self)
{
}

static void
test_stands_on_itself (void)
{
  g_autoptr (C2gAllocator) circle = g_object_new (circle_get_type (), NULL);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 2; i++)
    {
      g_assert_null (c2g_allocator_allocate (circle, 100, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, "Circle"));
      g_clear_error (&error);
    }
}

int
main (int   argc,
      char *argv[])
{
  guint i;

  g_test_init (&argc, &argv, NULL);

  for (i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strdup_printf ("/allocator/refused/%s", refused[i].name);
      g_autofree char *stacks_path = g_strdup_printf ("%s/in-stacks", path);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_refused);
      g_test_add_data_func (stacks_path, GUINT_TO_POINTER (i), test_refused_in_stacks);
    }
  c2g_test_add_func ("/allocator/own-error", test_own_error);
  c2g_test_add_func ("/allocator/error-beside-storage", test_error_beside_storage);
  c2g_test_add_func ("/allocator/same-twice", test_same_twice);
  c2g_test_add_func ("/allocator/stands-on-itself", test_stands_on_itself);
  c2g_test_add_func ("/allocator/odd-answers", test_odd_answers);
  c2g_test_add_func ("/allocator/released-once", test_released_once);
  c2g_test_add_func ("/allocator/released-by-reset", test_released_by_reset);
  c2g_test_add_func ("/allocator/forwards", test_forwards);
  c2g_test_add_func ("/allocator/storage-allocator", test_storage_allocator);
  c2g_test_add_func ("/allocator/failure-injection", test_failure_injection);
  c2g_test_add_func ("/allocator/default", test_default);
  c2g_test_add_func ("/allocator/default/replaced", test_default_replaced);
  c2g_test_add_func ("/allocator/default/of-other-device", test_default_of_other_device);
  c2g_test_add_func ("/allocator/default/fails", test_default_fails);
  c2g_test_add_func ("/allocator/default/threads", test_default_threads);
  c2g_test_add_func ("/allocator/pressure", test_pressure);
  c2g_test_add_func ("/allocator/no-memory-message", test_no_memory_message);
  c2g_test_add_func ("/allocator/set-no-memory", test_set_no_memory);

  return c2g_test_run ();
}
