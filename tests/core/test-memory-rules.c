/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <math.h>
#include <string.h>

/* The memory rules of the documentation, memory.md, one after the other. */

#define FLOAT C2G_DATA_TYPE_FLOAT

typedef struct
{
  guint   n_reallocated;
  guint64 old_capacity;
  guint64 new_capacity;
} Watch;

static void
reallocated_cb (C2gTensor *tensor,
                guint64    old_capacity,
                guint64    new_capacity,
                gpointer   user_data)
{
  Watch *watch = user_data;

  watch->n_reallocated++;
  watch->old_capacity = old_capacity;
  watch->new_capacity = new_capacity;
}

static void
watch_tensor (C2gTensor *tensor,
              Watch     *watch)
{
  memset (watch, 0, sizeof *watch);
  g_signal_connect (tensor, "reallocated", G_CALLBACK (reallocated_cb), watch);
}

static void
assert_watched (Watch   *watch,
                guint    n_reallocated,
                guint64  old_capacity,
                guint64  new_capacity)
{
  g_assert_cmpuint (watch->n_reallocated, ==, n_reallocated);
  g_assert_cmpuint (watch->old_capacity, ==, old_capacity);
  g_assert_cmpuint (watch->new_capacity, ==, new_capacity);
}

static C2gTensor *
new_sized (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, &error);

  g_assert_no_error (error);

  return tensor;
}

static float *
floats_of (C2gTensor *tensor)
{
  g_autoptr (GError) error = NULL;
  float *data = c2g_tensor_mutable_data (tensor, FLOAT, &error);

  g_assert_no_error (error);

  return data;
}

/* A tensor of 0, 1, 2 … */
static C2gTensor *
new_floats (gint64 n)
{
  C2gTensor *tensor = new_sized (n);
  float *data = floats_of (tensor);

  for (gint64 i = 0; i < n; i++)
    data[i] = (float) i;

  return tensor;
}

static void
assert_floats (C2gTensor *tensor,
               gint64     n,
               float      first)
{
  g_autoptr (GError) error = NULL;
  const float *data = c2g_tensor_data (tensor, FLOAT, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (data[i], ==, first + (float) i);
}

static void
resize (C2gTensor *tensor,
        gint64     n)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (n), &error));
  g_assert_no_error (error);
}

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

static int n_alive;

static void
construct_counted (C2gTypeMeta *meta,
                   gpointer     items,
                   gsize        n_items)
{
  memset (items, 1, n_items * 16);
  n_alive += (int) n_items;
}

static void
copy_counted (C2gTypeMeta   *meta,
              gconstpointer  source,
              gpointer       destination,
              gsize          n_items)
{
  memcpy (destination, source, n_items * 16);
}

static void
destroy_counted (C2gTypeMeta *meta,
                 gpointer     items,
                 gsize        n_items)
{
  n_alive -= (int) n_items;
}

static C2gTypeMeta *
counted_meta (void)
{
  static C2gTypeMeta *meta;
  static const C2gElementFuncs funcs = {
    .construct = construct_counted, .copy = copy_counted, .destroy = destroy_counted
  };

  if (meta == NULL)
    meta = c2g_type_meta_register_full ("test-counted", 16, &funcs, NULL);
  g_assert_nonnull (meta);

  return meta;
}

/* What was constructed is destroyed, whatever the tensor looked like meanwhile. */
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

  /* The promise ends with the block. */
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

/* Bytes at an odd address are no place for numbers. */
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

typedef void (*Leave) (C2gTensor *tensor);

static void
leave_by_growing (C2gTensor *tensor)
{
  resize (tensor, 7);
  floats_of (tensor);
}

static void
leave_by_shrinking (C2gTensor *tensor)
{
  c2g_tensor_set_keep_on_shrink (tensor, FALSE);
  resize (tensor, 2);
  floats_of (tensor);
}

static void
leave_by_type (C2gTensor *tensor)
{
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT8, NULL));
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

