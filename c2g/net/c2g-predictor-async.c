/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-predictor-private.h>

/* Predictors that are read, and run, in another thread. */

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

/* The workspace is made here: as a list it belongs to this thread. */
static void
load (gpointer             source_tag,
      GFile               *file,
      GFile               *predict_net,
      C2gWorkspace        *parent,
      C2gDevice           *device,
      C2gOptimizeFlags     flags,
      GCancellable        *cancellable,
      GAsyncReadyCallback  callback,
      gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  C2gPredictorFiles *files = g_new0 (C2gPredictorFiles, 1);

  files->file = g_object_ref (file);
  if (predict_net != NULL)
    files->predict_net = g_object_ref (predict_net);
  files->workspace = c2g_predictor_new_workspace (parent);
  files->device = device;
  files->flags = flags;
  files->home = g_task_get_context (task);
  g_task_set_source_tag (task, source_tag);
  g_task_set_task_data (task, files, files_free);
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
 * @device: (nullable): where all operators run, whatever the nets say
 * @flags: what may be done to the net: `C2G_OPTIMIZE_ALL` is what most want,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of it
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the predictor is there
 * @user_data: for @callback
 *
 * Makes a predictor from a model in another thread, see [ctor@Predictor.load].
 *
 * Operators that are not written in C are made, and run, in the thread-default main context
 * of the caller, which has to be iterated.
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
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  load (c2g_predictor_load_async, file, NULL, parent, device, flags, cancellable, callback,
        user_data);
}

/**
 * c2g_predictor_load_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what was begun with [func@Predictor.load_async].
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
 * @predict_net: a file with the net that makes outputs of inputs
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): where all operators run, whatever the nets say
 * @flags: what may be done to the net: `C2G_OPTIMIZE_ALL` is what most want,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of it
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the predictor is there
 * @user_data: for @callback
 *
 * Makes a predictor from two files in another thread, see [ctor@Predictor.load_nets].
 *
 * For operators that are not written in C what is said at [func@Predictor.load_async] is true.
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
  g_return_if_fail (G_IS_FILE (init_net));
  g_return_if_fail (G_IS_FILE (predict_net));
  g_return_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  load (c2g_predictor_load_nets_async, init_net, predict_net, parent, device, flags,
        cancellable, callback, user_data);
}

/**
 * c2g_predictor_load_nets_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends what was begun with [func@Predictor.load_nets_async].
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

/* The data of a task. */
typedef struct
{
  C2gPredictor *predictor;
  C2gTensor   **inputs;
  guint         n_inputs;
  guint         n_outputs;
  /* Set while the run has the predictor: from its beginning until somebody has its result. */
  gboolean      is_reserved;
} Run;

static Run *
run_new (C2gPredictor  *predictor,
         C2gTensor    **inputs,
         guint          n_inputs)
{
  Run *self = g_new0 (Run, 1);

  self->predictor = g_object_ref (predictor);
  self->inputs = g_new0 (C2gTensor *, n_inputs + 1);
  self->n_inputs = n_inputs;
  for (gsize i = 0; i < n_inputs; i++)
    self->inputs[i] = g_object_ref (inputs[i]);
  return self;
}

static void
run_end (Run      *self,
         gboolean  is_done)
{
  if (!self->is_reserved)
    return;

  self->is_reserved = FALSE;
  g_clear_pointer (&self->inputs, c2g_predictor_free_tensors);
  c2g_predictor_end_run (self->predictor, is_done);
  c2g_predictor_release (self->predictor);
}

/* A result that nobody wanted is over, too. */
static void
run_free (gpointer data)
{
  Run *self = data;

  run_end (self, TRUE);
  g_clear_pointer (&self->inputs, c2g_predictor_free_tensors);
  g_object_unref (self->predictor);
  g_free (self);
}

static void
free_outputs (gpointer data)
{
  c2g_predictor_free_tensors (data);
}

static void
run_in_thread (GTask        *task,
               gpointer      source_object,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Run *run = task_data;
  GError *error = NULL;
  C2gTensor **outputs;

  run->is_reserved = TRUE;
  outputs = c2g_predictor_run_reserved (run->predictor, run->inputs, run->n_inputs,
                                        g_task_get_context (task), &run->n_outputs, cancellable,
                                        &error);
  if (outputs != NULL)
    {
      g_task_return_pointer (task, outputs, free_outputs);
      return;
    }
  run_end (run, FALSE);
  g_task_return_error (task, error);
}

/**
 * c2g_predictor_run_async:
 * @self: a predictor
 * @inputs: (array length=n_inputs): tensors for the first inputs, in their order
 * @n_inputs: how many there are
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the run is over
 * @user_data: for @callback
 *
 * Runs the model in another thread, see [method@Predictor.run].
 *
 * Runs that are asked for while one goes on wait for their turn: each begins when the one before
 * has failed or its result was fetched by [method@Predictor.run_finish], or dropped. Meanwhile
 * [method@Predictor.run] gets `C2G_ERROR_BUSY`. Until the run is over nobody may write the tensors
 * that were given. One that is cancelled while it waits is over at once.
 *
 * Handlers of signals, observers and operators that are not written in C are called in the
 * thread-default main context of the caller, which has to be iterated.
 */
void
c2g_predictor_run_async (C2gPredictor         *self,
                         C2gTensor           **inputs,
                         guint                 n_inputs,
                         GCancellable         *cancellable,
                         GAsyncReadyCallback   callback,
                         gpointer              user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_PREDICTOR (self));
  g_return_if_fail (inputs != NULL || n_inputs == 0);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_predictor_run_async);
  if (!c2g_predictor_check_tensors (self, inputs, n_inputs, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_set_task_data (task, run_new (self, inputs, n_inputs), run_free);
  c2g_predictor_queue_run (self, task, run_in_thread);
}

/**
 * c2g_predictor_run_finish:
 * @self: a predictor
 * @result: what the callback got
 * @n_outputs: (out): how many outputs there are
 * @error: return location for an error
 *
 * Ends a run begun with [method@Predictor.run_async], and lets the next one begin. The outputs
 * are the caller's as those of [method@Predictor.run] are: take a reference before more than 16
 * threads run the model, and before the predictor is released.
 *
 * Errors: those of [method@Predictor.run], but for `C2G_ERROR_BUSY`; `G_IO_ERROR_CANCELLED` if the
 * cancellable was cancelled before now.
 *
 * Returns: (transfer container) (array length=n_outputs): the outputs
 */
C2gTensor **
c2g_predictor_run_finish (C2gPredictor  *self,
                          GAsyncResult  *result,
                          guint         *n_outputs,
                          GError       **error)
{
  C2gTensor **outputs;
  Run *run;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_predictor_run_async), NULL);
  g_return_val_if_fail (n_outputs != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  run = g_task_get_task_data (G_TASK (result));
  outputs = g_task_propagate_pointer (G_TASK (result), error);
  *n_outputs = outputs != NULL ? run->n_outputs : 0;
  if (run != NULL)
    run_end (run, outputs != NULL);
  return outputs != NULL ? c2g_predictor_hand_over (self, outputs, *n_outputs) : NULL;
}
