/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/serializer/c2g-serializer.h>
#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* Number of elements in a default chunk. */
#define C2G_CHUNK_ELEMENTS 1000000

/* The format in which a blob is written. */
typedef struct
{
  /* Number of elements in a chunk, or C2G_DEFAULT_CHUNK_SIZE or C2G_NO_CHUNKING. */
  gint64   chunk_size;
  gboolean float16_as_bytes;
  /* TRUE to write the device of a tensor into the message. */
  gboolean keep_device;
  /* The device to write, or NULL for the tensor's own. */
  C2gDevice *device;
} C2gSerializeFormat;

/* A chunk of a blob to be written. */
typedef struct
{
  C2gBlob                  *blob;
  /* The name to write. */
  const char               *name;
  guint                     chunk;
  guint                     n_chunks;
  const C2gSerializeFormat *format;
} C2gSerializeRequest;

/* A built-in serializer, which writes and reads whole messages without copying the content. */
typedef struct _C2gSerializerFuncs
{
  /* The name of its class. */
  const char *type_name;
  const char *blob_type;
  /* NULL if there is always one chunk. */
  guint    (*get_n_chunks) (C2gSerializer *self,
                            C2gBlob       *blob,
                            gint64         chunk_size);
  /* n_chunks is the result of get_n_chunks() for the chunk size of the format. */
  gboolean (*write)        (const C2gSerializeRequest *request,
                            C2gSink                   *sink,
                            const C2gJob              *job,
                            GError                   **error);
  /* Reads a record of this serializer's type into BLOB, which is empty or has the chunks before
   * this one. */
  gboolean (*read)         (C2gBlob                   *blob,
                            const C2gBlobRecord       *record,
                            C2gSource                 *source,
                            const C2gJob              *job,
                            GError                   **error);
} C2gSerializerFuncs;

/* Makes the serializer and its class. Called while the registry is made. */
void           c2g_serializer_add_builtin    (const C2gSerializerFuncs  *funcs,
                                              const GType               *content_types,
                                              gsize                      n_content_types);

/* Writes one message, with the funcs of the class or with its serialize_content(). */
gboolean       c2g_serializer_write          (C2gSerializer             *self,
                                              const C2gSerializeRequest *request,
                                              C2gSink                   *sink,
                                              const C2gJob              *job,
                                              GError                   **error);
/* Reads one chunk. Chunks of a tensor may come in any order; from the second one on the blob
 * holds the tensor. Other content comes in order, and the blob is empty at first. */
gboolean       c2g_serializer_read           (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const C2gBlobRecord       *record,
                                              C2gSource                 *source,
                                              const C2gJob              *job,
                                              GError                   **error);

/* Writes the whole blob as one message, whatever the chunk size of the format is. */
gboolean       c2g_serializer_write_message  (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const char                *name,
                                              const C2gSerializeFormat  *format,
                                              C2gSink                   *sink,
                                              const C2gJob              *job,
                                              GError                   **error);
/* Reads a single message into an empty blob and moves a tensor to the job's device. Refuses one
 * of several chunks of content. */
gboolean       c2g_serializer_read_message   (C2gSerializer             *self,
                                              C2gBlob                   *blob,
                                              const C2gBlobRecord       *record,
                                              C2gSource                 *source,
                                              const C2gJob              *job,
                                              GError                   **error);

/* Finds the serializer for the content of the blob. If there is none, the error names the type. */
C2gSerializer *c2g_serializer_for_blob       (C2gBlob                   *blob,
                                              GError                   **error);
/* Returns TRUE if writing the blob runs only code of c2g, so that any thread may do it. This is
 * not so for tensors whose elements need serializers of the program. */
gboolean       c2g_serializer_is_own         (C2gSerializer             *self,
                                              C2gBlob                   *blob);

/* Used by the registry. Returns FALSE if the serializer has another blob type already. */
gboolean       c2g_serializer_take_blob_type (C2gSerializer             *self,
                                              const char                *blob_type);
/* Returns the key of the chunk in a database: name#%chunk for tensors, always, and for other
 * content in several chunks; only the name for the rest. */
char          *c2g_serializer_dup_key        (C2gSerializer             *self,
                                              const char                *name,
                                              guint                      chunk,
                                              guint                      n_chunks);
/* Returns the name in a key: the part before the first "#%". */
char          *c2g_serializer_name_of_key    (GBytes                    *key,
                                              GError                   **error);

/* Writes a BlobProto with content. TYPE is NULL for a blob that has only a name; then CONTENT is empty. */
gboolean       c2g_content_write             (const char                *type,
                                              const char                *name,
                                              GBytes                    *content,
                                              guint                      chunk,
                                              guint                      n_chunks,
                                              C2gSink                   *sink,
                                              const C2gJob              *job,
                                              GError                   **error);

G_END_DECLS
