/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace.h>

#include <c2g/core/workspace/c2g-workspace-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Creates, removes and renames the blobs of a workspace. */

void
c2g_workspace_add_locked (C2gWorkspace *self,
                          C2gBlob      *blob,
                          guint         hash)
{
  c2g_blob_table_insert (&self->blobs, blob, hash);

  blob->previous = self->last;
  if (self->last != NULL)
    self->last->next = blob;
  else
    self->first = blob;
  self->last = blob;

  c2g_workspace_list_add_locked (self, blob);
}

/* Removes the blob from the table and the list. The caller gets the table's reference. */
static void
remove_locked (C2gWorkspace *self,
               C2gBlob      *blob)
{
  c2g_workspace_list_remove_locked (self, blob);
  c2g_blob_table_remove (&self->blobs, blob);

  if (blob->previous != NULL)
    blob->previous->next = blob->next;
  else
    self->first = blob->next;
  if (blob->next != NULL)
    blob->next->previous = blob->previous;
  else
    self->last = blob->previous;

  blob->previous = NULL;
  blob->next = NULL;
  blob->is_removed = TRUE;
}

/* Result of adding a blob. */
typedef enum
{
  ADDED,
  PRESENT,
  IS_FORWARDED,
  IS_CLOSED,
} AddResult;

/* Adds the new blob. If there is a blob of this name by now, replaces *blob by it and drops the new
 * one. */
static AddResult
try_add (C2gWorkspace  *self,
         C2gBlob      **blob,
         guint          hash,
         gboolean       local_only)
{
  C2gBlob *added = *blob;
  C2gBlob *present;
  AddResult result;

  c2g_workspace_list_prepare (self);

  g_mutex_lock (&self->lock);
  present = c2g_blob_table_lookup (&self->blobs, added->name, hash);
  if (self->is_closed)
    result = IS_CLOSED;
  else if (present != NULL)
    result = PRESENT;
  else if (!local_only && c2g_forward_table_lookup (&self->forwards, added->name) != NULL)
    result = IS_FORWARDED;
  else
    result = ADDED;

  if (result == PRESENT)
    *blob = g_object_ref (present);
  if (result == ADDED)
    c2g_workspace_add_locked (self, g_object_ref (added), hash);
  g_mutex_unlock (&self->lock);

  if (result == PRESENT)
    g_object_unref (added);

  return result;
}

/* Adds a blob to this workspace: `made`, or a new empty one if that is NULL. If the name is
 * forwarded, sets *was_forwarded and returns NULL without an error; with local_only forwards do
 * not count. */
static C2gBlob *
create_here (C2gWorkspace  *self,
             const char    *name,
             C2gBlob       *made,
             gboolean       local_only,
             gboolean      *was_forwarded,
             GError       **error)
{
  g_autoptr (C2gBlob) blob = made != NULL ? g_object_ref (made) : c2g_blob_new_named (name);

  switch (try_add (self, &blob, c2g_blob_table_hash (name), local_only))
    {
    case ADDED:
      c2g_workspace_emit_added (self, blob);
      break;
    case IS_FORWARDED:
      *was_forwarded = TRUE;
      return NULL;
    case IS_CLOSED:
      c2g_workspace_check_open (self, error);
      return NULL;
    case PRESENT:
    default:
      break;
    }

  return g_steal_pointer (&blob);
}

/* Returns a reference to the blob of this name. If there is none, `made` becomes it, or a new
 * empty one if that is NULL. */
static C2gBlob *
find_or_create (C2gWorkspace  *self,
                const char    *name,
                C2gBlob       *made,
                GError       **error)
{
  C2gBlob *blob;
  C2gMiss miss;
  gboolean is_forwarded;

  if (!c2g_workspace_check_name (name, error))
    return NULL;

  /* Try again if another thread has forwarded the name since the look-up. */
  do
    {
      blob = c2g_workspace_find (self, name, &miss);
      is_forwarded = FALSE;
      if (blob == NULL && miss.is_forwarded)
        c2g_workspace_set_not_found (self, name, &miss, error);
      else if (blob == NULL)
        blob = create_here (self, name, made, FALSE, &is_forwarded, error);
      c2g_miss_clear (&miss);
    }
  while (is_forwarded);

  return blob;
}