static void
leave_by_freeing (C2gTensor *tensor)
{
  c2g_tensor_free_memory (tensor);
  floats_of (tensor);
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

  /* A growth that cannot be is no reason to refuse the row that can. */
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

  /* Its parent gone, a slice is still no owner of the rows beside it. */
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

/* Rule 7: external memory */

static void
count_destroyed (gpointer data)
{
  g_atomic_int_inc ((int *) data);
}

static void
test_external (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = new_sized (4);
  C2gTensor *other = new_sized (4);
  float memory[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  int n_destroyed = 0;

  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, memory, sizeof memory, count_destroyed,
                                            &n_destroyed, &error));
  g_assert_true (c2g_tensor_data (tensor, FLOAT, &error) == memory);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 32);
  resize (tensor, 8);
  g_assert_true (floats_of (tensor) == memory);
  assert_floats (tensor, 8, 0);

  resize (other, 8);
  g_assert_true (c2g_tensor_share_data (other, tensor, &error));
  resize (tensor, 9);
  g_assert_cmpint (n_destroyed, ==, 0);
  g_assert_finalize_object (tensor);
  g_assert_cmpint (n_destroyed, ==, 0);
  g_assert_finalize_object (other);
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_no_error (error);
}

/* Elements of a type with functions are their owner's to construct and to destroy; what
 * the tensor copies of them is its own. */
static void
test_external_meta (void)
{
  g_autoptr (GError) error = NULL;
  C2gTypeMeta *meta = counted_meta ();
  C2gTensor *tensor = new_sized (2);
  gint64 memory[6];
  int n_destroyed = 0;

  memset (memory, 5, sizeof memory);
  g_assert_false (c2g_tensor_share_external_meta (tensor, meta, memory, 31, count_destroyed,
                                                  &n_destroyed, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_true (c2g_tensor_share_external_meta (tensor, meta, memory, sizeof memory,
                                                 count_destroyed, &n_destroyed, &error));
  g_assert_true (c2g_tensor_get_type_meta (tensor) == meta);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 48);
  resize (tensor, 3);
  g_assert_true (c2g_tensor_raw_mutable_data (tensor, meta, &error) == memory);
  g_assert_cmpint (n_alive, ==, 0);

  g_assert_true (c2g_tensor_extend (tensor, 1, 0, NULL, &error));
  g_assert_cmpint (n_alive, ==, 4);
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_cmpmem (c2g_tensor_raw_data (tensor, &error), 48, memory, 48);
  g_assert_no_error (error);

  g_assert_finalize_object (tensor);
  g_assert_cmpint (n_alive, ==, 0);
  g_assert_cmpint (n_destroyed, ==, 1);
}

static void
test_external_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  float memory[4];
  int n_destroyed = 0;

  g_assert_false (c2g_tensor_share_external (tensor, FLOAT, memory, 15, count_destroyed, &n_destroyed,
                                             &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_external (empty, FLOAT, memory, 16, count_destroyed, &n_destroyed,
                                             &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  resize (tensor, 1);
  g_assert_false (c2g_tensor_share_external (tensor, FLOAT, (char *) memory + 1, 8, count_destroyed,
                                             &n_destroyed, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (n_destroyed, ==, 0);
  assert_floats (tensor, 1, 0);
}

static void
test_read_only (void)
{
  static const float constants[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (constants, sizeof constants);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) slice = NULL;
  Watch watch;

  tensor = c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (8), bytes, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_data (tensor, FLOAT, NULL) == constants);
  g_assert_true (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));
  slice = c2g_tensor_slice (tensor, 2, 4, &error);
  watch_tensor (tensor, &watch);

  floats_of (slice)[0] = 50;
  g_assert_cmpfloat (c2g_tensor_get_value (slice, 1, NULL), ==, 3);
  assert_floats (tensor, 8, 0);

  floats_of (tensor)[0] = 60;
  assert_watched (&watch, 1, 32, 32);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 7, NULL), ==, 7);
  g_assert_cmpfloat (constants[0], ==, 0);

  g_assert_true (c2g_tensor_share_bytes (tensor, FLOAT, bytes, &error));
  g_assert_true (c2g_tensor_allocate (tensor, FLOAT, &error));
  g_assert_false (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));
  g_assert_no_error (error);
}

