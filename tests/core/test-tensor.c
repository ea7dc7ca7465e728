/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <string.h>
#include <sys/mman.h>

/* Shapes, queries and elements. The memory rules are tested in test-memory-rules.c. */

static void
count_cb (guint *n)
{
  (*n)++;
}

static C2gTensor *
new_floats (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, &error);
  float *data;

  g_assert_no_error (error);
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    data[i] = (float) i;

  return tensor;
}

static void
test_initialized_empty (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new ();
  gsize n_dims = 99;

  g_assert_false (c2g_tensor_is_defined (tensor));
  g_assert_false (c2g_tensor_is_allocated (tensor));
  g_assert_false (c2g_tensor_shares_data (tensor));
  g_assert_true (c2g_tensor_is_contiguous (tensor));
  c2g_tensor_get_dims (tensor, &n_dims);
  g_assert_cmpuint (n_dims, ==, 0);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 0);
  g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, 0);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 0);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_UNDEFINED);
  g_assert_null (c2g_tensor_get_type_meta (tensor));
  g_assert_null (c2g_tensor_get_storage (tensor));
  g_assert_true (c2g_tensor_get_device (tensor) == c2g_device_cpu ());
  g_assert_false (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);

  g_assert_finalize_object (tensor);
}

static void
test_initialized_non_empty (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 3, 5), NULL, &error);
  const gint64 *dims;
  gsize n_dims;

  g_assert_no_error (error);
  dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_assert_cmpuint (n_dims, ==, 3);
  g_assert_cmpint (dims[0], ==, 2);
  g_assert_cmpint (dims[1], ==, 3);
  g_assert_cmpint (dims[2], ==, 5);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 30);
  g_assert_nonnull (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_nonnull (c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_cmpuint (c2g_tensor_get_item_size (tensor), ==, 4);
  g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, 120);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (7, 11, 13, 17), &error));
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 4);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 7 * 11 * 13 * 17);
  g_assert_nonnull (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);

  g_assert_finalize_object (tensor);
}

static void
test_zero_dim (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 0, 5), NULL, &error);

  g_assert_true (c2g_tensor_is_defined (tensor));
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 0);
  g_assert_null (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);
  g_assert_null (c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, 0);
}

static void
test_resize_zero_dim (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (24);
  guint64 address = c2g_tensor_get_address (tensor);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (0, 4), &error));
  g_assert_null (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 96);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (4, 6), &error));
  g_assert_nonnull (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
}

static void
test_scalar (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_DOUBLE, 2.5, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 0);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 1);
  g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, 8);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, &error), ==, 2.5);

  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (1, 1), &error));
  g_assert_true (c2g_tensor_resize (tensor, NULL, 0, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, &error), ==, 2.5);
  g_assert_no_error (error);
}

static const struct
{
  gint64   dims[4];
  gsize    n_dims;
  C2gError code;
} bad_shapes[] = {
  { { -1 }, 1, C2G_ERROR_SHAPE },
  { { 2, -3 }, 2, C2G_ERROR_SHAPE },
  { { 0, -1 }, 2, C2G_ERROR_SHAPE },
  { { G_MININT64 }, 1, C2G_ERROR_SHAPE },
  { { G_MAXINT64, 2 }, 2, C2G_ERROR_RANGE },
  { { (gint64) 1 << 32, (gint64) 1 << 31 }, 2, C2G_ERROR_RANGE },
  { { 3037000500, 3037000500 }, 2, C2G_ERROR_RANGE },
};

static void
test_bad_shapes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad_shapes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = new_floats (6);
      guint n_signals = 0;

      g_signal_connect_swapped (tensor, "resized", G_CALLBACK (count_cb), &n_signals);
      g_signal_connect_swapped (tensor, "reallocated", G_CALLBACK (count_cb), &n_signals);

      g_assert_false (c2g_tensor_resize (tensor, bad_shapes[i].dims, bad_shapes[i].n_dims, &error));
      g_assert_error (error, C2G_ERROR, (int) bad_shapes[i].code);
      g_clear_error (&error);
      g_assert_false (c2g_tensor_reshape (tensor, bad_shapes[i].dims, bad_shapes[i].n_dims, &error));
      g_assert_error (error, C2G_ERROR, (int) bad_shapes[i].code);
      g_clear_error (&error);
      g_assert_false (c2g_tensor_reserve (tensor, bad_shapes[i].dims, bad_shapes[i].n_dims, &error));
      g_assert_error (error, C2G_ERROR, (int) bad_shapes[i].code);
      g_clear_error (&error);
      g_assert_null (c2g_tensor_new_sized (bad_shapes[i].dims, bad_shapes[i].n_dims, NULL, &error));
      g_assert_error (error, C2G_ERROR, (int) bad_shapes[i].code);

      g_assert_cmpuint (n_signals, ==, 0);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, NULL), ==, 5);
    }
}

