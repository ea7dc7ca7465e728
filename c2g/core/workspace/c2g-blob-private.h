/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-label-private.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/workspace/c2g-blob.h>

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

/* Longer names are allocated. A look-up reads the name, which is next to the reference count that
 * it writes; a blob is two cache lines. */
#define C2G_BLOB_N_INLINE_CHARS 24

/* The content has one user at a time, who may write it. The workspace may read it meanwhile with
 * c2g_blob_dup_content(). The name and the members below it belong to the workspace that owns the
 * blob. */
struct _C2gBlob
{
  GObject         parent_instance;

  /* Written with both locks held: that of the workspace and that of c2g-blob-name.c. So holding
   * either one is enough to read it. */
  char           *name;
  char            inline_name[C2G_BLOB_N_INLINE_CHARS];

  /* Hash in the workspace's table, and links in the order of creation. */
  guint           hash;
  guint8          is_removed;
  /* TRUE if a predictor can make the content anew: saves of the whole workspace and lists for users
   * leave the blob out. Protected by the lock of c2g-blob-name.c. */
  guint8          is_derived;
  C2gBlob        *previous;
  C2gBlob        *next;

  /* Position in the list model of the workspace, or NULL. */
  GSequenceIter  *position;

  /* Label of the tensor in the blob, or NULL; protected by the lock of c2g-blob-name.c. */
  C2gLabel       *label;

  C2gBlobContent  content;
};

/* c2g-blob-name.c */

/* Creates a blob with a name, which is not in a workspace yet. */
C2gBlob  *c2g_blob_new_named      (const char            *name);

/* Renames the blob and all memory reported under its name; does not notify. */
void      c2g_blob_set_name       (C2gBlob               *self,
                                   const char            *name);

/* Returns the label under which its memory is reported; NULL if it holds no tensor. */
C2gLabel *c2g_blob_dup_label      (C2gBlob               *self);

/* Marks the blob as derived, until a program sets its content. Making sure that it holds a tensor, or
 * writing into the tensor, is what operators do, and changes nothing. */
void      c2g_blob_set_derived    (C2gBlob               *self,
                                   gboolean               is_derived);
gboolean  c2g_blob_is_derived     (C2gBlob               *self);

/* Replaces the content atomically and returns the old one; emits no signal. The memory of a new
 * tensor is reported under the blob's name. The memory of the old tensor no longer is, unless
 * another blob has given it a name since. A derived blob may stay so. */
void      c2g_blob_put            (C2gBlob               *self,
                                   const C2gBlobContent  *content,
                                   gboolean               stays_derived,
                                   C2gBlobContent        *old);
/* Replaces the contents of two blobs atomically. The caller must have saved the old contents. */
void      c2g_blob_put_both       (C2gBlob               *self,
                                   const C2gBlobContent  *content,
                                   C2gBlob               *other,
                                   const C2gBlobContent  *other_content);
/* Copies the current content; thread-safe. The caller must clear the copy. */
void      c2g_blob_dup_content    (C2gBlob               *self,
                                   C2gBlobContent        *content);
gboolean  c2g_blob_holds_object   (C2gBlob               *self,
                                   GObject               *object);

/* Frees the name and the label when the blob is finalized. */
void      c2g_blob_clear_name     (C2gBlob               *self);

/* c2g-blob.c */

void      c2g_blob_notify_name    (C2gBlob               *self);

/* Replaces the content, of which the blob takes ownership, and emits signals. The caller owns the
 * old content that it returns. Replacing empty by empty is no change. */
void      c2g_blob_exchange       (C2gBlob               *self,
                                   const C2gBlobContent  *content,
                                   C2gBlobContent        *old);
/* Replaces the content and destroys the old one. */
void      c2g_blob_replace        (C2gBlob               *self,
                                   const C2gBlobContent  *content);
/* Does the same for operators and the optimizer: a derived blob stays derived. */
void      c2g_blob_renew          (C2gBlob               *self,
                                   const C2gBlobContent  *content);

/* Sets C2G_ERROR_TYPE: "Blob 'x' holds A, expected B". */
void      c2g_blob_set_type_error (C2gBlob               *self,
                                   const char            *wanted,
                                   GError               **error);

/* Returns the size of the content in bytes; 0 if its type is not known. */
gsize     c2g_blob_stat_n_bytes   (C2gBlob               *blob);

G_END_DECLS
