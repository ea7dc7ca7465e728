/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
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
 * added, so it is negative for descent. Both operators run on the CPU only. */

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

/* Makes an output.  *data is NULL if the operator lacks it. */
static gboolean
make_output (C2gOperator  *op,
             guint         output,
             guint         like,
             float       **data,
             GError      **error)
{
  C2gTensor *source, *target;

  *data = NULL;
  if (output >= c2g_operator_get_n_outputs (op))
    return TRUE;
  source = c2g_operator_input (op, like, C2G_DATA_TYPE_FLOAT, error);
  target = source != NULL
             ? c2g_operator_output_like (op, output, source, C2G_DATA_TYPE_FLOAT, error)
             : NULL;
  if (target == NULL)
    return FALSE;
  *data = c2g_tensor_address (target);
  return TRUE;
}

static gboolean
wngrad_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  WngradState *self = state;
  C2gTensor *w = c2g_operator_input (op, PARAMETERS, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *g;
  const float *gradients;
  float *target, *new_divisor, *new_rate, *steps;
  float rate, divisor, safe;

  g = w != NULL ? c2g_operator_input_sized (op, GRADIENTS, C2G_DATA_TYPE_FLOAT, w->n_elements,
                                            error)
                : NULL;
  if (g == NULL || !c2g_optimizer_rate (op, RATE, &rate, error) ||
      !c2g_optimizer_rate (op, DIVISOR, &divisor, error) ||
      !make_output (op, OUT_PARAMETERS, PARAMETERS, &target, error) ||
      !make_output (op, OUT_DIVISOR, DIVISOR, &new_divisor, error) ||
      !make_output (op, OUT_RATE, DIVISOR, &new_rate, error) ||
      !make_output (op, OUT_STEPS, GRADIENTS, &steps, error))
    return FALSE;

  gradients = c2g_tensor_address (g);
  safe = divisor + self->epsilon;
  rate /= safe;
  for (gsize i = 0, n = 0; c2g_interrupt_next_part (w->n_elements, &i, &n);)
    for (gsize j = i; j < i + n; j++)
      target[j] = ((const float *) c2g_tensor_address (w))[j] + rate * gradients[j];
  *new_divisor = divisor + c2g_row_square_sum (gradients, 0, g->n_elements) / safe;
  if (new_rate != NULL)
    *new_rate = rate;
  if (steps != NULL)
    c2g_row_scale (gradients, rate, 0, steps, g->n_elements);
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
    .summary = "Wngrad for some rows",
  },
};

C2G_OPS_FAMILY (wngrad);