static void
test_bytes_overflow (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (G_MAXINT64), NULL, &error);

  g_assert_no_error (error);
  g_assert_false (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_DOUBLE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_UNDEFINED);
  g_clear_error (&error);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1), &error));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_DOUBLE, &error));
  g_assert_false (c2g_tensor_resize (tensor, C2G_TEST_DIMS (G_MAXINT64), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 1);
}

/* Repeats Caffe2's Tensor64BitDimension. Only the first and the last page of the memory are
 * written. */
static void
test_64_bit_dimension (void)
{
  g_autoptr (GError) error = NULL;
  gint64 large = (gint64) G_MAXINT + 1;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (large), NULL, &error);
  g_autoptr (C2gTensor) other = c2g_tensor_new ();
  g_autoptr (C2gTensor) end = NULL;
  gpointer pages = mmap (NULL, (gsize) large, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  g_assert_true (pages != MAP_FAILED);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, large);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, &error), ==, large);
  g_assert_true (c2g_tensor_share_external (tensor, C2G_DATA_TYPE_INT8, pages, (gsize) large, NULL,
                                            NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, (gsize) large);
  g_assert_true (c2g_tensor_set_int64 (tensor, large - 1, 7, &error));
  end = c2g_tensor_slice (tensor, large - 2, large, &error);
  g_assert_cmpint (c2g_tensor_get_int64 (end, 1, &error), ==, 7);
  g_assert_true (c2g_tensor_copy_from (other, end, NULL, &error));
  g_assert_cmpint (c2g_tensor_get_int64 (other, 1, &error), ==, 7);

  g_assert_true (c2g_tensor_resize (other, C2G_TEST_DIMS (large, 100), &error));
  g_assert_cmpint (c2g_tensor_get_n_elements (other), ==, large * 100);
  g_assert_cmpint (c2g_tensor_size_from_dim (other, 0, &error), ==, large * 100);
  g_assert_no_error (error);

  g_clear_object (&end);
  g_assert_finalize_object (tensor);
  munmap (pages, (gsize) large);
}

static void
test_dim32 (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_sized (C2G_TEST_DIMS (G_MAXINT, (gint64) G_MAXINT + 1), NULL, &error);

  g_assert_cmpint (c2g_tensor_get_dim32 (tensor, 0, &error), ==, G_MAXINT);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim32 (tensor, 1, &error), ==, -1);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_cmpint (c2g_tensor_get_dim32 (tensor, 2, &error), ==, -1);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
}

static void
test_axes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 3, 5, 7), NULL, &error);

  g_assert_cmpint (c2g_tensor_canonical_axis (tensor, -1, &error), ==, 3);
  g_assert_cmpint (c2g_tensor_canonical_axis (tensor, -4, &error), ==, 0);
  g_assert_cmpint (c2g_tensor_canonical_axis (tensor, 2, &error), ==, 2);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, -2, &error), ==, 5);
  g_assert_cmpint (c2g_tensor_size_from_dim (tensor, 0, &error), ==, 210);
  g_assert_cmpint (c2g_tensor_size_from_dim (tensor, 2, &error), ==, 35);
  g_assert_cmpint (c2g_tensor_size_from_dim (tensor, 4, &error), ==, 1);
  g_assert_cmpint (c2g_tensor_size_to_dim (tensor, 0, &error), ==, 1);
  g_assert_cmpint (c2g_tensor_size_to_dim (tensor, 3, &error), ==, 30);
  g_assert_cmpint (c2g_tensor_size_between_dims (tensor, 0, 3, &error), ==, 15);
  g_assert_cmpint (c2g_tensor_size_between_dims (tensor, 3, 0, &error), ==, 15);
  g_assert_cmpint (c2g_tensor_size_between_dims (tensor, 1, 2, &error), ==, 1);
  g_assert_cmpint (c2g_tensor_size_between_dims (tensor, 1, 1, &error), ==, 1);
  g_assert_no_error (error);

  for (int bad = 0; bad < 6; bad++)
    {
      gint64 answers[] = {
        c2g_tensor_canonical_axis (tensor, bad == 0 ? 4 : 0, bad == 0 ? &error : NULL),
        c2g_tensor_canonical_axis (tensor, bad == 1 ? -5 : 0, bad == 1 ? &error : NULL),
        c2g_tensor_size_from_dim (tensor, bad == 2 ? 5 : 0, bad == 2 ? &error : NULL),
        c2g_tensor_size_to_dim (tensor, bad == 3 ? -1 : 0, bad == 3 ? &error : NULL),
        c2g_tensor_size_between_dims (tensor, 0, bad == 4 ? 4 : 0, bad == 4 ? &error : NULL),
        c2g_tensor_get_dim (tensor, bad == 5 ? 9 : 0, bad == 5 ? &error : NULL),
      };

      for (int i = 0; i < 6; i++)
        g_assert_true ((answers[i] == -1) == (i == bad));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
      g_clear_error (&error);
    }
}

