/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-items-math-private.h>
#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-far-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Level 1 BLAS for whole tensors. If the device of a tensor has the functions, it computes there.
 * Otherwise the elements are copied to the CPU, and results are copied back. */

static gboolean
check_type (C2gTensor  *self,
            GError    **error)
{
  if (self->meta != NULL && c2g_items_is_possible (self->meta->data_type))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected elements of a floating-point type, got “%s”"),
                   self->meta != NULL ? self->meta->name : "undefined");
}

/* Sets an error if the two differ in shape or type. */
static gboolean
check_pair (C2gTensor  *self,
            C2gTensor  *other,
            GError    **error)
{
  if (!c2g_tensor_check_data (self, error) || !c2g_tensor_check_data (other, error) ||
      !check_type (self, error) || !c2g_tensor_check_same_shape (self, other, error))
    return FALSE;
  if (self->meta == other->meta)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected a tensor of type “%s”, got one of type “%s”"),
                   self->meta->name, other->meta != NULL ? other->meta->name : "undefined");
}

static double
measure_far (C2gTensor          *self,
             C2gTensor          *other,
             C2gComputeMeasure   measure,
             GError            **error)
{
  double result;
  C2gFar far;

  return c2g_far_begin (&far, self, other, error) &&
         c2g_far_end (&far,
                      check_pair (far.self, far.other, error) &&
                      C2G_FAR_COMPUTE (&far, error, C2G_COMPUTE_KIND_MEASURE, .measure = measure,
                                       .type = far.self->meta->data_type,
                                       .n = (gsize) far.self->n_elements,
                                       .x = c2g_tensor_address (far.self),
                                       .other = c2g_tensor_address (far.other), .number = &result),
                      error)
           ? result
           : 0;
}

static double
measure_items (C2gTensor         *self,
               C2gTensor         *other,
               C2gComputeMeasure  measure)
{
  const C2gDataType type = self->meta->data_type;
  const gsize n = (gsize) self->n_elements;
  gconstpointer xs = c2g_tensor_address (self);

  switch (measure)
    {
    case C2G_COMPUTE_MEASURE_DOT:
      return c2g_items_dot (type, xs, c2g_tensor_address (other), n);
    case C2G_COMPUTE_MEASURE_ASUM:
      return c2g_items_asum (type, xs, n);
    default:
      return c2g_items_amax (type, xs, n);
    }
}

static gboolean
overlaps_partly (C2gTensor *self,
                 C2gTensor *other)
{
  const guintptr begin = (guintptr) c2g_tensor_address (self);
  const guintptr other_begin = (guintptr) c2g_tensor_address (other);

  return begin != other_begin && begin < other_begin + c2g_tensor_byte_size (other) &&
         other_begin < begin + c2g_tensor_byte_size (self);
}

/* Returns TRUE if computing on the CPU allocates nothing. Allocators are foreign code and may
 * change both tensors. */
static gboolean
is_quiet (C2gTensor *self,
          C2gTensor *other)
{
  return self->device->type == C2G_DEVICE_TYPE_CPU && other->device->type == C2G_DEVICE_TYPE_CPU &&
         !overlaps_partly (self, other);
}

/* Returns SELF on the CPU. If no foreign code can run, that is the tensor itself, which costs much
 * less than a second tensor over its memory. */
static C2gTensor *
hold_near (C2gTensor  *self,
           C2gTensor  *other,
           GError    **error)
{
  return is_quiet (self, other) ? c2g_tensor_ref_on_cpu (self, error)
                                : c2g_tensor_hold_on_cpu (self, error);
}

/* SELF and OTHER may be the same tensor. */
static double
measure_pair (C2gTensor          *self,
              C2gTensor          *other,
              C2gComputeMeasure   measure,
              GError            **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) near_other = NULL;

  if (!check_pair (self, other, error))
    return 0;
  if (c2g_far_has (self, C2G_COMPUTE_KIND_MEASURE))
    return measure_far (self, other, measure, error);

  near = hold_near (self, other, error);
  if (near == NULL)
    return 0;
  near_other = other == self ? g_object_ref (near) : hold_near (other, self, error);

  return near_other != NULL && check_pair (near, near_other, error)
           ? measure_items (near, near_other, measure)
           : 0;
}

