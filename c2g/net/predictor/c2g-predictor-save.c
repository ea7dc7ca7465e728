/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/load/c2g-workspace-io.h>
#include <c2g/io/save/c2g-save-plan-private.h>
#include <c2g/io/save/c2g-workspace-save.h>

/* Saves predictors as Caffe2's exporter does: a database with the parameters and the description of
 * the nets. Saves and loads the parameters alone, too. */

/* Returns the task of a function …_async(), which is its tag. What was done is reported as done, even if
 * it was cancelled at the last moment. */
static GTask *
task_new (C2gPredictor        *self,
          gpointer             tag,
          GCancellable        *cancellable,
          GAsyncReadyCallback  callback,
          gpointer             user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_check_cancellable (task, FALSE);
  return task;
}

static void
task_end (GTask    *task,
          gboolean  is_done,
          GError   *error)
{
  if (is_done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static gboolean
task_finish (C2gPredictor  *self,
             GAsyncResult  *result,
             gpointer       tag,
             GError       **error)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, tag), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The parameters come to the device of the predictor, or else to where they are. */
static C2gLoadOptions *
new_load_options (C2gPredictor *self)
{
  C2gLoadOptions *options = c2g_load_options_new ();
  g_auto (GStrv) names = c2g_predictor_list_parameters (self);

  c2g_load_options_set_names (options, (const char *const *) names);
  c2g_load_options_set_device (options, self->device);
  options->fits_present = TRUE;
  return options;
}

static C2gSaveOptions *
new_save_options (C2gPredictor *self)
{
  C2gSaveOptions *options = c2g_save_options_new ();
  g_auto (GStrv) names = c2g_predictor_list_parameters (self);

  c2g_save_options_set_names (options, (const char *const *) names);
  return options;
}

/**
 * c2g_predictor_load_parameters:
 * @self: a predictor
 * @file: a checkpoint with all parameters of the model, in any format
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Loads the parameters of the model from a checkpoint; the next run computes with them.
 *
 * This is [method@Workspace.load_checkpoint] with the names of
 * [method@Predictor.list_parameters]. Other blobs of the file are not loaded. On a device the
 * parameters come to the device. Nobody may save the parameters in another thread meanwhile.
 *
 * ```python
 * predictor.load_parameters('weights.minidb')
 * ```
 *
 * Errors: those of [method@Workspace.load_checkpoint], such as `C2G_ERROR_NOT_FOUND` with the names
 * of parameters that are not in the file; `C2G_ERROR_TYPE` or `C2G_ERROR_SHAPE` if a parameter of
 * the file has another type or shape than the present one; `C2G_ERROR_BUSY` while a run, or another load, has
 * not been finished. Nothing changes then.
 *
 * Returns: `TRUE` if they were loaded
 */
gboolean
c2g_predictor_load_parameters (C2gPredictor  *self,
                               GFile         *file,
                               GCancellable  *cancellable,
                               GError       **error)
{
  g_autoptr (C2gLoadOptions) options = NULL;
  g_auto (GStrv) loaded = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_predictor_check_model (self, error) || !c2g_predictor_reserve (self, error))
    return FALSE;
  options = new_load_options (self);
  loaded = c2g_workspace_load_checkpoint (self->workspace, file, options, cancellable, error);
  c2g_predictor_release (self);
  return loaded != NULL;
}

/* Called in the caller's context, where the parameters have been put into the workspace. */
static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  C2gPredictor *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_auto (GStrv) loaded = c2g_workspace_load_checkpoint_finish (C2G_WORKSPACE (source), result, &error);

  c2g_predictor_release (self);
  task_end (task, loaded != NULL, error);
}

