/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

/* The table of all layer types. A row has the name, the field with the parameters, the numbers of bottoms and of
 * tops, the function that translates the layer and, if the function serves several types, the type of operator.
 * A new type is a row here and a function in c2g-caffe-layers-private.h. */

/* Allowed numbers of bottoms or tops. */
#define NONE       0, 0
#define ONE        1, 1
#define ONE_OR_TWO 1, 2
#define TWO        2, 2
#define THREE      3, 3
#define SOME       1, C2G_CAFFE_MAX_BLOBS
#define MANY       2, C2G_CAFFE_MAX_BLOBS

/* Inputs of the net, and layers of the training that end in no blob: neither is translated. */
#define INPUT C2G_CAFFE_LAYER_IS_INPUT
#define ENDS  C2G_CAFFE_LAYER_ENDS

#define CONVOLUTION_FIELDS                                                                            \
  "axis bias_term conv_algos_override cudnn_convolution_algo_seeker dilation engine force_nd_im2col " \
  "group kernel_h kernel_size kernel_w num_output pad pad_h pad_w stride stride_h stride_w"
#define DETECTION_FIELDS                                                                             \
  "background_label_id code_type confidence_threshold keep_top_k nms_param num_classes save_output_param " \
  "share_location variance_encoded_in_target"
#define POOLING_FIELDS                                                                               \
  "ceil_mode engine global_pooling kernel_h kernel_size kernel_w pad pad_h pad_w pool round_mode stride " \
  "stride_h stride_w torch_pooling"
#define RECURRENT_FIELDS "debug_info expose_hidden num_output"