/**
 * c2g_tensor_fill:
 * @self: a tensor of numbers, on any device
 * @value: a number
 * @error: return location for an error
 *
 * Sets every element to a number.
 *
 * The tensor must have a shape and an element type; it gets memory if it has none. Fails like
 * [method@Context.fill], with `C2G_ERROR_RANGE` if the number does not fit into the type.
 *
 * Returns: `TRUE` if the elements were set
 */
gboolean
c2g_tensor_fill (C2gTensor  *self,
                 double      value,
                 GError    **error)
{
  g_autoptr (C2gContext) context = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  context = c2g_context_shared (self->device, error);

  return context != NULL && c2g_context_fill (context, self, value, error) &&
         (self->storage == NULL || c2g_storage_end_use (self->storage, context, error));
}

static gboolean
fill_item_far (C2gTensor      *self,
               gconstpointer   item,
               GError        **error)
{
  C2gFar far;

  return c2g_far_begin (&far, self, NULL, error) &&
         c2g_far_end (&far,
                      C2G_FAR_COMPUTE (&far, error, C2G_COMPUTE_KIND_FILL,
                                       .y = c2g_tensor_address (far.self), .item = item,
                                       .item_size = far.self->meta->item_size,
                                       .n = (gsize) far.self->n_elements),
                      error);
}

/* Copies the result from the CPU back to the device of SELF. */
static gboolean
bring_back (C2gTensor  *self,
            C2gTensor  *near,
            GError    **error)
{
  return self->device->type == C2G_DEVICE_TYPE_CPU ||
         c2g_tensor_copy_from (self, near, NULL, error);
}

gboolean
c2g_tensor_fill_item (C2gTensor      *self,
                      gconstpointer   item,
                      GError        **error)
{
  g_autoptr (C2gTensor) near = NULL;

  if (!c2g_tensor_make_writable (self, error))
    return FALSE;
  if (c2g_far_has (self, C2G_COMPUTE_KIND_FILL))
    return fill_item_far (self, item, error);

  near = c2g_tensor_hold_on_cpu (self, error);
  if (near == NULL)
    return FALSE;
  c2g_element_repeat (near->meta, c2g_tensor_address (near), (gsize) near->n_elements, item);

  return bring_back (self, near, error);
}

/* Both tensors are on the CPU, and SELF is writable. If they overlap, the caller has made views of
 * both. */
static gboolean
axpby_on_cpu (C2gTensor  *self,
              double      alpha,
              C2gTensor  *x,
              double      beta,
              GError    **error)
{
  g_autoptr (C2gTensor) copy = NULL;

  if (overlaps_partly (self, x))
    {
      copy = c2g_tensor_clone (x, NULL, error);
      if (copy == NULL)
        return FALSE;
      x = copy;
    }

  c2g_items_axpby (self->meta->data_type, alpha, c2g_tensor_address (x), beta,
                   c2g_tensor_address (self), (gsize) self->n_elements);
  return TRUE;
}

/* Queues y = alpha x + beta y, where y is the first tensor of FAR. */
static gboolean
start_axpby (C2gFar         *far,
             double          alpha,
             gconstpointer   x,
             double          beta,
             GError        **error)
{
  return C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_AXPBY, .type = far->self->meta->data_type,
                          .n = (gsize) far->self->n_elements, .alpha = alpha, .x = x, .beta = beta,
                          .y = c2g_tensor_address (far->self));
}

/* A tensor whose factor is 0 is not read, so its NaN values do not spread. */
static gboolean
combine (C2gFar  *far,
         double   alpha,
         double   beta,
         GError **error)
{
  static const double zero = 0;
  const gpointer y = c2g_tensor_address (far->self);

  if (alpha == 0 && beta == 0)
    return C2G_FAR_COMPUTE (far, error, C2G_COMPUTE_KIND_FILL, .y = y, .item = &zero,
                            .item_size = far->self->meta->item_size,
                            .n = (gsize) far->self->n_elements);
  if (alpha == 0)
    return start_axpby (far, beta, y, 0, error);

  return start_axpby (far, alpha, c2g_tensor_address (far->other), beta, error);
}

