/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/nn/c2g-conv-dnnl-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Conv, Conv1D, Conv2D, Conv3D: inputs X (N, C, H, W), filters (M, C / group, kernel) and an
 * optional bias (M); with order NHWC X is (N, H, W, C) and filters are (M, kernel, C / group).
 *
 * Y[n, m, p] = bias[m] + Σ over c, k of X[n, c, p stride + k dilation - pad] filters[m, c, k]
 *
 * All are float; on devices also float16 or bfloat16, whose products are added as floats.
 *
 * Padding is 0. H and W are one, two or three dimensions. Nothing is in place.
 *
 * ConvFusion: Conv with fusion_type 1 (Relu), 2 (sum with the last input) or 3 (sum and Relu). Relu
 * is min (max (x, 0), max) with the argument max, which is infinite by default; 6 makes it Relu6. The
 * summed input may be in place.
 *
 * The rules are Caffe2's; the output's size is in c2g-window.c. */

static gboolean
run_on_device (C2gOperator    *op,
               const C2gConv  *conv,
               GError        **error)
{
  const C2gComputeConv wanted = {
    .type = conv->type,
    .window = c2g_on_device_window (&conv->place),
    .n_groups = conv->n_groups,
    .n_filters = conv->n_channels,
    .x = conv->x,
    .filters = conv->filters,
    .biases = conv->bias,
    .sum = conv->sum,
    .has_relu = conv->has_relu,
    .max = conv->max,
    .y = conv->y,
  };

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CONV, .conv = &wanted);
}

/* From so many pixels of the output on it pays to reorder the filters in each run, however large they are. */
#define LEAST_PIXELS 96

/* Returns TRUE for NCHW images for which it pays to turn them for oneDNN, and to reorder the filters in
 * each run, because they may have changed. Products of matrices are as fast for 1 × 1 filters. The
 * reordered filters take memory, so a single image that is smaller than the filters is not turned. */
static gboolean
is_worth_turning (const C2gConv *conv,
                  guint          n_dims)
{
  const C2gWindowPlace *place = &conv->place;
  const double n_floats = (double) place->n_images *
                          ((double) place->n_in * (double) place->n_channels +
                           (double) place->n_out * (double) conv->n_channels);
  const double n_filters = (double) conv->n_channels * (double) place->n_kernel *
                           (double) (place->n_channels / conv->n_groups);

  return !place->channels_last && n_dims <= 2 && conv->sum == NULL && place->n_kernel > 1 &&
         (2 * n_filters <= n_floats ||
          (place->n_images > 1 && place->n_images * place->n_out >= LEAST_PIXELS));
}

static gboolean
run_on_cpu (C2gConvState   *self,
            const C2gConv  *conv,
            GError        **error)
{
  const C2gConvWay rule =
    is_worth_turning (conv, self->window.n_dims) ? C2G_CONV_WAY_DNNL : C2G_CONV_WAY_DEFAULT;

  return c2g_conv_state_run (self, conv, rule, FALSE, error);
}

static gboolean
conv_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  C2gConvState *self = state;
  C2gConv conv;

  if (!c2g_conv_state_prepare (self, op, &conv, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, &conv, error);
  return conv.place.n_images == 0 || run_on_cpu (self, &conv, error);
}

#define CONV(name)                                                                                \
  {                                                                                                \
    .type = name, .min_inputs = 2, .max_inputs = 3, .min_outputs = 1, .max_outputs = 1,            \
    .arguments = c2g_conv_arguments, .state_size = sizeof (C2gConvState),                          \
    .set_up = c2g_conv_state_set_up, .run = conv_run, .infer = conv_run,                           \
    .clear = c2g_conv_state_clear, .count_flops = c2g_operator_count_flops,                        \
    .get_implementation = c2g_conv_state_get_implementation,                                       \
    .is_for_devices = TRUE, .device_engine = "CUDNN",                                              \
    .summary = "Convolution of images of one, two or three dimensions with filters",               \
    .traits = C2G_TRAITS_CONV, .role = C2G_ROLE_CONV                                               \
  }

/* As in Caffe2, the kernel decides about the number of dimensions, not the operator's name. */
static const C2gKernel kernels[] = {
  CONV ("Conv"),
  CONV ("Conv1D"),
  CONV ("Conv2D"),
  CONV ("Conv3D"),
  {
    .type = "ConvFusion",
    .min_inputs = 2,
    .max_inputs = 4,
    .min_outputs = 1,
    .max_outputs = 1,
    .in_place = "2>0 3>0",
    .arguments = c2g_conv_fusion_arguments,
    .state_size = sizeof (C2gConvState),
    .set_up = c2g_conv_state_set_up,
    .run = conv_run,
    .infer = conv_run,
    .clear = c2g_conv_state_clear,
    .count_flops = c2g_operator_count_flops,
    .get_implementation = c2g_conv_state_get_implementation,
    .is_for_devices = TRUE,
    .device_engine = "CUDNN",
    .summary = "Convolution followed by Relu, a sum, or both",
    .traits = C2G_TRAITS_CONV,
    .role = C2G_ROLE_CONV_FUSION,
  },
};

C2G_OPS_FAMILY (conv);
