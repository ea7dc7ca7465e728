/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-t-blob.h>

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-numbers-private.h>

/**
 * C2gCaffeTBlob:
 *
 * A blob whose type cannot change: NVCaffe's `TBlob<Dtype>`.
 *
 * Its data and diff are read in any type, but written in one only. As long as it has them, that is so
 * for every blob that shares them. Writing another type, and sharing a tensor of another type, is
 * `C2G_ERROR_TYPE`.
 *
 * ```python
 * blob = C2g.CaffeTBlob.new(C2g.DataType.FLOAT16, [2, 3], None)
 * floats = blob.ref_data_tensor(C2g.DataType.FLOAT, None)
 * blob.ref_mutable_data_tensor(C2g.DataType.FLOAT, None)  # an error that names both types
 * ```
 */

struct _C2gCaffeTBlob
{
  C2gCaffeBlob parent_instance;
};

G_DEFINE_FINAL_TYPE (C2gCaffeTBlob, c2g_caffe_t_blob, C2G_TYPE_CAFFE_BLOB)

static void
c2g_caffe_t_blob_class_init (C2gCaffeTBlobClass *klass)
{
}

static void
c2g_caffe_t_blob_init (C2gCaffeTBlob *self)
{
  c2g_caffe_blob_private (C2G_CAFFE_BLOB (self))->is_locked = TRUE;
}

/**
 * c2g_caffe_t_blob_new:
 * @data_type: the type of the data and the diff
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @device: (nullable): the place beside the CPU; `NULL`, or the CPU itself, stands for the first CUDA
 *   device
 * @error: return location for an error
 *
 * Creates a blob of zeros, without memory.
 *
 * A bare constructor makes one of floats, with one dimension of 0.
 *
 * Returns: (transfer full): a blob, or `NULL` with `C2G_ERROR_TYPE` if elements of the type are not
 *   numbers, `C2G_ERROR_SHAPE` if a dimension is negative, or `C2G_ERROR_RANGE` if there are too
 *   many elements
 */
C2gCaffeTBlob *
c2g_caffe_t_blob_new (C2gDataType    data_type,
                      const gint64  *dims,
                      gsize          n_dims,
                      C2gDevice     *device,
                      GError       **error)
{
  g_autoptr (C2gCaffeTBlob) self = NULL;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (c2g_numbers_find_type (data_type, error) == NULL)
    return NULL;

  self = g_object_new (C2G_TYPE_CAFFE_T_BLOB, "data-type", data_type, "device", device, NULL);
  if (!c2g_caffe_blob_reshape (C2G_CAFFE_BLOB (self), dims, n_dims, C2G_CAFFE_PARTS_BOTH, error))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * c2g_caffe_t_blob_get_data_type:
 * @self: a blob
 *
 * Gets the type of the data and the diff.
 *
 * Returns: a data type
 */
C2gDataType
c2g_caffe_t_blob_get_data_type (C2gCaffeTBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_T_BLOB (self), C2G_DATA_TYPE_UNDEFINED);

  return c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (C2G_CAFFE_BLOB (self)));
}
