/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-label-private.h>
#include <c2g/core/workspace/c2g-blob-content-private.h>
#include <c2g/core/workspace/c2g-blob.h>

G_BEGIN_DECLS

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
  guint           is_removed : 1;
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

/* Replaces the content atomically and returns the old one; emits no signal. The memory of a new
 * tensor is reported under the blob's name. The memory of the old tensor no longer is, unless
 * another blob has given it a name since. */
void      c2g_blob_put            (C2gBlob               *self,
                                   const C2gBlobContent  *content,
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

/* Sets C2G_ERROR_TYPE: "Blob 'x' holds A, expected B". */
void      c2g_blob_set_type_error (C2gBlob               *self,
                                   const char            *wanted,
                                   GError               **error);

G_END_DECLS
