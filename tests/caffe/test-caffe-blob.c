/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/caffe/caffe-blob-utils.h"

#include <c2g/core/types/c2g-interrupt-private.h>

#include <math.h>
#include <string.h>

/* Tests that repeat a test of NVCaffe's test_blob.cpp have its name in their path. */

static void
test_initialization (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_typed (HALF, FLOAT, DIMS (2, 3, 4, 5));
  g_autoptr (C2gCaffeBlob) bare = g_object_new (C2G_TYPE_CAFFE_BLOB, NULL);
  g_autoptr (C2gCaffeBlob) typed =
    g_object_new (C2G_TYPE_CAFFE_BLOB, "data-type", INT32, "diff-type", HALF, NULL);
  g_autoptr (C2gMixedTensor) data = NULL;
  g_autofree char *name = NULL;
  gsize n_dims;

  g_assert_cmpint (c2g_caffe_blob_get_num (blob, NULL), ==, 2);
  g_assert_cmpint (c2g_caffe_blob_get_channels (blob, NULL), ==, 3);
  g_assert_cmpint (c2g_caffe_blob_get_height (blob, NULL), ==, 4);
  g_assert_cmpint (c2g_caffe_blob_get_width (blob, NULL), ==, 5);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 120);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (blob)), ==, HALF);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (blob)), ==, FLOAT);
  g_assert_true (c2g_caffe_blob_get_device (blob) == gpu ());
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);

  g_assert_true (c2g_caffe_blob_is_empty (bare));
  g_assert_cmpint (c2g_caffe_blob_get_dims (bare, &n_dims)[0], ==, 0);
  g_assert_cmpuint (n_dims, ==, 1);
  g_assert_null (c2g_caffe_blob_get_name (bare));
  g_object_get (bare, "data", &data, "name", &name, NULL);
  g_assert_true (data == c2g_caffe_blob_get_data (bare));
  g_assert_null (name);

  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (typed)), ==, INT32);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (typed)), ==, HALF);
}

static void
test_pointers (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 3, 4, 5));
  C2gDevice *const devices[] = { NULL, gpu () };

  for (gsize i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_assert_nonnull (c2g_caffe_blob_data (blob, FLOAT, devices[i], NULL));
      g_assert_nonnull (c2g_caffe_blob_diff (blob, FLOAT, devices[i], NULL));
      g_assert_nonnull (c2g_caffe_blob_mutable_data (blob, FLOAT, devices[i], NULL));
      g_assert_nonnull (c2g_caffe_blob_mutable_diff (blob, FLOAT, devices[i], NULL));
    }
  g_assert_true (c2g_caffe_blob_data (blob, FLOAT, NULL, NULL) != c2g_caffe_blob_diff (blob, FLOAT, NULL, NULL));
}

