/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>

#include <math.h>

/* Adam (Kingma and Ba, 2015). Inputs w, m, v, g, lr, iteration; the Sparse operators have indices
 * before g. With t = iteration + 1:
 *
 * m' = beta1 m + (1 - beta1) g
 * v' = beta2 v + (1 - beta2) g²
 * c = sqrt (1 - beta2^t) / (1 - beta1^t)
 * w' = w + lr c m' / (sqrt (v') + epsilon)
 *
 * Outputs w', m', v', and optionally the step without lr. The first three may be in place; in the
 * Sparse operators they must be, and only the rows in indices change. RowWiseSparseAdam has one v
 * per row, for the mean of g² over the row. As in Caffe2 lr is added, so it is negative for
 * descent. On CUDA kernels/update.cu computes. */

typedef struct
{
  float    beta1;
  float    beta2;
  float    epsilon;
  /* SparseAdam only: use RAdam (Liu et al., 2019), which takes smaller steps while the estimate of
   * the variance is poor. */
  gboolean is_rectified;
} AdamState;

/* Factor for a step, and FALSE if the step is not divided by sqrt (v'). */
typedef struct
{
  float    correction;
  gboolean is_divided;
} AdamStep;

enum
{
  PARAMETERS,
  MOMENTS,
  SQUARES,
  GRADIENTS,
};

/* Output 3: the step without the learning rate. */
#define OUT_GRADIENTS GRADIENTS

static gboolean
sparse_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_check_all_in_place (op, 3, error);
}

static gboolean
rectified_set_up (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  AdamState *self = state;

  if (!sparse_set_up (op, state, error))
    return FALSE;
  if (self->is_rectified && c2g_operator_get_compute (op) != NULL)
    return c2g_operator_fail_on_device (op, error);
  return TRUE;
}

/* Returns RAdam's rectification term for step t, or 0 if the variance is not tractable yet. ρ∞
 * is a float as in Caffe2, because differences of large numbers follow. */
static double
rectify (const AdamState *self,
         double           t)
{
  const float last = 2 / (1 - self->beta2) - 1;
  const double power = pow (self->beta2, t);
  const double now = last - 2 * t * power / (1 - power);

  if (now < 5)
    return 0;
  return sqrt ((now - 4) * (now - 2) / now * last / ((last - 4) * (last - 2)));
}

/* Computes the bias correction: m and v start at 0. */
static gboolean
find_step (const AdamState  *self,
           C2gOperator      *op,
           guint             input,
           AdamStep         *step,
           GError          **error)
{
  gint64 iteration;
  double t, factor;

  if (!c2g_optimizer_iteration (op, input, &iteration, error))
    return FALSE;
  t = (double) iteration + 1;
  factor = self->is_rectified ? rectify (self, t) : 1;
  step->is_divided = factor > 0;
  if (step->is_divided)
    factor *= sqrt (1 - pow (self->beta2, t));
  else
    factor = 1;
  step->correction = (float) (factor / (1 - pow (self->beta1, t)));
  return TRUE;
}

C2G_HOT static void
update (const AdamState    *self,
        const C2gOptimizer *x,
        float               correction)
{
  const float beta1 = self->beta1, beta2 = self->beta2, epsilon = self->epsilon;
  const float rate = x->rate * correction;
  const float *w = x->in[PARAMETERS], *m = x->in[MOMENTS];
  const float *v = x->in[SQUARES], *g = x->in[GRADIENTS];
  float *new_w = x->out[PARAMETERS], *new_m = x->out[MOMENTS], *new_v = x->out[SQUARES];

  C2G_INDEPENDENT
  for (gsize i = 0; i < x->n; i++)
    {
      const float moment = m[i] * beta1 + g[i] * (1 - beta1);
      const float square = v[i] * beta2 + g[i] * g[i] * (1 - beta2);

      new_m[i] = moment;
      new_v[i] = square;
      new_w[i] = w[i] + rate * moment / (sqrtf (square) + epsilon);
    }
}

