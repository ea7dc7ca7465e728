/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-blob.h>

G_BEGIN_DECLS

#define C2G_TYPE_SERIALIZE_FLAGS (c2g_serialize_flags_get_type ())

/**
 * C2gSerializeFlags:
 * @C2G_SERIALIZE_NONE: as Caffe2 writes by default
 * @C2G_SERIALIZE_FLOAT16_AS_BYTES: `float16` elements as raw bytes, which takes two thirds of
 *   the space; Caffe2 does so with `caffe2_serialize_fp16_as_bytes`, and reads both
 * @C2G_SERIALIZE_WITHOUT_DEVICE: tensors as if they were on the CPU
 *
 * Options for writing blobs.
 */
typedef enum
{
  C2G_SERIALIZE_NONE = 0,
  C2G_SERIALIZE_FLOAT16_AS_BYTES = 1 << 0,
  C2G_SERIALIZE_WITHOUT_DEVICE = 1 << 1,
} C2gSerializeFlags;

/**
 * C2gChunkAcceptor:
 * @key: the key of the chunk in a database: the name, followed by `#%` and a number if it is a
 *   tensor or one of several chunks
 * @value: the chunk, a message of its own
 * @user_data: what was given with the function
 *
 * Takes a chunk of a blob that is being written.
 *
 * Chunks come in order, in the thread that writes.
 *
 * Returns: true to continue
 */
typedef gboolean (*C2gChunkAcceptor) (const char *key,
                                      GBytes     *value,
                                      gpointer    user_data);

C2G_AVAILABLE_IN_ALL
GType     c2g_serialize_flags_get_type     (void);

C2G_AVAILABLE_IN_ALL
GBytes   *c2g_blob_serialize               (C2gBlob            *self,
                                            const char         *name,
                                            GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean  c2g_blob_serialize_chunks        (C2gBlob            *self,
                                            const char         *name,
                                            gint64              chunk_size,
                                            C2gSerializeFlags   flags,
                                            C2gChunkAcceptor    acceptor,
                                            gpointer            user_data,
                                            GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_blob_serialize_to_stream     (C2gBlob            *self,
                                            const char         *name,
                                            C2gSerializeFlags   flags,
                                            GOutputStream      *stream,
                                            GCancellable       *cancellable,
                                            GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_blob_deserialize             (C2gBlob            *self,
                                            GBytes             *bytes,
                                            GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_blob_deserialize_chunks      (C2gBlob            *self,
                                            GBytes            **chunks,
                                            guint               n_chunks,
                                            C2gDevice          *device,
                                            GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_blob_deserialize_from_stream (C2gBlob            *self,
                                            GInputStream       *stream,
                                            C2gDevice          *device,
                                            GCancellable       *cancellable,
                                            GError            **error);

G_END_DECLS