static void
test_bytes_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123456789abcdef", 16);
  g_autoptr (GBytes) odd = g_bytes_new_from_bytes (bytes, 1, 8);
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_null (c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (5), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_bytes (C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (2), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_bytes (C2G_DATA_TYPE_UNDEFINED, C2G_TEST_DIMS (2), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (-2), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);

  /* Bytes that are not aligned are copied. */
  tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (1), odd, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_address (tensor) % 8, ==, 0);
  g_assert_cmpmem (c2g_tensor_raw_data (tensor, NULL), 8, "12345678", 8);
}

/* An empty part of other bytes has an address, which may be any. */
static void
test_no_bytes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123456789abcdef", 16);

  for (gsize offset = 0; offset < 16; offset++)
    {
      g_autoptr (GBytes) none = g_bytes_new_from_bytes (bytes, offset, 0);
      g_autoptr (C2gTensor) empty =
        c2g_tensor_new_from_bytes (C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (0, 3), none, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (c2g_tensor_get_address (empty), ==, 0);
      g_assert_cmpuint (c2g_tensor_get_capacity (empty), ==, 0);
      g_assert_null (c2g_tensor_mutable_data (empty, C2G_DATA_TYPE_INT64, &error));
      g_assert_no_error (error);
    }
}

static gpointer
unref_thread (gpointer data)
{
  g_object_unref (data);
  return NULL;
}

static void
test_external_other_thread (void)
{
  int n_destroyed = 0;
  float memory[2] = { 0, 1 };
  C2gTensor *tensor = new_sized (2);

  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, memory, sizeof memory, count_destroyed,
                                            &n_destroyed, NULL));
  g_thread_join (g_thread_new ("unref", unref_thread, tensor));
  g_assert_cmpint (n_destroyed, ==, 1);
}

/* Rule 8: copies */

static void
test_copy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (6);
  g_autoptr (C2gTensor) copy = c2g_tensor_new ();
  g_autoptr (C2gTensor) lazy = new_sized (3);
  guint64 address;

  g_assert_true (c2g_tensor_copy_from (copy, source, NULL, &error));
  assert_floats (copy, 6, 0);
  address = c2g_tensor_get_address (copy);
  g_assert_cmpuint (address, !=, c2g_tensor_get_address (source));
  resize (source, 3);
  g_assert_true (c2g_tensor_copy_from (copy, source, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_address (copy), ==, address);
  g_assert_cmpint (c2g_tensor_get_n_elements (copy), ==, 3);
  g_assert_true (c2g_tensor_copy_from (copy, copy, NULL, &error));
  assert_floats (copy, 3, 0);
  g_assert_no_error (error);

  g_assert_false (c2g_tensor_copy_from (copy, lazy, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  assert_floats (copy, 3, 0);
}

/* Caffe2 checked the capacity for the old type, and wrote 32 bytes into 16. */
static void
test_copy_larger_type (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_sized (4);
  g_autoptr (C2gTensor) copy = new_floats (4);

  g_assert_true (c2g_tensor_allocate (source, C2G_DATA_TYPE_DOUBLE, &error));
  for (int i = 0; i < 4; i++)
    g_assert_true (c2g_tensor_set_value (source, i, i + 0.5, &error));
  g_assert_true (c2g_tensor_copy_from (copy, source, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_capacity (copy), ==, 32);
  g_assert_cmpfloat (c2g_tensor_get_value (copy, 3, &error), ==, 3.5);
  g_assert_no_error (error);
}

static void
test_copy_overlapping (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (8);
  g_autoptr (C2gTensor) low = c2g_tensor_slice (tensor, 0, 6, NULL);
  g_autoptr (C2gTensor) high = c2g_tensor_slice (tensor, 2, 8, NULL);

  g_assert_true (c2g_tensor_copy_from (high, low, NULL, NULL));
  assert_floats (high, 6, 0);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 1, NULL), ==, 1);
  g_assert_true (c2g_tensor_copy_from (low, high, NULL, NULL));
  assert_floats (low, 6, 0);
}

static void
test_clone (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (6);
  g_autoptr (C2gTensor) clone = c2g_tensor_clone (source, NULL, &error);
  g_autoptr (C2gTensor) same_place = c2g_tensor_to_device (source, c2g_device_cpu (), &error);
  g_autoptr (C2gTensor) lazy = new_sized (6);
  g_autoptr (C2gTensor) lazy_clone = c2g_tensor_clone (lazy, NULL, &error);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) empty_clone = c2g_tensor_clone (empty, NULL, &error);

  g_assert_no_error (error);
  assert_floats (clone, 6, 0);
  assert_floats (same_place, 6, 0);
  g_assert_false (c2g_tensor_shares_data (clone));
  g_assert_cmpuint (c2g_tensor_get_address (same_place), !=, c2g_tensor_get_address (source));
  g_assert_cmpint (c2g_tensor_get_n_elements (lazy_clone), ==, 6);
  g_assert_false (c2g_tensor_is_allocated (lazy_clone));
  g_assert_false (c2g_tensor_is_defined (empty_clone));
}