/* Replaces the second tensor by a copy if it overlaps the first one partly: a kernel could read
 * elements that it has already written. */
static gboolean
separate (C2gFar  *far,
          GError **error)
{
  C2gTensor *copy;

  if (!overlaps_partly (far->self, far->other))
    return TRUE;

  copy = c2g_tensor_clone (far->other, far->context, error);
  if (copy == NULL)
    return FALSE;
  g_object_unref (far->other);
  far->other = copy;
  return TRUE;
}

static gboolean
axpby_far (C2gTensor  *self,
           double      alpha,
           C2gTensor  *x,
           double      beta,
           GError    **error)
{
  C2gFar far;

  return c2g_far_begin (&far, self, x, error) &&
         c2g_far_end (&far,
                      check_pair (far.self, far.other, error) && separate (&far, error) &&
                      combine (&far, alpha, beta, error),
                      error);
}

static gboolean
scale_far (C2gTensor  *self,
           double      alpha,
           GError    **error)
{
  C2gFar far;

  return c2g_far_begin (&far, self, NULL, error) &&
         c2g_far_end (&far,
                      check_type (far.self, error) &&
                      start_axpby (&far, alpha, c2g_tensor_address (far.self), 0, error),
                      error);
}

/* c2g_tensor_make_writable() runs signal handlers, which may change both tensors. So they are
 * checked again. */
static gboolean
axpby (C2gTensor  *self,
       double      alpha,
       C2gTensor  *x,
       double      beta,
       GError    **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) near_x = NULL;

  if (!check_pair (self, x, error) || !c2g_tensor_make_writable (self, error) ||
      !check_pair (self, x, error))
    return FALSE;
  /* combine() needs both kinds of work. */
  if (c2g_far_has (self, C2G_COMPUTE_KIND_AXPBY) && c2g_far_has (self, C2G_COMPUTE_KIND_FILL))
    return axpby_far (self, alpha, x, beta, error);

  near = hold_near (self, x, error);
  if (near == NULL)
    return FALSE;
  near_x = x == self ? g_object_ref (near) : hold_near (x, self, error);
  if (near_x == NULL || !check_pair (near, near_x, error) ||
      !axpby_on_cpu (near, alpha, near_x, beta, error))
    return FALSE;

  return bring_back (self, near, error);
}

/**
 * c2g_tensor_scale:
 * @self: a tensor of a floating-point type, with data, on any device
 * @alpha: a factor
 * @error: return location for an error
 *
 * Multiplies every element by a number.
 *
 * Products are rounded to the element type, and those of `FLOAT16` stop at ±65504. Infinity and NaN
 * stay what they are, unless infinity is multiplied by 0.
 *
 * Fails with `C2G_ERROR_TYPE` if the elements are of another type than `FLOAT`, `DOUBLE`, `FLOAT16`
 * and `BFLOAT16`, `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_FAILED` without data, and
 * `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: whether the elements were multiplied
 */
gboolean
c2g_tensor_scale (C2gTensor  *self,
                  double      alpha,
                  GError    **error)
{
  g_autoptr (C2gTensor) near = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_tensor_check_data (self, error) || !check_type (self, error) ||
      !c2g_tensor_make_writable (self, error) || !check_type (self, error))
    return FALSE;
  if (c2g_far_has (self, C2G_COMPUTE_KIND_AXPBY))
    return scale_far (self, alpha, error);

  near = hold_near (self, self, error);
  if (near == NULL || !check_type (near, error))
    return FALSE;
  c2g_items_scale (near->meta->data_type, alpha, c2g_tensor_address (near),
                   (gsize) near->n_elements);

  return bring_back (self, near, error);
}

