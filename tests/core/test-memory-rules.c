/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "counted.h"
#include "floats.h"

#include <math.h>
#include <string.h>

/* The first six memory rules in memory.md, in order: memory that a tensor owns. */

/* Rule 1: lazy */

static void
test_lazy (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_sized (1000);
  guint64 n_bytes = c2g_memory_reporter_get_current_bytes (reporter, NULL);

  g_assert_false (c2g_tensor_is_allocated (tensor));
  g_assert_null (c2g_tensor_raw_data (tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_data (tensor, FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_dup_bytes (tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_map (tensor, C2G_MAP_READ, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_slice (tensor, 0, 1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_set_value (tensor, 0, 1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, n_bytes);

  g_assert_true (c2g_tensor_allocate (tensor, FLOAT, NULL));
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, n_bytes + 4000);
  g_assert_cmpuint (c2g_tensor_get_address (tensor) % 64, ==, 0);
}

static void
test_lazy_wrong_type (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);

  g_assert_null (c2g_tensor_data (tensor, C2G_DATA_TYPE_INT32, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message, "int32"));
  g_assert_nonnull (strstr (error->message, "float"));
}

/* Each constructed element is destroyed, even if the tensor was changed meanwhile. */
static void
test_constructed (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = new_sized (10);

  g_assert_true (c2g_tensor_allocate_meta (tensor, counted_meta (), &error));
  g_assert_cmpint (n_alive, ==, 10);
  resize (tensor, 3);
  g_assert_cmpint (n_alive, ==, 10);
  resize (tensor, 10);
  g_assert_true (c2g_tensor_allocate_meta (tensor, counted_meta (), &error));
  g_assert_cmpint (n_alive, ==, 10);

  g_assert_true (c2g_tensor_extend (tensor, 5, 100, NULL, &error));
  g_assert_cmpint (n_alive, ==, 20);
  g_assert_true (c2g_tensor_allocate (tensor, FLOAT, &error));
  g_assert_cmpint (n_alive, ==, 0);

  g_assert_true (c2g_tensor_allocate_meta (tensor, counted_meta (), &error));
  g_assert_cmpint (n_alive, ==, 15);
  resize (tensor, 100);
  g_assert_cmpint (n_alive, ==, 0);
  g_assert_true (c2g_tensor_allocate_meta (tensor, counted_meta (), &error));
  g_assert_no_error (error);
  g_assert_finalize_object (tensor);
  g_assert_cmpint (n_alive, ==, 0);
}

/* Rule 2: capacity and the shrink policies */

static void
test_capacity (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  Watch watch;

  watch_tensor (tensor, &watch);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 24);
  resize (tensor, 2);
  resize (tensor, 6);
  resize (tensor, 0);
  resize (tensor, 5);
  floats_of (tensor);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 24);
  assert_watched (&watch, 0, 0, 0);

  resize (tensor, 7);
  assert_watched (&watch, 1, 24, 0);
  g_assert_false (c2g_tensor_is_allocated (tensor));
  floats_of (tensor);
  assert_watched (&watch, 2, 0, 28);
}

static void
test_keep_on_shrink (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (C2gTensor) tensor = new_floats (6);
  Watch watch;

  watch_tensor (tensor, &watch);
  g_assert_true (c2g_tensor_get_keep_on_shrink (tensor));

  c2g_tensor_set_keep_on_shrink (tensor, FALSE);
  resize (tensor, 6);
  assert_watched (&watch, 0, 0, 0);
  resize (tensor, 5);
  assert_watched (&watch, 1, 24, 0);
  floats_of (tensor);
  assert_watched (&watch, 2, 0, 20);

  c2g_tensor_set_keep_on_shrink (tensor, TRUE);
  c2g_settings_set_keep_on_shrink (settings, FALSE);
  resize (tensor, 1);
  assert_watched (&watch, 2, 0, 20);
  {
    g_autoptr (C2gTensor) other = new_floats (6);

    resize (other, 1);
    g_assert_false (c2g_tensor_is_allocated (other));
  }
  c2g_settings_set_keep_on_shrink (settings, TRUE);
}

static void
test_max_keep_on_shrink (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  guint64 old_max = c2g_settings_get_max_keep_on_shrink (settings);
  g_autoptr (C2gTensor) tensor = new_floats (100);
  Watch watch;

  watch_tensor (tensor, &watch);
  c2g_tensor_set_max_keep_on_shrink (tensor, 40);
  resize (tensor, 90);
  assert_watched (&watch, 0, 0, 0);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 400);
  resize (tensor, 89);
  assert_watched (&watch, 1, 400, 0);
  floats_of (tensor);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 356);

  c2g_settings_set_max_keep_on_shrink (settings, 8);
  {
    g_autoptr (C2gTensor) other = new_floats (6);

    g_assert_cmpuint (c2g_tensor_get_max_keep_on_shrink (other), ==, 8);
    resize (other, 4);
    g_assert_true (c2g_tensor_is_allocated (other));
    resize (other, 3);
    g_assert_false (c2g_tensor_is_allocated (other));
  }
  c2g_settings_set_max_keep_on_shrink (settings, old_max);
}

