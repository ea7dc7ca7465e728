/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>

/* WNGrad (Wu, Ward and Bottou, 2018). Inputs w, b, g, lr, where b is one float; SparseWngrad has
 * indices before g.
 *
 * w' = w + lr g / (b + epsilon)
 * b' = b + Σ g² / (b + epsilon)
 *
 * Outputs w', b', and for Wngrad optionally lr / (b + epsilon) and the steps.  w' and b' may be in
 * place; in SparseWngrad they must be, and only the rows in indices change. As in Caffe2 lr is
 * added, so it is negative for descent. On CUDA kernels/update.cu updates w, and
 * b stays on the device. */

typedef struct
{
  float epsilon;
} WngradState;

enum
{
  PARAMETERS,
  DIVISOR,
  GRADIENTS,
  RATE,
};

enum
{
  OUT_PARAMETERS,
  OUT_DIVISOR,
  OUT_RATE,
  OUT_STEPS,
};

static gboolean
sparse_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_check_all_in_place (op, 2, error);
}

static gboolean
read_inputs (C2gOptimizer  *x,
             C2gOperator   *op,
             GError       **error)
{
  *x = (C2gOptimizer) { 0 };
  for (guint i = 0; i <= RATE; i++)
    {
      x->inputs[i] =
        i == PARAMETERS
          ? c2g_operator_input (op, i, C2G_DATA_TYPE_FLOAT, error)
          : c2g_operator_input_sized (op, i, C2G_DATA_TYPE_FLOAT, i == GRADIENTS ? x->n : 1, error);
      if (x->inputs[i] == NULL)
        return FALSE;
      if (i == PARAMETERS)
        x->n = x->inputs[i]->n_elements;
    }
  return TRUE;
}

/* Starts y = function (a, b) for single numbers on the device. */
static gboolean
compute_number (C2gOperator       *op,
                C2gComputeBinary   function,
                const float       *a,
                const float       *b,
                float             *y,
                GError           **error)
{
  static const gint64 one = 1;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = function,
                      .type = C2G_DATA_TYPE_FLOAT, .x = a, .other = b, .y = y, .dims = &one,
                      .n_dims = 1, .x_strides = &one, .other_strides = &one);
}

/* Starts b' = b + Σ g² / divisor.  b' may be b. */
static gboolean
update_divisor (C2gOperator         *op,
                const C2gOptimizer  *x,
                gint64               n_gradients,
                const float         *divisor,
                float               *sum,
                GError             **error)
{
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SQUARES,
                      .type = C2G_DATA_TYPE_FLOAT, .x = x->in[GRADIENTS], .dims = &n_gradients,
                      .n_dims = 1, .axes = 1U << 0, .y = sum) &&
         compute_number (op, C2G_COMPUTE_BINARY_DIV, sum, divisor, sum, error) &&
         compute_number (op, C2G_COMPUTE_BINARY_ADD, x->in[DIVISOR], sum, x->out[OUT_DIVISOR],
                         error);
}

/* Starts the step for some rows, or for all parameters if rows is NULL. */
static gboolean
step_on_device (C2gOperator         *op,
                const WngradState   *self,
                const C2gOptimizer  *x,
                C2gSparseRows       *rows,
                GError             **error)
{
  const C2gComputeUpdate add = {
    .rule = C2G_COMPUTE_RULE_ADD,
    .x = x->in[GRADIENTS],
    .in = { x->in[PARAMETERS] },
    .out = { x->out[OUT_PARAMETERS] },
  };
  const C2gComputeUpdate scale = {
    .rule = C2G_COMPUTE_RULE_SCALE,
    .in = { x->in[GRADIENTS] },
    .out = { x->out[OUT_STEPS] },
  };
  C2gOptimizer scaled = { .n = x->n };
  float *numbers = NULL;
  g_autoptr (C2gStorage) scratch = c2g_on_device_scratch (op, 3, sizeof *numbers, &numbers, error);
  float *safe = numbers, *rate = x->out[OUT_RATE] != NULL ? x->out[OUT_RATE] : numbers + 1;

  if (scratch == NULL || !c2g_on_device_linear (op, x->in[DIVISOR], 1, self->epsilon, safe, 1, error) ||
      !compute_number (op, C2G_COMPUTE_BINARY_DIV, x->in[RATE], safe, rate, error))
    return FALSE;

  scaled.far_rate = rate;
  if (rows != NULL)
    rows->far_rate = rate;
  return c2g_optimizer_update (op, add, &scaled, rows, error) &&
         (scale.out[0] == NULL || c2g_optimizer_update (op, scale, &scaled, NULL, error)) &&
         update_divisor (op, x, rows != NULL ? rows->gradients->n_elements : (gint64) x->n,
                         rows != NULL ? x->in[DIVISOR] : safe, numbers + 2, error);
}

