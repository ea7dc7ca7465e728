/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob.h>
#include <c2g/io/c2g-blob-io-private.h>
#include <c2g/io/c2g-blob-record-private.h>
#include <c2g/io/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

gboolean  c2g_blob_proto_is_tensor  (const Caffe2__BlobProto    *proto);
/* Refuses a tensor from a device that is not the CPU. */
gboolean  c2g_tensor_proto_check_device (const Caffe2__TensorProto *proto,
                                         GError                   **error);

/* New blobs, of no workspace, with what the message holds. */
C2gBlob  *c2g_tensor_proto_new_blob (const Caffe2__TensorProto  *proto,
                                     GError                    **error);
C2gBlob  *c2g_blob_proto_new_blob   (const Caffe2__BlobProto    *proto,
                                     GError                    **error);

G_END_DECLS