static void
test_reserved (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  Watch watch;

  c2g_tensor_set_keep_on_shrink (tensor, FALSE);
  g_assert_true (c2g_tensor_reserve (tensor, C2G_TEST_DIMS (50), &error));
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
  assert_floats (tensor, 6, 0);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 200);

  watch_tensor (tensor, &watch);
  resize (tensor, 50);
  resize (tensor, 1);
  resize (tensor, 20);
  assert_watched (&watch, 0, 0, 0);

  /* The reservation ends with its block. */
  resize (tensor, 51);
  floats_of (tensor);
  resize (tensor, 50);
  g_assert_false (c2g_tensor_is_allocated (tensor));
}

static void
test_reserve_unallocated (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (2);
  g_autoptr (C2gTensor) untyped = new_sized (2);

  g_assert_false (c2g_tensor_reserve (untyped, C2G_TEST_DIMS (50), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  c2g_tensor_free_memory (tensor);
  g_assert_true (c2g_tensor_reserve (tensor, C2G_TEST_DIMS (50), &error));
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 200);
  g_assert_true (c2g_tensor_reserve (tensor, C2G_TEST_DIMS (1), &error));
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 200);
  g_assert_true (c2g_tensor_trim (tensor, &error));
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 8);
  resize (tensor, 0);
  g_assert_true (c2g_tensor_trim (tensor, &error));
  g_assert_false (c2g_tensor_is_allocated (tensor));
  g_assert_no_error (error);
}

/* Rule 3: a change of type */

static void
test_change_type (void)
{
  g_autoptr (C2gTensor) tensor = new_sized (6);
  g_autoptr (GError) error = NULL;
  gpointer first;
  Watch watch;

  watch_tensor (tensor, &watch);
  first = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT32, &error);
  g_assert_true (c2g_tensor_mutable_data (tensor, FLOAT, &error) == first);
  g_assert_true (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT16, &error) == first);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 24);
  assert_watched (&watch, 0, 0, 0);

  g_assert_nonnull (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_DOUBLE, &error));
  assert_watched (&watch, 1, 24, 48);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_STRING, &error));
  assert_watched (&watch, 2, 48, 48);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT8, &error));
  assert_watched (&watch, 3, 48, 6);
  g_assert_no_error (error);
}

static void
test_change_type_shared (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) sibling = new_sized (6);

  g_assert_true (c2g_tensor_share_data (sibling, tensor, &error));
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT32, &error), 0xff, 24);
  assert_floats (sibling, 6, 0);
  g_assert_false (c2g_tensor_shares_data (sibling));
  g_assert_no_error (error);
}

/* A block at an odd address is not reused for numbers. */
static void
test_change_type_misaligned (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = c2g_storage_new (c2g_device_cpu (), 32, NULL, &error);
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (2), storage, 1, &error);

  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_true (c2g_tensor_allocate (tensor, FLOAT, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_address (tensor) % 64, ==, 0);
}

/* Rule 4: sharing */

static void
test_share_data (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) other = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 3), NULL, NULL);

  g_assert_true (c2g_tensor_share_data (other, tensor, &error));
  g_assert_cmpuint (c2g_tensor_get_address (other), ==, c2g_tensor_get_address (tensor));
  g_assert_cmpuint (c2g_tensor_get_n_dims (other), ==, 2);
  g_assert_true (c2g_tensor_shares_data (other));
  g_assert_true (c2g_tensor_shares_data (tensor));

  floats_of (tensor)[1] = 42;
  g_assert_cmpfloat (c2g_tensor_get_value (other, 1, NULL), ==, 42);
  floats_of (other)[2] = 43;
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 2, NULL), ==, 43);

  resize (other, 3);
  resize (other, 6);
  floats_of (other);
  g_assert_true (c2g_tensor_shares_data (tensor));
  g_assert_true (c2g_tensor_share_data (tensor, tensor, &error));
  g_assert_true (c2g_tensor_share_data (tensor, other, &error));
  g_assert_no_error (error);
}

