/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Reads the dimensions, and changes them without touching the block. */

static void
store_dims (C2gTensor    *self,
            const gint64 *dims,
            gsize         n_dims)
{
  gint64 *old = self->dims;

  if (G_LIKELY (n_dims <= C2G_TENSOR_N_INLINE_DIMS))
    self->dims = self->inline_dims;
  else
    self->dims = g_new (gint64, n_dims);

  /* Copied in ascending order, because a shape may be set to a part of itself. A loop is faster
   * than memmove() for a few dimensions. */
  for (gsize i = 0; i < n_dims; i++)
    self->dims[i] = dims[i];
  if (G_UNLIKELY (old != self->inline_dims))
    g_free (old);

  self->n_dims = n_dims;
}

void
c2g_tensor_assign_dims (C2gTensor        *self,
                        const gint64     *dims,
                        gsize             n_dims,
                        gint64            n_elements,
                        C2gTensorChanges *changes)
{
  if (self->is_defined && c2g_shape_equal (self->dims, self->n_dims, dims, n_dims))
    return;

  store_dims (self, dims, n_dims);
  self->n_elements = n_elements;
  self->is_defined = TRUE;
  changes->what |= C2G_TENSOR_DIMS_CHANGED;
}

/**
 * c2g_tensor_get_dims:
 * @self: a tensor
 * @n_dims: (out): how many dimensions
 *
 * Gets the dimensions.
 *
 * Returns: (transfer none) (array length=n_dims): the dimensions; none for a
 *   scalar and for a tensor without a shape
 */
const gint64 *
c2g_tensor_get_dims (C2gTensor *self,
                     gsize     *n_dims)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (n_dims != NULL, NULL);

  *n_dims = self->n_dims;

  return self->dims;
}

/**
 * c2g_tensor_get_n_dims:
 * @self: a tensor
 *
 * Counts the dimensions.
 *
 * Returns: how many; 0 for a scalar and for a tensor without a shape
 */
gsize
c2g_tensor_get_n_dims (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return self->n_dims;
}

/**
 * c2g_tensor_get_dim:
 * @self: a tensor
 * @axis: which dimension, counted from the end if negative
 * @error: return location for an error
 *
 * Gets one dimension.
 *
 * Returns: the dimension, or -1 with `C2G_ERROR_SHAPE` if there is no such axis
 */
gint64
c2g_tensor_get_dim (C2gTensor  *self,
                    int         axis,
                    GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  axis = c2g_shape_axis (axis, self->n_dims, error);

  return axis >= 0 ? self->dims[axis] : -1;
}

/**
 * c2g_tensor_get_dim32:
 * @self: a tensor
 * @axis: which dimension, counted from the end if negative
 * @error: return location for an error
 *
 * Gets one dimension as a 32-bit integer.
 *
 * Returns: the dimension, or -1 with `C2G_ERROR_RANGE` if it is greater than
 *   `G_MAXINT`, with `C2G_ERROR_SHAPE` if there is no such axis
 */
int
c2g_tensor_get_dim32 (C2gTensor  *self,
                      int         axis,
                      GError    **error)
{
  gint64 dim = c2g_tensor_get_dim (self, axis, error);

  if (dim <= G_MAXINT)
    return (int) dim;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("Expected a dimension of at most %d, got %" PRId64), G_MAXINT, dim);
  return -1;
}

/**
 * c2g_tensor_get_n_elements:
 * @self: a tensor
 *
 * Counts the elements.
 *
 * Returns: the product of the dimensions; 1 for a scalar, 0 without a shape
 */
gint64
c2g_tensor_get_n_elements (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return self->n_elements;
}

/**
 * c2g_tensor_get_item_size:
 * @self: a tensor
 *
 * Gets the size of an element.
 *
 * Returns: bytes, 0 while the type is not known
 */
gsize
c2g_tensor_get_item_size (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return self->meta != NULL ? self->meta->item_size : 0;
}

/**
 * c2g_tensor_get_n_bytes:
 * @self: a tensor
 *
 * Gets the size of all elements.
 *
 * Returns: bytes, 0 while the type is not known
 */
gsize
c2g_tensor_get_n_bytes (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return c2g_tensor_byte_size (self);
}

/**
 * c2g_tensor_is_defined:
 * @self: a tensor
 *
 * Tells whether the tensor has a shape.
 *
 * Returns: whether it was given one
 */
gboolean
c2g_tensor_is_defined (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);

  return self->is_defined;
}

/**
 * c2g_tensor_is_contiguous:
 * @self: a tensor
 *
 * Tells whether the elements lie in row-major order without gaps.
 *
 * Returns: `TRUE`: there are no other tensors
 */
gboolean
c2g_tensor_is_contiguous (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);

  return TRUE;
}

/**
 * c2g_tensor_canonical_axis:
 * @self: a tensor
 * @axis: an axis, counted from the end if negative
 * @error: return location for an error
 *
 * Counts an axis from the beginning.
 *
 * Returns: the axis from 0 on, or -1 with `C2G_ERROR_SHAPE` if there is none
 */
int
c2g_tensor_canonical_axis (C2gTensor  *self,
                           int         axis,
                           GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  return c2g_shape_axis (axis, self->n_dims, error);
}

