/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-dims-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-matrix-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-rows-private.h>

#include <math.h>

/* LayerNorm: X, of float or double, is seen as a matrix cut at axis. For each row
 *
 * y = (x - mean) / sqrt (variance + epsilon)
 *
 * With elementwise_affine, y is multiplied by input 1 and input 2 is added, element by element of
 * a row. Outputs: Y in the shape of X, the means and sqrt (variance + epsilon); the last two have
 * the dimensions of X before axis, followed by 1. Nothing is in place. The rule is Caffe2's. On
 * CUDA kernels/reduce.cu finds the statistics, and kernels/channels.cu normalizes and scales. */

/* Least number of elements per thread. */
#define GRAIN (1 << 14)

typedef struct
{
  int      axis;
  float    epsilon;
  gboolean is_affine;
} LayerNormState;

typedef struct
{
  const LayerNormState *state;
  gsize                 n;
  gconstpointer         x;
  gpointer              y;
  gpointer              means;
  gpointer              deviations;
  /* n values each, or NULL without elementwise_affine. */
  gconstpointer         scales;
  gconstpointer         shifts;
} LayerNorm;

static gboolean
layer_norm_set_up (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  LayerNormState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);
  const guint n_inputs = c2g_operator_get_n_inputs (op);

  c2g_arguments_check (&arguments, "elementwise_affine", self->is_affine,
                       n_inputs == (self->is_affine ? 3 : 1));
  return c2g_arguments_finish (&arguments, error);
}

static void
run_floats_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const LayerNorm *self = data;
  const gsize n = self->n;

  for (gsize i = begin; i < end; i++)
    {
      const float *x = n > 0 ? (const float *) self->x + i * n : NULL;
      float *y = n > 0 ? (float *) self->y + i * n : NULL;
      const float mean = c2g_row_sum (x, n) / (float) MAX (n, 1);
      const float deviation =
        sqrtf (c2g_row_square_sum (x, mean, n) / (float) MAX (n, 1) + self->state->epsilon);

      ((float *) self->means)[i] = mean;
      ((float *) self->deviations)[i] = deviation;
      c2g_row_normalize (x, mean, 1 / deviation, 0, y, n);
      if (self->scales != NULL)
        c2g_row_scale_each (y, self->scales, self->shifts, y, n);
    }
}

static void
run_doubles_cb (gsize    begin,
                gsize    end,
                guint    worker,
                gpointer data)
{
  const LayerNorm *self = data;
  const double *scales = self->scales;
  const double *shifts = self->shifts;

  for (gsize i = begin; i < end; i++)
    {
      const double *x = (const double *) self->x + i * self->n;
      double *y = (double *) self->y + i * self->n;
      double mean = 0, variance = 0, deviation;

      for (gsize j = 0; j < self->n; j++)
        mean += x[j] / (double) self->n;
      for (gsize j = 0; j < self->n; j++)
        variance += (x[j] - mean) * (x[j] - mean) / (double) self->n;
      deviation = sqrt (variance + self->state->epsilon);

      ((double *) self->means)[i] = mean;
      ((double *) self->deviations)[i] = deviation;
      for (gsize j = 0; j < self->n; j++)
        {
          y[j] = (x[j] - mean) / deviation;
          if (scales != NULL)
            y[j] = y[j] * scales[j] + shifts[j];
        }
    }
}

/* Makes the outputs for the statistics: the dimensions of X before axis, followed by 1. */
static gboolean
find_statistics (C2gOperator  *op,
                 C2gTensor    *x,
                 C2gDims      *dims,
                 LayerNorm    *self,
                 GError      **error)
{
  gpointer *places[2] = { &self->means, &self->deviations };
  const C2gDataType type = c2g_tensor_get_data_type (x);

  for (guint i = 0; i < 2; i++)
    {
      C2gTensor *tensor = c2g_operator_output (op, i + 1, dims->dims, dims->n, type, error);

      if (tensor == NULL)
        return FALSE;
      *places[i] = c2g_tensor_address (tensor);
    }
  return TRUE;
}

static gboolean
find_parameters (C2gOperator  *op,
                 C2gTensor    *x,
                 gint64        n,
                 LayerNorm    *self,
                 GError      **error)
{
  const C2gDataType type = c2g_tensor_get_data_type (x);
  C2gTensor *scales, *shifts;

  if (!self->state->is_affine)
    return TRUE;
  scales = c2g_operator_input_sized (op, 1, type, n, error);
  shifts = scales != NULL ? c2g_operator_input_sized (op, 2, type, n, error) : NULL;
  if (shifts == NULL)
    return FALSE;
  self->scales = c2g_tensor_address (scales);
  self->shifts = c2g_tensor_address (shifts);
  return TRUE;
}

