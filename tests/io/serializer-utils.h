/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/io-utils.h"

#include <c2g/io/wire/c2g-caffe2.pb-c.h>

/* The messages and keys that a blob was serialized to. */
typedef struct
{
  GPtrArray *keys;
  GPtrArray *values;
} Chunks;

static inline gboolean
chunks_accept (const char *key,
               GBytes     *value,
               gpointer    user_data)
{
  Chunks *self = user_data;

  g_ptr_array_add (self->keys, g_strdup (key));
  g_ptr_array_add (self->values, g_bytes_ref (value));
  return TRUE;
}

static inline void
chunks_clear (Chunks *self)
{
  g_clear_pointer (&self->keys, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chunks, chunks_clear)

static inline void
chunks_init (Chunks     *self,
             C2gBlob    *blob,
             const char *name,
             gint64      chunk_size)
{
  g_autoptr (GError) error = NULL;

  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  c2g_blob_serialize_chunks (blob, name, chunk_size, C2G_SERIALIZE_NONE, chunks_accept, self,
                             &error);
  g_assert_no_error (error);
}

/* Reads the chunks back, the last one first. */
static inline C2gBlob *
chunks_read (const Chunks *self)
{
  g_autofree GBytes **reversed = g_new (GBytes *, self->values->len);
  C2gBlob *blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->values->len; i++)
    reversed[i] = self->values->pdata[self->values->len - 1 - i];
  c2g_blob_deserialize_chunks (blob, reversed, self->values->len, NULL, &error);
  g_assert_no_error (error);
  return blob;
}

/* Parses a message of c2g with protobuf-c. */
static inline Caffe2__BlobProto *
parse_blob (GBytes *bytes)
{
  Caffe2__BlobProto *proto;

  proto = caffe2__blob_proto__unpack (NULL, g_bytes_get_size (bytes),
                                      g_bytes_get_data (bytes, NULL));
  g_assert_nonnull (proto);
  return proto;
}

static inline GBytes *
serialize (C2gBlob    *blob,
           const char *name)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = c2g_blob_serialize (blob, name, &error);

  g_assert_no_error (error);
  return bytes;
}

/* Reads the message into a new blob. */
static inline C2gBlob *
deserialize (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = c2g_blob_new ();

  c2g_blob_deserialize (blob, bytes, &error);
  g_assert_no_error (error);
  return blob;
}

static inline C2gBlob *
new_blob_of (gpointer object)
{
  C2gBlob *blob = c2g_blob_new ();

  c2g_blob_set_object (blob, object);
  return blob;
}

static inline C2gTensor *
new_typed (C2gDataType   data_type,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  g_assert_no_error (error);
  return tensor;
}
