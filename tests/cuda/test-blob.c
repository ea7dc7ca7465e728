/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/cuda-utils.h"

/* Cases from Caffe2's blob_gpu_test about tensors, for each of the types that it uses. */

static const C2gDataType types[] = {
  C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_FLOAT
};

typedef void (*TypeFunc) (C2gDataType type);

static void
for_types (TypeFunc func)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    func (types[i]);
}

static C2gTensor *
new_sized (const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, first_device (), &error);

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (tensor) == first_device ());
  g_assert_false (c2g_tensor_is_allocated (tensor));

  return tensor;
}

static gpointer
allocate (C2gTensor   *tensor,
          C2gDataType  type)
{
  g_autoptr (GError) error = NULL;
  gpointer elements = c2g_tensor_mutable_data (tensor, type, &error);

  g_assert_no_error (error);
  g_assert_nonnull (elements);
  g_assert_true (c2g_tensor_data (tensor, type, NULL) == elements);
  g_assert_cmpuint ((guintptr) elements % 256, ==, 0);

  return elements;
}

static void
resize (C2gTensor    *tensor,
        const gint64 *dims,
        gsize         n_dims)
{
  g_autoptr (GError) error = NULL;

  c2g_tensor_resize (tensor, dims, n_dims, &error);
  g_assert_no_error (error);
}

static void
assert_dims (C2gTensor    *tensor,
             const gint64 *dims,
             gsize         n_dims)
{
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, n_dims);
  for (gsize i = 0; i < n_dims; i++)
    g_assert_cmpint (c2g_tensor_get_dim32 (tensor, i, NULL), ==, dims[i]);
}

static void
check_initialized_empty (C2gDataType type)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_for_device (first_device ());

  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 0);
  resize (tensor, C2G_TEST_DIMS (2, 3, 5));
  assert_dims (tensor, C2G_TEST_DIMS (2, 3, 5));
  allocate (tensor, type);
}

static void
test_initialized_empty (void)
{
  for_types (check_initialized_empty);
}

static void
check_initialized_non_empty (C2gDataType type)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (2, 3, 5));

  assert_dims (tensor, C2G_TEST_DIMS (2, 3, 5));
  allocate (tensor, type);
  resize (tensor, C2G_TEST_DIMS (7, 11, 13, 17));
  assert_dims (tensor, C2G_TEST_DIMS (7, 11, 13, 17));
  allocate (tensor, type);
}

static void
test_initialized_non_empty (void)
{
  for_types (check_initialized_non_empty);
}

static void
share (C2gTensor *tensor,
       C2gTensor *source)
{
  g_autoptr (GError) error = NULL;

  c2g_tensor_share_data (tensor, source, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_shares_data (tensor));
  g_assert_true (c2g_tensor_shares_data (source));
}

static void
check_share (C2gDataType type)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (2, 3, 5));
  g_autoptr (C2gTensor) other = new_sized (C2G_TEST_DIMS (2, 3, 5));
  gpointer elements = allocate (tensor, type);

  share (other, tensor);
  g_assert_true (c2g_tensor_data (tensor, type, NULL) == elements);
  g_assert_true (c2g_tensor_data (other, type, NULL) == elements);
}

static void
test_share (void)
{
  for_types (check_share);
}

static void
check_share_different_shapes (C2gDataType type)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (2, 3, 5));
  g_autoptr (C2gTensor) other = new_sized (C2G_TEST_DIMS (30));
  gpointer elements = allocate (tensor, type);

  share (other, tensor);
  assert_dims (other, C2G_TEST_DIMS (30));
  g_assert_true (c2g_tensor_data (tensor, type, NULL) == elements);
  g_assert_true (c2g_tensor_data (other, type, NULL) == elements);
}

static void
test_share_different_shapes (void)
{
  for_types (check_share_different_shapes);
}

static void
check_no_longer_shares (C2gDataType type)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (2, 3, 5));
  g_autoptr (C2gTensor) other = new_sized (C2G_TEST_DIMS (2, 3, 5));
  gpointer elements = allocate (tensor, type);

  share (other, tensor);
  resize (tensor, C2G_TEST_DIMS (7, 3, 5));
  g_assert_true (c2g_tensor_data (other, type, NULL) == elements);
  g_assert_true (allocate (tensor, type) != elements);
  g_assert_false (c2g_tensor_shares_data (other));
}

static void
test_no_longer_shares (void)
{
  for_types (check_no_longer_shares);
}

/* Caffe2 aborts in these cases. */
static void
check_access_empty (C2gDataType type)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) sized = new_sized (C2G_TEST_DIMS (2, 3));
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 0);
  g_assert_null (c2g_tensor_data (tensor, type, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == C2G_ERROR);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_data (sized, type, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == C2G_ERROR);
}

static void
test_access_empty (void)
{
  for_types (check_access_empty);
}

/* blob_test of the CPU: KeepOnShrink, MaxKeepOnShrink. The rules are the same on a device. */
static void
test_keep_on_shrink (void)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (2, 3, 5));
  gpointer elements = allocate (tensor, C2G_DATA_TYPE_FLOAT);

  c2g_tensor_set_keep_on_shrink (tensor, TRUE);
  c2g_tensor_set_max_keep_on_shrink (tensor, G_MAXINT64);
  resize (tensor, C2G_TEST_DIMS (3, 4, 1));
  g_assert_true (allocate (tensor, C2G_DATA_TYPE_FLOAT) == elements);
  resize (tensor, C2G_TEST_DIMS (2, 3, 5));
  g_assert_true (allocate (tensor, C2G_DATA_TYPE_FLOAT) == elements);
}