static void
test_many_dims (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (64);
  g_autoptr (C2gTensor) other = c2g_tensor_new ();
  gint64 dims[40];
  gsize n_dims;

  for (gsize i = 0; i < G_N_ELEMENTS (dims); i++)
    dims[i] = i < 6 ? 2 : 1;

  g_assert_true (c2g_tensor_reshape (tensor, dims, G_N_ELEMENTS (dims), &error));
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 40);
  g_assert_true (c2g_tensor_resize_like (other, tensor, &error));
  g_assert_true (c2g_tensor_resize_like (tensor, tensor, &error));

  c2g_tensor_swap (tensor, other);
  g_assert_cmpmem (c2g_tensor_get_dims (tensor, &n_dims), sizeof dims, dims, sizeof dims);
  g_assert_true (c2g_tensor_reshape (other, C2G_TEST_DIMS (8, 8), &error));
  c2g_tensor_swap (tensor, other);
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 2);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 1, &error), ==, 8);
  g_assert_cmpuint (c2g_tensor_get_n_dims (other), ==, 40);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 63, &error), ==, 63);
  g_assert_no_error (error);
}

static void
test_resized_signal (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  guint n_resized = 0;

  g_signal_connect_swapped (tensor, "resized", G_CALLBACK (count_cb), &n_resized);

  g_assert_true (c2g_tensor_resize (tensor, NULL, 0, &error));
  g_assert_cmpuint (n_resized, ==, 1);
  g_assert_true (c2g_tensor_resize (tensor, NULL, 0, &error));
  g_assert_cmpuint (n_resized, ==, 1);
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2, 3), &error));
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2, 3), &error));
  g_assert_cmpuint (n_resized, ==, 2);
  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (3, 2), &error));
  g_assert_cmpuint (n_resized, ==, 3);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_true (c2g_tensor_shrink (tensor, 3, &error));
  g_assert_cmpuint (n_resized, ==, 3);
  g_assert_true (c2g_tensor_shrink (tensor, 1, &error));
  g_assert_cmpuint (n_resized, ==, 4);
  g_assert_true (c2g_tensor_extend (tensor, 0, 0, NULL, &error));
  g_assert_cmpuint (n_resized, ==, 4);
  g_assert_true (c2g_tensor_extend (tensor, 1, 0, NULL, &error));
  g_assert_cmpuint (n_resized, ==, 5);
  c2g_tensor_free_memory (tensor);
  g_assert_cmpuint (n_resized, ==, 5);
}

static void
test_notify (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (4), NULL, &error);
  C2gDataType data_type;
  C2gDevice *device;
  guint n_notified = 0;

  g_signal_connect_swapped (tensor, "notify::data-type", G_CALLBACK (count_cb), &n_notified);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT16, &error));
  g_assert_cmpuint (n_notified, ==, 2);

  g_object_get (tensor, "data-type", &data_type, "device", &device, NULL);
  g_assert_cmpint (data_type, ==, C2G_DATA_TYPE_INT16);
  g_assert_true (device == c2g_device_cpu ());
}

