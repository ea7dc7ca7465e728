/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <string.h>

#define HALF   C2G_DATA_TYPE_FLOAT16
#define FLOAT  C2G_DATA_TYPE_FLOAT
#define DOUBLE C2G_DATA_TYPE_DOUBLE
#define DATA   C2G_CAFFE_PARTS_DATA
#define BOTH   C2G_CAFFE_PARTS_BOTH
#define DIMS   C2G_TEST_DIMS

static C2gCaffeBlob *
new_locked (C2gDataType type,
            gint64      n)
{
  g_autoptr (GError) error = NULL;
  C2gCaffeTBlob *blob = c2g_caffe_t_blob_new (type, &n, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_t_blob_get_data_type (blob), ==, type);
  return C2G_CAFFE_BLOB (blob);
}

static C2gCaffeBlob *
new_plain (C2gDataType type,
           gint64      n)
{
  return c2g_caffe_blob_new (type, type, &n, 1, NULL, NULL);
}

/* The error names both types. */
static void
assert_locked (gboolean     is_failure,
               GError     **error,
               C2gDataType  locked,
               C2gDataType  other)
{
  g_assert_true (is_failure);
  g_assert_error (*error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr ((*error)->message, c2g_data_type_get_name (locked)));
  g_assert_nonnull (strstr ((*error)->message, c2g_data_type_get_name (other)));
  g_clear_error (error);
}

static void
test_new (void)
{
  g_autoptr (C2gCaffeTBlob) bare = g_object_new (C2G_TYPE_CAFFE_T_BLOB, "name", "fc", NULL);
  g_autoptr (C2gCaffeBlob) named =
    g_object_new (C2G_TYPE_CAFFE_T_BLOB, "name", "fc", "data-type", HALF, "diff-type", FLOAT, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (c2g_caffe_t_blob_get_data_type (bare), ==, FLOAT);
  g_assert_cmpstr (c2g_caffe_blob_get_name (C2G_CAFFE_BLOB (bare)), ==, "fc");
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (named)), ==, HALF);
  assert_locked (c2g_caffe_blob_mutable_diff (named, FLOAT, NULL, &error) == NULL, &error, HALF, FLOAT);
  g_assert_null (c2g_caffe_t_blob_new (C2G_DATA_TYPE_STRING, DIMS (1), NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_caffe_t_blob_new (FLOAT, DIMS (-1), NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
}

static void
test_lock (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_locked (HALF, 3);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_fill_data (blob, 2, NULL));
  g_assert_nonnull (c2g_caffe_blob_data (blob, DOUBLE, NULL, NULL));
  g_assert_nonnull (c2g_caffe_blob_mutable_data (blob, HALF, NULL, NULL));
  assert_locked (c2g_caffe_blob_mutable_data (blob, FLOAT, NULL, &error) == NULL, &error, HALF, FLOAT);
  assert_locked (c2g_caffe_blob_mutable_diff (blob, FLOAT, NULL, &error) == NULL, &error, HALF, FLOAT);
  assert_locked (c2g_caffe_blob_ref_mutable_data_tensor (blob, DOUBLE, NULL, &error) == NULL, &error, HALF, DOUBLE);
  assert_locked (c2g_caffe_blob_ref_mutable_diff_tensor (blob, DOUBLE, NULL, &error) == NULL, &error, HALF, DOUBLE);

  /* All other functions work in the type. */
  g_assert_true (c2g_caffe_blob_set_value_at (blob, BOTH, DIMS (1), 1, NULL));
  g_assert_true (c2g_caffe_blob_update (blob, NULL));
  g_assert_true (c2g_caffe_blob_scale_data (blob, 2, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 8);
}

/* A locked blob locks a tensor for all that share it, until the blob drops the tensor. */
static void
test_share (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_locked (FLOAT, 3);
  g_autoptr (C2gCaffeBlob) halves = new_plain (HALF, 3);
  g_autoptr (C2gCaffeBlob) floats = new_plain (FLOAT, 3);
  g_autoptr (GError) error = NULL;

  assert_locked (!c2g_caffe_blob_share_data (blob, halves, &error), &error, FLOAT, HALF);
  assert_locked (!c2g_caffe_blob_share_tensor (blob, DATA, c2g_caffe_blob_get_diff (halves), &error), &error, FLOAT, HALF);
  g_assert_true (c2g_caffe_blob_share_data (halves, blob, NULL));
  g_assert_nonnull (c2g_caffe_blob_data (halves, HALF, NULL, NULL));
  assert_locked (c2g_caffe_blob_mutable_data (halves, HALF, NULL, &error) == NULL, &error, FLOAT, HALF);
  g_assert_nonnull (c2g_caffe_blob_mutable_data (halves, FLOAT, NULL, NULL));

  g_assert_nonnull (c2g_caffe_blob_mutable_data (floats, FLOAT, NULL, NULL));
  g_assert_true (c2g_caffe_blob_share_data (blob, floats, NULL));
  assert_locked (c2g_caffe_blob_mutable_data (floats, HALF, NULL, &error) == NULL, &error, FLOAT, HALF);
  g_assert_nonnull (c2g_caffe_blob_mutable_data (halves, HALF, NULL, NULL));
  g_clear_object (&blob);
  g_assert_nonnull (c2g_caffe_blob_mutable_data (floats, HALF, NULL, NULL));
}

/* The tensors themselves are locked, too. */
static void
test_tensors (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_locked (HALF, 3);
  C2gMixedTensor *data = c2g_caffe_blob_get_data (blob);
  g_autoptr (C2gTensor) floats = c2g_tensor_new_scalar (FLOAT, 1, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (c2g_mixed_tensor_data (data, FLOAT, NULL, NULL));
  g_assert_nonnull (c2g_mixed_tensor_mutable_data (data, HALF, NULL, NULL));
  assert_locked (c2g_mixed_tensor_mutable_data (data, FLOAT, NULL, &error) == NULL, &error, HALF, FLOAT);
  assert_locked (c2g_mixed_tensor_ref_mutable_tensor (data, FLOAT, NULL, &error) == NULL, &error, HALF, FLOAT);
  assert_locked (!c2g_mixed_tensor_set_data_type (data, DOUBLE, &error), &error, HALF, DOUBLE);
  assert_locked (!c2g_mixed_tensor_set_tensor (data, floats, &error), &error, HALF, FLOAT);
}

/* A blob that stops sharing a tensor keeps its type. */
static void
test_reshape (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_locked (HALF, 3);
  g_autoptr (C2gCaffeBlob) other = new_plain (FLOAT, 3);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_share_data (other, blob, NULL));
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (5), BOTH, NULL));
  g_assert_nonnull (c2g_caffe_blob_mutable_data (other, FLOAT, NULL, NULL));
  assert_locked (c2g_caffe_blob_mutable_data (blob, FLOAT, NULL, &error) == NULL, &error, HALF, FLOAT);
}

