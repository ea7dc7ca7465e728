/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-caffe-blob.h>

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Access to the elements of a blob. The blob's shape gives their number; a tensor that it shares
 * may have another shape and more elements. */

/* A part can be too small if it was not reshaped with the blob, or if the program made it smaller. */
static gboolean
check_size (C2gCaffeBlobPrivate  *priv,
            C2gCaffePartIndex     index,
            GError              **error)
{
  const gint64 n_elements = c2g_mixed_tensor_get_n_elements (priv->parts[index].tensor);
  g_autofree char *shape = NULL;

  if (priv->n_elements <= n_elements)
    return TRUE;

  shape = c2g_shape_to_string (priv->dims, priv->n_dims);
  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("The blob’s shape is %s, but its “%s” has %" PRId64 " elements"), shape,
                   c2g_caffe_part_name (index), n_elements);
}

/* Returns the first elements of a part as a tensor of the given shape. The caller owns DIMS,
 * because signal handlers may reshape the blob. */
static C2gTensor *
ref_shaped (C2gMixedTensor  *mixed,
            const gint64    *dims,
            gsize            n_dims,
            C2gDataType      data_type,
            C2gDevice       *device,
            gboolean         to_write,
            GError         **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = to_write ? c2g_mixed_tensor_ref_mutable_tensor (mixed, data_type, device, error)
                    : c2g_mixed_tensor_ref_tensor (mixed, data_type, device, error);
  if (tensor == NULL)
    return NULL;

  if (c2g_shape_equal (dims, n_dims, tensor->dims, tensor->n_dims))
    return g_steal_pointer (&tensor);

  return c2g_lent_tensor_new (data_type, dims, n_dims, tensor->storage, tensor->offset, error);
}

C2gTensor *
c2g_caffe_blob_ref_tensor (C2gCaffeBlob       *self,
                           C2gCaffePartIndex   index,
                           C2gDataType         data_type,
                           C2gDevice          *device,
                           gboolean            to_write,
                           GError            **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (self);
  const gsize n_dims = priv->n_dims;
  g_autofree gint64 *dims = c2g_mixed_dup_dims (priv->dims, n_dims);

  return check_size (priv, index, error)
           ? ref_shaped (priv->parts[index].tensor, dims, n_dims, data_type, device, to_write, error)
           : NULL;
}

C2gMixedTensor *
c2g_caffe_blob_ref_first (C2gCaffeBlob       *self,
                          C2gCaffePartIndex   index,
                          const gint64       *dims,
                          gsize               n_dims,
                          gboolean            to_write,
                          GError            **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (self);
  C2gMixedTensor *all = priv->parts[index].tensor;
  const C2gDataType type = c2g_mixed_tensor_get_data_type (all);
  g_autoptr (C2gMixedTensor) first = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = ref_shaped (all, dims, n_dims, type, c2g_mixed_tensor_find_place (all), to_write, error);
  if (tensor == NULL)
    return NULL;

  first = g_object_new (C2G_TYPE_MIXED_TENSOR, "device", priv->device, NULL);
  return c2g_mixed_tensor_set_tensor (first, tensor, error) ? g_steal_pointer (&first) : NULL;
}

C2gMixedTensor *
c2g_caffe_blob_ref_elements (C2gCaffeBlob       *self,
                             C2gCaffePartIndex   index,
                             gboolean            to_write,
                             GError            **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (self);
  C2gMixedTensor *tensor = priv->parts[index].tensor;
  const gsize n_dims = priv->n_dims;
  g_autofree gint64 *dims = c2g_mixed_dup_dims (priv->dims, n_dims);

  if (!check_size (priv, index, error))
    return NULL;

  return c2g_mixed_tensor_get_n_elements (tensor) == priv->n_elements
           ? g_object_ref (tensor)
           : c2g_caffe_blob_ref_first (self, index, dims, n_dims, to_write, error);
}

