/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/net/operator/c2g-known-arguments-private.h>

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

static const C2gKnownArguments rows[] = {
  { .types = "Abs Acos Alias Asin Atan AtomicFetchAdd AtomicFetchAdd64 AtomicIter AveragedLoss "
             "BRGNCHWCToPackedInt8BGRAStylizerDeprocess BatchBucketOneHot BatchOneHot BernoulliJSD "
             "BooleanMask BooleanMaskLengths BooleanUnmask CaffeLSTM CaffeRNN Cbrt Ceil "
             "ChannelBackpropStats "
             "CheckAtomicBool CheckCounterDone ColwiseMax Conditional ConditionalSetAtomicBool Copy "
             "CopyCPUToGPU CopyFromCPUInput CopyGPUToCPU CopyOnDeviceLike Cos Cosh CountDown CountUp "
             "CreateAtomicBool CreateMutex CrossEntropy Cube DotProduct EnforceFinite "
             "EnsureCPUOutput EnsureDense Erf Exp FindDuplicateElements FlattenToVec FlexibleTopK "
             "Floor Free GatherRanges HalfToFloat HasElements IntegralImage IntegralImageGradient "
             "IsEmpty IsNaN Iter LabelCrossEntropy LengthsGather LengthsMax LengthsMean "
             "LengthsRangeFill LengthsSum LengthsTile LengthsToRanges LengthsToSegmentIds Log Max "
             "Mean MergeDim MergeIdLists Min NCHW2NHWC NHWC2NCHW NanCheck NegateGradient Negative "
             "Not OneHot PackRNNSequence PairWiseLoss Range Reciprocal Relu RemoveDataBlocks "
             "ResizeLike RetrieveCount ReversePackedSegs RowwiseMax Rsqrt ScatterAssign "
             "ScatterWeightedSum SegmentIdsToLengths SegmentOneHot Sigmoid Sign Sin Sinh Size "
             "Softplus Softsign SparseLengthsMax SparseLengthsMean SparseLengthsSum "
             "SparseLengthsWeightedMean Sqr Sqrt SquareRootDivide SquaredL2Distance StopGradient Sum "
             "Swish Tan Tanh Unique UnpackRNNSequence WeightedSigmoidCrossEntropyWithLogits" },
  { .types = "Accuracy",
    .read = "top_k" },
  { .types = "Adadelta SparseAdadelta",
    .read = "decay epsilon" },
  { .types = "Adagrad SparseAdagrad",
    .read = "decay epsilon weight_decay" },
  { .types = "Adam RowWiseSparseAdam",
    .read = "beta1 beta2 epsilon" },
  { .types = "Add And BitwiseAnd BitwiseOr BitwiseXor Div EQ GE GT LE LT Mul NE Or Sub Xor",
    .read = BINARY,
    .ignored = "allow_broadcast_fastpath" },
  { .types = "ArgMax ArgMin",
    .read = "axis keepdims" },
  { .types = "AveragePool AveragePool1D AveragePool2D AveragePool3D MaxPool MaxPool1D MaxPool2D "
             "MaxPool3D",
    .read = WINDOW " ceil_mode count_include_pad global_pooling legacy_pad",
    .ignored = "float16_compute group shared_buffer" },
  { .types = "BBoxTransform",
    .read = "angle_bound_hi angle_bound_lo angle_bound_on apply_scale clip_angle_thresh "
      "correct_transform_coords legacy_plus_one rotated weights" },
  { .types = "BatchBoxCox",
    .read = "min_block_size",
    .ignored = "naive" },
  { .types = "BatchGather Gather",
    .read = "axis match_outer wrap_indices" },
  { .types = "BatchMatMul",
    .read = "broadcast trans_a trans_b" },
  { .types = "BatchMoments ChannelStats PRelu",
    .read = "order" },
  { .types = "BatchToSpace SpaceToBatch",
    .read = "block_size order pad pad_b pad_l pad_r pad_t" },
  { .types = "BoxWithNMSLimit",
    .read = "cls_agnostic_bbox_reg detections_per_im input_boxes_include_bg_cls "
      "legacy_plus_one nms output_classes_include_bg_cls rotated score_thresh "
      "soft_nms_enabled soft_nms_method soft_nms_min_score_thres soft_nms_sigma" },
  { .types = "CTCBeamSearchDecoder",
    .read = "beam_width num_candidates prune_threshold" },
  { .types = "CTCGreedyDecoder",
    .read = "merge_repeated" },
  { .types = "CaffeArgMax",
    .read = "axis out_max_val top_k" },
  { .types = "Cast",
    .read = "to",
    .ignored = "from_type" },
  { .types = "ChannelShuffle",
    .read = "group order" },
  { .types = "Checkpoint",
    .read = "absolute_path blob_name_overrides chunk_size db db_type every strip_prefix",
    .refused = "db_options=" },
  { .types = "Clip",
    .read = "max min" },
  { .types = "ClipTensorByScaling",
    .read = "threshold" },
  { .types = "Concat DepthConcat DepthSplit Split SplitByLengths",
    .read = "add_axis axis order split use_scaling_lengths" },
  { .types = "ConstantFill DiagonalFill",
    .read = FILL " dtype value" },
  { .types = "Conv Conv1D Conv2D Conv3D",
    .read = WINDOW " convolution_transform_strategy group legacy_pad",
    .ignored = CUDNN " algo conv_algorithm dequantize_output float16_compute followed_by "
      "no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode",
    .refused = "activation=identity global_pooling=0" },
  { .types = "ConvFusion",
    .read = WINDOW " convolution_transform_strategy fusion_type group legacy_pad",
    .ignored = CUDNN " algo conv_algorithm dequantize_output float16_compute followed_by "
      "no_bias quantize_channelwise quantize_groupwise shared_buffer training_mode",
    .refused = "activation=identity global_pooling=0" },
  { .types = "ConvTranspose",
    .read = WINDOW " adj adj_h adj_w adjs group legacy_pad",
    .ignored = CUDNN " convolution_transform_strategy no_bias shared_buffer training_mode" },
  { .types = "CreateCounter ResetCounter",
    .read = "init_count" },
  { .types = "CreateDB",
    .read = "db db_type num_shards shard_id" },
  { .types = "Crop",
    .read = "axis offset" },
  { .types = "DBExists",
    .read = "absolute_path db_name db_type" },
  { .types = "DetectionOutput",
    .read = "background_label_id code_type confidence_threshold eta keep_top_k nms_threshold "
      "num_classes share_location top_k variance_encoded_in_target" },
  { .types = "Dropout",
    .read = "is_test ratio" },
  { .types = "ElementwiseLinear Flatten LogSoftmax NormalizeL1 Softmax SoftmaxGradient",
    .read = "axis" },
  { .types = "Elu LeakyRelu",
    .read = "alpha" },
  { .types = "ExpandDims Squeeze",
    .read = "dims" },
  { .types = "FC FCTransposed",
    .read = "axis axis_w convolution_transform_strategy",
    .ignored = "dequantize_output float16_compute followed_by quantize_channelwise" },
  { .types = "Float16ConstantFill",
    .read = FILL " value",
    .ignored = "dtype" },
  { .types = "Float16UniformFill UniformFill UniformIntFill",
    .read = FILL " max min",
    .ignored = "dtype" },
  { .types = "FloatToHalf",
    .read = "clip" },
  { .types = "GRUUnit LSTMUnit",
    .read = "drop_states forget_bias sequence_lengths" },
  { .types = "GaussianFill",
    .read = FILL " mean std",
    .ignored = "dtype" },
  { .types = "Gelu",
    .read = "fast_gelu" },
  { .types = "GenerateProposals GenerateProposalsCPP",
    .read = "angle_bound_hi angle_bound_lo angle_bound_on clip_angle_thresh "
      "correct_transform_coords legacy_plus_one min_size nms_thresh post_nms_topN "
      "pre_nms_topN rotated spatial_scale weights" },
  { .types = "GivenTensorBoolFill GivenTensorByteStringToUInt8Fill GivenTensorDoubleFill "
             "GivenTensorInt16Fill GivenTensorInt64Fill GivenTensorIntFill GivenTensorStringFill",
    .read = FILL " values",
    .ignored = "dtype" },
  { .types = "GivenTensorFill",
    .read = FILL " dtype values" },
  { .types = "GlorotUniformFill MSRAFill RangeFill XavierFill",
    .read = FILL,
    .ignored = "dtype" },
  { .types = "Glu",
    .read = "dim" },
  { .types = "GroupNorm",
    .read = "epsilon group order",
    .ignored = "num_groups" },
  { .types = "If",
    .read = "else_net then_net" },
  { .types = "IndexHash",
    .read = "modulo seed" },
  { .types = "InstanceNorm",
    .read = "epsilon order" },
  { .types = "Int8GivenIntTensorFill Int8GivenTensorFill",
    .read = "Y_scale Y_zero_point shape values",
    .ignored = "value" },
  { .types = "LC",
    .read = WINDOW " group legacy_pad",
    .ignored = "float16_compute no_bias shared_buffer",
    .refused = "global_pooling=0" },
  { .types = "LRN",
    .read = "alpha beta bias norm_region order size" },
  { .types = "LayerNorm",
    .read = "axis elementwise_affine epsilon" },
  { .types = "LearningRate",
    .read = "active_first active_period base_lr constant_warmup_num_iter cosine_lr_shrink "
      "cosine_max_lr cosine_min_lr cosine_period cosine_t_mult cyclical_decay "
      "cyclical_max_lr cyclical_step_size decay end_multiplier gamma inactive_period "
      "linear_warmup_num_iter lr_scale lr_shrink m1 m2 m3 max_iter max_lr min_lr "
      "multiplier multiplier_1 multiplier_2 n1 n2 num_iter num_iter_1 num_iter_2 period "
      "policy power start_multiplier start_warmup_multiplier stepsize sub_policy_* "
      "sub_policy_num_iters t_mult" },
  { .types = "LearningRateAdaption",
    .read = "lr_alpha normalized_lr_adaption" },
  { .types = "LengthsSplit",
    .read = "n_split" },
  { .types = "LengthsToOffsets",
    .read = "include_last_offset" },
  { .types = "LengthsWeightedSum SparseLengthsWeightedSum",
    .ignored = "grad_on_weights" },
  { .types = "Load",
    .read = "absolute_path add_prefix allow_incomplete db db_type dbs keep_device load_all "
      "source_blob_names strip_prefix",
    .ignored = "shape",
    .refused = "db_options=" },
  { .types = "LpNorm",
    .read = "average p" },
  { .types = "MVN",
    .read = "across_channels epsilon normalize_variance order" },
  { .types = "MarginRankingCriterion",
    .read = "margin" },
  { .types = "MatMul",
    .read = "axis_a axis_b trans_a trans_b" },
  { .types = "Moments ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceSum",
    .read = "axes keepdims",
    .ignored = "allow_broadcast_fastpath" },
  { .types = "MomentumSGD MomentumSGDUpdate SparseMomentumSGDUpdate",
    .read = "momentum nesterov" },
  { .types = "Normalize",
    .read = "axis epsilon" },
  { .types = "ONNXWhile",
    .read = "body disable_scopes has_cond has_trip_count num_loop_carried_deps save_scopes" },
  { .types = "PackSegments UnpackSegments",
    .read = "max_length pad_minf return_presence_mask" },
  { .types = "PackedInt8BGRANHWCToNCHWCStylizerPreprocess",
    .read = "noise_size noise_std" },
  { .types = "PadImage",
    .read = "mode order pad pad_b pad_l pad_r pad_t pads value",
    .ignored = "float16_compute group shared_buffer",
    .refused = "global_pooling=0 legacy_pad=0" },
  { .types = "Pow",
    .read = BINARY " exponent",
    .ignored = "allow_broadcast_fastpath" },
  { .types = "PrependDim",
    .read = "dim_size" },
  { .types = "Print",
    .read = "every_n limit to_file" },
  { .types = "PriorBox",
    .read = "aspect_ratio clip flip img_h img_size img_w max_size min_size offset order step "
      "step_h step_w variance" },
  { .types = "ReduceBackMax ReduceBackMean ReduceBackSum ReduceFrontMax ReduceFrontMean "
             "ReduceFrontSum",
    .read = "num_reduce_dim",
    .ignored = "num_reduce_dims" },
  { .types = "ReplaceNaN",
    .read = "value" },
  { .types = "Reshape",
    .read = "shape" },
  { .types = "ResizeNearest UpsampleBilinear",
    .read = "height_scale order width_scale" },
  { .types = "RmsProp",
    .read = "decay epsilon momentum" },
  { .types = "RoIAlign",
    .read = "aligned order pooled_h pooled_w sampling_ratio spatial_scale" },
  { .types = "RoIPool",
    .read = "is_test order pooled_h pooled_w spatial_scale" },
  { .types = "RowWiseSparseAdagrad",
    .read = "decay epsilon weight_decay",
    .refused = "counter_halflife=-1" },
  { .types = "Save",
    .read = "absolute_path blob_name_overrides chunk_size db db_type strip_prefix",
    .refused = "db_options=" },
  { .types = "Scale",
    .read = "scale" },
  { .types = "Selu",
    .read = "alpha scale" },
  { .types = "SequenceMask",
    .read = "axis batch fill_val grad mode radius repeat_from_axis" },
  { .types = "Shape Transpose",
    .read = "axes" },
  { .types = "SigmoidCrossEntropyWithLogits",
    .read = "log_D_trick unjoined_lr_loss" },
  { .types = "SinusoidPositionEncoding",
    .read = "alpha amplitude embedding_size" },
  { .types = "Slice",
    .read = "ends starts" },
  { .types = "SoftmaxWithLoss",
    .read = "average_by_batch_size axis label_prob order scale",
    .ignored = "only_loss" },
  { .types = "SparseAdam",
    .read = "beta1 beta2 enableRAdam epsilon" },
  { .types = "SparseWngrad Wngrad",
    .read = "epsilon" },
  { .types = "SpatialBN",
    .read = "epsilon is_test momentum num_batches order" },
  { .types = "SpatialSoftmaxWithLoss",
    .read = "order scale",
    .ignored = "only_loss" },
  { .types = "StringEndsWith",
    .read = "suffix" },
  { .types = "StringEquals",
    .read = "text" },
  { .types = "StringJoin",
    .read = "axis delimiter" },
  { .types = "StringPrefix StringSuffix",
    .read = "length" },
  { .types = "StringStartsWith",
    .read = "prefix" },
  { .types = "SumElements SumElementsInt SumSqrElements",
    .read = "average" },
  { .types = "Tile",
    .read = "axis tiles" },
  { .types = "TopK",
    .read = "axis k" },
  { .types = "UniqueUniformFill",
    .read = FILL " dtype max min" },
  { .types = "WeightedSum",
    .ignored = "grad_on_w" },
  { .types = "Where",
    .read = "broadcast_on_rows" },
  { .types = "While",
    .read = "cond_net loop_net" },
};

void
c2g_ops_register_arguments (void)
{
  c2g_known_arguments_register (rows, G_N_ELEMENTS (rows));
}
