/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_INT8_TENSOR (c2g_int8_tensor_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gInt8Tensor, c2g_int8_tensor, C2G, INT8_TENSOR, GObject)

C2G_AVAILABLE_IN_ALL
C2gInt8Tensor *c2g_int8_tensor_new            (C2gTensor *tensor,
                                               float      scale,
                                               int        zero_point) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gTensor     *c2g_int8_tensor_get_tensor     (C2gInt8Tensor *self);
C2G_AVAILABLE_IN_ALL
void           c2g_int8_tensor_set_tensor     (C2gInt8Tensor *self,
                                               C2gTensor     *tensor);
C2G_AVAILABLE_IN_ALL
float          c2g_int8_tensor_get_scale      (C2gInt8Tensor *self);
C2G_AVAILABLE_IN_ALL
void           c2g_int8_tensor_set_scale      (C2gInt8Tensor *self,
                                               float          scale);
C2G_AVAILABLE_IN_ALL
int            c2g_int8_tensor_get_zero_point (C2gInt8Tensor *self);
C2G_AVAILABLE_IN_ALL
void           c2g_int8_tensor_set_zero_point (C2gInt8Tensor *self,
                                               int            zero_point);

C2G_AVAILABLE_IN_ALL
double         c2g_int8_tensor_get_value      (C2gInt8Tensor  *self,
                                               gint64          index,
                                               GError        **error);

G_END_DECLS
