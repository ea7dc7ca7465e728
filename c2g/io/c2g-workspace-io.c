/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-workspace-io.h>

#include <c2g/io/c2g-model-file.h>

/**
 * c2g_workspace_load_file:
 * @self: a workspace
 * @file: the file to read: local, or wherever else GIO can read
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Loads the blobs that a file holds.
 *
 * This is [ctor@ModelFile.open] and [method@ModelFile.load] in one: see there for
 * what files can be loaded and how. Either all blobs of the file are loaded or the
 * workspace is as it was.
 *
 * ```c
 * g_autoptr (GFile) file = g_file_new_for_path ("checkpoint.minidb");
 * g_auto (GStrv) names = c2g_workspace_load_file (workspace, file, NULL, &error);
 *
 * for (gsize i = 0; names != NULL && names[i] != NULL; i++)
 *   g_print ("%s\n", names[i]);
 * ```
 *
 * ```python
 * names = workspace.load_file(Gio.File.new_for_path('checkpoint.minidb'), None)
 * ```
 *
 * Errors: those of [ctor@ModelFile.open] and [method@ModelFile.load].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the blobs, in the
 *   order of the file
 */
char **
c2g_workspace_load_file (C2gWorkspace  *self,
                         GFile         *file,
                         GCancellable  *cancellable,
                         GError       **error)
{
  g_autoptr (C2gModelFile) model_file = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  model_file = c2g_model_file_open (file, cancellable, error);
  if (model_file == NULL)
    return NULL;
  return c2g_model_file_load (model_file, self, error);
}
