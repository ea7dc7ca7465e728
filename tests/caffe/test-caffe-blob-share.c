/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/caffe/caffe-blob-utils.h"

/* Blobs of Caffe that share memory. */

static void
test_share (void)
{
  g_autoptr (C2gCaffeBlob) bottom = new_blob (DIMS (2, 3));
  g_autoptr (C2gCaffeBlob) top = new_typed (HALF, FLOAT, DIMS (6));
  g_autoptr (C2gTensor) tensor = NULL;
  int n_notified = 0;

  g_signal_connect (top, "notify::data", G_CALLBACK (count_cb), &n_notified);
  for (gsize i = 0; i < 3; i++)
    g_assert_true (c2g_caffe_blob_share_data (top, bottom, NULL));
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_true (c2g_caffe_blob_get_data (top) == c2g_caffe_blob_get_data (bottom));
  g_assert_true (c2g_caffe_blob_get_diff (top) != c2g_caffe_blob_get_diff (bottom));

  /* Each has its own shape over the same elements. */
  write_steps (bottom, DATA, 1, 1);
  tensor = c2g_caffe_blob_ref_data_tensor (top, FLOAT, NULL, NULL);
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 1);
  g_assert_cmpfloat (c2g_caffe_blob_data_at (top, DIMS (5), NULL), ==, 6);
  g_assert_true (c2g_caffe_blob_set_value_at (top, DATA, DIMS (5), 7, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_data_at (bottom, DIMS (1, 2), NULL), ==, 7);

  /* The data of one blob may be the diff of another. */
  g_assert_true (c2g_caffe_blob_share_tensor (top, DIFF, c2g_caffe_blob_get_diff (bottom), NULL));
  g_assert_true (c2g_caffe_blob_share_diff (top, bottom, NULL));
  g_clear_object (&top);
  top = new_blob (DIMS (6));
  g_assert_true (c2g_caffe_blob_share_tensor (top, DATA, c2g_caffe_blob_get_diff (bottom), NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (bottom, 4, NULL));
  g_assert_cmpfloat (data_at (top, 0), ==, 4);
}

static void
test_share_reshape (void)
{
  g_autoptr (C2gCaffeBlob) lender = new_blob (DIMS (6));
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (6));
  int n_notified = 0;

  g_assert_true (c2g_caffe_blob_share_data (blob, lender, NULL));
  write_steps (lender, DATA, 1, 1);
  g_signal_connect (blob, "notify::data", G_CALLBACK (count_cb), &n_notified);

  /* After shrinking and growing again it still shares. */
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2), BOTH, NULL));
  g_assert_cmpint (c2g_mixed_tensor_get_n_elements (c2g_caffe_blob_get_data (lender)), ==, 6);
  g_assert_cmpfloat (data_at (blob, 1), ==, 2);
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (3, 2), BOTH, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_data_at (blob, DIMS (2, 1), NULL), ==, 6);
  g_assert_cmpint (n_notified, ==, 0);

  /* A blob that grows stops sharing, whether it is the borrower or the owner. */
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (7), BOTH, NULL));
  g_assert_cmpint (n_notified, ==, 1);
  g_assert_cmpfloat (data_at (blob, 0), ==, 0);
  g_assert_cmpfloat (data_at (lender, 5), ==, 6);
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (6), BOTH, NULL));
  g_assert_true (c2g_caffe_blob_share_data (blob, lender, NULL));
  g_assert_true (c2g_caffe_blob_reshape (lender, DIMS (7), BOTH, NULL));
  g_assert_cmpfloat (data_at (lender, 0), ==, 0);
  g_assert_cmpfloat (data_at (blob, 5), ==, 6);
}

