/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

typedef enum
{
  C2G_BLOB_EMPTY,
  C2G_BLOB_VALUE,
  C2G_BLOB_OBJECT,
  C2G_BLOB_POINTER,
} C2gBlobKind;

/* An immutable, reference-counted value that several threads may hold. */
typedef struct
{
  gatomicrefcount ref_count;
  GValue          value;
} C2gBlobValue;

/* The content of a blob. A zero-filled one is empty. Assigning the struct with `=` moves the
 * content. A value (C2G_BLOB_VALUE) is never an object or a NULL pointer: see
 * c2g_blob_content_init_value(). */
typedef struct
{
  C2gBlobKind kind;

  /* Set if the blob owns the pointer: it may destroy it or give it away. */
  gboolean    is_owned;

  union
  {
    C2gBlobValue *value;
    GObject      *object;
    struct
    {
      gpointer       address;
      C2gTypeMeta   *meta;
      GDestroyNotify destroy;
    } pointer;
  };
} C2gBlobContent;

/* An empty content; the same as `{ 0 }`. */
#define C2G_BLOB_CONTENT_INIT ((C2gBlobContent) { .kind = C2G_BLOB_EMPTY })

void        c2g_blob_content_init_value    (C2gBlobContent       *self,
                                            const GValue         *value);
/* Copies the content without running foreign code. The copy does not own a pointer. */
void        c2g_blob_content_init_copy     (C2gBlobContent       *self,
                                            const C2gBlobContent *other);
/* Makes the default content of a type; fails for types that have none. */
gboolean    c2g_blob_content_init_default  (C2gBlobContent       *self,
                                            GType                 gtype,
                                            GError              **error);
void        c2g_blob_content_clear         (C2gBlobContent       *self);

GType       c2g_blob_content_get_gtype     (const C2gBlobContent *self);
const char *c2g_blob_content_get_type_name (const C2gBlobContent *self);
gpointer    c2g_blob_content_get_raw       (const C2gBlobContent *self);
/* Returns NULL if the content is not a tensor. */
C2gTensor  *c2g_blob_content_get_tensor    (const C2gBlobContent *self);
/* Copies the content into a zero-filled GValue. */
void        c2g_blob_content_get_value     (const C2gBlobContent *self,
                                            GValue               *value);

G_END_DECLS
