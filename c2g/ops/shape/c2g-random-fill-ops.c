/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-fill-shape-private.h>

#include <math.h>

/* Random numbers from the generator of the operator's context, on its device. The shape is the
 * argument shape or comes from input 0 (see c2g-fill-shape-private.h); the output may be in place.
 *
 * UniformFill: floats from [min, max). UniformIntFill: integers from [min, max].
 * Float16UniformFill: floats rounded to float16.  min and max are arguments or inputs 1 and 2.
 * GaussianFill: normal distribution with mean and std.
 * XavierFill: uniform in ±sqrt (3 / fan_in), where fan_in = n / dims[0].
 * GlorotUniformFill: uniform in ±sqrt (6 / (n / dims[0] + n / dims[1])).
 * MSRAFill: normal with standard deviation sqrt (2 / fan_out), where fan_out = n / dims[1].
 *
 * The formulas are Caffe2's. On CUDA kernels/random.cu draws, and kernels/convert.cu rounds to
 * float16. */

typedef struct
{
  C2gFillShape shape;
  C2gDataType  data_type;
  /* Bounds, or mean and standard deviation. */
  double       first;
  double       second;
  /* The bounds of UniformIntFill. */
  int          min;
  int          max;
  /* Float16UniformFill only: the numbers as float, before they are rounded. */
  C2gTensor   *draws;
} RandomFill;

static void
random_clear (gpointer state)
{
  g_clear_object (&((RandomFill *) state)->draws);
}

static gboolean
draw_uniform (C2gOperator  *op,
              C2gTensor    *output,
              double        low,
              double        high,
              GError      **error)
{
  return c2g_context_fill_uniform (c2g_operator_get_context (op), output, low, high, error);
}

/* UniformFill, UniformIntFill and Float16UniformFill */

static gboolean
fail_arguments (const RandomFill  *self,
                GError           **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “%s” is %g, expected more than “%s”, %g"), "max", self->second,
                     "min", self->first);
}

static gboolean
fail_inputs (C2gOperator       *op,
             const RandomFill  *self,
             GError           **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Input %u, “%s”, is %g, expected at least input %u, “%s”, %g"), 2,
                   c2g_operator_input_name (op, 2), self->second, 1,
                   c2g_operator_input_name (op, 1), self->first);
}

static gboolean
check_bounds_once (C2gOperator  *op,
                   GError      **error)
{
  if (!c2g_operator_has_argument (op, "min") && !c2g_operator_has_argument (op, "max"))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The bounds come both from the inputs “%s” and “%s” and from arguments, "
                     "expected only one of them"),
                   c2g_operator_input_name (op, 1),
                   c2g_operator_input_name (op, 2));
}

static gboolean
weights_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  ((C2gFillShape *) state)->is_for_devices = TRUE;
  return c2g_fill_shape_set_up (op, state, error);
}

static gboolean
uniform_set_up_type (C2gOperator  *op,
                     RandomFill   *self,
                     C2gDataType   data_type,
                     GError      **error)
{
  self->data_type = data_type;
  if (!weights_set_up (op, self, error))
    return FALSE;

  switch (c2g_operator_get_n_inputs (op))
    {
    case 0:
    case 1:
      return self->first < self->second || fail_arguments (self, error);

    case 3:
      return check_bounds_once (op, error);

    default:
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       _("Expected no, one or three inputs, got two"));
    }
}

static gboolean
uniform_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  return uniform_set_up_type (op, state, C2G_DATA_TYPE_FLOAT, error);
}

static gboolean
uniform_int_set_up (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  RandomFill *self = state;

  self->first = self->min;
  self->second = self->max;
  return uniform_set_up_type (op, state, C2G_DATA_TYPE_INT32, error);
}

static gboolean
float16_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  RandomFill *self = state;

  self->draws = c2g_tensor_new_for_device (c2g_operator_get_device (op));
  return uniform_set_up_type (op, state, C2G_DATA_TYPE_FLOAT16, error);
}