static void
test_reshape (void)
{
  g_autoptr (C2gCaffeBlob) blob = g_object_new (C2G_TYPE_CAFFE_BLOB, "device", gpu (), NULL);
  g_autoptr (C2gCaffeBlob) other = new_blob (DIMS (7));
  g_autoptr (GError) error = NULL;
  int n_reshaped = 0;

  g_signal_connect (blob, "reshaped", G_CALLBACK (count_reshaped_cb), &n_reshaped);
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2, 3, 4, 5), BOTH, NULL));
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 120);
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2, 3, 4, 5), BOTH, NULL));
  g_assert_cmpint (n_reshaped, ==, 1);
  write_steps (blob, DATA, 0, 1);

  /* The elements stay within the capacity. */
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (2, 2), BOTH, NULL));
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (120), BOTH, NULL));
  g_assert_cmpfloat (data_at (blob, 119), ==, 119);
  g_assert_true (c2g_caffe_blob_reshape_like (blob, other, NULL));
  g_assert_cmpint (c2g_caffe_blob_get_dim (blob, -1, NULL), ==, 7);
  g_assert_cmpint (n_reshaped, ==, 4);
  /* A scalar has one element. */
  g_assert_true (c2g_caffe_blob_reshape (blob, NULL, 0, BOTH, NULL));
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 1);
  g_assert_cmpint (c2g_caffe_blob_get_width (blob, NULL), ==, 1);

  assert_failed (!c2g_caffe_blob_reshape (blob, DIMS (-1), BOTH, &error), &error, C2G_ERROR_SHAPE);
  assert_failed (!c2g_caffe_blob_reshape (blob, DIMS (G_MAXINT64, 2), BOTH, &error), &error, C2G_ERROR_RANGE);
  assert_failed (!c2g_caffe_blob_reshape (blob, DIMS (G_MAXINT64), BOTH, &error), &error, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 1);
  g_assert_null (c2g_caffe_blob_new (C2G_DATA_TYPE_STRING, FLOAT, DIMS (1), NULL, &error));
  assert_failed (TRUE, &error, C2G_ERROR_TYPE);
  g_assert_null (c2g_caffe_blob_new (FLOAT, C2G_DATA_TYPE_UNDEFINED, DIMS (1), NULL, &error));
  assert_failed (TRUE, &error, C2G_ERROR_TYPE);
}

/* A part that is left out is used again when it is reshaped. */
static void
test_reshape_parts (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2));
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (3), DATA, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, &error), ==, 0);
  g_assert_no_error (error);
  c2g_caffe_blob_asum_diff (blob, &error);
  assert_failed (TRUE, &error, C2G_ERROR_SHAPE);
  assert_failed (!c2g_caffe_blob_update (blob, &error), &error, C2G_ERROR_SHAPE);
  g_assert_null (c2g_caffe_blob_diff (blob, FLOAT, NULL, &error));
  g_assert_nonnull (strstr (error->message, "diff"));
  assert_failed (TRUE, &error, C2G_ERROR_SHAPE);
  assert_failed (!c2g_caffe_blob_set_value_at (blob, BOTH, DIMS (0), 1, &error), &error, C2G_ERROR_SHAPE);
  g_assert_cmpfloat (data_at (blob, 0), ==, 0);
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (3), DIFF, NULL));
  g_assert_true (c2g_caffe_blob_update (blob, NULL));

  /* The program may change a tensor behind the blob's back. */
  g_assert_true (c2g_mixed_tensor_reshape (c2g_caffe_blob_get_data (blob), DIMS (1), NULL));
  g_assert_null (c2g_caffe_blob_ref_data_tensor (blob, FLOAT, NULL, &error));
  assert_failed (TRUE, &error, C2G_ERROR_SHAPE);
}

