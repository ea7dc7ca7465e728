/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/caffe/mixed-utils.h"

#include <math.h>
#include <string.h>

/* Tests that repeat a test of the Tensor in NVCaffe's test_blob.cpp and test_math_functions.cpp
 * have its name in their path. */

static void
count_cb (C2gMixedTensor *mixed,
          C2gDataType     from,
          C2gDataType     to,
          gpointer        user_data)
{
  ++*(int *) user_data;
}

static void
test_new (void)
{
  const gint64 dims[] = { 2, 3 };
  g_autoptr (C2gMixedTensor) mixed = c2g_mixed_tensor_new (HALF, dims, 2, NULL, NULL);
  g_autoptr (C2gMixedTensor) bare = g_object_new (C2G_TYPE_MIXED_TENSOR, NULL);
  gsize n_dims;

  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, HALF);
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 6);
  g_assert_cmpint (c2g_mixed_tensor_get_dims (mixed, &n_dims)[1], ==, 3);
  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_cmpstr (c2g_device_to_string (c2g_mixed_tensor_get_device (mixed)), ==, "cuda:0");
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, HALF), ==, C2G_SYNCED_HEAD_UNINITIALIZED);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);

  g_assert_cmpint (c2g_mixed_tensor_get_data_type (bare), ==, FLOAT);
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (bare), ==, 0);
  g_assert_null (write_as (bare, DOUBLE));
  g_assert_cmpfloat (c2g_mixed_tensor_amax (bare, NULL), ==, 0);
}

static void
notify_cb (C2gMixedTensor *mixed,
           GParamSpec     *pspec,
           gpointer        user_data)
{
  ++*(int *) user_data;
}

/* The type is a property. An object that cannot be made is refused before anything is allocated. */
static void
test_properties (void)
{
  g_autoptr (C2gMixedTensor) mixed = g_object_new (C2G_TYPE_MIXED_TENSOR, "data-type", INT32, NULL);
  g_autoptr (C2gMixedTensor) fresh = g_object_new (C2G_TYPE_MIXED_TENSOR, NULL);
  g_autoptr (GError) error = NULL;
  C2gDataType type;
  int n_notified = 0;

  g_object_get (mixed, "data-type", &type, NULL);
  g_assert_cmpint (type, ==, INT32);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (fresh), ==, FLOAT);
  g_signal_connect (mixed, "notify::data-type", G_CALLBACK (notify_cb), &n_notified);
  read_as (mixed, HALF);
  g_assert_true (c2g_mixed_tensor_set_data_type (mixed, INT32, NULL));
  g_assert_cmpint (n_notified, ==, 0);
  g_assert_true (c2g_mixed_tensor_set_data_type (mixed, HALF, NULL));
  g_assert_cmpint (n_notified, ==, 1);

  /* Nothing was converted, so there is no projection. */
  g_assert_false (c2g_mixed_tensor_is_valid (fresh, FLOAT));
}

/* A type that a property cannot have gives a warning and the default, as with every property. So
 * does a number that is no type, which GObject refuses. */
static void
test_wrong_type (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (C2gMixedTensor) mixed = NULL;
      g_autoptr (C2gMixedTensor) other = NULL;
      g_autoptr (C2gCaffeBlob) blob = NULL;

      g_log_set_always_fatal (G_LOG_FATAL_MASK);
      mixed = g_object_new (C2G_TYPE_MIXED_TENSOR, "data-type", C2G_DATA_TYPE_STRING, NULL);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, FLOAT);
      blob = g_object_new (C2G_TYPE_CAFFE_BLOB, "diff-type", C2G_DATA_TYPE_STRING, NULL);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (blob)), ==, FLOAT);
      other = g_object_new (C2G_TYPE_MIXED_TENSOR, "data-type", 99, NULL);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (other), ==, FLOAT);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*string*are not numbers*string*are not numbers*data-type*");
}

static void
test_zeros (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (all_types); i++)
    {
      g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 3);

      g_assert_cmpfloat (value_as (mixed, all_types[i]), ==, 0);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, FLOAT);
      /* Only requested types have memory. */
      g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 3 * c2g_data_type_get_item_size (all_types[i]));
      *(float *) write_as (mixed, FLOAT) = 1;
      g_assert_cmpfloat (value_as (mixed, all_types[i]), ==, 1);
    }
}

