/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/nn/c2g-conv-dnnl-private.h>

/* The engine MKLDNN, which is what oneDNN was called when Caffe2 had it: Conv and ConvFusion of
 * images with the channels last. With convolution_transform_strategy PRECOMPUTE the filters never
 * change. Shapes for which oneDNN is not faster, or fails, are computed in the default way. */
#define ENGINE "MKLDNN"

typedef struct
{
  C2gConvState conv;
  gboolean     is_constant;
} DnnlConv;

static gboolean
conv_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  const C2gWindow *window = &((DnnlConv *) state)->conv.window;

  if (!c2g_conv_state_set_up (op, state, error))
    return FALSE;
  if (!window->channels_last || window->n_dims > 2)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The engine “%s” does not run such operators"), ENGINE);
  return TRUE;
}

static gboolean
conv_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  DnnlConv *self = state;
  C2gConv conv;

  if (!c2g_conv_state_prepare (&self->conv, op, &conv, error))
    return FALSE;
  return conv.place.n_images == 0 ||
         c2g_conv_state_run (&self->conv, &conv, C2G_CONV_WAY_DNNL, self->is_constant, error);
}

#define ARGUMENTS(conv)                                                                            \
  C2G_ARGS (C2G_ARG_BASE (conv),                                                                   \
            C2G_ARG_CHOICE (DnnlConv, is_constant, "convolution_transform_strategy",               \
                            "COMPUTE PRECOMPUTE"))
#define CONV(name, most_inputs, conv, ...)                                                         \
  {                                                                                                \
    .type = name, .engine = ENGINE, .min_inputs = 2, .max_inputs = most_inputs, .min_outputs = 1,  \
    .max_outputs = 1, .arguments = ARGUMENTS (conv), .state_size = sizeof (DnnlConv),              \
    .set_up = conv_set_up, .run = conv_run, .infer = conv_run,                                     \
    .clear = c2g_conv_state_clear, .count_flops = c2g_operator_count_flops,                        \
    .get_implementation = c2g_conv_state_get_implementation, __VA_ARGS__                           \
  }

static const C2gKernel kernels[] = {
  CONV ("Conv", 3, c2g_conv_arguments),
  CONV ("Conv1D", 3, c2g_conv_arguments),
  CONV ("Conv2D", 3, c2g_conv_arguments),
  CONV ("ConvFusion", 4, c2g_conv_fusion_arguments, .in_place = "2>0 3>0"),
};

const C2gKernelFamily c2g_ops_dnnl = { kernels, G_N_ELEMENTS (kernels), c2g_conv_dnnl_start };