static void
test_shape (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 3, 4, 5));
  g_autoptr (C2gCaffeBlob) matrix = new_blob (DIMS (2, 3));
  g_autoptr (C2gCaffeBlob) empty = new_blob (DIMS (0, G_MAXINT64, 2));
  g_autoptr (GError) error = NULL;
  g_autofree char *shape = c2g_caffe_blob_dup_shape_string (blob);
  gint64 many[40];

  g_assert_cmpstr (shape, ==, "2 3 4 5 (120)");
  g_assert_cmpint (c2g_caffe_blob_canonical_axis (blob, -4, NULL), ==, 0);
  g_assert_cmpint (c2g_caffe_blob_canonical_axis (blob, 3, NULL), ==, 3);
  assert_failed (c2g_caffe_blob_canonical_axis (blob, 4, &error) == -1, &error, C2G_ERROR_SHAPE);
  assert_failed (c2g_caffe_blob_canonical_axis (blob, -5, &error) == -1, &error, C2G_ERROR_SHAPE);
  g_assert_cmpint (c2g_caffe_blob_count (blob, 1, 3, NULL), ==, 12);
  g_assert_cmpint (c2g_caffe_blob_count (blob, 2, -1, NULL), ==, 20);
  g_assert_cmpint (c2g_caffe_blob_count (blob, 4, 4, NULL), ==, 1);
  assert_failed (c2g_caffe_blob_count (blob, 3, 1, &error) == -1, &error, C2G_ERROR_SHAPE);
  assert_failed (c2g_caffe_blob_count (blob, 0, 5, &error) == -1, &error, C2G_ERROR_SHAPE);
  assert_failed (c2g_caffe_blob_count (blob, -1, 2, &error) == -1, &error, C2G_ERROR_SHAPE);
  assert_failed (c2g_caffe_blob_count (empty, 1, 3, &error) == -1, &error, C2G_ERROR_RANGE);

  g_assert_cmpint (c2g_caffe_blob_offset (blob, DIMS (1, 2, 3, 4), NULL), ==, 119);
  g_assert_cmpint (c2g_caffe_blob_offset (blob, DIMS (1, 2), NULL), ==, 100);
  g_assert_cmpint (c2g_caffe_blob_offset (blob, NULL, 0, NULL), ==, 0);
  assert_failed (c2g_caffe_blob_offset (blob, DIMS (1, 3), &error) == -1, &error, C2G_ERROR_RANGE);
  assert_failed (c2g_caffe_blob_offset (blob, DIMS (-1), &error) == -1, &error, C2G_ERROR_RANGE);
  assert_failed (c2g_caffe_blob_offset (empty, DIMS (0), &error) == -1, &error, C2G_ERROR_RANGE);
  assert_failed (c2g_caffe_blob_offset (blob, DIMS (0, 0, 0, 0, 0), &error) == -1, &error, C2G_ERROR_SHAPE);

  g_assert_cmpint (c2g_caffe_blob_get_channels (matrix, NULL), ==, 3);
  g_assert_cmpint (c2g_caffe_blob_get_height (matrix, NULL), ==, 1);
  /* Caffe stopped at 32 dimensions. */
  for (gsize i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = 1;
  g_assert_true (c2g_caffe_blob_reshape (matrix, many, G_N_ELEMENTS (many), BOTH, NULL));
  assert_failed (c2g_caffe_blob_get_num (matrix, &error) == -1, &error, C2G_ERROR_SHAPE);
}

static void
test_gpu_shape (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 3));
  g_autoptr (C2gSyncedMemory) shape = c2g_caffe_blob_ref_gpu_shape (blob, NULL);
  g_autoptr (C2gSyncedMemory) same = c2g_caffe_blob_ref_gpu_shape (blob, NULL);
  g_autoptr (GError) error = NULL;
  const gint32 *dims = c2g_synced_memory_gpu_data (shape, NULL);

  g_assert_true (shape == same);
  g_assert_cmpuint (c2g_synced_memory_get_n_bytes (shape), ==, 8);
  g_assert_cmpint (dims[0], ==, 2);
  g_assert_cmpint (dims[1], ==, 3);

  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (0, G_MAXINT64), BOTH, NULL));
  g_assert_null (c2g_caffe_blob_ref_gpu_shape (blob, &error));
  assert_failed (TRUE, &error, C2G_ERROR_RANGE);
  g_assert_cmpint (dims[1], ==, 3);
}

static gboolean
reshape_and_retry_cb (C2gAllocator *allocator,
                      guint64       n_bytes,
                      guint         n_tries,
                      gpointer      blob)
{
  C2gAllocator *limiting = c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (allocator));
  gint64 many[64];

  for (gsize i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = 1;
  g_assert_true (c2g_caffe_blob_reshape (blob, many, G_N_ELEMENTS (many), BOTH, NULL));
  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (limiting), 1 << 20);
  return TRUE;
}