static void
test_absent_device (void)
{
  g_autoptr (GError) error = NULL;
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1000, NULL);
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) absent = c2g_tensor_new_for_device (device);

  g_assert_null (c2g_tensor_to_device (tensor, device, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  resize (absent, 6);
  g_assert_false (c2g_tensor_allocate (absent, FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_data (absent, tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

/* Rule 9: views never lock, they pin */

static const Leave replaces[] = { leave_by_growing, leave_by_type, leave_by_freeing };

static void
test_mapping_pins (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (replaces); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = new_floats (6);
      g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, &error);
      guint64 address = c2g_tensor_get_address (tensor);
      const float *data;
      gsize n_bytes;

      g_assert_no_error (error);
      floats_of (tensor)[0] = 70;
      data = (const float *) (gconstpointer) c2g_mapping_get_data (mapping, &n_bytes);
      g_assert_cmpfloat (data[0], ==, 70);

      replaces[i] (tensor);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);
      g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, address);
      g_assert_cmpuint (n_bytes, ==, 24);
      g_assert_cmpfloat (data[0], ==, 70);
      g_assert_cmpfloat (data[5], ==, 5);
    }
}

static void
test_mapping_outlives_tensor (void)
{
  C2gTensor *tensor = new_floats (6);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  const float *data;
  gsize n_bytes;

  g_assert_finalize_object (tensor);
  data = (const float *) (gconstpointer) c2g_mapping_get_data (mapping, &n_bytes);
  g_assert_cmpfloat (data[5], ==, 5);
}

static void
test_ref_bytes_is_immutable (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, &error);
  g_autoptr (GBytes) again = c2g_tensor_ref_bytes (tensor, &error);
  const float *frozen = g_bytes_get_data (bytes, NULL);
  Watch watch;

  g_assert_no_error (error);
  g_assert_cmpuint ((guintptr) frozen, ==, address);
  g_assert_cmpuint ((guintptr) g_bytes_get_data (again, NULL), ==, address);
  g_assert_false (c2g_tensor_shares_data (tensor));

  watch_tensor (tensor, &watch);
  floats_of (tensor)[0] = 80;
  assert_watched (&watch, 1, 24, 24);
  g_assert_cmpfloat (frozen[0], ==, 0);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, NULL), ==, 5);

  floats_of (tensor)[1] = 81;
  assert_watched (&watch, 1, 24, 24);
}

static void
test_ref_bytes_released (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  GBytes *bytes = c2g_tensor_ref_bytes (tensor, NULL);

  g_bytes_unref (bytes);
  floats_of (tensor)[0] = 80;
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
}

