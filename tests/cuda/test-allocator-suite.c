/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include "tests/core/allocator-suite.h"

/* Runs the tests of every allocator on those for GPUs, alone and under the core's adaptors. */

static const char *const stacks[] = {
  "caching",
  "async",
  "pinned",
  "limiting/caching",
  "tracking/caching",
  "logging/caching",
  "failure/caching",
  "limiting/async",
  "tracking/async",
  "tracking/pinned",
  "limiting/tracking/logging/failure/probe/caching",
  "probe/failure/logging/tracking/limiting/async",
  "probe/failure/logging/tracking/limiting/pinned",
};

static C2gAllocator *
make_caching (gconstpointer data)
{
  return c2g_cuda_caching_allocator_new (first_device (), NULL);
}

static C2gAllocator *
make_managed (gconstpointer data)
{
  return c2g_cuda_caching_allocator_new_managed (first_device (), NULL);
}

static C2gAllocator *
make_expandable (gconstpointer data)
{
  return c2g_cuda_caching_allocator_new_expandable (first_device (), NULL);
}

static C2gAllocator *
make_async (gconstpointer data)
{
  return c2g_cuda_async_allocator_new (first_device (), NULL);
}

static C2gAllocator *
make_pinned (gconstpointer data)
{
  return c2g_cuda_pinned_allocator_new ();
}

static C2gAllocator *
make_stack (gconstpointer stack)
{
  return allocator_suite_build (stack);
}

static void
fill (gpointer address,
      int      value,
      gsize    n_bytes)
{
  g_assert_cmpint (cudaMemset (address, value, n_bytes), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamSynchronize (NULL), ==, cudaSuccess);
}

static gboolean
is_filled (gconstpointer address,
           int           value,
           gsize         n_bytes)
{
  g_autofree guint8 *bytes = g_malloc (n_bytes);

  g_assert_cmpint (cudaMemcpy (bytes, address, n_bytes, cudaMemcpyDefault), ==, cudaSuccess);

  return bytes[0] == value && memcmp (bytes, bytes + 1, n_bytes - 1) == 0;
}

int
main (int   argc,
      char *argv[])
{
  /* CUDA's own pools grow by 32 MiB. */
  static const AllocatorSuiteMemory far_memory = { fill, is_filled, 32 * MIB };

  g_test_init (&argc, &argv, NULL);

  allocator_suite_set_memory (&far_memory);
  allocator_suite_add_base ("caching", make_caching);
  allocator_suite_add_base ("managed", make_managed);
  allocator_suite_add_base ("expandable", make_expandable);
  allocator_suite_add_base ("async", make_async);
  allocator_suite_add_base ("pinned", make_pinned);

  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (stacks[i]), "/", '+');

      allocator_suite_add (name, make_stack, stacks[i]);
    }

  return run_on_device ();
}
