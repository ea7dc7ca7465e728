/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-caffe-blob.h>

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* The shape of a blob, and c2g_caffe_blob_to_string(), which begins with it. Programs for older
 * versions of Caffe use four named dimensions: num, channels, height and width. */
#define N_NAMED_DIMS 4

enum
{
  NUM,
  CHANNELS,
  HEIGHT,
  WIDTH,
};

/**
 * c2g_caffe_blob_get_dims:
 * @self: a blob
 * @n_dims: (out): how many dimensions
 *
 * Gets the dimensions.
 *
 * Returns: (transfer none) (array length=n_dims): the dimensions
 */
const gint64 *
c2g_caffe_blob_get_dims (C2gCaffeBlob *self,
                         gsize        *n_dims)
{
  C2gCaffeBlobPrivate *priv;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (n_dims != NULL, NULL);

  priv = c2g_caffe_blob_private (self);
  *n_dims = priv->n_dims;
  return priv->dims;
}

/**
 * c2g_caffe_blob_get_n_elements:
 * @self: a blob
 *
 * Gets how many elements each part has.
 *
 * Returns: the product of the dimensions
 */
gint64
c2g_caffe_blob_get_n_elements (C2gCaffeBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), 0);

  return c2g_caffe_blob_private (self)->n_elements;
}

/**
 * c2g_caffe_blob_is_empty:
 * @self: a blob
 *
 * Tells whether there are no elements.
 *
 * Returns: whether a dimension is 0
 */
gboolean
c2g_caffe_blob_is_empty (C2gCaffeBlob *self)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), TRUE);

  return c2g_caffe_blob_private (self)->n_elements == 0;
}

/**
 * c2g_caffe_blob_canonical_axis:
 * @self: a blob
 * @axis: an axis; a negative one counts from the end
 * @error: return location for an error
 *
 * Finds which axis is meant.
 *
 * Returns: the axis, counted from the start, or -1 with `C2G_ERROR_SHAPE` if there is no such axis
 */
int
c2g_caffe_blob_canonical_axis (C2gCaffeBlob  *self,
                               int            axis,
                               GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  return c2g_shape_axis (axis, c2g_caffe_blob_private (self)->n_dims, error);
}

/**
 * c2g_caffe_blob_get_dim:
 * @self: a blob
 * @axis: an axis; a negative one counts from the end
 * @error: return location for an error
 *
 * Gets one dimension.
 *
 * Returns: the dimension, or -1 with `C2G_ERROR_SHAPE` if there is no such axis
 */
gint64
c2g_caffe_blob_get_dim (C2gCaffeBlob  *self,
                        int            axis,
                        GError       **error)
{
  int counted;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  counted = c2g_caffe_blob_canonical_axis (self, axis, error);
  return counted < 0 ? -1 : c2g_caffe_blob_private (self)->dims[counted];
}

/**
 * c2g_caffe_blob_count:
 * @self: a blob
 * @start_axis: the first axis
 * @end_axis: the axis after the last one; -1 means all axes
 * @error: return location for an error
 *
 * Computes the product of the dimensions in a range of axes.
 *
 * Returns: the product, 1 for an empty range, or -1 with `C2G_ERROR_SHAPE` if there is no such range,
 *   or `C2G_ERROR_RANGE` if the product is too large, which a dimension of 0 elsewhere allows
 */
gint64
c2g_caffe_blob_count (C2gCaffeBlob  *self,
                      int            start_axis,
                      int            end_axis,
                      GError       **error)
{
  C2gCaffeBlobPrivate *priv;
  gint64 product;
  gint64 end;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  priv = c2g_caffe_blob_private (self);
  end = end_axis == -1 ? (gint64) priv->n_dims : end_axis;
  if (start_axis >= 0 && start_axis <= end && end <= (gint64) priv->n_dims)
    return c2g_shape_count (priv->dims + start_axis, end - start_axis, &product, error) ? product : -1;

  g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
               _("There are no axes from %d to %d in %zu dimensions"), start_axis, end_axis,
               priv->n_dims);
  return -1;
}

/**
 * c2g_caffe_blob_offset:
 * @self: a blob
 * @indices: (array length=n_indices): an index for each axis; 0 for missing ones
 * @n_indices: the number of indices
 * @error: return location for an error
 *
 * Computes the position of an element among all elements.
 *
 * Returns: its position, or -1 with `C2G_ERROR_SHAPE` if there are more positions than axes, or
 *   `C2G_ERROR_RANGE` if there is no such element
 */
