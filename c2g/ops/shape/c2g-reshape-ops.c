/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <stdlib.h>

/* Shapes of tensors of any type, and other shapes for the same elements.
 *
 * Shape: the dimensions, or those in axes (int64). Size: the number of elements (int64).
 * HasElements, IsEmpty: bool.
 * Reshape: the shape is the argument or input 1; 0 copies the input's dimension, one -1 is
 * computed. Output 1, if present, is the old shape.
 * ResizeLike: the shape of input 1.
 * Flatten: a matrix, cut at axis. FlattenToVec: one dimension.
 * ExpandDims, Squeeze: insert or remove dimensions of 1 at dims.
 * PrependDim: (N, …) becomes (dim_size, N / dim_size, …). MergeDim: the inverse.
 *
 * Those that change a shape may be in place, but for ResizeLike. The rules are Caffe2's. On CUDA
 * these operators need no kernel: elements are copied, and numbers are written from the CPU. */

typedef struct
{
  const gint64 *values;
  gsize         n_values;
  gint64        axis;
} ShapeArguments;

/* Writes numbers to the output, on its device. */
static gboolean
put_numbers (C2gOperator    *op,
             C2gTensor      *output,
             gconstpointer   numbers,
             gsize           n_bytes,
             GError        **error)
{
  if (n_bytes == 0)
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_write (op, numbers, n_bytes, c2g_tensor_address (output), error);

  memcpy (c2g_tensor_address (output), numbers, n_bytes);
  return TRUE;
}

/* Shape */

static gboolean
shape_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  ShapeArguments *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *output;
  gint64 room[C2G_DIMS_MAX];
  g_autofree gint64 *more = NULL;
  gint64 *sizes = room;
  C2gDims dims;
  gint64 n;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  for (gsize i = 0; i < self->n_values; i++)
    if (c2g_dims_axis (op, 0, self->values[i], error) < 0)
      return FALSE;

  n = self->n_values > 0 ? (gint64) self->n_values : (gint64) dims.n;
  output = c2g_operator_output (op, 0, &n, 1, C2G_DATA_TYPE_INT64, error);
  if (output == NULL)
    return FALSE;

  /* axes may repeat an axis, so there can be more values than dimensions. */
  if (n > C2G_DIMS_MAX)
    sizes = more = g_new (gint64, n);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 axis = self->n_values > 0 ? self->values[i] : i;

      sizes[i] = dims.dims[axis < 0 ? axis + (gint64) dims.n : axis];
    }
  return put_numbers (op, output, sizes, n * sizeof *sizes, error);
}

/* Size, HasElements and IsEmpty */

static gboolean
size_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *output;
  gint64 n;

  if (input == NULL)
    return FALSE;

  n = input->n_elements;
  output = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_INT64, error);
  if (output == NULL)
    return FALSE;
  return put_numbers (op, output, &n, sizeof n, error);
}

static gboolean
put_truth (C2gOperator  *op,
           gboolean      wanted,
           GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *output;
  guint8 truth;

  if (input == NULL)
    return FALSE;

  truth = (input->n_elements > 0) == wanted;
  output = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_BOOL, error);
  if (output == NULL)
    return FALSE;
  return put_numbers (op, output, &truth, sizeof truth, error);
}

static gboolean
has_elements_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return put_truth (op, TRUE, error);
}

static gboolean
is_empty_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  return put_truth (op, FALSE, error);
}

/* Reshape and ResizeLike */

static gboolean
reshape_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  gboolean has_shape = c2g_operator_has_argument (op, "shape");

  if (has_shape && c2g_operator_get_n_inputs (op) == 2)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The shape comes both from input %u, “%s”, and from the argument “%s”, "
                   "expected only one of them"),
                 1, c2g_operator_input_name (op, 1), "shape");
  else if (!has_shape && c2g_operator_get_n_inputs (op) == 1)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("There is neither a second input nor the argument “%s”"), "shape");
  else
    return TRUE;
  return FALSE;
}

