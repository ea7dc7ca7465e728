/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/core/types/c2g-interrupt-private.h>

/* Loads and runs predictors in other threads, and calls back in the caller's main context. */

/* Loading */

static void
files_free (gpointer data)
{
  C2gPredictorFiles *self = data;

  g_clear_object (&self->file);
  g_clear_object (&self->predict_net);
  g_clear_object (&self->workspace);
  g_free (self);
}

static void
load_in_thread (GTask        *task,
                gpointer      source_object,
                gpointer      task_data,
                GCancellable *cancellable)
{
  GError *error = NULL;
  C2gPredictor *self = c2g_predictor_new_from_files (task_data, cancellable, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, g_object_unref);
  else
    g_task_return_error (task, error);
}

/* Loads the files, whose workspace is the parent here. Makes the workspace now and not in the loading
 * thread: its list model belongs to the thread that made it. */
static void
load (gpointer                 source_tag,
      const C2gPredictorFiles *files,
      GCancellable            *cancellable,
      GAsyncReadyCallback      callback,
      gpointer                 user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  C2gPredictorFiles *copy = g_memdup2 (files, sizeof *files);

  g_object_ref (copy->file);
  if (copy->predict_net != NULL)
    g_object_ref (copy->predict_net);
  copy->workspace = c2g_predictor_new_workspace (files->workspace);
  copy->home = g_task_get_context (task);
  g_task_set_source_tag (task, source_tag);
  g_task_set_task_data (task, copy, files_free);
  g_task_run_in_thread (task, load_in_thread);
}

static C2gPredictor *
load_finish (gpointer       source_tag,
             GAsyncResult  *result,
             GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, source_tag), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * c2g_predictor_load_async:
 * @file: a folder with nets, or a database
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): the device on which all operators run; `NULL` keeps those in the definitions
 * @flags: the allowed optimizations: `C2G_OPTIMIZE_ALL` is best for most programs,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of the net
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the predictor is ready
 * @user_data: for @callback
 *
 * Makes a predictor from a model in another thread, see [ctor@Predictor.load].
 *
 * Operators that are not written in C are made and run in the caller's thread-default main context,
 * which must be iterated.
 */
void
c2g_predictor_load_async (GFile               *file,
                          C2gWorkspace        *parent,
                          C2gDevice           *device,
                          C2gOptimizeFlags     flags,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  const C2gPredictorFiles files = { file, NULL, parent, device, flags };

  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  load (c2g_predictor_load_async, &files, cancellable, callback, user_data);
}

/**
 * c2g_predictor_load_finish:
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes an operation started by [func@Predictor.load_async].
 *
 * Errors: those of [ctor@Predictor.load].
 *
 * Returns: (transfer full): a predictor
 */
C2gPredictor *
c2g_predictor_load_finish (GAsyncResult  *result,
                           GError       **error)
{
  return load_finish (c2g_predictor_load_async, result, error);
}

/**
 * c2g_predictor_load_nets_async:
 * @init_net: a file with the net that fills blobs
 * @predict_net: a file with the net to run
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): the device on which all operators run; `NULL` keeps those in the definitions
 * @flags: the allowed optimizations: `C2G_OPTIMIZE_ALL` is best for most programs,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of the net
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the predictor is ready
 * @user_data: for @callback
 *
 * Makes a predictor from two files in another thread, see [ctor@Predictor.load_nets].
 *
 * Operators that are not written in C are handled as in [func@Predictor.load_async].
 */
void
c2g_predictor_load_nets_async (GFile               *init_net,
                               GFile               *predict_net,
                               C2gWorkspace        *parent,
                               C2gDevice           *device,
                               C2gOptimizeFlags     flags,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  const C2gPredictorFiles files = { init_net, predict_net, parent, device, flags };

  g_return_if_fail (G_IS_FILE (init_net));
  g_return_if_fail (G_IS_FILE (predict_net));
  g_return_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  load (c2g_predictor_load_nets_async, &files, cancellable, callback, user_data);
}

/**
 * c2g_predictor_load_nets_finish:
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes an operation started by [func@Predictor.load_nets_async].
 *
 * Errors: those of [ctor@Predictor.load_nets].
 *
 * Returns: (transfer full): a predictor
 */