/* Tests every pair of types, also those that NVCaffe refuses. */
static void
test_types (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (all_types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (all_types); k++)
      {
        const gboolean is_bool = all_types[i] == C2G_DATA_TYPE_BOOL || all_types[k] == C2G_DATA_TYPE_BOOL;
        g_autoptr (C2gMixedTensor) mixed = new_mixed (all_types[i], 3);
        g_autoptr (C2gTensor) written = ref_mutable_as (mixed, all_types[i]);

        g_assert_true (c2g_tensor_set_value (written, 0, is_bool ? 1 : 7, NULL));
        g_clear_object (&written);
        g_assert_cmpfloat (value_as (mixed, all_types[k]), ==, is_bool ? 1 : 7);
        g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, all_types[i]);
      }
}

/* Counts allocations and conversions: none is made without a request, and none is made twice. */
static void
test_lazy (void)
{
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) tracking = c2g_tracking_allocator_new (upstream);
  C2gTrackingAllocator *counter = C2G_TRACKING_ALLOCATOR (tracking);
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 100);
  int n_converted = 0;

  g_signal_connect (mixed, "converted", G_CALLBACK (count_cb), &n_converted);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), tracking, NULL));
  *(float *) write_as (mixed, FLOAT) = 1.5f;
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (counter), ==, 1);
  g_assert_cmpint (n_converted, ==, 0);

  for (int i = 0; i < 10; i++)
    {
      gconstpointer halves = read_as (mixed, HALF);

      g_assert_cmpint (*(const guint16 *) halves, ==, 0x3e00);
      g_assert_true (read_as (mixed, HALF) == halves);
      g_assert_true (c2g_mixed_tensor_is_valid (mixed, HALF));
    }
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (counter), ==, 2);
  g_assert_cmpuint (c2g_tracking_allocator_get_current_bytes (counter), ==, 600);
  g_assert_cmpint (n_converted, ==, 1);

  /* A conversion that is repeated uses the memory of the first one. */
  *(float *) write_as (mixed, FLOAT) = 2;
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_cmpint (*(const guint16 *) read_as (mixed, HALF), ==, 0x4000);
  g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (counter), ==, 2);
  g_assert_cmpint (n_converted, ==, 2);

  /* A reader gets the existing projection, without an allocation. */
  {
    g_autoptr (C2gTensor) halves = ref_as (mixed, HALF);

    g_assert_true (c2g_tensor_get_address (halves) == (guint64) (gsize) read_as (mixed, HALF));
    g_assert_cmpuint (c2g_tracking_allocator_get_n_allocations (counter), ==, 2);
  }

  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));
  g_clear_object (&mixed);
}

/* A read never loses precision: NVCaffe converts from what was read last. */
static void
test_precision (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 4);
  const double written[] = { M_PI, 1e300, -1e-300, 1.0 / 3 };

  memcpy (write_as (mixed, DOUBLE), written, sizeof written);
  read_as (mixed, HALF);
  g_assert_cmpfloat (((const float *) read_as (mixed, FLOAT))[0], ==, (float) M_PI);
  g_assert_cmpint (((const gint32 *) read_as (mixed, INT32))[0], ==, 3);
  g_assert_cmpmem (read_as (mixed, DOUBLE), sizeof written, written, sizeof written);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, DOUBLE);
}

static void
test_saturation (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 6);
  const float written[] = { 65504, 65520, -1e30f, INFINITY, -INFINITY, NAN };
  const guint16 expected[] = { 0x7bff, 0x7bff, 0xfbff, 0x7c00, 0xfc00 };
  const guint16 *halves;
  const gint32 *integers;

  memcpy (write_as (mixed, FLOAT), written, sizeof written);
  halves = read_as (mixed, HALF);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmphex (halves[i], ==, expected[i]);
  g_assert_cmphex (halves[5] & 0x7fff, >, 0x7c00);

  integers = read_as (mixed, INT32);
  g_assert_cmpint (integers[2], ==, G_MININT32);
  g_assert_cmpint (integers[3], ==, G_MAXINT32);
  g_assert_cmpint (integers[5], ==, 0);
  g_assert_cmpint (((const guint8 *) read_as (mixed, C2G_DATA_TYPE_BOOL))[5], ==, 1);
}