/* An allocator may reshape the blob. */
static void
test_gpu_shape_reentry (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 3));
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (upstream, 1);
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gSyncedMemory) shape = NULL;
  g_autoptr (C2gSyncedMemory) next = NULL;
  const gint32 *dims;

  allocator = c2g_failure_callback_allocator_new (limiting, reshape_and_retry_cb, blob, NULL);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), allocator, NULL));
  shape = c2g_caffe_blob_ref_gpu_shape (blob, NULL);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));

  g_assert_cmpuint (c2g_synced_memory_get_n_bytes (shape), ==, 8);
  dims = c2g_synced_memory_cpu_data (shape, NULL);
  g_assert_cmpint (dims[0], ==, 2);
  g_assert_cmpint (dims[1], ==, 3);
  next = c2g_caffe_blob_ref_gpu_shape (blob, NULL);
  g_assert_cmpuint (c2g_synced_memory_get_n_bytes (next), ==, 64 * sizeof (gint32));
}

/* Tests of arithmetic use the numbers of NVCaffe's tests, and both parts. */

static void
test_sum_of_squares (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (3, 2, 3));

  g_assert_cmpfloat (c2g_caffe_blob_sumsq_data (blob, NULL), ==, 0);
  write_steps (blob, DATA, 1, 1);
  write_steps (blob, DIFF, 7, 7);
  g_assert_cmpfloat (c2g_caffe_blob_sumsq_data (blob, NULL), ==, 2109);
  g_assert_cmpfloat (c2g_caffe_blob_sumsq_diff (blob, NULL), ==, 2109 * 49);
}

static void
test_asum (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (3, 2, 3));

  write_steps (blob, DATA, -1, -1);
  write_steps (blob, DIFF, 7, 7);
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 171);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (blob, NULL), ==, 171 * 7);
}

static void
test_amax (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (3, 2, 3));

  write_steps (blob, DATA, -1, -1);
  write_steps (blob, DIFF, 7, 7);
  g_assert_cmpfloat (c2g_caffe_blob_amax_data (blob, NULL), ==, 18);
  g_assert_cmpfloat (c2g_caffe_blob_amax_diff (blob, NULL), ==, 126);
  g_assert_true (c2g_caffe_blob_set_value_at (blob, DATA, DIMS (0), NAN, NULL));
  g_assert_true (isnan (c2g_caffe_blob_amax_data (blob, NULL)));
}

/* Data and diff are scaled wherever they are. */
static void
test_scale (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (3, 2, 3));

  write_steps (blob, DATA, 1, 1);
  write_steps (blob, DIFF, 1, 1);
  g_assert_nonnull (c2g_caffe_blob_mutable_diff (blob, FLOAT, gpu (), NULL));
  g_assert_true (c2g_caffe_blob_scale_data (blob, 3.5, NULL));
  g_assert_true (c2g_caffe_blob_scale_diff (blob, -0.5, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 171 * 3.5);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (blob, NULL), ==, 171 * 0.5);
  g_assert_true (c2g_caffe_blob_fill_data (blob, 2, NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (blob, -1, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_sumsq_data (blob, NULL), ==, 72);
  g_assert_cmpfloat (diff_at (blob, 17), ==, -1);
}

static void
test_at (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_typed (HALF, FLOAT, DIMS (2, 3));
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_set_value_at (blob, BOTH, DIMS (1, 2), 1e6, NULL));
  /* NVCaffe's diff_at() gave the data. */
  g_assert_cmpfloat (c2g_caffe_blob_data_at (blob, DIMS (1, 2), NULL), ==, 65504);
  g_assert_cmpfloat (c2g_caffe_blob_diff_at (blob, DIMS (1, 2), NULL), ==, 1e6);
  g_assert_true (c2g_caffe_blob_set_value_at (blob, DIFF, DIMS (0, 1), 3, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_data_at (blob, DIMS (0, 1), NULL), ==, 0);
  g_assert_cmpfloat (c2g_caffe_blob_diff_at (blob, DIMS (0, 1), NULL), ==, 3);
  g_assert_false (c2g_mixed_tensor_is_valid (c2g_caffe_blob_get_data (blob), DOUBLE));

  c2g_caffe_blob_data_at (blob, DIMS (2), &error);
  assert_failed (TRUE, &error, C2G_ERROR_RANGE);
  assert_failed (!c2g_caffe_blob_set_value_at (blob, DATA, DIMS (0, 3), 1, &error), &error, C2G_ERROR_RANGE);
}

static void
test_update (void)
{
  const C2gDataType types[][2] = { { FLOAT, FLOAT }, { FLOAT, HALF }, { HALF, FLOAT }, { DOUBLE, HALF }, { INT32, FLOAT } };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gCaffeBlob) blob = new_typed (types[i][0], types[i][1], DIMS (2, 2));

      g_assert_true (c2g_caffe_blob_fill_data (blob, 5, NULL));
      g_assert_true (c2g_caffe_blob_fill_diff (blob, 3, NULL));
      g_assert_true (c2g_caffe_blob_update (blob, NULL));
      g_assert_cmpfloat (c2g_caffe_blob_asum_data (blob, NULL), ==, 8);
      g_assert_cmpfloat (c2g_caffe_blob_asum_diff (blob, NULL), ==, 12);
      g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (blob)), ==, types[i][0]);
    }
}

