/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-allocators.h"

static GstAllocator *
dup_default (void)
{
  return GST_ALLOCATOR (c2g_gst_allocator_get_default ());
}

static void
test_foreign (void)
{
  GstMemory *memory = gst_allocator_alloc (NULL, 16, NULL);
  gsize offset = 1;

  g_assert_null (c2g_gst_memory_get_storage (memory, &offset));
  g_assert_cmpuint (offset, ==, 0);
  gst_memory_unref (memory);
}

/* Memory is that of the program's allocator, whose limit holds.  The memory keeps the allocator. */
static void
test_source (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (c2g_device_cpu (), &error);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (usual, 4096);
  g_autoptr (C2gGstAllocator) allocator = c2g_gst_allocator_new (limiting, &error);
  GstMemory *memory, *copy;

  g_assert_no_error (error);
  g_assert_false (g_object_is_floating (allocator));
  g_assert_null (gst_allocator_alloc (GST_ALLOCATOR (allocator), 4097, NULL));
  memory = gst_allocator_alloc (GST_ALLOCATOR (allocator), 1500, NULL);
  g_clear_object (&limiting);
  g_clear_object (&allocator);

  copy = gst_memory_copy (memory, 0, -1);
  g_assert_nonnull (copy);
  g_assert_true (copy->allocator == memory->allocator);
  g_assert_null (gst_memory_copy (memory, 0, -1));
  gst_memory_unref (copy);
  gst_memory_unref (memory);
}

int
main (int   argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  make_allocator = dup_default;
  add_allocator_checks ("/gst/allocator", add_gst_func);
  add_gst_func ("/gst/allocator/foreign", test_foreign);
  add_gst_func ("/gst/allocator/source", test_source);

  return run_gst_tests ();
}