static void
test_elements (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 2), NULL, &error);
  g_auto (GValue) value = G_VALUE_INIT;
  gint64 exact = ((gint64) 1 << 53) + 1;

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT64, &error));
  g_assert_true (c2g_tensor_set_int64 (tensor, 3, exact, &error));
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 3, &error), ==, exact);
  c2g_tensor_get_element (tensor, 3, &value);
  g_assert_true (G_VALUE_HOLDS_INT64 (&value));
  g_assert_cmpint (g_value_get_int64 (&value), ==, exact);
  g_assert_true (c2g_tensor_set_element (tensor, 0, &value, &error));
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 0, &error), ==, exact);
  g_assert_no_error (error);

  g_value_unset (&value);
  c2g_tensor_get_element (tensor, 4, &value);
  g_assert_true (G_VALUE_HOLDS_POINTER (&value));
  g_assert_null (g_value_get_pointer (&value));

  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 4, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_set_value (tensor, -1, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, &error));
  g_assert_true (c2g_tensor_set_value (tensor, 0, 7, &error));
  g_assert_false (c2g_tensor_set_value (tensor, 0, 256, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 0, NULL), ==, 7);
}

static void
test_strings (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, &error);
  g_autoptr (C2gTensor) copy = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) binary = G_VALUE_INIT;

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_STRING, &error));
  g_assert_cmpuint (c2g_tensor_get_item_size (tensor), ==, sizeof (GBytes *));
  c2g_tensor_get_element (tensor, 0, &value);
  g_assert_cmpstr (g_value_get_string (&value), ==, "");
  g_value_set_string (&value, "filter");
  g_assert_true (c2g_tensor_set_element (tensor, 0, &value, &error));
  g_value_init (&binary, G_TYPE_BYTES);
  g_value_take_boxed (&binary, g_bytes_new_static ("\0\xff", 2));
  g_assert_true (c2g_tensor_set_element (tensor, 1, &binary, &error));

  copy = c2g_tensor_clone (tensor, NULL, &error);
  g_assert_no_error (error);
  g_value_set_string (&value, "other");
  g_assert_true (c2g_tensor_set_element (tensor, 0, &value, &error));

  g_value_unset (&value);
  c2g_tensor_get_element (copy, 0, &value);
  g_assert_cmpstr (g_value_get_string (&value), ==, "filter");
  g_value_unset (&binary);
  c2g_tensor_get_element (copy, 1, &binary);
  g_assert_true (G_VALUE_HOLDS (&binary, G_TYPE_BYTES));
  g_assert_cmpuint (g_bytes_get_size (g_value_get_boxed (&binary)), ==, 2);

  g_assert_cmpfloat (c2g_tensor_get_value (copy, 0, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_map (copy, C2G_MAP_READ, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_dup_bytes (copy, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

static void
test_dup_element (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (3);
  g_autoptr (C2gTensor) lazy = c2g_tensor_new_sized (C2G_TEST_DIMS (1), NULL, NULL);
  g_autoptr (C2gBlob) blob = c2g_tensor_dup_element (tensor, 2, &error);
  g_auto (GValue) copy = G_VALUE_INIT;
  g_auto (GValue) value = G_VALUE_INIT;
  GValue *boxed = NULL;

  g_assert_no_error (error);
  c2g_blob_get_value (blob, &value);
  g_assert_cmpfloat (g_value_get_float (&value), ==, 2);
  g_object_get (blob, "value", &boxed, NULL);
  g_assert_cmpfloat (g_value_get_float (boxed), ==, 2);
  g_value_unset (boxed);
  g_free (boxed);

  /* On an error the caller's value does not change. */
  g_assert_false (c2g_tensor_copy_element (tensor, 3, &copy, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (G_IS_VALUE (&copy));
  for (int i = 0; i < 2; i++)
    {
      g_assert_true (c2g_tensor_copy_element (tensor, 2, &copy, &error));
      g_assert_true (G_VALUE_HOLDS (&copy, c2g_blob_get_content_type (blob)));
    }
  g_assert_null (c2g_tensor_dup_element (tensor, 3, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_dup_element (lazy, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
}

static void
test_description (void)
{
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autofree char *undefined = c2g_tensor_to_string (empty, 10);
  g_autofree char *full = c2g_tensor_to_string (tensor, 4);
  g_autofree char *part = c2g_tensor_to_string (tensor, 2);
  g_autofree char *lazy = NULL;

  c2g_tensor_resize (empty, C2G_TEST_DIMS (2, 2), NULL);
  lazy = c2g_tensor_to_string (empty, 10);

  g_assert_cmpstr (undefined, ==, "undefined without a shape on cpu");
  g_assert_cmpstr (lazy, ==, "undefined [2, 2] on cpu, not allocated");
  g_assert_cmpstr (full, ==, "float [4] on cpu: 0, 1, 2, 3");
  g_assert_cmpstr (part, ==, "float [4] on cpu: 0, 1, …");
}

/* A handler may free the memory. */
static void
free_cb (C2gTensor *tensor)
{
  c2g_tensor_free_memory (tensor);
}

static void
test_reentrancy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);

  g_signal_connect (tensor, "notify::data-type", G_CALLBACK (free_cb), NULL);
  g_assert_null (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_DOUBLE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_false (c2g_tensor_is_allocated (tensor));
}

static void
unref_on_reallocated_cb (C2gTensor  *tensor,
                         guint64     old_capacity,
                         guint64     new_capacity,
                         C2gTensor **owner)
{
  g_clear_object (owner);
}

/* A handler drops the caller's reference during an operation. */
static void
test_unref_in_handler (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *owner, *tensor;

  owner = tensor = new_floats (4);
  g_signal_connect (tensor, "reallocated", G_CALLBACK (unref_on_reallocated_cb), &owner);
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (8), &error));
  g_assert_null (owner);

  owner = tensor = new_floats (4);
  g_signal_connect (tensor, "reallocated", G_CALLBACK (unref_on_reallocated_cb), &owner);
  g_assert_null (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_DOUBLE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_null (owner);
}

static void
unref_on_resized_cb (C2gTensor  *tensor,
                     C2gTensor **owner)
{
  g_clear_object (owner);
}

static void
resize_on_destroy (gpointer user_data)
{
  C2gTensor **owner = user_data;

  g_assert_true (c2g_tensor_resize (*owner, C2G_TEST_DIMS (2), NULL));
}

/* The memory is released by one operation, which leads to another, whose handler drops the
 * reference. */
static void
test_unref_in_destroy (void)
{
  g_autoptr (GError) error = NULL;
  float memory[4] = { 0 };
  C2gTensor *owner, *tensor;

  owner = tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (4), NULL, &error);
  g_assert_true (c2g_tensor_share_external (tensor, C2G_DATA_TYPE_FLOAT, memory, sizeof memory,
                                            resize_on_destroy, &owner, &error));
  g_signal_connect (tensor, "resized", G_CALLBACK (unref_on_resized_cb), &owner);
  c2g_tensor_free_memory (tensor);
  g_assert_null (owner);
}

static void
grow_tensor (C2gTensor *tensor,
             guint64    old_capacity,
             guint64    new_capacity,
             gpointer   user_data)
{
  g_signal_handlers_disconnect_by_func (tensor, grow_tensor, user_data);
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (10000), NULL));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
}

/* A handler grows the tensor: only as many bytes are copied as were checked. */
static void
test_set_bytes_grown (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new ("0123456789abcdef", 16);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (4), bytes, &error);

  g_signal_connect (tensor, "reallocated", G_CALLBACK (grow_tensor), NULL);
  g_assert_false (c2g_tensor_set_bytes (tensor, bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor/initialized-empty", test_initialized_empty);
  c2g_test_add_func ("/tensor/initialized-non-empty", test_initialized_non_empty);
  c2g_test_add_func ("/tensor/zero-dim", test_zero_dim);
  c2g_test_add_func ("/tensor/resize-zero-dim", test_resize_zero_dim);
  c2g_test_add_func ("/tensor/scalar", test_scalar);
  c2g_test_add_func ("/tensor/bad-shapes", test_bad_shapes);
  c2g_test_add_func ("/tensor/bytes-overflow", test_bytes_overflow);
  c2g_test_add_func ("/tensor/64-bit-dimension", test_64_bit_dimension);
  c2g_test_add_func ("/tensor/cannot-cast-down-large-dims", test_dim32);
  c2g_test_add_func ("/tensor/axes", test_axes);
  c2g_test_add_func ("/tensor/many-dims", test_many_dims);
  c2g_test_add_func ("/tensor/resized-signal", test_resized_signal);
  c2g_test_add_func ("/tensor/notify", test_notify);
  c2g_test_add_func ("/tensor/elements", test_elements);
  c2g_test_add_func ("/tensor/strings", test_strings);
  c2g_test_add_func ("/tensor/dup-element", test_dup_element);
  c2g_test_add_func ("/tensor/to-string", test_description);
  c2g_test_add_func ("/tensor/reentrancy", test_reentrancy);
  c2g_test_add_func ("/tensor/unref-in-handler", test_unref_in_handler);
  c2g_test_add_func ("/tensor/unref-in-destroy", test_unref_in_destroy);
  c2g_test_add_func ("/tensor/set-bytes-grown", test_set_bytes_grown);

  return c2g_test_run ();
}
