/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "allocator-suite.h"
#include "test-utils.h"

/* The adaptors, which need another allocator below them. */
static const char *const adaptors[] = {
  "pool",
  "limiting",
  "tracking",
  "logging",
  "failure",
  "probe",
};

static const char *const stacks[] = {
  "cpu",
  "aligned",
  "pool/aligned",
  "limiting/pool/aligned",
  "pool/pool/pool/cpu",
  "limiting/tracking/pool/cpu",
  "pool/tracking/limiting/cpu",
  "tracking/tracking/tracking/cpu",
  "failure/limiting/pool/probe/cpu",
  "probe/pool/limiting/failure/cpu",
  "limiting/tracking/logging/failure/pool/probe/cpu",
  "probe/pool/failure/logging/tracking/limiting/cpu",
};

static C2gAllocator *
make_default (gconstpointer data)
{
  return c2g_allocator_get_default (c2g_device_cpu (), NULL);
}

static C2gAllocator *
make_bare (gconstpointer data)
{
  return g_object_new (g_type_from_name (data), NULL);
}

static C2gAllocator *
make_stack (gconstpointer data)
{
  return allocator_suite_build (data);
}

static void
add_stack (char *stack)
{
  g_autofree char *name = g_strdelimit (g_strdup (stack), "/", '+');

  allocator_suite_add (name, make_stack, stack);
}

/* The built-in allocator is never finalized, so a tracking allocator is stacked on it. */
static C2gAllocator *
make_over_default (gconstpointer data)
{
  g_autoptr (C2gAllocator) upstream = make_default (NULL);

  return c2g_tracking_allocator_new (upstream);
}

static void
add_bare (void)
{
  const GType types[] = {
    C2G_TYPE_ALLOCATOR,
    C2G_TYPE_CPU_ALLOCATOR,
    C2G_TYPE_POOL_ALLOCATOR,
    C2G_TYPE_LIMITING_ALLOCATOR,
    C2G_TYPE_TRACKING_ALLOCATOR,
    C2G_TYPE_LOGGING_ALLOCATOR,
    C2G_TYPE_FAILURE_CALLBACK_ALLOCATOR,
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    allocator_suite_add (g_type_name (types[i]), make_bare, g_type_name (types[i]));
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint n_lower = c2g_test_count_rounds (G_N_ELEMENTS (adaptors));
  guint i, j;

  g_test_init (&argc, &argv, NULL);

  allocator_suite_add ("tracking+default", make_over_default, NULL);
  add_bare ();

  for (i = 0; i < G_N_ELEMENTS (stacks); i++)
    g_ptr_array_add (names, g_strdup (stacks[i]));
  for (i = 0; i < G_N_ELEMENTS (adaptors); i++)
    {
      g_ptr_array_add (names, g_strdup_printf ("%s/cpu", adaptors[i]));
      for (j = 0; j < n_lower; j++)
        g_ptr_array_add (names, g_strdup_printf ("%s/%s/cpu", adaptors[i], adaptors[j]));
    }
  for (i = 0; i < names->len; i++)
    add_stack (names->pdata[i]);

  return c2g_test_run ();
}
