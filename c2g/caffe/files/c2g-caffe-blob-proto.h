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

#define C2G_TYPE_CAFFE_PROTO_FLAGS (c2g_caffe_proto_flags_get_type ())

/**
 * C2gCaffeProtoFlags:
 * @C2G_CAFFE_PROTO_NONE: the data, in NVCaffe's form: the bytes of their type
 * @C2G_CAFFE_PROTO_DIFF: the diff, too
 * @C2G_CAFFE_PROTO_BVLC: in the form of the original Caffe: floats, or doubles where floats would be
 *   less precise
 *
 * Options for writing a [class@CaffeBlob].
 */
typedef enum
{
  C2G_CAFFE_PROTO_NONE = 0,
  C2G_CAFFE_PROTO_DIFF = 1 << 0,
  C2G_CAFFE_PROTO_BVLC = 1 << 1,
} C2gCaffeProtoFlags;

C2G_AVAILABLE_IN_ALL
GType     c2g_caffe_proto_flags_get_type (void);

C2G_AVAILABLE_IN_ALL
GBytes   *c2g_caffe_blob_to_proto        (C2gCaffeBlob        *self,
                                          C2gCaffeProtoFlags   flags,
                                          GError             **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean  c2g_caffe_blob_from_proto      (C2gCaffeBlob        *self,
                                          GBytes              *proto,
                                          gboolean             reshape,
                                          GError             **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_caffe_blob_shape_equals    (C2gCaffeBlob        *self,
                                          GBytes              *proto,
                                          gboolean            *equal,
                                          GError             **error);

G_END_DECLS
