/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

void
c2g_ops_register_all (void)
{
  c2g_ops_register_activation ();
  c2g_ops_register_adadelta ();
  c2g_ops_register_adagrad ();
  c2g_ops_register_adam ();
  c2g_ops_register_atomic ();
  c2g_ops_register_batch_matmul ();
  c2g_ops_register_binary ();
  c2g_ops_register_box_cox ();
  c2g_ops_register_box_nms ();
  c2g_ops_register_box_transform ();
  c2g_ops_register_caffe_recurrent ();
  c2g_ops_register_cast ();
  c2g_ops_register_compare ();
  c2g_ops_register_concat ();
  c2g_ops_register_conv ();
  c2g_ops_register_conv_transpose ();
  c2g_ops_register_copy ();
  c2g_ops_register_counter ();
  c2g_ops_register_ctc ();
  c2g_ops_register_detection ();
  c2g_ops_register_dnnl ();
  c2g_ops_register_dropout ();
  c2g_ops_register_fc ();
  c2g_ops_register_fill ();
  c2g_ops_register_gather ();
  c2g_ops_register_given_fill ();
  c2g_ops_register_group_norm ();
  c2g_ops_register_if ();
  c2g_ops_register_index ();
  c2g_ops_register_integral_image ();
  c2g_ops_register_layer_norm ();
  c2g_ops_register_lc ();
  c2g_ops_register_learning_rate ();
  c2g_ops_register_lengths ();
  c2g_ops_register_load ();
  c2g_ops_register_loss ();
  c2g_ops_register_lrn ();
  c2g_ops_register_mask ();
  c2g_ops_register_matmul ();
  c2g_ops_register_moments ();
  c2g_ops_register_momentum ();
  c2g_ops_register_nary ();
  c2g_ops_register_norm ();
  c2g_ops_register_one_hot ();
  c2g_ops_register_onnx_while ();
  c2g_ops_register_pack ();
  c2g_ops_register_pad ();
  c2g_ops_register_pool ();
  c2g_ops_register_prior_box ();
  c2g_ops_register_proposal ();
  c2g_ops_register_random_fill ();
  c2g_ops_register_ranking ();
  c2g_ops_register_reduce ();
  c2g_ops_register_reduction ();
  c2g_ops_register_reshape ();
  c2g_ops_register_resize ();
  c2g_ops_register_rnn ();
  c2g_ops_register_roi ();
  c2g_ops_register_save ();
  c2g_ops_register_select ();
  c2g_ops_register_sequence ();
  c2g_ops_register_slice ();
  c2g_ops_register_softmax ();
  c2g_ops_register_softmax_loss ();
  c2g_ops_register_spatial_bn ();
  c2g_ops_register_string ();
  c2g_ops_register_stylizer ();
  c2g_ops_register_top_k ();
  c2g_ops_register_transpose ();
  c2g_ops_register_unary ();
  c2g_ops_register_unique_fill ();
  c2g_ops_register_utility ();
  c2g_ops_register_wngrad ();
  c2g_ops_register_xnnpack ();
}
