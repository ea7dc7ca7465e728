/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/net/operator/c2g-operator-registry-private.h>

/* All arguments of Caffe2's operators, from its schemas and sources of every version: those that
 * c2g reads, ignores or refuses.  tests/ops/caffe2-arguments.txt lists them, and the test next to
 * it finds arguments that are missing here.  Reading an argument that is
 * not in the operator's row is a critical warning. */

/* Arguments of operators with a sliding window. */
#define WINDOW \
  "dilation dilation_h dilation_w dilations kernel kernel_h kernel_w kernels order " \
  "pad pad_b pad_l pad_r pad_t pads stride stride_h stride_w strides"

/* Arguments of the Fill operators. */
#define FILL \
  "extra_shape input_as_shape run_once shape"

/* Arguments of operators with broadcasting. */
#define BINARY \
  "axis axis_str broadcast order"

/* Arguments that choose algorithms of cuDNN. */
#define CUDNN \
  "deterministic enable_tensor_core force_algo force_algo_dgrad force_algo_fwd " \
  "force_algo_wgrad cudnn_state"

static const struct
{
  const char              *types;
  const C2gKernelArgument *arguments;
} rows[] = {
  { "Accuracy", C2G_ARGS (C2G_ARG_READ ("top_k")) },
  { "ArgMax ArgMin", C2G_ARGS (C2G_ARG_READ ("axis keepdims")) },
  { "AveragePool AveragePool1D AveragePool2D AveragePool3D MaxPool MaxPool1D MaxPool2D "
             "MaxPool3D", C2G_ARGS (C2G_ARG_READ (WINDOW " ceil_mode count_include_pad global_pooling legacy_pad"), C2G_ARG_IGNORED ("float16_compute group shared_buffer")) },
  { "CaffeArgMax", C2G_ARGS (C2G_ARG_READ ("axis out_max_val top_k")) },
  { "ChannelShuffle", C2G_ARGS (C2G_ARG_READ ("group order")) },
  { "ClipTensorByScaling", C2G_ARGS (C2G_ARG_READ ("threshold")) },
  { "Conv Conv1D Conv2D Conv3D", C2G_ARGS (C2G_ARG_READ (WINDOW " convolution_transform_strategy group legacy_pad"), C2G_ARG_IGNORED (CUDNN " algo conv_algorithm dequantize_output float16_compute followed_by " "no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode"), C2G_ARG_REFUSED ("activation=identity global_pooling=0")) },
  { "ConvFusion", C2G_ARGS (C2G_ARG_READ (WINDOW " convolution_transform_strategy fusion_type group legacy_pad"), C2G_ARG_IGNORED (CUDNN " algo conv_algorithm dequantize_output float16_compute followed_by " "no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode"), C2G_ARG_REFUSED ("activation=identity global_pooling=0")) },
  { "ConvTranspose", C2G_ARGS (C2G_ARG_READ (WINDOW " adj adj_h adj_w adjs group legacy_pad"), C2G_ARG_IGNORED (CUDNN " convolution_transform_strategy no_bias shared_buffer training_mode")) },
  { "Crop", C2G_ARGS (C2G_ARG_READ ("axis offset")) },
  { "ElementwiseLinear LogSoftmax Softmax SoftmaxGradient", C2G_ARGS (C2G_ARG_READ ("axis")) },
  { "FC FCTransposed", C2G_ARGS (C2G_ARG_READ ("axis axis_w convolution_transform_strategy"), C2G_ARG_IGNORED ("dequantize_output float16_compute followed_by quantize_channelwise")) },
  { "GRUUnit LSTMUnit", C2G_ARGS (C2G_ARG_READ ("drop_states forget_bias sequence_lengths")) },
  { "If", C2G_ARGS (C2G_ARG_READ ("else_net then_net")) },
  { "LC", C2G_ARGS (C2G_ARG_READ (WINDOW " group legacy_pad"), C2G_ARG_IGNORED ("float16_compute no_bias shared_buffer"), C2G_ARG_REFUSED ("global_pooling=0")) },
  { "LpNorm", C2G_ARGS (C2G_ARG_READ ("average p")) },
  { "MarginRankingCriterion", C2G_ARGS (C2G_ARG_READ ("margin")) },
  { "ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceSum", C2G_ARGS (C2G_ARG_READ ("axes keepdims"), C2G_ARG_IGNORED ("allow_broadcast_fastpath")) },
  { "PackedInt8BGRANHWCToNCHWCStylizerPreprocess", C2G_ARGS (C2G_ARG_READ ("noise_size noise_std")) },
  { "PriorBox", C2G_ARGS (C2G_ARG_READ ("aspect_ratio clip flip img_h img_size img_w max_size min_size offset order step " "step_h step_w variance")) },
  { "ReduceBackMax ReduceBackMean ReduceBackSum ReduceFrontMax ReduceFrontMean "
             "ReduceFrontSum", C2G_ARGS (C2G_ARG_READ ("num_reduce_dim"), C2G_ARG_IGNORED ("num_reduce_dims")) },
  { "ReplaceNaN", C2G_ARGS (C2G_ARG_READ ("value")) },
  { "ResizeNearest UpsampleBilinear", C2G_ARGS (C2G_ARG_READ ("height_scale order width_scale")) },
  { "RoIAlign", C2G_ARGS (C2G_ARG_READ ("aligned order pooled_h pooled_w sampling_ratio spatial_scale")) },
  { "RoIPool", C2G_ARGS (C2G_ARG_READ ("is_test order pooled_h pooled_w spatial_scale")) },
  { "Transpose", C2G_ARGS (C2G_ARG_READ ("axes")) },
  { "Slice", C2G_ARGS (C2G_ARG_READ ("ends starts")) },
  { "SoftmaxWithLoss", C2G_ARGS (C2G_ARG_READ ("average_by_batch_size axis label_prob order scale"), C2G_ARG_IGNORED ("only_loss")) },
  { "SpatialBN", C2G_ARGS (C2G_ARG_READ ("epsilon is_test momentum num_batches order")) },
  { "SpatialSoftmaxWithLoss", C2G_ARGS (C2G_ARG_READ ("order scale"), C2G_ARG_IGNORED ("only_loss")) },
  { "StringEndsWith", C2G_ARGS (C2G_ARG_READ ("suffix")) },
  { "StringEquals", C2G_ARGS (C2G_ARG_READ ("text")) },
  { "StringJoin", C2G_ARGS (C2G_ARG_READ ("axis delimiter")) },
  { "StringPrefix StringSuffix", C2G_ARGS (C2G_ARG_READ ("length")) },
  { "StringStartsWith", C2G_ARGS (C2G_ARG_READ ("prefix")) },
  { "SumElements SumElementsInt SumSqrElements", C2G_ARGS (C2G_ARG_READ ("average")) },
  { "Tile", C2G_ARGS (C2G_ARG_READ ("axis tiles")) },
  { "TopK", C2G_ARGS (C2G_ARG_READ ("axis k")) },
  { "WeightedSum", C2G_ARGS (C2G_ARG_IGNORED ("grad_on_w")) },
  { "Where", C2G_ARGS (C2G_ARG_READ ("broadcast_on_rows")) },
  { "While", C2G_ARGS (C2G_ARG_READ ("cond_net loop_net")) },
};

void
c2g_ops_register_arguments (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    c2g_kernel_arguments_register (rows[i].types, rows[i].arguments);
}