/**
 * c2g_caffe_blob_ref_data_tensor:
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the data in a type and place, for reading.
 *
 * The tensor has the shape of the blob, and never changes, see [method@MixedTensor.ref_tensor].
 *
 * Fails as that does, and with `C2G_ERROR_SHAPE` if the part was not reshaped with the blob and is too
 * small.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_caffe_blob_ref_data_tensor (C2gCaffeBlob  *self,
                                C2gDataType    data_type,
                                C2gDevice     *device,
                                GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_caffe_blob_ref_tensor (self, C2G_CAFFE_DATA, data_type, device, FALSE, error);
}

/**
 * c2g_caffe_blob_ref_diff_tensor:
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the diff in a type and place, for reading.
 *
 * Does as [method@CaffeBlob.ref_data_tensor] does.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_caffe_blob_ref_diff_tensor (C2gCaffeBlob  *self,
                                C2gDataType    data_type,
                                C2gDevice     *device,
                                GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_caffe_blob_ref_tensor (self, C2G_CAFFE_DIFF, data_type, device, FALSE, error);
}

/**
 * c2g_caffe_blob_ref_mutable_data_tensor:
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the data in a type and place, for writing.
 *
 * The tensor has the shape of the blob. The type counts as written from now on, see
 * [method@MixedTensor.ref_mutable_tensor].
 *
 * Fails as that does, with `C2G_ERROR_TYPE` if a [class@CaffeTBlob] of another type has the elements,
 * and with `C2G_ERROR_SHAPE` if the part was not reshaped with the blob and is too small.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_caffe_blob_ref_mutable_data_tensor (C2gCaffeBlob  *self,
                                        C2gDataType    data_type,
                                        C2gDevice     *device,
                                        GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_caffe_blob_ref_tensor (self, C2G_CAFFE_DATA, data_type, device, TRUE, error);
}

/**
 * c2g_caffe_blob_ref_mutable_diff_tensor:
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the diff in a type and place, for writing.
 *
 * Does as [method@CaffeBlob.ref_mutable_data_tensor] does.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_caffe_blob_ref_mutable_diff_tensor (C2gCaffeBlob  *self,
                                        C2gDataType    data_type,
                                        C2gDevice     *device,
                                        GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_caffe_blob_ref_tensor (self, C2G_CAFFE_DIFF, data_type, device, TRUE, error);
}

/* Reads in the type that was written last, which needs no conversion. */
static double
value_at (C2gCaffeBlob       *self,
          C2gCaffePartIndex   index,
          const gint64       *indices,
          gsize               n_indices,
          GError            **error)
{
  C2gMixedTensor *mixed = c2g_caffe_blob_private (self)->parts[index].tensor;
  const gint64 offset = c2g_caffe_blob_offset (self, indices, n_indices, error);
  g_autoptr (C2gTensor) tensor = NULL;

  if (offset < 0)
    return 0;

  tensor = c2g_caffe_blob_ref_tensor (self, index, c2g_mixed_tensor_get_data_type (mixed), NULL, FALSE,
                                      error);
  return tensor != NULL ? c2g_tensor_get_value (tensor, offset, error) : 0;
}

/**
 * c2g_caffe_blob_data_at:
 * @self: a blob
 * @indices: (array length=n_indices): a position on each axis; 0 on the axes that are left out
 * @n_indices: how many positions
 * @error: return location for an error
 *
 * Gets one number of the data.
 *
 * Fails as [method@CaffeBlob.offset] and [method@CaffeBlob.ref_data_tensor] do.
 *
 * Returns: the number; 0 with an error
 */
double
c2g_caffe_blob_data_at (C2gCaffeBlob  *self,
                        const gint64  *indices,
                        gsize          n_indices,
                        GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), 0);
  g_return_val_if_fail (indices != NULL || n_indices == 0, 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return value_at (self, C2G_CAFFE_DATA, indices, n_indices, error);
}

/**
 * c2g_caffe_blob_diff_at:
 * @self: a blob
 * @indices: (array length=n_indices): a position on each axis; 0 on the axes that are left out
 * @n_indices: how many positions
 * @error: return location for an error
 *
 * Gets one number of the diff.
 *
 * Fails as [method@CaffeBlob.data_at] does.
 *
 * Returns: the number; 0 with an error
 */
double
c2g_caffe_blob_diff_at (C2gCaffeBlob  *self,
                        const gint64  *indices,
                        gsize          n_indices,
                        GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), 0);
  g_return_val_if_fail (indices != NULL || n_indices == 0, 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return value_at (self, C2G_CAFFE_DIFF, indices, n_indices, error);
}

/* A signal handler may have reshaped the blob since the element was located. */
static gboolean
check_offset (C2gTensor  *tensor,
              gint64      offset,
              GError    **error)
{
  g_autofree char *text = NULL;

  if (tensor == NULL || offset < tensor->n_elements)
    return TRUE;

  text = c2g_shape_to_string (&offset, 1);
  return c2g_fail (error, C2G_ERROR_RANGE, _("There is no element %s"), text);
}

static void
put_value (C2gTensor *tensor,
           gint64     offset,
           double     value)
{
  char *elements = c2g_tensor_address (tensor);

  c2g_convert_items (c2g_tensor_get_data_type (tensor),
                     elements + (gsize) offset * c2g_tensor_get_item_size (tensor),
                     C2G_DATA_TYPE_DOUBLE, &value, 1, C2G_CONVERT_SATURATE, NULL);
}