/* Updates and also writes output 3, if there is one. Also handles steps that are not divided. */
static void
update_and_tell (const AdamState    *self,
                 const C2gOptimizer *x,
                 const AdamStep     *step)
{
  for (gsize i = 0; i < x->n; i++)
    {
      const float gradient = x->in[GRADIENTS][i];
      const float moment =
        x->in[MOMENTS][i] * self->beta1 + gradient * (1 - self->beta1);
      const float square =
        x->in[SQUARES][i] * self->beta2 + gradient * gradient * (1 - self->beta2);
      const float divisor = step->is_divided ? sqrtf (square) + self->epsilon : 1;
      const float direction = step->correction * moment / divisor;

      x->out[MOMENTS][i] = moment;
      x->out[SQUARES][i] = square;
      if (x->out[OUT_GRADIENTS] != NULL)
        x->out[OUT_GRADIENTS][i] = direction;
      x->out[PARAMETERS][i] = x->in[PARAMETERS][i] + x->rate * direction;
    }
}

static void
update_any (const AdamState    *self,
            const C2gOptimizer *x,
            const AdamStep     *step)
{
  if (x->out[OUT_GRADIENTS] == NULL && step->is_divided)
    update (self, x, step->correction);
  else
    update_and_tell (self, x, step);
}

static gboolean
update_on_device (C2gOperator          *op,
                  C2gComputeRule        rule,
                  const AdamState      *self,
                  const C2gOptimizer   *x,
                  const C2gSparseRows  *rows,
                  float                 correction,
                  GError              **error)
{
  const C2gComputeUpdate update = {
    .rule = rule,
    .numbers = { self->beta1, self->beta2, self->epsilon, correction },
    .x = x->in[GRADIENTS],
    .in = { x->in[PARAMETERS], x->in[MOMENTS], x->in[SQUARES] },
    .out = { x->out[PARAMETERS], x->out[MOMENTS], x->out[SQUARES] },
    .steps = x->out[OUT_GRADIENTS],
  };

  return c2g_optimizer_update (op, update, x, rows, error);
}

static gboolean
adam_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  C2gOptimizer part = { 0 };
  C2gOptimizer x;
  AdamStep step;

  if (!c2g_optimizer_read (&x, op, 4, 4, error) || !find_step (state, op, 5, &step, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!c2g_optimizer_write (&x, op, i, i, error))
      return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, C2G_COMPUTE_RULE_ADAM, state, &x, NULL, step.correction, error);
  for (gsize i = 0; c2g_optimizer_next_part (&x, &i, &part);)
    update_any (state, &part, &step);
  return TRUE;
}

static const C2gSparsePlaces sparse_places = { 0, 3, 4, 5 };

/* Reads the inputs of a sparse operator and makes its outputs. Output 3 has the shape of g, input
 * 4. */
static gboolean
sparse_read (const AdamState  *self,
             C2gOperator      *op,
             gboolean          row_wise,
             C2gSparseRows    *rows,
             C2gOptimizer     *x,
             AdamStep         *step,
             GError          **error)
{
  if (!c2g_sparse_rows_read (rows, op, &sparse_places, error) ||
      !find_step (self, op, 6, step, error))
    return FALSE;

  *x = (C2gOptimizer) { .n = rows->n_block, .rate = rows->rate };
  for (guint i = 0; i < 3; i++)
    {
      const gint64 n =
        row_wise && i == SQUARES ? rows->n_rows : rows->n_rows * rows->n_block;
      float *data;

      if (!c2g_sparse_rows_output (op, i, i, n, &data, error))
        return FALSE;
      x->in[i] = x->out[i] = data;
    }
  if (!c2g_optimizer_write (x, op, OUT_GRADIENTS, sparse_places.gradients, error))
    return FALSE;
  x->in[GRADIENTS] = c2g_sparse_rows_get (rows, 0);
  return TRUE;
}

/* Returns the part of x for gradient row i. The first n_states states have one row per row of
 * parameters. */
static C2gOptimizer
take_row (const C2gOptimizer  *x,
          const C2gSparseRows *rows,
          guint                n_states,
          gsize                i)
{
  const gint64 at = c2g_indices_get (&rows->indices, i) * rows->n_block;
  C2gOptimizer row = *x;

  for (guint j = 0; j < n_states; j++)
    row.in[j] = row.out[j] = x->out[j] + at;
  row.in[GRADIENTS] = x->in[GRADIENTS] + i * rows->n_block;
  if (x->out[OUT_GRADIENTS] != NULL)
    row.out[OUT_GRADIENTS] = x->out[OUT_GRADIENTS] + i * rows->n_block;
  return row;
}

