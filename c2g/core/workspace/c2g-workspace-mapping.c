/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace.h>

#include <c2g/core/workspace/c2g-workspace-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Adds forwards to a workspace (c2g_workspace_add_blob_mapping()), and replaces them by copies. */

/* Workspaces hold references to their parents and to the targets of their forwards, so these
 * references must not form a cycle. A parent is set at construction, when nothing can refer to the
 * new workspace yet, so only forwards can close a cycle. One lock for all workspaces protects
 * adding forwards, so that two threads cannot each add half of a cycle. It is taken before the lock
 * of a workspace, and no foreign code runs while it is held. */
static GMutex forwards_lock;

/* Adds the parent of a workspace and the targets of its forwards, each once. */
static void
add_parents (C2gWorkspace *self,
             GPtrArray    *ancestors,
             GHashTable   *seen)
{
  g_mutex_lock (&self->lock);

  if (self->parent != NULL && g_hash_table_add (seen, self->parent))
    g_ptr_array_add (ancestors, g_object_ref (self->parent));

  for (GList *l = self->forwards.order.head; l != NULL; l = l->next)
    {
      C2gForward *forward = l->data;

      if (g_hash_table_add (seen, forward->parent))
        g_ptr_array_add (ancestors, g_object_ref (forward->parent));
    }

  g_mutex_unlock (&self->lock);
}

/* Returns TRUE if descendant is the workspace itself or refers to it, directly or not. The caller
 * drops the references in ancestors without holding a lock. */
static gboolean
is_ancestor (C2gWorkspace *self,
             C2gWorkspace *descendant,
             GPtrArray    *ancestors)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_hash_table_add (seen, descendant);
  g_ptr_array_add (ancestors, g_object_ref (descendant));

  for (guint i = 0; i < ancestors->len && !g_hash_table_contains (seen, self); i++)
    add_parents (g_ptr_array_index (ancestors, i), ancestors, seen);

  return g_hash_table_contains (seen, self);
}

static gboolean
check_mapping (C2gWorkspace       *parent,
               const char *const  *names,
               const char *const  *parent_names,
               GError            **error)
{
  gsize n_names = g_strv_length ((char **) names);
  gsize n_parent_names = g_strv_length ((char **) parent_names);

  if (n_names != n_parent_names)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Expected as many parent names as names, %zu, got %zu"), n_names,
                     n_parent_names);

  for (gsize i = 0; i < n_names; i++)
    {
      if (!c2g_workspace_check_name (names[i], error))
        return FALSE;

      if (!c2g_workspace_has_blob (parent, parent_names[i]))
        return c2g_fail (error, C2G_ERROR_NOT_FOUND,
                         _("There is no blob “%s” in the parent workspace for “%s” to stand for"),
                         parent_names[i], names[i]);
    }

  return TRUE;
}

static void
set_exists_error (const char  *name,
                  GError     **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
               _("Name “%s” cannot be forwarded: there is such a blob already"), name);
}

/* Checks one name, with the lock held, and adds a new forward to `added`. Returns FALSE if the name
 * is taken. */
static gboolean
plan_forward (C2gWorkspace *self,
              C2gForward   *forward,
              gboolean      is_known,
              gboolean      skip_defined,
              GHashTable   *added)
{
  C2gForward *present = c2g_forward_table_lookup (&self->forwards, forward->name);
  guint hash = c2g_blob_table_hash (forward->name);

  if (present == NULL)
    present = g_hash_table_lookup (added, forward->name);
  if (present != NULL && c2g_forward_is_to (present, forward->parent, forward->parent_name))
    return TRUE;

  if (present != NULL || is_known ||
      c2g_blob_table_lookup (&self->blobs, forward->name, hash) != NULL)
    return skip_defined;

  return g_hash_table_insert (added, forward->name, forward);
}

/* Adds all forwards or none; called with the lock held. The added ones are removed from the array.
 * If a name is taken, *taken is set to it. */
static gboolean
commit_forwards (C2gWorkspace   *self,
                 GPtrArray      *forwards,
                 const gboolean *is_known,
                 gboolean        skip_defined,
                 const char    **taken)
{
  g_autoptr (GHashTable) added = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < forwards->len; i++)
    {
      C2gForward *forward = g_ptr_array_index (forwards, i);

      if (!plan_forward (self, forward, is_known[i], skip_defined, added))
        {
          *taken = forward->name;
          return FALSE;
        }
    }

  for (guint i = 0; i < forwards->len; i++)
    {
      C2gForward *forward = g_ptr_array_index (forwards, i);

      if (g_hash_table_lookup (added, forward->name) == forward)
        {
          c2g_forward_table_insert (&self->forwards, forward);
          g_ptr_array_index (forwards, i) = NULL;
        }
    }

  return TRUE;
}

