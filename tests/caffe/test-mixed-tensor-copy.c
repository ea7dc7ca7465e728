/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/caffe/mixed-utils.h"

#include <string.h>

/* Elements from other objects: copies of mixed tensors, and memory of other owners. */

static void
test_copy (void)
{
  g_autoptr (C2gMixedTensor) halves = new_mixed (HALF, 3);
  g_autoptr (C2gMixedTensor) doubles = new_mixed (DOUBLE, 3);
  g_autoptr (C2gMixedTensor) few = new_mixed (DOUBLE, 2);
  g_autoptr (GError) error = NULL;

  ((double *) write_as (doubles, DOUBLE))[2] = 1e9;
  g_assert_true (c2g_mixed_tensor_copy_from (halves, doubles, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (halves), ==, HALF);
  g_assert_cmpfloat (((const float *) read_as (halves, FLOAT))[2], ==, 65504);
  /* The source has no projection of that type. */
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (doubles, HALF), ==, 0);

  g_assert_true (c2g_mixed_tensor_copy_from (halves, halves, NULL));
  g_assert_cmpfloat (((const float *) read_as (halves, FLOAT))[2], ==, 65504);
  g_assert_true (c2g_mixed_tensor_copy_from (doubles, halves, NULL));
  g_assert_cmpfloat (((const double *) read_as (doubles, DOUBLE))[2], ==, 65504);

  g_assert_false (c2g_mixed_tensor_copy_from (doubles, few, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_cmpfloat (((const double *) read_as (doubles, DOUBLE))[2], ==, 65504);
}

/* A copy of the same type stays on the device, and one that fails leaves everything as it was. */
static void
test_copy_device (void)
{
  g_autoptr (C2gMixedTensor) source = new_mixed (FLOAT, 1);
  g_autoptr (C2gMixedTensor) copy = new_mixed (FLOAT, 1);
  g_autoptr (C2gMixedTensor) half = new_mixed (HALF, 1);
  g_autoptr (C2gTensor) writer = NULL;
  g_autoptr (GError) error = NULL;

  *(float *) c2g_mixed_tensor_mutable_data (source, FLOAT, gpu (), NULL) = 2;
  *(float *) write_as (copy, FLOAT) = 1;
  fake_device.mood = FAKE_NO_WORK;
  g_assert_false (c2g_mixed_tensor_copy_from (copy, source, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_cmpfloat (value_as (copy, FLOAT), ==, 1);

  fake_device.mood = FAKE_FINE;
  g_assert_true (c2g_mixed_tensor_copy_from (copy, source, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_head (copy, FLOAT), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (source, FLOAT), ==, 0);
  g_assert_cmpfloat (value_as (copy, HALF), ==, 2);
  g_assert_true (c2g_mixed_tensor_copy_from (half, source, NULL));
  g_assert_cmpfloat (value_as (half, FLOAT), ==, 2);

  /* Holders of the elements on the device see writes by the CPU, also those of another type. */
  writer = c2g_mixed_tensor_ref_mutable_tensor (copy, FLOAT, gpu (), NULL);
  *(float *) write_as (source, FLOAT) = 3;
  g_assert_true (c2g_mixed_tensor_copy_from (copy, source, NULL));
  g_assert_cmpfloat (*(const float *) (gsize) c2g_tensor_get_address (writer), ==, 3);
  g_assert_true (c2g_mixed_tensor_copy_from (copy, half, NULL));
  g_assert_cmpfloat (*(const float *) (gsize) c2g_tensor_get_address (writer), ==, 2);
}

static C2gTensor *
new_tensor (C2gDataType type,
            gint64      n)
{
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, type, NULL));
  for (gint64 i = 0; i < n; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, (double) i, NULL));
  return tensor;
}

static void
test_set_tensor (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (C2gTensor) tensor = new_tensor (INT32, 4);
  g_autoptr (C2gTensor) rest = NULL;
  g_autoptr (GError) error = NULL;
  const gint32 *address = c2g_tensor_raw_data (tensor, NULL);

  g_assert_cmpfloat (value_as (mixed, HALF), ==, 0);
  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, tensor, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, INT32);
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 4);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_true (read_as (mixed, INT32) == address);

  /* Writes to the tensor are seen in the mixed tensor, and nobody else can write. */
  g_assert_true (c2g_mixed_tensor_is_held (mixed));
  for (int i = 5; i < 7; i++)
    {
      g_assert_true (c2g_tensor_set_value (tensor, 0, i, NULL));
      g_assert_cmpfloat (value_as (mixed, HALF), ==, i);
    }
  g_assert_null (c2g_mixed_tensor_mutable_data (mixed, FLOAT, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_false (c2g_mixed_tensor_set_tensor (mixed, tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_true (write_as (mixed, INT32) == address);

  g_clear_object (&tensor);
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 6);
  *(float *) write_as (mixed, FLOAT) = 1.5f;
  g_assert_cmpfloat (value_as (mixed, INT32), ==, 1);

  /* A tensor over a part of a block must not read or write the rest of it. */
  tensor = new_tensor (INT32, 10);
  rest = c2g_tensor_slice (tensor, 4, 6, NULL);
  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, rest, NULL));
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 4);
  g_clear_object (&rest);
  rest = ref_mutable_as (mixed, INT32);
  g_assert_true (c2g_tensor_set_value (rest, 1, 50, NULL));
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, NULL), ==, 50);
  g_clear_object (&rest);
  g_assert_true (c2g_mixed_tensor_reshape (mixed, C2G_TEST_DIMS (3), NULL));
  g_assert_true (c2g_mixed_tensor_fill (mixed, 9, NULL));
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 4, NULL), ==, 4);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 6, NULL), ==, 6);
}