static void
invalidated_cb (C2gMixedTensor *mixed,
                gpointer        user_data)
{
  ++*(int *) user_data;
}

static void
test_invalidate (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  float *floats = write_as (mixed, FLOAT);
  int n_invalidated = 0;

  g_signal_connect (mixed, "invalidated", G_CALLBACK (invalidated_cb), &n_invalidated);
  floats[0] = 1;
  g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 1);
  g_assert_cmpint (n_invalidated, ==, 0);

  /* The program writes without a notice to the mixed tensor. */
  floats[0] = 2;
  g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 1);
  g_assert_true (c2g_mixed_tensor_invalidate_others (mixed, NULL));
  g_assert_cmpint (n_invalidated, ==, 1);
  g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 2);

  *(double *) write_as (mixed, DOUBLE) = 3;
  g_assert_cmpint (n_invalidated, ==, 2);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, FLOAT));
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, DOUBLE);
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 3);
}

static void
test_convert (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 1);
  g_autoptr (C2gMixedTensor) fresh = new_mixed (DOUBLE, 1);

  *(double *) write_as (mixed, DOUBLE) = 1.0 + 1.0 / 4096;
  g_assert_true (c2g_mixed_tensor_set_data_type (mixed, HALF, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, HALF);
  g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 1);

  g_assert_true (c2g_mixed_tensor_set_data_type (fresh, HALF, NULL));
  g_assert_cmpfloat (value_as (fresh, DOUBLE), ==, 0);
}

/* Writes through a tensor, a mapping or an array send no notice. */
static void
test_holder (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 3);
  g_autoptr (C2gTensor) before = NULL;
  g_autoptr (C2gTensor) writer = NULL;
  g_autoptr (C2gMapping) mapping = NULL;
  g_autoptr (GError) error = NULL;
  float *floats;
  gsize n_bytes;

  *(float *) write_as (mixed, FLOAT) = 1;
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 1);
  before = ref_as (mixed, FLOAT);
  writer = ref_mutable_as (mixed, FLOAT);
  g_assert_true (c2g_mixed_tensor_is_held (mixed));
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));

  g_assert_true (c2g_tensor_set_value (writer, 0, 2, NULL));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 2);
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 2);
  g_assert_cmpfloat (c2g_tensor_get_value (before, 0, NULL), ==, 1);

  /* A mapping keeps the memory, without the tensor. */
  mapping = c2g_tensor_map (writer, C2G_MAP_READ_WRITE, NULL);
  floats = (float *) c2g_mapping_get_data (mapping, &n_bytes);
  g_clear_object (&writer);
  floats[0] = 3;
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 3);
  floats[0] = 4;
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 4);
  g_assert_cmpfloat (((const float *) read_as (mixed, FLOAT))[0], ==, 4);
  g_assert_cmphex (*(const guint16 *) read_as (mixed, HALF), ==, 0x4400);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));

  /* While one holder writes, others can write in the same type and place only. */
  g_assert_null (c2g_mixed_tensor_mutable_data (mixed, HALF, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "float"));
  g_assert_nonnull (strstr (error->message, "cpu"));
  g_clear_error (&error);
  g_assert_null (c2g_mixed_tensor_ref_mutable_tensor (mixed, FLOAT, gpu (), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_false (c2g_mixed_tensor_set_data_type (mixed, DOUBLE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_true (write_as (mixed, FLOAT) == floats);
  writer = ref_mutable_as (mixed, FLOAT);
  g_assert_true (c2g_tensor_get_address (writer) == (guint64) (gsize) floats);
  g_clear_object (&writer);

  floats[0] = 5;
  g_clear_pointer (&mapping, c2g_mapping_unref);
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 5);
  g_assert_true (c2g_mixed_tensor_is_valid (mixed, HALF));
  *(guint16 *) write_as (mixed, HALF) = 0x3c00;
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 1);
}

/* Bytes of a master that is held for writing may still change, so they are a copy. */
static void
test_holder_bytes (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (C2gTensor) writer = ref_mutable_as (mixed, FLOAT);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (writer, NULL);
  g_autoptr (C2gTensor) reader = NULL;
  g_autoptr (GBytes) seen = NULL;

  /* If the bytes were a view, the tensor would have to leave the block. */
  g_assert_true (c2g_tensor_set_value (writer, 0, 2, NULL));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 2);
  g_assert_cmpfloat (*(const float *) g_bytes_get_data (bytes, NULL), ==, 0);

  reader = ref_as (mixed, FLOAT);
  seen = c2g_tensor_ref_bytes (reader, NULL);
  g_clear_object (&reader);
  g_assert_true (c2g_tensor_set_value (writer, 0, 3, NULL));
  g_clear_object (&writer);
  *(float *) write_as (mixed, FLOAT) = 4;
  g_assert_cmpfloat (*(const float *) g_bytes_get_data (seen, NULL), ==, 2);
}