/* A step too small for float16 at 1 is not lost: the sum is rounded, and not the addend. */
static void
test_update_wide (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_typed (FLOAT, HALF, DIMS (1));

  g_assert_true (c2g_caffe_blob_fill_data (blob, 1, NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (blob, 1.0 / 65536, NULL));
  g_assert_true (c2g_caffe_blob_update (blob, NULL));
  g_assert_cmpfloat (data_at (blob, 0), ==, 1 - 1.0 / 65536);
}

/* Reading as another type does not change the stored number, so no precision is lost. */
static void
test_precision (void)
{
  const double pi = 3.14159265358979;
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (1));
  const double *doubles;

  *(double *) c2g_caffe_blob_mutable_data (blob, DOUBLE, NULL, NULL) = pi;
  g_assert_cmphex (*(const guint16 *) c2g_caffe_blob_data (blob, HALF, NULL, NULL), ==, 0x4248);
  g_assert_nonnull (c2g_caffe_blob_data (blob, HALF, gpu (), NULL));
  doubles = c2g_caffe_blob_data (blob, DOUBLE, NULL, NULL);
  g_assert_cmpmem (doubles, sizeof pi, &pi, sizeof pi);
}

/* Each projection is allocated when it is first requested, and its memory has the blob's name. */
static void
test_lazy (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gCaffeBlob) blob =
    g_object_new (C2G_TYPE_CAFFE_BLOB, "name", "conv1", "device", gpu (), NULL);
  g_autofree char *report = NULL;
  g_autofree char *text = NULL;

  fake_device_use ();
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (10), BOTH, NULL));
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);
  c2g_caffe_blob_mutable_diff (blob, FLOAT, NULL, NULL);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 40);
  c2g_caffe_blob_diff (blob, HALF, gpu (), NULL);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 80);
  for (gsize i = 0; i < 10; i++)
    c2g_caffe_blob_diff (blob, HALF, gpu (), NULL);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 80);
  g_assert_cmpint (fake_device.n_copies, ==, 1);

  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "conv1/diff/float16@cuda:0"));
  text = c2g_caffe_blob_to_string (blob);
  g_assert_true (g_str_has_prefix (text, "10 (10)\ndata: [10] of float\ndiff: [10] of float\n  conv1/diff/float"));
}

typedef C2gCaffeBlob Derived;
typedef C2gCaffeBlobClass DerivedClass;

static GType derived_get_type (void);
G_DEFINE_TYPE (Derived, derived, C2G_TYPE_CAFFE_BLOB)

static void
derived_class_init (DerivedClass *klass)
{
}