C2gPredictor *
c2g_predictor_load_nets_finish (GAsyncResult  *result,
                                GError       **error)
{
  return load_finish (c2g_predictor_load_nets_async, result, error);
}

/* Running */

static void c2g_predictor_task_result_init (GAsyncResultIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (C2gPredictorTask, c2g_predictor_task, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_ASYNC_RESULT,
                                                      c2g_predictor_task_result_init))

static gpointer
c2g_predictor_task_get_user_data (GAsyncResult *result)
{
  return C2G_PREDICTOR_TASK (result)->user_data;
}

static GObject *
c2g_predictor_task_get_source_object (GAsyncResult *result)
{
  return g_object_ref (G_OBJECT (C2G_PREDICTOR_TASK (result)->predictor));
}

static gboolean
c2g_predictor_task_is_tagged (GAsyncResult *result,
                              gpointer      source_tag)
{
  return source_tag == c2g_predictor_run_async;
}

static void
c2g_predictor_task_result_init (GAsyncResultIface *iface)
{
  iface->get_user_data = c2g_predictor_task_get_user_data;
  iface->get_source_object = c2g_predictor_task_get_source_object;
  iface->is_tagged = c2g_predictor_task_is_tagged;
}

/* Releases the predictor after a run, unless that has been done. */
static void
end_turn (C2gPredictorTask *self,
          gboolean          is_done)
{
  if (!g_atomic_int_compare_and_exchange (&self->is_reserved, TRUE, FALSE))
    return;

  c2g_predictor_end_run (self->predictor, is_done);
  c2g_predictor_release (self->predictor);
}

/* Also releases the predictor if nobody took the result. */
static void
c2g_predictor_task_finalize (GObject *object)
{
  C2gPredictorTask *self = C2G_PREDICTOR_TASK (object);

  end_turn (self, TRUE);
  g_clear_pointer (&self->inputs, c2g_predictor_free_tensors);
  g_clear_pointer (&self->outputs, c2g_predictor_free_tensors);
  g_clear_error (&self->error);
  g_clear_pointer (&self->home, g_main_context_unref);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->predictor);

  G_OBJECT_CLASS (c2g_predictor_task_parent_class)->finalize (object);
}

static void
c2g_predictor_task_class_init (C2gPredictorTaskClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_predictor_task_finalize;
}

static void
c2g_predictor_task_init (C2gPredictorTask *self)
{
}

static gboolean
call_back_cb (gpointer data)
{
  C2gPredictorTask *self = data;

  if (self->callback != NULL)
    self->callback (G_OBJECT (self->predictor), G_ASYNC_RESULT (self), self->user_data);
  return G_SOURCE_REMOVE;
}

/* Schedules the callback. After this, only the source in the context and the holder of the result
 * have the task. If the context is freed, so is the source. */
static void
call_back (C2gPredictorTask *self)
{
  g_autoptr (GMainContext) home = g_steal_pointer (&self->home);
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, call_back_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, home);
}

void
c2g_predictor_task_fail (C2gPredictorTask *self,
                         GError           *error)
{
  self->error = error;
  call_back (self);
}

static void
run_cb (gpointer data,
        gpointer pool_data)
{
  g_autoptr (C2gPredictorTask) self = data;

  /* Read this first: the atomic read makes the writes of the other thread visible here. */
  g_return_if_fail (g_atomic_int_get (&self->is_reserved));

  self->outputs = c2g_predictor_run_reserved (self->predictor, self->inputs, self->n_inputs,
                                              self->home, &self->n_outputs, self->cancellable,
                                              &self->error);
  g_clear_pointer (&self->inputs, c2g_predictor_free_tensors);
  if (self->outputs == NULL)
    end_turn (self, FALSE);
  call_back (self);
}

void
c2g_predictor_task_begin (C2gPredictorTask *self)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (run_cb, NULL, -1, FALSE, NULL));
  g_atomic_int_set (&self->is_reserved, TRUE);
  /* An error only means that the pool cannot start another thread; the run begins when one is free. */
  g_thread_pool_push (pool, g_object_ref (self), NULL);
}

