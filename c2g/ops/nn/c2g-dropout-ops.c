/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>

/* Dropout: in training y = x mask / (1 - ratio), where mask (output 1, bool) is FALSE with
 * probability ratio. With is_test y = x. X is float, y has its shape and may be in place. The
 * rule is Caffe2's. On CUDA kernels/random.cu draws the numbers, and kernels/choose.cu compares
 * them with ratio. */

typedef struct
{
  gboolean   is_test;
  float      ratio;
  /* Uniform random numbers from [0, 1), one per element. */
  C2gTensor *draws;
} DropoutState;

static gboolean
dropout_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  DropoutState *self = state;

  self->draws = c2g_tensor_new_for_device (c2g_operator_get_device (op));
  if (self->is_test || c2g_operator_get_n_outputs (op) == 2)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("In training there must be a second output for the mask"));
}

C2G_HOT static void
drop (const float *x,
      const float *draws,
      float        ratio,
      float       *y,
      guint8      *mask,
      gsize        n)
{
  const float scale = 1 / (1 - ratio);

  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    {
      const gboolean stays = draws[i] >= ratio;

      y[i] = stays ? x[i] * scale : 0;
      mask[i] = stays;
    }
}

static gboolean
train (C2gOperator   *op,
       DropoutState  *self,
       GError       **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y, *mask;

  if (x == NULL)
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  mask = c2g_operator_output_like (op, 1, x, C2G_DATA_TYPE_BOOL, error);
  if (mask == NULL || !c2g_tensor_resize_like (self->draws, x, error) ||
      !c2g_tensor_allocate (self->draws, C2G_DATA_TYPE_FLOAT, error) ||
      !c2g_context_fill_uniform (c2g_operator_get_context (op), self->draws, 0, 1, error))
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_DROP, .type = C2G_DATA_TYPE_FLOAT,
                        .x = c2g_tensor_address (x), .draws = c2g_tensor_address (self->draws),
                        .a = self->ratio, .y = c2g_tensor_address (y),
                        .mask = c2g_tensor_address (mask), .n = x->n_elements);
  drop (c2g_tensor_address (x), c2g_tensor_address (self->draws), self->ratio,
        c2g_tensor_address (y), c2g_tensor_address (mask), x->n_elements);
  return TRUE;
}

static gboolean
dropout_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  DropoutState *self = state;

  return self->is_test ? c2g_operator_copy (op, error) : train (op, self, error);
}

static void
dropout_clear (gpointer state)
{
  DropoutState *self = state;

  g_clear_object (&self->draws);
}

static const C2gKernel kernels[] = {
  {
    .type = "Dropout",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 2,
    .in_place = "0>0",
    .arguments = C2G_ARGS (C2G_ARG_BOOLEAN (DropoutState, is_test, "is_test", FALSE),
                           C2G_ARG_FLOAT (DropoutState, ratio, "ratio", 0.5,
                                          C2G_RANGE (0, C2G_BELOW_1))),
    .state_size = sizeof (DropoutState),
    .set_up = dropout_set_up,
    .run = dropout_run,
    .infer = dropout_run,
    .clear = dropout_clear,
    .is_for_devices = TRUE,
    .summary = "In training sets elements to 0 by chance",
    .traits = C2G_TRAITS_IDENTITY,
    .traits_argument = "is_test",
  },
};

C2G_OPS_FAMILY (dropout);
