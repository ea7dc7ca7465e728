/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/model/c2g-caffe-layer-private.h>

G_BEGIN_DECLS

/* Translate one type of layer each; the table of types calls them. */

/* The layer is one operator without arguments. */
gboolean c2g_caffe_translate_plain           (C2gCaffeLayer *self, GError **error);

/* Windows: c2g-caffe-windows.c. */
gboolean c2g_caffe_translate_convolution     (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_pooling         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_spp             (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_lrn             (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_mvn             (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_roi_pooling     (C2gCaffeLayer *self, GError **error);

/* Layers with parameters: c2g-caffe-weights.c. */
gboolean c2g_caffe_translate_inner_product   (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_batch_norm      (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_scale           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_embed           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_prelu           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_normalize       (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_parameter       (C2gCaffeLayer *self, GError **error);

/* Element by element: c2g-caffe-elements.c. */
gboolean c2g_caffe_translate_relu            (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_elu             (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_clip            (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_swish           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_eltwise         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_power           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_exp             (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_log             (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_threshold       (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_dropout         (C2gCaffeLayer *self, GError **error);

/* Axes: c2g-caffe-axes.c. */
gboolean c2g_caffe_translate_softmax         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_concat          (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_slice           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_split           (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_permute         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_tile            (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_flatten         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_reshape         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_reduction       (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_arg_max         (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_crop            (C2gCaffeLayer *self, GError **error);

/* Whole rows: c2g-caffe-rows.c. */
gboolean c2g_caffe_translate_batch_reindex   (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_filter          (C2gCaffeLayer *self, GError **error);

/* LSTM and RNN: c2g-caffe-recurrent.c. */
gboolean c2g_caffe_translate_recurrent       (C2gCaffeLayer *self, GError **error);

/* SSD: c2g-caffe-ssd.c. */
gboolean c2g_caffe_translate_prior_box       (C2gCaffeLayer *self, GError **error);
gboolean c2g_caffe_translate_detection_output (C2gCaffeLayer *self, GError **error);

G_END_DECLS