/* A tensor that grows or changes its type leaves the block. */
static void
test_holder_leaves (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  g_autoptr (C2gTensor) writer = ref_mutable_as (mixed, FLOAT);

  g_assert_true (c2g_tensor_set_value (writer, 0, 2, NULL));
  g_assert_true (c2g_tensor_extend (writer, 5, 0, NULL, NULL));
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  g_assert_true (c2g_tensor_set_value (writer, 0, 3, NULL));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 2);
  g_assert_true (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_cmpfloat (c2g_tensor_get_value (writer, 0, NULL), ==, 3);
}

/* A conversion never writes into a block that a reader still holds. */
static void
test_readers (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (C2gTensor) first = NULL;
  g_autoptr (C2gTensor) second = NULL;
  g_autoptr (C2gMapping) mapping = NULL;

  *(float *) write_as (mixed, FLOAT) = 1;
  first = ref_as (mixed, HALF);
  g_assert_true (c2g_storage_is_read_only (c2g_tensor_get_storage (first)));
  mapping = c2g_tensor_map (first, C2G_MAP_READ, NULL);
  *(float *) write_as (mixed, FLOAT) = 2;
  second = ref_as (mixed, HALF);
  g_assert_cmpfloat (c2g_tensor_get_value (first, 0, NULL), ==, 1);
  g_assert_cmpfloat (c2g_tensor_get_value (second, 0, NULL), ==, 2);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 4 + 2 + 2);

  /* A write to a reader's tensor moves it to a copy. */
  g_assert_true (c2g_tensor_set_value (second, 0, 7, NULL));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 2);
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 2);

  /* Views stay valid after the tensor and its mappings are gone. */
  g_clear_object (&first);
  g_clear_object (&mixed);
  g_assert_cmphex (*(const guint16 *) (gsize) c2g_mapping_get_address (mapping), ==, 0x3c00);
}

static void
test_reshape (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 6);
  g_autoptr (C2gTensor) reader = NULL;
  g_autoptr (GError) error = NULL;
  float *floats = write_as (mixed, FLOAT);
  gsize n_dims;

  for (int i = 0; i < 6; i++)
    floats[i] = (float) (i + 1);
  reader = ref_as (mixed, HALF);

  /* A new shape that fits into the block keeps the elements. */
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (2, 2), NULL));
  c2g_mixed_tensor_get_dims (mixed, &n_dims);
  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_true (read_as (mixed, FLOAT) == floats);
  g_assert_true (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 10);
  floats = write_as (mixed, FLOAT);
  floats[5] = -6;
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (6), NULL));
  g_assert_cmphex (((const guint16 *) read_as (mixed, HALF))[5], ==, 0xc600);
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 21);

  /* NVCaffe reads beyond the end of the former elements here. */
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (100), NULL));
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_cmphex (((const guint16 *) read_as (mixed, HALF))[99], ==, 0);
  g_assert_cmpfloat (((const float *) read_as (mixed, FLOAT))[99], ==, 0);
  g_assert_cmpfloat (c2g_tensor_get_value (reader, 5, NULL), ==, 6);

  g_assert_false (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (-1), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (G_MAXINT64), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 100);

  g_assert_true (c2g_mixed_tensor_reshape (mixed, NULL, 0, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 1);
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (3, 0), NULL));
  g_assert_nonnull (c2g_tensor_raw_data (reader, NULL));
  g_clear_object (&reader);
  reader = ref_as (mixed, DOUBLE);
  g_assert_cmpint (c2g_tensor_get_n_elements (reader), ==, 0);
}

