/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-serializer-private.h>
#include <c2g/io/serializer/c2g-serializer.h>

#include <c2g/io/stream/c2g-name-private.h>
#include <c2g/io/stream/c2g-upload-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

#include <string.h>

/**
 * C2gSerializer:
 *
 * Converts the content of blobs to bytes and back.
 *
 * A serializer is registered for a type of content, which is used for writing, and for the
 * name of that type in Caffe2's messages, which is used for reading. c2g has serializers for
 * tensors of every type (`Tensor`), strings and bytes (`std::string`), integers
 * (`std::unique_ptr<Counter<int64_t>>`), [class@QTensor] (`QTensor`) and [class@Int8Tensor]
 * (`Int8TensorCPU`).
 *
 * Registered serializers are used by [method@Blob.serialize] and similar methods, by
 * checkpoints, and for tensors with element types that a program defines.
 *
 * ## Subclassing
 *
 * A serializer of a program, in any language, writes its content into the field `content` of
 * Caffe2's `BlobProto` and reads it back. It may split large content into several chunks, each
 * a message of its own. They are read back in the same order, in whatever order they are
 * stored.
 *
 * ```python
 * class Vocabulary(GObject.Object):
 *     words = GObject.Property(type=GObject.TYPE_STRV)
 *
 * class VocabularySerializer(C2g.Serializer):
 *     def do_serialize_content(self, blob, chunk, n_chunks):
 *         return GLib.Bytes.new('\n'.join(blob.get_object().words).encode())
 *
 *     def do_deserialize_content(self, blob, content, chunk, n_chunks):
 *         words = content.get_data().decode().split('\n')
 *         blob.set_object(Vocabulary(words=words))
 *         return True
 *
 * C2g.Serializer.register(Vocabulary, 'Vocabulary', VocabularySerializer())
 * ```
 *
 * A method that fails should set an error (in Python: raise a `GLib.Error`); without one the
 * error is `C2G_ERROR_FAILED` with the name of the class.
 *
 * ## Threads
 *
 * Registering and looking up can be done in any thread. A subclass is called in the
 * thread that serializes or loads; c2g's own serializers run in several threads at once.
 */

typedef struct
{
  /* Interned. Atomic; set only once, by the registry. */
  const char *blob_type;
} C2gSerializerPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (C2gSerializer, c2g_serializer, G_TYPE_OBJECT)

static guint
c2g_serializer_real_get_n_chunks (C2gSerializer *self,
                                  C2gBlob       *blob,
                                  gint64         chunk_size)
{
  return 1;
}

static void
c2g_serializer_class_init (C2gSerializerClass *klass)
{
  klass->get_n_chunks = c2g_serializer_real_get_n_chunks;

  /**
   * C2gSerializerClass::get_n_chunks:
   * @self: a serializer
   * @blob: what is to be written
   * @chunk_size: how many elements a chunk should have at most, whatever an element is:
   *   [const@DEFAULT_CHUNK_SIZE], [const@NO_CHUNKING] or a number
   *
   * Returns the number of chunks in which the content is written.
   *
   * The default implementation returns 1.
   *
   * Returns: how many chunks, 1 at least
   */

  /**
   * C2gSerializerClass::serialize_content:
   * @self: a serializer
   * @blob: the blob to write
   * @chunk: which chunk, from 0 on
   * @n_chunks: how many there are, as [vfunc@Serializer.get_n_chunks] said
   * @error: return location for an error
   *
   * Returns the bytes of one chunk of the content.
   *
   * Returns: (transfer full): the bytes, which may be none
   */

  /**
   * C2gSerializerClass::deserialize_content:
   * @self: a serializer
   * @blob: where the content goes: a blob without a name, empty for the first chunk
   * @content: what [vfunc@Serializer.serialize_content] gave for this chunk
   * @chunk: which chunk; they come in order
   * @n_chunks: how many there are
   * @error: return location for an error
   *
   * Puts one chunk of the content into a blob.
   *
   * After the last chunk the blob must not be empty. It is a temporary blob; its content is
   * moved to the real one when everything was read.
   *
   * Returns: `TRUE` if the chunk is in the blob
   */
}

static void
c2g_serializer_init (C2gSerializer *self)
{
}

static gboolean
check_content_size (const char  *name,
                    guint64      n_bytes,
                    GError     **error)
{
  if (strlen (name) > C2G_SCANNER_WINDOW)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("A name of %zu bytes, %u are allowed"), strlen (name), C2G_SCANNER_WINDOW);
  else if (n_bytes > C2G_WIRE_MAX_BYTES)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("A message of %" PRIu64 " bytes, the format allows %d"),
                 n_bytes, C2G_WIRE_MAX_BYTES);
  else
    return TRUE;

  return FALSE;
}

