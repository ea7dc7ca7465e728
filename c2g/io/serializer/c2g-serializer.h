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

/**
 * C2G_DEFAULT_CHUNK_SIZE:
 *
 * Chunks of a million elements, the default of Caffe2.
 */
#define C2G_DEFAULT_CHUNK_SIZE (-1)
/**
 * C2G_NO_CHUNKING:
 *
 * A single chunk, whatever the number of elements is.
 */
#define C2G_NO_CHUNKING 0

#define C2G_TYPE_SERIALIZER (c2g_serializer_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gSerializer, c2g_serializer, C2G, SERIALIZER, GObject)

/**
 * C2gSerializerClass:
 * @get_n_chunks: in how many chunks the content of @blob is to be written; by default in
 *   one
 * @serialize_content: gives the bytes of one chunk of the content
 * @deserialize_content: puts one chunk into @blob; chunks come in order, from 0 to
 *   @n_chunks - 1, and the blob is empty when the first one comes
 *
 * The class of serializers.
 */
struct _C2gSerializerClass
{
  GObjectClass parent_class;

  guint    (*get_n_chunks)        (C2gSerializer  *self,
                                   C2gBlob        *blob,
                                   gint64          chunk_size);
  GBytes  *(*serialize_content)   (C2gSerializer  *self,
                                   C2gBlob        *blob,
                                   guint           chunk,
                                   guint           n_chunks,
                                   GError        **error);
  gboolean (*deserialize_content) (C2gSerializer  *self,
                                   C2gBlob        *blob,
                                   GBytes         *content,
                                   guint           chunk,
                                   guint           n_chunks,
                                   GError        **error);

  /*< private >*/
  const struct _C2gSerializerFuncs *funcs;

  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
gboolean       c2g_serializer_register             (GType           content_type,
                                                    const char     *blob_type,
                                                    C2gSerializer  *serializer,
                                                    GError        **error);
C2G_AVAILABLE_IN_ALL
C2gSerializer *c2g_serializer_lookup               (GType         content_type,
                                                    GError      **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gSerializer *c2g_serializer_lookup_for_blob_type (const char   *blob_type,
                                                    GError      **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char         **c2g_serializer_list_blob_types      (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char    *c2g_serializer_get_blob_type        (C2gSerializer  *self);
C2G_AVAILABLE_IN_ALL
guint          c2g_serializer_get_n_chunks         (C2gSerializer  *self,
                                                    C2gBlob        *blob,
                                                    gint64          chunk_size);

G_END_DECLS