static void
test_reshape_held (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 4);
  g_autoptr (C2gTensor) writer = ref_mutable_as (mixed, FLOAT);

  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (2), NULL));
  g_assert_true (c2g_mixed_tensor_is_held (mixed));
  g_assert_true (c2g_tensor_set_value (writer, 0, 2, NULL));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 2);

  /* A tensor that grows gets a block of its own. */
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (8), NULL));
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 0);
  g_assert_cmpfloat (c2g_tensor_get_value (writer, 0, NULL), ==, 2);
}

static void
test_device (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  g_autoptr (C2gTensor) halves = NULL;
  g_autoptr (C2gTensor) writer = NULL;
  g_autoptr (GError) error = NULL;

  *(float *) write_as (mixed, FLOAT) = 1;
  halves = c2g_mixed_tensor_ref_tensor (mixed, HALF, gpu (), &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (halves) == gpu ());
  g_assert_cmphex (*(const guint16 *) (gsize) c2g_tensor_get_address (halves), ==, 0x3c00);
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, HALF), ==, C2G_SYNCED_HEAD_SYNCED);
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, FLOAT), ==, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_cmpuint (c2g_mixed_tensor_get_gpu_memory_use (mixed, HALF), ==, 4);
  g_assert_cmpuint (c2g_mixed_tensor_get_gpu_memory_use (mixed, FLOAT), ==, 0);
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (mixed, FLOAT), ==, 8);

  /* One holder writes, and another one reads as another type. */
  writer = c2g_mixed_tensor_ref_mutable_tensor (mixed, HALF, gpu (), &error);
  g_assert_no_error (error);
  for (guint16 half = 0x4000; half <= 0x4400; half += 0x0400)
    {
      *(guint16 *) (gsize) c2g_tensor_get_address (writer) = half;
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, half == 0x4000 ? 2 : 4);
      g_assert_cmphex (*(const guint16 *) read_as (mixed, HALF), ==, half);
    }
  g_assert_cmphex (*(const guint16 *) (gsize) c2g_tensor_get_address (halves), ==, 0x3c00);

  /* Arithmetic uses the type that is held for writing. */
  g_assert_true (c2g_mixed_tensor_scale (mixed, 2, NULL));
  g_assert_cmphex (*(const guint16 *) (gsize) c2g_tensor_get_address (writer), ==, 0x4800);
  g_clear_object (&writer);
  g_assert_true (c2g_mixed_tensor_scale (mixed, 2, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, HALF), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 16);

  g_assert_null (c2g_mixed_tensor_ref_tensor (mixed, HALF, c2g_device_parse ("cuda:1", NULL), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

static void
test_names (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gMixedTensor) mixed =
    g_object_new (C2G_TYPE_MIXED_TENSOR, "name", "conv1/diff", "device", gpu (), NULL);
  g_autofree char *report = NULL;
  g_autofree char *text = NULL;

  fake_device_use ();
  g_assert_cmpstr (c2g_mixed_tensor_get_name (mixed), ==, "conv1/diff");
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (3), NULL));
  write_as (mixed, FLOAT);
  g_assert_nonnull (c2g_mixed_tensor_data (mixed, HALF, gpu (), NULL));
  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "conv1/diff/float@cpu"));
  g_assert_nonnull (strstr (report, "conv1/diff/float16@cuda:0"));
  text = c2g_mixed_tensor_to_string (mixed);
  g_assert_true (g_str_has_prefix (text, "[3] of float\n"));
  g_assert_nonnull (strstr (text, "\n  conv1/diff/float16: 6 bytes, synced, valid"));
}

/* In a workspace the memory has the name of the blob. */
static void
test_blob (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 3);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "conv1", NULL);
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autofree char *report = NULL;
  g_autofree char *renamed = NULL;
  g_autofree char *after = NULL;

  write_as (mixed, FLOAT);
  c2g_blob_set_object (blob, G_OBJECT (mixed));
  g_assert_nonnull (c2g_mixed_tensor_data (mixed, HALF, gpu (), NULL));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 12 + 6 + 6);
  report = c2g_workspace_dup_report (workspace);
  g_assert_nonnull (strstr (report, "12   50.0%  cpu       conv1/float@cpu\n"));
  g_assert_nonnull (strstr (report, "6   25.0%  cpu       conv1/float16@cpu\n"));
  g_assert_nonnull (strstr (report, "6   25.0%  cuda:0    conv1/float16@cuda:0\n"));
  g_assert_null (strstr (report, "conv1\n"));

  g_assert_true (c2g_workspace_rename_blob (workspace, "conv1", "conv2", NULL));
  renamed = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (renamed, "conv2/float16@cuda:0"));
  c2g_blob_reset (blob);
  after = c2g_memory_reporter_dup_report (reporter);
  g_assert_null (strstr (after, "conv2"));
  g_assert_nonnull (strstr (after, ": float16@cuda:0"));
}