gboolean
c2g_content_write (const char    *type,
                   const char    *name,
                   GBytes        *content,
                   guint          chunk,
                   guint          n_chunks,
                   C2gSink       *sink,
                   const C2gJob  *job,
                   GError       **error)
{
  g_autoptr (GByteArray) head = g_byte_array_new ();
  g_autoptr (GByteArray) tail = g_byte_array_new ();
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (content, &n_bytes);

  c2g_wire_put_bytes (head, 1, name, strlen (name));
  if (type != NULL)
    {
      c2g_wire_put_bytes (head, 2, type, strlen (type));
      c2g_wire_put_length (head, 4, n_bytes);
    }
  if (n_chunks > 1)
    {
      c2g_wire_put_number (tail, 6, n_chunks);
      c2g_wire_put_number (tail, 7, chunk);
    }

  return check_content_size (name, (guint64) head->len + n_bytes + tail->len, error) &&
         c2g_sink_write (sink, head->data, head->len, job, error) &&
         c2g_sink_write (sink, data, n_bytes, job, error) &&
         c2g_sink_write (sink, tail->data, tail->len, job, error);
}

static GBytes *
serialize_content (C2gSerializer  *self,
                   C2gBlob        *blob,
                   guint           chunk,
                   guint           n_chunks,
                   GError        **error)
{
  C2gSerializerClass *klass = C2G_SERIALIZER_GET_CLASS (self);
  GBytes *content;

  if (klass->serialize_content == NULL)
    {
      c2g_vfunc_fail_not_implemented (self, "serialize_content()", error);
      return NULL;
    }

  content = klass->serialize_content (self, blob, chunk, n_chunks, error);
  c2g_vfunc_check_result (self, content != NULL, "serialize_content()", error);
  return content;
}

gboolean
c2g_serializer_write (C2gSerializer              *self,
                      const C2gSerializeRequest  *request,
                      C2gSink                    *sink,
                      const C2gJob               *job,
                      GError                    **error)
{
  const C2gSerializerFuncs *funcs = C2G_SERIALIZER_GET_CLASS (self)->funcs;
  g_autoptr (GBytes) content = NULL;

  if (funcs != NULL)
    return funcs->write (request, sink, job, error);

  content = serialize_content (self, request->blob, request->chunk, request->n_chunks, error);
  return content != NULL &&
         c2g_content_write (c2g_serializer_get_blob_type (self), request->name, content,
                            request->chunk, request->n_chunks, sink, job, error);
}

gboolean
c2g_serializer_write_message (C2gSerializer             *self,
                              C2gBlob                   *blob,
                              const char                *name,
                              const C2gSerializeFormat  *format,
                              C2gSink                   *sink,
                              const C2gJob              *job,
                              GError                   **error)
{
  C2gSerializeFormat whole = *format;
  const C2gSerializeRequest request = { blob, name, 0, 1, &whole };
  guint n_chunks = c2g_serializer_get_n_chunks (self, blob, C2G_NO_CHUNKING);

  whole.chunk_size = C2G_NO_CHUNKING;
  if (n_chunks == 1)
    return c2g_serializer_write (self, &request, sink, job, error);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("%s writes blobs in %u chunks, not in one"),
                   G_OBJECT_TYPE_NAME (self), n_chunks);
}

/* An empty blob would look as if nothing had been loaded. */
static gboolean
check_blob (C2gSerializer  *self,
            C2gBlob        *blob,
            GError        **error)
{
  if (!c2g_blob_is_empty (blob))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_FAILED, _("%s of %s put nothing into the blob"),
                   "deserialize_content()", G_OBJECT_TYPE_NAME (self));
}

static gboolean
deserialize_content (C2gSerializer        *self,
                     C2gBlob              *blob,
                     const C2gBlobRecord  *record,
                     GBytes               *content,
                     GError              **error)
{
  C2gSerializerClass *klass = C2G_SERIALIZER_GET_CLASS (self);
  gboolean is_done;

  if (klass->deserialize_content == NULL)
    return c2g_vfunc_fail_not_implemented (self, "deserialize_content()", error);

  is_done = klass->deserialize_content (self, blob, content, record->chunk, record->n_chunks,
                                        error);
  return c2g_vfunc_check_result (self, is_done, "deserialize_content()", error) &&
         (record->chunk + 1 < record->n_chunks || check_blob (self, blob, error));
}

