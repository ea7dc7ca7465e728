/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/caffe/memory/c2g-caffe-blob.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CAFFE_T_BLOB (c2g_caffe_t_blob_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCaffeTBlob, c2g_caffe_t_blob, C2G, CAFFE_T_BLOB, C2gCaffeBlob)

C2G_AVAILABLE_IN_ALL
C2gCaffeTBlob *c2g_caffe_t_blob_new           (C2gDataType      data_type,
                                               const gint64    *dims,
                                               gsize            n_dims,
                                               C2gDevice       *device,
                                               GError         **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDataType    c2g_caffe_t_blob_get_data_type (C2gCaffeTBlob   *self);

G_END_DECLS
