/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-workspace-io.h>

#include <c2g/io/load/c2g-folder-private.h>
#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/load/c2g-loader-private.h>
#include <c2g/io/stream/c2g-progress-private.h>

#include <c2g/core/workspace/c2g-workspace-private.h>

/* c2g_workspace_load_checkpoint() and its asynchronous version, which reads in another thread and
 * changes the workspace in the caller's. */

/**
 * c2g_workspace_resolve_path:
 * @self: a workspace
 * @path: (type filename): the path of a file
 *
 * Finds a file like the operators of Caffe2.
 *
 * A relative path starts at the workspace's root folder. This only makes a name:
 * [property@Workspace:file-access] limits what nets do with files, not what the program does.
 *
 * Returns: (transfer full): the file, which need not exist
 */
GFile *
c2g_workspace_resolve_path (C2gWorkspace *self,
                            const char   *path)
{
  g_autofree char *root_folder = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (g_path_is_absolute (path))
    return g_file_new_for_path (path);

  root_folder = c2g_workspace_dup_root_folder (self);
  return g_file_new_build_filename (root_folder, path, NULL);
}

/* Opens the files. Of a folder that is no database, opens the only file with blobs. */
static C2gLoader *
open_files (GFile           *file,
            C2gLoadOptions  *options,
            GCancellable    *cancellable,
            GError         **error)
{
  static const char *const endings[] = { ".minidb", ".safetensors", ".npz", ".npy", ".caffemodel", NULL };
  GError *local_error = NULL;
  C2gLoader *loader = c2g_loader_new_for_file (file, options, cancellable, &local_error);
  g_autoptr (GFile) only = NULL;

  if (loader != NULL)
    return loader;
  /* The options can name further files. */
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY) &&
      g_file_query_file_type (file, 0, cancellable) == G_FILE_TYPE_DIRECTORY)
    only = c2g_folder_find_instead (file, endings, cancellable, &local_error);
  if (only != NULL)
    return c2g_loader_new_for_file (only, options, cancellable, error);
  g_propagate_error (error, local_error);
  return NULL;
}

/* Opens the files and reads all blobs that can be read in this thread. */
static C2gLoader *
read_file (GFile               *file,
           C2gLoadOptions      *options,
           const C2gFileRules  *rules,
           GCancellable        *cancellable,
           GError             **error)
{
  const C2gJob job = { cancellable, options->progress, .files = rules };
  g_autoptr (C2gLoader) loader = open_files (file, options, cancellable, error);

  if (loader == NULL || !c2g_loader_read (loader, &job, error))
    return NULL;
  return g_steal_pointer (&loader);
}

static char **
commit (C2gLoader       *loader,
        C2gWorkspace    *workspace,
        C2gLoadOptions  *options,
        GCancellable    *cancellable,
        GError         **error)
{
  const C2gJob job = { cancellable, options->progress };

  if (!c2g_loader_read_foreign (loader, &job, error) ||
      g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return c2g_loader_commit (loader, workspace, error);
}

/**
 * c2g_workspace_load_checkpoint:
 * @self: a workspace
 * @file: the file to read: local, or wherever else GIO can read
 * @options: (nullable): what to load, under which names, and how; `NULL` for all of it
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Loads blobs of one or several files.
 *
 * This does what Caffe2's operator `Load` does, for every kind of file that [class@ModelFile]
 * opens. Without options all blobs of the file are loaded; [class@LoadOptions] select blobs,
 * rename them and name further files. A folder is an LMDB database, or has one file with blobs: a
 * `.minidb`, `.safetensors`, `.npz`, `.npy` or `.caffemodel`.
 *
 * Everything is read before the workspace changes: after an error or cancellation it is
 * unchanged. Existing blobs get new content; a tensor on the CPU stays the same object.
 * Tensors are loaded to the CPU, unless [property@LoadOptions:keep-device] is set.
 *
 * ```c
 * g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
 * g_auto (GStrv) names = NULL;
 *
 * c2g_load_options_set_strip_prefix (options, "gpu_0/");
 * names = c2g_workspace_load_checkpoint (workspace, file, options, NULL, &error);
 * ```
 *
 * ```python
 * options = C2g.LoadOptions(strip_prefix='gpu_0/')
 * names = workspace.load_checkpoint('ckpt.minidb', options)
 * ```
 *
 * Errors: those of [ctor@ModelFile.open] and [method@ModelFile.load]; `C2G_ERROR_NOT_FOUND`,
 * with their names, for blobs that are in no file, `C2G_ERROR_EXISTS` for a blob that is in
 * two of them, `C2G_ERROR_INVALID_ARGUMENT` for options that cannot be combined, for a file
 * or name that is given twice and for a folder with several files of blobs,
 * `C2G_ERROR_DEVICE` if a needed device does not exist.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the blobs, in the
 *   order of the files
 */
char **
c2g_workspace_load_checkpoint (C2gWorkspace    *self,
                               GFile           *file,
                               C2gLoadOptions  *options,
                               GCancellable    *cancellable,
                               GError         **error)
{
  g_autoptr (C2gLoadOptions) copy = NULL;
  g_autoptr (C2gLoader) loader = NULL;
  g_auto (C2gFileRules) rules = { 0 };

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_LOAD_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  copy = c2g_load_options_copy (options);
  if (copy->progress != NULL)
    c2g_progress_begin (copy->progress, NULL);
  c2g_workspace_get_file_rules (self, &rules);
  loader = read_file (file, copy, &rules, cancellable, error);
  return loader == NULL ? NULL : commit (loader, self, copy, cancellable, error);
}

/* The input of an asynchronous load. The task owns it; the thread only reads it. */
typedef struct
{
  GFile          *file;
  C2gLoadOptions *options;
  C2gFileRules    rules;
} LoadData;

static void
load_data_free (gpointer data)
{
  LoadData *load = data;

  g_object_unref (load->file);
  g_object_unref (load->options);
  c2g_file_rules_clear (&load->rules);
  g_free (load);
}

static void
free_loader (gpointer loader)
{
  c2g_loader_free (loader);
}

static void
read_in_thread (GTask        *task,
                gpointer      source_object,
                gpointer      task_data,
                GCancellable *cancellable)
{
  LoadData *load = task_data;
  GError *error = NULL;
  C2gLoader *loader = read_file (load->file, load->options, &load->rules, cancellable, &error);

  if (loader != NULL)
    g_task_return_pointer (task, loader, free_loader);
  else
    g_task_return_error (task, error);
}

static void
free_names (gpointer names)
{
  g_strfreev (names);
}

/* Called in the caller's context, where the workspace changes. */
static void
commit_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  LoadData *load = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (C2gLoader) loader = g_task_propagate_pointer (G_TASK (result), &error);
  char **names = NULL;

  if (loader != NULL)
    names = commit (loader, g_task_get_source_object (task), load->options,
                    g_task_get_cancellable (task), &error);

  if (names != NULL)
    g_task_return_pointer (task, names, free_names);
  else
    g_task_return_error (task, error);
}

