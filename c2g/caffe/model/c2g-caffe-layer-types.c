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
  { "ROIPooling", "roi_pooling_param", c2g_caffe_translate_roi_pooling },
  { "Scale", "scale_param", c2g_caffe_translate_scale, "Mul" },
  { "Sigmoid", NULL, c2g_caffe_translate_plain, "Sigmoid" },
  { "SigmoidCrossEntropyLoss", NULL, NULL, NULL, ENDS },
  { "Silence", NULL, NULL, NULL, ENDS },
  { "Slice", "slice_param", c2g_caffe_translate_slice },
  { "SmoothL1Loss", NULL, NULL, NULL, ENDS },
  { "Softmax", "softmax_param", c2g_caffe_translate_softmax, "Softmax" },
  { "SoftmaxWithLoss", NULL, NULL, NULL, ENDS },
  { "Split", NULL, c2g_caffe_translate_split },
  { "TanH", NULL, c2g_caffe_translate_plain, "Tanh" },
  { "Threshold", "threshold_param", c2g_caffe_translate_threshold },
  { "Tile", "tile_param", c2g_caffe_translate_tile },
  { "WindowData", NULL, NULL, NULL, INPUT },
};

/* Names of version 1 are in capitals with underscores, those of version 0 in small letters; these
 * differ in more. */
static const struct
{
  const char *name;
  const char *newer;
} old_names[] = {
  { "conv", "Convolution" },
  { "pool", "Pooling" },
  { "images", "ImageData" },
  { "SOFTMAX_LOSS", "SoftmaxWithLoss" },
};

/* The numbers of version 1. */
static const char *const numbered[] = {
  "NONE",
  "ACCURACY",
  "BNLL",
  "CONCAT",
  "CONVOLUTION",
  "DATA",
  "DROPOUT",
  "EUCLIDEAN_LOSS",
  "FLATTEN",
  "HDF5_DATA",
  "HDF5_OUTPUT",
  "IM2COL",
  "IMAGE_DATA",
  "INFOGAIN_LOSS",
  "INNER_PRODUCT",
  "LRN",
  "MULTINOMIAL_LOGISTIC_LOSS",
  "POOLING",
  "RELU",
  "SIGMOID",
  "SOFTMAX",
  "SOFTMAX_LOSS",
  "SPLIT",
  "TANH",
  "WINDOW_DATA",
  "ELTWISE",
  "POWER",
  "SIGMOID_CROSS_ENTROPY_LOSS",
  "HINGE_LOSS",
  "MEMORY_DATA",
  "ARGMAX",
  "THRESHOLD",
  "DUMMY_DATA",
  "SLICE",
  "MVN",
  "ABSVAL",
  "SILENCE",
  "CONTRASTIVE_LOSS",
  "EXP",
  "DECONVOLUTION",
};

/* Compares without regard to case and underscores. */
static gboolean
is_same (const char *name,
         const char *other)
{
  for (;; name++, other++)
    {
      while (*name == '_')
        name++;
      while (*other == '_')
        other++;
      if (g_ascii_tolower (*name) != g_ascii_tolower (*other))
        return FALSE;
      if (*name == '\0')
        return TRUE;
    }
}

const C2gCaffeLayerType *
c2g_caffe_layer_type_find (const char *name)
{
  guint64 number;

  if (c2g_text_parse_integer (name, 0, G_N_ELEMENTS (numbered) - 1, &number))
    name = numbered[number];
  for (gsize i = 0; i < G_N_ELEMENTS (old_names); i++)
    if (is_same (name, old_names[i].name))
      name = old_names[i].newer;
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (is_same (name, types[i].name))
      return &types[i];

  return NULL;
}