C2gBlob *
c2g_workspace_enter_blob (C2gWorkspace  *self,
                          C2gBlob       *blob,
                          GError       **error)
{
  g_autofree char *name = c2g_blob_dup_name (blob);

  return find_or_create (self, name, blob, error);
}

/**
 * c2g_workspace_create_blob:
 * @self: a workspace
 * @name: a name in UTF-8, of any length but 0
 * @error: return location for an error
 *
 * Gets the blob of a name, wherever it is, or makes a new local one.
 *
 * The error is `C2G_ERROR_INVALID_ARGUMENT` for an impossible name,
 * `C2G_ERROR_NOT_FOUND` for a forwarded name whose blob was removed, and
 * `C2G_ERROR_FAILED` if the workspace has been disposed of.
 *
 * Returns: (transfer full): the blob, or `NULL` with @error set
 */
C2gBlob *
c2g_workspace_create_blob (C2gWorkspace  *self,
                           const char    *name,
                           GError       **error)
{
  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return find_or_create (self, name, NULL, error);
}

static C2gBlob *
find_local (C2gWorkspace *self,
            const char   *name)
{
  guint hash = c2g_blob_table_hash (name);
  C2gBlob *blob;

  g_mutex_lock (&self->lock);
  blob = c2g_blob_table_lookup (&self->blobs, name, hash);
  if (blob != NULL)
    g_object_ref (blob);
  g_mutex_unlock (&self->lock);

  return blob;
}

/**
 * c2g_workspace_create_local_blob:
 * @self: a workspace
 * @name: a name in UTF-8, of any length but 0
 * @error: return location for an error
 *
 * Gets the local blob of a name, or makes a new one.
 *
 * It hides a forwarded one and one of the parent. The error is
 * `C2G_ERROR_INVALID_ARGUMENT` for an impossible name, and `C2G_ERROR_FAILED` if the
 * workspace has been disposed of.
 *
 * Returns: (transfer full): the blob, or `NULL` with @error set
 */
C2gBlob *
c2g_workspace_create_local_blob (C2gWorkspace  *self,
                                 const char    *name,
                                 GError       **error)
{
  C2gBlob *blob;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_workspace_check_name (name, error))
    return NULL;

  blob = find_local (self, name);
  if (blob == NULL)
    blob = create_here (self, name, NULL, TRUE, NULL, error);

  return blob;
}

/**
 * c2g_workspace_remove_blob:
 * @self: a workspace
 * @name: a name
 *
 * Removes a local blob.
 *
 * Blobs of the parent and forwarded names stay. Nets keep the blobs that they were made on: one
 * that is created under the name later is another one, which they do not see.
 *
 * Returns: true if there was a local blob of this name
 */
gboolean
c2g_workspace_remove_blob (C2gWorkspace *self,
                           const char   *name)
{
  g_autoptr (C2gBlob) blob = NULL;
  guint hash;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  hash = c2g_blob_table_hash (name);
  c2g_workspace_list_prepare (self);

  g_mutex_lock (&self->lock);
  blob = c2g_blob_table_lookup (&self->blobs, name, hash);
  if (blob != NULL)
    remove_locked (self, blob);
  g_mutex_unlock (&self->lock);

  if (blob == NULL)
    return FALSE;

  c2g_workspace_emit_removed (self, blob);

  return TRUE;
}

/* Returns TRUE if there is a blob of this name, or a forward, even one whose target is missing. */
static gboolean
is_known (C2gWorkspace *self,
          const char   *name)
{
  g_autoptr (C2gBlob) blob = NULL;
  C2gMiss miss;

  blob = c2g_workspace_find (self, name, &miss);
  c2g_miss_clear (&miss);

  return blob != NULL || miss.is_forwarded;
}

/* Result of renaming a blob. */
typedef enum
{
  RENAMED,
  SAME_NAME,
  IS_TAKEN,
  NOT_LOCAL,
} RenameResult;

