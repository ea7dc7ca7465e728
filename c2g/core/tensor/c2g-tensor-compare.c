/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/tensor/c2g-far-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <math.h>
#include <string.h>

/* Compares tensors: c2g_tensor_equal() exactly and c2g_tensor_allclose() with a tolerance, on any
 * device. */

/* Number of elements that are compared as doubles at once, on the CPU and on a device. */
#define N_BLOCK 1024
#define N_FAR_BLOCK (1 << 20)

static gboolean
has_shape_of (C2gTensor *self,
              C2gTensor *other)
{
  return c2g_shape_equal (self->dims, self->n_dims, other->dims, other->n_dims);
}

gboolean
c2g_tensor_check_same_shape (C2gTensor  *self,
                             C2gTensor  *other,
                             GError    **error)
{
  g_autofree char *text = NULL;
  g_autofree char *other_text = NULL;

  if (has_shape_of (self, other))
    return TRUE;

  text = c2g_shape_to_string (self->dims, self->n_dims);
  other_text = c2g_shape_to_string (other->dims, other->n_dims);
  return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected a tensor of the shape %s, got %s"), text,
                   other_text);
}

static gboolean
is_like (C2gTensor *self,
         C2gTensor *other)
{
  return self->meta == other->meta && has_shape_of (self, other);
}

static gboolean
check_plain_pair (C2gTensor  *self,
                  C2gTensor  *other,
                  GError    **error)
{
  return c2g_tensor_check_data (self, error) && c2g_tensor_check_data (other, error) &&
         c2g_tensor_check_plain (self, error) && c2g_tensor_check_plain (other, error);
}

static gboolean
check_numbers_pair (C2gTensor  *self,
                    C2gTensor  *other,
                    GError    **error)
{
  return c2g_tensor_check_data (self, error) && c2g_tensor_check_data (other, error) &&
         c2g_tensor_check_numbers (self, error) && c2g_tensor_check_numbers (other, error) &&
         c2g_tensor_check_same_shape (self, other, error);
}

/* Copying tensors to a device runs signal handlers, which may change them. So both are checked
 * again. */
static gboolean
compare_bytes (C2gFar    *far,
               gboolean  *are_equal,
               GError   **error)
{
  gsize n_bytes, position;

  if (!check_plain_pair (far->self, far->other, error))
    return FALSE;
  if (!is_like (far->self, far->other))
    {
      *are_equal = FALSE;
      return TRUE;
    }

  n_bytes = c2g_tensor_byte_size (far->self);
  if (!C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_COMPARE, .x = c2g_tensor_address (far->self),
                        .other = c2g_tensor_address (far->other), .n = n_bytes,
                        .position = &position))
    return FALSE;

  *are_equal = position == n_bytes;
  return TRUE;
}

static gboolean
equal_far (C2gTensor  *self,
           C2gTensor  *other,
           gboolean   *equal,
           GError    **error)
{
  gboolean are_equal = FALSE;
  C2gFar far;

  if (!c2g_far_begin (&far, self, other, error) ||
      !c2g_far_end (&far, compare_bytes (&far, &are_equal, error), error))
    return FALSE;

  *equal = are_equal;
  return TRUE;
}

/**
 * c2g_tensor_equal:
 * @self: a tensor of plain elements, with data, on any device
 * @other: a tensor of plain elements, with data, on any device
 * @equal: (out): whether they are equal, false with an error
 * @error: return location for an error
 *
 * Tells whether two tensors have the same type, shape and elements, bit for bit.
 *
 * So 0 and -0 differ, and a NaN equals one of the same bits. [method@Tensor.allclose] compares
 * numbers.
 *
 * Fails with `C2G_ERROR_TYPE` if elements are not plain bytes, as strings are not,
 * `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_FAILED` without data, and what a copy from a device
 * fails with.
 *
 * Returns: (type none): whether they were compared
 */