gboolean
c2g_serializer_read (C2gSerializer        *self,
                     C2gBlob              *blob,
                     const C2gBlobRecord  *record,
                     C2gSource            *source,
                     const C2gJob         *job,
                     GError              **error)
{
  const C2gSerializerFuncs *funcs = C2G_SERIALIZER_GET_CLASS (self)->funcs;
  g_autoptr (GBytes) content = NULL;

  if (funcs != NULL)
    return funcs->read (blob, record, source, job, error);

  /* As in protobuf, a missing field is empty. */
  content = record->has_content
              ? c2g_source_ref_bytes (source, record->content_offset, record->n_content_bytes,
                                      job, error)
              : g_bytes_new_static (NULL, 0);
  return content != NULL && deserialize_content (self, blob, record, content, error);
}

gboolean
c2g_serializer_read_message (C2gSerializer        *self,
                             C2gBlob              *blob,
                             const C2gBlobRecord  *record,
                             C2gSource            *source,
                             const C2gJob         *job,
                             GError              **error)
{
  if (record->n_chunks > 1)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Content in %u chunks, of which this message has only one"),
                     record->n_chunks);

  return c2g_serializer_read (self, blob, record, source, job, error) &&
         c2g_upload_blob (blob, job, error);
}

static gboolean
is_of_tensors (C2gSerializer *self)
{
  return g_strcmp0 (c2g_serializer_get_blob_type (self), C2G_BLOB_TYPE_TENSOR) == 0;
}

gboolean
c2g_serializer_is_own (C2gSerializer *self,
                       C2gBlob       *blob)
{
  C2gTensor *tensor;

  if (C2G_SERIALIZER_GET_CLASS (self)->funcs == NULL)
    return FALSE;
  if (!is_of_tensors (self) || !c2g_blob_is_tensor (blob, NULL))
    return TRUE;

  tensor = c2g_blob_get_tensor (blob, NULL);
  return c2g_tensor_get_type_meta (tensor) == NULL ||
         c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_UNDEFINED;
}

char *
c2g_serializer_dup_key (C2gSerializer *self,
                        const char    *name,
                        guint          chunk,
                        guint          n_chunks)
{
  return n_chunks > 1 || is_of_tensors (self) ? g_strdup_printf ("%s#%%%u", name, chunk)
                                              : g_strdup (name);
}

char *
c2g_serializer_name_of_key (GBytes  *key,
                            GError **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (key, &n_bytes);
  gsize n_name = n_bytes;

  for (gsize i = 0; i + 1 < n_bytes && n_name == n_bytes; i++)
    if (data[i] == '#' && data[i + 1] == '%')
      n_name = i;

  return c2g_name_from_bytes (data, n_name, error);
}

/* Called by the registry, which holds its lock. */
gboolean
c2g_serializer_take_blob_type (C2gSerializer *self,
                               const char    *blob_type)
{
  C2gSerializerPrivate *priv = c2g_serializer_get_instance_private (self);
  const char *old = g_atomic_pointer_get (&priv->blob_type);

  if (old != NULL)
    return strcmp (old, blob_type) == 0;

  g_atomic_pointer_set (&priv->blob_type, g_intern_string (blob_type));
  return TRUE;
}

/**
 * c2g_serializer_get_blob_type:
 * @self: a serializer
 *
 * Gets the name that messages have for what the serializer writes.
 *
 * Returns: (nullable): the name under which it was registered, `NULL` before that
 */
const char *
c2g_serializer_get_blob_type (C2gSerializer *self)
{
  C2gSerializerPrivate *priv;

  g_return_val_if_fail (C2G_IS_SERIALIZER (self), NULL);

  priv = c2g_serializer_get_instance_private (self);
  return g_atomic_pointer_get (&priv->blob_type);
}

/**
 * c2g_serializer_get_n_chunks: (virtual get_n_chunks)
 * @self: a serializer
 * @blob: what is to be written
 * @chunk_size: how many elements of a tensor a chunk has at most:
 *   [const@DEFAULT_CHUNK_SIZE], [const@NO_CHUNKING] or a number
 *
 * Tells in how many chunks the content of a blob is written.
 *
 * Strings, counters and quantized tensors always have one chunk.
 *
 * Returns: how many chunks, 1 at least
 */
guint
c2g_serializer_get_n_chunks (C2gSerializer *self,
                             C2gBlob       *blob,
                             gint64         chunk_size)
{
  g_return_val_if_fail (C2G_IS_SERIALIZER (self), 1);
  g_return_val_if_fail (C2G_IS_BLOB (blob), 1);
  g_return_val_if_fail (chunk_size >= C2G_DEFAULT_CHUNK_SIZE, 1);

  return CLAMP (C2G_SERIALIZER_GET_CLASS (self)->get_n_chunks (self, blob, chunk_size),
                1, G_MAXINT32);
}