static gboolean
get_wanted (C2gOperator     *op,
            ShapeArguments  *self,
            C2gDims         *wanted,
            C2gDataType     *data_type,
            GError         **error)
{
  C2gIndices shape;

  *data_type = C2G_DATA_TYPE_INT64;
  if (c2g_operator_get_n_inputs (op) == 1)
    return c2g_dims_set (wanted, self->values, self->n_values, error);
  if (!c2g_indices_init_vector (&shape, op, 1, error) || !c2g_operator_need_values (op, 1, error))
    return FALSE;

  *data_type = c2g_tensor_get_data_type (shape.tensor);
  wanted->n = 0;
  for (gsize i = 0; i < shape.n; i++)
    {
      gint64 dim = c2g_indices_get (&shape, i);

      if (!c2g_dims_append (wanted, &dim, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
fail_reshape (C2gOperator    *op,
              const C2gDims  *wanted,
              GError        **error)
{
  g_autofree char *text = c2g_shape_to_string (wanted->dims, wanted->n);

  return c2g_operator_set_shape_error (op, 0, error, _("one that can become %s"), text);
}

/* Replaces 0 by the input's dimension, and -1 by the number of elements divided by the other
 * dimensions. Dimensions copied from the input are left out of this division, so that -1 has a
 * value for an empty batch too. */
static gboolean
resolve (C2gOperator    *op,
         C2gTensor      *input,
         const C2gDims  *wanted,
         C2gDims        *dims,
         GError        **error)
{
  C2gDims left, given = *wanted;
  gint64 n_left, n_given, n_elements;
  int open = -1;

  if (!c2g_dims_copy (&left, input, error))
    return FALSE;
  *dims = *wanted;
  for (gsize i = 0; i < dims->n; i++)
    {
      if (dims->dims[i] == 0 && i < input->n_dims)
        {
          dims->dims[i] = input->dims[i];
          left.dims[i] = given.dims[i] = 1;
        }
      else if (dims->dims[i] == -1 && open < 0)
        open = (int) i;
      else if (dims->dims[i] < 0)
        return fail_reshape (op, wanted, error);
    }

  if (open >= 0)
    given.dims[open] = 1;
  if (!c2g_dims_count (&left, 0, left.n, &n_left, error) || !c2g_dims_count (&given, 0, given.n, &n_given, error))
    return FALSE;
  if (open >= 0 && n_given > 0 && n_left % n_given == 0)
    dims->dims[open] = n_left / n_given;
  else if (open >= 0)
    return fail_reshape (op, wanted, error);
  if (!c2g_dims_count (dims, 0, dims->n, &n_elements, error))
    return FALSE;
  return n_elements == input->n_elements || fail_reshape (op, wanted, error);
}

static gboolean
put_old_shape (C2gOperator    *op,
               const C2gDims  *old,
               C2gDataType     data_type,
               GError        **error)
{
  gint32 narrow[C2G_DIMS_MAX];
  gint64 n = (gint64) old->n;
  C2gTensor *output = c2g_operator_output (op, 1, &n, 1, data_type, error);

  if (output == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return TRUE;

  if (data_type == C2G_DATA_TYPE_INT64)
    return put_numbers (op, output, old->dims, n * sizeof *old->dims, error);
  for (gint64 i = 0; i < n; i++)
    narrow[i] = (gint32) old->dims[i];
  return put_numbers (op, output, narrow, n * sizeof *narrow, error);
}

static gboolean
reshape_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gDims old, wanted, dims;
  C2gDataType data_type;

  return input != NULL && c2g_dims_copy (&old, input, error) &&
         get_wanted (op, state, &wanted, &data_type, error) &&
         resolve (op, input, &wanted, &dims, error) &&
         c2g_move_reshape (op, input, &dims, error) &&
         (c2g_operator_get_n_outputs (op) == 1 || put_old_shape (op, &old, data_type, error));
}

static gboolean
resize_like_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gTensor *like;
  C2gDims dims;

  if (input == NULL)
    return FALSE;
  like = c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error);
  if (like == NULL || !c2g_dims_copy (&dims, like, error))
    return FALSE;

  return (input->n_elements == like->n_elements || fail_reshape (op, &dims, error)) &&
         c2g_move_reshape (op, input, &dims, error);
}

/* Flatten and FlattenToVec */

static gboolean
flatten_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  gint64 axis = ((ShapeArguments *) state)->axis;
  C2gDims dims, flat = { { 1, 1 }, 2 };

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (axis < 0)
    axis += (gint64) dims.n;
  if (axis < 0 || axis > (gint64) dims.n)
    return c2g_operator_set_shape_error (op, 0, error, _("room for the axis %" PRId64),
                                         ((ShapeArguments *) state)->axis);

  return c2g_dims_count (&dims, 0, axis, &flat.dims[0], error) &&
         c2g_dims_count (&dims, axis, dims.n, &flat.dims[1], error) &&
         c2g_move_reshape (op, input, &flat, error);
}

static gboolean
flatten_to_vec_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gDims flat = { { 0 }, 1 };

  if (input == NULL)
    return FALSE;
  if (input->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));

  flat.dims[0] = input->n_elements;
  return c2g_move_reshape (op, input, &flat, error);
}

/* ExpandDims and Squeeze */

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const gint64 *first = a;
  const gint64 *second = b;

  return (*first > *second) - (*first < *second);
}

typedef struct
{
  const gint64 *given;
  gsize         n_given;
  C2gDims       axes;
} Ones;

static gboolean
ones_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  Ones *self = state;
  C2gDims *axes = &self->axes;

  if (!c2g_dims_set (axes, self->given, self->n_given, error))
    return FALSE;

  qsort (axes->dims, axes->n, sizeof *axes->dims, compare);
  for (gsize i = axes->n; i-- > 1;)
    if (axes->dims[i] == axes->dims[i - 1])
      c2g_dims_remove (axes, i);
  if (axes->n == 0 || axes->dims[0] >= 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “%s” has %" PRId64 ", which is out of range"), "dims",
                   axes->dims[0]);
}