gboolean
c2g_tensor_equal (C2gTensor  *self,
                  C2gTensor  *other,
                  gboolean   *equal,
                  GError    **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) near_other = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (other), FALSE);
  g_return_val_if_fail (equal != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *equal = FALSE;
  if (!check_plain_pair (self, other, error))
    return FALSE;
  if (!is_like (self, other) || self->n_elements == 0)
    {
      *equal = is_like (self, other);
      return TRUE;
    }
  if (c2g_far_has (self, C2G_COMPUTE_KIND_COMPARE))
    return equal_far (self, other, equal, error);

  near = c2g_tensor_hold_on_cpu (self, error);
  near_other = near != NULL ? c2g_tensor_hold_on_cpu (other, error) : NULL;
  if (near_other == NULL || !check_plain_pair (near, near_other, error))
    return FALSE;

  *equal = is_like (near, near_other) && memcmp (c2g_tensor_address (near), c2g_tensor_address (near_other),
                                                 c2g_tensor_byte_size (near)) == 0;
  return TRUE;
}

static gboolean
check_tolerances (double   rtol,
                  double   atol,
                  GError **error)
{
  if (rtol >= 0 && atol >= 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Expected tolerances that are not below 0, got %g and %g"), rtol, atol);
}

static gboolean
is_close (double   x,
          double   y,
          double   rtol,
          double   atol,
          gboolean equal_nan)
{
  if (isnan (x) || isnan (y))
    return equal_nan && isnan (x) && isnan (y);
  if (isinf (x) || isinf (y))
    return x == y;

  return fabs (x - y) <= atol + rtol * fabs (y);
}

static void
to_doubles (C2gTensor *self,
            gsize      begin,
            double    *doubles,
            gsize      n)
{
  const char *items = c2g_tensor_address (self);

  c2g_convert_items (C2G_DATA_TYPE_DOUBLE, doubles, self->meta->data_type,
                     items + begin * self->meta->item_size, n, C2G_CONVERT_SATURATE, NULL);
}

static gboolean
all_close (C2gTensor *self,
           C2gTensor *other,
           double     rtol,
           double     atol,
           gboolean   equal_nan)
{
  const gsize n = (gsize) self->n_elements;
  double xs[N_BLOCK], ys[N_BLOCK];

  for (gsize i = 0; i < n; i += N_BLOCK)
    {
      const gsize n_block = MIN (n - i, N_BLOCK);

      to_doubles (self, i, xs, n_block);
      to_doubles (other, i, ys, n_block);
      for (gsize j = 0; j < n_block; j++)
        if (!is_close (xs[j], ys[j], rtol, atol, equal_nan))
          return FALSE;
    }

  return TRUE;
}

/* Returns the elements of a tensor on a device as doubles; in scratch memory unless they are
 * doubles already. */
static const double *
to_far_doubles (C2gFar     *far,
                C2gTensor  *tensor,
                gsize       begin,
                gsize       n,
                double     *scratch,
                GError    **error)
{
  const char *items = (const char *) c2g_tensor_address (tensor) + begin * tensor->meta->item_size;

  if (tensor->meta->data_type == C2G_DATA_TYPE_DOUBLE)
    return (const double *) items;

  return C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_CONVERT, .type = tensor->meta->data_type,
                          .x = items, .y_type = C2G_DATA_TYPE_DOUBLE, .y = scratch, .n = n)
           ? scratch
           : NULL;
}

typedef struct
{
  double   rtol;
  double   atol;
  gboolean equal_nan;
} Tolerance;

/* Compares a block of elements, which waits for the device. */
static gboolean
compare_block (C2gFar           *far,
               const Tolerance  *tolerance,
               gsize             begin,
               gsize             n,
               double           *scratch,
               gboolean         *are_close,
               GError          **error)
{
  const double *xs = to_far_doubles (far, far->self, begin, n, scratch, error);
  const double *ys = xs != NULL
                       ? to_far_doubles (far, far->other, begin, n, scratch + n, error)
                       : NULL;
  gsize position;

  if (ys == NULL || !C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_FIND_FAR, .x = xs, .other = ys,
                                      .n = n, .a = tolerance->rtol, .b = tolerance->atol,
                                      .equal_nan = tolerance->equal_nan, .position = &position))
    return FALSE;

  *are_close = position == n;
  return TRUE;
}

