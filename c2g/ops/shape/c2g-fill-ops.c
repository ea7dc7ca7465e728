/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-fill-shape-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <math.h>

/* Outputs filled by a rule. The first three take their shape from the argument shape or from
 * input 0 (see c2g-fill-shape-private.h), and may be in place.
 *
 * RangeFill: y[i] = i (float).
 * Float16ConstantFill: y[i] = value, rounded to float16.
 * DiagonalFill: value on the diagonal, 0 elsewhere; a matrix, or more dimensions of one size.
 * LengthsRangeFill: int32 lengths give 0 … lengths[i] - 1 for each i, one after the other.
 * Range: inputs (stop), (start, stop) or (start, stop, step), of one element each; y[i] = start +
 * i step for all values before stop. The result has the inputs' type.
 *
 * The rules are Caffe2's. On CUDA the values are computed on the CPU and copied. */

/* RangeFill */

static gboolean
count_up (C2gOperator   *op,
          C2gFillShape  *self,
          C2gTensor     *output,
          GError       **error)
{
  float *items = c2g_tensor_address (output);

  for (gint64 i = 0; i < output->n_elements; i++)
    items[i] = (float) i;
  return TRUE;
}

static gboolean
range_fill_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  return c2g_fill_shape_run (state, op, C2G_DATA_TYPE_FLOAT, count_up, error);
}

/* Float16ConstantFill */

typedef struct
{
  C2gFillShape shape;
  float        value;
} Float16Fill;

static gboolean
repeat_bits (C2gOperator   *op,
             C2gFillShape  *shape,
             C2gTensor     *output,
             GError       **error)
{
  const guint16 bits = c2g_float16_from_float (((Float16Fill *) shape)->value);
  guint16 *items = c2g_tensor_address (output);

  for (gint64 i = 0; i < output->n_elements; i++)
    items[i] = bits;
  return TRUE;
}

static gboolean
float16_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return c2g_fill_shape_run (state, op, C2G_DATA_TYPE_FLOAT16, repeat_bits, error);
}

/* DiagonalFill */

typedef struct
{
  C2gFillShape shape;
  C2gDataType  data_type;
  float        number;
  gint64       integer;
} DiagonalFill;

static gboolean
diagonal_set_up (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  DiagonalFill *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);
  C2gOperatorDef *def = c2g_operator_peek_def (op);
  C2gArgument *value = c2g_operator_def_get_argument (def, "value");
  gboolean is_int = value != NULL && c2g_argument_get_kind (value) == C2G_ARGUMENT_KIND_INT;

  if (!c2g_fill_shape_set_up (op, state, error))
    return FALSE;
  if (self->data_type == C2G_DATA_TYPE_UNDEFINED)
    self->data_type = is_int ? C2G_DATA_TYPE_INT64 : C2G_DATA_TYPE_FLOAT;
  if (self->data_type == C2G_DATA_TYPE_FLOAT)
    self->number = c2g_arguments_float (&arguments, "value", 0);
  else
    self->integer = c2g_arguments_int (&arguments, "value", 0);
  return c2g_arguments_finish (&arguments, error);
}

/* Returns the distance between elements of the diagonal, or 0 with an error. */
static gint64
get_step (C2gTensor  *output,
          GError    **error)
{
  gint64 step = 1;

  if (output->n_dims == 2)
    return output->dims[1] + 1;

  for (gsize i = output->n_dims; i-- > 1;)
    step = step * output->dims[i] + 1;
  for (gsize i = 1; i < output->n_dims; i++)
    if (output->dims[i] != output->dims[0])
      step = 0;
  if (output->n_dims > 2 && step > 0)
    return step;

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE,
                       _("A diagonal needs two dimensions, or more that are all the same"));
  return 0;
}

/* For a bool output, every value but 0 is TRUE. */
static gint64
get_integer (const DiagonalFill *self)
{
  return self->data_type == C2G_DATA_TYPE_BOOL ? self->integer != 0 : self->integer;
}

static gboolean
put_diagonal (C2gOperator   *op,
              C2gFillShape  *shape,
              C2gTensor     *output,
              GError       **error)
{
  DiagonalFill *self = (DiagonalFill *) shape;
  gint64 step = get_step (output, error);

  if (step == 0)
    return FALSE;

  memset (c2g_tensor_address (output), 0, c2g_tensor_byte_size (output));
  for (gint64 i = 0; i < output->n_elements; i += step)
    if (!(self->data_type == C2G_DATA_TYPE_FLOAT
              ? c2g_tensor_set_value (output, i, self->number, error)
              : c2g_tensor_set_int64 (output, i, get_integer (self), error)))
      return FALSE;
  return TRUE;
}

