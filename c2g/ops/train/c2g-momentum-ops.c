/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>

#include <math.h>

/* SGD with momentum. Inputs g, m, lr; the Updates have the parameters w too.
 *
 * MomentumSGD: m' = momentum m + lr g, g' = m'; with nesterov g' = (1 + momentum) m' - momentum m.
 * MomentumSGDUpdate: also w' = w - g'.  SparseMomentumSGDUpdate: for the rows in indices only.
 * Outputs g', m' and for the Updates w'.
 *
 * RmsProp: inputs g, s, m, lr; s' = s + (1 - decay) (g² - s), m' = momentum m + lr g / sqrt
 * (epsilon + s'), g' = m'.  Outputs g', s', m'.
 *
 * All are floats in the shape of the inputs. Outputs may be in place; m and w of the Sparse
 * operator must be. The rules are Caffe2's. On CUDA kernels/update.cu computes all of them. */

typedef struct
{
  float    momentum;
  gboolean nesterov;
} MomentumState;

enum
{
  GRADIENTS,
  MOMENTS,
  RATE,
  PARAMETERS,
  INDICES,
};

enum
{
  OUT_GRADIENTS,
  OUT_MOMENTS,
  OUT_PARAMETERS,
};

C2G_HOT static void
walk (float         momentum,
      float         rate,
      const float  *g,
      const float  *m,
      float        *new_g,
      float        *new_m,
      gsize         n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const float step = rate * g[i] + momentum * m[i];

      new_m[i] = step;
      new_g[i] = step;
    }
}

C2G_HOT static void
walk_ahead (float         momentum,
            float         rate,
            const float  *g,
            const float  *m,
            float        *new_g,
            float        *new_m,
            gsize         n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const float old = m[i];
      const float moment = momentum * old + rate * g[i];

      new_m[i] = moment;
      new_g[i] = (1 + momentum) * moment - momentum * old;
    }
}

C2G_HOT static void
subtract (const float *steps,
          const float *w,
          float       *new_w,
          gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    new_w[i] = w[i] - steps[i];
}

static gboolean
momentum_read (C2gOptimizer  *x,
               C2gOperator   *op,
               GError       **error)
{
  return c2g_optimizer_read (x, op, 2, RATE, error) &&
         c2g_optimizer_write (x, op, OUT_GRADIENTS, GRADIENTS, error) &&
         c2g_optimizer_write (x, op, OUT_MOMENTS, MOMENTS, error);
}

static void
momentum_walk (const MomentumState *self,
               const C2gOptimizer  *x)
{
  (self->nesterov ? walk_ahead : walk) (self->momentum, x->rate, x->in[GRADIENTS], x->in[MOMENTS],
                                        x->out[OUT_GRADIENTS], x->out[OUT_MOMENTS], x->n);
}

static gboolean
walk_on_device (C2gOperator          *op,
                const MomentumState  *self,
                const C2gOptimizer   *x,
                const C2gSparseRows  *rows,
                const float          *w,
                float                *new_w,
                GError              **error)
{
  const C2gComputeUpdate update = {
    .rule = self->nesterov ? C2G_COMPUTE_RULE_NESTEROV : C2G_COMPUTE_RULE_MOMENTUM,
    .numbers = { self->momentum },
    .x = x->in[GRADIENTS],
    .in = { x->in[MOMENTS], w },
    .out = { x->out[OUT_MOMENTS], new_w },
    .steps = x->out[OUT_GRADIENTS],
  };

  return c2g_optimizer_update (op, update, x, rows, error);
}

