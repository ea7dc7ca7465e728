/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>

#include <c2g/core/types/c2g-drop-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/**
 * C2gWorkspace:
 *
 * Owns blobs, and finds them by name.
 *
 * A name is looked up among the local blobs first, then among the forwarded names, which refer
 * to blobs of other workspaces, and then in the parent, in the same way. So a workspace sees
 * the blobs of its parent, but not the reverse. [method@Workspace.create_blob] returns the blob
 * that is found, or makes a local one. Only local blobs can be removed and renamed.
 *
 * ```c
 * g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
 * g_autoptr (C2gBlob) blob =
 *   c2g_workspace_create_blob (workspace, "data", &error);
 *
 * if (blob == NULL || c2g_blob_ensure_tensor (blob, NULL, &error) == NULL)
 *   return FALSE;
 * ```
 *
 * ```python
 * workspace = C2g.Workspace()
 * workspace.connect('blob-added',
 *                   lambda _, blob: print('new:', blob.get_name()))
 * workspace.create_blob('data').ensure_tensor(None)
 * child = C2g.Workspace.new_with_parent(workspace)
 * print(child.has_blob('data'), child.list_local_blobs())
 * ```
 *
 * ```js
 * const workspace = new C2g.Workspace();
 * workspace.connect('items-changed', (list, position, removed, added) => {
 *     for (let i = position; i < position + added; i++)
 *         log(list.get_item(i).name);
 * });
 * workspace.create_blob('data');
 * ```
 *
 * ## Ownership
 *
 * Blobs are returned with a reference, because another thread may remove them at any time. A
 * removed blob and its content live as long as there is a reference to it. A workspace holds
 * references to its parent and to the workspaces that it forwards names to; none can become its
 * own ancestor.
 *
 * ## Threads
 *
 * All methods may be called from any thread at any time. Concurrent calls take effect in any
 * order. The content of a blob must be protected by its users (see [class@Blob]).
 * [signal@Workspace::blob-added], [signal@Workspace::blob-removed] and
 * [signal@Workspace::blob-renamed] are emitted in the thread that makes the change, after it,
 * without a lock.
 *
 * The [iface@Gio.ListModel] of the local blobs, in the order of their creation, belongs to one
 * thread: the one that iterates the main context that was the thread default when the workspace
 * was made; while no thread iterates it, the one that made the workspace. Changes made in this
 * thread emit [signal@Gio.ListModel::items-changed] before the method returns. Changes made in
 * other threads are collected and emitted through the main context, and until then the list
 * does not change; a blob that was added and removed meanwhile never appears in it. Inside a
 * handler of `items-changed` further changes wait until all handlers are done. JavaScript
 * cannot run handlers in other threads: use `items-changed` there, not `blob-added`.
 */

enum
{
  PROP_0,
  PROP_PARENT,
  PROP_ROOT_FOLDER,
  PROP_FILE_ACCESS,
  PROP_MODEL_FOLDER,
  N_PROPS
};

enum
{
  SIGNAL_BLOB_ADDED,
  SIGNAL_BLOB_REMOVED,
  SIGNAL_BLOB_RENAMED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (C2gWorkspace, c2g_workspace, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      c2g_workspace_list_init_interface))

/* Looks in this workspace alone. If there is no blob, returns the workspace to continue with, and
 * the name to look for there if it is another one. */
static inline C2gBlob *
find_here (C2gWorkspace  *self,
           const char    *name,
           guint          hash,
           C2gWorkspace **next,
           char         **next_name)
{
  C2gBlob *blob;
  C2gForward *forward = NULL;

  g_mutex_lock (&self->lock);

  blob = c2g_blob_table_lookup (&self->blobs, name, hash);
  if (blob != NULL)
    g_object_ref (blob);
  else if ((forward = c2g_forward_table_lookup (&self->forwards, name)) != NULL)
    *next = g_object_ref (forward->parent);
  else if (self->parent != NULL)
    *next = g_object_ref (self->parent);

  if (forward != NULL)
    *next_name = g_strdup (forward->parent_name);

  g_mutex_unlock (&self->lock);

  return blob;
}

/* Continues a look-up through forwards and parents. Takes ownership of next and next_name. */
static C2gBlob *
find_beyond (C2gWorkspace *next,
             char         *next_name,
             const char   *name,
             guint         hash,
             C2gMiss      *miss)
{
  g_autoptr (C2gWorkspace) workspace = NULL;
  C2gBlob *blob = NULL;

  miss->is_forwarded = next_name != NULL;

  while (next != NULL)
    {
      g_set_object (&workspace, next);
      g_clear_object (&next);
      if (next_name != NULL)
        {
          g_free (miss->target);
          miss->target = g_steal_pointer (&next_name);
          name = miss->target;
          hash = c2g_blob_table_hash (name);
        }

      blob = find_here (workspace, name, hash, &next, &next_name);
    }

  if (blob != NULL)
    c2g_miss_clear (miss);

  return blob;
}