/**
 * c2g_predictor_load_parameters_async:
 * @self: a predictor
 * @file: a checkpoint with all parameters of the model, in any format
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (nullable) (closure user_data): called when they were loaded
 * @user_data: for @callback
 *
 * Loads the parameters of the model in the background, see [method@Predictor.load_parameters].
 *
 * Another thread reads the file. The parameters are put into the workspace all at once, in the caller's
 * thread-default main context, which must be iterated, just before @callback is called there. Until
 * then runs of [method@Predictor.run_async] wait, and those of [method@Predictor.run] fail with
 * `C2G_ERROR_BUSY`.
 *
 * ```python
 * await predictor.load_parameters_async('weights.minidb')
 * ```
 *
 * ```c
 * c2g_predictor_load_parameters_async (predictor, file, NULL, loaded_cb, NULL);
 *
 * static void
 * loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
 * {
 *   g_autoptr (GError) error = NULL;
 *
 *   if (!c2g_predictor_load_parameters_finish (C2G_PREDICTOR (source), result, &error))
 *     g_printerr ("%s\n", error->message);
 * }
 * ```
 *
 * [method@Predictor.load_parameters_finish] gives the result.
 */
void
c2g_predictor_load_parameters_async (C2gPredictor        *self,
                                     GFile               *file,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (C2gLoadOptions) options = NULL;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_PREDICTOR (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = task_new (self, c2g_predictor_load_parameters_async, cancellable, callback, user_data);
  if (!c2g_predictor_check_model (self, &error) || !c2g_predictor_reserve (self, &error))
    {
      task_end (task, FALSE, error);
      return;
    }
  options = new_load_options (self);
  c2g_workspace_load_checkpoint_async (self->workspace, file, options, cancellable, loaded_cb,
                                       g_steal_pointer (&task));
}

/**
 * c2g_predictor_load_parameters_finish:
 * @self: a predictor
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes an operation started by [method@Predictor.load_parameters_async].
 *
 * Errors: those of [method@Predictor.load_parameters].
 *
 * Returns: `TRUE` if they were loaded
 */
gboolean
c2g_predictor_load_parameters_finish (C2gPredictor  *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  return task_finish (self, result, c2g_predictor_load_parameters_async, error);
}

/**
 * c2g_predictor_save_parameters:
 * @self: a predictor
 * @file: the file to write; its ending, such as `.minidb`, `.safetensors` or `.npz`, chooses the
 *   format, and an existing file is replaced
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Saves the parameters of the model, without its nets.
 *
 * This is [method@Workspace.save_checkpoint] with the names of
 * [method@Predictor.list_parameters]. [method@Predictor.save] saves the nets, too.
 *
 * ```python
 * predictor.save_parameters('weights.minidb')
 * ```
 *
 * Errors: those of [method@Workspace.save_checkpoint].
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_predictor_save_parameters (C2gPredictor  *self,
                               GFile         *file,
                               GCancellable  *cancellable,
                               GError       **error)
{
  g_autoptr (C2gSaveOptions) options = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_predictor_check_model (self, error))
    return FALSE;
  options = new_save_options (self);
  return c2g_workspace_save_checkpoint (self->workspace, file, options, cancellable, error);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  const gboolean is_done = c2g_workspace_save_checkpoint_finish (C2G_WORKSPACE (source), result, &error);

  task_end (task, is_done, error);
}

/**
 * c2g_predictor_save_parameters_async:
 * @self: a predictor
 * @file: the file to write; its ending, such as `.minidb`, `.safetensors` or `.npz`, chooses the
 *   format, and an existing file is replaced
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (nullable) (closure user_data): called when the file was written
 * @user_data: for @callback
 *
 * Saves the parameters of the model in the background, see [method@Predictor.save_parameters].
 *
 * What the program may do meanwhile is the same as with [method@Predictor.save_async].
 *
 * ```python
 * await predictor.save_parameters_async('weights.minidb')
 * ```
 */
void
c2g_predictor_save_parameters_async (C2gPredictor        *self,
                                     GFile               *file,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (C2gSaveOptions) options = NULL;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_PREDICTOR (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = task_new (self, c2g_predictor_save_parameters_async, cancellable, callback, user_data);
  if (!c2g_predictor_check_model (self, &error))
    {
      task_end (task, FALSE, error);
      return;
    }
  options = new_save_options (self);
  c2g_workspace_save_checkpoint_async (self->workspace, file, options, cancellable, saved_cb,
                                       g_steal_pointer (&task));
}

/**
 * c2g_predictor_save_parameters_finish:
 * @self: a predictor
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes an operation started by [method@Predictor.save_parameters_async].
 *
 * Errors: those of [method@Predictor.save_parameters].
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_predictor_save_parameters_finish (C2gPredictor  *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  return task_finish (self, result, c2g_predictor_save_parameters_async, error);
}

static C2gNetDef *
new_load_net (char **parameters)
{
  C2gNetDef *def = c2g_net_def_new ("global-init");
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Load");

  c2g_operator_def_add_input (op, C2G_PREDICTOR_DB_READER_BLOB);
  c2g_operator_def_set_outputs (op, (const char * const *) parameters);
  c2g_net_def_add_external_input (def, C2G_PREDICTOR_DB_READER_BLOB);
  c2g_net_def_set_external_outputs (def, (const char * const *) parameters);
  if (parameters[0] != NULL)
    c2g_net_def_add_operator (def, op);
  return def;
}

/* Fills inputs with a single zero, the mark of a blob that the user must set. */
static C2gNetDef *
new_placeholder_net (char **inputs)
{
  static const gint64 shape[] = { 1 };
  C2gNetDef *def = c2g_net_def_new ("predict-init");

  for (gsize i = 0; inputs[i] != NULL; i++)
    {
      g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("ConstantFill");

      c2g_operator_def_add_output (op, inputs[i]);
      c2g_operator_def_set_ints (op, "shape", shape, G_N_ELEMENTS (shape));
      c2g_operator_def_set_float (op, "value", 0);
      c2g_net_def_add_operator (def, op);
    }
  return def;
}

static GBytes *
describe (C2gPredictor  *self,
          char         **parameters,
          GError       **error)
{
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_new ();
  g_autoptr (C2gNetDef) load_net = new_load_net (parameters);
  g_autoptr (C2gNetDef) placeholder_net = new_placeholder_net (self->inputs);

  c2g_meta_net_def_set_blobs (meta, C2G_PARAMETER_BLOBS, (const char * const *) parameters);
  c2g_meta_net_def_set_blobs (meta, C2G_INPUT_BLOBS, (const char * const *) self->inputs);
  c2g_meta_net_def_set_blobs (meta, C2G_OUTPUT_BLOBS, (const char * const *) self->outputs);
  c2g_meta_net_def_set_net (meta, C2G_GLOBAL_INIT_NET, load_net);
  c2g_meta_net_def_set_net (meta, C2G_PREDICT_INIT_NET, placeholder_net);
  c2g_meta_net_def_set_net (meta, C2G_PREDICT_NET, self->def);
  return c2g_meta_net_def_to_bytes (meta, error);
}

static gboolean
put_description (C2gWorkspace  *workspace,
                 GBytes        *bytes,
                 GError       **error)
{
  g_autoptr (C2gBlob) blob =
    c2g_workspace_create_local_blob (workspace, C2G_META_NET_DEF_BLOB, error);
  g_auto (GValue) value = G_VALUE_INIT;

  if (blob == NULL)
    return FALSE;
  g_value_init (&value, G_TYPE_BYTES);
  g_value_set_boxed (&value, bytes);
  c2g_blob_set_value (blob, &value);
  return TRUE;
}

/* Refuses names of other kinds of files: nobody would look for a minidb in one. A name without such
 * an ending is a minidb. */
static gboolean
check_name (GFile   *file,
            GError **error)
{
  g_autoptr (C2gSaveOptions) by_name = c2g_save_options_new ();
  g_autofree char *db_type = NULL;
  g_autofree char *name = NULL;
  C2gSaveLayout layout;

  if (!c2g_save_layout_find (by_name, file, &layout, &db_type, NULL) ||
      g_strcmp0 (db_type, "minidb") == 0)
    return TRUE;
  name = g_file_get_parse_name (file);
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("%s: A model is saved as a minidb, as in %s; save_parameters() saves its parameters as any kind of file"),
                   name, "model.minidb");
}

/* Makes a child workspace of the predictor's with the description, and the options that list what
 * to save. */
static C2gWorkspace *
prepare (C2gPredictor    *self,
         GFile           *file,
         C2gSaveOptions  *options,
         GError         **error)
{
  g_auto (GStrv) parameters = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  if (!c2g_predictor_check_model (self, error) || !check_name (file, error))
    return NULL;
  parameters = c2g_predictor_list_parameters (self);
  bytes = describe (self, parameters, error);
  if (bytes == NULL)
    return NULL;
  workspace = c2g_workspace_new_with_parent (self->workspace);
  if (!put_description (workspace, bytes, error))
    return NULL;

  g_strv_builder_add (names, C2G_META_NET_DEF_BLOB);
  g_strv_builder_addv (names, (const char **) parameters);
  all = g_strv_builder_end (names);
  c2g_save_options_set_names (options, (const char * const *) all);
  c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_MINIDB);
  return g_steal_pointer (&workspace);
}

