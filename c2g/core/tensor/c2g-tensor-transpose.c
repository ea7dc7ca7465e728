/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-transpose-private.h>

#include <c2g/core/tensor/c2g-far-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Permutes the axes of tensors: c2g_tensor_transpose(). */

/* Returns the axes counted from the beginning; NULL with an error if they are not a permutation. */
static int *
new_permutation (const int  *axes,
                 gsize       n_axes,
                 gsize       n_dims,
                 GError    **error)
{
  g_autofree int *permutation = g_new (int, n_dims + 1);
  g_autofree gboolean *is_taken = g_new0 (gboolean, n_dims + 1);

  if (n_axes != 0 && n_axes != n_dims)
    return c2g_fail_null (error, C2G_ERROR_SHAPE, _("Expected %zu axes, got %zu"), n_dims, n_axes);

  for (gsize i = 0; i < n_dims; i++)
    {
      const int axis = n_axes > 0 ? c2g_shape_axis (axes[i], n_dims, error) : (int) (n_dims - 1 - i);

      if (axis < 0)
        return NULL;
      if (is_taken[axis])
        return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT, _("The axis %d is there twice"),
                              axis);
      is_taken[axis] = TRUE;
      permutation[i] = axis;
    }

  return g_steal_pointer (&permutation);
}

static gboolean
permute_far (C2gTensor  *source,
             const int  *axes,
             C2gTensor  *permuted,
             GError    **error)
{
  C2gFar far;

  return c2g_far_begin (&far, source, permuted, error) &&
         c2g_far_end (&far,
                      C2G_FAR_COMPUTE (&far, error, C2G_COMPUTE_KIND_TRANSPOSE,
                                       .item_size = source->meta->item_size, .dims = source->dims,
                                       .n_dims = source->n_dims, .order = axes,
                                       .x = c2g_tensor_address (far.self),
                                       .y = c2g_tensor_address (far.other)),
                      error);
}

static gboolean
permute_near (C2gTensor  *source,
              const int  *axes,
              C2gTensor  *permuted,
              GError    **error)
{
  if (source->n_elements > 0)
    c2g_transpose (source->meta, NULL, source->dims, source->n_dims, axes,
                   c2g_tensor_address (source), c2g_tensor_address (permuted));

  /* If an operator called this, the run of its net may have been cancelled, which ended the loops
   * early. */
  return c2g_interrupt_conclude (c2g_interrupt_cancellable, TRUE, error);
}

/* Transposes a tensor that nobody else can change into a new tensor on the same device. */
static C2gTensor *
new_permuted (C2gTensor  *source,
              const int  *axes,
              GError    **error)
{
  const gboolean is_far = c2g_far_has (source, C2G_COMPUTE_KIND_TRANSPOSE);
  g_autofree gint64 *dims = g_new (gint64, source->n_dims + 1);
  g_autoptr (C2gTensor) permuted = NULL;

  for (gsize i = 0; i < source->n_dims; i++)
    dims[i] = source->dims[axes[i]];

  permuted = c2g_tensor_new_sized (dims, source->n_dims, source->device, error);
  return permuted != NULL && c2g_tensor_allocate_meta (permuted, source->meta, error) &&
                 (is_far ? permute_far : permute_near) (source, axes, permuted, error)
           ? g_steal_pointer (&permuted)
           : NULL;
}

/* Transposes on the CPU for a device without the function. */
static C2gTensor *
new_permuted_by_cpu (C2gTensor  *source,
                     const int  *axes,
                     GError    **error)
{
  g_autoptr (C2gTensor) near = c2g_tensor_hold_on_cpu (source, error);
  g_autoptr (C2gTensor) permuted = near != NULL ? new_permuted (near, axes, error) : NULL;

  if (permuted == NULL || source->device->type == C2G_DEVICE_TYPE_CPU)
    return g_steal_pointer (&permuted);

  return c2g_tensor_to_device (permuted, source->device, error);
}

/**
 * c2g_tensor_transpose:
 * @self: a tensor of plain elements, with data, on any device
 * @axes: (array length=n_axes) (nullable): for each axis of the result the axis of @self, counted
 *   from the end if negative; `NULL` reverses the axes
 * @n_axes: the number of axes
 * @error: return location for an error
 *
 * Creates a tensor with the axes in another order.
 *
 * It has memory of its own on the same device. CUDA devices transpose themselves, and the call does
 * not wait for them; tensors of more than eight dimensions are transposed on the CPU. In a net, the
 * operator `Transpose` does the same.
 *
 * ```python
 * nchw = nhwc.transpose([0, 3, 1, 2])
 * ```
 *
 * Fails with `C2G_ERROR_SHAPE` if there is no such axis, if the number of axes differs from that of
 * the tensor, or without a shape; `C2G_ERROR_INVALID_ARGUMENT` if an axis occurs twice;
 * `C2G_ERROR_TYPE` if the elements are not plain bytes; `C2G_ERROR_FAILED` without data;
 * `C2G_ERROR_NO_MEMORY`; and `G_IO_ERROR_CANCELLED` if the net that called this is cancelled.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_tensor_transpose (C2gTensor  *self,
                      const int  *axes,
                      gsize       n_axes,
                      GError    **error)
{
  g_autoptr (C2gTensor) held = NULL;
  g_autoptr (C2gTensor) permuted = NULL;
  g_autofree int *permutation = NULL;
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (axes != NULL || n_axes == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_tensor_check_data (self, error) || !c2g_tensor_check_plain (self, error))
    return NULL;
  held = c2g_tensor_new_sharing (self);
  permutation = new_permutation (axes, n_axes, held->n_dims, error);
  if (permutation == NULL)
    return NULL;
  if (!c2g_far_has (held, C2G_COMPUTE_KIND_TRANSPOSE))
    return new_permuted_by_cpu (held, permutation, error);

  permuted = new_permuted (held, permutation, &local_error);
  /* The tensor has more dimensions than the device supports. */
  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    return new_permuted_by_cpu (held, permutation, error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));

  return g_steal_pointer (&permuted);
}
