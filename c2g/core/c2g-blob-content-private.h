/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>

G_BEGIN_DECLS

typedef enum
{
  C2G_BLOB_EMPTY,
  C2G_BLOB_VALUE,
  C2G_BLOB_OBJECT,
  C2G_BLOB_POINTER,
} C2gBlobKind;

/* A value that never changes, and which several threads may hold. */
typedef struct
{
  gatomicrefcount ref_count;
  GValue          value;
} C2gBlobValue;

/* What a blob holds.  A zero-filled one is empty; one that is copied with `=` has
 * moved.  A value never is an object, nor a NULL pointer: see
 * c2g_blob_content_init_value ().
 */
typedef struct
{
  C2gBlobKind kind;

  /* Whether the pointer is the blob's to destroy or to give away. */
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

/* What `{ 0 }` makes, and nothing else. */
#define C2G_BLOB_CONTENT_INIT ((C2gBlobContent) { .kind = C2G_BLOB_EMPTY })

void        c2g_blob_content_init_value    (C2gBlobContent       *self,
                                            const GValue         *value);
/* The same content once more; a pointer is lent only. Runs nothing of others. */
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
/* NULL if it is none. */
C2gTensor  *c2g_blob_content_get_tensor    (const C2gBlobContent *self);
/* Fills a zero-filled value with a copy. */
void        c2g_blob_content_get_value     (const C2gBlobContent *self,
                                            GValue               *value);

G_END_DECLS
