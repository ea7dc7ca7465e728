/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/content/c2g-blob-io-private.h>
#include <c2g/io/content/c2g-blob-io.h>

#include <c2g/io/content/c2g-snapshot-private.h>
#include <c2g/io/serializer/c2g-serializer-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Writes single blobs as serialized messages, into bytes, chunks or streams, and reads them from bytes
 * and streams. c2g-blob-chunks.c reads chunks. */

G_DEFINE_FLAGS_TYPE (C2gSerializeFlags, c2g_serialize_flags,
                     G_DEFINE_ENUM_VALUE (C2G_SERIALIZE_NONE, "none"),
                     G_DEFINE_ENUM_VALUE (C2G_SERIALIZE_FLOAT16_AS_BYTES, "float16-as-bytes"),
                     G_DEFINE_ENUM_VALUE (C2G_SERIALIZE_WITHOUT_DEVICE, "without-device"))

static C2gSerializeFormat
format_of (gint64            chunk_size,
           C2gSerializeFlags flags)
{
  return (C2gSerializeFormat) {
    .chunk_size = chunk_size,
    .float16_as_bytes = (flags & C2G_SERIALIZE_FLOAT16_AS_BYTES) != 0,
    .keep_device = (flags & C2G_SERIALIZE_WITHOUT_DEVICE) == 0,
  };
}

/* Writes the whole blob as one message, from a snapshot: the code of a stream may change the blob
 * while it is written. */
static gboolean
write_message (C2gBlob            *self,
               const char         *name,
               C2gSerializeFlags   flags,
               C2gSink            *sink,
               GCancellable       *cancellable,
               GError            **error)
{
  C2gSerializeFormat format = format_of (C2G_NO_CHUNKING, flags);
  g_autoptr (C2gSerializer) serializer = c2g_serializer_for_blob (self, error);
  g_autoptr (C2gBlob) snapshot = NULL;
  C2gJob job = { cancellable, NULL };

  if (serializer != NULL)
    snapshot = c2g_snapshot_hold (self, serializer, error);
  return snapshot != NULL &&
         c2g_serializer_write_message (serializer, snapshot, name, &format, sink, &job, error);
}

/**
 * c2g_blob_serialize:
 * @self: a blob
 * @name: the name to write
 * @error: return location for an error
 *
 * Writes the blob as a message of Caffe2.
 *
 * The result is a `BlobProto`, byte for byte as Caffe2 writes it, in one piece. It is made by
 * the [class@Serializer] for the content of the blob. c2g has serializers for tensors, also
 * with element types that a program defines, for strings and bytes, integers, [class@QTensor]
 * and [class@Int8Tensor]. A tensor on another device is copied to the CPU, and the message
 * names the device.
 *
 * [method@Blob.serialize_to_stream] takes flags, and [method@Blob.serialize_chunks] writes a
 * message for each chunk.
 *
 * Tensors of the types `BFLOAT16`, `UINT32` and `UINT64` can be read only by c2g.
 *
 * Errors: `C2G_ERROR_TYPE` for content that has no serializer and for an empty blob,
 * `C2G_ERROR_SHAPE` or `C2G_ERROR_TYPE` for a tensor without memory, `C2G_ERROR_RANGE` for
 * more than 2 GiB, `C2G_ERROR_NOT_SUPPORTED` for content that is always in several chunks,
 * `C2G_ERROR_NO_MEMORY`, and the errors of the serializer.
 *
 * Returns: (transfer full): the message
 */
GBytes *
c2g_blob_serialize (C2gBlob     *self,
                    const char  *name,
                    GError     **error)
{
  C2gSerializeFormat format = format_of (C2G_NO_CHUNKING, C2G_SERIALIZE_NONE);
  g_autoptr (C2gSerializer) serializer = NULL;
  g_autoptr (C2gSink) sink = NULL;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  serializer = c2g_serializer_for_blob (self, error);
  if (serializer == NULL)
    return NULL;

  sink = c2g_sink_new_for_memory (0);
  if (!c2g_serializer_write_message (serializer, self, name, &format, sink, NULL, error))
    return NULL;
  return c2g_sink_steal_bytes (sink);
}

static gboolean
accept_chunk (const char        *key,
              GBytes            *value,
              C2gChunkAcceptor   acceptor,
              gpointer           user_data,
              GError           **error)
{
  if (acceptor (key, value, user_data))
    return TRUE;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
               _("No more chunks were wanted after “%s”"), key);
  return FALSE;
}

