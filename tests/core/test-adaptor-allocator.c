/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

#include <c2g/core/memory/c2g-allocator-private.h>

/* An adaptor that overrides nothing. */
#define TYPE_PLAIN_ALLOCATOR (plain_allocator_get_type ())
G_DECLARE_FINAL_TYPE (PlainAllocator, plain_allocator, PLAIN, ALLOCATOR, C2gAdaptorAllocator)

struct _PlainAllocator
{
  C2gAdaptorAllocator parent_instance;
};

G_DEFINE_FINAL_TYPE (PlainAllocator, plain_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

static void
plain_allocator_class_init (PlainAllocatorClass *klass)
{
}

static void
plain_allocator_init (PlainAllocator *self)
{
}

/* An allocator of another device, with another alignment. */
#define TYPE_FAR_ALLOCATOR (far_allocator_get_type ())
G_DECLARE_FINAL_TYPE (FarAllocator, far_allocator, FAR, ALLOCATOR, C2gAllocator)

struct _FarAllocator
{
  C2gAllocator parent_instance;
};

G_DEFINE_FINAL_TYPE (FarAllocator, far_allocator, C2G_TYPE_ALLOCATOR)

static C2gDevice *
far_allocator_get_device (C2gAllocator *allocator)
{
  return c2g_device_parse ("cuda:3", NULL);
}

static gsize
far_allocator_get_alignment (C2gAllocator *allocator)
{
  return 512;
}

static gsize
far_allocator_trim (C2gAllocator *allocator,
                    gsize         keep_bytes)
{
  return keep_bytes + 1;
}

static void
far_allocator_class_init (FarAllocatorClass *klass)
{
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  allocator_class->get_device = far_allocator_get_device;
  allocator_class->get_alignment = far_allocator_get_alignment;
  allocator_class->trim = far_allocator_trim;
}

static void
far_allocator_init (FarAllocator *self)
{
}

/* Returns the type of each adaptor, for i = 0, 1, … */
static GType
get_adaptor (guint i)
{
  const GType types[] = {
    C2G_TYPE_POOL_ALLOCATOR,
    C2G_TYPE_LIMITING_ALLOCATOR,
    C2G_TYPE_TRACKING_ALLOCATOR,
    C2G_TYPE_LOGGING_ALLOCATOR,
    C2G_TYPE_FAILURE_CALLBACK_ALLOCATOR,
    TYPE_PLAIN_ALLOCATOR,
  };

  return i < G_N_ELEMENTS (types) ? types[i] : G_TYPE_INVALID;
}

/* An adaptor without an upstream uses the built-in allocator, whatever the default is. */
static void
test_null (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gAllocator) standard = c2g_tracking_allocator_new (NULL);
  guint i;

  g_assert_true (c2g_allocator_set_default (cpu, standard, NULL));

  for (i = 0; get_adaptor (i) != G_TYPE_INVALID; i++)
    {
      g_autoptr (C2gAllocator) adaptor = g_object_new (get_adaptor (i), NULL);
      g_autoptr (C2gStorage) storage = c2g_allocator_allocate (adaptor, 100, NULL, NULL);

      g_assert_nonnull (storage);
      g_assert_true (allocator_suite_upstream (adaptor) == c2g_allocator_builtin_cpu ());
    }

  g_assert_true (allocator_suite_upstream (standard) == c2g_allocator_builtin_cpu ());
  g_assert_cmpuint (
    c2g_tracking_allocator_get_n_allocations (C2G_TRACKING_ALLOCATOR (standard)), ==, 0);
  g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));
}

static void
test_property (void)
{
  guint i;

  for (i = 0; get_adaptor (i) != G_TYPE_INVALID; i++)
    {
      g_autoptr (C2gAllocator) cpu = c2g_cpu_allocator_new ();
      C2gAllocator *adaptor = g_object_new (get_adaptor (i), "upstream", cpu, NULL);
      g_autoptr (C2gAllocator) upstream = NULL;

      g_object_get (adaptor, "upstream", &upstream, NULL);
      g_assert_true (upstream == cpu);
      g_assert_true (allocator_suite_upstream (adaptor) == cpu);

      g_assert_finalize_object (adaptor);
      g_clear_object (&upstream);
      g_assert_finalize_object (g_steal_pointer (&cpu));
    }
}

/* An adaptor forwards queries and trim() to its upstream. */
static void
test_forwards (void)
{
  g_autoptr (C2gAllocator) far_away = g_object_new (TYPE_FAR_ALLOCATOR, NULL);
  guint i;

  for (i = 0; get_adaptor (i) != G_TYPE_INVALID; i++)
    {
      g_autoptr (C2gAllocator) adaptor = g_object_new (get_adaptor (i), "upstream", far_away, NULL);

      g_assert_true (c2g_allocator_get_device (adaptor) == c2g_device_parse ("cuda:3", NULL));
      g_assert_cmpuint (c2g_allocator_get_alignment (adaptor), ==, 512);
      g_assert_cmpuint (c2g_allocator_trim (adaptor, 41), ==, 42);
    }
}

/* An adaptor forwards allocations to its upstream, and returns its errors. */
static void
test_allocate (void)
{
  g_autoptr (C2gAllocator) probe = allocator_suite_build ("probe/cpu");
  g_autoptr (C2gAllocator) plain = g_object_new (TYPE_PLAIN_ALLOCATOR, "upstream", probe, NULL);
  g_autoptr (GError) error = NULL;
  C2gStorage *storage = c2g_allocator_allocate (plain, 100, NULL, NULL);

  g_assert_cmpint (PROBE_ALLOCATOR (probe)->n_given, ==, 1);
  g_assert_true (c2g_storage_get_allocator (storage) == allocator_suite_upstream (probe));

  PROBE_ALLOCATOR (probe)->fail_at = 2;
  g_assert_null (c2g_allocator_allocate (plain, 100, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpstr (error->message, ==, "Injected at call 2");

  /* Disposing keeps the upstream while a block is live. */
  g_object_run_dispose (G_OBJECT (plain));
  g_assert_true (allocator_suite_upstream (plain) == probe);
  g_assert_cmpuint (c2g_allocator_get_alignment (plain), ==, 64);
  c2g_storage_unref (storage);
  g_assert_cmpint (PROBE_ALLOCATOR (probe)->n_released, ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/adaptor-allocator/null", test_null);
  c2g_test_add_func ("/adaptor-allocator/property", test_property);
  c2g_test_add_func ("/adaptor-allocator/forwards", test_forwards);
  c2g_test_add_func ("/adaptor-allocator/allocate", test_allocate);

  return c2g_test_run ();
}