static void
fill (C2gMixedTensor *mixed)
{
  for (int i = 0; i < 3000; i++)
    ((float *) write_as (mixed, FLOAT))[i] = (float) (i % 7 - 3);
}

static void
test_math (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 3000);
  double asum = 0, sumsq = 0;

  fill (mixed);
  for (int i = 0; i < 3000; i++)
    {
      asum += abs (i % 7 - 3);
      sumsq += (i % 7 - 3) * (i % 7 - 3);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (all_types); i++)
    {
      if (all_types[i] == C2G_DATA_TYPE_BOOL || all_types[i] == C2G_DATA_TYPE_UINT8 ||
          all_types[i] == C2G_DATA_TYPE_UINT16 || all_types[i] == C2G_DATA_TYPE_UINT32 ||
          all_types[i] == C2G_DATA_TYPE_UINT64)
        continue;
      g_assert_true (c2g_mixed_tensor_set_data_type (mixed, all_types[i], NULL));
      g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, asum);
      g_assert_cmpfloat (c2g_mixed_tensor_sumsq (mixed, NULL), ==, sumsq);
      g_assert_cmpfloat (c2g_mixed_tensor_amax (mixed, NULL), ==, 3);
      g_assert_true (c2g_mixed_tensor_scale (mixed, -3, NULL));
      g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 9);
      g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 3 * asum);
      g_assert_cmpfloat (c2g_mixed_tensor_amax (mixed, NULL), ==, 9);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, all_types[i]);
      fill (mixed);
    }
}

static void
reshape_cb (C2gMixedTensor *mixed)
{
  static const gint64 dims[] = { 1000000 };

  g_assert_true (c2g_mixed_tensor_reshape (mixed, dims, 1, NULL));
}

/* Handlers of signals may change the tensor: arithmetic has ended by then. */
static void
test_math_reshaped (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 4);
      g_autoptr (C2gMixedTensor) x = new_mixed (FLOAT, 4);
      g_autoptr (C2gTensor) reader = NULL;

      g_assert_true (c2g_mixed_tensor_fill (x, 3, NULL));
      g_assert_true (c2g_mixed_tensor_fill (mixed, 1, NULL));
      reader = c2g_mixed_tensor_ref_tensor (mixed, DOUBLE, NULL, NULL);
      g_assert_nonnull (reader);
      g_signal_connect (mixed, "invalidated", G_CALLBACK (reshape_cb), NULL);
      if (i == 0)
        g_assert_true (c2g_mixed_tensor_fill (mixed, 2, NULL));
      else if (i == 1)
        g_assert_true (c2g_mixed_tensor_scale (mixed, 2, NULL));
      else
        g_assert_true (c2g_mixed_tensor_axpy (mixed, 2, x, NULL));
      g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 1000000);
      g_assert_cmpfloat (c2g_tensor_get_value (reader, 3, NULL), ==, 1);
    }
}

/* A double cannot represent this number. */
static void
test_math_wide (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_UINT64 };
  const gint64 odd = (G_GINT64_CONSTANT (1) << 53) + 1;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gMixedTensor) mixed = new_mixed (types[i], 3);
      g_autoptr (C2gMixedTensor) x = new_mixed (FLOAT, 3);
      gint64 *numbers = write_as (mixed, types[i]);

      numbers[0] = numbers[1] = numbers[2] = odd;
      ((float *) write_as (x, FLOAT))[1] = 4;
      g_assert_true (c2g_mixed_tensor_scale (mixed, 1, NULL));
      g_assert_true (c2g_mixed_tensor_axpy (mixed, 0, x, NULL));
      g_assert_true (c2g_mixed_tensor_axpy (mixed, -1, x, NULL));
      numbers = write_as (mixed, types[i]);
      g_assert_cmpint (numbers[0], ==, odd);
      g_assert_cmpint (numbers[1], ==, odd - 1 - 4);
      g_assert_cmpint (numbers[2], ==, odd);
    }
}

