/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob.h>

#include <c2g/core/workspace/c2g-blob-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Pointers as content of blobs, for programs in C that store types which GObject does not know. */

/* Setting the pointer that the blob holds already does not destroy it; only its owner and destroy
 * function change. */
static void
set_pointer (C2gBlob        *self,
             gpointer        pointer,
             C2gTypeMeta    *meta,
             gboolean        is_owned,
             GDestroyNotify  destroy)
{
  C2gBlobContent content = { .kind = C2G_BLOB_POINTER, .is_owned = is_owned };

  if (self->content.kind == C2G_BLOB_POINTER && self->content.pointer.address == pointer)
    self->content.is_owned = FALSE;

  content.pointer.address = pointer;
  content.pointer.meta = meta;
  content.pointer.destroy = destroy;
  c2g_blob_replace (self, &content);
}

/**
 * c2g_blob_take_pointer: (skip)
 * @self: a blob
 * @pointer: the new content
 * @meta: what it points to
 * @destroy: (nullable): called with @pointer when the blob no longer holds it
 *
 * Makes the blob hold and own a bare pointer.
 *
 * If the blob holds this pointer already, it is not destroyed; only the owner and @destroy
 * change.
 */
void
c2g_blob_take_pointer (C2gBlob        *self,
                       gpointer        pointer,
                       C2gTypeMeta    *meta,
                       GDestroyNotify  destroy)
{
  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (pointer != NULL);
  g_return_if_fail (meta != NULL);

  set_pointer (self, pointer, meta, TRUE, destroy);
}

/**
 * c2g_blob_share_pointer: (skip)
 * @self: a blob
 * @pointer: the new content
 * @meta: what it points to
 *
 * Makes the blob hold a bare pointer that something else owns and keeps valid.
 *
 * If the blob owned this pointer, the caller owns it afterwards.
 */
void
c2g_blob_share_pointer (C2gBlob     *self,
                        gpointer     pointer,
                        C2gTypeMeta *meta)
{
  g_return_if_fail (C2G_IS_BLOB (self));
  g_return_if_fail (pointer != NULL);
  g_return_if_fail (meta != NULL);

  set_pointer (self, pointer, meta, FALSE, NULL);
}

/**
 * c2g_blob_get_pointer: (skip)
 * @self: a blob
 * @meta: what it should point to
 * @error: return location for an error
 *
 * Gets the bare pointer that the blob holds.
 *
 * If it holds none, or one to another type, the error is `C2G_ERROR_TYPE`.
 *
 * Returns: (transfer none): the pointer, or `NULL` with @error set
 */
gpointer
c2g_blob_get_pointer (C2gBlob      *self,
                      C2gTypeMeta  *meta,
                      GError      **error)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);
  g_return_val_if_fail (meta != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (c2g_blob_get_type_meta (self) != meta)
    {
      c2g_blob_set_type_error (self, c2g_type_meta_get_name (meta), error);
      return NULL;
    }

  return self->content.pointer.address;
}

/**
 * c2g_blob_get_raw: (skip)
 * @self: a blob
 *
 * Gets the address of what the blob holds, whatever it is.
 *
 * Returns: (transfer none) (nullable): the bare pointer, object, string or boxed;
 *   `NULL` if the blob is empty or holds a number
 */
gpointer
c2g_blob_get_raw (C2gBlob *self)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);

  return c2g_blob_content_get_raw (&self->content);
}

/**
 * c2g_blob_get_type_meta: (skip)
 * @self: a blob
 *
 * Gets what the bare pointer in the blob points to.
 *
 * Returns: (transfer none) (nullable): the type, or `NULL` if the blob does not hold
 *   a bare pointer
 */
C2gTypeMeta *
c2g_blob_get_type_meta (C2gBlob *self)
{
  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);

  return self->content.kind == C2G_BLOB_POINTER ? self->content.pointer.meta : NULL;
}

/**
 * c2g_blob_release_pointer: (skip)
 * @self: a blob
 * @meta: what it should point to
 * @error: return location for an error
 *
 * Takes the bare pointer out of the blob, which is empty then.
 *
 * The caller must destroy what it points to.
 *
 * The error is `C2G_ERROR_TYPE` if the blob holds no pointer to this type, and
 * `C2G_ERROR_NOT_SUPPORTED` if it does not own it.
 *
 * Returns: (transfer full): the pointer, or `NULL` with @error set
 */
gpointer
c2g_blob_release_pointer (C2gBlob      *self,
                          C2gTypeMeta  *meta,
                          GError      **error)
{
  C2gBlobContent old;
  gpointer pointer;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);
  g_return_val_if_fail (meta != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  pointer = c2g_blob_get_pointer (self, meta, error);
  if (pointer == NULL)
    return NULL;

  if (!self->content.is_owned)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("The %s is only shared with the blob, which cannot give it away"),
                          c2g_type_meta_get_name (meta));

  c2g_blob_exchange (self, &C2G_BLOB_CONTENT_INIT, &old);

  return pointer;
}