/**
 * c2g_workspace_load_checkpoint_async:
 * @self: a workspace
 * @file: the file to read: local, or wherever else GIO can read
 * @options: (nullable): what to load, under which names, and how; `NULL` for all of it
 * @cancellable: (nullable): a way to stop
 * @callback: (scope async) (nullable): called when it is done
 * @user_data: data for @callback
 *
 * Loads blobs of one or several files asynchronously.
 *
 * This is [method@Workspace.load_checkpoint] in the background. Another thread reads the
 * files. The blobs are then put into the workspace all at once, in the thread-default main
 * context of the caller, just before @callback is called there. Signals are emitted there too,
 * also those of [property@LoadOptions:progress], and serializers of the program are called
 * there. A database class of the program is used in the other thread, which is not possible in
 * JavaScript.
 *
 * If the workspace is used as a `GListModel`, call this in the thread that the model belongs
 * to, which sees all new blobs at once.
 *
 * ```python
 * def on_loaded(workspace, result):
 *     print(workspace.load_checkpoint_finish(result))
 *
 * workspace.load_checkpoint_async(file, None, None, on_loaded)
 * ```
 */
void
c2g_workspace_load_checkpoint_async (C2gWorkspace        *self,
                                     GFile               *file,
                                     C2gLoadOptions      *options,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr (GMainContext) context = NULL;
  g_autoptr (GTask) reading = NULL;
  LoadData *load;
  GTask *task;

  g_return_if_fail (C2G_IS_WORKSPACE (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (options == NULL || C2G_IS_LOAD_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_workspace_load_checkpoint_async);
  /* A result that is in the workspace is reported even if the task was cancelled just after
   * that. */
  g_task_set_check_cancellable (task, FALSE);

  load = g_new (LoadData, 1);
  *load = (LoadData) { g_object_ref (file), c2g_load_options_copy (options) };
  c2g_workspace_get_file_rules (self, &load->rules);
  if (load->options->progress != NULL)
    {
      context = g_main_context_ref_thread_default ();
      c2g_progress_begin (load->options->progress, context);
    }

  /* The thread may hold the last reference to its task, so that task must own nothing that
   * belongs to the caller's thread. */
  g_task_set_task_data (task, load, load_data_free);
  reading = g_task_new (NULL, cancellable, commit_cb, task);
  g_task_set_check_cancellable (reading, FALSE);
  g_task_set_task_data (reading, load, NULL);
  g_task_run_in_thread (reading, read_in_thread);
}

/**
 * c2g_workspace_load_checkpoint_finish:
 * @self: a workspace
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Gets the result of [method@Workspace.load_checkpoint_async].
 *
 * Errors: those of [method@Workspace.load_checkpoint].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the blobs, in the
 *   order of the files
 */
char **
c2g_workspace_load_checkpoint_finish (C2gWorkspace  *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_workspace_load_checkpoint_async),
                        NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
