/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-blob-record-private.h>
#include <c2g/io/c2g-serializer.h>
#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* What a default chunk holds. */
#define C2G_CHUNK_ELEMENTS 1000000

/* How a blob is to be written. */
typedef struct
{
  /* Elements in a chunk; C2G_DEFAULT_CHUNK_SIZE or C2G_NO_CHUNKING. */
  gint64   chunk_size;
  gboolean float16_as_bytes;
  /* Say of tensors which device they come from. */
  gboolean keep_device;
  /* The device to name, or NULL for the one that the tensor is on. */
  C2gDevice *device;
} C2gSerializeFormat;

/* What c2g's own serializers have: the whole message, without a copy of the content. */
typedef struct _C2gSerializerFuncs
{
  /* n_chunks is what get_n_chunks() gave for the chunk size of the format. */
  gboolean (*write)       (C2gSerializer             *self,
                           C2gBlob                   *blob,
                           const char                *name,
                           guint                      chunk,
                           guint                      n_chunks,
                           const C2gSerializeFormat  *format,
                           C2gSink                   *sink,
                           const C2gJob              *job,
                           GError                   **error);
  /* record is of this serializer's type; puts what it holds into a blob, which is empty
   * but for further chunks. */
  gboolean (*read)        (C2gSerializer             *self,
                           C2gBlob                   *blob,
                           const C2gBlobRecord       *record,
                           C2gSource                 *source,
                           const C2gJob              *job,
                           GError                   **error);
} C2gSerializerFuncs;

/* One message, by the class's funcs or by its serialize_content(). */
gboolean       c2g_serializer_write          (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const char                *name,
                                              guint                      chunk,
                                              guint                      n_chunks,
                                              const C2gSerializeFormat  *format,
                                              C2gSink                   *sink,
                                              const C2gJob              *job,
                                              GError                   **error);
/* The chunks of a tensor may come in any order, into a blob that holds a tensor for them
 * from the second one on; other content in order, into a blob that is empty at first. */
gboolean       c2g_serializer_read           (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const C2gBlobRecord       *record,
                                              C2gSource                 *source,
                                              const C2gJob              *job,
                                              GError                   **error);

/* All of it as one message, whatever chunk size the format has. */
gboolean       c2g_serializer_write_message  (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const char                *name,
                                              const C2gSerializeFormat  *format,
                                              C2gSink                   *sink,
                                              const C2gJob              *job,
                                              GError                   **error);
/* A message by itself, into an empty blob: refuses chunks of content, and tensors that were
 * saved for other devices than the CPU. */
gboolean       c2g_serializer_read_message   (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const C2gBlobRecord       *record,
                                              C2gSource                 *source,
                                              const C2gJob              *job,
                                              GError                   **error);

/* For what the blob holds; an error, naming the type, if there is none. */
C2gSerializer *c2g_serializer_for_blob       (C2gBlob                   *blob,
                                              GError                   **error);
/* Whether writing the blob runs code of c2g alone, in whatever thread that is: not so for
 * tensors whose elements need serializers of their own. */
gboolean       c2g_serializer_is_own         (C2gSerializer             *self,
                                              C2gBlob                   *blob);

/* For the registry: false if it has another one already. */
gboolean       c2g_serializer_take_blob_type (C2gSerializer             *self,
                                              const char                *blob_type);
/* The key under which a database has the chunk: name#%chunk for tensors, in whatever
 * number of chunks, and for other content in several; the name alone for the rest. */
char          *c2g_serializer_dup_key        (C2gSerializer             *self,
                                              const char                *name,
                                              guint                      chunk,
                                              guint                      n_chunks);
/* The name in a key: what comes before the first #%. */
char          *c2g_serializer_name_of_key    (GBytes                    *key,
                                              GError                   **error);

/* A BlobProto with content; type may be NULL. */
gboolean       c2g_content_write             (const char                *type,
                                              const char                *name,
                                              GBytes                    *content,
                                              guint                      chunk,
                                              guint                      n_chunks,
                                              C2gSink                   *sink,
                                              const C2gJob              *job,
                                              GError                   **error);

G_END_DECLS