/* Uses the device's functions with rows as channels and one pixel per element. */
static gboolean
run_on_device (C2gOperator      *op,
               const LayerNorm  *self,
               gint64            n_rows,
               GError          **error)
{
  const C2gMoments moments = { self->x, 1, n_rows, self->n, self->means, self->deviations };
  const float epsilon = self->state->epsilon;

  if (n_rows == 0)
    return TRUE;
  /* Empty rows have mean 0 and variance 0. */
  if (self->n == 0)
    return c2g_on_device_clear (op, self->means, n_rows * sizeof (float), error) &&
           C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_FILL, .y = self->deviations,
                        .item = &(float) { sqrtf (epsilon) }, .item_size = sizeof (float),
                        .n = n_rows);

  return c2g_on_device_moments (op, &moments, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_NORMALIZE, .type = C2G_DATA_TYPE_FLOAT, .x = self->x,
                      .mean = self->means, .variance = self->deviations, .epsilon = epsilon,
                      .y = self->y, .n_outer = 1, .n = n_rows, .n_inner = self->n) &&
         c2g_on_device_linear (op, self->deviations, 1, epsilon, self->deviations, n_rows, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_SQRT,
                      .type = C2G_DATA_TYPE_FLOAT, .x = self->deviations, .y = self->deviations,
                      .n = n_rows) &&
         (self->scales == NULL ||
          C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SCALE_CHANNELS, .type = C2G_DATA_TYPE_FLOAT,
                       .x = self->y, .scale = self->scales, .bias = self->shifts, .y = self->y,
                       .n_outer = n_rows, .n = self->n, .n_inner = 1));
}

static gboolean
layer_norm_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  LayerNorm norm = { .state = state };
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  const C2gDataType type = x != NULL ? c2g_tensor_get_data_type (x) : C2G_DATA_TYPE_UNDEFINED;
  const int axis = ((const LayerNormState *) state)->axis;
  C2gMatrix matrix;
  C2gTensor *y;
  C2gDims dims;

  if (x == NULL)
    return FALSE;
  if (type != C2G_DATA_TYPE_FLOAT && type != C2G_DATA_TYPE_DOUBLE)
    return c2g_operator_set_types_error (
      op, 0, 1U << C2G_DATA_TYPE_FLOAT | 1U << C2G_DATA_TYPE_DOUBLE, error);
  if (type == C2G_DATA_TYPE_DOUBLE && c2g_operator_get_compute (op) != NULL)
    return c2g_operator_set_types_error (op, 0, 1U << C2G_DATA_TYPE_FLOAT, error);
  if (x->n_dims < 2)
    return c2g_operator_set_shape_error (op, 0, error, _("at least %d dimensions"), 2);
  if (!c2g_matrix_cut (&matrix, op, 0, x, axis, error) || !c2g_dims_copy (&dims, x, error) ||
      !find_parameters (op, x, matrix.n_columns, &norm, error))
    return FALSE;

  dims.n = axis < 0 ? x->n_dims + axis : (gsize) axis;
  dims.dims[dims.n++] = 1;
  y = find_statistics (op, x, &dims, &norm, error)
        ? c2g_operator_output_like (op, 0, x, type, error)
        : NULL;
  if (y == NULL)
    return FALSE;

  /* If n_columns is 0, the statistics of the empty rows are still computed. */
  norm.n = matrix.n_columns;
  norm.x = c2g_tensor_address (x);
  norm.y = c2g_tensor_address (y);
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, &norm, matrix.n_rows, error);
  c2g_parallel_for (matrix.n_rows, GRAIN / MAX (norm.n, 1) + 1,
                    type == C2G_DATA_TYPE_FLOAT ? run_floats_cb : run_doubles_cb, &norm);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "LayerNorm",
    .min_inputs = 1,
    .max_inputs = 3,
    .min_outputs = 3,
    .max_outputs = 3,
    .arguments = C2G_ARGS (C2G_ARG_INT (LayerNormState, axis, "axis", 1),
                           C2G_ARG_FLOAT (LayerNormState, epsilon, "epsilon", 1e-5,
                                          C2G_AT_LEAST (0)),
                           C2G_ARG_BOOLEAN (LayerNormState, is_affine, "elementwise_affine",
                                            FALSE)),
    .state_size = sizeof (LayerNormState),
    .set_up = layer_norm_set_up,
    .run = layer_norm_run,
    .infer = layer_norm_run,
    .count_flops = c2g_count_elements,
    .is_for_devices = TRUE,
    .traits = C2G_TRAITS_SAME_TYPE,
    .summary = "The dimensions from an axis on with mean 0 and variance 1",
  },
};

C2G_OPS_FAMILY (layer_norm);
