/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-caffe-blob.h>

#include <c2g/core/types/c2g-error-private.h>

/* Blobs share a part by using the same mixed tensor. The blob that made a tensor lends it, and must
 * not borrow it back. */

static gboolean
check_count (gint64    n_elements,
             gint64    n_others,
             GError  **error)
{
  if (n_elements == n_others)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("Expected a blob of %" PRId64 " elements, got one of %" PRId64), n_elements,
                   n_others);
}

/* Checks that the tensor was not made by this blob: a blob must not borrow its own tensor, directly
 * or through other blobs. */
static gboolean
check_no_circle (C2gCaffeBlobPrivate  *priv,
                 C2gCaffePartIndex     index,
                 C2gMixedTensor       *tensor,
                 GError              **error)
{
  if (tensor == priv->parts[index].tensor)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The blob has these elements of its own: the other blob shares them already, or it is the blob itself"));
  else if (tensor == priv->parts[!index].tensor)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("The %s cannot share the elements of the other part"),
                 c2g_caffe_part_name (index));
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_sharable (C2gCaffeBlobPrivate  *priv,
                C2gCaffePartIndex     index,
                C2gMixedTensor       *tensor,
                GError              **error)
{
  const C2gCaffePart *part = &priv->parts[index];
  const C2gDataType type = c2g_mixed_tensor_get_data_type (part->tensor);
  const C2gDataType other_type = c2g_mixed_tensor_get_data_type (tensor);

  if (!check_no_circle (priv, index, tensor, error))
    return FALSE;
  if (part->is_locked && type != other_type)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("A blob of type “%s” cannot share elements of type “%s”"),
                 c2g_data_type_get_name (type), c2g_data_type_get_name (other_type));
  else if (c2g_mixed_tensor_get_device (tensor) != priv->device)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("A blob on %s cannot share elements on %s"), c2g_device_to_string (priv->device),
                 c2g_device_to_string (c2g_mixed_tensor_get_device (tensor)));
  else if (c2g_mixed_tensor_get_n_elements (tensor) < priv->n_elements)
    g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                 _("A blob of %" PRId64 " elements cannot share a tensor of %" PRId64),
                 priv->n_elements, c2g_mixed_tensor_get_n_elements (tensor));
  else
    return TRUE;

  return FALSE;
}

static gboolean
share_part (C2gCaffeBlob       *self,
            C2gCaffePartIndex   index,
            C2gMixedTensor     *tensor,
            GError            **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (self);
  C2gCaffePart *part = &priv->parts[index];

  /* Layers share in every run, so this case is frequent. */
  if (tensor == part->tensor && part->is_borrowed)
    return TRUE;
  if (!check_sharable (priv, index, tensor, error))
    return FALSE;

  c2g_caffe_part_use (part, tensor, TRUE, part->is_locked);
  c2g_caffe_blob_tell_part (self, index);
  return TRUE;
}

static gboolean
share_with (C2gCaffeBlob       *self,
            C2gCaffePartIndex   index,
            C2gCaffeBlob       *other,
            GError            **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (other);

  return check_count (c2g_caffe_blob_get_n_elements (self), priv->n_elements, error) &&
         share_part (self, index, priv->parts[index].tensor, error);
}

/**
 * c2g_caffe_blob_share_data:
 * @self: a blob
 * @other: a blob with the same number of elements
 * @error: return location for an error
 *
 * Makes this blob share the data of another one.
 *
 * Fails as [method@CaffeBlob.share_tensor] does, and with `C2G_ERROR_SHAPE` if @other has another
 * number of elements.
 *
 * Returns: `TRUE` if the data are shared
 */
gboolean
c2g_caffe_blob_share_data (C2gCaffeBlob  *self,
                           C2gCaffeBlob  *other,
                           GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (other), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return share_with (self, C2G_CAFFE_DATA, other, error);
}

/**
 * c2g_caffe_blob_share_diff:
 * @self: a blob
 * @other: a blob with the same number of elements
 * @error: return location for an error
 *
 * Makes this blob share the diff of another one.
 *
 * Fails as [method@CaffeBlob.share_data] does.
 *
 * Returns: `TRUE` if the diff is shared
 */
gboolean
c2g_caffe_blob_share_diff (C2gCaffeBlob  *self,
                           C2gCaffeBlob  *other,
                           GError       **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (other), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return share_with (self, C2G_CAFFE_DIFF, other, error);
}

/**
 * c2g_caffe_blob_share_tensor:
 * @self: a blob
 * @part: the data or the diff
 * @tensor: a mixed tensor with at least as many elements as the blob
 * @error: return location for an error
 *
 * Makes a mixed tensor a part of the blob.
 *
 * It may be the data or the diff of another blob, and data may be shared with a diff. Sharing the
 * same tensor again has no effect.
 *
 * Fails with `C2G_ERROR_INVALID_ARGUMENT` if @part is not exactly one part, or if the tensor is the
 * blob's own or its other part; `C2G_ERROR_TYPE` if the blob is a [class@CaffeTBlob] of another
 * type; `C2G_ERROR_DEVICE` if the tensor is on another device; and `C2G_ERROR_SHAPE` if it is too
 * small. After a failure nothing has changed.
 *
 * Returns: `TRUE` if the tensor is shared
 */
gboolean
c2g_caffe_blob_share_tensor (C2gCaffeBlob    *self,
                             C2gCaffeParts    part,
                             C2gMixedTensor  *tensor,
                             GError         **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (part == C2G_CAFFE_PARTS_DATA || part == C2G_CAFFE_PARTS_DIFF)
    return share_part (self, part == C2G_CAFFE_PARTS_DATA ? C2G_CAFFE_DATA : C2G_CAFFE_DIFF, tensor,
                       error);

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("A tensor is shared by one part of a blob"));
}