gint64
c2g_caffe_blob_offset (C2gCaffeBlob  *self,
                       const gint64  *indices,
                       gsize          n_indices,
                       GError       **error)
{
  C2gCaffeBlobPrivate *priv;
  g_autofree char *text = NULL;
  gboolean is_inside = TRUE;
  gint64 offset = 0;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), -1);
  g_return_val_if_fail (indices != NULL || n_indices == 0, -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  priv = c2g_caffe_blob_private (self);
  if (n_indices > priv->n_dims)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                   _("Got a position on %zu axes of a blob that has %zu"), n_indices, priv->n_dims);
      return -1;
    }

  /* The product of all dimensions fits into a gint64, so the position of an element inside does
   * too. */
  is_inside = priv->n_elements > 0;
  for (gsize i = 0; i < priv->n_dims && is_inside; i++)
    {
      const gint64 index = i < n_indices ? indices[i] : 0;

      is_inside = index >= 0 && index < priv->dims[i];
      offset = is_inside ? offset * priv->dims[i] + index : 0;
    }
  if (is_inside)
    return offset;

  text = c2g_shape_to_string (indices, n_indices);
  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE, _("There is no element %s"), text);
  return -1;
}

/* Returns one of the four named dimensions; missing ones are 1. Fails for blobs with more than
 * four. */
static gint64
get_named_dim (C2gCaffeBlob  *self,
               gsize          axis,
               GError       **error)
{
  C2gCaffeBlobPrivate *priv;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  priv = c2g_caffe_blob_private (self);
  if (priv->n_dims <= N_NAMED_DIMS)
    return axis < priv->n_dims ? priv->dims[axis] : 1;

  g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
               _("Only %d dimensions have names, and the blob has %zu"), N_NAMED_DIMS, priv->n_dims);
  return -1;
}

/**
 * c2g_caffe_blob_get_num:
 * @self: a blob
 * @error: return location for an error
 *
 * Gets the first of four dimensions, the number of pictures.
 *
 * Returns: the dimension; 1 if there is none; or -1 with `C2G_ERROR_SHAPE` if there are more than four
 */
gint64
c2g_caffe_blob_get_num (C2gCaffeBlob  *self,
                        GError       **error)
{
  return get_named_dim (self, NUM, error);
}

/**
 * c2g_caffe_blob_get_channels:
 * @self: a blob
 * @error: return location for an error
 *
 * Gets the second of four dimensions, the number of channels.
 *
 * Returns: the dimension; 1 if there is none; or -1 with `C2G_ERROR_SHAPE` if there are more than four
 */
gint64
c2g_caffe_blob_get_channels (C2gCaffeBlob  *self,
                             GError       **error)
{
  return get_named_dim (self, CHANNELS, error);
}

/**
 * c2g_caffe_blob_get_height:
 * @self: a blob
 * @error: return location for an error
 *
 * Gets the third of four dimensions, the height of pictures.
 *
 * Returns: the dimension; 1 if there is none; or -1 with `C2G_ERROR_SHAPE` if there are more than four
 */
gint64
c2g_caffe_blob_get_height (C2gCaffeBlob  *self,
                           GError       **error)
{
  return get_named_dim (self, HEIGHT, error);
}

/**
 * c2g_caffe_blob_get_width:
 * @self: a blob
 * @error: return location for an error
 *
 * Gets the fourth of four dimensions, the width of pictures.
 *
 * Returns: the dimension; 1 if there is none; or -1 with `C2G_ERROR_SHAPE` if there are more than four
 */
gint64
c2g_caffe_blob_get_width (C2gCaffeBlob  *self,
                          GError       **error)
{
  return get_named_dim (self, WIDTH, error);
}

/**
 * c2g_caffe_blob_dup_shape_string:
 * @self: a blob
 *
 * Describes the shape as Caffe does.
 *
 * Returns: (transfer full): the dimensions and their product, such as “2 3 (6)”
 */
char *
c2g_caffe_blob_dup_shape_string (C2gCaffeBlob *self)
{
  C2gCaffeBlobPrivate *priv;
  GString *text;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);

  priv = c2g_caffe_blob_private (self);
  text = g_string_new (NULL);
  for (gsize i = 0; i < priv->n_dims; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " ", priv->dims[i]);
  g_string_append_printf (text, "(%" G_GINT64_FORMAT ")", priv->n_elements);

  return g_string_free (text, FALSE);
}

