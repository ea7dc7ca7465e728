/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/c2g-convert-private.h>
#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-items-math-private.h>
#include <c2g/core/c2g-tensor-private.h>

#include <math.h>
#include <string.h>

/* Arithmetic on the type that was written last, on the CPU.  The core computes with floating-point
 * types.  All other types, and pairs of types, are computed as doubles, a block at a time. */

#define N_IN_BLOCK 1024

/* A tensor with the elements of the type that was written last.  It never changes, so that neither
 * signal handlers nor other threads get in the way. */
static C2gTensor *
ref_row (C2gMixedTensor  *self,
         C2gMixedRow     *row,
         GError         **error)
{
  C2gTensor *tensor = c2g_mixed_tensor_ref_tensor (self, c2g_mixed_tensor_get_data_type (self), NULL,
                                                   error);

  if (tensor == NULL)
    return NULL;

  row->type = c2g_tensor_get_data_type (tensor);
  row->item_size = c2g_data_type_get_item_size (row->type);
  row->n = (gsize) c2g_tensor_get_n_elements (tensor);
  row->elements = c2g_tensor_address (tensor);
  return tensor;
}

static gsize
count_in_block (const C2gMixedRow *row,
                gsize              begin)
{
  return MIN (N_IN_BLOCK, row->n - begin);
}

static void
get_block (const C2gMixedRow *row,
           gsize              begin,
           double            *numbers)
{
  c2g_convert_items (C2G_DATA_TYPE_DOUBLE, numbers, row->type,
                     (char *) row->elements + begin * row->item_size, count_in_block (row, begin),
                     C2G_CONVERT_SATURATE, NULL);
}

static void
set_block (const C2gMixedRow *row,
           gsize              begin,
           const double      *numbers)
{
  c2g_convert_items (row->type, (char *) row->elements + begin * row->item_size,
                     C2G_DATA_TYPE_DOUBLE, numbers, count_in_block (row, begin),
                     C2G_CONVERT_SATURATE, NULL);
}

static gboolean
fill_row (const C2gMixedRow  *row,
          gpointer            data,
          GError            **error)
{
  if (row->n == 0)
    return TRUE;

  c2g_convert_items (row->type, row->elements, C2G_DATA_TYPE_DOUBLE, data, 1, C2G_CONVERT_SATURATE,
                     NULL);
  for (gsize n_set = 1; n_set < row->n; n_set *= 2)
    memcpy ((char *) row->elements + n_set * row->item_size, row->elements,
            MIN (n_set, row->n - n_set) * row->item_size);
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
scale_row (const C2gMixedRow  *row,
           gpointer            data,
           GError            **error)
{
  const double factor = *(const double *) data;
  double numbers[N_IN_BLOCK];

  if (c2g_items_is_possible (row->type))
    {
      c2g_items_scale (row->type, factor, row->elements, row->n);
      return TRUE;
    }

  for (gsize begin = 0; begin < row->n; begin += N_IN_BLOCK)
    {
      get_block (row, begin, numbers);
      c2g_items_scale (C2G_DATA_TYPE_DOUBLE, factor, numbers, count_in_block (row, begin));
      set_block (row, begin, numbers);
    }
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
 * Products of 16-bit floating-point types are computed as floats, those of integers as doubles. A
 * product that the type cannot hold is converted, see “Numbers” of the class.
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
  C2gMixedRow     x;
} Sum;

static gboolean
add_row (const C2gMixedRow  *row,
         gpointer            data,
         GError            **error)
{
  const Sum *sum = data;
  double numbers[N_IN_BLOCK], x_numbers[N_IN_BLOCK];

  if (!c2g_mixed_check_count (sum->self, (gint64) sum->x.n, error))
    return FALSE;
  if (row->type == sum->x.type && c2g_items_is_possible (row->type))
    {
      c2g_items_axpby (row->type, sum->factor, sum->x.elements, 1, row->elements, row->n);
      return TRUE;
    }

  for (gsize begin = 0; begin < row->n; begin += N_IN_BLOCK)
    {
      get_block (row, begin, numbers);
      get_block (&sum->x, begin, x_numbers);
      c2g_items_axpby (C2G_DATA_TYPE_DOUBLE, sum->factor, x_numbers, 1, numbers,
                       count_in_block (row, begin));
      set_block (row, begin, numbers);
    }
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
 * rounded once. A sum that the type cannot hold is converted, see “Numbers” of the class.
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

typedef double (*RowFunc) (C2gDataType   type,
                           gconstpointer numbers,
                           gsize         n);

/* A sum is what blocks give together, and a maximum the largest that one gives. */
static double
reduce (C2gMixedTensor  *self,
        RowFunc          func,
        gboolean         is_sum,
        GError         **error)
{
  g_autoptr (C2gTensor) held = NULL;
  double numbers[N_IN_BLOCK];
  double result = 0;
  C2gMixedRow row;

  held = ref_row (self, &row, error);
  if (held == NULL)
    return 0;
  if (c2g_items_is_possible (row.type))
    return func (row.type, row.elements, row.n);

  for (gsize begin = 0; begin < row.n; begin += N_IN_BLOCK)
    {
      double part;

      get_block (&row, begin, numbers);
      part = func (C2G_DATA_TYPE_DOUBLE, numbers, count_in_block (&row, begin));
      result = is_sum ? result + part : fmax (result, part);
    }
  return result;
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
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return reduce (self, c2g_items_asum, TRUE, error);
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
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return reduce (self, c2g_items_amax, FALSE, error);
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
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return reduce (self, c2g_items_sumsq, TRUE, error);
}
