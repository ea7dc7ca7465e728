/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "own-type.h"

#include <string.h>

struct _FuzzOwn
{
  GObject     parent_instance;

  GByteArray *bytes;
};

G_DEFINE_FINAL_TYPE (FuzzOwn, fuzz_own, G_TYPE_OBJECT)

static void
fuzz_own_finalize (GObject *object)
{
  g_byte_array_unref (FUZZ_OWN (object)->bytes);

  G_OBJECT_CLASS (fuzz_own_parent_class)->finalize (object);
}

static void
fuzz_own_class_init (FuzzOwnClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fuzz_own_finalize;
}

static void
fuzz_own_init (FuzzOwn *self)
{
  self->bytes = g_byte_array_new ();
}

static void
add_bytes (FuzzOwn       *self,
           gconstpointer  data,
           gsize          n_bytes)
{
  if (n_bytes > 0)
    g_byte_array_append (self->bytes, data, n_bytes);
}

static C2gBlob *
new_blob (FuzzOwn **own)
{
  g_autoptr (FuzzOwn) content = g_object_new (FUZZ_TYPE_OWN, NULL);
  C2gBlob *blob = c2g_blob_new ();

  c2g_blob_set_object (blob, G_OBJECT (content));
  *own = content;
  return blob;
}

C2gBlob *
fuzz_new_own_blob (const char *text)
{
  FuzzOwn *own;
  C2gBlob *blob = new_blob (&own);

  add_bytes (own, text, strlen (text));
  return blob;
}

/* The serializer of the type: each byte is an element. */

#define FUZZ_TYPE_SERIALIZER (fuzz_serializer_get_type ())
G_DECLARE_FINAL_TYPE (FuzzSerializer, fuzz_serializer, FUZZ, SERIALIZER, C2gSerializer)

struct _FuzzSerializer
{
  C2gSerializer parent_instance;
};

G_DEFINE_FINAL_TYPE (FuzzSerializer, fuzz_serializer, C2G_TYPE_SERIALIZER)

static guint
fuzz_serializer_get_n_chunks (C2gSerializer *self,
                              C2gBlob       *blob,
                              gint64         chunk_size)
{
  gint64 n_bytes = FUZZ_OWN (c2g_blob_get_object (blob))->bytes->len;

  return chunk_size <= 0 || n_bytes == 0 ? 1 : (n_bytes + chunk_size - 1) / chunk_size;
}

static GBytes *
fuzz_serializer_serialize_content (C2gSerializer  *self,
                                   C2gBlob        *blob,
                                   guint           chunk,
                                   guint           n_chunks,
                                   GError        **error)
{
  GByteArray *bytes = FUZZ_OWN (c2g_blob_get_object (blob))->bytes;
  gsize begin = (guint64) bytes->len * chunk / n_chunks;
  gsize end = (guint64) bytes->len * (chunk + 1) / n_chunks;

  return g_bytes_new (begin < end ? bytes->data + begin : NULL, end - begin);
}

static gboolean
fuzz_serializer_deserialize_content (C2gSerializer  *self,
                                     C2gBlob        *blob,
                                     GBytes         *content,
                                     guint           chunk,
                                     guint           n_chunks,
                                     GError        **error)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (content, &n_bytes);

  /* c2g promises this to every serializer. */
  g_assert_cmpuint (chunk, <, n_chunks);
  g_assert_true (c2g_blob_is_empty (blob) == (chunk == 0));

  if (chunk == 0)
    {
      g_autoptr (FuzzOwn) own = g_object_new (FUZZ_TYPE_OWN, NULL);

      c2g_blob_set_object (blob, G_OBJECT (own));
    }
  add_bytes (FUZZ_OWN (c2g_blob_get_object (blob)), data, n_bytes);
  return TRUE;
}

static void
fuzz_serializer_class_init (FuzzSerializerClass *klass)
{
  C2gSerializerClass *serializer_class = C2G_SERIALIZER_CLASS (klass);

  serializer_class->get_n_chunks = fuzz_serializer_get_n_chunks;
  serializer_class->serialize_content = fuzz_serializer_serialize_content;
  serializer_class->deserialize_content = fuzz_serializer_deserialize_content;
}

static void
fuzz_serializer_init (FuzzSerializer *self)
{
}

void
fuzz_register_own_types (void)
{
  g_autoptr (C2gSerializer) serializer = g_object_new (FUZZ_TYPE_SERIALIZER, NULL);
  g_autoptr (GError) error = NULL;

  c2g_serializer_register (FUZZ_TYPE_OWN, FUZZ_OWN_BLOB_TYPE, serializer, &error);
  g_assert_no_error (error);
  c2g_type_meta_register (FUZZ_OWN_ELEMENT_TYPE, FUZZ_OWN_ELEMENT_BYTES, &error);
  g_assert_no_error (error);
}