/**
 * c2g_caffe_blob_to_string:
 * @self: a blob
 *
 * Describes the blob, its parts and their memory, for people.
 *
 * Returns: (transfer full): text of several lines
 */
char *
c2g_caffe_blob_to_string (C2gCaffeBlob *self)
{
  g_autofree char *shape = NULL;
  g_autofree char *data = NULL;
  g_autofree char *diff = NULL;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);

  shape = c2g_caffe_blob_dup_shape_string (self);
  data = c2g_mixed_tensor_to_string (c2g_caffe_blob_get_data (self));
  diff = c2g_mixed_tensor_to_string (c2g_caffe_blob_get_diff (self));
  return g_strdup_printf ("%s\ndata: %s\ndiff: %s", shape, data, diff);
}

gboolean
c2g_caffe_blob_check_shape (C2gCaffeBlob  *self,
                            const gint64  *dims,
                            gsize          n_dims,
                            GError       **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (self);
  g_autofree char *expected = NULL;
  g_autofree char *got = NULL;

  if (c2g_shape_equal (priv->dims, priv->n_dims, dims, n_dims))
    return TRUE;

  expected = c2g_shape_to_string (priv->dims, priv->n_dims);
  got = c2g_shape_to_string (dims, n_dims);
  return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected a blob of shape %s, got %s"), expected, got);
}

/* Caffe's kernels take dimensions as 32-bit integers. */
static GBytes *
new_dims32 (const gint64  *dims,
            gsize          n_dims,
            GError       **error)
{
  g_autofree gint32 *dims32 = g_new (gint32, n_dims);

  for (gsize i = 0; i < n_dims; i++)
    {
      if (dims[i] > G_MAXINT32)
        return c2g_fail_null (error, C2G_ERROR_RANGE,
                              _("The dimension %" PRId64 " has more than 32 bits"), dims[i]);
      dims32[i] = (gint32) dims[i];
    }
  return g_bytes_new_take (g_steal_pointer (&dims32), n_dims * sizeof *dims32);
}

static C2gSyncedMemory *
new_gpu_shape (C2gCaffeBlobPrivate  *priv,
               const gint64         *dims,
               gsize                 n_dims,
               GError              **error)
{
  g_autofree char *name = priv->name != NULL ? g_strdup_printf ("%s/shape", priv->name) : NULL;
  g_autoptr (GBytes) bytes = new_dims32 (dims, n_dims, error);
  g_autoptr (C2gSyncedMemory) memory = NULL;

  if (bytes == NULL)
    return NULL;

  memory = g_object_new (C2G_TYPE_SYNCED_MEMORY, "n-bytes", (guint64) g_bytes_get_size (bytes),
                         "device", priv->device, "name", name != NULL ? name : "shape", NULL);
  return c2g_synced_memory_set_bytes (memory, bytes, error) ? g_steal_pointer (&memory) : NULL;
}

/* Allocators are foreign code and may reshape the blob. So the new memory is cached only if the
 * shape is still the same. */
static C2gSyncedMemory *
make_gpu_shape (C2gCaffeBlobPrivate  *priv,
                GError              **error)
{
  const gsize n_dims = priv->n_dims;
  g_autofree gint64 *dims = c2g_mixed_dup_dims (priv->dims, n_dims);
  C2gSyncedMemory *memory = new_gpu_shape (priv, dims, n_dims, error);

  if (memory != NULL && c2g_shape_equal (priv->dims, priv->n_dims, dims, n_dims) &&
      g_atomic_pointer_compare_and_exchange (&priv->gpu_shape, NULL, memory))
    g_object_ref (memory);
  return memory;
}

/**
 * c2g_caffe_blob_ref_gpu_shape:
 * @self: a blob
 * @error: return location for an error
 *
 * Gets the dimensions as 32-bit integers, in a memory for use on the device.
 *
 * They are copied to the device when they are first read there. The memory is valid for the present
 * shape of the blob, and must not be written.
 *
 * Returns: (transfer full): a memory, or `NULL` with `C2G_ERROR_RANGE` if a dimension is too large, or
 *   `C2G_ERROR_NO_MEMORY`
 */
C2gSyncedMemory *
c2g_caffe_blob_ref_gpu_shape (C2gCaffeBlob  *self,
                              GError       **error)
{
  C2gCaffeBlobPrivate *priv;
  C2gSyncedMemory *memory;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  priv = c2g_caffe_blob_private (self);
  memory = g_atomic_pointer_get (&priv->gpu_shape);
  return memory != NULL ? g_object_ref (memory) : make_gpu_shape (priv, error);
}