/* A tensor over a part of a block gets other memory when it grows. */
static void
test_set_tensor_grow (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (INT32, 1);
  g_autoptr (C2gTensor) tensor = new_tensor (INT32, 10);
  g_autoptr (C2gTensor) part = c2g_tensor_slice (tensor, 0, 2, NULL);
  g_autoptr (C2gTensor) writer = NULL;

  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, part, NULL));
  g_clear_object (&part);
  writer = ref_mutable_as (mixed, INT32);
  g_assert_true (c2g_tensor_resize (writer, C2G_TEST_DIMS (10), NULL));
  g_assert_true (c2g_tensor_fill (writer, 7, NULL));
  for (gint64 i = 0; i < 10; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, (double) i);
}

/* Read-only memory is read in place. The first write moves to other memory. */
static void
test_set_tensor_read_only (void)
{
  static const float numbers[] = { 1, 2 };
  const gint64 n = G_N_ELEMENTS (numbers);
  g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 1);
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_from_bytes (FLOAT, &n, 1, bytes, NULL);

  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, tensor, NULL));
  g_assert_true (read_as (mixed, FLOAT) == (gconstpointer) numbers);
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 3);
  ((float *) write_as (mixed, FLOAT))[0] = 5;
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 7);
  g_assert_cmpfloat (numbers[0], ==, 1);
}

static void
test_set_tensor_errors (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (C2gTensor) bare = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) empty = NULL;
  g_autoptr (GError) error = NULL;

  *(float *) write_as (mixed, FLOAT) = 1;
  g_assert_false (c2g_mixed_tensor_set_tensor (mixed, bare, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  far = c2g_tensor_new_sized (C2G_TEST_DIMS (2), c2g_device_parse ("cuda:1", NULL), NULL);
  g_assert_true (c2g_tensor_allocate (far, FLOAT, NULL));
  g_assert_false (c2g_mixed_tensor_set_tensor (mixed, far, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 1);

  empty = new_tensor (DOUBLE, 0);
  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, empty, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 0);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, DOUBLE);
}

/* The owner is notified once, after the last view is gone. */
static void
test_set_data (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  g_autoptr (C2gTensor) reader = NULL;
  g_autoptr (C2gTensor) writer = NULL;
  g_autoptr (GError) error = NULL;
  double mine[] = { 1, 2 };
  float theirs[] = { 3, 4 };
  int n_mine = 0, n_theirs = 0;

  g_assert_true (c2g_mixed_tensor_set_data (mixed, mine, DOUBLE, NULL, count_release_cb, &n_mine, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, DOUBLE);
  g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, 3);
  reader = ref_as (mixed, DOUBLE);
  g_assert_true (c2g_mixed_tensor_set_data (mixed, theirs, FLOAT, gpu (), count_release_cb, &n_theirs, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_head (mixed, FLOAT), ==, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpint (n_mine, ==, 0);
  g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 3);
  g_assert_cmpfloat (c2g_tensor_get_value (reader, 0, NULL), ==, 1);
  g_assert_cmpfloat (mine[0], ==, 1);
  g_assert_cmpint (n_mine, ==, 1);

  /* Memory that is refused is still owned by the caller. */
  writer = c2g_mixed_tensor_ref_mutable_tensor (mixed, FLOAT, gpu (), NULL);
  g_assert_false (c2g_mixed_tensor_set_data (mixed, mine, DOUBLE, NULL, count_release_cb, &n_mine, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_cmpint (n_mine, ==, 1);
  g_clear_object (&mixed);
  g_assert_cmpint (n_theirs, ==, 0);
  g_clear_object (&writer);
  g_assert_cmpint (n_theirs, ==, 1);
}

/* Nobody can write to sealed memory, whoever holds it. */
static void
test_sealed (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  g_autoptr (C2gTensor) writer = ref_mutable_as (mixed, FLOAT);

  g_assert_true (c2g_tensor_fill (writer, 3, NULL));
  g_assert_true (c2g_mixed_tensor_is_held (mixed));
  g_assert_true (c2g_tensor_seal (writer, NULL));
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
  *(double *) write_as (mixed, DOUBLE) = 5;
  g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 5);
  g_assert_cmpfloat (c2g_tensor_get_value (writer, 0, NULL), ==, 3);
}

static void
test_set_data_misaligned (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 1);
  g_autoptr (GError) error = NULL;
  double numbers[2];
  int n = 0;

  g_assert_false (c2g_mixed_tensor_set_data (mixed, (char *) numbers + 1, FLOAT, NULL, count_release_cb, &n, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (n, ==, 0);
}

static void
shrink_cb (gpointer tensor)
{
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2), NULL));
}