/* Sums of integers need little memory, however many there are. */
static void
test_math_blocks (void)
{
  const gint64 n = (1 << 20) + 5;
  g_autoptr (C2gMixedTensor) mixed = new_mixed (INT32, n);
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (upstream, 3 << 20);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_mixed_tensor_fill (mixed, -2, NULL));
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limiting, NULL));
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, &error), ==, 2.0 * n);
  g_assert_cmpfloat (c2g_mixed_tensor_sumsq (mixed, &error), ==, 4.0 * n);
  g_assert_cmpfloat (c2g_mixed_tensor_amax (mixed, &error), ==, 2);
  g_assert_no_error (error);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));
}

static void
test_set (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (HALF, 1001);

  g_assert_true (c2g_mixed_tensor_fill (mixed, 1e9, NULL));
  g_assert_cmpfloat (c2g_mixed_tensor_amax (mixed, NULL), ==, 65504);
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 65504.0 * 1001);
  g_assert_cmpfloat (((const float *) read_as (mixed, FLOAT))[1000], ==, 65504);
  g_assert_true (c2g_mixed_tensor_scale (mixed, 2, NULL));
  g_assert_cmpfloat (c2g_mixed_tensor_amax (mixed, NULL), ==, 65504);

  g_assert_true (c2g_mixed_tensor_fill (mixed, -1, NULL));
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, -1);
  ((guint16 *) write_as (mixed, HALF))[7] = 0x7e00;
  g_assert_true (isnan (c2g_mixed_tensor_amax (mixed, NULL)));
  g_assert_true (isnan (c2g_mixed_tensor_asum (mixed, NULL)));
  g_assert_true (isnan (c2g_mixed_tensor_sumsq (mixed, NULL)));
}

static void
test_axpy (void)
{
  g_autoptr (C2gMixedTensor) small = new_mixed (FLOAT, 1);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (all_types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (all_types); k++)
      {
        const gboolean is_bool = all_types[i] == C2G_DATA_TYPE_BOOL;
        g_autoptr (C2gMixedTensor) y = new_mixed (all_types[i], 2000);
        g_autoptr (C2gMixedTensor) x = new_mixed (all_types[k], 2000);
        g_autoptr (C2gTensor) last = NULL;

        g_assert_true (c2g_mixed_tensor_fill (y, 5, NULL));
        g_assert_true (c2g_mixed_tensor_fill (x, 1, NULL));
        g_assert_true (c2g_mixed_tensor_axpy (y, 3, x, NULL));
        last = ref_as (y, FLOAT);
        g_assert_cmpfloat (c2g_tensor_get_value (last, 1999, NULL), ==, is_bool ? 1 : 8);
        g_assert_cmpint (c2g_mixed_tensor_get_data_type (y), ==, all_types[i]);
        g_assert_cmpint (c2g_mixed_tensor_get_data_type (x), ==, all_types[k]);
        /* The tensor is added to itself, while a reader holds the old elements. */
        g_assert_true (c2g_mixed_tensor_axpy (y, 1, y, NULL));
        g_assert_cmpfloat (value_as (y, FLOAT), ==, is_bool ? 1 : 16);
        g_assert_cmpfloat (c2g_tensor_get_value (last, 0, NULL), ==, is_bool ? 1 : 8);
      }

  {
    g_autoptr (C2gMixedTensor) master = new_mixed (FLOAT, 2);

    g_assert_false (c2g_mixed_tensor_axpy (master, 1, small, &error));
    g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  }
}