static void
test_cannot_share (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) lazy = new_sized (6);
  g_autoptr (C2gTensor) small = new_sized (5);

  g_assert_false (c2g_tensor_share_data (lazy, empty, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_data (empty, tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_data (small, tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_data (tensor, lazy, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);

  g_assert_cmpint (c2g_tensor_get_data_type (small), ==, C2G_DATA_TYPE_UNDEFINED);
  assert_floats (tensor, 6, 0);
}

static void
leave_by_shrinking (C2gTensor *tensor)
{
  c2g_tensor_set_keep_on_shrink (tensor, FALSE);
  resize (tensor, 2);
  floats_of (tensor);
}

static void
leave_by_extending (C2gTensor *tensor)
{
  resize (tensor, 3);
  g_assert_true (c2g_tensor_extend (tensor, 1, 0, NULL, NULL));
  assert_floats (tensor, 3, 0);
}

static void
leave_by_reserving (C2gTensor *tensor)
{
  g_assert_true (c2g_tensor_reserve (tensor, C2G_TEST_DIMS (3), NULL));
  assert_floats (tensor, 6, 0);
}

static const Leave leaves[] = {
  leave_by_growing,
  leave_by_shrinking,
  leave_by_type,
  leave_by_extending,
  leave_by_reserving,
  leave_by_freeing,
};

static void
test_detach (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (leaves); i++)
    {
      g_autoptr (C2gTensor) tensor = new_floats (6);
      g_autoptr (C2gTensor) other = new_sized (6);
      guint64 address = c2g_tensor_get_address (tensor);
      Watch watch;

      watch_tensor (other, &watch);
      g_assert_true (c2g_tensor_share_data (other, tensor, NULL));
      g_assert_cmpuint (watch.n_reallocated, ==, 0);
      leaves[i] (other);
      g_assert_cmpuint (watch.n_reallocated, >=, 1);

      g_assert_cmpuint (c2g_tensor_get_address (other), !=, address);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
      g_assert_false (c2g_tensor_shares_data (tensor));
      g_assert_false (c2g_tensor_shares_data (other));
      assert_floats (tensor, 6, 0);
    }
}

/* Rule 5: extend and reserve */

static void
test_extend (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (4, 2), NULL, NULL);
  guint64 address;

  g_assert_true (c2g_tensor_extend (tensor, 1, 50, NULL, &error));
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, NULL), ==, 5);
  g_assert_false (c2g_tensor_is_allocated (tensor));

  g_assert_true (c2g_tensor_shrink (tensor, 4, &error));
  for (int i = 0; i < 8; i++)
    floats_of (tensor)[i] = (float) i;
  g_assert_true (c2g_tensor_extend (tensor, 1, 50, NULL, &error));
  assert_floats (tensor, 8, 0);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, NULL), ==, 5);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 6 * 2 * 4);

  address = c2g_tensor_get_address (tensor);
  g_assert_true (c2g_tensor_extend (tensor, 1, 50, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
  g_assert_true (c2g_tensor_extend (tensor, 10, 1, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 16 * 2 * 4);
  assert_floats (tensor, 8, 0);
  g_assert_no_error (error);
}

static void
test_extend_errors (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gTensor) scalar = c2g_tensor_new_scalar (FLOAT, 1, NULL);
  static const struct
  {
    gint64   n;
    double   growth;
    C2gError code;
  } cases[] = {
    { -1, 0, C2G_ERROR_RANGE },
    { G_MININT64, 0, C2G_ERROR_RANGE },
    { G_MAXINT64, 0, C2G_ERROR_RANGE },
    { G_MAXINT64 - 4, 0, C2G_ERROR_RANGE },
    { 1, -1, C2G_ERROR_INVALID_ARGUMENT },
    { 1, (double) INFINITY, C2G_ERROR_INVALID_ARGUMENT },
    { 1, (double) NAN, C2G_ERROR_INVALID_ARGUMENT },
  };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_false (c2g_tensor_extend (tensor, cases[i].n, cases[i].growth, NULL, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_clear_error (&error);
      assert_floats (tensor, 4, 0);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 4);
    }

  g_assert_false (c2g_tensor_extend (scalar, 1, 0, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_shrink (scalar, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_shrink (tensor, 5, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_shrink (tensor, -1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

static void
test_extend_huge_growth (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);

  /* If the growth is impossible, only the wanted rows are allocated. */
  g_assert_true (c2g_tensor_extend (tensor, 1, 1e300, NULL, &error));
  g_assert_no_error (error);
  assert_floats (tensor, 4, 0);
}

static void
test_extend_leaves_views (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gMapping) mapping = NULL;
  guint64 address;

  g_assert_true (c2g_tensor_reserve (tensor, C2G_TEST_DIMS (8), &error));
  address = c2g_tensor_get_address (tensor);
  mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, &error);
  g_assert_false (c2g_tensor_shares_data (tensor));
  g_assert_true (c2g_tensor_extend (tensor, 1, 0, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);
  g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, address);
  assert_floats (tensor, 4, 0);
  g_assert_no_error (error);
}

static void
test_shrink_shared (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) other = new_sized (6);

  g_assert_true (c2g_tensor_share_data (other, tensor, NULL));
  g_assert_true (c2g_tensor_shrink (other, 0, NULL));
  g_assert_true (c2g_tensor_shares_data (tensor));
  g_assert_cmpuint (c2g_tensor_get_capacity (other), ==, 24);
  resize (other, 6);
  g_assert_cmpuint (c2g_tensor_get_address (other), ==, c2g_tensor_get_address (tensor));
}

/* Rule 6: slices */

static void
test_slice (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (12);
  g_autoptr (C2gTensor) slice = NULL;
  g_autoptr (C2gTensor) inner = NULL;
  g_autoptr (C2gTensor) none = NULL;

  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (4, 3), &error));
  slice = c2g_tensor_slice (tensor, 1, 3, &error);
  g_assert_no_error (error);
  assert_floats (slice, 6, 3);
  g_assert_cmpuint (c2g_tensor_get_capacity (slice), ==, 24);
  inner = c2g_tensor_slice (slice, 1, 2, &error);
  assert_floats (inner, 3, 6);
  none = c2g_tensor_slice (tensor, 4, 4, &error);
  g_assert_cmpint (c2g_tensor_get_n_elements (none), ==, 0);
  g_assert_null (c2g_tensor_data (none, FLOAT, &error));
  g_assert_no_error (error);

  floats_of (inner)[0] = 99;
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 6, NULL), ==, 99);

  g_assert_true (c2g_tensor_extend (slice, 1, 0, NULL, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (slice, 0, NULL), ==, 3);
  floats_of (slice)[6] = -1;
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 9, NULL), ==, 9);

  /* A slice does not get the rows next to it when its parent is freed. */
  g_clear_object (&tensor);
  g_clear_object (&none);
  g_assert_false (c2g_tensor_shares_data (inner));
  g_assert_cmpuint (c2g_tensor_get_capacity (inner), ==, 12);
  g_assert_true (c2g_tensor_resize (inner, C2G_TEST_DIMS (2, 3), &error));
  g_assert_false (c2g_tensor_is_allocated (inner));
}