static void
derived_init (Derived *self)
{
}

/* The blob of a workspace gives its name to the blocks, also of subclasses. */
static void
test_workspace (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gCaffeBlob) weights = new_blob (DIMS (10));
  g_autoptr (C2gCaffeTBlob) locked = c2g_caffe_t_blob_new (HALF, DIMS (10), NULL, NULL);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "fc", NULL);
  g_autoptr (C2gCaffeBlob) derived = g_object_new (derived_get_type (), NULL);
  g_autoptr (C2gBlob) derived_blob = c2g_workspace_create_blob (workspace, "sub", NULL);
  g_autoptr (C2gBlob) locked_blob = c2g_workspace_create_blob (workspace, "half", NULL);
  g_autofree char *report = NULL;

  c2g_blob_set_object (blob, G_OBJECT (weights));
  c2g_blob_set_object (locked_blob, G_OBJECT (locked));
  c2g_blob_set_object (derived_blob, G_OBJECT (derived));
  g_assert_true (c2g_caffe_blob_reshape (derived, DIMS (2), BOTH, NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (derived, 1, NULL));
  g_assert_true (c2g_caffe_blob_fill_data (weights, 1, NULL));
  g_assert_nonnull (c2g_caffe_blob_data (weights, HALF, gpu (), NULL));
  g_assert_true (c2g_caffe_blob_fill_diff (C2G_CAFFE_BLOB (locked), 1, NULL));
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 40 + 20 + 20);
  g_assert_cmpuint (c2g_blob_get_n_bytes (locked_blob), ==, 20);
  report = c2g_workspace_dup_report (workspace);
  g_assert_nonnull (strstr (report, "fc/data/float@cpu"));
  g_assert_nonnull (strstr (report, "fc/data/float16@cuda:0"));
  g_assert_nonnull (strstr (report, "half/diff/float16@cpu"));
  g_assert_nonnull (strstr (report, "sub/diff/float@cpu"));
}

static void
test_copy (void)
{
  g_autoptr (C2gCaffeBlob) source = new_blob (DIMS (2, 3));
  g_autoptr (C2gCaffeBlob) target = new_typed (HALF, DOUBLE, DIMS (2, 3));
  g_autoptr (C2gCaffeBlob) other = new_blob (DIMS (6));
  g_autoptr (GError) error = NULL;

  write_steps (source, DATA, 1, 1);
  write_steps (source, DIFF, -1, -1);
  g_assert_true (c2g_caffe_blob_copy_from (target, source, DATA, NULL));
  g_assert_cmpfloat (c2g_caffe_blob_asum_data (target, NULL), ==, 21);
  g_assert_cmpfloat (c2g_caffe_blob_asum_diff (target, NULL), ==, 0);
  g_assert_cmpint (c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (target)), ==, HALF);
  g_assert_false (c2g_mixed_tensor_is_valid (c2g_caffe_blob_get_data (source), HALF));
  g_assert_true (c2g_caffe_blob_copy_from (target, source, DIFF, NULL));
  g_assert_cmpfloat (diff_at (target, 5), ==, -6);
  g_assert_cmpfloat (data_at (target, 5), ==, 6);
  g_assert_true (c2g_caffe_blob_copy_from (target, target, BOTH, NULL));

  assert_failed (!c2g_caffe_blob_copy_from (other, source, DATA, &error), &error, C2G_ERROR_SHAPE);
  g_assert_cmpfloat (data_at (other, 0), ==, 0);
}

static void
assert_order (C2gCaffeBlob *blob,
              const int    *expected)
{
  const gint64 n = c2g_caffe_blob_get_n_elements (blob);

  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (data_at (blob, i), ==, expected[i]);
}