static gboolean
wngrad_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  static const guint likes[] = { PARAMETERS, DIVISOR, DIVISOR, GRADIENTS };
  WngradState *self = state;
  C2gOptimizer x;
  float rate, divisor, safe;

  if (!read_inputs (&x, op, error))
    return FALSE;
  for (guint i = 0; i <= OUT_STEPS; i++)
    if (!c2g_optimizer_write (&x, op, i, likes[i], error))
      return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return step_on_device (op, self, &x, NULL, error);

  divisor = *x.in[DIVISOR];
  safe = divisor + self->epsilon;
  rate = *x.in[RATE] / safe;
  for (gsize i = 0, n = 0; c2g_interrupt_next_part (x.n, &i, &n);)
    for (gsize j = i; j < i + n; j++)
      x.out[OUT_PARAMETERS][j] = x.in[PARAMETERS][j] + rate * x.in[GRADIENTS][j];
  *x.out[OUT_DIVISOR] = divisor + c2g_row_square_sum (x.in[GRADIENTS], 0, x.n) / safe;
  if (x.out[OUT_RATE] != NULL)
    *x.out[OUT_RATE] = rate;
  if (x.out[OUT_STEPS] != NULL)
    c2g_row_scale (x.in[GRADIENTS], rate, 0, x.out[OUT_STEPS], x.n);
  return TRUE;
}

static gboolean
sparse_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  static const C2gSparsePlaces places = { 0, 2, 3, 4 };
  WngradState *self = state;
  C2gSparseRows rows;
  gsize n_done = 0;
  float *w, *divisor;
  float rate;

  if (!c2g_sparse_rows_read (&rows, op, &places, error) ||
      !c2g_sparse_rows_output (op, 0, 0, rows.n_rows * rows.n_block, &w, error) ||
      !c2g_sparse_rows_output (op, 1, 1, 1, &divisor, error))
    return FALSE;
  if (rows.indices.n == 0)
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL)
    {
      const C2gOptimizer x = {
        .in = { w, divisor, c2g_sparse_rows_get (&rows, 0), rows.far_rate },
        .out = { w, divisor },
      };

      return step_on_device (op, self, &x, &rows, error);
    }

  rate = rows.rate / (*divisor + self->epsilon);
  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      float *row = w + c2g_indices_get (&rows.indices, i) * rows.n_block;
      const float *gradients = c2g_sparse_rows_get (&rows, i);

      for (gint64 j = 0; j < rows.n_block; j++)
        row[j] += rate * gradients[j];
    }
  /* Caffe2 does not add epsilon to this divisor. */
  *divisor += c2g_row_square_sum (c2g_sparse_rows_get (&rows, 0), 0, rows.indices.n * rows.n_block) / *divisor;
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "Wngrad",
    .min_inputs = 4,
    .max_inputs = 4,
    .min_outputs = 2,
    .max_outputs = 4,
    .in_place = "0>0 1>1",
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (WngradState, epsilon, "epsilon", 1e-5)),
    .state_size = sizeof (WngradState),
    .run = wngrad_run,
    .infer = wngrad_run,
    .is_for_devices = TRUE,
    .summary = "The step of WNGrad",
  },
  {
    .type = "SparseWngrad",
    .min_inputs = 5,
    .max_inputs = 5,
    .min_outputs = 2,
    .max_outputs = 2,
    .in_place = "0>0 1>1",
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (WngradState, epsilon, "epsilon", 1e-5)),
    .state_size = sizeof (WngradState),
    .set_up = sparse_set_up,
    .run = sparse_run,
    .infer = sparse_run,
    .is_for_devices = TRUE,
    .summary = "Wngrad for some rows",
  },
};

C2G_OPS_FAMILY (wngrad);