/* Adds the forwards unless they would close a cycle, all under the lock for forwards. */
static gboolean
add_forwards (C2gWorkspace    *self,
              C2gWorkspace    *parent,
              GPtrArray       *forwards,
              const gboolean  *is_known,
              gboolean         skip_defined,
              GError         **error)
{
  g_autoptr (GPtrArray) ancestors = g_ptr_array_new_with_free_func (g_object_unref);
  const char *taken = NULL;
  gboolean is_circle;
  gboolean is_closed = FALSE;

  g_mutex_lock (&forwards_lock);
  is_circle = is_ancestor (self, parent, ancestors);
  if (!is_circle)
    {
      g_mutex_lock (&self->lock);
      is_closed = self->is_closed;
      if (!is_closed)
        commit_forwards (self, forwards, is_known, skip_defined, &taken);
      g_mutex_unlock (&self->lock);
    }
  g_mutex_unlock (&forwards_lock);

  if (is_circle)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         _("A workspace cannot become its own ancestor"));
  else if (taken != NULL)
    set_exists_error (taken, error);
  else if (is_closed)
    c2g_workspace_check_open (self, error);

  return !is_circle && !is_closed && taken == NULL;
}

/**
 * c2g_workspace_add_blob_mapping:
 * @self: a workspace
 * @parent: another workspace
 * @names: (array zero-terminated=1): names in @self
 * @parent_names: (array zero-terminated=1) (nullable): for each of them, the name of a
 *   blob that @parent has; `NULL` if the names are the same
 * @skip_defined: whether to pass over names that @self knows already
 * @error: return location for an error
 *
 * Forwards names to blobs of another workspace.
 *
 * A forwarded name is looked up each time it is used, so the blob may be removed from @parent
 * and created again. A name that is already forwarded to the same blob is skipped.
 *
 * Either all names are forwarded, or none and there is an error: `C2G_ERROR_NOT_FOUND`
 * if @parent does not have a blob, `C2G_ERROR_EXISTS` if @self knows a name and
 * @skip_defined is false, and `C2G_ERROR_INVALID_ARGUMENT` if the numbers of names
 * differ, a name is impossible, or @self would become its own ancestor.
 *
 * Returns: true if it worked
 */
gboolean
c2g_workspace_add_blob_mapping (C2gWorkspace       *self,
                                C2gWorkspace       *parent,
                                const char *const  *names,
                                const char *const  *parent_names,
                                gboolean            skip_defined,
                                GError            **error)
{
  g_autoptr (GPtrArray) forwards = NULL;
  g_autofree gboolean *is_known = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (C2G_IS_WORKSPACE (parent), FALSE);
  g_return_val_if_fail (names != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (parent_names == NULL)
    parent_names = names;
  if (names[0] == NULL && parent_names[0] == NULL)
    return TRUE;
  if (!check_mapping (parent, names, parent_names, error))
    return FALSE;

  /* A look-up may go through other workspaces, so it is not possible under the lock. Under the lock
   * only the names of this workspace are checked again. */
  forwards = g_ptr_array_new_with_free_func (c2g_forward_free_if_any);
  is_known = g_new0 (gboolean, g_strv_length ((char **) names) + 1);
  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_ptr_array_add (forwards, c2g_forward_new (names[i], parent, parent_names[i]));
      is_known[i] = c2g_workspace_has_blob (self, names[i]);
    }

  return add_forwards (self, parent, forwards, is_known, skip_defined, error);
}

/* A forwarded tensor that is copied into the workspace. */
typedef struct
{
  char         *name;
  C2gWorkspace *parent;
  char         *parent_name;
  GObject      *tensor;
  C2gBlob      *blob;
  /* The local blob that existed already and is used instead of blob, or NULL. */
  C2gBlob      *local;
  gboolean      is_added;
} Transfer;

static Transfer *
transfer_new (const C2gForward *forward)
{
  Transfer *self = g_new0 (Transfer, 1);

  self->name = g_strdup (forward->name);
  self->parent = g_object_ref (forward->parent);
  self->parent_name = g_strdup (forward->parent_name);

  return self;
}

static void
transfer_free (gpointer data)
{
  Transfer *self = data;

  g_free (self->name);
  g_object_unref (self->parent);
  g_free (self->parent_name);
  g_clear_object (&self->tensor);
  g_clear_object (&self->blob);
  g_clear_object (&self->local);
  g_free (self);
}

