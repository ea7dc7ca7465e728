/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>

#include <math.h>

/* Adagrad. Inputs w, h, g, lr; the Sparse operators have indices before g.
 *
 * g' = weight_decay w + g
 * h' = decay h + g'²
 * w' = w + lr g' / (sqrt (h') + epsilon)
 *
 * Outputs w', h', and for Adagrad optionally lr / (sqrt (h') + epsilon) and the step.  w' and h'
 * may be in place; in the Sparse operators they must be, and only the rows in indices change.
 * RowWiseSparseAdagrad has one h per row, to which it adds the mean of g'² over the row. As in
 * Caffe2 lr is added, so it is negative for descent. On CUDA kernels/update.cu computes. */

typedef struct
{
  float epsilon;
  float decay;
  float weight_decay;
} AdagradState;

enum
{
  PARAMETERS,
  MOMENTS,
  GRADIENTS,
  RATE,
};

enum
{
  OUT_PARAMETERS,
  OUT_MOMENTS,
  OUT_RATES,
  OUT_STEPS,
};

static gboolean
sparse_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_check_all_in_place (op, 2, error);
}

C2G_HOT static void
update (const AdagradState *self,
        float               rate,
        const float        *w,
        const float        *h,
        const float        *g,
        float              *new_w,
        float              *new_h,
        gsize               n)
{
  const float epsilon = self->epsilon, decay = self->decay, weight_decay = self->weight_decay;

  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const float gradient = weight_decay * w[i] + g[i];
      const float moment = decay * h[i] + gradient * gradient;

      new_h[i] = moment;
      new_w[i] = w[i] + rate / (sqrtf (moment) + epsilon) * gradient;
    }
}

/* Updates and also writes the effective rates and the steps. */
static void
update_and_tell (const AdagradState *self,
                 const C2gOptimizer *x)
{
  for (gsize i = 0; i < x->n; i++)
    {
      const float weight = x->in[PARAMETERS][i];
      const float gradient = self->weight_decay * weight + x->in[GRADIENTS][i];
      const float moment = self->decay * x->in[MOMENTS][i] + gradient * gradient;
      const float rate = x->rate / (sqrtf (moment) + self->epsilon);

      x->out[OUT_MOMENTS][i] = moment;
      x->out[OUT_RATES][i] = rate;
      if (x->out[OUT_STEPS] != NULL)
        x->out[OUT_STEPS][i] = rate * gradient;
      x->out[OUT_PARAMETERS][i] = weight + rate * gradient;
    }
}

/* Starts the update on the device. */
static gboolean
update_on_device (C2gOperator          *op,
                  C2gComputeRule        rule,
                  const AdagradState   *self,
                  const C2gOptimizer   *x,
                  const C2gSparseRows  *rows,
                  GError              **error)
{
  const C2gComputeUpdate update = {
    .rule = rule,
    .numbers = { self->epsilon, self->decay, self->weight_decay },
    .x = x->in[GRADIENTS],
    .in = { x->in[PARAMETERS], x->in[MOMENTS] },
    .out = { x->out[OUT_PARAMETERS], x->out[OUT_MOMENTS] },
    .steps = x->out[OUT_STEPS],
    .rates = x->out[OUT_RATES],
  };

  return c2g_optimizer_update (op, update, x, rows, error);
}

static gboolean
adagrad_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gOptimizer part = { 0 };
  C2gOptimizer x;

  if (!c2g_optimizer_read (&x, op, 3, RATE, error) ||
      !c2g_optimizer_write (&x, op, OUT_PARAMETERS, PARAMETERS, error) ||
      !c2g_optimizer_write (&x, op, OUT_MOMENTS, MOMENTS, error) ||
      !c2g_optimizer_write (&x, op, OUT_RATES, GRADIENTS, error) ||
      !c2g_optimizer_write (&x, op, OUT_STEPS, GRADIENTS, error))
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, C2G_COMPUTE_RULE_ADAGRAD, state, &x, NULL, error);
  for (gsize i = 0; c2g_optimizer_next_part (&x, &i, &part);)
    if (x.out[OUT_RATES] != NULL)
      update_and_tell (state, &part);
    else
      update (state, x.rate, part.in[PARAMETERS], part.in[MOMENTS], part.in[GRADIENTS],
              part.out[OUT_PARAMETERS], part.out[OUT_MOMENTS], part.n);
  return TRUE;
}

static const C2gSparsePlaces sparse_places = { 0, 2, 3, 4 };