static gboolean
diagonal_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  DiagonalFill *self = state;

  switch (self->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_BOOL:
      return c2g_fill_shape_run (&self->shape, op, self->data_type, put_diagonal, error);

    default:
      return c2g_fail (error, C2G_ERROR_TYPE, _("No data type to fill with: %d"), self->data_type);
    }
}

/* LengthsRangeFill */
static gboolean
lengths_range_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  g_autoptr (C2gTensor) near = NULL;
  C2gIndices lengths;
  C2gTensor *output;
  gint64 sum = 0;
  gint32 *items;

  if (c2g_operator_input (op, 0, C2G_DATA_TYPE_INT32, error) == NULL ||
      !c2g_indices_init_vector (&lengths, op, 0, error) || !c2g_indices_sum (&lengths, &sum, error))
    return FALSE;

  output = c2g_operator_output (op, 0, &sum, 1, C2G_DATA_TYPE_INT32, error);
  near = output != NULL ? c2g_operator_begin_near (op, output, error) : NULL;
  if (near == NULL)
    return FALSE;

  items = c2g_tensor_address (near);
  for (gsize i = 0; i < lengths.n; i++)
    for (gint32 j = 0; j < lengths.narrow[i]; j++)
      *items++ = j;
  return c2g_operator_end_near (op, near, output, error);
}

/* Range */

/* Index of the input for start, stop and step, by the number of inputs; -1 for the default. */
static const gint8 places[3][3] = { { -1, 0, -1 }, { 0, 1, -1 }, { 0, 1, 2 } };

static gboolean
check_scalars (C2gOperator  *op,
               C2gDataType  *data_type,
               GError      **error)
{
  C2gTensor *first = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);

  if (first == NULL)
    return FALSE;

  *data_type = c2g_tensor_get_data_type (first);
  if (*data_type != C2G_DATA_TYPE_FLOAT && *data_type != C2G_DATA_TYPE_DOUBLE &&
      *data_type != C2G_DATA_TYPE_INT32 && *data_type != C2G_DATA_TYPE_INT64)
    return c2g_operator_set_type_error (op, 0, _("float, double, int32 or int64"), error);

  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gTensor *input = c2g_operator_input (op, i, *data_type, error);

      if (input == NULL)
        return FALSE;
      if (input->n_elements != 1)
        return c2g_operator_set_shape_error (op, i, error, _("a single element"));
    }
  return TRUE;
}

/* The step can only be input 2. */
static gboolean
fail_step (C2gOperator  *op,
           GError      **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Input %u, “%s”, is %d, expected a step other than %d"), 2,
                   c2g_operator_input_name (op, 2), 0, 0);
}

static gboolean
fail_long (const double  *values,
           GError       **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("The range from %g to %g in steps of %g has too many elements"), values[0],
                   values[1], values[2]);
}

static gboolean
run_int_range (C2gOperator  *op,
               C2gDataType   data_type,
               GError      **error)
{
  gint64 values[3] = { 0, 0, 1 };
  guint n_inputs = c2g_operator_get_n_inputs (op);
  gint64 difference, length = 0;
  g_autoptr (C2gTensor) items = NULL;
  C2gTensor *output;

  for (guint i = 0; i < 3; i++)
    if (places[n_inputs - 1][i] >= 0 &&
        !c2g_indices_scalar (op, places[n_inputs - 1][i], &values[i], error))
      return FALSE;

  if (values[2] == 0)
    return fail_step (op, error);
  if (__builtin_sub_overflow (values[1], values[0], &difference) || difference == G_MININT64)
    return fail_long ((double[]) { (double) values[0], (double) values[1], (double) values[2] },
                      error);
  if ((difference > 0) == (values[2] > 0) && difference != 0)
    length = difference / values[2] + (difference % values[2] != 0);

  output = c2g_operator_output (op, 0, &length, 1, data_type, error);
  items = output != NULL ? c2g_operator_begin_near (op, output, error) : NULL;
  if (items == NULL)
    return FALSE;

  for (gint64 i = 0; i < length; i++)
    if (data_type == C2G_DATA_TYPE_INT32)
      ((gint32 *) c2g_tensor_address (items))[i] = (gint32) (values[0] + i * values[2]);
    else
      ((gint64 *) c2g_tensor_address (items))[i] = values[0] + i * values[2];
  return c2g_operator_end_near (op, items, output, error);
}