/* The release function of the old memory may change the tensor that is being set. */
static void
test_set_tensor_changed (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  g_autoptr (C2gTensor) tensor = new_tensor (INT32, 4);
  float numbers[] = { 1, 2 };
  const gint64 *dims;
  gsize n_dims;

  g_assert_true (c2g_mixed_tensor_set_data (mixed, numbers, FLOAT, NULL, shrink_cb, tensor, NULL));
  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, tensor, NULL));
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 2);
  dims = c2g_mixed_tensor_get_dims (mixed, &n_dims);
  g_assert_cmpuint (n_dims, ==, 1);
  g_assert_cmpint (dims[0], ==, 4);
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (mixed), ==, 4);
}

typedef struct
{
  C2gMixedTensor *mixed;
  double          sum;
} Told;

static gpointer
sum_cb (gpointer data)
{
  g_autoptr (GError) error = NULL;
  Told *told = data;

  told->sum = c2g_mixed_tensor_asum (told->mixed, &error);
  g_assert_no_error (error);
  return NULL;
}

static void
wait_cb (gpointer data)
{
  g_thread_join (g_thread_new ("reader", sum_cb, data));
  sum_cb (data);
}

/* The release function of unused memory may use the mixed tensor, and wait for other threads that
 * do. */
static void
test_set_data_told (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  Told told = { mixed, 0 };
  float numbers[] = { 1, 2 }, others[] = { 3, 4 };

  g_assert_true (c2g_mixed_tensor_set_data (mixed, numbers, FLOAT, NULL, wait_cb, &told, NULL));
  g_assert_true (c2g_mixed_tensor_set_data (mixed, others, FLOAT, NULL, NULL, NULL, NULL));
  g_assert_cmpfloat (told.sum, ==, 7);
}

static void
test_set_data_empty (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 0);
  int n = 0;

  g_assert_true (c2g_mixed_tensor_set_data (mixed, NULL, HALF, NULL, count_release_cb, &n, NULL));
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (mixed), ==, HALF);
}

static void
test_trim (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 10);
  g_autoptr (C2gTensor) reader = NULL;

  ((float *) write_as (mixed, FLOAT))[0] = 1;
  read_as (mixed, DOUBLE);
  reader = ref_as (mixed, HALF);
  g_assert_true (c2g_mixed_tensor_trim (mixed, NULL));
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 10 * 4 + 10 * 2);
  g_assert_cmpuint (c2g_mixed_tensor_get_cpu_memory_use (mixed, HALF), ==, 0);
  g_assert_false (c2g_mixed_tensor_is_valid (mixed, DOUBLE));
  g_assert_cmpfloat (c2g_tensor_get_value (reader, 0, NULL), ==, 1);
  g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/mixed-tensor/copy", test_copy);
  c2g_test_add_func ("/caffe/mixed-tensor/copy-device", test_copy_device);
  c2g_test_add_func ("/caffe/mixed-tensor/set-tensor", test_set_tensor);
  c2g_test_add_func ("/caffe/mixed-tensor/set-tensor-grow", test_set_tensor_grow);
  c2g_test_add_func ("/caffe/mixed-tensor/set-tensor-read-only", test_set_tensor_read_only);
  c2g_test_add_func ("/caffe/mixed-tensor/set-tensor-errors", test_set_tensor_errors);
  c2g_test_add_func ("/caffe/mixed-tensor/set-data", test_set_data);
  c2g_test_add_func ("/caffe/mixed-tensor/set-tensor-changed", test_set_tensor_changed);
  c2g_test_add_func ("/caffe/mixed-tensor/sealed", test_sealed);
  c2g_test_add_func ("/caffe/mixed-tensor/set-data-misaligned", test_set_data_misaligned);
  c2g_test_add_func ("/caffe/mixed-tensor/set-data-told", test_set_data_told);
  c2g_test_add_func ("/caffe/mixed-tensor/set-data-empty", test_set_data_empty);
  c2g_test_add_func ("/caffe/mixed-tensor/trim", test_trim);

  return c2g_test_run ();
}
