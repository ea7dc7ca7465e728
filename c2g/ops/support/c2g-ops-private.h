/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Registers the operators of all files. */
void c2g_ops_register_all (void);

/* Each function registers the operators of one file. */
void c2g_ops_register_activation (void);
void c2g_ops_register_adadelta (void);
void c2g_ops_register_adagrad (void);
void c2g_ops_register_adam (void);
void c2g_ops_register_atomic (void);
void c2g_ops_register_batch_matmul (void);
void c2g_ops_register_binary (void);
void c2g_ops_register_box_cox (void);
void c2g_ops_register_box_nms (void);
void c2g_ops_register_box_transform (void);
void c2g_ops_register_caffe_recurrent (void);
void c2g_ops_register_cast (void);
void c2g_ops_register_compare (void);
void c2g_ops_register_concat (void);
void c2g_ops_register_conv (void);
void c2g_ops_register_conv_transpose (void);
void c2g_ops_register_copy (void);
void c2g_ops_register_counter (void);
void c2g_ops_register_ctc (void);
void c2g_ops_register_detection (void);
void c2g_ops_register_dnnl (void);
void c2g_ops_register_dropout (void);
void c2g_ops_register_fc (void);
void c2g_ops_register_fill (void);
void c2g_ops_register_gather (void);
void c2g_ops_register_given_fill (void);
void c2g_ops_register_group_norm (void);
void c2g_ops_register_if (void);
void c2g_ops_register_index (void);
void c2g_ops_register_integral_image (void);
void c2g_ops_register_layer_norm (void);
void c2g_ops_register_lc (void);
void c2g_ops_register_learning_rate (void);
void c2g_ops_register_lengths (void);
void c2g_ops_register_load (void);
void c2g_ops_register_loss (void);
void c2g_ops_register_lrn (void);
void c2g_ops_register_mask (void);
void c2g_ops_register_matmul (void);
void c2g_ops_register_moments (void);
void c2g_ops_register_momentum (void);
void c2g_ops_register_nary (void);
void c2g_ops_register_norm (void);
void c2g_ops_register_one_hot (void);
void c2g_ops_register_onnx_while (void);
void c2g_ops_register_pack (void);
void c2g_ops_register_pad (void);
void c2g_ops_register_pool (void);
void c2g_ops_register_prior_box (void);
void c2g_ops_register_proposal (void);
void c2g_ops_register_random_fill (void);
void c2g_ops_register_ranking (void);
void c2g_ops_register_reduce (void);
void c2g_ops_register_reduction (void);
void c2g_ops_register_reshape (void);
void c2g_ops_register_resize (void);
void c2g_ops_register_rnn (void);
void c2g_ops_register_roi (void);
void c2g_ops_register_save (void);
void c2g_ops_register_select (void);
void c2g_ops_register_sequence (void);
void c2g_ops_register_slice (void);
void c2g_ops_register_softmax (void);
void c2g_ops_register_softmax_loss (void);
void c2g_ops_register_spatial_bn (void);
void c2g_ops_register_string (void);
void c2g_ops_register_stylizer (void);
void c2g_ops_register_top_k (void);
void c2g_ops_register_transpose (void);
void c2g_ops_register_unary (void);
void c2g_ops_register_unique_fill (void);
void c2g_ops_register_utility (void);
void c2g_ops_register_wngrad (void);
/* Must run after the default engine's operators are registered. */
void c2g_ops_register_xnnpack (void);

G_END_DECLS
