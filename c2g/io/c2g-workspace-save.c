/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-workspace-save.h>

#include <c2g/io/c2g-progress-private.h>
#include <c2g/io/c2g-save-writer-private.h>

/* A save in the background. */
typedef struct
{
  C2gSavePlan  *plan;
  GFile        *file;
  /* Of the caller. */
  GMainContext *context;

  /* In the end. */
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
 * @file: where to: local, or wherever else GIO can write
 * @options: (nullable): what to save and how, or `NULL` for all local blobs
 * @cancellable: (nullable): a way to stop
 * @error: return location for an error
 *
 * Saves blobs into a file.
 *
 * What kind of file it is, [class@SaveOptions] says, or else the end of its name:
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
 * A `protodb` is refused, as it holds tensors alone; Caffe2 does not save into it either.
 *
 * Blobs are saved in the order of their names in the options, or of their creation, and
 * the file is the same each time. Before anything is written, it is checked that the file
 * can hold all of them; see [property@SaveOptions:skip-unsupported] for those it cannot
 * hold. Where no names are given, a blob that holds nothing is left out. In databases a tensor of more elements than [property@SaveOptions:chunk-size] is
 * spread over several records, `name#%0`, `name#%1` and so on, which is why a name there
 * cannot have `#%` in it. Tensors of other devices are copied to the CPU on the way.
 *
 * A file is replaced when the new one is whole and on the disk: whatever happens, a crash
 * included, there is either the old file or the new one. An error, or being cancelled,
 * leaves nothing behind, and what a killed process has left goes with the next save into the
 * folder. Only if the system cannot bring the folder to the disk is there an error with the new
 * file in place, which it says. An LMDB database is only made where there is nothing yet. What a
 * database class of others does is its own affair.
 *
 * The new file keeps the owner, the group and the permissions of the old one as far as the
 * process may give them; a group that cannot be kept gets no more than everybody had. Setuid,
 * setgid and sticky bits, access control lists and extended attributes are not kept, and other
 * hard links of the old file keep the old content.
 *
 * ```c
 * g_autoptr (GFile) file = g_file_new_for_path ("weights.minidb");
 *
 * if (!c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, &error))
 *   g_printerr ("%s\n", error->message);
 * ```
 *
 * ```python
 * workspace.save_checkpoint(Gio.File.new_for_path('weights.safetensors'),
 *                           C2g.SaveOptions(names=['w', 'b']), None)
 * ```
 *
 * ## Threads
 *
 * Databases are written by several threads, see [property@SaveOptions:n-threads]; the
 * file itself, serializers of others ([class@Serializer]) and their databases are called
 * in this thread alone. In memory there are the data and one chunk a thread, two where
 * tensors of other devices are saved.
 *
 * Which blobs there are is settled at one moment, and what they hold before anything is
 * written; meanwhile any thread may add and remove blobs and give them other content. The
 * memory is kept until all is written. Meanwhile any thread may remove the blobs, give them other content, load
 * into them, and resize, extend, free or allocate their tensors: that does not show in the
 * file. Strings in tensors, too, are saved as they were. Other elements are not copied: one
 * that is written where it is, be it by a copy into the same memory, shows in the file or
 * does not, or only some of its bytes do; where that shows, it is an error. So it is with
 * all of a [class@QTensor]. Until they are saved, tensors share their memory, see
 * [method@Tensor.shares_data]. Serializers of others get the blob itself, and see what it
 * holds when they are called.
 *
 * Sets `C2G_ERROR_NOT_FOUND` if there is no blob or database type of a name,
 * `C2G_ERROR_EXISTS` if two blobs would have one name in the file,
 * `C2G_ERROR_INVALID_ARGUMENT` if options do not fit each other, a name or the number of
 * blobs does not fit the file, or its name says no kind, `C2G_ERROR_TYPE` or
 * `C2G_ERROR_NOT_SUPPORTED` if the file cannot hold a blob, `C2G_ERROR_FAILED` if a tensor
 * has not been allocated, that or `C2G_ERROR_BUSY` if its elements were seen to change,
 * `C2G_ERROR_NO_MEMORY`, `G_IO_ERROR_CANCELLED`, and what the
 * system says if the file cannot be written.
 *
 * Returns: `TRUE` if the file is there
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

  /* What was saved is let go before anybody is told. */
  g_task_set_task_data (task, NULL, NULL);
  if (is_saved)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  return G_SOURCE_REMOVE;
}

/* Hands the task over to the caller's context in the end: g_task_run_in_thread() may keep
 * it, and all that hangs on it, for a moment longer than the caller. */
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
 * @file: where to: local, or wherever else GIO can write
 * @options: (nullable): what to save and how, or `NULL` for all local blobs
 * @cancellable: (nullable): a way to stop
 * @callback: (scope async) (nullable): what to call when it is done
 * @user_data: what to give to @callback
 *
 * Saves blobs into a file, in the background.
 *
 * Does what [method@Workspace.save_checkpoint] does. Which blobs there are, and what they
 * hold, is settled and checked before this function returns, and kept until the file is
 * written. From then on blobs may be removed and loaded into, and tensors resized or freed;
 * only elements must not be written in the memory that is being saved, or it is not certain
 * which values are in the file: [method@Workspace.save_checkpoint] has it in full.
 *
 * @callback is called, and progress is told, through the main context that is the thread's
 * default now; so are serializers written in other languages. A database class of others is
 * called in a thread of its own, which JavaScript cannot do.
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
  /* A file that is there has been saved, also if it was called off at the last moment. */
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
 * Ends what [method@Workspace.save_checkpoint_async] began.
 *
 * Errors: those of [method@Workspace.save_checkpoint].
 *
 * Returns: `TRUE` if the file is there
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
 * The bytes are those that [method@Workspace.save_checkpoint] writes to a file. Without a
 * kind in the options they are a minidb; databases of other types cannot be made in
 * memory, which is `C2G_ERROR_NOT_SUPPORTED`. Errors are otherwise those of
 * [method@Workspace.save_checkpoint].
 *
 * Returns: (transfer full): what would be in the file
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
