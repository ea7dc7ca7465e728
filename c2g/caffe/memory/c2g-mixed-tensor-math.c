/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/caffe/memory/c2g-mixed-tensor.h>

#include <c2g/core/tensor/c2g-tensor-math.h>

/* Arithmetic of mixed tensors. It is done in the type that was written last, on the device where
 * the elements are. */

static gboolean
fill_items (C2gTensor  *items,
            gpointer    data,
            GError    **error)
{
  return c2g_numbers_fill (items, *(const double *) data, error);
}

/**
 * c2g_mixed_tensor_fill:
 * @self: a mixed tensor
 * @value: a number
 * @error: return location for an error
 *
 * Sets every element, in the type that was written last, where it is.
 *
 * A number that the type cannot hold is converted as any other, see “Numbers” of the class.
 *
 * Fails with `C2G_ERROR_BUSY` within an allocation for the same tensor, `C2G_ERROR_NO_MEMORY`, and
 * `C2G_ERROR_DEVICE`; nothing changes then. Only a device that accepts the work and fails in the midst
 * of it leaves elements undefined.
 *
 * Returns: whether the elements were set
 */
gboolean
c2g_mixed_tensor_fill (C2gMixedTensor  *self,
                       double           value,
                       GError         **error)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_mixed_tensor_compute (self, C2G_SYNCED_OVERWRITE, NULL, fill_items, &value, error);
}

typedef struct
{
  double     factor;
  C2gTensor *x;
} Update;

static gboolean
update_items (C2gTensor  *items,
              gpointer    data,
              GError    **error)
{
  const Update *update = data;

  return c2g_numbers_update (items, update->factor, update->x, error);
}

/**
 * c2g_mixed_tensor_scale:
 * @self: a mixed tensor
 * @factor: a number
 * @error: return location for an error
 *
 * Multiplies every element, in the type that was written last, where it is.
 *
 * Products of 16-bit floating-point types are computed as floats, those of integers as doubles; an
 * integer whose double does not change is left as it is, however large. Integers of 64 bits come to
 * the CPU for that, and go back. A product that the type cannot hold is converted, see “Numbers” of
 * the class.
 *
 * Fails as [method@MixedTensor.fill] does.
 *
 * Returns: whether the elements were multiplied
 */
gboolean
c2g_mixed_tensor_scale (C2gMixedTensor  *self,
                        double           factor,
                        GError         **error)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_mixed_tensor_compute (self, C2G_SYNCED_WRITE, NULL, update_items, &(Update) { factor }, error);
}

/**
 * c2g_mixed_tensor_axpy:
 * @self: a mixed tensor
 * @factor: a number
 * @x: a mixed tensor with as many elements, which may be the same one
 * @error: return location for an error
 *
 * Adds @factor times @x, each in the type that was written last, where it is.
 *
 * The type of @self stays, and so does the place where it is. A floating-point type that has all numbers
 * of the other one is computed in, see [method@Tensor.axpby]; otherwise, and for integers, sums are computed as
 * doubles and rounded once. An integer whose double does not change is left as it is. A sum that the type
 * cannot hold is converted, see “Numbers” of the class.
 *
 * Fails with `C2G_ERROR_SHAPE` if @x has another number of elements, and as
 * [method@MixedTensor.scale] does.
 *
 * Returns: whether it was added
 */
gboolean
c2g_mixed_tensor_axpy (C2gMixedTensor  *self,
                       double           factor,
                       C2gMixedTensor  *x,
                       GError         **error)
{
  g_autoptr (C2gTensor) held = NULL;
  gint64 n;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (x), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_mixed_check_count (self, x->n_elements, error))
    return FALSE;

  held = c2g_mixed_tensor_ref_written (x, error);
  if (held == NULL)
    return FALSE;

  n = held->n_elements;
  return c2g_tensor_reshape (held, &n, 1, error) &&
         c2g_mixed_tensor_compute (self, C2G_SYNCED_WRITE, held, update_items, &(Update) { factor, held }, error);
}

/* Common part of the three functions below; checks their arguments. */
static double
measure (C2gMixedTensor  *self,
         C2gNumbersFunc   func,
         GError         **error)
{
  g_autoptr (C2gTensor) held = NULL;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  held = c2g_mixed_tensor_ref_written (self, error);
  return held != NULL ? c2g_numbers_measure (held, func, error) : 0;
}

/**
 * c2g_mixed_tensor_asum:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Sums the absolute values, of the type that was written last, where they are.
 *
 * The sum is a double. It is NaN if an element is.
 *
 * Fails as [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_mixed_tensor_asum (C2gMixedTensor  *self,
                       GError         **error)
{
  return measure (self, c2g_tensor_asum, error);
}

/**
 * c2g_mixed_tensor_amax:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Finds the largest absolute value, of the type that was written last, where they are.
 *
 * It is NaN if an element is, and 0 if there are no elements.
 *
 * Fails as [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the value; 0 with an error
 */
double
c2g_mixed_tensor_amax (C2gMixedTensor  *self,
                       GError         **error)
{
  return measure (self, c2g_tensor_amax, error);
}

/**
 * c2g_mixed_tensor_sumsq:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Sums the squares, of the type that was written last, where they are.
 *
 * The sum is a double. It is NaN if an element is.
 *
 * Fails as [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_mixed_tensor_sumsq (C2gMixedTensor  *self,
                        GError         **error)
{
  return measure (self, c2g_tensor_sumsq, error);
}