static void
test_do_not_keep_on_shrink (void)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (2, 3, 5));

  c2g_tensor_set_keep_on_shrink (tensor, FALSE);
  allocate (tensor, C2G_DATA_TYPE_FLOAT);
  resize (tensor, C2G_TEST_DIMS (3, 4, 1));
  g_assert_false (c2g_tensor_is_allocated (tensor));
  allocate (tensor, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 48);
}

static void
test_max_keep_on_shrink (void)
{
  g_autoptr (C2gTensor) tensor = new_sized (C2G_TEST_DIMS (1000, 3, 5));
  gpointer elements = allocate (tensor, C2G_DATA_TYPE_FLOAT);

  c2g_tensor_set_keep_on_shrink (tensor, TRUE);
  c2g_tensor_set_max_keep_on_shrink (tensor, 8 * 4);
  resize (tensor, C2G_TEST_DIMS (1000, 3, 4));
  g_assert_false (c2g_tensor_is_allocated (tensor));
  allocate (tensor, C2G_DATA_TYPE_FLOAT);

  c2g_tensor_set_max_keep_on_shrink (tensor, 1 << 20);
  elements = allocate (tensor, C2G_DATA_TYPE_FLOAT);
  resize (tensor, C2G_TEST_DIMS (2));
  g_assert_true (allocate (tensor, C2G_DATA_TYPE_FLOAT) == elements);
}

/* A tensor that grows keeps its elements. */
static void
test_extend (void)
{
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 12, NULL);
  g_autoptr (C2gTensor) start = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_extend (tensor, 100, 50.0, NULL, &error);
  g_assert_no_error (error);
  assert_dims (tensor, C2G_TEST_DIMS (112));
  start = c2g_tensor_slice (tensor, 0, 12, &error);
  g_assert_no_error (error);
  assert_far (start, 0);

  c2g_tensor_reserve (tensor, C2G_TEST_DIMS (1024), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), >=, 4096);
  c2g_tensor_shrink (tensor, 12, &error);
  g_assert_no_error (error);
  assert_far (tensor, 0);
}

/* Tensors of two devices cannot share memory, but can be copied. */
static void
test_share_between_devices (void)
{
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 5, NULL);
  g_autoptr (C2gTensor) near = c2g_tensor_new ();
  g_autoptr (C2gTensor) other = NULL;
  g_autoptr (GError) error = NULL;

  resize (near, C2G_TEST_DIMS (5));
  c2g_tensor_share_data (near, tensor, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  if (second_device () == NULL)
    return;

  other = c2g_tensor_new_for_device (second_device ());
  resize (other, C2G_TEST_DIMS (5));
  c2g_tensor_share_data (other, tensor, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  c2g_tensor_copy_from (other, tensor, NULL, &error);
  g_assert_no_error (error);
  assert_far (other, 0);
}

/* A blob holds a tensor of one device. A tensor of another device replaces it. */
static void
test_blob (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", NULL);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, first_device (), &error);

  g_assert_no_error (error);
  g_assert_true (c2g_blob_is_tensor (blob, first_device ()));
  g_assert_false (c2g_blob_is_tensor (blob, c2g_device_cpu ()));
  g_assert_true (c2g_blob_ensure_tensor (blob, first_device (), NULL) == tensor);
  resize (tensor, C2G_TEST_DIMS (4, 5));
  allocate (tensor, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, 80);

  tensor = c2g_blob_ensure_tensor (blob, c2g_device_cpu (), &error);
  g_assert_no_error (error);
  g_assert_true (c2g_blob_is_tensor (blob, c2g_device_cpu ()));
  g_assert_false (c2g_tensor_is_allocated (tensor));
}

/* A tensor made by its blob's name is always on the CPU. It replaces the old content, which stays
 * with its other holders. */
static void
test_create_tensor (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", NULL);
  g_autoptr (C2gTensor) far = new_far (first_device (), 9, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = NULL;

  c2g_tensor_copy_from (c2g_blob_ensure_tensor (blob, first_device (), NULL), far, NULL, &error);
  g_assert_no_error (error);
  g_clear_object (&far);
  far = g_object_ref (c2g_blob_get_tensor (blob, NULL));

  near = c2g_workspace_create_tensor (workspace, "x", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2),
                                      &error);
  g_assert_no_error (error);
  g_assert_true (near != far && c2g_blob_get_tensor (blob, NULL) == near);
  g_assert_true (c2g_tensor_get_device (near) == c2g_device_cpu ());
  assert_far (far, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/blob/tensor-initialized-empty", test_initialized_empty);
  add_clean_func ("/cuda/blob/tensor-initialized-non-empty", test_initialized_non_empty);
  add_clean_func ("/cuda/blob/tensor-share-data", test_share);
  add_clean_func ("/cuda/blob/tensor-share-data-can-use-different-shapes",
                  test_share_different_shapes);
  add_clean_func ("/cuda/blob/no-longer-shares-after-resize", test_no_longer_shares);
  add_clean_func ("/cuda/blob/cannot-access-data-when-empty", test_access_empty);
  add_clean_func ("/cuda/blob/keep-on-shrink", test_keep_on_shrink);
  add_clean_func ("/cuda/blob/do-not-keep-on-shrink", test_do_not_keep_on_shrink);
  add_clean_func ("/cuda/blob/max-keep-on-shrink", test_max_keep_on_shrink);
  add_clean_func ("/cuda/blob/extend", test_extend);
  add_clean_func ("/cuda/blob/share-between-devices", test_share_between_devices);
  add_clean_func ("/cuda/blob/holds-device", test_blob);
  add_clean_func ("/cuda/blob/create-tensor", test_create_tensor);

  return run_on_device ();
}