static const C2gCaffeLayerType types[] = {
  { "AbsVal", NULL, ONE, ONE, c2g_caffe_translate_plain, "Abs" },
  { "Accuracy", NULL, .use = ENDS },
  { "AnnotatedData", NULL, .use = INPUT },
  { "ArgMax", "argmax_param", ONE, ONE, c2g_caffe_translate_arg_max, "CaffeArgMax",
    .fields = "axis out_max_val top_k" },
  { "BatchNorm", "batch_norm_param", ONE, ONE, c2g_caffe_translate_batch_norm,
    .fields = "engine eps moving_average_fraction scale_bias use_global_stats" },
  { "BatchReindex", NULL, TWO, ONE, c2g_caffe_translate_batch_reindex },
  { "Bias", "bias_param", ONE_OR_TWO, ONE, c2g_caffe_translate_scale, "Add", .fields = "axis num_axes" },
  { "BNLL", NULL, ONE, ONE, c2g_caffe_translate_plain, "Softplus" },
  { "Clip", "clip_param", ONE, ONE, c2g_caffe_translate_clip, .fields = "max min" },
  { "Concat", "concat_param", SOME, ONE, c2g_caffe_translate_concat, .fields = "axis concat_dim" },
  { "ContrastiveLoss", NULL, .use = ENDS },
  { "Convolution", "convolution_param", SOME, SOME, c2g_caffe_translate_convolution, "Conv",
    .is_paired = TRUE, .takes_margin = TRUE, .fields = CONVOLUTION_FIELDS },
  { "Crop", "crop_param", TWO, ONE, c2g_caffe_translate_crop, "Crop", .fields = "axis offset" },
  { "Data", NULL, .use = INPUT },
  { "Deconvolution", "convolution_param", SOME, SOME, c2g_caffe_translate_convolution, "ConvTranspose",
    .is_paired = TRUE, .fields = CONVOLUTION_FIELDS },
  { "DetectionEvaluate", NULL, .use = ENDS },
  { "DetectionOutput", "detection_output_param", THREE, ONE, c2g_caffe_translate_detection_output,
    "DetectionOutput", .fields = DETECTION_FIELDS },
  { "Dropout", "dropout_param", ONE, ONE, c2g_caffe_translate_dropout, .fields = "dropout_ratio scale_train" },
  { "DummyData", NULL, .use = INPUT },
  { "Eltwise", "eltwise_param", MANY, ONE, c2g_caffe_translate_eltwise,
    .fields = "coeff operation stable_prod_grad" },
  { "ELU", "elu_param", ONE, ONE, c2g_caffe_translate_elu, .fields = "alpha" },
  { "Embed", "embed_param", ONE, ONE, c2g_caffe_translate_embed, .fields = "bias_term input_dim num_output" },
  { "EuclideanLoss", NULL, .use = ENDS },
  { "Exp", "exp_param", ONE, ONE, c2g_caffe_translate_exp, .fields = "base scale shift" },
  { "Filter", NULL, MANY, SOME, c2g_caffe_translate_filter },
  { "Flatten", "flatten_param", ONE, ONE, c2g_caffe_translate_flatten, .fields = "axis end_axis" },
  { "HDF5Data", NULL, .use = INPUT },
  { "HDF5Output", NULL, .use = ENDS },
  { "HingeLoss", NULL, .use = ENDS },
  { "ImageData", NULL, .use = INPUT },
  { "InfogainLoss", NULL, .use = ENDS },
  { "InnerProduct", "inner_product_param", ONE, ONE, c2g_caffe_translate_inner_product,
    .fields = "axis bias_term num_output transpose" },
  { "Input", "input_param", .use = INPUT },
  { "Log", "log_param", ONE, ONE, c2g_caffe_translate_log, .fields = "base scale shift" },
  { "LRN", "lrn_param", ONE, ONE, c2g_caffe_translate_lrn, .fields = "alpha beta engine k local_size norm_region" },
  { "LSTM", "recurrent_param", MANY, SOME, c2g_caffe_translate_recurrent, "CaffeLSTM", .fields = RECURRENT_FIELDS },
  { "MemoryData", NULL, .use = INPUT },
  { "MultiBoxLoss", NULL, .use = ENDS },
  { "MultinomialLogisticLoss", NULL, .use = ENDS },
  { "MVN", "mvn_param", ONE, ONE, c2g_caffe_translate_mvn, .fields = "across_channels eps normalize_variance" },
  { "Normalize", "norm_param", ONE, ONE, c2g_caffe_translate_normalize,
    .fields = "across_spatial channel_shared eps" },
  { "Parameter", "parameter_param", NONE, ONE, c2g_caffe_translate_parameter, .fields = "shape" },
  { "Permute", "permute_param", ONE, ONE, c2g_caffe_translate_permute, .fields = "order" },
  { "Pooling", "pooling_param", ONE, ONE_OR_TWO, c2g_caffe_translate_pooling,
    .takes_margin = TRUE, .fields = POOLING_FIELDS },
  { "Power", "power_param", ONE, ONE, c2g_caffe_translate_power, .fields = "power scale shift" },
  { "PReLU", "prelu_param", ONE, ONE, c2g_caffe_translate_prelu, .fields = "channel_shared" },
  { "PriorBox", "prior_box_param", TWO, ONE, c2g_caffe_translate_prior_box, "PriorBox",
    .fields = "aspect_ratio clip flip img_h img_size img_w max_size min_size offset step step_h step_w variance" },
  { "Reduction", "reduction_param", ONE, ONE, c2g_caffe_translate_reduction, .fields = "axis coeff operation" },
  { "ReLU", "relu_param", ONE, ONE, c2g_caffe_translate_relu, "Relu", .fields = "engine negative_slope" },
  { "Reshape", "reshape_param", ONE, ONE, c2g_caffe_translate_reshape, .fields = "axis num_axes shape" },
  { "RNN", "recurrent_param", MANY, SOME, c2g_caffe_translate_recurrent, "CaffeRNN", .fields = RECURRENT_FIELDS },
  { "ROIPooling", "roi_pooling_param", TWO, ONE, c2g_caffe_translate_roi_pooling,
    .fields = "pooled_h pooled_w spatial_scale" },
  { "Scale", "scale_param", ONE_OR_TWO, ONE, c2g_caffe_translate_scale, "Mul", .fields = "axis bias_term num_axes" },
  { "Sigmoid", NULL, ONE, ONE, c2g_caffe_translate_plain, "Sigmoid" },
  { "SigmoidCrossEntropyLoss", NULL, .use = ENDS },
  { "Silence", NULL, .use = C2G_CAFFE_LAYER_SILENCES },
  { "Slice", "slice_param", ONE, SOME, c2g_caffe_translate_slice, .fields = "axis slice_dim slice_point" },
  { "SmoothL1Loss", NULL, .use = ENDS },
  { "Softmax", "softmax_param", ONE, ONE, c2g_caffe_translate_softmax, "Softmax", .fields = "axis engine" },
  { "SoftmaxWithLoss", NULL, .use = ENDS },
  { "Split", NULL, ONE, SOME, c2g_caffe_translate_split },
  { "SPP", "spp_param", ONE, ONE, c2g_caffe_translate_spp, .fields = "engine pool pyramid_height" },
  { "Swish", "swish_param", ONE, ONE, c2g_caffe_translate_swish, .fields = "beta" },
  { "TanH", NULL, ONE, ONE, c2g_caffe_translate_plain, "Tanh" },
  { "Threshold", "threshold_param", ONE, ONE, c2g_caffe_translate_threshold, .fields = "threshold" },
  { "Tile", "tile_param", ONE, ONE, c2g_caffe_translate_tile, .fields = "axis tiles" },
  { "WindowData", NULL, .use = INPUT },
};