static gboolean
read_bound (C2gOperator  *op,
            guint         input,
            RandomFill   *self,
            double       *bound,
            GError      **error)
{
  C2gDataType wanted =
      self->data_type == C2G_DATA_TYPE_INT32 ? C2G_DATA_TYPE_INT32 : C2G_DATA_TYPE_FLOAT;
  C2gTensor *tensor = c2g_operator_input (op, input, wanted, error);

  if (tensor == NULL)
    return FALSE;
  if (tensor->n_elements != 1)
    return c2g_operator_set_shape_error (op, input, error, _("a single element"));
  if (!c2g_operator_need_values (op, input, error))
    return FALSE;
  tensor = c2g_operator_bring_near (op, input, tensor, error);
  if (tensor == NULL)
    return FALSE;

  *bound = c2g_tensor_get_value (tensor, 0, NULL);
  return TRUE;
}

/* Draws floats and rounds them to float16, so the largest result can equal max. */
static gboolean
draw_halves (C2gOperator  *op,
             RandomFill   *self,
             C2gTensor    *output,
             GError      **error)
{
  guint16 *items;
  const float *draws;

  if (!c2g_tensor_resize_like (self->draws, output, error) ||
      !c2g_tensor_allocate (self->draws, C2G_DATA_TYPE_FLOAT, error) ||
      !draw_uniform (op, self->draws, self->first, self->second, error))
    return FALSE;

  draws = c2g_tensor_address (self->draws);
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CONVERT, .type = C2G_DATA_TYPE_FLOAT, .x = draws,
                        .y_type = C2G_DATA_TYPE_FLOAT16, .y = c2g_tensor_address (output),
                        .n = output->n_elements);

  items = c2g_tensor_address (output);
  for (gint64 i = 0; i < output->n_elements; i++)
    items[i] = c2g_float16_from_float (draws[i]);
  return TRUE;
}

static gboolean
fill_uniform (C2gOperator   *op,
              C2gFillShape  *shape,
              C2gTensor     *output,
              GError       **error)
{
  RandomFill *self = (RandomFill *) shape;

  if (shape->is_void)
    return fail_inputs (op, self, error);
  if (self->data_type == C2G_DATA_TYPE_FLOAT16)
    return draw_halves (op, self, output, error);

  return draw_uniform (op, output, self->first,
                       self->data_type == C2G_DATA_TYPE_INT32 ? self->second + 1 : self->second,
                       error);
}

static gboolean
uniform_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  RandomFill *self = state;

  if (c2g_operator_get_n_inputs (op) == 3 &&
      (!read_bound (op, 1, self, &self->first, error) ||
       !read_bound (op, 2, self, &self->second, error)))
    return FALSE;

  /* min > max, possible with inputs only, makes the first dimension 0, as in Caffe2. */
  self->shape.is_void = self->first > self->second;
  return c2g_fill_shape_run (&self->shape, op, self->data_type, fill_uniform, error);
}

/* GaussianFill */

static gboolean
fill_gaussian (C2gOperator   *op,
               C2gFillShape  *shape,
               C2gTensor     *output,
               GError       **error)
{
  RandomFill *self = (RandomFill *) shape;

  return c2g_context_fill_normal (c2g_operator_get_context (op), output, self->first, self->second,
                                  error);
}

static gboolean
gaussian_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  return c2g_fill_shape_run (state, op, C2G_DATA_TYPE_FLOAT, fill_gaussian, error);
}

/* XavierFill, GlorotUniformFill and MSRAFill */

static gboolean
check_rank (C2gTensor  *output,
            gsize       n_dims,
            GError    **error)
{
  if (output->n_dims >= n_dims)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("Expected a shape of at least %zu dimensions, got %zu"), n_dims,
                   output->n_dims);
}