static gboolean
expand_dims_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  const C2gDims *axes = &((Ones *) state)->axes;
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;

  for (gsize i = 0; i < axes->n; i++)
    {
      if (axes->dims[i] > (gint64) dims.n)
        return c2g_operator_set_shape_error (op, 0, error, _("room for the axis %" PRId64),
                                             axes->dims[i]);
      if (!c2g_dims_insert (&dims, axes->dims[i], 1, error))
        return FALSE;
    }
  return c2g_move_reshape (op, input, &dims, error);
}

static gboolean
squeeze_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  const C2gDims *axes = &((Ones *) state)->axes;
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;

  for (gsize i = axes->n; i-- > 0;)
    {
      if (axes->dims[i] >= (gint64) dims.n || dims.dims[axes->dims[i]] != 1)
        return c2g_operator_set_shape_error (op, 0, error, _("1 along the axis %" PRId64),
                                             axes->dims[i]);
      c2g_dims_remove (&dims, axes->dims[i]);
    }
  return c2g_move_reshape (op, input, &dims, error);
}

/* PrependDim and MergeDim */

static gboolean
prepend_dim_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  gint64 dim_size = ((ShapeArguments *) state)->axis;
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (dims.n == 0 || dims.dims[0] % dim_size != 0)
    return c2g_operator_set_shape_error (op, 0, error,
                                         _("a first dimension that is a multiple of %" PRId64),
                                         dim_size);

  dims.dims[0] /= dim_size;
  return c2g_dims_insert (&dims, 0, dim_size, error) &&
         c2g_move_reshape (op, input, &dims, error);
}

static gboolean
merge_dim_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (dims.n < 2)
    return c2g_operator_set_shape_error (op, 0, error, _("at least two dimensions"));

  if (!c2g_dims_count (&dims, 0, 2, &dims.dims[1], error))
    return FALSE;
  c2g_dims_remove (&dims, 0);
  return c2g_move_reshape (op, input, &dims, error);
}

static const C2gKernel kernels[] = {
  { "Shape", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INTS (ShapeArguments, values, n_values, "axes")),
    sizeof (ShapeArguments), NULL, shape_run, NULL, NULL,
    "The dimensions of a tensor, or some of them",
    .infer = shape_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "Size", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, size_run, NULL, NULL, "The number of elements",
    .infer = size_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "HasElements", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, has_elements_run, NULL, NULL,
    "Tells if a tensor has elements", .infer = has_elements_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "IsEmpty", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, is_empty_run, NULL, NULL,
    "Tells if a tensor has no elements", .infer = is_empty_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "Reshape", NULL, 1, 2, 1, 2, "0>0",
    C2G_ARGS (C2G_ARG_INTS (ShapeArguments, values, n_values, "shape")), sizeof (ShapeArguments),
    reshape_set_up, reshape_run,
    NULL, NULL, "Changes the shape of a tensor",
    .infer = reshape_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
  { "ResizeLike", NULL, 2, 2, 1, 1, NULL, NULL, 0, NULL, resize_like_run, NULL, NULL,
    "Gives a tensor the shape of another", .infer = resize_like_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "Flatten", NULL, 1, 1, 1, 1, "0>0", C2G_ARGS (C2G_ARG_INT (ShapeArguments, axis, "axis", 1)),
    sizeof (ShapeArguments), NULL, flatten_run, NULL, NULL,
    "Makes a matrix of a tensor",
    .infer = flatten_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
  { "FlattenToVec", NULL, 1, 1, 1, 1, "0>0", NULL, 0, NULL, flatten_to_vec_run, NULL, NULL,
    "Makes a vector of a tensor", .infer = flatten_to_vec_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
  { "ExpandDims", NULL, 1, 1, 1, 1, "0>0", C2G_ARGS (C2G_ARG_INTS (Ones, given, n_given, "dims")),
    sizeof (Ones), ones_set_up, expand_dims_run, NULL, NULL, "Inserts dimensions of 1",
    .infer = expand_dims_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
  { "Squeeze", NULL, 1, 1, 1, 1, "0>0", C2G_ARGS (C2G_ARG_INTS (Ones, given, n_given, "dims")),
    sizeof (Ones), ones_set_up, squeeze_run, NULL, NULL, "Removes dimensions of 1",
    .infer = squeeze_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
  { "PrependDim", NULL, 1, 1, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_INT (ShapeArguments, axis, "dim_size", 0, C2G_AT_LEAST (1), C2G_IS_INVALID,
                           C2G_REQUIRED)),
    sizeof (ShapeArguments), NULL, prepend_dim_run, NULL, NULL, "Splits the first dimension into two",
    .infer = prepend_dim_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
  { "MergeDim", NULL, 1, 1, 1, 1, "0>0", NULL, 0, NULL, merge_dim_run, NULL, NULL,
    "Merges the first two dimensions", .infer = merge_dim_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF_FIRST },
};

C2G_OPS_FAMILY (reshape);