/**
 * c2g_tensor_axpy:
 * @self: a tensor of a floating-point type, with data, on any device
 * @alpha: a factor
 * @x: a tensor of the same type and shape, on any device
 * @error: return location for an error
 *
 * Adds the elements of another tensor, multiplied by a number.
 *
 * This is [method@Tensor.axpby] with 1 for the second factor.
 *
 * ```python
 * weights.axpy(-learning_rate, gradient)
 * ```
 *
 * Returns: whether they were added
 */
gboolean
c2g_tensor_axpy (C2gTensor  *self,
                 double      alpha,
                 C2gTensor  *x,
                 GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (x), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return axpby (self, alpha, x, 1, error);
}

/**
 * c2g_tensor_axpby:
 * @self: a tensor of a floating-point type, with data, on any device
 * @alpha: the factor of @x
 * @x: a tensor of the same type and shape, on any device
 * @beta: the factor of @self
 * @error: return location for an error
 *
 * Computes `self = alpha * x + beta * self`.
 *
 * `DOUBLE` is computed in double and all other types in float, rounded to the element type;
 * `FLOAT16` stops at ±65504. A tensor whose factor is 0 is not read, so its NaNs have no effect.
 * The two tensors may overlap or be the same.
 *
 * Fails with `C2G_ERROR_TYPE` if the elements are not `FLOAT`, `DOUBLE`, `FLOAT16` or `BFLOAT16`,
 * or the two types differ; `C2G_ERROR_SHAPE` if the shapes differ or there is none;
 * `C2G_ERROR_FAILED` without data; and `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: `TRUE` if the elements were computed
 */
gboolean
c2g_tensor_axpby (C2gTensor  *self,
                  double      alpha,
                  C2gTensor  *x,
                  double      beta,
                  GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (x), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return axpby (self, alpha, x, beta, error);
}

/**
 * c2g_tensor_dot:
 * @self: a tensor of a floating-point type, with data, on any device
 * @other: a tensor of the same type and shape, on any device
 * @error: return location for an error
 *
 * Computes the sum of the products of the elements.
 *
 * Products and sum are in `double`, whatever the element type.
 *
 * Fails as [method@Tensor.axpby] does.
 *
 * Returns: the sum, or 0 with an error
 */
double
c2g_tensor_dot (C2gTensor  *self,
                C2gTensor  *other,
                GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (C2G_IS_TENSOR (other), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return measure_pair (self, other, C2G_COMPUTE_MEASURE_DOT, error);
}

/**
 * c2g_tensor_asum:
 * @self: a tensor of a floating-point type, with data, on any device
 * @error: return location for an error
 *
 * Computes the sum of the absolute values.
 *
 * The sum is in `double`, whatever the element type; NaN if an element is.
 *
 * Fails as [method@Tensor.scale] does.
 *
 * Returns: the sum, or 0 with an error
 */
double
c2g_tensor_asum (C2gTensor  *self,
                 GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return measure_pair (self, self, C2G_COMPUTE_MEASURE_ASUM, error);
}

/**
 * c2g_tensor_amax:
 * @self: a tensor of a floating-point type, with data, on any device
 * @error: return location for an error
 *
 * Finds the largest absolute value.
 *
 * It is NaN if an element is, and 0 if there are no elements.
 *
 * Fails as [method@Tensor.scale] does.
 *
 * Returns: the absolute value, or 0 with an error
 */
double
c2g_tensor_amax (C2gTensor  *self,
                 GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return measure_pair (self, self, C2G_COMPUTE_MEASURE_AMAX, error);
}

/**
 * c2g_tensor_sumsq:
 * @self: a tensor of a floating-point type, with data, on any device
 * @error: return location for an error
 *
 * Computes the sum of the squares.
 *
 * Squares and sum are in `double`, whatever the element type; NaN if an element is.
 *
 * Fails as [method@Tensor.scale] does.
 *
 * Returns: the sum, or 0 with an error
 */
double
c2g_tensor_sumsq (C2gTensor  *self,
                  GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return measure_pair (self, self, C2G_COMPUTE_MEASURE_DOT, error);
}
