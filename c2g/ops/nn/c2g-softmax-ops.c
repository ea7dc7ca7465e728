/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-matrix-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-rows-private.h>

#include <math.h>

/* Softmax operators on rows: X, of float, is seen as a matrix cut at axis.
 *
 * Softmax: y = exp (x - max) / Σ exp (x - max).
 * LogSoftmax: y = x - max - log Σ exp (x - max).
 * SoftmaxGradient: inputs Y, dY; dX = (dY - Σ dY Y) Y.
 *
 * The output has the shape of input 0 and may be in place of any input. The rules are Caffe2's.
 * On CUDA kernels/softmax.cu computes the first two, kernels/binary.cu and reduce.cu the
 * gradient. */

/* Least number of elements per thread. */
#define GRAIN (1 << 13)

typedef struct
{
  int    axis;
} SoftmaxState;

typedef struct
{
  const float *x;
  const float *gradient;
  float       *y;
  gsize        n;
} Rows;

static void
softmax_cb (gsize    begin,
            gsize    end,
            guint    worker,
            gpointer data)
{
  const Rows *rows = data;
  const gsize n = rows->n;

  for (gsize i = begin; i < end; i++)
    {
      const float *x = rows->x + i * n;
      float *y = rows->y + i * n;
      const float sum = c2g_row_exp (x, c2g_row_max (x, n), y, n);

      c2g_row_scale (y, 1 / sum, 0, y, n);
    }
}

static void
log_softmax_cb (gsize    begin,
                gsize    end,
                guint    worker,
                gpointer data)
{
  const Rows *rows = data;
  const gsize n = rows->n;

  for (gsize i = begin; i < end; i++)
    {
      const float *x = rows->x + i * n;
      const float max = c2g_row_max (x, n);
      const float log_sum = logf (c2g_row_exp_sum (x, max, n));

      /* Two subtractions: max + log_sum would lose digits of log_sum if max is large. */
      c2g_row_scale (x, 1, -max, rows->y + i * n, n);
      c2g_row_scale (rows->y + i * n, 1, -log_sum, rows->y + i * n, n);
    }
}

static void
gradient_row (const float *x,
              const float *gradient,
              float       *y,
              gsize        n)
{
  const float dot = c2g_row_dot (x, 0, gradient, n);

  for (gsize i = 0; i < n; i++)
    y[i] = (gradient[i] - dot) * x[i];
}

static void
gradient_cb (gsize    begin,
             gsize    end,
             guint    worker,
             gpointer data)
{
  const Rows *rows = data;
  const gsize n = rows->n;

  for (gsize i = begin; i < end; i++)
    gradient_row (rows->x + i * n, rows->gradient + i * n, rows->y + i * n, n);
}

/* Computes (gradient - Σ gradient y) y for each row. The result may be in place of both
 * inputs. */
static gboolean
gradient_on_device (C2gOperator      *op,
                    const C2gMatrix  *matrix,
                    const float      *y,
                    const float      *gradient,
                    float            *result,
                    GError          **error)
{
  const gint64 dims[] = { matrix->n_rows, matrix->n_columns };
  const gint64 strides[] = { matrix->n_columns, 1 };
  const gint64 row_strides[] = { 1, 0 };
  const gsize n = matrix->n_rows * matrix->n_columns;
  float *products, *sums;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, n + matrix->n_rows, sizeof (float), &products, error);

  if (scratch == NULL)
    return FALSE;
  sums = products + n;
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 2, .x = gradient,
                      .x_strides = strides, .other = y, .other_strides = strides, .y = products) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SUM,
                      .type = C2G_DATA_TYPE_FLOAT, .x = products, .dims = dims, .n_dims = 2,
                      .axes = 1U << 1, .y = sums) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_SUB,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 2, .x = gradient,
                      .x_strides = strides, .other = sums, .other_strides = row_strides,
                      .y = products) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 2, .x = products,
                      .x_strides = strides, .other = y, .other_strides = strides, .y = result);
}

static gboolean
run (C2gOperator      *op,
     SoftmaxState     *self,
     C2gTensor        *x,
     C2gTensor        *gradient,
     C2gParallelFunc   func,
     GError          **error)
{
  C2gMatrix matrix;
  C2gTensor *y;
  Rows rows;

  if (!c2g_matrix_cut (&matrix, op, 0, x, self->axis, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, c2g_tensor_get_data_type (x), error);
  if (y == NULL)
    return FALSE;
  c2g_operator_set_flops (op, 4.0 * (double) y->n_elements);
  if (y->n_elements == 0)
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL && gradient != NULL)
    return gradient_on_device (op, &matrix, c2g_tensor_address (x), c2g_tensor_address (gradient),
                               c2g_tensor_address (y), error);
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SOFTMAX, .is_log = func == log_softmax_cb,
                        .type = c2g_tensor_get_data_type (x), .x = c2g_tensor_address (x),
                        .y = c2g_tensor_address (y), .n_outer = matrix.n_rows,
                        .n = matrix.n_columns);

  rows.x = c2g_tensor_address (x);
  rows.gradient = gradient != NULL ? c2g_tensor_address (gradient) : NULL;
  rows.y = c2g_tensor_address (y);
  rows.n = matrix.n_columns;
  c2g_parallel_for (matrix.n_rows, GRAIN / rows.n + 1, func, &rows);
  return TRUE;
}

static gboolean
run_one (C2gOperator      *op,
         gpointer          state,
         C2gParallelFunc   func,
         GError          **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, c2g_on_device_real_type (op), error);

  return x != NULL && run (op, state, x, NULL, func, error);
}

static gboolean
softmax_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return run_one (op, state, softmax_cb, error);
}

static gboolean
log_softmax_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  return run_one (op, state, log_softmax_cb, error);
}

static gboolean
gradient_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gTensor *y = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *gradient =
    y != NULL ? c2g_operator_input_like (op, 1, C2G_DATA_TYPE_FLOAT, y, error) : NULL;

  return gradient != NULL && run (op, state, y, gradient, gradient_cb, error);
}

#define SOFTMAX(name, n, places, function, ...)                                                    \
  {                                                                                                \
    .type = name, .min_inputs = n, .max_inputs = n, .min_outputs = 1, .max_outputs = 1,            \
    .in_place = places, .arguments = C2G_ARGS (C2G_ARG_INT (SoftmaxState, axis, "axis", 1)),       \
    .state_size = sizeof (SoftmaxState),                                                           \
    .run = function, .infer = function, .count_flops = c2g_operator_count_flops,                   \
    .is_for_devices = TRUE, .summary = __VA_ARGS__                                                 \
  }

static const C2gKernel kernels[] = {
  SOFTMAX ("Softmax", 1, "0>0", softmax_run, "The softmax function of each row",
           .traits = C2G_TRAITS_FLOAT,
           .gradient = { "SoftmaxGradient", "O0,GO0", "GI0" }),
  SOFTMAX ("LogSoftmax", 1, "0>0", log_softmax_run, "The logarithm of Softmax",
           .traits = C2G_TRAITS_FLOAT),
  SOFTMAX ("SoftmaxGradient", 2, "0>0 1>0", gradient_run, "The gradient of Softmax",
           .traits = C2G_TRAITS_FLOAT),
};

C2G_OPS_FAMILY (softmax);
