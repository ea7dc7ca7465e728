/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/train/c2g-optimizer-private.h>
#include <c2g/ops/train/c2g-rate-policy-private.h>

#include <math.h>

/* LearningRate: iteration (int64, one element) gives lr = base_lr · policy (iteration), a float
 * without dimensions.  The policies are in c2g-rate-policy.c.
 *
 * LearningRateAdaption: inputs lr, the gradient g and the effective gradient e; with
 * normalized_lr_adaption lr' = lr (1 - lr_alpha cos (g, e)), otherwise lr' = lr - lr_alpha g · e.
 * lr' may be in place.
 *
 * The rules are Caffe2's. */

/* LearningRate */

typedef struct
{
  float          base_rate;
  C2gRatePolicy *policy;
} RateState;

static gboolean
rate_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  RateState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->policy = c2g_rate_policy_new (&arguments, self->base_rate);
  return c2g_arguments_finish (&arguments, error);
}

static void
rate_clear (gpointer state)
{
  RateState *self = state;

  g_clear_pointer (&self->policy, c2g_rate_policy_free);
}

static gboolean
rate_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  RateState *self = state;
  C2gTensor *output;
  gint64 iteration;
  float rate;

  if (!c2g_optimizer_iteration (op, 0, &iteration, error))
    return FALSE;
  output = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL)
    return FALSE;

  rate = self->base_rate * c2g_rate_policy_get (self->policy, iteration);
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_write (op, &rate, sizeof rate, c2g_tensor_address (output), error);
  *(float *) c2g_tensor_address (output) = rate;
  return TRUE;
}

/* LearningRateAdaption */

typedef struct
{
  float    alpha;
  gboolean is_normalized;
} AdaptionState;

static float
adapt (const AdaptionState *self,
       float                rate,
       const float         *gradients,
       const float         *effective,
       gsize                n)
{
  const float least = 1e-12f;
  const float product = c2g_row_dot (gradients, 0, effective, n);
  float length, effective_length;

  if (!self->is_normalized)
    return rate - self->alpha * product;

  length = fmaxf (sqrtf (c2g_row_square_sum (gradients, 0, n)), least);
  effective_length = fmaxf (sqrtf (c2g_row_square_sum (effective, 0, n)), least);
  return rate * (1 - self->alpha * product / (length * effective_length));
}

static gboolean
adaption_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  C2gTensor *gradients = c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *effective, *like, *output;
  float rate;

  effective = gradients != NULL
                ? c2g_operator_input_sized (op, 2, C2G_DATA_TYPE_FLOAT, gradients->n_elements, error)
                : NULL;
  if (effective == NULL || !c2g_optimizer_rate (op, 0, &rate, error))
    return FALSE;
  like = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  output = like != NULL ? c2g_operator_output_like (op, 0, like, C2G_DATA_TYPE_FLOAT, error)
                        : NULL;
  if (output == NULL)
    return FALSE;

  *(float *) c2g_tensor_address (output) =
    adapt (state, rate, c2g_tensor_address (gradients), c2g_tensor_address (effective),
           gradients->n_elements);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "LearningRate",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (
      C2G_ARG_FLOAT (RateState, base_rate, "base_lr", 0, C2G_REQUIRED),
      C2G_ARG_READ ("policy", C2G_REQUIRED),
      C2G_ARG_READ ("active_first active_period constant_warmup_num_iter cosine_lr_shrink "
                    "cosine_max_lr cosine_min_lr cosine_period cosine_t_mult cyclical_decay "
                    "cyclical_max_lr cyclical_step_size decay end_multiplier gamma inactive_period "
                    "linear_warmup_num_iter lr_scale lr_shrink m1 m2 m3 max_iter max_lr min_lr "
                    "multiplier multiplier_1 multiplier_2 n1 n2 num_iter num_iter_1 num_iter_2 "
                    "period power start_multiplier start_warmup_multiplier stepsize sub_policy_* "
                    "sub_policy_num_iters t_mult")),
    .state_size = sizeof (RateState),
    .set_up = rate_set_up,
    .run = rate_run,
    .infer = rate_run,
    .clear = rate_clear,
    .is_for_devices = TRUE,
    .summary = "The learning rate of an iteration",
  },
  {
    .type = "LearningRateAdaption",
    .min_inputs = 3,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .in_place = "0>0",
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (AdaptionState, alpha, "lr_alpha", 0.01),
                           C2G_ARG_BOOLEAN (AdaptionState, is_normalized, "normalized_lr_adaption",
                                            TRUE)),
    .state_size = sizeof (AdaptionState),
    .run = adaption_run,
    .infer = adaption_run,
    .summary = "A learning rate that changes with the directions of gradients",
  },
};

C2G_OPS_FAMILY (learning_rate);
