/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob.h>
#include <c2g/io/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* The types of BlobProto that c2g knows. */
#define C2G_BLOB_TYPE_TENSOR  "Tensor"
#define C2G_BLOB_TYPE_STRING  "std::string"
#define C2G_BLOB_TYPE_Q_TENSOR "QTensor"
#define C2G_BLOB_TYPE_COUNTER "std::unique_ptr<Counter<int64_t>>"

gboolean  c2g_blob_proto_is_tensor  (const Caffe2__BlobProto    *proto);
/* Refuses a tensor from a device that is not the CPU. */
gboolean  c2g_tensor_proto_check_device (const Caffe2__TensorProto *proto,
                                         GError                   **error);

/* New blobs, of no workspace, with what the message holds. */
C2gBlob  *c2g_tensor_proto_new_blob (const Caffe2__TensorProto  *proto,
                                     GError                    **error);
C2gBlob  *c2g_blob_proto_new_blob   (const Caffe2__BlobProto    *proto,
                                     GError                    **error);

/* Moves what a new blob holds to where it is wanted; a tensor that is there stays
 * the object it is, and gets the content. */
void      c2g_blob_take_loaded      (C2gBlob                    *self,
                                     C2gBlob                    *loaded);

G_END_DECLS
