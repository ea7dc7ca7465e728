/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-group-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Arguments and checks of Conv and ConvFusion, which all engines share. */

/* X, filters, an optional bias, and the tensor that ConvFusion adds. */
#define MAX_INPUTS 4

/* Values of Caffe2's argument fusion_type. */
typedef enum
{
  FUSION_RELU = 1,
  FUSION_SUM = 2,
  FUSION_SUM_RELU = 3,
} Fusion;

/* Returns TRUE if the output has the name of the input. Only the added tensor may be in place. */
static gboolean
is_in_place (C2gOperatorDef *def,
             guint           input)
{
  return g_str_equal (c2g_operator_def_get_inputs (def)[input],
                      c2g_operator_def_get_outputs (def)[0]);
}

static gboolean
check_fused_inputs (const C2gConvState  *self,
                    C2gOperator         *op,
                    GError             **error)
{
  C2gOperatorDef *def = c2g_operator_peek_def (op);
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  const guint n_least = self->has_sum ? 3 : 2;

  if (n_inputs < n_least || n_inputs > n_least + 1)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("There are %u inputs, expected %u or %u where “%s” is %d"), n_inputs,
                     n_least, n_least + 1, "fusion_type", self->fusion);
  for (guint i = 0; i + self->has_sum < n_inputs; i++)
    if (is_in_place (def, i))
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       _("The output “%s” is also input %u, but only the input that is added can be"),
                       c2g_operator_def_get_outputs (def)[0], i);

  return TRUE;
}

/* Ignored arguments that choose algorithms of cuDNN and other engines of Caffe2. */
#define ALGORITHMS                                                                                 \
  "deterministic enable_tensor_core force_algo force_algo_dgrad force_algo_fwd "                   \
  "force_algo_wgrad cudnn_state algo conv_algorithm dequantize_output float16_compute "            \
  "followed_by no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode"

const C2gKernelArgument c2g_conv_arguments[] = {
  C2G_ARG_PART (C2gConvState, window, c2g_window_arguments),
  C2G_ARG_INT (C2gConvState, n_groups, "group", 1, C2G_AT_LEAST (1)),
  C2G_ARG_READ ("convolution_transform_strategy"),
  C2G_ARG_IGNORED (ALGORITHMS),
  C2G_ARG_REFUSED ("activation=identity global_pooling=0"),
  { 0 },
};

const C2gKernelArgument c2g_conv_fusion_arguments[] = {
  C2G_ARG_BASE (c2g_conv_arguments),
  C2G_ARG_INT (C2gConvState, fusion, "fusion_type", 0, C2G_RANGE (FUSION_RELU, FUSION_SUM_RELU),
               C2G_REQUIRED),
  C2G_ARG_FLOAT (C2gConvState, max, "max", INFINITY, C2G_AT_LEAST (0)),
  { 0 },
};

gboolean
c2g_conv_state_set_up (C2gOperator  *op,
                       gpointer      state,
                       GError      **error)
{
  C2gConvState *self = state;

  if (!c2g_window_set_up (&self->window, op, C2G_WINDOW_DEFAULT, error))
    return FALSE;
  if (self->fusion == 0)
    return TRUE;
  self->has_relu = self->fusion != FUSION_SUM;
  self->has_sum = self->fusion != FUSION_RELU;
  return check_fused_inputs (self, op, error);
}

/* Returns the number of channels for which the filters fit the image, or 0 if more than that does not
 * fit. SHAPE is the place of the filters. */
static gint64
find_wanted_channels (const C2gWindowPlace *shape,
                      C2gTensor            *filters)
{
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  const gsize n_dims = c2g_window_place_dims (shape, shape->kernel, 1, dims);
  const gsize axis = shape->channels_last ? n_dims - 1 : 1;

  if (filters->n_dims != n_dims)
    return 0;
  dims[axis] = filters->dims[axis];
  return c2g_shape_equal (dims, n_dims, filters->dims, n_dims) ? dims[axis] : 0;
}

