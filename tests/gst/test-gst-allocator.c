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

/* Memory is that of the program's allocator, whose limit holds. The memory keeps the allocator. */
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

/* An allocator that was disposed, as a language that collects garbage may do, goes on with the memory of its source. */
static void
test_disposed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (c2g_device_cpu (), &error);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (usual, 4096);
  g_autoptr (C2gGstAllocator) allocator = c2g_gst_allocator_new (limiting, &error);

  g_assert_no_error (error);
  g_object_run_dispose (G_OBJECT (allocator));
  g_assert_null (gst_allocator_alloc (GST_ALLOCATOR (allocator), 4097, NULL));
}

/* The log says why memory cannot be mapped. GStreamer does not free the list of a program's log functions, so another
 * process writes its log. */
static void
test_logged (void)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory;
  C2gStorage *storage;
  g_autoptr (C2gTensor) tensor = NULL;
  GstMapInfo map;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_test_trap_assert_stderr ("*map_storage*The memory is read-only and cannot be mapped for writing*");
      return;
    }

  memory = allocate (100, NULL);
  storage = c2g_gst_memory_get_storage (memory, NULL);
  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (100), storage, 0, &error);
  g_assert_true (c2g_tensor_seal (tensor, &error));
  gst_debug_set_threshold_for_name ("default", GST_LEVEL_WARNING);
  g_assert_false (gst_memory_map (memory, &map, GST_MAP_WRITE));
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
  add_gst_func ("/gst/allocator/disposed", test_disposed);
  add_gst_func ("/gst/allocator/logged", test_logged);

  return run_gst_tests ();
}