C2gBlob *
c2g_workspace_find (C2gWorkspace *self,
                    const char   *name,
                    C2gMiss      *miss)
{
  guint hash = c2g_blob_table_hash (name);
  C2gWorkspace *next = NULL;
  char *next_name = NULL;
  C2gBlob *blob;

  *miss = (C2gMiss) { FALSE, NULL };

  blob = find_here (self, name, hash, &next, &next_name);
  if (G_LIKELY (blob != NULL))
    return blob;

  return find_beyond (next, next_name, name, hash, miss);
}

void
c2g_miss_clear (C2gMiss *miss)
{
  g_clear_pointer (&miss->target, g_free);
}

gboolean
c2g_workspace_check_open (C2gWorkspace  *self,
                          GError       **error)
{
  gboolean is_open;

  g_mutex_lock (&self->lock);
  is_open = !self->is_closed;
  g_mutex_unlock (&self->lock);

  if (!is_open)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_FAILED,
                         _("The workspace has been disposed of"));

  return is_open;
}

gboolean
c2g_workspace_check_name (const char  *name,
                          GError     **error)
{
  if (*name == '\0')
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The name of a blob must not be empty"));

  if (!g_utf8_validate (name, -1, NULL))
    {
      g_autofree char *readable = g_utf8_make_valid (name, -1);

      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       _("The name of a blob must be UTF-8, got “%s”"), readable);
    }

  return TRUE;
}

void
c2g_workspace_emit_added (C2gWorkspace *self,
                          C2gBlob      *blob)
{
  g_object_ref (self);
  c2g_workspace_list_changed (self);
  g_signal_emit (self, signals[SIGNAL_BLOB_ADDED], 0, blob);
  g_object_unref (self);
}

void
c2g_workspace_emit_removed (C2gWorkspace *self,
                            C2gBlob      *blob)
{
  g_object_ref (self);
  c2g_workspace_list_changed (self);
  g_signal_emit (self, signals[SIGNAL_BLOB_REMOVED], 0, blob);
  g_object_unref (self);
}

void
c2g_workspace_emit_renamed (C2gWorkspace *self,
                            C2gBlob      *blob,
                            const char   *old_name)
{
  g_object_ref (self);
  c2g_blob_notify_name (blob);
  g_signal_emit (self, signals[SIGNAL_BLOB_RENAMED], 0, blob, old_name);
  g_object_unref (self);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_PARENT] = {
    .get = G_CALLBACK (c2g_workspace_get_parent),
    .offset = G_STRUCT_OFFSET (C2gWorkspace, parent),
  },
  [PROP_ROOT_FOLDER] = C2G_PROPERTY_DUP (c2g_workspace, root_folder),
  [PROP_FILE_ACCESS] = C2G_PROPERTY (c2g_workspace, file_access),
  [PROP_MODEL_FOLDER] = C2G_PROPERTY_DUP (c2g_workspace, model_folder),
};

/* Empties the table and gives its references to the caller, linked by `next`. */
static C2gBlob *
steal_blobs_locked (C2gWorkspace *self)
{
  C2gBlob *first = self->first;

  for (C2gBlob *blob = first; blob != NULL; blob = blob->next)
    blob->is_removed = TRUE;

  c2g_blob_table_clear (&self->blobs);
  self->first = NULL;
  self->last = NULL;

  return first;
}

/* Emits nothing. Afterwards the workspace is empty, and no blob can be added. */
static void
c2g_workspace_dispose (GObject *object)
{
  C2gWorkspace *self = C2G_WORKSPACE (object);
  C2gWorkspace *parent;
  C2gBlob *blob, *next;
  GList *forwards;

  g_mutex_lock (&self->lock);
  self->is_closed = TRUE;
  blob = steal_blobs_locked (self);
  forwards = c2g_forward_table_steal_all (&self->forwards);
  parent = g_steal_pointer (&self->parent);
  g_mutex_unlock (&self->lock);

  c2g_workspace_list_clear (self);
  for (; blob != NULL; blob = next)
    {
      next = blob->next;
      c2g_drop_object (blob);
    }
  g_list_free_full (forwards, (GDestroyNotify) c2g_forward_free);
  if (parent != NULL)
    c2g_drop_object (parent);

  G_OBJECT_CLASS (c2g_workspace_parent_class)->dispose (object);
}