static void
test_repack (void)
{
  static const int nhwc[] = { 0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23 };
  static const int nchw[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 };
  const C2gCaffePacking NCHW = C2G_CAFFE_PACKING_NCHW, NHWC = C2G_CAFFE_PACKING_NHWC;
  g_autoptr (C2gCaffeBlob) source = new_blob (DIMS (2, 3, 2, 2));
  g_autoptr (C2gCaffeBlob) target = new_typed (HALF, HALF, DIMS (2, 3, 2, 2));
  g_autoptr (C2gCaffeBlob) large = new_blob (DIMS (1, 1, 1, 1, 1));
  g_autoptr (GError) error = NULL;

  write_steps (source, DATA, 0, 1);
  g_assert_true (c2g_caffe_blob_repack_from (target, source, DATA, NCHW, NHWC, NULL));
  assert_order (target, nhwc);
  g_assert_true (c2g_caffe_blob_repack_from (source, target, BOTH, NHWC, NHWC, NULL));
  assert_order (source, nhwc);
  g_assert_true (c2g_caffe_blob_repack_from (source, target, DATA, NHWC, NCHW, NULL));
  assert_order (source, nchw);
  /* Repacking in place gives the same order. */
  g_assert_true (c2g_caffe_blob_repack_from (source, source, DATA, NCHW, NHWC, NULL));
  assert_order (source, nhwc);
  assert_failed (!c2g_caffe_blob_repack_from (large, large, DATA, NCHW, NHWC, &error), &error, C2G_ERROR_SHAPE);
}

/* Sizes of pictures without elements may be larger than all products of numbers. */
static void
test_repack_empty (void)
{
  const C2gCaffePacking NCHW = C2G_CAFFE_PACKING_NCHW, NHWC = C2G_CAFFE_PACKING_NHWC;
  g_autoptr (C2gCaffeBlob) wide = new_blob (DIMS (0, 1, G_GINT64_CONSTANT (1) << 40, G_GINT64_CONSTANT (1) << 40));
  g_autoptr (C2gCaffeBlob) many = new_blob (DIMS (G_GINT64_CONSTANT (1) << 62, 0, 1, 1));

  g_assert_true (c2g_caffe_blob_repack_from (wide, wide, BOTH, NCHW, NHWC, NULL));
  g_assert_true (c2g_caffe_blob_repack_from (many, many, BOTH, NHWC, NCHW, NULL));
}

static void
test_repack_cancelled (void)
{
  const C2gCaffePacking NCHW = C2G_CAFFE_PACKING_NCHW, NHWC = C2G_CAFFE_PACKING_NHWC;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 3, 2, 2));
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  c2g_interrupt_set (cancellable);
  g_assert_false (c2g_caffe_blob_repack_from (blob, blob, DATA, NCHW, NHWC, &error));
  c2g_interrupt_set (NULL);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
reshape_cb (C2gCaffeBlob *blob)
{
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (5, 5, 5), BOTH, NULL));
}

/* A handler of a signal may reshape the other blob. */
static void
test_reshape_like (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (1));
  g_autoptr (C2gCaffeBlob) other = new_blob (DIMS (3, 2));
  const gint64 *dims;
  gsize n_dims;

  g_assert_cmpfloat (data_at (blob, 0), ==, 0);
  g_assert_true (c2g_caffe_blob_fill_data (blob, 1, NULL));
  g_assert_cmpfloat (data_at (blob, 0), ==, 1);
  g_signal_connect_swapped (c2g_caffe_blob_get_data (blob), "invalidated", G_CALLBACK (reshape_cb), other);
  g_assert_true (c2g_caffe_blob_reshape_like (blob, other, NULL));
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (other), ==, 125);
  dims = c2g_caffe_blob_get_dims (blob, &n_dims);
  g_assert_cmpmem (dims, n_dims * sizeof *dims, ((gint64[]) { 3, 2 }), 2 * sizeof *dims);
}

