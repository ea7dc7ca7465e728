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
  { "Add And BitwiseAnd BitwiseOr BitwiseXor Div EQ GE GT LE LT Mul NE Or Sub Xor", C2G_ARGS (C2G_ARG_READ (BINARY), C2G_ARG_IGNORED ("allow_broadcast_fastpath")) },
  { "ArgMax ArgMin", C2G_ARGS (C2G_ARG_READ ("axis keepdims")) },
  { "AveragePool AveragePool1D AveragePool2D AveragePool3D MaxPool MaxPool1D MaxPool2D "
             "MaxPool3D", C2G_ARGS (C2G_ARG_READ (WINDOW " ceil_mode count_include_pad global_pooling legacy_pad"), C2G_ARG_IGNORED ("float16_compute group shared_buffer")) },
  { "BBoxTransform", C2G_ARGS (C2G_ARG_READ ("angle_bound_hi angle_bound_lo angle_bound_on apply_scale clip_angle_thresh " "correct_transform_coords legacy_plus_one rotated weights")) },
  { "BatchBoxCox", C2G_ARGS (C2G_ARG_READ ("min_block_size"), C2G_ARG_IGNORED ("naive")) },
  { "BatchGather Gather", C2G_ARGS (C2G_ARG_READ ("axis match_outer wrap_indices")) },
  { "BatchMatMul", C2G_ARGS (C2G_ARG_READ ("broadcast trans_a trans_b")) },
  { "BatchMoments ChannelStats", C2G_ARGS (C2G_ARG_READ ("order")) },
  { "BatchToSpace SpaceToBatch", C2G_ARGS (C2G_ARG_READ ("block_size order pad pad_b pad_l pad_r pad_t")) },
  { "BoxWithNMSLimit", C2G_ARGS (C2G_ARG_READ ("cls_agnostic_bbox_reg detections_per_im input_boxes_include_bg_cls " "legacy_plus_one nms output_classes_include_bg_cls rotated score_thresh " "soft_nms_enabled soft_nms_method soft_nms_min_score_thres soft_nms_sigma")) },
  { "CTCBeamSearchDecoder", C2G_ARGS (C2G_ARG_READ ("beam_width num_candidates prune_threshold")) },
  { "CTCGreedyDecoder", C2G_ARGS (C2G_ARG_READ ("merge_repeated")) },
  { "CaffeArgMax", C2G_ARGS (C2G_ARG_READ ("axis out_max_val top_k")) },
  { "ChannelShuffle", C2G_ARGS (C2G_ARG_READ ("group order")) },
  { "Checkpoint", C2G_ARGS (C2G_ARG_READ ("absolute_path blob_name_overrides chunk_size db db_type every strip_prefix"), C2G_ARG_REFUSED ("db_options=")) },
  { "ClipTensorByScaling", C2G_ARGS (C2G_ARG_READ ("threshold")) },
  { "Concat DepthConcat DepthSplit Split SplitByLengths", C2G_ARGS (C2G_ARG_READ ("add_axis axis order split use_scaling_lengths")) },
  { "ConstantFill DiagonalFill", C2G_ARGS (C2G_ARG_READ (FILL " dtype value")) },
  { "Conv Conv1D Conv2D Conv3D", C2G_ARGS (C2G_ARG_READ (WINDOW " convolution_transform_strategy group legacy_pad"), C2G_ARG_IGNORED (CUDNN " algo conv_algorithm dequantize_output float16_compute followed_by " "no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode"), C2G_ARG_REFUSED ("activation=identity global_pooling=0")) },
  { "ConvFusion", C2G_ARGS (C2G_ARG_READ (WINDOW " convolution_transform_strategy fusion_type group legacy_pad"), C2G_ARG_IGNORED (CUDNN " algo conv_algorithm dequantize_output float16_compute followed_by " "no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode"), C2G_ARG_REFUSED ("activation=identity global_pooling=0")) },
  { "ConvTranspose", C2G_ARGS (C2G_ARG_READ (WINDOW " adj adj_h adj_w adjs group legacy_pad"), C2G_ARG_IGNORED (CUDNN " convolution_transform_strategy no_bias shared_buffer training_mode")) },
  { "CreateCounter ResetCounter", C2G_ARGS (C2G_ARG_READ ("init_count")) },
  { "CreateDB", C2G_ARGS (C2G_ARG_READ ("db db_type num_shards shard_id")) },
  { "Crop", C2G_ARGS (C2G_ARG_READ ("axis offset")) },
  { "DBExists", C2G_ARGS (C2G_ARG_READ ("absolute_path db_name db_type")) },
  { "DetectionOutput", C2G_ARGS (C2G_ARG_READ ("background_label_id code_type confidence_threshold eta keep_top_k nms_threshold " "num_classes share_location top_k variance_encoded_in_target")) },
  { "Dropout", C2G_ARGS (C2G_ARG_READ ("is_test ratio")) },
  { "ElementwiseLinear LogSoftmax NormalizeL1 Softmax SoftmaxGradient", C2G_ARGS (C2G_ARG_READ ("axis")) },
  { "FC FCTransposed", C2G_ARGS (C2G_ARG_READ ("axis axis_w convolution_transform_strategy"), C2G_ARG_IGNORED ("dequantize_output float16_compute followed_by quantize_channelwise")) },
  { "Float16ConstantFill", C2G_ARGS (C2G_ARG_READ (FILL " value"), C2G_ARG_IGNORED ("dtype")) },
  { "Float16UniformFill UniformFill UniformIntFill", C2G_ARGS (C2G_ARG_READ (FILL " max min"), C2G_ARG_IGNORED ("dtype")) },
  { "GRUUnit LSTMUnit", C2G_ARGS (C2G_ARG_READ ("drop_states forget_bias sequence_lengths")) },
  { "GaussianFill", C2G_ARGS (C2G_ARG_READ (FILL " mean std"), C2G_ARG_IGNORED ("dtype")) },
  { "GenerateProposals GenerateProposalsCPP", C2G_ARGS (C2G_ARG_READ ("angle_bound_hi angle_bound_lo angle_bound_on clip_angle_thresh " "correct_transform_coords legacy_plus_one min_size nms_thresh post_nms_topN " "pre_nms_topN rotated spatial_scale weights")) },
  { "GivenTensorBoolFill GivenTensorByteStringToUInt8Fill GivenTensorDoubleFill "
             "GivenTensorInt16Fill GivenTensorInt64Fill GivenTensorIntFill GivenTensorStringFill", C2G_ARGS (C2G_ARG_READ (FILL " values"), C2G_ARG_IGNORED ("dtype")) },
  { "GivenTensorFill", C2G_ARGS (C2G_ARG_READ (FILL " dtype values")) },
  { "GlorotUniformFill MSRAFill RangeFill XavierFill", C2G_ARGS (C2G_ARG_READ (FILL), C2G_ARG_IGNORED ("dtype")) },
  { "GroupNorm", C2G_ARGS (C2G_ARG_READ ("epsilon group order"), C2G_ARG_IGNORED ("num_groups")) },
  { "If", C2G_ARGS (C2G_ARG_READ ("else_net then_net")) },
  { "IndexHash", C2G_ARGS (C2G_ARG_READ ("modulo seed")) },
  { "InstanceNorm", C2G_ARGS (C2G_ARG_READ ("epsilon order")) },
  { "Int8GivenIntTensorFill Int8GivenTensorFill", C2G_ARGS (C2G_ARG_READ ("Y_scale Y_zero_point shape values"), C2G_ARG_IGNORED ("value")) },
  { "LC", C2G_ARGS (C2G_ARG_READ (WINDOW " group legacy_pad"), C2G_ARG_IGNORED ("float16_compute no_bias shared_buffer"), C2G_ARG_REFUSED ("global_pooling=0")) },
  { "LRN", C2G_ARGS (C2G_ARG_READ ("alpha beta bias norm_region order size")) },
  { "LayerNorm", C2G_ARGS (C2G_ARG_READ ("axis elementwise_affine epsilon")) },
  { "LengthsSplit", C2G_ARGS (C2G_ARG_READ ("n_split")) },
  { "LengthsToOffsets", C2G_ARGS (C2G_ARG_READ ("include_last_offset")) },
  { "LengthsWeightedSum SparseLengthsWeightedSum", C2G_ARGS (C2G_ARG_IGNORED ("grad_on_weights")) },
  { "Load", C2G_ARGS (C2G_ARG_READ ("absolute_path add_prefix allow_incomplete db db_type dbs keep_device load_all " "source_blob_names strip_prefix"), C2G_ARG_IGNORED ("shape"), C2G_ARG_REFUSED ("db_options=")) },
  { "LpNorm", C2G_ARGS (C2G_ARG_READ ("average p")) },
  { "MVN", C2G_ARGS (C2G_ARG_READ ("across_channels epsilon normalize_variance order")) },
  { "MarginRankingCriterion", C2G_ARGS (C2G_ARG_READ ("margin")) },
  { "MatMul", C2G_ARGS (C2G_ARG_READ ("axis_a axis_b trans_a trans_b")) },
  { "Moments ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceSum", C2G_ARGS (C2G_ARG_READ ("axes keepdims"), C2G_ARG_IGNORED ("allow_broadcast_fastpath")) },
  { "Normalize", C2G_ARGS (C2G_ARG_READ ("axis epsilon")) },
  { "ONNXWhile", C2G_ARGS (C2G_ARG_READ ("body disable_scopes has_cond has_trip_count num_loop_carried_deps save_scopes")) },
  { "PackSegments UnpackSegments", C2G_ARGS (C2G_ARG_READ ("max_length pad_minf return_presence_mask")) },
  { "PackedInt8BGRANHWCToNCHWCStylizerPreprocess", C2G_ARGS (C2G_ARG_READ ("noise_size noise_std")) },
  { "PadImage", C2G_ARGS (C2G_ARG_READ ("mode order pad pad_b pad_l pad_r pad_t pads value"), C2G_ARG_IGNORED ("float16_compute group shared_buffer"), C2G_ARG_REFUSED ("global_pooling=0 legacy_pad=0")) },
  { "Pow", C2G_ARGS (C2G_ARG_READ (BINARY " exponent"), C2G_ARG_IGNORED ("allow_broadcast_fastpath")) },
  { "Print", C2G_ARGS (C2G_ARG_READ ("every_n limit to_file")) },
  { "PriorBox", C2G_ARGS (C2G_ARG_READ ("aspect_ratio clip flip img_h img_size img_w max_size min_size offset order step " "step_h step_w variance")) },
  { "ReduceBackMax ReduceBackMean ReduceBackSum ReduceFrontMax ReduceFrontMean "
             "ReduceFrontSum", C2G_ARGS (C2G_ARG_READ ("num_reduce_dim"), C2G_ARG_IGNORED ("num_reduce_dims")) },
  { "ReplaceNaN", C2G_ARGS (C2G_ARG_READ ("value")) },
  { "ResizeNearest UpsampleBilinear", C2G_ARGS (C2G_ARG_READ ("height_scale order width_scale")) },
  { "RoIAlign", C2G_ARGS (C2G_ARG_READ ("aligned order pooled_h pooled_w sampling_ratio spatial_scale")) },
  { "RoIPool", C2G_ARGS (C2G_ARG_READ ("is_test order pooled_h pooled_w spatial_scale")) },
  { "Save", C2G_ARGS (C2G_ARG_READ ("absolute_path blob_name_overrides chunk_size db db_type strip_prefix"), C2G_ARG_REFUSED ("db_options=")) },
  { "SequenceMask", C2G_ARGS (C2G_ARG_READ ("axis batch fill_val grad mode radius repeat_from_axis")) },
  { "Transpose", C2G_ARGS (C2G_ARG_READ ("axes")) },
  { "SigmoidCrossEntropyWithLogits", C2G_ARGS (C2G_ARG_READ ("log_D_trick unjoined_lr_loss")) },
  { "SinusoidPositionEncoding", C2G_ARGS (C2G_ARG_READ ("alpha amplitude embedding_size")) },
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
  { "UniqueUniformFill", C2G_ARGS (C2G_ARG_READ (FILL " dtype max min")) },
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