/**
 * c2g_blob_serialize_chunks:
 * @self: a blob
 * @name: the name to write
 * @chunk_size: how many elements of a tensor a chunk has at most:
 *   [const@DEFAULT_CHUNK_SIZE], [const@NO_CHUNKING] or a number
 * @flags: how to write
 * @acceptor: (scope call) (closure user_data): takes the chunks
 * @user_data: for @acceptor
 * @error: return location for an error
 *
 * Writes the blob as messages of Caffe2, one for each chunk.
 *
 * A database of Caffe2 holds the same messages under the same keys.
 * [method@Blob.deserialize_chunks] joins them again. An empty tensor is one chunk too. The
 * chunks are those of the content at the time of the call: @acceptor may replace the content,
 * and resize, free or load the tensor. Only writes into the memory of the tensor appear in
 * later chunks.
 *
 * Errors: those of [method@Blob.serialize], and `G_IO_ERROR_CANCELLED` if @acceptor returns
 * false.
 *
 * Returns: true if all chunks were written
 */
gboolean
c2g_blob_serialize_chunks (C2gBlob            *self,
                           const char         *name,
                           gint64              chunk_size,
                           C2gSerializeFlags   flags,
                           C2gChunkAcceptor    acceptor,
                           gpointer            user_data,
                           GError            **error)
{
  C2gSerializeFormat format = format_of (chunk_size, flags);
  g_autoptr (C2gSerializer) serializer = NULL;
  g_autoptr (C2gBlob) snapshot = NULL;
  guint n_chunks;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (chunk_size >= C2G_DEFAULT_CHUNK_SIZE, FALSE);
  g_return_val_if_fail (acceptor != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  serializer = c2g_serializer_for_blob (self, error);
  if (serializer != NULL)
    snapshot = c2g_snapshot_hold (self, serializer, error);
  if (snapshot == NULL)
    return FALSE;

  n_chunks = c2g_serializer_get_n_chunks (serializer, snapshot, chunk_size);
  for (guint i = 0; i < n_chunks; i++)
    {
      g_autofree char *key = c2g_serializer_dup_key (serializer, name, i, n_chunks);
      const C2gSerializeRequest request = { snapshot, name, i, n_chunks, &format };
      g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
      g_autoptr (GBytes) value = NULL;

      if (!c2g_serializer_write (serializer, &request, sink, NULL, error))
        return FALSE;
      value = c2g_sink_steal_bytes (sink);
      if (!accept_chunk (key, value, acceptor, user_data, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * c2g_blob_serialize_to_stream:
 * @self: a blob
 * @name: the name to write
 * @flags: how to write
 * @stream: where to write
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes the blob as a message of Caffe2 to a stream.
 *
 * The message is the same as that of [method@Blob.serialize], but it is never in memory as a
 * whole. It has no end mark: a reader reads the stream to its end. The stream is flushed and
 * stays open.
 *
 * To write a file atomically, use [method@Workspace.save_checkpoint] with [enum@ModelFileKind]
 * `BLOB`.
 *
 * Errors: those of [method@Blob.serialize], those of the stream, and
 * `G_IO_ERROR_CANCELLED`; then a part of the message may have been written.
 *
 * Returns: true if the message was written
 */
gboolean
c2g_blob_serialize_to_stream (C2gBlob            *self,
                              const char         *name,
                              C2gSerializeFlags   flags,
                              GOutputStream      *stream,
                              GCancellable       *cancellable,
                              GError            **error)
{
  g_autoptr (C2gSink) sink = NULL;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (G_IS_OUTPUT_STREAM (stream), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  sink = c2g_sink_new_for_stream (stream);
  return write_message (self, name, flags, sink, cancellable, error) &&
         c2g_sink_commit (sink, cancellable, error);
}

void
c2g_blob_take_loaded (C2gBlob *self,
                      C2gBlob *loaded)
{
  C2gTensor *tensor = c2g_blob_is_tensor (loaded, NULL) ? c2g_blob_get_tensor (loaded, NULL) : NULL;

  if (tensor != NULL && c2g_blob_is_tensor (self, c2g_tensor_get_device (tensor)))
    c2g_tensor_swap (c2g_blob_get_tensor (self, NULL), tensor);
  else
    c2g_blob_move_from (self, loaded);
}

static gboolean
read_record (C2gBlob              *self,
             const C2gBlobRecord  *record,
             C2gSource            *source,
             C2gJob               *job,
             GError              **error)
{
  const char *blob_type = record->type != NULL ? record->type : "";
  g_autoptr (C2gSerializer) serializer = NULL;
  g_autoptr (C2gBlob) loaded = NULL;

  if (job->device == NULL)
    job->device = c2g_tensor_record_find_device (&record->tensor, error);
  if (job->device == NULL)
    return FALSE;

  serializer = c2g_serializer_lookup_for_blob_type (blob_type, error);
  if (serializer == NULL)
    return FALSE;

  loaded = c2g_blob_new ();
  if (!c2g_serializer_read_message (serializer, loaded, record, source, job, error))
    return FALSE;
  c2g_blob_take_loaded (self, loaded);
  return TRUE;
}

/* Reads the message that is the whole source. Without a device, a tensor is loaded to the one
 * that it was saved from. */
static gboolean
read_source (C2gBlob       *self,
             C2gSource     *source,
             C2gDevice     *device,
             GCancellable  *cancellable,
             GError       **error)
{
  guint64 n_bytes = c2g_source_get_n_bytes (source);
  g_auto (C2gScanner) scanner = { NULL };
  g_auto (C2gBlobRecord) record = { NULL };
  C2gJob job = { .cancellable = cancellable, .device = device };

  if (n_bytes > C2G_WIRE_MAX_BYTES)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("A message of %" PRIu64 " bytes, the format allows %d"), n_bytes,
                     C2G_WIRE_MAX_BYTES);

  c2g_scanner_init (&scanner, source);
  return c2g_blob_record_scan (&record, &scanner, 0, n_bytes, error) &&
         read_record (self, &record, source, &job, error);
}

/**
 * c2g_blob_deserialize:
 * @self: a blob
 * @bytes: a `BlobProto` or a `TensorProto` of Caffe2
 * @error: return location for an error
 *
 * Reads the blob from a message of Caffe2.
 *
 * The type of blob in the message selects the [class@Serializer]. A string becomes `GBytes`, a
 * counter a 64-bit integer, a `QTensor` a [class@QTensor] and an `Int8TensorCPU` an
 * [class@Int8Tensor]. A tensor is loaded to the device that it was saved from;
 * [method@Blob.deserialize_from_stream] and [method@Blob.deserialize_chunks] accept another
 * device. If the blob holds a tensor on the same device already, that stays the same object
 * and gets the new shape and memory. If the message holds only a part of a tensor, the other
 * elements are zero. The name in the message does not matter.
 *
 * If reading fails, the blob does not change.
 *
 * Errors: `C2G_ERROR_CORRUPT` for a damaged message and for values that do not fit the shape,
 * `C2G_ERROR_SHAPE` and `C2G_ERROR_RANGE` for impossible shapes, `C2G_ERROR_NOT_SUPPORTED` for
 * an unknown type of blob and for a chunk of content that is no tensor, `C2G_ERROR_DEVICE` for
 * a tensor that was saved from a device that is not there, `C2G_ERROR_NO_MEMORY`, and the
 * errors of the serializer.
 *
 * Returns: true if the blob was read
 */
gboolean
c2g_blob_deserialize (C2gBlob  *self,
                      GBytes   *bytes,
                      GError  **error)
{
  g_autoptr (C2gSource) source = NULL;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  source = c2g_source_new_for_bytes (bytes, "");
  return read_source (self, source, NULL, NULL, error);
}

/**
 * c2g_blob_deserialize_from_stream:
 * @self: a blob
 * @stream: what to read
 * @device: (nullable): the device for a tensor, `NULL` for the one it was saved from
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads the blob from a message of Caffe2 that is the rest of a stream.
 *
 * It is [method@Blob.deserialize] for a stream. From a seekable stream the elements of a
 * tensor are read directly into its memory; other streams are read into memory first. With
 * @device, the device that the tensor was saved from need not exist. Content that only the CPU
 * can hold is loaded to the CPU. Afterwards the stream is at its end, or at any position if
 * reading fails, and stays open.
 *
 * Errors: those of [method@Blob.deserialize], those of the stream, and
 * `G_IO_ERROR_CANCELLED`.
 *
 * Returns: true if the blob was read
 */
gboolean
c2g_blob_deserialize_from_stream (C2gBlob       *self,
                                  GInputStream  *stream,
                                  C2gDevice     *device,
                                  GCancellable  *cancellable,
                                  GError       **error)
{
  g_autoptr (C2gSource) source = NULL;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (G_IS_INPUT_STREAM (stream), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (device != NULL && !c2g_context_can_share (device, error))
    return FALSE;

  source = c2g_source_new_for_stream (stream, C2G_WIRE_MAX_BYTES, cancellable, error);
  if (source == NULL || !read_source (self, source, device, cancellable, error))
    return FALSE;

  /* A seekable stream was read in place. It is left at its end, like one that was read to its end. */
  return c2g_source_peek (source) != NULL ||
         g_seekable_seek (G_SEEKABLE (stream), 0, G_SEEK_END, cancellable, error);
}