static gboolean
compare_blocks (C2gFar           *far,
                const Tolerance  *tolerance,
                gboolean         *are_close,
                GError          **error)
{
  const gsize n = (gsize) far->self->n_elements;
  g_autoptr (C2gStorage) scratch = NULL;

  if (!check_numbers_pair (far->self, far->other, error))
    return FALSE;
  scratch = c2g_storage_new (far->self->device, 2 * MIN (n, N_FAR_BLOCK) * sizeof (double), far->context,
                             error);
  if (scratch == NULL)
    return FALSE;

  *are_close = TRUE;
  for (gsize i = 0; i < n && *are_close; i += N_FAR_BLOCK)
    if (!compare_block (far, tolerance, i, MIN (n - i, N_FAR_BLOCK), scratch->address, are_close,
                        error))
      return FALSE;

  return TRUE;
}

static gboolean
all_close_far (C2gTensor        *self,
               C2gTensor        *other,
               const Tolerance  *tolerance,
               gboolean         *close,
               GError          **error)
{
  gboolean are_close = FALSE;
  C2gFar far;

  if (!c2g_far_begin (&far, self, other, error) ||
      !c2g_far_end (&far, compare_blocks (&far, tolerance, &are_close, error), error))
    return FALSE;

  *close = are_close;
  return TRUE;
}

/**
 * c2g_tensor_allclose:
 * @self: a tensor of numbers, with data, on any device
 * @other: a tensor of numbers with the same shape, on any device
 * @rtol: the tolerance, as a part of the other number, not below 0
 * @atol: the tolerance besides, not below 0
 * @equal_nan: whether NaN is close to NaN
 * @close: (out): whether all are close, false with an error
 * @error: return location for an error
 *
 * Tells whether all numbers are close to those of another tensor.
 *
 * They are if `|self - other| <= atol + rtol * |other|`, as in NumPy and PyTorch. Infinity is close
 * to itself alone. The element types may differ: numbers are compared as `double`, so that integers
 * beyond 2^53 are rounded.
 *
 * Fails with `C2G_ERROR_SHAPE` if the shapes differ or there is none, `C2G_ERROR_TYPE` if elements
 * are not numbers, `C2G_ERROR_FAILED` without data, `C2G_ERROR_INVALID_ARGUMENT` if a tolerance is
 * below 0 or NaN, and what a copy from a device fails with.
 *
 * Returns: (type none): whether they were compared
 */
gboolean
c2g_tensor_allclose (C2gTensor  *self,
                     C2gTensor  *other,
                     double      rtol,
                     double      atol,
                     gboolean    equal_nan,
                     gboolean   *close,
                     GError    **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) near_other = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (other), FALSE);
  g_return_val_if_fail (close != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *close = FALSE;
  if (!check_tolerances (rtol, atol, error) || !check_numbers_pair (self, other, error))
    return FALSE;
  /* compare_block() needs both kinds of work. */
  if (c2g_far_has (self, C2G_COMPUTE_KIND_FIND_FAR) && c2g_far_has (self, C2G_COMPUTE_KIND_CONVERT))
    return all_close_far (self, other, &(Tolerance) { rtol, atol, equal_nan }, close, error);

  near = c2g_tensor_hold_on_cpu (self, error);
  near_other = near != NULL ? c2g_tensor_hold_on_cpu (other, error) : NULL;

  if (near_other == NULL || !check_numbers_pair (near, near_other, error))
    return FALSE;

  *close = all_close (near, near_other, rtol, atol, equal_nan);
  return TRUE;
}