/* Renames a local blob. If it succeeds, *renamed is a new reference to it. */
static RenameResult
try_rename (C2gWorkspace  *self,
            const char    *old_name,
            const char    *new_name,
            gboolean       is_taken,
            C2gBlob      **renamed)
{
  guint old_hash = c2g_blob_table_hash (old_name);
  guint new_hash = c2g_blob_table_hash (new_name);
  RenameResult result = RENAMED;
  C2gBlob *blob;

  g_mutex_lock (&self->lock);
  blob = c2g_blob_table_lookup (&self->blobs, old_name, old_hash);
  if (blob == NULL)
    result = NOT_LOCAL;
  else if (strcmp (old_name, new_name) == 0)
    result = SAME_NAME;
  else if (is_taken || c2g_blob_table_lookup (&self->blobs, new_name, new_hash) != NULL ||
           c2g_forward_table_lookup (&self->forwards, new_name) != NULL)
    result = IS_TAKEN;

  if (result == RENAMED)
    {
      c2g_blob_table_remove (&self->blobs, blob);
      c2g_blob_set_name (blob, new_name);
      c2g_blob_table_insert (&self->blobs, blob, new_hash);
      *renamed = g_object_ref (blob);
    }
  g_mutex_unlock (&self->lock);

  return result;
}

/**
 * c2g_workspace_rename_blob:
 * @self: a workspace
 * @old_name: a name
 * @new_name: another name, in UTF-8
 * @error: return location for an error
 *
 * Gives a local blob another name.
 *
 * Its place in the list stays, and its memory is reported under the new name at once.
 * The error is `C2G_ERROR_NOT_FOUND` if there is no local blob @old_name,
 * `C2G_ERROR_EXISTS` if @new_name is known, here or in the parent, and
 * `C2G_ERROR_INVALID_ARGUMENT` if it is impossible. Renaming a blob to the name that
 * it has does nothing.
 *
 * Returns: true if it worked
 */
gboolean
c2g_workspace_rename_blob (C2gWorkspace  *self,
                           const char    *old_name,
                           const char    *new_name,
                           GError       **error)
{
  g_autoptr (C2gBlob) blob = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (old_name != NULL, FALSE);
  g_return_val_if_fail (new_name != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_workspace_check_name (new_name, error))
    return FALSE;

  switch (try_rename (self, old_name, new_name, is_known (self, new_name), &blob))
    {
    case RENAMED:
      break;
    case IS_TAKEN:
      return c2g_fail (error, C2G_ERROR_EXISTS,
                       _("Blob “%s” cannot be renamed: there is a blob “%s” already"), old_name,
                       new_name);
    case NOT_LOCAL:
      return c2g_fail (error, C2G_ERROR_NOT_FOUND,
                       _("There is no blob “%s” in the workspace itself to rename"), old_name);
    case SAME_NAME:
    default:
      return TRUE;
    }

  c2g_workspace_emit_renamed (self, blob, old_name);

  return TRUE;
}

/**
 * c2g_workspace_clear:
 * @self: a workspace
 *
 * Removes all local blobs and all forwarded names.
 *
 * Nets stay, with the blobs that they were made on; see [method@Workspace.remove_net].
 */
void
c2g_workspace_clear (C2gWorkspace *self)
{
  g_autoptr (GPtrArray) removed = NULL;
  GList *forwards;

  g_return_if_fail (C2G_IS_WORKSPACE (self));

  removed = g_ptr_array_new_with_free_func (g_object_unref);
  c2g_workspace_list_prepare (self);

  g_mutex_lock (&self->lock);
  while (self->first != NULL)
    {
      g_ptr_array_add (removed, self->first);
      remove_locked (self, self->first);
    }
  forwards = c2g_forward_table_steal_all (&self->forwards);
  g_mutex_unlock (&self->lock);

  g_object_ref (self);
  g_list_free_full (forwards, (GDestroyNotify) c2g_forward_free);
  for (guint i = 0; i < removed->len; i++)
    c2g_workspace_emit_removed (self, g_ptr_array_index (removed, i));
  g_object_unref (self);
}