static gboolean
sparse_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  C2gSparseRows rows;
  gsize n_done = 0;
  C2gOptimizer x;
  AdamStep step;

  if (!sparse_read (state, op, FALSE, &rows, &x, &step, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, C2G_COMPUTE_RULE_ADAM, state, &x, &rows, step.correction, error);

  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      const C2gOptimizer row = take_row (&x, &rows, 3, i);

      update_any (state, &row, &step);
    }
  return TRUE;
}

/* RowWiseSparseAdam */

static void
update_row (const AdamState    *self,
            const C2gOptimizer *x,
            float              *square,
            float               correction)
{
  const float *g = x->in[GRADIENTS];
  const float mean = c2g_row_square_sum (g, 0, x->n) / (float) x->n;
  float divisor;

  *square = *square * self->beta2 + mean * (1 - self->beta2);
  divisor = sqrtf (*square) + self->epsilon;
  for (gsize i = 0; i < x->n; i++)
    {
      const float moment = x->in[MOMENTS][i] * self->beta1 + g[i] * (1 - self->beta1);
      const float direction = correction * moment / divisor;

      x->out[MOMENTS][i] = moment;
      if (x->out[OUT_GRADIENTS] != NULL)
        x->out[OUT_GRADIENTS][i] = direction;
      x->out[PARAMETERS][i] += x->rate * direction;
    }
}

static gboolean
row_wise_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gSparseRows rows;
  gsize n_done = 0;
  C2gOptimizer x;
  AdamStep step;

  if (!sparse_read (state, op, TRUE, &rows, &x, &step, error))
    return FALSE;
  if (rows.n_block == 0)
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, C2G_COMPUTE_RULE_ROW_ADAM, state, &x, &rows, step.correction, error);

  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      const C2gOptimizer row = take_row (&x, &rows, 2, i);

      update_row (state, &row, x.out[SQUARES] + c2g_indices_get (&rows.indices, i), step.correction);
    }
  return TRUE;
}

#define ARGUMENTS                                                                                  \
  C2G_ARG_FLOAT (AdamState, beta1, "beta1", 0.9),                                                  \
    C2G_ARG_FLOAT (AdamState, beta2, "beta2", 0.999),                                              \
    C2G_ARG_FLOAT (AdamState, epsilon, "epsilon", 1e-5)

static const C2gKernel kernels[] = {
  {
    .type = "Adam",
    .min_inputs = 6,
    .max_inputs = 6,
    .min_outputs = 3,
    .max_outputs = 4,
    .in_place = "0>0 1>1 2>2",
    .arguments = C2G_ARGS (ARGUMENTS),
    .state_size = sizeof (AdamState),
    .run = adam_run,
    .infer = adam_run,
    .is_for_devices = TRUE,
    .summary = "The step of Adam",
  },
  {
    .type = "SparseAdam",
    .min_inputs = 7,
    .max_inputs = 7,
    .min_outputs = 3,
    .max_outputs = 4,
    .in_place = "0>0 1>1 2>2",
    .arguments = C2G_ARGS (ARGUMENTS,
                           C2G_ARG_BOOLEAN (AdamState, is_rectified, "enableRAdam", FALSE)),
    .state_size = sizeof (AdamState),
    .set_up = rectified_set_up,
    .run = sparse_run,
    .infer = sparse_run,
    .is_for_devices = TRUE,
    .summary = "Adam for some rows",
  },
  {
    .type = "RowWiseSparseAdam",
    .min_inputs = 7,
    .max_inputs = 7,
    .min_outputs = 3,
    .max_outputs = 4,
    .in_place = "0>0 1>1 2>2",
    .arguments = C2G_ARGS (ARGUMENTS),
    .state_size = sizeof (AdamState),
    .set_up = sparse_set_up,
    .run = row_wise_run,
    .infer = row_wise_run,
    .is_for_devices = TRUE,
    .summary = "Adam for some rows, each with one mean of squares",
  },
};

C2G_OPS_FAMILY (adam);
