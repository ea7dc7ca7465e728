/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-ops-private.h>

#include <c2g/ops/c2g-hot-private.h>
#include <c2g/ops/c2g-optimizer-private.h>
#include <c2g/ops/c2g-rows-private.h>

#include <math.h>

/* Adam: steps by the mean of the gradients, in proportion to their usual size. */

typedef struct
{
  float beta1;
  float beta2;
  float epsilon;
} AdamState;

enum
{
  PARAMETERS,
  MOMENTS,
  SQUARES,
  GRADIENTS,
};

/* An output where the gradient is as it would be without the rate. */
#define OUT_GRADIENTS GRADIENTS

static gboolean
adam_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  AdamState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->beta1 = c2g_arguments_float (&arguments, "beta1", 0.9f);
  self->beta2 = c2g_arguments_float (&arguments, "beta2", 0.999f);
  self->epsilon = c2g_arguments_float (&arguments, "epsilon", 1e-5f);
  return c2g_arguments_finish (&arguments, error);
}

static gboolean
sparse_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return adam_set_up (op, state, error) && c2g_operator_check_all_in_place (op, 3, error);
}

/* What makes up for the zeros that the means began with. */
static gboolean
find_correction (const AdamState  *self,
                 C2gOperator      *op,
                 guint             input,
                 float            *correction,
                 GError          **error)
{
  gint64 iteration;
  double t;

  if (!c2g_optimizer_iteration (op, input, &iteration, error))
    return FALSE;
  t = (double) iteration + 1;
  *correction = (float) (sqrt (1 - pow (self->beta2, t)) / (1 - pow (self->beta1, t)));
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

/* The same, telling the gradients that it goes by. */
static void
update_and_tell (const AdamState    *self,
                 const C2gOptimizer *x,
                 float               correction)
{
  for (gsize i = 0; i < x->n; i++)
    {
      const float gradient = x->in[GRADIENTS][i];
      const float moment =
        x->in[MOMENTS][i] * self->beta1 + gradient * (1 - self->beta1);
      const float square =
        x->in[SQUARES][i] * self->beta2 + gradient * gradient * (1 - self->beta2);
      const float direction = correction * moment / (sqrtf (square) + self->epsilon);

      x->out[MOMENTS][i] = moment;
      x->out[SQUARES][i] = square;
      x->out[OUT_GRADIENTS][i] = direction;
      x->out[PARAMETERS][i] = x->in[PARAMETERS][i] + x->rate * direction;
    }
}

static gboolean
update_on_device (C2gOperator          *op,
                  const AdamState      *self,
                  const C2gOptimizer   *x,
                  const C2gSparseRows  *rows,
                  float                 correction,
                  GError              **error)
{
  const C2gComputeUpdate update = {
    .rule = C2G_COMPUTE_RULE_ADAM,
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
  C2gOptimizer x;
  float correction;

  if (!c2g_optimizer_read (&x, op, 4, 4, error) ||
      !find_correction (state, op, 5, &correction, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    if (!c2g_optimizer_write (&x, op, i, i, error))
      return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, state, &x, NULL, correction, error);
  (x.out[OUT_GRADIENTS] != NULL ? update_and_tell : update) (state, &x, correction);
  return TRUE;
}

static const C2gSparsePlaces sparse_places = { 0, 3, 4, 5 };

/* What operators on rows read; the gradients that they tell are in the shape of input 4. */
static gboolean
sparse_read (const AdamState  *self,
             C2gOperator      *op,
             gboolean          row_wise,
             C2gSparseRows    *rows,
             C2gOptimizer     *x,
             float            *correction,
             GError          **error)
{
  if (!c2g_sparse_rows_read (rows, op, &sparse_places, error) ||
      !find_correction (self, op, 6, correction, error))
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

/* The part of it for one row, of as many states as lie in rows. */
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
  C2gOptimizer x;
  float correction;

  if (!sparse_read (state, op, FALSE, &rows, &x, &correction, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return update_on_device (op, state, &x, &rows, correction, error);

  for (gsize i = 0; i < rows.indices.n; i++)
    {
      const C2gOptimizer row = take_row (&x, &rows, 3, i);

      (x.out[OUT_GRADIENTS] != NULL ? update_and_tell : update) (state, &row, correction);
    }
  return TRUE;
}

/* RowWiseSparseAdam: one mean of squares for a row. */

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
  C2gOptimizer x;
  float correction;

  if (!sparse_read (state, op, TRUE, &rows, &x, &correction, error))
    return FALSE;
  if (rows.n_block == 0)
    return TRUE;

  for (gsize i = 0; i < rows.indices.n; i++)
    {
      const C2gOptimizer row = take_row (&x, &rows, 2, i);

      update_row (state, &row, x.out[SQUARES] + c2g_indices_get (&rows.indices, i), correction);
    }
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "Adam",
    .min_inputs = 6,
    .max_inputs = 6,
    .min_outputs = 3,
    .max_outputs = 4,
    .in_place = "0>0 1>1 2>2",
    .state_size = sizeof (AdamState),
    .set_up = adam_set_up,
    .run = adam_run,
    .infer = adam_run,
    .is_for_devices = TRUE,
    .summary = "Steps by the mean of the gradients, in proportion to their usual size",
  },
  {
    .type = "SparseAdam",
    .min_inputs = 7,
    .max_inputs = 7,
    .min_outputs = 3,
    .max_outputs = 4,
    .in_place = "0>0 1>1 2>2",
    .state_size = sizeof (AdamState),
    .set_up = sparse_set_up,
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
    .state_size = sizeof (AdamState),
    .set_up = sparse_set_up,
    .run = row_wise_run,
    .infer = row_wise_run,
    .summary = "Adam for some rows, each with one mean of squares",
  },
};

void
c2g_ops_register_adam (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