/**
 * c2g_caffe_blob_set_value_at:
 * @self: a blob
 * @parts: the parts that get the number
 * @indices: (array length=n_indices): a position on each axis; 0 on the axes that are left out
 * @n_indices: how many positions
 * @value: a number
 * @error: return location for an error
 *
 * Sets one number, in the type that was written last.
 *
 * A number that the type cannot hold is converted, see “Numbers” of [class@MixedTensor].
 *
 * Fails with `C2G_ERROR_INVALID_ARGUMENT` if @parts are none, and as [method@CaffeBlob.offset] and
 * [method@CaffeBlob.ref_mutable_data_tensor] do; nothing changes then.
 *
 * Returns: whether the number was set
 */
gboolean
c2g_caffe_blob_set_value_at (C2gCaffeBlob   *self,
                             C2gCaffeParts   parts,
                             const gint64   *indices,
                             gsize           n_indices,
                             double          value,
                             GError        **error)
{
  g_autoptr (C2gTensor) data = NULL;
  g_autoptr (C2gTensor) diff = NULL;
  C2gTensor **tensors[] = { &data, &diff };
  gint64 offset;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (indices != NULL || n_indices == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_caffe_parts_check (parts, error))
    return FALSE;
  offset = c2g_caffe_blob_offset (self, indices, n_indices, error);
  if (offset < 0)
    return FALSE;

  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    {
      C2gMixedTensor *mixed = c2g_caffe_blob_private (self)->parts[i].tensor;

      if ((parts & 1u << i) == 0)
        continue;
      *tensors[i] = c2g_caffe_blob_ref_tensor (self, i, c2g_mixed_tensor_get_data_type (mixed), NULL,
                                               TRUE, error);
      if (*tensors[i] == NULL)
        return FALSE;
    }

  if (!check_offset (data, offset, error) || !check_offset (diff, offset, error))
    return FALSE;

  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if (*tensors[i] != NULL)
      put_value (*tensors[i], offset, value);
  return TRUE;
}

static gpointer
address_of (C2gCaffeBlob       *self,
            C2gCaffePartIndex   index,
            C2gDataType         data_type,
            C2gDevice          *device,
            C2gSyncedAccess     access,
            GError            **error)
{
  C2gCaffeBlobPrivate *priv;
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  priv = c2g_caffe_blob_private (self);
  if (check_size (priv, index, error))
    c2g_mixed_tensor_access (priv->parts[index].tensor, data_type, device, access, &address, error);
  return address;
}

/**
 * c2g_caffe_blob_data: (skip)
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the data in a type and place, for reading.
 *
 * The address is good until the next access of the data. Fails as
 * [method@CaffeBlob.ref_data_tensor] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gconstpointer
c2g_caffe_blob_data (C2gCaffeBlob  *self,
                     C2gDataType    data_type,
                     C2gDevice     *device,
                     GError       **error)
{
  return address_of (self, C2G_CAFFE_DATA, data_type, device, C2G_SYNCED_READ, error);
}

/**
 * c2g_caffe_blob_diff: (skip)
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the diff in a type and place, for reading.
 *
 * Does as [method@CaffeBlob.data] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gconstpointer
c2g_caffe_blob_diff (C2gCaffeBlob  *self,
                     C2gDataType    data_type,
                     C2gDevice     *device,
                     GError       **error)
{
  return address_of (self, C2G_CAFFE_DIFF, data_type, device, C2G_SYNCED_READ, error);
}

/**
 * c2g_caffe_blob_mutable_data: (skip)
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the data in a type and place, for writing.
 *
 * The type counts as written from now on. The address is good until the next access of the data.
 * Fails as [method@CaffeBlob.ref_mutable_data_tensor] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gpointer
c2g_caffe_blob_mutable_data (C2gCaffeBlob  *self,
                             C2gDataType    data_type,
                             C2gDevice     *device,
                             GError       **error)
{
  return address_of (self, C2G_CAFFE_DATA, data_type, device, C2G_SYNCED_WRITE, error);
}

/**
 * c2g_caffe_blob_mutable_diff: (skip)
 * @self: a blob
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the diff in a type and place, for writing.
 *
 * Does as [method@CaffeBlob.mutable_data] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gpointer
c2g_caffe_blob_mutable_diff (C2gCaffeBlob  *self,
                             C2gDataType    data_type,
                             C2gDevice     *device,
                             GError       **error)
{
  return address_of (self, C2G_CAFFE_DIFF, data_type, device, C2G_SYNCED_WRITE, error);
}
