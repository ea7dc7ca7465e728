/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* Operators of init nets that fill their output with given values: the GivenTensorFill family and
 * ConstantFill. They need no workspace. */
gboolean   c2g_fill_is_known    (const Caffe2__OperatorDef  *op);
/* Returns TRUE for ConstantFill, which needs only a few bytes in the file for a large tensor. */
gboolean   c2g_fill_is_constant (const Caffe2__OperatorDef  *op);
/* Returns the type and shape of the output. DIMS belong to the operator. */
gboolean   c2g_fill_get_shape   (const Caffe2__OperatorDef  *op,
                                 C2gDataType                *data_type,
                                 const gint64              **dims,
                                 gsize                      *n_dims,
                                 GError                    **error);
/* max_bytes limits the size of a constant. */
C2gTensor *c2g_fill_evaluate    (const Caffe2__OperatorDef  *op,
                                 guint64                     max_bytes,
                                 GError                    **error);
/* Checks the same, but makes a tensor of one element, or of none if it is empty. */
C2gTensor *c2g_fill_sample      (const Caffe2__OperatorDef  *op,
                                 guint64                     max_bytes,
                                 GError                    **error);

G_END_DECLS