static gboolean
fill_xavier (C2gOperator   *op,
             C2gFillShape  *shape,
             C2gTensor     *output,
             GError       **error)
{
  double scale;

  if (!check_rank (output, 1, error))
    return FALSE;

  scale = sqrt (3.0 / (double) (output->n_elements / output->dims[0]));
  return draw_uniform (op, output, -scale, scale, error);
}

static gboolean
fill_glorot (C2gOperator   *op,
             C2gFillShape  *shape,
             C2gTensor     *output,
             GError       **error)
{
  double scale;

  if (!check_rank (output, 2, error))
    return FALSE;

  scale = sqrt (6.0 / ((double) (output->n_elements / output->dims[0]) +
                       (double) (output->n_elements / output->dims[1])));
  return draw_uniform (op, output, -scale, scale, error);
}

static gboolean
fill_msra (C2gOperator   *op,
           C2gFillShape  *shape,
           C2gTensor     *output,
           GError       **error)
{
  double deviation;

  if (!check_rank (output, 2, error))
    return FALSE;

  deviation = sqrt (2.0 / (double) (output->n_elements / output->dims[1]));
  return c2g_context_fill_normal (c2g_operator_get_context (op), output, 0, deviation, error);
}

static gboolean
xavier_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  return c2g_fill_shape_run (state, op, C2G_DATA_TYPE_FLOAT, fill_xavier, error);
}

static gboolean
glorot_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  return c2g_fill_shape_run (state, op, C2G_DATA_TYPE_FLOAT, fill_glorot, error);
}

static gboolean
msra_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  return c2g_fill_shape_run (state, op, C2G_DATA_TYPE_FLOAT, fill_msra, error);
}

#define RANDOM(type, max_inputs, set_up, run, summary, ...)                                        \
  {                                                                                                \
    type, NULL, 0, max_inputs, 1, 1, "0>0",                                                        \
      C2G_ARGS (C2G_ARG_BASE (c2g_fill_shape_arguments), C2G_ARG_IGNORED ("dtype"), __VA_ARGS__),  \
      sizeof (RandomFill), set_up, run, random_clear, NULL, summary, .infer = run,                 \
      .is_for_devices = TRUE                                                                       \
  }
#define BOUNDS                                                                                     \
  C2G_ARG_FLOAT (RandomFill, first, "min", 0), C2G_ARG_FLOAT (RandomFill, second, "max", 1)

static const C2gKernel kernels[] = {
  RANDOM ("UniformFill", 3, uniform_set_up, uniform_run,
          "Uniformly distributed random numbers", BOUNDS),
  RANDOM ("UniformIntFill", 3, uniform_int_set_up, uniform_run,
          "Uniformly distributed random integers",
          C2G_ARG_INT (RandomFill, min, "min", 0), C2G_ARG_INT (RandomFill, max, "max", 1)),
  RANDOM ("Float16UniformFill", 3, float16_set_up, uniform_run,
          "Uniformly distributed random numbers in half precision", BOUNDS),
  RANDOM ("GaussianFill", 1, weights_set_up, gaussian_run,
          "Normally distributed random numbers",
          C2G_ARG_FLOAT (RandomFill, first, "mean", 0),
          C2G_ARG_FLOAT (RandomFill, second, "std", 1, C2G_AT_LEAST (C2G_ABOVE_0), C2G_IS_INVALID)),
  RANDOM ("XavierFill", 1, weights_set_up, xavier_run,
          "Uniformly distributed weights; the number of inputs gives the interval", { 0 }),
  RANDOM ("GlorotUniformFill", 1, weights_set_up, glorot_run,
          "Uniformly distributed weights; the numbers of inputs and outputs give the interval", { 0 }),
  RANDOM ("MSRAFill", 1, weights_set_up, msra_run,
          "Normally distributed weights; the number of outputs gives the deviation", { 0 }),
};

C2G_OPS_FAMILY (random_fill);