static void
test_slice_errors (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gTensor) scalar = c2g_tensor_new_scalar (FLOAT, 1, NULL);
  g_autoptr (GError) error = NULL;
  static const gint64 ranges[][2] = { { -1, 2 }, { 2, 1 }, { 0, 5 }, { 5, 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_assert_null (c2g_tensor_slice (tensor, ranges[i][0], ranges[i][1], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
      g_clear_error (&error);
    }

  g_assert_null (c2g_tensor_slice (scalar, 0, 1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
}

#define RULE(number, name, func) c2g_test_add_func ("/memory-rules/" #number "/" name, func)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  RULE (1, "lazy", test_lazy);
  RULE (1, "wrong-type", test_lazy_wrong_type);
  RULE (1, "constructed", test_constructed);
  RULE (2, "capacity", test_capacity);
  RULE (2, "keep-on-shrink", test_keep_on_shrink);
  RULE (2, "max-keep-on-shrink", test_max_keep_on_shrink);
  RULE (2, "reserved", test_reserved);
  RULE (2, "reserve-unallocated", test_reserve_unallocated);
  RULE (3, "tensor-change-type", test_change_type);
  RULE (3, "shared", test_change_type_shared);
  RULE (3, "misaligned", test_change_type_misaligned);
  RULE (4, "tensor-share-data", test_share_data);
  RULE (4, "cannot-share", test_cannot_share);
  RULE (4, "no-longer-shares", test_detach);
  RULE (5, "extend", test_extend);
  RULE (5, "extend-errors", test_extend_errors);
  RULE (5, "extend-huge-growth", test_extend_huge_growth);
  RULE (5, "extend-leaves-views", test_extend_leaves_views);
  RULE (5, "shrink-shared", test_shrink_shared);
  RULE (6, "slice", test_slice);
  RULE (6, "slice-errors", test_slice_errors);

  return c2g_test_run ();
}
