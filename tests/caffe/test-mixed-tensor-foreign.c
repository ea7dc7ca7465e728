/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/caffe/mixed-utils.h"
#include "tests/interop/dlpack-utils.h"

/* Memory of other owners, who may write to it at any time. */

/* The owner of memory may write to it at any time, even while others hold it. */
static void
test_foreign (void)
{
  for (int is_tensor = FALSE; is_tensor <= TRUE; is_tensor++)
    {
      g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 2);
      g_autoptr (C2gTensor) reader = NULL;
      float numbers[] = { 1, 2 };

      set_foreign (mixed, numbers, is_tensor);
      reader = ref_as (mixed, FLOAT);
      for (int i = 1; i < 4; i++)
        {
          numbers[0] = (float) i;
          g_assert_cmpfloat (value_as (mixed, HALF), ==, i);
          g_assert_cmpfloat (((const double *) read_as (mixed, DOUBLE))[0], ==, i);
          g_assert_cmpfloat (*(const float *) c2g_mixed_tensor_data (mixed, FLOAT, gpu (), NULL), ==, i);
          g_assert_cmpfloat (c2g_mixed_tensor_asum (mixed, NULL), ==, i + 2);
          g_assert_true (c2g_mixed_tensor_is_held (mixed));
          g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));
        }
      g_assert_true (read_as (mixed, FLOAT) == (gconstpointer) numbers);
      g_assert_cmpfloat (c2g_tensor_get_value (reader, 0, NULL), ==, 1);

      /* The same type in another place becomes the master, and the memory is released to its
       * owner. */
      *(float *) c2g_mixed_tensor_mutable_data (mixed, FLOAT, gpu (), NULL) = 5;
      g_assert_false (c2g_mixed_tensor_is_held (mixed));
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 5);
      g_assert_cmpfloat (numbers[0], ==, 3);
      numbers[0] = 6;
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 5);
      g_assert_cmpfloat (value_as (mixed, HALF), ==, 5);
      *(float *) write_as (mixed, FLOAT) = 7;
      g_assert_cmpfloat (numbers[0], ==, 6);
      g_assert_cmpfloat (value_as (mixed, HALF), ==, 7);

      /* The memory is written as long as it is the master. */
      set_foreign (mixed, numbers, is_tensor);
      *(float *) write_as (mixed, FLOAT) = 7;
      g_assert_cmpfloat (numbers[0], ==, 7);
      numbers[0] = 8;
      g_assert_cmpfloat (value_as (mixed, HALF), ==, 8);

      /* The owner is unknown, so it cannot prevent writes in another type. */
      *(double *) write_as (mixed, DOUBLE) = 9;
      g_assert_false (c2g_mixed_tensor_is_held (mixed));
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 9);
      numbers[0] = 10;
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 9);
      g_assert_cmpfloat (value_as (mixed, HALF), ==, 9);
      g_assert_true (c2g_mixed_tensor_is_valid (mixed, HALF));
      g_assert_true (c2g_mixed_tensor_is_valid (mixed, FLOAT));
    }
}

/* Memory that is no longer the master is released, and not overwritten by reads of its type. */
static void
test_foreign_left (void)
{
  float numbers[] = { 1, 2 };
  int n_destroyed = 0;
  g_autoptr (C2gMixedTensor) mixed = new_mixed (FLOAT, 2);
  g_autoptr (C2gTensor) reader = NULL;

  g_assert_true (c2g_mixed_tensor_set_data (mixed, numbers, FLOAT, NULL, count_release_cb, &n_destroyed, NULL));
  g_assert_true (c2g_mixed_tensor_set_data_type (mixed, DOUBLE, NULL));
  g_assert_true (c2g_mixed_tensor_fill (mixed, 9, NULL));
  g_assert_cmpint (n_destroyed, ==, 0);
  reader = ref_as (mixed, FLOAT);
  g_assert_cmpfloat (c2g_tensor_get_value (reader, 1, NULL), ==, 9);
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_cmpfloat (numbers[0], ==, 1);
  g_assert_cmpfloat (numbers[1], ==, 2);
  g_assert_true (c2g_mixed_tensor_is_valid (mixed, FLOAT));
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
}

/* A copy is written into the memory if it is made on that side. */
static void
test_foreign_target (void)
{
  for (int is_tensor = FALSE; is_tensor <= TRUE; is_tensor++)
    {
      g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 2);
      g_autoptr (C2gMixedTensor) source = new_mixed (HALF, 2);
      float numbers[] = { 1, 2 };

      set_foreign (mixed, numbers, is_tensor);
      ((guint16 *) write_as (source, HALF))[1] = 0x4200;
      g_assert_true (c2g_mixed_tensor_copy_from (mixed, source, NULL));
      g_assert_cmpfloat (numbers[0], ==, 0);
      g_assert_cmpfloat (numbers[1], ==, 3);
      numbers[0] = 4;
      g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 4);

      ((guint16 *) c2g_mixed_tensor_mutable_data (source, HALF, gpu (), NULL))[0] = 0x4500;
      g_assert_true (c2g_mixed_tensor_copy_from (mixed, source, NULL));
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, 5);
      g_assert_cmpfloat (value_as (mixed, DOUBLE), ==, 5);
    }
}

