/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

static C2gCaffeBlob *
new_blob (void)
{
  const gint64 dims[] = { 2, 3 };
  C2gCaffeBlob *blob = c2g_caffe_blob_new (C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE, dims, 2, NULL, NULL);

  g_assert_true (c2g_caffe_blob_fill_data (blob, 5, NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (blob, -1, NULL));
  return blob;
}

/* An error leaves the blob as it is. */
static void
check_untouched (C2gCaffeBlob *blob)
{
  g_autofree char *shape = c2g_caffe_blob_dup_shape_string (blob);

  g_assert_cmpstr (shape, ==, "2 3 (6)");
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 30);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (blob, NULL), ==, 6);
}

/* Returns the bits of a part, in the type that was written last. */
static GBytes *
get_bits (C2gMixedTensor *part)
{
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = c2g_mixed_tensor_ref_tensor (part, c2g_mixed_tensor_get_data_type (part), NULL, NULL);
  return c2g_tensor_dup_bytes (tensor, NULL);
}

static void
check_equal (C2gMixedTensor *first,
             C2gMixedTensor *second)
{
  g_autoptr (GBytes) first_bits = get_bits (first);
  g_autoptr (GBytes) second_bits = get_bits (second);

  g_assert_cmpint (c2g_mixed_tensor_get_data_type (first), ==, c2g_mixed_tensor_get_data_type (second));
  g_assert_true (g_bytes_equal (first_bits, second_bits));
}

/* A blob that was read can be written, and reads the same. */
static void
check_round_trip (C2gCaffeBlob *blob)
{
  g_autoptr (C2gCaffeBlob) copy = g_object_new (C2G_TYPE_CAFFE_BLOB, NULL);
  g_autoptr (GBytes) proto = c2g_caffe_blob_to_proto (blob, C2G_CAFFE_PROTO_DIFF, NULL);
  gboolean is_equal;

  g_assert_nonnull (proto);
  g_assert_true (c2g_caffe_blob_shape_equals (blob, proto, &is_equal, NULL) && is_equal);
  g_assert_true (c2g_caffe_blob_from_proto (copy, proto, TRUE, NULL));
  check_equal (c2g_caffe_blob_get_data (blob), c2g_caffe_blob_get_data (copy));
  check_equal (c2g_caffe_blob_get_diff (blob), c2g_caffe_blob_get_diff (copy));
}

/* Reads a message of Caffe or NVCaffe into a blob that takes its shape, and into one that keeps its
 * own. */
void
fuzz_one (GBytes *bytes)
{
  for (int reshape = 0; reshape < 2; reshape++)
    {
      g_autoptr (C2gCaffeBlob) blob = new_blob ();
      g_autoptr (GError) error = NULL;

      if (c2g_caffe_blob_from_proto (blob, bytes, reshape, &error))
        {
          check_round_trip (blob);
          continue;
        }
      fuzz_check_error (error);
      check_untouched (blob);
    }
}
