/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-staging-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>
#include <c2g/io/content/c2g-blob-io-private.h>

/* Collects loaded blobs, and puts them into a workspace all at once: if one of them cannot be loaded, the
 * workspace does not change. */

struct _C2gStaging
{
  /* Owned names in order, and a map from name to blob, which borrows the names. */
  GPtrArray  *names;
  GHashTable *blobs;
};

C2gStaging *
c2g_staging_new (void)
{
  C2gStaging *self = g_new (C2gStaging, 1);

  self->names = g_ptr_array_new_with_free_func (g_free);
  self->blobs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  return self;
}

void
c2g_staging_free (C2gStaging *self)
{
  g_hash_table_unref (self->blobs);
  g_ptr_array_unref (self->names);
  g_free (self);
}

void
c2g_staging_put (C2gStaging *self,
                 const char *name,
                 C2gBlob    *blob)
{
  gpointer key;

  if (!g_hash_table_lookup_extended (self->blobs, name, &key, NULL))
    {
      key = g_strdup (name);
      g_ptr_array_add (self->names, key);
    }
  g_hash_table_insert (self->blobs, key, blob);
}

void
c2g_staging_remove (C2gStaging *self,
                    const char *name)
{
  guint i;

  if (g_hash_table_remove (self->blobs, name) &&
      g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, &i))
    g_ptr_array_remove_index (self->names, i);
}

static void
remove_blobs (C2gWorkspace *workspace,
              GPtrArray    *names)
{
  for (guint i = 0; i < names->len; i++)
    c2g_workspace_remove_blob (workspace, names->pdata[i]);
}

/* Moves the content into a new blob of this name. A blob that is only declared in the file is empty. */
static C2gBlob *
new_filled (const char *name,
            C2gBlob    *loaded)
{
  C2gBlob *blob = c2g_blob_new_named (name);

  c2g_blob_move_from (blob, loaded);
  return blob;
}

/* Does everything that can fail: returns the existing and new blobs in order. New blobs are
 * entered with their content, so that no other thread finds them empty. */
static GPtrArray *
create_blobs (C2gStaging    *self,
              C2gWorkspace  *workspace,
              GError       **error)
{
  g_autoptr (GPtrArray) blobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) created = g_ptr_array_new ();

  for (guint i = 0; i < self->names->len; i++)
    {
      char *name = self->names->pdata[i];
      C2gBlob *loaded = g_hash_table_lookup (self->blobs, name);
      g_autoptr (C2gBlob) filled = new_filled (name, loaded);
      C2gBlob *blob = c2g_workspace_enter_blob (workspace, filled, error);

      if (blob == NULL)
        {
          remove_blobs (workspace, created);
          return NULL;
        }
      g_ptr_array_add (blobs, blob);
      if (blob == filled)
        g_ptr_array_add (created, name);
      else
        /* The workspace has this blob: keep the content for the commit. */
        c2g_blob_move_from (loaded, filled);
    }

  return g_steal_pointer (&blobs);
}

static gboolean
check_form (const char  *name,
            C2gTensor   *present,
            C2gTensor   *loaded,
            GError     **error)
{
  g_autofree char *expected = NULL;
  g_autofree char *found = NULL;

  if (loaded->meta != present->meta)
    return c2g_fail (error, C2G_ERROR_TYPE, _("“%s” has elements of type %s in the file, expected %s"), name,
                     c2g_type_meta_get_name (loaded->meta), c2g_type_meta_get_name (present->meta));
  if (loaded->n_dims == present->n_dims &&
      memcmp (loaded->dims, present->dims, loaded->n_dims * sizeof *loaded->dims) == 0)
    return TRUE;

  expected = c2g_shape_to_string (present->dims, present->n_dims);
  found = c2g_shape_to_string (loaded->dims, loaded->n_dims);
  return c2g_fail (error, C2G_ERROR_SHAPE, _("“%s” has the shape %s in the file, expected %s"), name, found, expected);
}

static gboolean
fit (const char  *name,
     C2gTensor   *present,
     C2gBlob     *blob,
     gboolean     moves,
     GError     **error)
{
  C2gTensor *loaded = c2g_blob_get_tensor (blob, NULL);
  g_autoptr (C2gTensor) moved = NULL;

  if (loaded == NULL || present->meta == NULL || loaded->meta == NULL)
    return TRUE;
  if (!check_form (name, present, loaded, error))
    return FALSE;
  if (!moves || c2g_tensor_get_device (loaded) == c2g_tensor_get_device (present))
    return TRUE;

  moved = c2g_tensor_to_device (loaded, c2g_tensor_get_device (present), error);
  if (moved == NULL)
    {
      g_prefix_error (error, _("Blob “%s”: "), name);
      return FALSE;
    }
  c2g_blob_set_object (blob, G_OBJECT (moved));
  return TRUE;
}

gboolean
c2g_staging_fit (C2gStaging    *self,
                 C2gWorkspace  *workspace,
                 gboolean       moves,
                 GError       **error)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = self->names->pdata[i];
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
      C2gTensor *present = blob != NULL ? c2g_blob_get_tensor (blob, NULL) : NULL;

      if (present != NULL && !fit (name, present, g_hash_table_lookup (self->blobs, name), moves, error))
        return FALSE;
    }
  return TRUE;
}

static char **
dup_names (C2gStaging *self)
{
  char **names = g_new0 (char *, self->names->len + 1);

  for (guint i = 0; i < self->names->len; i++)
    names[i] = g_strdup (self->names->pdata[i]);
  return names;
}

char **
c2g_staging_commit (C2gStaging    *self,
                    C2gWorkspace  *workspace,
                    GError       **error)
{
  g_autoptr (GPtrArray) blobs = create_blobs (self, workspace, error);

  if (blobs == NULL)
    return NULL;

  for (guint i = 0; i < blobs->len; i++)
    {
      C2gBlob *loaded = g_hash_table_lookup (self->blobs, self->names->pdata[i]);

      /* Skips new blobs, which have their content already, and declared ones, which change
       * nothing. */
      if (!c2g_blob_is_empty (loaded))
        c2g_blob_take_loaded (blobs->pdata[i], loaded);
    }

  return dup_names (self);
}