/**
 * c2g_predictor_save:
 * @self: a predictor
 * @file: the file to write; an existing file is replaced
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Saves the model as a minidb database.
 *
 * Both [ctor@Predictor.load] and Caffe2's `load_from_db` can read it. It contains the net as it was
 * written, not the optimized one, and the parameters as they are in the workspace now. Inputs are
 * not saved.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if a blob that the net reads does not exist,
 * `C2G_ERROR_INVALID_ARGUMENT` if the name of the file is that of another kind, such as `.npz`, and
 * those of [method@Workspace.save_checkpoint].
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_predictor_save (C2gPredictor  *self,
                    GFile         *file,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (C2gSaveOptions) options = NULL;
  g_autoptr (C2gWorkspace) workspace = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  options = c2g_save_options_new ();
  workspace = prepare (self, file, options, error);
  return workspace != NULL &&
         c2g_workspace_save_checkpoint (workspace, file, options, cancellable, error);
}

/**
 * c2g_predictor_save_async:
 * @self: a predictor
 * @file: the file to write; an existing file is replaced
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (nullable) (closure user_data): called when the file was written
 * @user_data: for @callback
 *
 * Saves the model in the background, see [method@Predictor.save].
 *
 * The file gets the parameters as they are now. The model may be run, optimized and released
 * meanwhile. Elements must not be written in place before the callback, so a net that trains the
 * model or updates running statistics must not run.
 */
void
c2g_predictor_save_async (C2gPredictor        *self,
                          GFile               *file,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (C2gSaveOptions) options = NULL;
  g_autoptr (C2gWorkspace) workspace = NULL;
  GError *error = NULL;

  g_return_if_fail (C2G_IS_PREDICTOR (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = task_new (self, c2g_predictor_save_async, cancellable, callback, user_data);
  options = c2g_save_options_new ();
  workspace = prepare (self, file, options, &error);
  if (workspace == NULL)
    {
      task_end (task, FALSE, error);
      return;
    }
  c2g_workspace_save_checkpoint_async (workspace, file, options, cancellable, saved_cb,
                                       g_steal_pointer (&task));
}

/**
 * c2g_predictor_save_finish:
 * @self: a predictor
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes an operation started by [method@Predictor.save_async].
 *
 * Errors: those of [method@Predictor.save].
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_predictor_save_finish (C2gPredictor  *self,
                           GAsyncResult  *result,
                           GError       **error)
{
  return task_finish (self, result, c2g_predictor_save_async, error);
}