/* A blob that is smaller than the shared tensor computes with the first elements. */
static void
test_share_first (void)
{
  g_autoptr (C2gCaffeBlob) lender = new_typed (INT32, HALF, DIMS (6));
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (6));
  g_autoptr (C2gCaffeBlob) other = new_blob (DIMS (2));
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_true (c2g_caffe_blob_share_data (blob, lender, NULL));
  g_assert_true (c2g_caffe_blob_share_diff (blob, lender, NULL));
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2), BOTH, NULL));
  g_assert_true (c2g_caffe_blob_fill_data (lender, 9, NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (lender, 2, NULL));

  g_assert_true (c2g_caffe_blob_fill_data (blob, 5, NULL));
  g_assert_true (c2g_caffe_blob_scale_diff (blob, 0.5, NULL));
  g_assert_true (c2g_caffe_blob_update (blob, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 8);
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (lender, NULL), ==, 8 + 4 * 9);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (lender, NULL), ==, 2 * 1 + 4 * 2);
  tensor = c2g_caffe_blob_ref_mutable_diff_tensor (blob, HALF, NULL, NULL);
  g_assert_true (c2g_tensor_resize (tensor, DIMS (6), NULL));
  g_assert_true (c2g_tensor_fill (tensor, 100, NULL));
  g_clear_object (&tensor);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (lender, NULL), ==, 2 * 1 + 4 * 2);
  g_assert_true (c2g_caffe_blob_copy_from (other, blob, DATA, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_amax_data (other, NULL), ==, 4);
  g_assert_true (c2g_caffe_blob_fill_data (other, 3, NULL));
  g_assert_true (c2g_caffe_blob_copy_from (blob, other, BOTH, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (lender, NULL), ==, 6 + 4 * 9);
  g_assert_false (c2g_mixed_tensor_is_held (c2g_caffe_blob_get_data (lender)));
}

/* The elements of a part may begin within the memory of a larger tensor. */
static void
test_share_slice (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 2));
  g_autoptr (C2gTensor) rows = c2g_tensor_new_sized (DIMS (3, 4), NULL, NULL);
  g_autoptr (C2gTensor) row = NULL;

  g_assert_true (c2g_tensor_allocate (rows, FLOAT, NULL));
  g_assert_true (c2g_tensor_fill (rows, 1, NULL));
  row = c2g_tensor_slice (rows, 1, 2, NULL);
  g_assert_true (c2g_mixed_tensor_set_tensor (c2g_caffe_blob_get_data (blob), row, NULL));
  g_clear_object (&row);

  g_assert_true (c2g_caffe_blob_set_value_at (blob, DATA, DIMS (1, 0), 7, NULL));
  g_assert_cmpfloat (c2g_tensor_get_value (rows, 4 + 2, NULL), ==, 7);
  g_assert_cmpfloat (c2g_tensor_asum (rows, NULL), ==, 11 + 7);

  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2), DIFF, NULL));
  g_assert_true (c2g_caffe_blob_fill_data (blob, 3, NULL));
  g_assert_cmpfloat (c2g_tensor_get_value (rows, 4 + 1, NULL), ==, 3);
  g_assert_cmpfloat (c2g_tensor_get_value (rows, 1, NULL), ==, 1);
}

/* A tensor without a name gets the name of its part. */
static void
test_share_nameless (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2));
  g_autoptr (C2gMixedTensor) tensor = c2g_mixed_tensor_new (FLOAT, DIMS (2), gpu (), NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_share_tensor (blob, DIFF, tensor, NULL));
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (3), DATA, NULL));
  g_assert_false (c2g_caffe_blob_fill_diff (blob, 1, &error));
  g_assert_cmpstr (error->message, ==, "The blob’s shape is [3], but its “diff” has 2 elements");
}

static void
test_share_errors (void)
{
  g_autoptr (C2gCaffeBlob) first = new_blob (DIMS (2));
  g_autoptr (C2gCaffeBlob) second = new_blob (DIMS (2));
  g_autoptr (C2gCaffeBlob) third = new_blob (DIMS (2));
  g_autoptr (C2gCaffeBlob) large = new_blob (DIMS (3));
  g_autoptr (C2gCaffeBlob) elsewhere = NULL;
  g_autoptr (GError) error = NULL;

  assert_failed (!c2g_caffe_blob_share_data (first, first, &error), &error, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_true (c2g_caffe_blob_share_data (second, first, NULL));
  assert_failed (!c2g_caffe_blob_share_data (first, second, &error), &error, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_true (c2g_caffe_blob_share_data (third, second, NULL));
  assert_failed (!c2g_caffe_blob_share_data (first, third, &error), &error, C2G_ERROR_INVALID_ARGUMENT);
  /* Data and diff of one blob must not share memory: an update would make the data 0. */
  assert_failed (!c2g_caffe_blob_share_tensor (third, DIFF, c2g_caffe_blob_get_data (first), &error), &error,
                 C2G_ERROR_INVALID_ARGUMENT);
  assert_failed (!c2g_caffe_blob_share_tensor (third, BOTH, c2g_caffe_blob_get_diff (first), &error), &error,
                 C2G_ERROR_INVALID_ARGUMENT);

  assert_failed (!c2g_caffe_blob_share_data (first, large, &error), &error, C2G_ERROR_SHAPE);
  assert_failed (!c2g_caffe_blob_share_diff (large, first, &error), &error, C2G_ERROR_SHAPE);
  assert_failed (!c2g_caffe_blob_share_tensor (large, DIFF, c2g_caffe_blob_get_diff (first), &error), &error,
                 C2G_ERROR_SHAPE);
  assert_failed (!c2g_caffe_blob_reshape (first, DIMS (1), C2G_CAFFE_PARTS_NONE, &error), &error, C2G_ERROR_INVALID_ARGUMENT);
  assert_failed (!c2g_caffe_blob_set_value_at (first, C2G_CAFFE_PARTS_NONE, DIMS (0), 1, &error), &error,
                 C2G_ERROR_INVALID_ARGUMENT);
  elsewhere = c2g_caffe_blob_new (FLOAT, FLOAT, DIMS (2), c2g_device_parse ("cuda:1", NULL), NULL);
  assert_failed (!c2g_caffe_blob_share_data (first, elsewhere, &error), &error, C2G_ERROR_DEVICE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/blob/share", test_share);
  c2g_test_add_func ("/caffe/blob/share-reshape", test_share_reshape);
  c2g_test_add_func ("/caffe/blob/share-first", test_share_first);
  c2g_test_add_func ("/caffe/blob/share-slice", test_share_slice);
  c2g_test_add_func ("/caffe/blob/share-nameless", test_share_nameless);
  c2g_test_add_func ("/caffe/blob/share-errors", test_share_errors);

  return c2g_test_run ();
}