static gboolean
sparse_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  C2gSparseRows rows;
  gsize n_done = 0;
  float *w, *h;

  if (!c2g_sparse_rows_read (&rows, op, &sparse_places, error) ||
      !c2g_sparse_rows_output (op, 0, 0, rows.n_rows * rows.n_block, &w, error) ||
      !c2g_sparse_rows_output (op, 1, 1, rows.n_rows * rows.n_block, &h, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    {
      const C2gOptimizer x = { .in = { w, h }, .out = { w, h } };

      return update_on_device (op, C2G_COMPUTE_RULE_ADAGRAD, state, &x, &rows, error);
    }

  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      const gint64 at = c2g_indices_get (&rows.indices, i) * rows.n_block;

      update (state, rows.rate, w + at, h + at, c2g_sparse_rows_get (&rows, i), w + at, h + at,
              rows.n_block);
    }
  return TRUE;
}

/* RowWiseSparseAdagrad */

static void
update_row (const AdagradState *self,
            float               rate,
            float              *w,
            float              *moment,
            const float        *g,
            gint64              n)
{
  float sum = 0;
  float step;

  for (gint64 i = 0; i < n; i++)
    {
      const float gradient = self->weight_decay * w[i] + g[i];

      sum += gradient * gradient;
    }

  *moment += sum / (float) n;
  step = rate / (sqrtf (*moment) + self->epsilon);
  for (gint64 i = 0; i < n; i++)
    w[i] += (self->weight_decay * w[i] + g[i]) * step;
}

static gboolean
row_wise_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gSparseRows rows;
  gsize n_done = 0;
  float *w, *h;

  if (!c2g_sparse_rows_read (&rows, op, &sparse_places, error) ||
      !c2g_sparse_rows_output (op, 0, 0, rows.n_rows * rows.n_block, &w, error) ||
      !c2g_sparse_rows_output (op, 1, 1, rows.n_rows, &h, error))
    return FALSE;
  if (rows.n_block == 0)
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL)
    {
      const C2gOptimizer x = { .in = { w, h }, .out = { w, h } };

      return update_on_device (op, C2G_COMPUTE_RULE_ROW_ADAGRAD, state, &x, &rows, error);
    }

  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      const gint64 row = c2g_indices_get (&rows.indices, i);

      update_row (state, rows.rate, w + row * rows.n_block, h + row,
                  c2g_sparse_rows_get (&rows, i), rows.n_block);
    }
  return TRUE;
}

#define SPARSE_ARGUMENTS                                                                           \
  C2G_ARG_FLOAT (AdagradState, epsilon, "epsilon", 1e-5),                                          \
    C2G_ARG_FLOAT (AdagradState, decay, "decay", 1, C2G_RANGE (1, 1)),                             \
    C2G_ARG_FLOAT (AdagradState, weight_decay, "weight_decay", 0)

static const C2gKernel kernels[] = {
  {
    .type = "Adagrad",
    .min_inputs = 4,
    .max_inputs = 4,
    .min_outputs = 2,
    .max_outputs = 4,
    .in_place = "0>0 1>1",
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (AdagradState, epsilon, "epsilon", 1e-5),
                           C2G_ARG_FLOAT (AdagradState, decay, "decay", 1),
                           C2G_ARG_FLOAT (AdagradState, weight_decay, "weight_decay", 0)),
    .state_size = sizeof (AdagradState),
    .run = adagrad_run,
    .infer = adagrad_run,
    .is_for_devices = TRUE,
    .summary = "The step of Adagrad",
  },
  {
    .type = "SparseAdagrad",
    .min_inputs = 5,
    .max_inputs = 5,
    .min_outputs = 2,
    .max_outputs = 2,
    .in_place = "0>0 1>1",
    .arguments = C2G_ARGS (SPARSE_ARGUMENTS),
    .state_size = sizeof (AdagradState),
    .set_up = sparse_set_up,
    .run = sparse_run,
    .infer = sparse_run,
    .is_for_devices = TRUE,
    .summary = "Adagrad for some rows",
  },
  {
    .type = "RowWiseSparseAdagrad",
    .min_inputs = 5,
    .max_inputs = 5,
    .min_outputs = 2,
    .max_outputs = 2,
    .in_place = "0>0 1>1",
    .arguments = C2G_ARGS (SPARSE_ARGUMENTS, C2G_ARG_REFUSED ("counter_halflife=-1")),
    .state_size = sizeof (AdagradState),
    .set_up = sparse_set_up,
    .run = row_wise_run,
    .infer = row_wise_run,
    .is_for_devices = TRUE,
    .summary = "Adagrad for some rows, each with one moment",
  },
};

C2G_OPS_FAMILY (adagrad);
