/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_MIXED_TENSOR (c2g_mixed_tensor_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gMixedTensor, c2g_mixed_tensor, C2G, MIXED_TENSOR, GObject)

C2G_AVAILABLE_IN_ALL
C2gMixedTensor *c2g_mixed_tensor_new                (C2gDataType      data_type,
                                                     const gint64    *dims,
                                                     gsize            n_dims,
                                                     C2gDevice       *device,
                                                     GError         **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDataType     c2g_mixed_tensor_get_data_type      (C2gMixedTensor  *self);
C2G_AVAILABLE_IN_ALL
C2gDevice      *c2g_mixed_tensor_get_device         (C2gMixedTensor  *self);
C2G_AVAILABLE_IN_ALL
const char     *c2g_mixed_tensor_get_name           (C2gMixedTensor  *self);
C2G_AVAILABLE_IN_ALL
const gint64   *c2g_mixed_tensor_get_dims           (C2gMixedTensor  *self,
                                                     gsize           *n_dims);
C2G_AVAILABLE_IN_ALL
gint64          c2g_mixed_tensor_get_n_elements     (C2gMixedTensor  *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_is_valid           (C2gMixedTensor  *self,
                                                     C2gDataType      data_type);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_is_held            (C2gMixedTensor  *self);
C2G_AVAILABLE_IN_ALL
C2gSyncedHead   c2g_mixed_tensor_get_head           (C2gMixedTensor  *self,
                                                     C2gDataType      data_type);
C2G_AVAILABLE_IN_ALL
gsize           c2g_mixed_tensor_get_cpu_memory_use (C2gMixedTensor  *self,
                                                     C2gDataType      data_type);
C2G_AVAILABLE_IN_ALL
gsize           c2g_mixed_tensor_get_gpu_memory_use (C2gMixedTensor  *self,
                                                     C2gDataType      data_type);
C2G_AVAILABLE_IN_ALL
char           *c2g_mixed_tensor_to_string          (C2gMixedTensor  *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gTensor      *c2g_mixed_tensor_ref_tensor         (C2gMixedTensor  *self,
                                                     C2gDataType      data_type,
                                                     C2gDevice       *device,
                                                     GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor      *c2g_mixed_tensor_ref_mutable_tensor (C2gMixedTensor  *self,
                                                     C2gDataType      data_type,
                                                     C2gDevice       *device,
                                                     GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_set_data_type      (C2gMixedTensor  *self,
                                                     C2gDataType      data_type,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_invalidate_others  (C2gMixedTensor  *self,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_trim               (C2gMixedTensor  *self,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_copy_from          (C2gMixedTensor  *self,
                                                     C2gMixedTensor  *source,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_set_tensor         (C2gMixedTensor  *self,
                                                     C2gTensor       *tensor,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_reshape            (C2gMixedTensor  *self,
                                                     const gint64    *dims,
                                                     gsize            n_dims,
                                                     GError         **error);

C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_fill               (C2gMixedTensor  *self,
                                                     double           value,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_scale              (C2gMixedTensor  *self,
                                                     double           factor,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_axpy               (C2gMixedTensor  *self,
                                                     double           factor,
                                                     C2gMixedTensor  *x,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
double          c2g_mixed_tensor_asum               (C2gMixedTensor  *self,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
double          c2g_mixed_tensor_amax               (C2gMixedTensor  *self,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
double          c2g_mixed_tensor_sumsq              (C2gMixedTensor  *self,
                                                     GError         **error);

C2G_AVAILABLE_IN_ALL
gconstpointer   c2g_mixed_tensor_data               (C2gMixedTensor  *self,
                                                     C2gDataType      data_type,
                                                     C2gDevice       *device,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gpointer        c2g_mixed_tensor_mutable_data       (C2gMixedTensor  *self,
                                                     C2gDataType      data_type,
                                                     C2gDevice       *device,
                                                     GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_mixed_tensor_set_data           (C2gMixedTensor  *self,
                                                     gpointer         data,
                                                     C2gDataType      data_type,
                                                     C2gDevice       *device,
                                                     GDestroyNotify   destroy,
                                                     gpointer         user_data,
                                                     GError         **error);

G_END_DECLS