static C2gPredictorTask *
task_new (C2gPredictor        *predictor,
          GCancellable        *cancellable,
          GAsyncReadyCallback  callback,
          gpointer             user_data)
{
  C2gPredictorTask *self = g_object_new (c2g_predictor_task_get_type (), NULL);

  self->predictor = g_object_ref (predictor);
  g_set_object (&self->cancellable, cancellable);
  self->callback = callback;
  self->user_data = user_data;
  self->home = g_main_context_ref_thread_default ();
  return self;
}

/**
 * c2g_predictor_run_async:
 * @self: a predictor
 * @inputs: (array length=n_inputs): tensors for the first inputs, in their order
 * @n_inputs: the number of tensors
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the run is over
 * @user_data: for @callback
 *
 * Runs the model in another thread, see [method@Predictor.run].
 *
 * Runs are queued. Each begins when the one before has failed, or its result was fetched by
 * [method@Predictor.run_finish] or dropped. Until then [method@Predictor.run] fails with
 * `C2G_ERROR_BUSY`. The given tensors must not be written until the run is over. A run that is
 * cancelled while it waits ends at once.
 *
 * If the caller's thread-default main context is freed without being iterated, the result is
 * dropped. A waiting run keeps that context alive.
 *
 * Signal handlers, observers and operators that are not written in C are called in the caller's
 * thread-default main context, which must be iterated.
 */
void
c2g_predictor_run_async (C2gPredictor         *self,
                         C2gTensor           **inputs,
                         guint                 n_inputs,
                         GCancellable         *cancellable,
                         GAsyncReadyCallback   callback,
                         gpointer              user_data)
{
  g_autoptr (C2gPredictorTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_PREDICTOR (self));
  g_return_if_fail (inputs != NULL || n_inputs == 0);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = task_new (self, cancellable, callback, user_data);
  if (!c2g_predictor_check_tensors (self, inputs, n_inputs, &error))
    {
      c2g_predictor_task_fail (task, error);
      return;
    }
  task->inputs = g_new0 (C2gTensor *, n_inputs + 1);
  task->n_inputs = n_inputs;
  for (gsize i = 0; i < n_inputs; i++)
    task->inputs[i] = g_object_ref (inputs[i]);
  c2g_predictor_queue_run (self, task);
}

/**
 * c2g_predictor_run_finish:
 * @self: a predictor
 * @result: the result that the callback got
 * @n_outputs: (out): the number of outputs
 * @error: return location for an error
 *
 * Finishes a run started by [method@Predictor.run_async], and lets the next one begin.
 *
 * The outputs belong to the caller as those of [method@Predictor.run] do: take references before the
 * same thread gets other ones, or ends, and before the predictor is released.
 *
 * Errors: those of [method@Predictor.run] except `C2G_ERROR_BUSY`; `G_IO_ERROR_CANCELLED` if the
 * cancellable was cancelled before this call.
 *
 * Returns: (transfer container) (array length=n_outputs): the outputs
 */
C2gTensor **
c2g_predictor_run_finish (C2gPredictor  *self,
                          GAsyncResult  *result,
                          guint         *n_outputs,
                          GError       **error)
{
  C2gPredictorTask *task;
  C2gTensor **outputs;
  GError *failure;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (C2G_IS_PREDICTOR_TASK (result), NULL);
  g_return_val_if_fail (C2G_PREDICTOR_TASK (result)->predictor == self, NULL);
  g_return_val_if_fail (n_outputs != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  task = C2G_PREDICTOR_TASK (result);
  outputs = g_steal_pointer (&task->outputs);
  failure = g_steal_pointer (&task->error);
  *n_outputs = 0;
  g_return_val_if_fail (outputs != NULL || failure != NULL, NULL);

  if (!c2g_interrupt_conclude (task->cancellable, outputs != NULL, &failure))
    {
      g_clear_pointer (&outputs, c2g_predictor_free_tensors);
      g_propagate_error (error, failure);
    }
  else
    *n_outputs = task->n_outputs;
  end_turn (task, outputs != NULL);
  return outputs != NULL ? c2g_predictor_hand_over (self, outputs, *n_outputs) : NULL;
}