static void
test_errors (void)
{
  const gint64 dim = 1, negative = -1, huge = G_MAXINT64;
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (C2gMixedTensor) none = NULL;
  g_autoptr (GError) error = NULL;

  none = c2g_mixed_tensor_new (C2G_DATA_TYPE_STRING, &dim, 1, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  none = c2g_mixed_tensor_new (C2G_DATA_TYPE_UNDEFINED, &dim, 1, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  none = c2g_mixed_tensor_new (FLOAT, &negative, 1, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  none = c2g_mixed_tensor_new (DOUBLE, &huge, 1, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);

  g_assert_null (c2g_mixed_tensor_ref_tensor (mixed, C2G_DATA_TYPE_STRING, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, C2G_DATA_TYPE_STRING));
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (mixed, (C2gDataType) 77), ==, 0);
}

typedef struct
{
  C2gMixedTensor *mixed;
  guint           n_busy;
} Reentry;

static gboolean
reenter_cb (C2gAllocator *allocator,
            guint64       n_bytes,
            guint         n_tries,
            gpointer      user_data)
{
  Reentry *reentry = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) other_error = NULL;

  g_assert_null (c2g_mixed_tensor_ref_tensor (reentry->mixed, DOUBLE, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_false (c2g_mixed_tensor_reshape (reentry->mixed, C2G_TEST_DIMS (100), &other_error));
  g_assert_error (other_error, C2G_ERROR, C2G_ERROR_BUSY);
  reentry->n_busy++;
  return FALSE;
}

/* A failed call changes nothing. An allocator that calls the tensor again gets a BUSY error. */
static void
test_no_memory (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (C2gMixedTensor) far = new_mixed (FLOAT, 1);
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (upstream, 1);
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (GError) error = NULL;
  Reentry reentry = { mixed, 0 };

  *(float *) write_as (mixed, FLOAT) = 1;
  allocator = c2g_failure_callback_allocator_new (limiting, reenter_cb, &reentry, NULL);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), allocator, NULL));
  g_assert_null (c2g_mixed_tensor_mutable_data (mixed, HALF, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpuint (reentry.n_busy, ==, 1);
  g_clear_error (&error);
  /* The same type is requested in the other place. */
  g_assert_nonnull (c2g_mixed_tensor_mutable_data (far, FLOAT, gpu (), NULL));
  reentry.mixed = far;
  g_assert_null (c2g_mixed_tensor_data (far, FLOAT, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpuint (reentry.n_busy, ==, 2);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));

  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (far), ==, 1);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, FLOAT);
  g_assert_true (c2g_mixed_tensor_is_valid (mixed, FLOAT));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/mixed-tensor/new", test_new);
  c2g_test_add_func ("/caffe/mixed-tensor/properties", test_properties);
  g_test_add_func ("/caffe/mixed-tensor/wrong-type", test_wrong_type);
  c2g_test_add_func ("/caffe/mixed-tensor/zeros", test_zeros);
  c2g_test_add_func ("/caffe/mixed-tensor/types", test_types);
  c2g_test_add_func ("/caffe/mixed-tensor/lazy", test_lazy);
  c2g_test_add_func ("/caffe/mixed-tensor/precision", test_precision);
  c2g_test_add_func ("/caffe/mixed-tensor/convert-to-and-from-16", test_saturation);
  c2g_test_add_func ("/caffe/mixed-tensor/invalidate", test_invalidate);
  c2g_test_add_func ("/caffe/mixed-tensor/convert", test_convert);
  c2g_test_add_func ("/caffe/mixed-tensor/holder", test_holder);
  c2g_test_add_func ("/caffe/mixed-tensor/holder-bytes", test_holder_bytes);
  c2g_test_add_func ("/caffe/mixed-tensor/holder-leaves", test_holder_leaves);
  c2g_test_add_func ("/caffe/mixed-tensor/readers", test_readers);
  c2g_test_add_func ("/caffe/mixed-tensor/reshape", test_reshape);
  c2g_test_add_func ("/caffe/mixed-tensor/reshape-held", test_reshape_held);
  c2g_test_add_func ("/caffe/mixed-tensor/device", test_device);
  c2g_test_add_func ("/caffe/mixed-tensor/names", test_names);
  c2g_test_add_func ("/caffe/mixed-tensor/blob", test_blob);
  c2g_test_add_func ("/caffe/mixed-tensor/asum-sumsq-amax-scale", test_math);
  c2g_test_add_func ("/caffe/mixed-tensor/math-reshaped", test_math_reshaped);
  c2g_test_add_func ("/caffe/mixed-tensor/math-wide", test_math_wide);
  c2g_test_add_func ("/caffe/mixed-tensor/math-blocks", test_math_blocks);
  c2g_test_add_func ("/caffe/mixed-tensor/set", test_set);
  c2g_test_add_func ("/caffe/mixed-tensor/axpy", test_axpy);
  c2g_test_add_func ("/caffe/mixed-tensor/errors", test_errors);
  c2g_test_add_func ("/caffe/mixed-tensor/no-memory", test_no_memory);

  return c2g_test_run ();
}
