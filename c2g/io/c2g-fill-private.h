/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/io/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* Operators that only put given values into their output, as init nets have them:
 * the GivenTensorFill family and ConstantFill.  They need no workspace.
 */
gboolean   c2g_fill_is_known    (const Caffe2__OperatorDef  *op);
/* Whether a few bytes in the file make it large. */
gboolean   c2g_fill_is_constant (const Caffe2__OperatorDef  *op);
/* What it will be, without making it; dims are the operator's. */
gboolean   c2g_fill_get_shape   (const Caffe2__OperatorDef  *op,
                                 C2gDataType                *data_type,
                                 const gint64              **dims,
                                 gsize                      *n_dims,
                                 GError                    **error);
/* max_bytes is what a constant may take. */
C2gTensor *c2g_fill_evaluate    (const Caffe2__OperatorDef  *op,
                                 guint64                     max_bytes,
                                 GError                    **error);
/* Checks as much, but makes a tensor of one element, or of none if there are none. */
C2gTensor *c2g_fill_sample      (const Caffe2__OperatorDef  *op,
                                 guint64                     max_bytes,
                                 GError                    **error);

G_END_DECLS
