/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-workspace-save.h>

#include <c2g/io/save/c2g-save-plan-private.h>
#include <c2g/io/stream/c2g-progress-private.h>

/* c2g_workspace_save_checkpoint(), its asynchronous version, and the one into memory. The plan of a save
 * takes its snapshots in the caller's thread; only writing runs in another one. */

/* An asynchronous save. */
typedef struct
{
  C2gSavePlan  *plan;
  GFile        *file;
  /* The caller's main context. */
  GMainContext *context;

  /* The result. */
  gboolean      is_saved;
  GError       *error;
} SaveTask;

static void
free_save_task (gpointer data)
{
  SaveTask *self = data;

  c2g_save_plan_free (self->plan);
  g_object_unref (self->file);
  g_main_context_unref (self->context);
  g_clear_error (&self->error);
  g_free (self);
}

/**
 * c2g_workspace_save_checkpoint:
 * @self: a workspace
 * @file: the file to write: local, or any other that GIO can write
 * @options: (nullable): what to save and how, or `NULL` for all local blobs
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Saves blobs into a file.
 *
 * The kind of file is set in [class@SaveOptions] or, if not, by the suffix of its name:
 *
 * | end of the name                  | file                                             |
 * |----------------------------------|--------------------------------------------------|
 * | `.minidb`, `_minidb`             | a database of Caffe2's own, and the same bytes   |
 * | `.lmdb`, `_lmdb`                 | an LMDB database: a folder                       |
 * | the type of a registered database | that one, see [func@Db.list_types]              |
 * | `.safetensors`                   | tensors for many other programs                  |
 * | `.npz`                           | tensors for NumPy                                |
 * | `.npy`                           | one tensor for NumPy                             |
 * | `.pb`                            | one blob, Caffe2's `BlobProto`                   |
 *
 * A `protodb` is refused, because it can hold only tensors; Caffe2 does not save into it
 * either.
 *
 * Blobs are saved in the order of their names in the options, or of their creation; the same
 * blobs always give the same file. Before anything is written, all blobs are checked; see
 * [property@SaveOptions:skip-unsupported] for those that the file cannot hold. Without names
 * in the options, empty blobs are skipped, and those that only the optimized net of a
 * predictor has. In a database a tensor with more elements than
 * [property@SaveOptions:chunk-size] is split into several records, `name#%0`, `name#%1` and so
 * on; so a name cannot contain `#%` there. Tensors of other devices are copied to the CPU.
 *
 * A file is replaced when the new one is complete and on the disk: even after a crash there is
 * either the old file or the new one. An error or cancellation leaves no other files behind;
 * those of a killed process are removed by the next save into the folder. There is one
 * exception: if the system cannot flush the folder to the disk, the new file is in place but
 * there is an error, which says so. An LMDB database never replaces an existing one. A
 * database class of the program has its own rules.
 *
 * The new file keeps the owner, the group and the permissions of the old one as far as the
 * process may set them; if the group cannot be kept, it gets only the permissions of others.
 * Setuid, setgid and sticky bits, access control lists and extended attributes are not kept,
 * and other hard links of the old file keep the old content.
 *
 * ```c
 * g_autoptr (GFile) file = g_file_new_for_path ("weights.minidb");
 *
 * if (!c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, &error))
 *   g_printerr ("%s\n", error->message);
 * ```
 *
 * ```python
 * workspace.save_checkpoint('weights.safetensors', C2g.SaveOptions(names=['w', 'b']))
 * ```
 *
 * ## Threads
 *
 * Databases are written by several threads, see [property@SaveOptions:n-threads]; the file
 * itself, serializers ([class@Serializer]) and databases of the program are called only in
 * this thread. Besides the data, memory holds one chunk for each thread, or two if tensors of
 * other devices are saved.
 *
 * The list of blobs is taken at one moment, and their content before anything is written.
 * Meanwhile any thread may add and remove blobs, give them other content, load into them, and
 * resize, extend, free or allocate their tensors: the file does not change by that. Strings in
 * tensors are saved as they were, too. Other elements are not copied: if one is written in
 * place meanwhile, the file may have the old value, the new one, or a mixture of their bytes;
 * if c2g notices it, it is an error. The same is true of a [class@QTensor]. Until they are
 * saved, tensors share their memory, see [method@Tensor.shares_data]. Serializers of the
 * program get the blob itself, with its content at the time of the call.
 *
 * Sets `C2G_ERROR_NOT_FOUND` if a blob or database type does not exist, `C2G_ERROR_EXISTS` if
 * two blobs would have one name in the file, `C2G_ERROR_INVALID_ARGUMENT` if options cannot be
 * combined, the file cannot have such a name or number of blobs, or its name tells no kind,
 * `C2G_ERROR_TYPE` or `C2G_ERROR_NOT_SUPPORTED` if the file cannot hold a blob,
 * `C2G_ERROR_FAILED` if a tensor has not been allocated, that or `C2G_ERROR_BUSY` if a change
 * of its elements was noticed, `C2G_ERROR_NO_MEMORY`, `G_IO_ERROR_CANCELLED`, and errors of
 * the system if the file cannot be written.
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_workspace_save_checkpoint (C2gWorkspace    *self,
                               GFile           *file,
                               C2gSaveOptions  *options,
                               GCancellable    *cancellable,
                               GError         **error)
{
  g_autoptr (C2gSavePlan) plan = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (options == NULL || C2G_IS_SAVE_OPTIONS (options), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  plan = c2g_save_plan_new (self, options, file, error);
  if (plan == NULL)
    return FALSE;

  if (plan->progress != NULL)
    c2g_progress_begin (plan->progress, NULL);
  return c2g_save_plan_write (plan, file, NULL, cancellable, error);
}

static gboolean
return_cb (gpointer data)
{
  GTask *task = data;
  SaveTask *self = g_task_get_task_data (task);
  gboolean is_saved = self->is_saved;
  GError *error = g_steal_pointer (&self->error);

  /* Release the saved data before the callback is called. */
  g_task_set_task_data (task, NULL, NULL);
  if (is_saved)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  return G_SOURCE_REMOVE;
}