static void
c2g_workspace_finalize (GObject *object)
{
  C2gWorkspace *self = C2G_WORKSPACE (object);

  c2g_workspace_list_finalize (self);
  c2g_file_rules_clear (&self->files);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_workspace_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  /**
   * C2gWorkspace:parent: (getter get_parent)
   *
   * The workspace in which names are looked up that this one does not have.
   */
  props[PROP_PARENT] =
    g_param_spec_object ("parent", NULL, NULL,
                         C2G_TYPE_WORKSPACE,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gWorkspace:root-folder: (getter dup_root_folder) (setter set_root_folder)
   *
   * The folder that relative paths of files to load and save start from.
   */
  props[PROP_ROOT_FOLDER] =
    g_param_spec_string ("root-folder", NULL, NULL,
                         C2G_DEFAULT_ROOT_FOLDER,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gWorkspace:file-access: (getter get_file_access) (setter set_file_access)
   *
   * The files that nets in this workspace may use.
   *
   * If it was never set, it is that of the parent. A workspace without a parent has
   * `C2G_FILE_ACCESS_ALL`, the workspace of a predictor `C2G_FILE_ACCESS_MODEL`.
   */
  props[PROP_FILE_ACCESS] =
    g_param_spec_enum ("file-access", NULL, NULL,
                       C2G_TYPE_FILE_ACCESS, C2G_FILE_ACCESS_ALL,
                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gWorkspace:model-folder: (getter dup_model_folder) (setter set_model_folder)
   *
   * The folder that nets in this workspace came from, if that is known.
   */
  props[PROP_MODEL_FOLDER] =
    g_param_spec_string ("model-folder", NULL, NULL,
                         NULL,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
create_blob_signals (void)
{
  /**
   * C2gWorkspace::blob-added:
   * @self: the workspace
   * @blob: the new blob
   *
   * Emitted after a local blob was added.
   */
  signals[SIGNAL_BLOB_ADDED] =
    g_signal_new ("blob-added",
                  C2G_TYPE_WORKSPACE,
                  G_SIGNAL_RUN_LAST,
                  0, NULL, NULL,
                  NULL,
                  G_TYPE_NONE, 1,
                  C2G_TYPE_BLOB);

  /**
   * C2gWorkspace::blob-removed:
   * @self: the workspace
   * @blob: the blob, which keeps its name
   *
   * Emitted after a local blob was removed.
   */
  signals[SIGNAL_BLOB_REMOVED] =
    g_signal_new ("blob-removed",
                  C2G_TYPE_WORKSPACE,
                  G_SIGNAL_RUN_LAST,
                  0, NULL, NULL,
                  NULL,
                  G_TYPE_NONE, 1,
                  C2G_TYPE_BLOB);

  /**
   * C2gWorkspace::blob-renamed:
   * @self: the workspace
   * @blob: the blob, with its new name
   * @old_name: the name it had
   *
   * Emitted after a local blob was renamed.
   */
  signals[SIGNAL_BLOB_RENAMED] =
    g_signal_new ("blob-renamed",
                  C2G_TYPE_WORKSPACE,
                  G_SIGNAL_RUN_LAST,
                  0, NULL, NULL,
                  NULL,
                  G_TYPE_NONE, 2,
                  C2G_TYPE_BLOB, G_TYPE_STRING);
}

/* This library part does not know nets; the code that creates and removes nets emits these
 * signals. */
static void
create_net_signals (void)
{
  /**
   * C2gWorkspace::net-added:
   * @self: the workspace
   * @net: (type C2gNet): the new net
   *
   * Emitted after a net was added.
   */
  g_signal_new ("net-added",
                C2G_TYPE_WORKSPACE,
                G_SIGNAL_RUN_LAST,
                0, NULL, NULL,
                NULL,
                G_TYPE_NONE, 1,
                G_TYPE_OBJECT);

  /**
   * C2gWorkspace::net-removed:
   * @self: the workspace
   * @net: (type C2gNet): the net, which lives as long as there is a reference to it
   *
   * Emitted after a net was removed.
   */
  g_signal_new ("net-removed",
                C2G_TYPE_WORKSPACE,
                G_SIGNAL_RUN_LAST,
                0, NULL, NULL,
                NULL,
                G_TYPE_NONE, 1,
                G_TYPE_OBJECT);
}

static void
c2g_workspace_class_init (C2gWorkspaceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = c2g_workspace_dispose;
  object_class->finalize = c2g_workspace_finalize;

  install_properties (object_class);
  create_blob_signals ();
  create_net_signals ();
}

static void
c2g_workspace_init (C2gWorkspace *self)
{
  g_mutex_init (&self->lock);
  c2g_workspace_list_init (self);
}

/**
 * c2g_workspace_new:
 *
 * Makes an empty workspace.
 *
 * Returns: (transfer full): a new workspace
 */
C2gWorkspace *
c2g_workspace_new (void)
{
  return g_object_new (C2G_TYPE_WORKSPACE, NULL);
}

/**
 * c2g_workspace_new_with_parent: (constructor)
 * @parent: (nullable): another workspace
 *
 * Makes a workspace that sees the blobs of another one.
 *
 * Returns: (transfer full): a new workspace
 */
C2gWorkspace *
c2g_workspace_new_with_parent (C2gWorkspace *parent)
{
  g_return_val_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent), NULL);

  return g_object_new (C2G_TYPE_WORKSPACE, "parent", parent, NULL);
}

/**
 * c2g_workspace_get_parent: (get-property parent)
 * @self: a workspace
 *
 * Gets the workspace whose blobs this one sees.
 *
 * Returns: (transfer none) (nullable): the parent, or `NULL` if there is none
 */
C2gWorkspace *
c2g_workspace_get_parent (C2gWorkspace *self)
{
  C2gWorkspace *parent;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  g_mutex_lock (&self->lock);
  parent = self->parent;
  g_mutex_unlock (&self->lock);

  return parent;
}

/**
 * c2g_workspace_dup_root_folder: (get-property root-folder)
 * @self: a workspace
 *
 * Copies the path of the folder that relative paths start from; another thread can set it.
 *
 * Returns: (transfer full): what was set, or what the parent has; "." if nothing was set
 */
char *
c2g_workspace_dup_root_folder (C2gWorkspace *self)
{
  g_auto (C2gFileRules) rules = { 0 };

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  c2g_workspace_get_file_rules (self, &rules);
  return g_steal_pointer (&rules.root_folder);
}

/**
 * c2g_workspace_get_root_folder:
 * @self: a workspace
 *
 * The same as [method@Workspace.dup_root_folder]; kept for programs that use this name.
 *
 * Returns: (transfer full): the folder, "." unless another one was set
 */
char *
c2g_workspace_get_root_folder (C2gWorkspace *self)
{
  return c2g_workspace_dup_root_folder (self);
}

/**
 * c2g_workspace_set_root_folder: (set-property root-folder)
 * @self: a workspace
 * @root_folder: (nullable): a folder, or `NULL` for that of the parent
 *
 * Sets the folder that relative paths start from.
 *
 * It need not exist. Without a parent `NULL` means ".", the current working folder of the
 * process.
 */
void
c2g_workspace_set_root_folder (C2gWorkspace *self,
                               const char   *root_folder)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *other = NULL;

  g_return_if_fail (C2G_IS_WORKSPACE (self));

  before = c2g_workspace_dup_root_folder (self);
  other = g_strdup (root_folder);
  g_mutex_lock (&self->lock);
  g_free (self->files.root_folder);
  self->files.root_folder = g_steal_pointer (&other);
  g_mutex_unlock (&self->lock);
  after = c2g_workspace_dup_root_folder (self);

  if (strcmp (before, after) != 0)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ROOT_FOLDER]);
}

/**
 * c2g_workspace_has_blob:
 * @self: a workspace
 * @name: a name
 *
 * Tells whether [method@Workspace.get_blob] would find a blob.
 *
 * Returns: true if it would
 */
gboolean
c2g_workspace_has_blob (C2gWorkspace *self,
                        const char   *name)
{
  g_autoptr (C2gBlob) blob = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  blob = c2g_workspace_lookup_blob (self, name);
  return blob != NULL;
}

/**
 * c2g_workspace_lookup_blob:
 * @self: a workspace
 * @name: a name
 *
 * Looks up the blob of a name, without an error if there is none.
 *
 * This finds what [method@Workspace.get_blob] finds, in one step: after
 * [method@Workspace.has_blob] another thread can remove the blob.
 *
 * Returns: (transfer full) (nullable): the blob, or `NULL` if there is none
 */
C2gBlob *
c2g_workspace_lookup_blob (C2gWorkspace *self,
                           const char   *name)
{
  C2gBlob *blob;
  C2gMiss miss;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  blob = c2g_workspace_find (self, name, &miss);
  c2g_miss_clear (&miss);

  return blob;
}