static void
test_ref_bytes_thaw (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (C2gMapping) mapping = NULL;
  g_autoptr (C2gTensor) other = new_sized (6);

  mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, c2g_tensor_get_address (tensor));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);

  /* While it is mapped, its bytes can only be copied. */
  copy = c2g_tensor_ref_bytes (tensor, NULL);
  g_assert_cmpuint ((guintptr) g_bytes_get_data (copy, NULL), !=, c2g_tensor_get_address (tensor));
  g_clear_pointer (&mapping, c2g_mapping_unref);

  g_clear_pointer (&copy, g_bytes_unref);
  copy = c2g_tensor_ref_bytes (tensor, NULL);
  address = c2g_tensor_get_address (tensor);
  g_assert_cmpuint ((guintptr) g_bytes_get_data (copy, NULL), ==, address);
  g_assert_true (c2g_tensor_share_data (other, tensor, NULL));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, c2g_tensor_get_address (other));
  floats_of (other)[0] = 90;
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 90);
  g_assert_cmpfloat (((const float *) g_bytes_get_data (copy, NULL))[0], ==, 0);
}

/* Rule 10: a failed call changes nothing; sizes are tested in test-tensor.c */

typedef gboolean (*Fallible) (C2gTensor  *tensor,
                              GError    **error);

static gboolean
fail_allocating (C2gTensor  *tensor,
                 GError    **error)
{
  return c2g_tensor_allocate (tensor, C2G_DATA_TYPE_DOUBLE, error);
}

static gboolean
fail_extending (C2gTensor  *tensor,
                GError    **error)
{
  return c2g_tensor_extend (tensor, 3, 0, NULL, error);
}

static gboolean
fail_reserving (C2gTensor  *tensor,
                GError    **error)
{
  return c2g_tensor_reserve (tensor, C2G_TEST_DIMS (100), error);
}

static gboolean
fail_trimming (C2gTensor  *tensor,
               GError    **error)
{
  return c2g_tensor_trim (tensor, error);
}

static gboolean
fail_copying (C2gTensor  *tensor,
              GError    **error)
{
  static const char constants[256];
  g_autoptr (GBytes) bytes = g_bytes_new_static (constants, sizeof constants);
  g_autoptr (C2gTensor) source = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_INT8, C2G_TEST_DIMS (256),
                                                            bytes, NULL);

  return c2g_tensor_copy_from (tensor, source, NULL, error);
}

static gboolean
fail_cloning (C2gTensor  *tensor,
              GError    **error)
{
  g_autoptr (C2gTensor) clone = c2g_tensor_clone (tensor, NULL, error);

  return clone != NULL;
}

static gboolean
fail_writing_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);

  return c2g_tensor_set_value (tensor, 0, 1, error);
}

static gboolean
fail_mapping_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, error);

  return mapping != NULL;
}

static gboolean
fail_slicing_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gTensor) slice = c2g_tensor_slice (tensor, 0, 1, error);

  return slice != NULL;
}

static gboolean
fail_sharing_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gTensor) other = new_sized (6);

  return c2g_tensor_share_data (other, tensor, error);
}

static const Fallible fallibles[] = {
  fail_allocating,
  fail_extending,
  fail_reserving,
  fail_trimming,
  fail_copying,
  fail_cloning,
  fail_writing_frozen,
  fail_mapping_frozen,
  fail_slicing_frozen,
  fail_sharing_frozen,
};

static void
test_no_memory_changes_nothing (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gAllocator) upstream = c2g_allocator_get_default (cpu, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (fallibles); i++)
    {
      g_autoptr (C2gAllocator) none = c2g_limiting_allocator_new (upstream, 0);
      g_autoptr (C2gTensor) tensor = new_floats (8);
      g_autoptr (GError) error = NULL;
      guint64 address = c2g_tensor_get_address (tensor);
      Watch watch;

      resize (tensor, 6);
      watch_tensor (tensor, &watch);
      g_assert_true (c2g_allocator_set_default (cpu, none, NULL));
      g_assert_false (fallibles[i] (tensor, &error));
      g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));

      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      g_assert_cmpuint (watch.n_reallocated, ==, 0);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
      g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 32);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
      assert_floats (tensor, 6, 0);
    }
}

