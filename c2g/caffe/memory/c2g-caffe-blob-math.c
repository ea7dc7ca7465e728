/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob.h>
#include <c2g/caffe/memory/c2g-caffe-blob-private.h>

/* Arithmetic on the parts of a blob. It is done by their mixed tensors, on as many elements as the
 * blob has. */

typedef double (*ReduceFunc) (C2gMixedTensor  *tensor,
                              GError         **error);
typedef gboolean (*ChangeFunc) (C2gMixedTensor  *tensor,
                                double           number,
                                GError         **error);

static double
reduce (C2gCaffeBlob       *self,
        C2gCaffePartIndex   index,
        ReduceFunc          func,
        GError            **error)
{
  g_autoptr (C2gMixedTensor) elements = NULL;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  elements = c2g_caffe_blob_ref_elements (self, index, FALSE, error);
  return elements != NULL ? func (elements, error) : 0;
}

static gboolean
change (C2gCaffeBlob       *self,
        C2gCaffePartIndex   index,
        ChangeFunc          func,
        double              number,
        GError            **error)
{
  g_autoptr (C2gMixedTensor) elements = NULL;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  elements = c2g_caffe_blob_ref_elements (self, index, TRUE, error);
  return elements != NULL && func (elements, number, error);
}

/**
 * c2g_caffe_blob_update:
 * @self: a blob
 * @error: return location for an error
 *
 * Subtracts the diff from the data, where the data are.
 *
 * The data keep their type, see [method@MixedTensor.axpy].
 *
 * Fails as that does, and with `C2G_ERROR_SHAPE` if a part was not reshaped with the blob and is too
 * small.
 *
 * Returns: whether the data were updated
 */
gboolean
c2g_caffe_blob_update (C2gCaffeBlob  *self,
                       GError       **error)
{
  g_autoptr (C2gMixedTensor) data = NULL;
  g_autoptr (C2gMixedTensor) diff = NULL;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  diff = c2g_caffe_blob_ref_elements (self, C2G_CAFFE_DIFF, FALSE, error);
  if (diff == NULL)
    return FALSE;
  data = c2g_caffe_blob_ref_elements (self, C2G_CAFFE_DATA, TRUE, error);
  return data != NULL && c2g_mixed_tensor_axpy (data, -1, diff, error);
}

/**
 * c2g_caffe_blob_fill_data:
 * @self: a blob
 * @value: a number
 * @error: return location for an error
 *
 * Sets every number of the data.
 *
 * Does as [method@MixedTensor.fill] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: whether it was done
 */
gboolean
c2g_caffe_blob_fill_data (C2gCaffeBlob  *self,
                          double         value,
                          GError       **error)
{
  return change (self, C2G_CAFFE_DATA, c2g_mixed_tensor_fill, value, error);
}

/**
 * c2g_caffe_blob_fill_diff:
 * @self: a blob
 * @value: a number
 * @error: return location for an error
 *
 * Sets every number of the diff.
 *
 * Does as [method@MixedTensor.fill] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: whether it was done
 */
gboolean
c2g_caffe_blob_fill_diff (C2gCaffeBlob  *self,
                          double         value,
                          GError       **error)
{
  return change (self, C2G_CAFFE_DIFF, c2g_mixed_tensor_fill, value, error);
}

/**
 * c2g_caffe_blob_scale_data:
 * @self: a blob
 * @factor: a number
 * @error: return location for an error
 *
 * Multiplies every number of the data.
 *
 * Does as [method@MixedTensor.scale] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: whether it was done
 */
gboolean
c2g_caffe_blob_scale_data (C2gCaffeBlob  *self,
                           double         factor,
                           GError       **error)
{
  return change (self, C2G_CAFFE_DATA, c2g_mixed_tensor_scale, factor, error);
}

/**
 * c2g_caffe_blob_scale_diff:
 * @self: a blob
 * @factor: a number
 * @error: return location for an error
 *
 * Multiplies every number of the diff.
 *
 * Does as [method@MixedTensor.scale] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: whether it was done
 */
gboolean
c2g_caffe_blob_scale_diff (C2gCaffeBlob  *self,
                           double         factor,
                           GError       **error)
{
  return change (self, C2G_CAFFE_DIFF, c2g_mixed_tensor_scale, factor, error);
}

/**
 * c2g_caffe_blob_asum_data:
 * @self: a blob
 * @error: return location for an error
 *
 * Sums the absolute values of the data.
 *
 * Does as [method@MixedTensor.asum] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_caffe_blob_asum_data (C2gCaffeBlob  *self,
                          GError       **error)
{
  return reduce (self, C2G_CAFFE_DATA, c2g_mixed_tensor_asum, error);
}

/**
 * c2g_caffe_blob_asum_diff:
 * @self: a blob
 * @error: return location for an error
 *
 * Sums the absolute values of the diff.
 *
 * Does as [method@MixedTensor.asum] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_caffe_blob_asum_diff (C2gCaffeBlob  *self,
                          GError       **error)
{
  return reduce (self, C2G_CAFFE_DIFF, c2g_mixed_tensor_asum, error);
}

/**
 * c2g_caffe_blob_sumsq_data:
 * @self: a blob
 * @error: return location for an error
 *
 * Sums the squares of the data.
 *
 * Does as [method@MixedTensor.sumsq] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_caffe_blob_sumsq_data (C2gCaffeBlob  *self,
                           GError       **error)
{
  return reduce (self, C2G_CAFFE_DATA, c2g_mixed_tensor_sumsq, error);
}

/**
 * c2g_caffe_blob_sumsq_diff:
 * @self: a blob
 * @error: return location for an error
 *
 * Sums the squares of the diff.
 *
 * Does as [method@MixedTensor.sumsq] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_caffe_blob_sumsq_diff (C2gCaffeBlob  *self,
                           GError       **error)
{
  return reduce (self, C2G_CAFFE_DIFF, c2g_mixed_tensor_sumsq, error);
}

/**
 * c2g_caffe_blob_amax_data:
 * @self: a blob
 * @error: return location for an error
 *
 * Finds the largest absolute value of the data.
 *
 * Does as [method@MixedTensor.amax] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: the value; 0 with an error
 */
double
c2g_caffe_blob_amax_data (C2gCaffeBlob  *self,
                          GError       **error)
{
  return reduce (self, C2G_CAFFE_DATA, c2g_mixed_tensor_amax, error);
}

/**
 * c2g_caffe_blob_amax_diff:
 * @self: a blob
 * @error: return location for an error
 *
 * Finds the largest absolute value of the diff.
 *
 * Does as [method@MixedTensor.amax] does. Fails as that does, and with `C2G_ERROR_SHAPE` if the part
 * was not reshaped with the blob and is too small.
 *
 * Returns: the value; 0 with an error
 */
double
c2g_caffe_blob_amax_diff (C2gCaffeBlob  *self,
                          GError       **error)
{
  return reduce (self, C2G_CAFFE_DIFF, c2g_mixed_tensor_amax, error);
}