/* Creates a transfer for each given name that is forwarded; for all forwards if names is NULL. */
static GPtrArray *
list_transfers (C2gWorkspace      *self,
                const char *const *names)
{
  GPtrArray *transfers = g_ptr_array_new_with_free_func (transfer_free);

  g_mutex_lock (&self->lock);

  if (names == NULL)
    for (GList *l = self->forwards.order.head; l != NULL; l = l->next)
      g_ptr_array_add (transfers, transfer_new (l->data));

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      C2gForward *forward = c2g_forward_table_lookup (&self->forwards, names[i]);

      if (forward != NULL)
        g_ptr_array_add (transfers, transfer_new (forward));
    }

  g_mutex_unlock (&self->lock);

  return transfers;
}

/* Copies the tensor into a new blob. */
static gboolean
transfer_copy (Transfer  *self,
               GError   **error)
{
  g_autoptr (C2gBlob) source = NULL;
  C2gTensor *tensor;
  C2gMiss miss;

  source = c2g_workspace_find (self->parent, self->parent_name, &miss);
  if (source == NULL)
    {
      if (miss.target == NULL)
        miss.target = g_strdup (self->parent_name);
      c2g_workspace_set_not_found (self->parent, self->name, &miss, error);
      c2g_miss_clear (&miss);
      return FALSE;
    }

  tensor = c2g_blob_get_tensor (source, error);
  if (tensor != NULL)
    self->tensor = (GObject *) c2g_tensor_clone (tensor, NULL, error);
  if (self->tensor == NULL)
    {
      g_prefix_error (error, _("Cannot copy forwarded blob “%s”: "), self->name);
      return FALSE;
    }

  self->blob = c2g_blob_new_named (self->name);
  c2g_blob_set_object (self->blob, self->tensor);

  return TRUE;
}

/* Replaces the forward by the new blob, with the lock held, and returns the forward. Returns NULL
 * if the forward was changed meanwhile. */
static C2gForward *
transfer_commit_locked (Transfer     *self,
                        C2gWorkspace *workspace)
{
  C2gForward *forward = c2g_forward_table_lookup (&workspace->forwards, self->name);
  guint hash = c2g_blob_table_hash (self->name);
  C2gBlob *local;

  if (forward == NULL || !c2g_forward_is_to (forward, self->parent, self->parent_name))
    return NULL;

  c2g_forward_table_steal (&workspace->forwards, forward);

  local = c2g_blob_table_lookup (&workspace->blobs, self->name, hash);
  self->is_added = local == NULL;
  if (self->is_added)
    c2g_workspace_add_locked (workspace, g_object_ref (self->blob), hash);
  else
    self->local = g_object_ref (local);

  return forward;
}

/* Emits the signal without a lock. If another thread has added a blob of this name, that one gets
 * the tensor. */
static void
transfer_finish (Transfer     *self,
                 C2gWorkspace *workspace)
{
  if (self->is_added)
    c2g_workspace_emit_added (workspace, self->blob);
  else if (self->local != NULL)
    c2g_blob_set_object (self->local, self->tensor);
}

/**
 * c2g_workspace_copy_forwarded_tensors:
 * @self: a workspace
 * @names: (array zero-terminated=1) (nullable): forwarded names, or `NULL` for all
 * @error: return location for an error
 *
 * Replaces forwarded names with local blobs that hold copies of the tensors.
 *
 * Afterwards the two workspaces can change their tensors independently. Names that are not
 * forwarded are skipped. No thread may write the tensors meanwhile.
 *
 * Either all of them are copied, or none and there is an error: `C2G_ERROR_NOT_FOUND`
 * if a blob was removed, `C2G_ERROR_TYPE` if it holds something else than a tensor, and
 * what [method@Tensor.clone] gives.
 *
 * Returns: true if it worked
 */
gboolean
c2g_workspace_copy_forwarded_tensors (C2gWorkspace       *self,
                                      const char *const  *names,
                                      GError            **error)
{
  g_autoptr (GPtrArray) transfers = NULL;
  g_autoptr (GPtrArray) forwards = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  transfers = list_transfers (self, names);
  forwards = g_ptr_array_new_with_free_func (c2g_forward_free_if_any);

  for (guint i = 0; i < transfers->len; i++)
    if (!transfer_copy (g_ptr_array_index (transfers, i), error))
      return FALSE;

  c2g_workspace_list_prepare (self);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < transfers->len; i++)
    g_ptr_array_add (forwards, transfer_commit_locked (g_ptr_array_index (transfers, i), self));
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < transfers->len; i++)
    transfer_finish (g_ptr_array_index (transfers, i), self);

  return TRUE;
}
