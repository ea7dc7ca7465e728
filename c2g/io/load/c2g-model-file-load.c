/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-model-file.h>

#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/load/c2g-loader-private.h>
#include <c2g/io/stream/c2g-progress-private.h>

/* Loads or verifies all blobs of an open file. The loader does the work. */

/* All steps of loading in this thread. */
static char **
load (C2gModelFile    *self,
      C2gWorkspace    *workspace,
      C2gLoadOptions  *options,
      C2gJob          *job,
      GError         **error)
{
  g_autoptr (C2gLoader) loader = c2g_loader_new (self, options, job->cancellable, error);
  g_auto (C2gFileRules) rules = { 0 };

  job->files = &rules;
  c2g_workspace_get_file_rules (workspace, &rules);
  if (loader == NULL || !c2g_loader_read (loader, job, error) ||
      !c2g_loader_read_foreign (loader, job, error))
    return NULL;
  return c2g_loader_commit (loader, workspace, error);
}

/**
 * c2g_model_file_load:
 * @self: a model file
 * @workspace: where to put the blobs
 * @options: (nullable): what to load, under which names, and how; `NULL` for all of it
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Puts the blobs of the file into a workspace.
 *
 * This is [method@Workspace.load_checkpoint] for a file that is open.
 *
 * Existing blobs get new content; a tensor on the CPU stays the same object and gets the shape
 * and memory of the loaded one. Either all blobs are loaded, or the workspace does not change.
 *
 * Strings become `GBytes`, counters 64-bit integers, and `QTensor` blobs [class@QTensor].
 * Names that are not UTF-8 are converted to it.
 *
 * A file that is a single chunk of a tensor gives the whole tensor, with zeros for the missing
 * elements: see [method@ModelFile.get_segment].
 *
 * Errors: `C2G_ERROR_CORRUPT` for a damaged file and for values that do not fit their
 * shape; `C2G_ERROR_NOT_SUPPORTED` for blobs of an unknown type, `C2G_ERROR_BUSY` for an
 * LMDB database that others have written to, `C2G_ERROR_NO_MEMORY`; those of `GIOErrorEnum`
 * for a file that cannot be read, and those of [method@Workspace.create_blob];
 * with options also those of [method@Workspace.load_checkpoint].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the blobs, in the
 *   order of the file
 */
char **
c2g_model_file_load (C2gModelFile    *self,
                     C2gWorkspace    *workspace,
                     C2gLoadOptions  *options,
                     GCancellable    *cancellable,
                     GError         **error)
{
  g_autoptr (C2gLoadOptions) copy = NULL;
  C2gJob job = { .cancellable = cancellable };

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), NULL);
  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_LOAD_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  copy = c2g_load_options_copy (options);
  job.progress = copy->progress;
  if (job.progress != NULL)
    c2g_progress_begin (job.progress, NULL);
  return load (self, workspace, copy, &job, error);
}

/**
 * c2g_model_file_verify:
 * @self: a model file
 * @progress: (nullable): the object that reports the progress of the work
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Reads everything that the file has, to see whether it can be read.
 *
 * Each blob is freed before the next one is read, so that only the largest one must fit into
 * memory; for a constant of a net only one element is made. The first error is reported, with
 * file, blob and offset.
 *
 * Errors: those of [method@ModelFile.load].
 *
 * Returns: true if all of it can be loaded
 */
gboolean
c2g_model_file_verify (C2gModelFile  *self,
                       C2gProgress   *progress,
                       GCancellable  *cancellable,
                       GError       **error)
{
  const C2gJob job = { cancellable, progress };
  g_autoptr (C2gLoader) loader = NULL;

  g_return_val_if_fail (C2G_IS_MODEL_FILE (self), FALSE);
  g_return_val_if_fail (progress == NULL || C2G_IS_PROGRESS (progress), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (progress != NULL)
    c2g_progress_begin (progress, NULL);
  loader = c2g_loader_new_for_check (self);
  return c2g_loader_read (loader, &job, error) && c2g_loader_read_foreign (loader, &job, error);
}
