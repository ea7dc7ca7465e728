/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-predictor-private.h>

#include <c2g/net/c2g-net-private.h>

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
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  load (c2g_predictor_load_async, file, NULL, parent, device, cancellable, callback, user_data);
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
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (init_net));
  g_return_if_fail (G_IS_FILE (predict_net));
  g_return_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  load (c2g_predictor_load_nets_async, init_net, predict_net, parent, device, cancellable,
        callback, user_data);
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

static void
run_in_thread (GTask        *task,
               gpointer      source_object,
               gpointer      task_data,
               GCancellable *cancellable)
{
  C2gPredictor *self = source_object;
  GError *error = NULL;
  const gboolean is_done = c2g_net_run_away (self->net, g_task_get_context (task), cancellable,
                                             &error);

  c2g_predictor_release (self, is_done);
  if (is_done)
    g_task_return_boolean (task, TRUE);
  else
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
 * From now on the model is running: whoever else runs it meanwhile gets `C2G_ERROR_BUSY`, and
 * nobody may write the tensors that were given, or read those that came of the last run.
 *
 * Handlers of signals, observers and operators that are not written in C are called in the
 * thread-default main context of the caller, which has to be iterated.
 */
void
c2g_predictor_run_async (C2gPredictor         *self,
                         C2gTensor           **inputs,
                         gsize                 n_inputs,
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
  if (!c2g_predictor_reserve (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (c2g_predictor_take_inputs (self, inputs, n_inputs, &error))
    {
      g_task_run_in_thread (task, run_in_thread);
      return;
    }
  c2g_predictor_release (self, FALSE);
  g_task_return_error (task, error);
}

/**
 * c2g_predictor_run_finish:
 * @self: a predictor
 * @result: what the callback got
 * @n_outputs: (out): how many outputs there are
 * @error: return location for an error
 *
 * Ends a run begun with [method@Predictor.run_async].
 *
 * Errors: those of [method@Predictor.run].
 *
 * Returns: (transfer container) (array length=n_outputs): the outputs
 */
C2gTensor **
c2g_predictor_run_finish (C2gPredictor  *self,
                          GAsyncResult  *result,
                          gsize         *n_outputs,
                          GError       **error)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_predictor_run_async), NULL);
  g_return_val_if_fail (n_outputs != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_outputs = 0;
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return c2g_predictor_list_outputs (self, n_outputs, error);
}
