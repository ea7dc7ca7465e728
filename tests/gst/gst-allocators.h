/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "gst-utils.h"

#include <string.h>

/* Tests that the memory of each C2gGstAllocator must pass. A program sets what makes its allocator. */

static GstAllocator *(*make_allocator) (void);

static inline GstMemory *
allocate (gsize                size,
          GstAllocationParams *params)
{
  g_autoptr (GstAllocator) allocator = make_allocator ();
  GstMemory *memory = gst_allocator_alloc (allocator, size, params);

  g_assert_nonnull (memory);
  return memory;
}

static inline C2gAllocator *
allocator_of (GstMemory *memory)
{
  return c2g_storage_get_allocator (c2g_gst_memory_get_storage (memory, NULL));
}

static inline void
fill (GstMemory *memory)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = i;
  gst_memory_unmap (memory, &map);
}

static inline void
assert_bytes (GstMemory *memory,
              gsize      size,
              guint8     first)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  g_assert_cmpuint (map.size, ==, size);
  for (gsize i = 0; i < size; i++)
    g_assert_cmpuint (map.data[i], ==, first + i);
  gst_memory_unmap (memory, &map);
}

static inline void
check_alloc (void)
{
  GstMemory *memory = allocate (100, NULL);
  gsize offset;

  g_assert_true (gst_memory_is_type (memory, "C2gMemory"));
  g_assert_nonnull (c2g_gst_memory_get_storage (memory, &offset));
  g_assert_cmpuint (offset, ==, 0);
  fill (memory);
  assert_bytes (memory, 100, 0);
  g_assert_cmpuint (c2g_test_ledger_bytes (), >=, 100);
  gst_memory_unref (memory);
}

static inline void
check_alignment (void)
{
  for (gsize align = 1; align <= 4096; align *= 2)
    {
      GstAllocationParams params = { GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED,
                                     align - 1, 16, 8 };
      GstMemory *memory = allocate (100, &params);
      GstMapInfo map;

      g_assert_true (gst_memory_map (memory, &map, GST_MAP_READWRITE));
      g_assert_cmpuint ((gsize) (map.data - 16) % align, ==, 0);
      g_assert_cmpuint (map.size, ==, 100);
      for (int i = 0; i < 16; i++)
        g_assert_cmpuint (map.data[i - 16], ==, 0);
      for (int i = 0; i < 8; i++)
        g_assert_cmpuint (map.data[100 + i], ==, 0);
      gst_memory_unmap (memory, &map);
      gst_memory_unref (memory);
    }
}

static inline void
check_too_large (void)
{
  g_autoptr (GstAllocator) allocator = make_allocator ();
  GstAllocationParams params = { 0, 0, 64, 0 };

  g_assert_null (gst_allocator_alloc (allocator, G_MAXSIZE - 8, &params));
  g_assert_null (gst_allocator_alloc (allocator, G_MAXSIZE / 2, NULL));
}

/* Parts share the storage, are read-only, and keep it. */
static inline void
check_share (void)
{
  GstMemory *memory = allocate (100, NULL);
  GstMemory *part, *rest, *inner;
  GstMapInfo map;

  fill (memory);
  part = gst_memory_share (memory, 10, 20);
  rest = gst_memory_share (memory, 30, -1);
  inner = gst_memory_share (part, 5, 5);
  assert_bytes (part, 20, 10);
  assert_bytes (rest, 70, 30);
  assert_bytes (inner, 5, 15);
  g_assert_true (c2g_gst_memory_get_storage (inner, NULL) ==
                 c2g_gst_memory_get_storage (memory, NULL));
  g_assert_false (gst_memory_map (part, &map, GST_MAP_WRITE));

  gst_memory_unref (memory);
  gst_memory_unref (part);
  assert_bytes (inner, 5, 15);
  gst_memory_unref (inner);
  gst_memory_unref (rest);
}

static inline void
check_span (void)
{
  GstMemory *memory = allocate (100, NULL);
  GstMemory *first = gst_memory_share (memory, 10, 20);
  GstMemory *second = gst_memory_share (memory, 30, 5);
  GstMemory *other = allocate (100, NULL);
  GstMemory *stranger = gst_memory_share (other, 30, 5);
  gsize offset;

  g_assert_true (gst_memory_is_span (first, second, &offset));
  g_assert_cmpuint (offset, ==, 10);
  g_assert_false (gst_memory_is_span (second, first, NULL));
  g_assert_false (gst_memory_is_span (first, stranger, NULL));

  gst_memory_unref (first);
  gst_memory_unref (second);
  gst_memory_unref (stranger);
  gst_memory_unref (memory);
  gst_memory_unref (other);
}

static inline void
check_copy (void)
{
  GstAllocationParams params = { 0, 255, 0, 0 };
  GstMemory *memory = allocate (100, &params);
  GstMemory *copy;

  fill (memory);
  copy = gst_memory_copy (memory, 40, -1);
  g_assert_true (gst_memory_is_type (copy, "C2gMemory"));
  g_assert_true (c2g_gst_memory_get_storage (copy, NULL) !=
                 c2g_gst_memory_get_storage (memory, NULL));
  g_assert_true (allocator_of (copy) == allocator_of (memory));
  gst_memory_unref (memory);
  assert_bytes (copy, 60, 40);
  fill (copy);
  gst_memory_unref (copy);
}

/* Rule 2: nobody seals what an element is writing. */
static inline void
check_seal (void)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory = allocate (100, NULL);
  C2gStorage *storage = c2g_gst_memory_get_storage (memory, NULL);
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (100), storage, 0, &error);
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  g_assert_false (c2g_tensor_seal (tensor, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  gst_memory_unmap (memory, &map);

  g_assert_true (c2g_tensor_seal (tensor, &error));
  g_assert_false (gst_memory_map (memory, &map, GST_MAP_WRITE));
  g_assert_no_error (error);
  gst_memory_unref (memory);
}

static const struct
{
  const char *name;
  GTestFunc func;
} allocator_checks[] = {
  { "alloc", check_alloc },
  { "alignment", check_alignment },
  { "too-large", check_too_large },
  { "share", check_share },
  { "span", check_span },
  { "copy", check_copy },
  { "seal", check_seal },
};

/* Adds all tests by a function such as add_gst_func(). */
static inline void
add_allocator_checks (const char *folder,
                      void      (*add) (const char *path,
                                        GTestFunc   func))
{
  for (gsize i = 0; i < G_N_ELEMENTS (allocator_checks); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s", folder, allocator_checks[i].name);

      add (path, allocator_checks[i].func);
    }
}
