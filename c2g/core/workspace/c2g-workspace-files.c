/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace-private.h>

/* The files that the nets of a workspace may use.
 *
 * A workspace whose access was not set uses that of its parent. Operators that create a workspace
 * for a net of their own do not set it, so that no model can widen its own access. */

G_DEFINE_ENUM_TYPE (C2gFileAccess, c2g_file_access,
                    G_DEFINE_ENUM_VALUE (C2G_FILE_ACCESS_NONE, "none"),
                    G_DEFINE_ENUM_VALUE (C2G_FILE_ACCESS_MODEL, "model"),
                    G_DEFINE_ENUM_VALUE (C2G_FILE_ACCESS_ROOT_FOLDER, "root-folder"),
                    G_DEFINE_ENUM_VALUE (C2G_FILE_ACCESS_ALL, "all"))

void
c2g_file_rules_clear (C2gFileRules *self)
{
  g_clear_pointer (&self->root_folder, g_free);
  g_clear_pointer (&self->model_folder, g_free);
}

/* Fills in the rules that the descendants have not set. A disposed workspace has lost its parent,
 * which may have had a limit, so it allows nothing unless its access was set. */
static C2gWorkspace *
take_rules (C2gWorkspace *self,
            C2gFileRules *rules)
{
  C2gWorkspace *parent;

  g_mutex_lock (&self->lock);
  if (!rules->is_set && (self->files.is_set || self->is_closed))
    {
      rules->access = self->files.is_set ? self->files.access : C2G_FILE_ACCESS_NONE;
      rules->is_set = TRUE;
    }
  if (rules->root_folder == NULL)
    rules->root_folder = g_strdup (self->files.root_folder);
  if (rules->model_folder == NULL)
    rules->model_folder = g_strdup (self->files.model_folder);
  parent = self->parent != NULL ? g_object_ref (self->parent) : NULL;
  g_mutex_unlock (&self->lock);

  return parent;
}

void
c2g_workspace_get_file_rules (C2gWorkspace *self,
                              C2gFileRules *rules)
{
  C2gWorkspace *workspace = g_object_ref (self);

  *rules = (C2gFileRules) { .access = C2G_FILE_ACCESS_ALL };
  while (workspace != NULL)
    {
      C2gWorkspace *parent = take_rules (workspace, rules);

      g_object_unref (workspace);
      workspace = parent;
    }
  if (rules->root_folder == NULL)
    rules->root_folder = g_strdup (C2G_DEFAULT_ROOT_FOLDER);
}

void
c2g_workspace_set_file_rules (C2gWorkspace       *self,
                              const C2gFileRules *rules)
{
  g_auto (C2gFileRules) old = { 0 };

  g_mutex_lock (&self->lock);
  old = self->files;
  self->files = (C2gFileRules) { rules->access, TRUE, g_strdup (rules->root_folder),
                                 g_strdup (rules->model_folder) };
  g_mutex_unlock (&self->lock);
}

/**
 * c2g_workspace_get_file_access: (get-property file-access)
 * @self: a workspace
 *
 * Gets which files nets in this workspace may use.
 *
 * Returns: what was set, or what the parent has
 */
C2gFileAccess
c2g_workspace_get_file_access (C2gWorkspace *self)
{
  g_auto (C2gFileRules) rules = { 0 };

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), C2G_FILE_ACCESS_NONE);

  c2g_workspace_get_file_rules (self, &rules);
  return rules.access;
}

/**
 * c2g_workspace_set_file_access: (set-property file-access)
 * @self: a workspace
 * @file_access: the files
 *
 * Sets the files that nets in this workspace may use.
 *
 * This limits what definitions can do: operators such as `Load`, `Save`, `DBExists`,
 * `CreateDB`, `Checkpoint` and `Print`, and readers of databases in files. An operator that
 * needs more access fails with `C2G_ERROR_DENIED`. For `DBExists`, a file in the parent folder
 * of the model, which it may not use, does not exist. It does not limit what the program itself
 * loads and saves by calls, nor operators that the program has written.
 *
 * A program that builds its nets itself needs no limit. One that runs nets from elsewhere sets
 * `C2G_FILE_ACCESS_MODEL` or `C2G_FILE_ACCESS_NONE` before it runs the first net, including the
 * one that fills the parameters.
 */
void
c2g_workspace_set_file_access (C2gWorkspace  *self,
                               C2gFileAccess  file_access)
{
  gboolean changed;

  g_return_if_fail (C2G_IS_WORKSPACE (self));
  g_return_if_fail (file_access >= C2G_FILE_ACCESS_NONE && file_access <= C2G_FILE_ACCESS_ALL);

  changed = c2g_workspace_get_file_access (self) != file_access;
  g_mutex_lock (&self->lock);
  self->files.access = file_access;
  self->files.is_set = TRUE;
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify (G_OBJECT (self), "file-access");
}

/**
 * c2g_workspace_dup_model_folder: (get-property model-folder)
 * @self: a workspace
 *
 * Gets the folder that nets in this workspace came from.
 *
 * Returns: (transfer full) (nullable) (type filename): the absolute path of what was set, or what
 *   the parent has
 */
char *
c2g_workspace_dup_model_folder (C2gWorkspace *self)
{
  g_auto (C2gFileRules) rules = { 0 };

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  c2g_workspace_get_file_rules (self, &rules);
  return g_steal_pointer (&rules.model_folder);
}

/**
 * c2g_workspace_set_model_folder: (set-property model-folder)
 * @self: a workspace
 * @model_folder: (nullable) (type filename): a folder, or `NULL` for that of the parent
 *
 * Sets the folder that nets in this workspace came from.
 *
 * Relative paths to read start here. If there is no such file, they start at the parent folder,
 * since exporters also write paths relative to that, and then at the root folder. With
 * `C2G_FILE_ACCESS_MODEL` and `C2G_FILE_ACCESS_ROOT_FOLDER` a path relative to the parent
 * folder must lead back into this folder. A relative @model_folder is relative to the current
 * working folder. [class@Predictor] sets it for a model that it loads from a folder or a file.
 */
void
c2g_workspace_set_model_folder (C2gWorkspace *self,
                                const char   *model_folder)
{
  g_autofree char *other = NULL;
  gboolean changed;

  g_return_if_fail (C2G_IS_WORKSPACE (self));

  /* Code that finds the parent folder works on the path, which must not end with a slash. */
  other = model_folder != NULL ? g_canonicalize_filename (model_folder, NULL) : NULL;
  g_mutex_lock (&self->lock);
  changed = g_strcmp0 (self->files.model_folder, other) != 0;
  if (changed)
    {
      char *old = self->files.model_folder;

      self->files.model_folder = other;
      other = old;
    }
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify (G_OBJECT (self), "model-folder");
}