/* Returns the result through the caller's context. g_task_run_in_thread() is not used, because its
 * thread may hold the task and its data a moment longer than the caller. */
static gpointer
save_in_thread (gpointer data)
{
  GTask *task = data;
  SaveTask *self = g_task_get_task_data (task);
  g_autoptr (GMainContext) context = g_main_context_ref (self->context);
  g_autoptr (GSource) source = g_idle_source_new ();

  self->is_saved = c2g_save_plan_write (self->plan, self->file, context,
                                        g_task_get_cancellable (task), &self->error);

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "c2g_workspace_save_checkpoint");
  g_source_set_callback (source, return_cb, task, g_object_unref);
  g_source_attach (source, context);
  return NULL;
}

/**
 * c2g_workspace_save_checkpoint_async:
 * @self: a workspace
 * @file: the file to write: local, or any other that GIO can write
 * @options: (nullable): what to save and how, or `NULL` for all local blobs
 * @cancellable: (nullable): a way to stop
 * @callback: (scope async) (nullable): called when it is done
 * @user_data: data for @callback
 *
 * Saves blobs into a file, in the background.
 *
 * Like [method@Workspace.save_checkpoint]. The blobs and their content are taken and checked
 * before this function returns, and kept until the file is written. After that, blobs may be
 * removed and loaded into, and tensors resized or freed. But elements must not be written in
 * place, or the file may have old or new values: see [method@Workspace.save_checkpoint].
 *
 * @callback is called, and progress is reported, in the current thread-default main context;
 * serializers of the program are called there too. A database class of the program is used in
 * another thread, which is not possible in JavaScript.
 *
 * ```python
 * def saved(workspace, result):
 *     workspace.save_checkpoint_finish(result)
 *
 * workspace.save_checkpoint_async(file, None, cancellable, saved)
 * ```
 */
void
c2g_workspace_save_checkpoint_async (C2gWorkspace        *self,
                                     GFile               *file,
                                     C2gSaveOptions      *options,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;
  C2gSavePlan *plan;
  SaveTask *save;
  GThread *thread;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_WORKSPACE (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (options == NULL || C2G_IS_SAVE_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_workspace_save_checkpoint_async);
  /* A file that was written is reported as written, even if the task was cancelled at the last
   * moment. */
  g_task_set_check_cancellable (task, FALSE);

  plan = c2g_save_plan_new (self, options, file, &error);
  if (plan == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  save = g_new0 (SaveTask, 1);
  save->plan = plan;
  save->file = g_object_ref (file);
  save->context = g_main_context_ref_thread_default ();
  if (plan->progress != NULL)
    c2g_progress_begin (plan->progress, save->context);
  g_task_set_task_data (task, save, free_save_task);

  thread = g_thread_try_new ("c2g-save", save_in_thread, task, &error);
  if (thread == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_thread_unref (thread);
  g_steal_pointer (&task);
}

/**
 * c2g_workspace_save_checkpoint_finish:
 * @self: a workspace
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Gets the result of [method@Workspace.save_checkpoint_async].
 *
 * Errors: those of [method@Workspace.save_checkpoint].
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_workspace_save_checkpoint_finish (C2gWorkspace  *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_workspace_save_checkpoint_async),
                        FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * c2g_workspace_save_checkpoint_to_bytes:
 * @self: a workspace
 * @options: (nullable): what to save and how, or `NULL` for all local blobs in a minidb
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Saves blobs into memory.
 *
 * The bytes are those that [method@Workspace.save_checkpoint] writes to a file. Without a kind
 * in the options they are a minidb. Databases of other types cannot be made in memory and give
 * `C2G_ERROR_NOT_SUPPORTED`. Errors are otherwise those of [method@Workspace.save_checkpoint].
 *
 * Returns: (transfer full): the content of the file
 */
GBytes *
c2g_workspace_save_checkpoint_to_bytes (C2gWorkspace    *self,
                                        C2gSaveOptions  *options,
                                        GCancellable    *cancellable,
                                        GError         **error)
{
  g_autoptr (C2gSavePlan) plan = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (options == NULL || C2G_IS_SAVE_OPTIONS (options), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  plan = c2g_save_plan_new (self, options, NULL, error);
  if (plan == NULL)
    return NULL;

  if (plan->progress != NULL)
    c2g_progress_begin (plan->progress, NULL);
  return c2g_save_plan_write_bytes (plan, cancellable, error);
}
