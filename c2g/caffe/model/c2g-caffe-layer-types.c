/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layers-private.h>

#define INPUT C2G_CAFFE_LAYER_IS_INPUT
#define ENDS  C2G_CAFFE_LAYER_ENDS

static const C2gCaffeLayerType types[] = {
  { "AbsVal", NULL, c2g_caffe_translate_plain, "Abs" },
  { "Accuracy", NULL, NULL, NULL, ENDS },
  { "AnnotatedData", NULL, NULL, NULL, INPUT },
  { "ArgMax", "argmax_param", c2g_caffe_translate_arg_max, "CaffeArgMax" },
  { "BatchNorm", "batch_norm_param", c2g_caffe_translate_batch_norm },
  { "BatchReindex", NULL, c2g_caffe_translate_batch_reindex },
  { "Bias", "bias_param", c2g_caffe_translate_scale, "Add" },
  { "BNLL", NULL, c2g_caffe_translate_plain, "Softplus" },
  { "Concat", "concat_param", c2g_caffe_translate_concat },
  { "ContrastiveLoss", NULL, NULL, NULL, ENDS },
  { "Convolution", "convolution_param", c2g_caffe_translate_convolution, "Conv" },
  { "Crop", "crop_param", c2g_caffe_translate_crop, "Crop" },
  { "Data", NULL, NULL, NULL, INPUT },
  { "Deconvolution", "convolution_param", c2g_caffe_translate_convolution, "ConvTranspose" },
  { "DetectionEvaluate", NULL, NULL, NULL, ENDS },
  { "DetectionOutput", "detection_output_param", c2g_caffe_translate_detection_output, "DetectionOutput" },
  { "Dropout", "dropout_param", c2g_caffe_translate_dropout },
  { "DummyData", NULL, NULL, NULL, INPUT },
  { "Eltwise", "eltwise_param", c2g_caffe_translate_eltwise },
  { "ELU", "elu_param", c2g_caffe_translate_elu },
  { "Embed", "embed_param", c2g_caffe_translate_embed },
  { "EuclideanLoss", NULL, NULL, NULL, ENDS },
  { "Exp", "exp_param", c2g_caffe_translate_exp },
  { "Filter", NULL, c2g_caffe_translate_filter },
  { "Flatten", "flatten_param", c2g_caffe_translate_flatten },
  { "HDF5Data", NULL, NULL, NULL, INPUT },
  { "HDF5Output", NULL, NULL, NULL, ENDS },
  { "HingeLoss", NULL, NULL, NULL, ENDS },
  { "ImageData", NULL, NULL, NULL, INPUT },
  { "InfogainLoss", NULL, NULL, NULL, ENDS },
  { "InnerProduct", "inner_product_param", c2g_caffe_translate_inner_product },
  { "Input", "input_param", NULL, NULL, INPUT },
  { "Log", "log_param", c2g_caffe_translate_log },
  { "LRN", "lrn_param", c2g_caffe_translate_lrn },
  { "LSTM", "recurrent_param", c2g_caffe_translate_recurrent, "CaffeLSTM" },
  { "MemoryData", NULL, NULL, NULL, INPUT },
  { "MultiBoxLoss", NULL, NULL, NULL, ENDS },
  { "MultinomialLogisticLoss", NULL, NULL, NULL, ENDS },
  { "MVN", "mvn_param", c2g_caffe_translate_mvn },
  { "Normalize", "norm_param", c2g_caffe_translate_normalize },
  { "Parameter", "parameter_param", c2g_caffe_translate_parameter },
  { "Permute", "permute_param", c2g_caffe_translate_permute },
  { "Pooling", "pooling_param", c2g_caffe_translate_pooling },
  { "Power", "power_param", c2g_caffe_translate_power },
  { "PReLU", "prelu_param", c2g_caffe_translate_prelu },
  { "PriorBox", "prior_box_param", c2g_caffe_translate_prior_box, "PriorBox" },
  { "Reduction", "reduction_param", c2g_caffe_translate_reduction },
  { "ReLU", "relu_param", c2g_caffe_translate_relu, "Relu" },
  { "Reshape", "reshape_param", c2g_caffe_translate_reshape },
  { "RNN", "recurrent_param", c2g_caffe_translate_recurrent, "CaffeRNN" },
  { "ROIPooling", "roi_pooling_param", c2g_caffe_translate_roi_pooling },
  { "Scale", "scale_param", c2g_caffe_translate_scale, "Mul" },
  { "Sigmoid", NULL, c2g_caffe_translate_plain, "Sigmoid" },
  { "SigmoidCrossEntropyLoss", NULL, NULL, NULL, ENDS },
  { "Silence", NULL, NULL, NULL, C2G_CAFFE_LAYER_SILENCES },
  { "Slice", "slice_param", c2g_caffe_translate_slice },
  { "SmoothL1Loss", NULL, NULL, NULL, ENDS },
  { "Softmax", "softmax_param", c2g_caffe_translate_softmax, "Softmax" },
  { "SoftmaxWithLoss", NULL, NULL, NULL, ENDS },
  { "Split", NULL, c2g_caffe_translate_split },
  { "SPP", "spp_param", c2g_caffe_translate_spp },
  { "TanH", NULL, c2g_caffe_translate_plain, "Tanh" },
  { "Threshold", "threshold_param", c2g_caffe_translate_threshold },
  { "Tile", "tile_param", c2g_caffe_translate_tile },
  { "WindowData", NULL, NULL, NULL, INPUT },
};

/* The names of the types in each version, by their numbers of version 1. */
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

/* Returns the name of version 2 of an old one, or NULL. */
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