static void
test_proto (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_locked (HALF, 3);
  g_autoptr (C2gCaffeBlob) source = new_plain (DOUBLE, 2);
  g_autoptr (GBytes) proto = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_fill_data (source, 1e6, NULL));
  proto = c2g_caffe_blob_to_proto (source, C2G_CAFFE_PROTO_DIFF, NULL);
  g_assert_true (c2g_caffe_blob_from_proto (blob, proto, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_t_blob_get_data_type (C2G_CAFFE_T_BLOB (blob)), ==, HALF);
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 2 * 65504);
}

static GLogWriterOutput
count_warnings (GLogLevelFlags   level,
                const GLogField *fields,
                gsize            n_fields,
                gpointer         n_warnings)
{
  if (level != G_LOG_LEVEL_WARNING)
    return g_log_writer_default (level, fields, n_fields, NULL);

  ++*(int *) n_warnings;
  return G_LOG_WRITER_HANDLED;
}

/* A language's bare constructor cannot fail, so it warns once. */
static void
test_wrong_type (void)
{
  static int n_warnings;
  g_autoptr (C2gCaffeBlob) blob = NULL;

  g_log_set_writer_func (count_warnings, &n_warnings, NULL);
  blob = g_object_new (C2G_TYPE_CAFFE_T_BLOB, "data-type", C2G_DATA_TYPE_STRING, NULL);
  g_assert_cmpint (n_warnings, ==, 1);
  g_assert_cmpint (c2g_caffe_t_blob_get_data_type (C2G_CAFFE_T_BLOB (blob)), ==, FLOAT);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/t-blob/new", test_new);
  c2g_test_add_func ("/caffe/t-blob/lock", test_lock);
  c2g_test_add_func ("/caffe/t-blob/share", test_share);
  c2g_test_add_func ("/caffe/t-blob/tensors", test_tensors);
  c2g_test_add_func ("/caffe/t-blob/reshape", test_reshape);
  c2g_test_add_func ("/caffe/t-blob/proto", test_proto);
  c2g_test_add_func ("/caffe/t-blob/wrong-type", test_wrong_type);

  return c2g_test_run ();
}