/* The number of steps is computed in the type of the inputs, as in Caffe2. */
static double
count_steps (C2gDataType   data_type,
             const double *values)
{
  if (data_type == C2G_DATA_TYPE_DOUBLE)
    return ceil ((values[1] - values[0]) / values[2]);

  return ceilf (((float) values[1] - (float) values[0]) / (float) values[2]);
}

static gboolean
run_real_range (C2gOperator  *op,
                C2gDataType   data_type,
                GError      **error)
{
  double values[3] = { 0, 0, 1 };
  guint n_inputs = c2g_operator_get_n_inputs (op);
  double steps;
  gint64 length;
  g_autoptr (C2gTensor) items = NULL;
  C2gTensor *output, *value;

  for (guint i = 0; i < 3; i++)
    {
      const int place = places[n_inputs - 1][i];

      if (place < 0)
        continue;
      if (!c2g_operator_need_values (op, place, error))
        return FALSE;
      value = c2g_operator_bring_near (
        op, place, c2g_blob_get_tensor (c2g_operator_get_input (op, place), NULL), error);
      if (value == NULL)
        return FALSE;
      values[i] = c2g_tensor_get_value (value, 0, NULL);
    }

  if (values[2] == 0)
    return fail_step (op, error);
  steps = count_steps (data_type, values);
  if (!(steps <= G_MAXINT32))
    return fail_long (values, error);

  length = steps > 0 ? (gint64) steps : 0;
  output = c2g_operator_output (op, 0, &length, 1, data_type, error);
  items = output != NULL ? c2g_operator_begin_near (op, output, error) : NULL;
  if (items == NULL)
    return FALSE;

  for (gint64 i = 0; i < length; i++)
    if (data_type == C2G_DATA_TYPE_FLOAT)
      ((float *) c2g_tensor_address (items))[i] = (float) i * (float) values[2] + (float) values[0];
    else
      ((double *) c2g_tensor_address (items))[i] = (double) i * values[2] + values[0];
  return c2g_operator_end_near (op, items, output, error);
}

static gboolean
range_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  C2gDataType data_type;

  if (!check_scalars (op, &data_type, error))
    return FALSE;

  return data_type == C2G_DATA_TYPE_FLOAT || data_type == C2G_DATA_TYPE_DOUBLE
           ? run_real_range (op, data_type, error)
           : run_int_range (op, data_type, error);
}

static const C2gKernel kernels[] = {
  { "RangeFill", NULL, 0, 1, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_BASE (c2g_fill_shape_arguments), C2G_ARG_IGNORED ("dtype")),
    sizeof (C2gFillShape), c2g_fill_shape_set_up, range_fill_run, NULL, NULL,
    "Numbers elements from 0",
    .infer = range_fill_run,
    .is_for_devices = TRUE },
  { "Float16ConstantFill", NULL, 0, 1, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_BASE (c2g_fill_shape_arguments),
              C2G_ARG_FLOAT (Float16Fill, value, "value", 0), C2G_ARG_IGNORED ("dtype")),
    sizeof (Float16Fill), c2g_fill_shape_set_up, float16_run, NULL, NULL,
    "A tensor of one value in half precision", .infer = float16_run,
    .is_for_devices = TRUE },
  { "DiagonalFill", NULL, 0, 1, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_BASE (c2g_fill_shape_arguments),
              C2G_ARG_DATA_TYPE (DiagonalFill, data_type, "dtype", C2G_DATA_TYPE_UNDEFINED),
              C2G_ARG_READ ("value")),
    sizeof (DiagonalFill), diagonal_set_up, diagonal_run, NULL, NULL,
    "Zeros with a value on the diagonal", .infer = diagonal_run,
    .is_for_devices = TRUE },
  { "LengthsRangeFill", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, lengths_range_run, NULL, NULL,
    "Counts from 0 for each length", .infer = lengths_range_run,
    .is_for_devices = TRUE },
  { "Range", NULL, 1, 3, 1, 1, NULL, NULL, 0, NULL, range_run, NULL, NULL,
    "Numbers from start up to stop, in steps", .infer = range_run,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (fill);