/* Rule 11: the ledger */

static void
test_ledger (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  guint64 n_bytes = c2g_test_ledger_bytes ();
  guint64 n_blocks = c2g_memory_reporter_get_n_blocks (reporter, NULL);
  g_autoptr (C2gTensor) tensor = new_floats (25);
  g_autoptr (C2gTensor) other = new_sized (25);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);

  g_assert_true (c2g_tensor_share_data (other, tensor, NULL));
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes + 100);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, n_blocks + 1);

  c2g_tensor_free_memory (tensor);
  c2g_tensor_free_memory (other);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes + 100);
  c2g_mapping_unmap (mapping);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
}

/* Rule 12: zero fill and alignment */

static void
test_zero_fill (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  c2g_settings_set_zero_fill (settings, TRUE);
  for (int round = 0; round < 20; round++)
    {
      g_autoptr (C2gTensor) tensor = new_sized (1000);
      float *data = floats_of (tensor);

      g_assert_cmpuint ((guintptr) data % 64, ==, 0);
      for (int i = 0; i < 1000; i++)
        g_assert_cmpfloat (data[i], ==, 0);
      memset (data, 0xff, 4000);
    }
  c2g_settings_set_zero_fill (settings, FALSE);
}

static void
test_alignment (void)
{
  static const gsize bad[] = { 0, 3, 48, 65, (gsize) 1 << 40 };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (c2g_cpu_allocator_new_aligned (bad[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
    }

  for (gsize alignment = 1; alignment <= 1 << 16; alignment *= 2)
    {
      g_autoptr (C2gAllocator) allocator = c2g_cpu_allocator_new_aligned (alignment, &error);
      g_autoptr (C2gStorage) storage = c2g_allocator_allocate (allocator, 100, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (c2g_storage_get_address (storage) % alignment, ==, 0);
    }
}

/* Rule 13: out of memory is an error */

static void
test_out_of_memory (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "fc1_w", NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  g_autoptr (C2gTensor) large = new_sized ((gint64) 1 << 58);
  g_autoptr (GError) error = NULL;

  resize (tensor, 100);
  floats_of (tensor);

  g_assert_false (c2g_tensor_allocate (large, FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "fc1_w"));
  g_assert_nonnull (strstr (error->message, "400 bytes"));
  g_assert_false (c2g_tensor_is_allocated (large));
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
  RULE (7, "tensor-share-data-raw-pointer", test_external);
  RULE (7, "tensor-share-data-raw-pointer-with-meta", test_external_meta);
  RULE (7, "external-errors", test_external_errors);
  RULE (7, "read-only", test_read_only);
  RULE (7, "bytes-errors", test_bytes_errors);
  RULE (7, "no-bytes", test_no_bytes);
  RULE (7, "other-thread", test_external_other_thread);
  RULE (8, "copy", test_copy);
  RULE (8, "copy-larger-type", test_copy_larger_type);
  RULE (8, "copy-overlapping", test_copy_overlapping);
  RULE (8, "clone", test_clone);
  RULE (8, "absent-device", test_absent_device);
  RULE (9, "mapping-pins", test_mapping_pins);
  RULE (9, "mapping-outlives-tensor", test_mapping_outlives_tensor);
  RULE (9, "ref-bytes-is-immutable", test_ref_bytes_is_immutable);
  RULE (9, "ref-bytes-released", test_ref_bytes_released);
  RULE (9, "ref-bytes-thaw", test_ref_bytes_thaw);
  RULE (10, "no-memory-changes-nothing", test_no_memory_changes_nothing);
  RULE (11, "ledger", test_ledger);
  RULE (12, "zero-fill", test_zero_fill);
  RULE (12, "alignment", test_alignment);
  RULE (13, "out-of-memory", test_out_of_memory);

  return c2g_test_run ();
}
