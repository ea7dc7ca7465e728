/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>

#include <math.h>

/* Adadelta (Zeiler, 2012). Inputs w, h, d, g, lr; SparseAdadelta has indices before g.
 *
 * h' = decay h + (1 - decay) g²
 * step = sqrt (d + epsilon) / sqrt (h' + epsilon) g
 * w' = w + lr step
 * d' = decay d + (1 - decay) step²
 *
 * Outputs w', h', d', of floats in the shape of the inputs. They may be in place; in
 * SparseAdadelta they must be, and only the rows in indices change. As in Caffe2 lr is added, so
 * it is negative for descent. On CUDA kernels/update.cu computes both. */

typedef struct
{
  float epsilon;
  float decay;
} AdadeltaState;

enum
{
  PARAMETERS,
  MOMENTS,
  DELTAS,
  GRADIENTS,
  RATE,
};

static gboolean
sparse_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_check_all_in_place (op, 3, error);
}

C2G_HOT static void
update (const AdadeltaState *self,
        const C2gOptimizer  *x)
{
  const float epsilon = self->epsilon, decay = self->decay, rate = x->rate;
  const float *w = x->in[PARAMETERS], *h = x->in[MOMENTS];
  const float *d = x->in[DELTAS], *g = x->in[GRADIENTS];
  float *new_w = x->out[PARAMETERS], *new_h = x->out[MOMENTS], *new_d = x->out[DELTAS];

  C2G_INDEPENDENT
  for (gsize i = 0; i < x->n; i++)
    {
      const float gradient = g[i], delta = d[i];
      const float moment = decay * h[i] + (1 - decay) * gradient * gradient;
      const float step = sqrtf (delta + epsilon) / sqrtf (moment + epsilon) * gradient;

      new_h[i] = moment;
      new_w[i] = w[i] + rate * step;
      new_d[i] = decay * delta + (1 - decay) * step * step;
    }
}

static gboolean
update_on_device (C2gOperator          *op,
                  const AdadeltaState  *self,
                  const C2gOptimizer   *x,
                  const C2gSparseRows  *rows,
                  GError              **error)
{
  const C2gComputeUpdate update = {
    .rule = C2G_COMPUTE_RULE_ADADELTA,
    .numbers = { self->epsilon, self->decay },
    .x = x->in[GRADIENTS],
    .in = { x->in[PARAMETERS], x->in[MOMENTS], x->in[DELTAS] },
    .out = { x->out[PARAMETERS], x->out[MOMENTS], x->out[DELTAS] },
  };

  return c2g_optimizer_update (op, update, x, rows, error);
}

static gboolean
adadelta_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gOptimizer part = { 0 };
  C2gOptimizer x;

  if (!c2g_optimizer_read (&x, op, 4, RATE, error) ||
      !c2g_optimizer_write (&x, op, PARAMETERS, PARAMETERS, error) ||
      !c2g_optimizer_write (&x, op, MOMENTS, MOMENTS, error) ||
      !c2g_optimizer_write (&x, op, DELTAS, DELTAS, error))
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, state, &x, NULL, error);
  for (gsize i = 0; c2g_optimizer_next_part (&x, &i, &part);)
    update (state, &part);
  return TRUE;
}

static gboolean
sparse_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  static const C2gSparsePlaces places = { 0, 3, 4, 5 };
  C2gSparseRows rows;
  gsize n_done = 0;
  C2gOptimizer x = { 0 };
  float *data[3];

  if (!c2g_sparse_rows_read (&rows, op, &places, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (data); i++)
    if (!c2g_sparse_rows_output (op, i, i, rows.n_rows * rows.n_block, &data[i], error))
      return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    {
      for (guint i = 0; i < G_N_ELEMENTS (data); i++)
        x.in[i] = x.out[i] = data[i];
      return update_on_device (op, state, &x, &rows, error);
    }

  x.n = rows.n_block;
  x.rate = rows.rate;
  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      const gint64 at = c2g_indices_get (&rows.indices, i) * rows.n_block;

      for (guint j = 0; j < G_N_ELEMENTS (data); j++)
        x.in[j] = x.out[j] = data[j] + at;
      x.in[GRADIENTS] = c2g_sparse_rows_get (&rows, i);
      update (state, &x);
    }
  return TRUE;
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_FLOAT (AdadeltaState, epsilon, "epsilon", 1e-5, C2G_AT_LEAST (0)),
  C2G_ARG_FLOAT (AdadeltaState, decay, "decay", 0.95, C2G_RANGE (C2G_ABOVE_0, C2G_BELOW_1)),
  { 0 },
};

static const C2gKernel kernels[] = {
  {
    .type = "Adadelta",
    .min_inputs = 5,
    .max_inputs = 5,
    .min_outputs = 3,
    .max_outputs = 3,
    .in_place = "0>0 1>1 2>2",
    .arguments = arguments,
    .state_size = sizeof (AdadeltaState),
    .run = adadelta_run,
    .infer = adadelta_run,
    .is_for_devices = TRUE,
    .summary = "The step of Adadelta",
  },
  {
    .type = "SparseAdadelta",
    .min_inputs = 6,
    .max_inputs = 6,
    .min_outputs = 3,
    .max_outputs = 3,
    .in_place = "0>0 1>1 2>2",
    .arguments = arguments,
    .state_size = sizeof (AdadeltaState),
    .set_up = sparse_set_up,
    .run = sparse_run,
    .infer = sparse_run,
    .is_for_devices = TRUE,
    .summary = "Adadelta for some rows",
  },
};

C2G_OPS_FAMILY (adadelta);
