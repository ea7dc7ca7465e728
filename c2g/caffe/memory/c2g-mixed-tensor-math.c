/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/c2g-items-math-private.h>
#include <c2g/core/c2g-tensor-private.h>

/* Arithmetic on the type that was written last, on the CPU. */

/* A tensor with the elements of the type that was written last.  It never changes, so that neither
 * signal handlers nor other threads get in the way. */
static C2gTensor *
ref_row (C2gMixedTensor  *self,
         C2gItemRow      *row,
         GError         **error)
{
  C2gTensor *tensor = c2g_mixed_tensor_ref_tensor (self, c2g_mixed_tensor_get_data_type (self), NULL,
                                                   error);

  if (tensor != NULL)
    *row = (C2gItemRow) { tensor->meta->data_type, tensor->meta->item_size, (gsize) tensor->n_elements,
                          c2g_tensor_address (tensor) };
  return tensor;
}

static gboolean
fill_row (const C2gItemRow  *row,
          gpointer           data,
          GError           **error)
{
  c2g_item_row_fill (row, *(const double *) data);
  return TRUE;
}

/**
 * c2g_mixed_tensor_fill:
 * @self: a mixed tensor
 * @value: a number
 * @error: return location for an error
 *
 * Sets every element, in the type that was written last, on the CPU.
 *
 * A number that the type cannot hold is converted as any other, see “Numbers” of the class.
 *
 * Fails with `C2G_ERROR_BUSY` if somebody holds the elements for writing on the other device, and
 * `C2G_ERROR_NO_MEMORY`; nothing changes then.
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

  return c2g_mixed_tensor_compute (self, C2G_SYNCED_OVERWRITE, fill_row, &value, error);
}

static gboolean
scale_row (const C2gItemRow  *row,
           gpointer           data,
           GError           **error)
{
  c2g_item_row_scale (row, *(const double *) data);
  return TRUE;
}

/**
 * c2g_mixed_tensor_scale:
 * @self: a mixed tensor
 * @factor: a number
 * @error: return location for an error
 *
 * Multiplies every element, in the type that was written last, on the CPU.
 *
 * Products of 16-bit floating-point types are computed as floats, those of integers as doubles; an
 * integer whose double does not change is left as it is, however large. A product that the type cannot hold is converted, see “Numbers” of the class.
 *
 * Fails as [method@MixedTensor.fill] does, and with `C2G_ERROR_DEVICE` if the elements are on another
 * device and cannot be copied.
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

  return c2g_mixed_tensor_compute (self, C2G_SYNCED_WRITE, scale_row, &factor, error);
}

typedef struct
{
  double          factor;
  C2gMixedTensor *self;
  C2gItemRow      x;
} Sum;

static gboolean
add_row (const C2gItemRow  *row,
         gpointer           data,
         GError           **error)
{
  const Sum *sum = data;

  if (!c2g_mixed_check_count (sum->self, (gint64) sum->x.n, error))
    return FALSE;

  c2g_item_row_add (row, sum->factor, &sum->x);
  return TRUE;
}

/**
 * c2g_mixed_tensor_axpy:
 * @self: a mixed tensor
 * @factor: a number
 * @x: a mixed tensor with as many elements, which may be the same one
 * @error: return location for an error
 *
 * Adds @factor times @x, each in the type that was written last, on the CPU.
 *
 * The type of @self stays. Where the two types differ, and for integers, sums are computed as doubles and
 * rounded once; an element whose double does not change is left as it is. A sum that the type cannot hold is converted, see “Numbers” of the class.
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
  Sum sum = { factor, self };

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (x), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* Checked once more for the tensors as they are in the end: handlers may reshape them. */
  if (!c2g_mixed_check_count (self, x->n_elements, error))
    return FALSE;

  held = ref_row (x, &sum.x, error);
  return held != NULL && c2g_mixed_tensor_compute (self, C2G_SYNCED_WRITE, add_row, &sum, error);
}

/* Checks the arguments of the three functions that follow. */
static double
reduce (C2gMixedTensor  *self,
        C2gItemRowFunc   func,
        GError         **error)
{
  g_autoptr (C2gTensor) held = NULL;
  C2gItemRow row;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  held = ref_row (self, &row, error);
  return held != NULL ? c2g_item_row_reduce (&row, func) : 0;
}

/**
 * c2g_mixed_tensor_asum:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Sums the absolute values, of the type that was written last, on the CPU.
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
  return reduce (self, c2g_items_asum, error);
}

/**
 * c2g_mixed_tensor_amax:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Finds the largest absolute value, of the type that was written last, on the CPU.
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
  return reduce (self, c2g_items_amax, error);
}

/**
 * c2g_mixed_tensor_sumsq:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Sums the squares, of the type that was written last, on the CPU.
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
  return reduce (self, c2g_items_sumsq, error);
}