/* Returns the product of the dimensions from first to before last, in either order. */
static gint64
product (C2gTensor  *self,
         int         first,
         int         last,
         GError    **error)
{
  gint64 n_elements;

  if (first < 0 || last < 0 || (gsize) first > self->n_dims || (gsize) last > self->n_dims)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                   _("Expected an axis from 0 to %zu, got %d"), self->n_dims,
                   first < 0 || (gsize) first > self->n_dims ? first : last);
      return -1;
    }

  if (!c2g_shape_count (self->dims + MIN (first, last), (gsize) ABS (last - first), &n_elements,
                        error))
    return -1;

  return n_elements;
}

/**
 * c2g_tensor_size_from_dim:
 * @self: a tensor
 * @axis: the first axis, up to the number of dimensions
 * @error: return location for an error
 *
 * Multiplies the dimensions from an axis on.
 *
 * Returns: the product, or -1 with `C2G_ERROR_SHAPE` if there is no such axis
 */
gint64
c2g_tensor_size_from_dim (C2gTensor  *self,
                          int         axis,
                          GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  return product (self, axis, (int) self->n_dims, error);
}

/**
 * c2g_tensor_size_to_dim:
 * @self: a tensor
 * @axis: the axis behind the last, up to the number of dimensions
 * @error: return location for an error
 *
 * Multiplies the dimensions before an axis.
 *
 * Returns: the product, or -1 with `C2G_ERROR_SHAPE` if there is no such axis
 */
gint64
c2g_tensor_size_to_dim (C2gTensor  *self,
                        int         axis,
                        GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  return product (self, 0, axis, error);
}

/**
 * c2g_tensor_size_between_dims:
 * @self: a tensor
 * @first_axis: an axis
 * @second_axis: another axis, before or after it
 * @error: return location for an error
 *
 * Multiplies the dimensions between two axes, both left out.
 *
 * Returns: the product, or -1 with `C2G_ERROR_SHAPE` if there is no such axis
 */
gint64
c2g_tensor_size_between_dims (C2gTensor  *self,
                              int         first_axis,
                              int         second_axis,
                              GError    **error)
{
  int first = MIN (first_axis, second_axis);
  int last = MAX (first_axis, second_axis);

  g_return_val_if_fail (C2G_IS_TENSOR (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  if (first < 0 || (gsize) last >= self->n_dims)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                   _("Expected axes below %zu, got %d and %d"), self->n_dims,
                   first_axis, second_axis);
      return -1;
    }

  return product (self, MIN (first + 1, last), last, error);
}

/**
 * c2g_tensor_reshape:
 * @self: a tensor
 * @dims: (array length=n_dims): other dimensions with the same product
 * @n_dims: how many dimensions
 * @error: return location for an error
 *
 * Gives the same elements another shape.
 *
 * Fails with `C2G_ERROR_SHAPE` if the number of elements would change.
 *
 * Returns: whether the tensor has the shape
 */
gboolean
c2g_tensor_reshape (C2gTensor     *self,
                    const gint64  *dims,
                    gsize          n_dims,
                    GError       **error)
{
  C2gTensorChanges changes = { 0 };
  gint64 n_elements;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (dims != NULL || n_dims == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_shape_count (dims, n_dims, &n_elements, error))
    return FALSE;

  if (!self->is_defined || n_elements != self->n_elements)
    {
      g_autofree char *own = c2g_shape_to_string (self->dims, self->n_dims);
      g_autofree char *wanted = c2g_shape_to_string (dims, n_dims);

      return c2g_fail (error, C2G_ERROR_SHAPE,
                       _("A tensor of shape %s with %" PRId64
                         " elements cannot be reshaped to %s with %" PRId64),
                       self->is_defined ? own : _("undefined"), self->n_elements, wanted,
                       n_elements);
    }

  c2g_tensor_assign_dims (self, dims, n_dims, n_elements, &changes);
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/**
 * c2g_tensor_shrink:
 * @self: a tensor
 * @outer_dim: a first dimension that is not greater than the present one
 * @error: return location for an error
 *
 * Drops the last elements along the first dimension.
 *
 * Only the shape changes: the block and its capacity stay, shared or not.
 *
 * Fails with `C2G_ERROR_SHAPE` if there is no first dimension, and with
 * `C2G_ERROR_RANGE` if @outer_dim is negative or greater than it.
 *
 * Returns: whether the tensor has the shape
 */
gboolean
c2g_tensor_shrink (C2gTensor  *self,
                   gint64      outer_dim,
                   GError    **error)
{
  C2gTensorChanges changes = { 0 };

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self->n_dims == 0)
    return c2g_fail (error, C2G_ERROR_SHAPE, _("A tensor without dimensions cannot be shrunk"));

  if (outer_dim < 0 || outer_dim > self->dims[0])
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Expected a first dimension from 0 to %" PRId64 ", got %" PRId64),
                     self->dims[0], outer_dim);

  if (outer_dim != self->dims[0])
    {
      self->n_elements = self->n_elements / self->dims[0] * outer_dim;
      self->dims[0] = outer_dim;
      changes.what |= C2G_TENSOR_DIMS_CHANGED;
    }
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}