/* A tensor has the shape that the blob had when it was asked for. */
static void
test_reshape_while_read (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (2, 3));
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_fill_data (blob, 1, NULL));
  g_signal_connect_swapped (c2g_caffe_blob_get_data (blob), "converted", G_CALLBACK (reshape_cb), blob);
  tensor = c2g_caffe_blob_ref_data_tensor (blob, DOUBLE, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 125);
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 2);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, NULL), ==, 1);
}

static void
shrink_cb (C2gCaffeBlob *blob)
{
  g_assert_true (c2g_caffe_blob_reshape (blob, DIMS (1), BOTH, NULL));
}

/* An element is not written if a handler of a signal takes it away. */
static void
test_reshape_while_written (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (100));
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_caffe_blob_fill_data (blob, 1, NULL));
  g_assert_cmpfloat (data_at (blob, 0), ==, 1);
  g_signal_connect_swapped (c2g_caffe_blob_get_data (blob), "invalidated", G_CALLBACK (shrink_cb), blob);
  g_assert_false (c2g_caffe_blob_set_value_at (blob, BOTH, DIMS (99), 2, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpint (c2g_caffe_blob_get_n_elements (blob), ==, 1);
}

/* Two threads read memory that a GPU has written. It is copied only once. */

static gpointer
read_thread (gpointer data)
{
  C2gCaffeBlob *blob = data;
  const guint n_rounds = c2g_test_count_rounds (100000);

  for (guint i = 0; i < n_rounds; i++)
    g_assert_cmpfloat (*(const float *) c2g_caffe_blob_data (blob, FLOAT, NULL, NULL), ==, 3);
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gCaffeBlob) blob = new_blob (DIMS (100));
  GThread *threads[2];

  *(float *) c2g_caffe_blob_mutable_data (blob, FLOAT, gpu (), NULL) = 3;
  g_assert_cmpint (fake_device.n_copies, ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_thread, blob);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (fake_device.n_copies, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/blob/initialization", test_initialization);
  c2g_test_add_func ("/caffe/blob/pointers-cpu-gpu", test_pointers);
  c2g_test_add_func ("/caffe/blob/reshape", test_reshape);
  c2g_test_add_func ("/caffe/blob/reshape-parts", test_reshape_parts);
  c2g_test_add_func ("/caffe/blob/shape", test_shape);
  c2g_test_add_func ("/caffe/blob/gpu-shape", test_gpu_shape);
  c2g_test_add_func ("/caffe/blob/gpu-shape-reentry", test_gpu_shape_reentry);
  c2g_test_add_func ("/caffe/blob/sum-of-squares", test_sum_of_squares);
  c2g_test_add_func ("/caffe/blob/asum", test_asum);
  c2g_test_add_func ("/caffe/blob/amax", test_amax);
  c2g_test_add_func ("/caffe/blob/scale-data", test_scale);
  c2g_test_add_func ("/caffe/blob/at", test_at);
  c2g_test_add_func ("/caffe/blob/update", test_update);
  c2g_test_add_func ("/caffe/blob/update-wide", test_update_wide);
  c2g_test_add_func ("/caffe/blob/precision", test_precision);
  c2g_test_add_func ("/caffe/blob/lazy", test_lazy);
  c2g_test_add_func ("/caffe/blob/workspace", test_workspace);
  c2g_test_add_func ("/caffe/blob/copy", test_copy);
  c2g_test_add_func ("/caffe/blob/repack", test_repack);
  c2g_test_add_func ("/caffe/blob/repack-empty", test_repack_empty);
  c2g_test_add_func ("/caffe/blob/repack-cancelled", test_repack_cancelled);
  c2g_test_add_func ("/caffe/blob/reshape-like", test_reshape_like);
  c2g_test_add_func ("/caffe/blob/reshape-while-read", test_reshape_while_read);
  c2g_test_add_func ("/caffe/blob/reshape-while-written", test_reshape_while_written);
  c2g_test_add_func ("/caffe/blob/threads", test_threads);

  return c2g_test_run ();
}