static gboolean
check_filters (C2gOperator  *op,
               C2gConv      *conv,
               C2gTensor    *filters,
               GError      **error)
{
  const C2gWindowPlace *place = &conv->place;
  C2gWindowPlace shape = *place;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  g_autofree char *text = NULL;
  gint64 n_wanted;
  gsize n_dims;

  /* The filters have the shape of images whose size is the kernel: [M, C / groups, kernel] or
   * NHWC. */
  shape.n_images = filters->n_dims > 0 ? filters->dims[0] : 0;
  n_dims =
    c2g_window_place_dims (&shape, place->kernel, place->n_channels / conv->n_groups, dims);
  if (shape.n_images > 0 && shape.n_images % conv->n_groups == 0 &&
      c2g_shape_equal (dims, n_dims, filters->dims, filters->n_dims))
    return TRUE;

  /* The filters are those of a model, so the image is the one that is wrong. Filters of no images may have any number of
   * channels. */
  if (shape.n_images > 0 && shape.n_images % conv->n_groups == 0 &&
      !__builtin_mul_overflow (find_wanted_channels (&shape, filters), conv->n_groups, &n_wanted) && n_wanted > 0)
    {
      text = c2g_shape_to_string (filters->dims, filters->n_dims);
      return c2g_operator_set_shape_error (op, 0, error,
                                           _("the order %s with C = %" PRId64 ", for the filters are %s"),
                                           place->channels_last ? "NHWC" : "NCHW", n_wanted, text);
    }

  dims[0] = MAX (shape.n_images - shape.n_images % conv->n_groups, conv->n_groups);
  text = c2g_shape_to_string (dims, n_dims);
  if (conv->n_groups == 1)
    return c2g_operator_set_shape_error (op, 1, error, _("one like %s"), text);
  return c2g_operator_set_shape_error (op, 1, error,
                                       _("one like %s, with a multiple of %" PRId64 " filters"),
                                       text, conv->n_groups);
}

static gboolean
check_sum (C2gOperator   *op,
           guint          input,
           C2gTensor     *sum,
           const gint64  *dims,
           gsize          n_dims,
           GError       **error)
{
  g_autofree char *text = NULL;

  if (c2g_shape_equal (dims, n_dims, sum->dims, sum->n_dims))
    return TRUE;
  text = c2g_shape_to_string (dims, n_dims);
  return c2g_operator_set_shape_error (op, input, error, "%s", text);
}

/* Checks X, the filters and the bias. */
static gboolean
check_inputs (C2gConvState  *self,
              C2gOperator   *op,
              C2gConv       *conv,
              C2gTensor    **inputs,
              gboolean       has_bias,
              GError       **error)
{
  if (!c2g_window_place (&self->window, op, 0, inputs[0], &conv->place, error) ||
      !c2g_operator_check_groups (op, conv->place.n_channels, conv->n_groups, error) ||
      !check_filters (op, conv, inputs[1], error))
    return FALSE;
  conv->n_channels = inputs[1]->dims[0];
  return !has_bias || c2g_operator_check_bias (op, inputs[2], conv->n_channels, 1, error);
}

static void
count_flops (C2gOperator        *op,
             const C2gConvState *self,
             const C2gConv      *conv,
             const C2gTensor    *filters,
             const C2gTensor    *output)
{
  const double n_products = (double) (filters->n_elements / conv->n_channels);

  c2g_operator_set_flops (op, (double) output->n_elements *
                                (2.0 * n_products + (conv->bias != NULL) + self->has_sum + self->has_relu));
}

gboolean
c2g_conv_state_prepare (C2gConvState  *self,
                        C2gOperator   *op,
                        C2gConv       *conv,
                        GError       **error)
{
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  const gboolean has_bias = n_inputs - self->has_sum > 2;
  C2gTensor *inputs[MAX_INPUTS];
  C2gTensor *output;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  gsize n_dims;

  conv->n_groups = self->n_groups;
  conv->type = c2g_on_device_factor_type (op);
  if (conv->type == C2G_DATA_TYPE_DOUBLE)
    conv->type = C2G_DATA_TYPE_FLOAT;
  if (!c2g_operator_read_inputs (op, n_inputs, conv->type, inputs, error) ||
      !check_inputs (self, op, conv, inputs, has_bias, error))
    return FALSE;

  n_dims = c2g_window_place_dims (&conv->place, conv->place.out, conv->n_channels, dims);
  if (self->has_sum && !check_sum (op, n_inputs - 1, inputs[n_inputs - 1], dims, n_dims, error))
    return FALSE;
  output = c2g_operator_output (op, 0, dims, n_dims, conv->type, error);
  if (output == NULL)
    return FALSE;

  conv->x = c2g_tensor_address (inputs[0]);
  conv->filters = c2g_tensor_address (inputs[1]);
  conv->bias = has_bias ? c2g_tensor_address (inputs[2]) : NULL;
  conv->sum = self->has_sum ? c2g_tensor_address (inputs[n_inputs - 1]) : NULL;
  conv->has_relu = self->has_relu;
  conv->max = self->max;
  conv->y = c2g_tensor_address (output);
  count_flops (op, self, conv, inputs[1], output);
  return TRUE;
}
