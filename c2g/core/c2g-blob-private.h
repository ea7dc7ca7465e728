/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob-content-private.h>
#include <c2g/core/c2g-blob.h>
#include <c2g/core/c2g-label-private.h>

G_BEGIN_DECLS

/* Longer names have memory of their own. What a look-up reads thus is beside the
 * reference count that it writes, and a blob is two cache lines. */
#define C2G_BLOB_N_INLINE_CHARS 24

/* The content is its user's alone, one writer at a time; beside that one, the workspace
 * reads it by c2g_blob_dup_content().  The name and what stands under it belong to the
 * workspace that owns the blob.
 */
struct _C2gBlob
{
  GObject         parent_instance;

  /* Written under the lock of the workspace and that of c2g-blob-name.c
   * together, so that holding either is enough to read it. */
  char           *name;
  char            inline_name[C2G_BLOB_N_INLINE_CHARS];

  /* The workspace's table, and its blobs in the order of their creation. */
  guint           hash;
  guint           is_removed : 1;
  C2gBlob        *previous;
  C2gBlob        *next;

  /* Where the list model of the workspace has the blob, or NULL. */
  GSequenceIter  *position;

  /* The label of the tensor in it, or NULL; guarded by the lock of c2g-blob-name.c. */
  C2gLabel       *label;

  C2gBlobContent  content;
};

/* c2g-blob-name.c */

/* A blob that has a name from the start, which nobody else knows yet. */
C2gBlob  *c2g_blob_new_named      (const char            *name);

/* Renames the blob and all memory reported under its name; does not notify. */
void      c2g_blob_set_name       (C2gBlob               *self,
                                   const char            *name);

/* Names its memory in reports; NULL if it holds no tensor. */
C2gLabel *c2g_blob_dup_label      (C2gBlob               *self);

/* Puts content in and gives the old one out, in one go; tells nobody.  A tensor that comes
 * in is reported under the blob's name, and one that leaves is not any more, unless another
 * blob has given it a name since. */
void      c2g_blob_put            (C2gBlob               *self,
                                   const C2gBlobContent  *content,
                                   C2gBlobContent        *old);
/* The same with two blobs; the caller has the old contents. */
void      c2g_blob_put_both       (C2gBlob               *self,
                                   const C2gBlobContent  *content,
                                   C2gBlob               *other,
                                   const C2gBlobContent  *other_content);
/* Copies the content of this moment, in any thread. The caller clears it. */
void      c2g_blob_dup_content    (C2gBlob               *self,
                                   C2gBlobContent        *content);
gboolean  c2g_blob_holds_object   (C2gBlob               *self,
                                   GObject               *object);

/* For the end of the blob. */
void      c2g_blob_clear_name     (C2gBlob               *self);

/* c2g-blob.c */

void      c2g_blob_notify_name    (C2gBlob               *self);

/* Puts content, which is the blob's from here on, in the place of the old one, and
 * gives that out when everybody has been told.  Empty for empty is no change. */
void      c2g_blob_exchange       (C2gBlob               *self,
                                   const C2gBlobContent  *content,
                                   C2gBlobContent        *old);
/* The same, and destroys the old content. */
void      c2g_blob_replace        (C2gBlob               *self,
                                   const C2gBlobContent  *content);

/* "Blob 'x' holds this, expected that" */
void      c2g_blob_set_type_error (C2gBlob               *self,
                                   const char            *wanted,
                                   GError               **error);

G_END_DECLS