static gboolean
momentum_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gOptimizer part = { 0 };
  C2gOptimizer x;

  if (!momentum_read (&x, op, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return walk_on_device (op, state, &x, NULL, NULL, NULL, error);
  for (gsize i = 0; c2g_optimizer_next_part (&x, &i, &part);)
    momentum_walk (state, &part);
  return TRUE;
}

static gboolean
momentum_update_run (C2gOperator  *op,
                     gpointer      state,
                     GError      **error)
{
  C2gOptimizer part = { 0 };
  C2gOptimizer x;
  float *w;

  if (!momentum_read (&x, op, error) ||
      !c2g_optimizer_write (&x, op, OUT_PARAMETERS, PARAMETERS, error) ||
      !c2g_sparse_rows_state (op, PARAMETERS, x.n, &w, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return walk_on_device (op, state, &x, NULL, w, x.out[OUT_PARAMETERS], error);

  for (gsize i = 0; c2g_optimizer_next_part (&x, &i, &part);)
    {
      momentum_walk (state, &part);
      subtract (part.out[OUT_GRADIENTS], w + i, part.out[OUT_PARAMETERS], part.n);
    }
  return TRUE;
}

/* SparseMomentumSGDUpdate */

static gboolean
sparse_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  static const C2gSparsePlaces places = { PARAMETERS, INDICES, GRADIENTS, RATE };
  C2gSparseRows rows;
  gsize n_done = 0;
  C2gOptimizer x = { 0 };
  float *w, *m, *steps;

  if (!c2g_sparse_rows_read (&rows, op, &places, error) ||
      !c2g_optimizer_write (&x, op, OUT_GRADIENTS, GRADIENTS, error))
    return FALSE;
  if (!c2g_sparse_rows_output (op, OUT_PARAMETERS, PARAMETERS, rows.n_rows * rows.n_block, &w,
                               error) ||
      !c2g_sparse_rows_output (op, OUT_MOMENTS, MOMENTS, rows.n_rows * rows.n_block, &m, error))
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    {
      x.in[MOMENTS] = x.out[OUT_MOMENTS] = m;
      return walk_on_device (op, state, &x, &rows, w, w, error);
    }

  steps = x.out[OUT_GRADIENTS];
  x.n = rows.n_block;
  x.rate = rows.rate;
  for (gsize i = 0; i < rows.indices.n && !c2g_interrupt_is_due (&n_done, rows.n_block); i++)
    {
      const gint64 at = c2g_indices_get (&rows.indices, i) * rows.n_block;

      x.in[GRADIENTS] = c2g_sparse_rows_get (&rows, i);
      x.in[MOMENTS] = x.out[OUT_MOMENTS] = m + at;
      x.out[OUT_GRADIENTS] = steps + i * rows.n_block;
      momentum_walk (state, &x);
      subtract (x.out[OUT_GRADIENTS], w + at, w + at, rows.n_block);
    }
  return TRUE;
}

static gboolean
sparse_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return c2g_operator_check_in_place (op, MOMENTS, OUT_MOMENTS, error) &&
         c2g_operator_check_in_place (op, PARAMETERS, OUT_PARAMETERS, error);
}

/* RmsProp */

typedef struct
{
  float decay;
  float momentum;
  float epsilon;
} RmsState;

C2G_HOT static void
rms_update (const RmsState     *self,
            const C2gOptimizer *x)
{
  const float decay = self->decay, momentum = self->momentum, epsilon = self->epsilon;
  const float *g = x->in[0], *squares = x->in[1], *moments = x->in[2];
  const float rate = x->rate;
  float *new_g = x->out[0], *new_squares = x->out[1], *new_moments = x->out[2];

  C2G_INDEPENDENT
  for (gsize i = 0; i < x->n; i++)
    {
      const float gradient = g[i];
      const float square = squares[i] + (1 - decay) * (gradient * gradient - squares[i]);
      const float step = momentum * moments[i] + rate * gradient / sqrtf (epsilon + square);

      new_squares[i] = square;
      new_moments[i] = step;
      new_g[i] = step;
    }
}

static gboolean
rms_update_on_device (C2gOperator         *op,
                      const RmsState      *self,
                      const C2gOptimizer  *x,
                      GError             **error)
{
  const C2gComputeUpdate update = {
    .rule = C2G_COMPUTE_RULE_RMS_PROP,
    .numbers = { self->decay, self->momentum, self->epsilon },
    .x = x->in[0],
    .in = { x->in[1], x->in[2] },
    .out = { x->out[1], x->out[2] },
    .steps = x->out[0],
  };

  return c2g_optimizer_update (op, update, x, NULL, error);
}

static gboolean
rms_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  C2gOptimizer part = { 0 };
  C2gOptimizer x;

  if (!c2g_optimizer_read (&x, op, 3, 3, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!c2g_optimizer_write (&x, op, i, i, error))
      return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return rms_update_on_device (op, state, &x, error);
  for (gsize i = 0; c2g_optimizer_next_part (&x, &i, &part);)
    rms_update (state, &part);
  return TRUE;
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_FLOAT (MomentumState, momentum, "momentum", 0),
  C2G_ARG_BOOLEAN (MomentumState, nesterov, "nesterov", FALSE),
  { 0 },
};

static const C2gKernel kernels[] = {
  {
    .type = "MomentumSGD",
    .min_inputs = 3,
    .max_inputs = 3,
    .min_outputs = 2,
    .max_outputs = 2,
    .in_place = "0>0 1>1",
    .arguments = arguments,
    .state_size = sizeof (MomentumState),
    .run = momentum_run,
    .infer = momentum_run,
    .is_for_devices = TRUE,
    .summary = "Stochastic gradient descent with momentum",
  },
  {
    .type = "MomentumSGDUpdate",
    .min_inputs = 4,
    .max_inputs = 4,
    .min_outputs = 3,
    .max_outputs = 3,
    .in_place = "0>0 1>1 3>2",
    .arguments = arguments,
    .state_size = sizeof (MomentumState),
    .run = momentum_update_run,
    .infer = momentum_update_run,
    .is_for_devices = TRUE,
    .summary = "Stochastic gradient descent with momentum, and the new parameters",
  },
  {
    .type = "SparseMomentumSGDUpdate",
    .min_inputs = 5,
    .max_inputs = 5,
    .min_outputs = 3,
    .max_outputs = 3,
    .in_place = "0>0 1>1 3>2",
    .arguments = arguments,
    .state_size = sizeof (MomentumState),
    .set_up = sparse_set_up,
    .run = sparse_run,
    .infer = sparse_run,
    .is_for_devices = TRUE,
    .summary = "MomentumSGDUpdate for some rows",
  },
  {
    .type = "RmsProp",
    .min_inputs = 4,
    .max_inputs = 4,
    .min_outputs = 3,
    .max_outputs = 3,
    .in_place = "0>0 1>1 2>2",
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (RmsState, decay, "decay", 0.9),
                           C2G_ARG_FLOAT (RmsState, momentum, "momentum", 0),
                           C2G_ARG_FLOAT (RmsState, epsilon, "epsilon", 1e-5)),
    .state_size = sizeof (RmsState),
    .run = rms_run,
    .infer = rms_run,
    .is_for_devices = TRUE,
    .summary = "The step of RMSProp with momentum",
  },
};

C2G_OPS_FAMILY (momentum);
