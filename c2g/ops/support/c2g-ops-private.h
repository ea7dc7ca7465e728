/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* The kernels of a file of operators. */
typedef struct
{
  const C2gKernel *kernels;
  gsize            n_kernels;
  /* Prepares what the kernels need. Returns FALSE if they cannot run here. NULL if there is nothing
   * to prepare. */
  gboolean       (*start) (void);
} C2gKernelFamily;

/* Exports the table "kernels" of a file. */
#define C2G_OPS_FAMILY(name) \
  const C2gKernelFamily c2g_ops_##name = { kernels, G_N_ELEMENTS (kernels), NULL }

/* The files of operators. */
#define C2G_OPS_FILES(row) \
  row (activation) row (adadelta) row (adagrad) row (adam) row (atomic) row (batch_matmul) \
  row (binary) row (box_cox) row (box_nms) row (box_transform) row (caffe_recurrent) \
  row (cast) row (compare) row (concat) row (conv) row (conv_transpose) row (copy) \
  row (counter) row (ctc) row (detection) row (dnnl) row (dropout) row (fc) row (fill) \
  row (gather) row (given_fill) row (group_norm) row (if) row (index) row (integral_image) \
  row (layer_norm) row (lc) row (learning_rate) row (lengths) row (load) row (loss) row (lrn) \
  row (mask) row (matmul) row (moments) row (momentum) row (nary) row (norm) row (one_hot) \
  row (onnx_while) row (pack) row (pad) row (pool) row (prior_box) row (proposal) \
  row (random_fill) row (ranking) row (reduce) row (reduction) row (reshape) row (resize) \
  row (rnn) row (roi) row (save) row (select) row (sequence) row (slice) row (softmax) \
  row (softmax_loss) row (spatial_bn) row (string) row (stylizer) row (top_k) \
  row (transpose) row (unary) row (unique_fill) row (utility) row (wngrad)

#define C2G_OPS_DECLARE(name) extern const C2gKernelFamily c2g_ops_##name;

C2G_OPS_FILES (C2G_OPS_DECLARE)

G_END_DECLS