/* Names of a type in versions 2, 1 and 0, indexed by the enum of version 1. A type that has no row in the table
 * above, such as Im2col, is refused. */
static const struct
{
  const char *name;
  const char *v1_name;
  const char *v0_name;
} old_names[] = {
  { "", "NONE" },
  { "Accuracy", "ACCURACY", "accuracy" },
  { "BNLL", "BNLL", "bnll" },
  { "Concat", "CONCAT", "concat" },
  { "Convolution", "CONVOLUTION", "conv" },
  { "Data", "DATA", "data" },
  { "Dropout", "DROPOUT", "dropout" },
  { "EuclideanLoss", "EUCLIDEAN_LOSS", "euclidean_loss" },
  { "Flatten", "FLATTEN", "flatten" },
  { "HDF5Data", "HDF5_DATA", "hdf5_data" },
  { "HDF5Output", "HDF5_OUTPUT", "hdf5_output" },
  { "Im2col", "IM2COL", "im2col" },
  { "ImageData", "IMAGE_DATA", "images" },
  { "InfogainLoss", "INFOGAIN_LOSS", "infogain_loss" },
  { "InnerProduct", "INNER_PRODUCT", "innerproduct" },
  { "LRN", "LRN", "lrn" },
  { "MultinomialLogisticLoss", "MULTINOMIAL_LOGISTIC_LOSS", "multinomial_logistic_loss" },
  { "Pooling", "POOLING", "pool" },
  { "ReLU", "RELU", "relu" },
  { "Sigmoid", "SIGMOID", "sigmoid" },
  { "Softmax", "SOFTMAX", "softmax" },
  { "SoftmaxWithLoss", "SOFTMAX_LOSS", "softmax_loss" },
  { "Split", "SPLIT", "split" },
  { "TanH", "TANH", "tanh" },
  { "WindowData", "WINDOW_DATA", "window_data" },
  { "Eltwise", "ELTWISE" },
  { "Power", "POWER" },
  { "SigmoidCrossEntropyLoss", "SIGMOID_CROSS_ENTROPY_LOSS" },
  { "HingeLoss", "HINGE_LOSS" },
  { "MemoryData", "MEMORY_DATA" },
  { "ArgMax", "ARGMAX" },
  { "Threshold", "THRESHOLD" },
  { "DummyData", "DUMMY_DATA" },
  { "Slice", "SLICE" },
  { "MVN", "MVN" },
  { "AbsVal", "ABSVAL" },
  { "Silence", "SILENCE" },
  { "ContrastiveLoss", "CONTRASTIVE_LOSS" },
  { "Exp", "EXP" },
  { "Deconvolution", "DECONVOLUTION" },
};

/* Returns the name in version 2 of an older type, or NULL. In version 1 a number is one of its enum. */
static const char *
get_new_name (const char      *name,
              C2gCaffeVersion  version)
{
  guint64 number;

  if (version == C2G_CAFFE_V1 && c2g_text_parse_integer (name, 0, G_N_ELEMENTS (old_names) - 1, &number))
    return old_names[number].name;
  for (gsize i = 0; i < G_N_ELEMENTS (old_names); i++)
    if (g_strcmp0 (name, version == C2G_CAFFE_V1 ? old_names[i].v1_name : old_names[i].v0_name) == 0)
      return old_names[i].name;

  return NULL;
}

const C2gCaffeLayerType *
c2g_caffe_layer_type_find (const char      *name,
                           C2gCaffeVersion  version)
{
  if (version != C2G_CAFFE_V2)
    name = get_new_name (name, version);
  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (name, types[i].name))
      return &types[i];

  return NULL;
}