/* Makes a blob of two numbers, whose data are foreign memory. */
static C2gCaffeBlob *
new_foreign_blob (float *numbers)
{
  C2gCaffeBlob *blob;

  fake_device_use ();
  blob = c2g_caffe_blob_new (DOUBLE, FLOAT, C2G_TEST_DIMS (1, 2, 1, 1), gpu (), NULL);
  g_assert_true (c2g_mixed_tensor_set_data (c2g_caffe_blob_get_data (blob), numbers, FLOAT, NULL, NULL, NULL, NULL));
  return blob;
}

static double
second_of (C2gCaffeBlob *blob)
{
  return c2g_caffe_blob_data_at (blob, C2G_TEST_DIMS (0, 1, 0, 0), NULL);
}

static void
test_foreign_blob (void)
{
  float numbers[] = { 1, 2 };
  g_autoptr (C2gCaffeBlob) blob = new_foreign_blob (numbers);
  g_autoptr (C2gCaffeBlob) copy = c2g_caffe_blob_new (HALF, HALF, C2G_TEST_DIMS (1, 2, 1, 1), gpu (), NULL);

  for (int i = 3; i < 5; i++)
    {
      numbers[1] = (float) i;
      g_assert_true (c2g_caffe_blob_copy_from (copy, blob, C2G_CAFFE_PARTS_BOTH, NULL));
      g_assert_cmpfloat (second_of (copy), ==, i);
    }

  g_assert_true (c2g_caffe_blob_fill_data (copy, 6, NULL));
  g_assert_true (c2g_caffe_blob_copy_from (blob, copy, C2G_CAFFE_PARTS_BOTH, NULL));
  g_assert_cmpfloat (numbers[1], ==, 6);
  numbers[1] = 7;
  g_assert_cmpfloat (second_of (blob), ==, 7);
  g_assert_true (c2g_caffe_blob_repack_from (blob, copy, C2G_CAFFE_PARTS_DATA, C2G_CAFFE_PACKING_NHWC, C2G_CAFFE_PACKING_NCHW, NULL));
  g_assert_cmpfloat (numbers[1], ==, 6);

  /* The diff is subtracted from the data in place. */
  g_assert_true (c2g_caffe_blob_fill_diff (blob, 2, NULL));
  g_assert_true (c2g_caffe_blob_update (blob, NULL));
  g_assert_cmpfloat (numbers[1], ==, 4);
}

/* The producer of read-only memory may write to it, and nobody else may. */
static void
test_foreign_read_only (void)
{
  g_autoptr (C2gMixedTensor) mixed = new_mixed (DOUBLE, 2);
  g_autoptr (C2gTensor) tensor = NULL;
  Producer producer;
  float *numbers = (float *) producer.memory;

  init_producer (&producer);
  producer.versioned.flags = C2G_DL_FLAG_READ_ONLY;
  tensor = import_producer (&producer, C2G_DLPACK_VERSIONED, NULL);
  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, tensor, NULL));
  g_clear_object (&tensor);

  for (int i = 1; i < 4; i++)
    {
      numbers[0] = (float) i;
      g_assert_cmpfloat (value_as (mixed, HALF), ==, i);
      g_assert_cmpfloat (value_as (mixed, FLOAT), ==, i);
      g_assert_cmpfloat (*(const float *) c2g_mixed_tensor_data (mixed, FLOAT, gpu (), NULL), ==, i);
      g_assert_false (c2g_mixed_tensor_is_valid (mixed, HALF));
    }

  ((float *) write_as (mixed, FLOAT))[1] = 9;
  g_assert_cmpfloat (numbers[1], ==, 1);
  g_assert_cmpint (producer.n_deleted, ==, 1);
  numbers[0] = 10;
  g_assert_cmpfloat (value_as (mixed, HALF), ==, 3);
  g_assert_true (c2g_mixed_tensor_is_valid (mixed, HALF));
  g_assert_false (c2g_mixed_tensor_is_held (mixed));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/mixed-tensor/foreign", test_foreign);
  c2g_test_add_func ("/caffe/mixed-tensor/foreign-left", test_foreign_left);
  c2g_test_add_func ("/caffe/mixed-tensor/foreign-target", test_foreign_target);
  c2g_test_add_func ("/caffe/mixed-tensor/foreign-blob", test_foreign_blob);
  c2g_test_add_func ("/caffe/mixed-tensor/foreign-read-only", test_foreign_read_only);

  return c2g_test_run ();
}
