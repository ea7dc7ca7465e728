/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/net/run/c2g-net-check-private.h>
#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>
#include <c2g/io/stream/c2g-context-call-private.h>

/**
 * C2gPredictor:
 *
 * A trained model that is ready to be run.
 *
 * ```python
 * predictor = C2g.Predictor.load('squeezenet')
 * picture = C2g.Tensor.new_from_picture('cat.jpg', predictor.dup_picture_options())
 * probabilities = predictor(picture)
 * ```
 *
 * A model is two nets: one fills blobs with the parameters and is run when the predictor is made;
 * the other computes outputs from inputs. They are in a workspace of the predictor.
 *
 * Given tensors are used without a copy, unless the net overwrites its input. Returned tensors are
 * copies, which later runs do not change.
 *
 * The predictor runs an optimized net with the same outputs, as far as its flags allow;
 * [method@Predictor.optimize] changes them later.
 *
 * A model is a program of somebody else. It may read files below the folder that it was loaded
 * from, and no others, and may not write any. A program that trusts the model sets
 * [property@Workspace:file-access] of the parent workspace.
 *
 * ```python
 * parent = C2g.Workspace(file_access=C2g.FileAccess.ROOT_FOLDER, root_folder='/tmp/model')
 * predictor = C2g.Predictor.load('squeezenet', parent)
 * ```
 *
 * ## Threads
 *
 * Runs and inputs set by name may come from any thread. One run at a time uses the predictor; one
 * started by [method@Predictor.run_async] does so until [method@Predictor.run_finish], and loads of
 * parameters are as runs. Meanwhile
 * further runs of [method@Predictor.run_async] wait and run in order, whereas
 * [method@Predictor.run] and [method@Predictor.optimize] fail with `C2G_ERROR_BUSY`. The tensors
 * that [method@Predictor.get_output] returns, and the workspace, belong to the model; use them only
 * in the thread that runs it.
 */

G_DEFINE_FINAL_TYPE (C2gPredictor, c2g_predictor, G_TYPE_OBJECT)

static void
c2g_predictor_finalize (GObject *object)
{
  C2gPredictor *self = C2G_PREDICTOR (object);

  for (gsize i = 0; self->given != NULL && self->inputs[i] != NULL; i++)
    {
      g_clear_object (&self->given[i]);
      g_clear_object (&self->patterns[i]);
    }
  g_free (self->given);
  g_free (self->patterns);
  g_free (self->former);
  g_free (self->contents);
  g_strfreev (self->inputs);
  g_strfreev (self->outputs);
  g_strfreev (self->labels);
  g_clear_object (&self->file);
  g_clear_object (&self->net);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_object (&self->def);
  g_clear_object (&self->workspace);
  c2g_predictor_clear_held (&self->handed_over);
  c2g_predictor_clear_held (&self->got_nets);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_predictor_parent_class)->finalize (object);
}

static void
c2g_predictor_class_init (C2gPredictorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_predictor_finalize;
}

/* Languages can make a predictor by new, and then call anything. Without a model it has an empty
 * workspace and an empty net. */
static void
c2g_predictor_init (C2gPredictor *self)
{
  g_autoptr (C2gNetDef) def = c2g_net_def_new ("");

  g_mutex_init (&self->lock);
  self->workspace = c2g_workspace_new ();
  self->net = c2g_net_new (def, self->workspace, NULL, NULL);
  self->inputs = g_new0 (char *, 1);
  self->outputs = g_new0 (char *, 1);
}

gboolean
c2g_predictor_check_model (C2gPredictor  *self,
                           GError       **error)
{
  return self->def != NULL ||
         c2g_fail (error, C2G_ERROR_FAILED,
                   _("The predictor has no model: load one, for example by c2g_predictor_load ()"));
}

/* Creates the workspace of a model. A model is a stranger's program, so it may only read files in
 * its own folder, unless rules were set for the parent workspace. */
C2gWorkspace *
c2g_predictor_new_workspace (C2gWorkspace *parent)
{
  C2gWorkspace *self = c2g_workspace_new_with_parent (parent);
  g_auto (C2gFileRules) rules = { 0 };

  c2g_workspace_get_file_rules (self, &rules);
  if (!rules.is_set)
    c2g_workspace_set_file_access (self, C2G_FILE_ACCESS_MODEL);
  return self;
}

/* Lists the unknown operator types of all nets in one error. */
static gboolean
check_types (const C2gPredictorSource  *source,
             GError                   **error)
{
  C2gNetDef *defs[] = { source->init_nets[0], source->init_nets[1], source->predict_net };
  g_autofree char *unknown = c2g_net_check_list_unknown (defs, G_N_ELEMENTS (defs));

  return unknown == NULL ||
         c2g_fail (error, C2G_ERROR_NOT_FOUND,
                   _("The model “%s” needs operators of types that are not known: %s"),
                   c2g_net_get_def_name (source->predict_net), unknown);
}

typedef struct
{
  const C2gPredictorSource *source;
  C2gNetDef                *def;
  C2gNet                   *net;
} Making;

static GBytes *
make_net_cb (gpointer   data,
             GError   **error)
{
  Making *making = data;
  const C2gPredictorSource *source = making->source;
  const C2gNetOptions options = { source->device, source->device != NULL };

  making->net = c2g_net_new (making->def, source->workspace, &options, error);
  return making->net != NULL ? g_bytes_new (NULL, 0) : NULL;
}

/* Makes the net in the caller's thread, because operators in other languages must be made where
 * they run. */
C2gNet *
c2g_predictor_make_net (const C2gPredictorSource  *source,
                        C2gNetDef                 *def,
                        GError                   **error)
{
  Making making = { source, def, NULL };
  GBytes *done = c2g_context_call (source->home, make_net_cb, &making, NULL, NULL, error);

  g_clear_pointer (&done, g_bytes_unref);
  return making.net;
}

static gboolean
fill_blobs (const C2gPredictorSource  *source,
            GCancellable              *cancellable,
            GError                   **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (source->init_nets); i++)
    {
      g_autoptr (C2gNet) net = NULL;

      if (source->init_nets[i] == NULL)
        continue;
      net = c2g_predictor_make_net (source, source->init_nets[i], error);
      if (net == NULL || !c2g_net_run_away (net, source->home, cancellable, error))
        return FALSE;
    }

  return TRUE;
}

/* If the net declares no outputs, these are the outputs of the last operator. */
static char **
find_outputs (const C2gPredictorSource *source)
{
  const char * const *externals = c2g_net_def_get_external_outputs (source->predict_net);
  gsize n_operators = c2g_net_def_get_n_operators (source->predict_net);

  if (source->outputs != NULL && source->outputs[0] != NULL)
    externals = source->outputs;
  else if (externals[0] == NULL && n_operators > 0)
    externals = c2g_operator_def_get_outputs (
      c2g_net_def_get_operator (source->predict_net, n_operators - 1));
  return g_strdupv ((char **) externals);
}

/* Returns a tensor of the shape and the type of that in a blob, without data. */
static C2gTensor *
copy_pattern (C2gBlob *blob)
{
  C2gTensor *tensor = c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;
  C2gTensor *pattern = tensor != NULL ? c2g_tensor_new_sized (tensor->dims, tensor->n_dims, NULL, NULL) : NULL;

  if (pattern != NULL)
    c2g_tensor_set_meta (pattern, tensor->meta, NULL);
  return pattern;
}

/* Creates the blobs of the inputs, empty, because the net needs them to exist. They are local, even
 * if the parent has blobs of these names. */
static gboolean
create_inputs (C2gPredictor  *self,
               GError       **error)
{
  self->patterns = g_new0 (C2gTensor *, g_strv_length (self->inputs) + 1);
  self->given = g_new0 (C2gTensor *, g_strv_length (self->inputs) + 1);
  self->former = g_new0 (C2gTensor *, g_strv_length (self->inputs) + 1);
  self->contents = g_new0 (C2gBlob *, g_strv_length (self->inputs) + 1);
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob =
        c2g_workspace_create_local_blob (self->workspace, self->inputs[i], error);

      if (blob == NULL)
        return FALSE;
      self->patterns[i] = copy_pattern (blob);
    }
  return TRUE;
}

static C2gPredictor *
make (const C2gPredictorSource  *source,
      GCancellable              *cancellable,
      GError                   **error)
{
  g_autoptr (C2gPredictor) self = g_object_new (C2G_TYPE_PREDICTOR, NULL);
  g_autoptr (GError) reason = NULL;

  g_set_object (&self->workspace, source->workspace);
  self->def = c2g_net_def_copy (source->predict_net);
  self->device = source->device;
  if (!check_types (source, error) || !fill_blobs (source, cancellable, error))
    return NULL;

  g_strfreev (self->inputs);
  self->inputs = c2g_predictor_find_inputs (source, &self->are_required);
  g_strfreev (self->outputs);
  self->outputs = find_outputs (source);
  if (!create_inputs (self, error))
    return NULL;
  g_object_unref (self->net);
  self->net = c2g_predictor_make_net (source, source->predict_net, error);
  if (self->net == NULL || !c2g_predictor_place_parameters (self, error))
    return NULL;

  /* The net as written works, so the model is fine. If optimizing fails, for example for lack of
   * memory, the net runs as written. */
  if (!c2g_predictor_change_net (self, source->flags, source->home, &reason))
    g_debug ("The net runs as it was written, for it cannot be optimized: %s", reason->message);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Many machines have no GPU, and a model can be moved to the CPU without changing its files. */
static void
suggest_cpu (const C2gPredictorSource  *source,
             GError                   **error)
{
  g_autofree char *message = NULL;

  if (error == NULL || source->device == c2g_device_cpu () ||
      !g_error_matches (*error, C2G_ERROR, C2G_ERROR_DEVICE))
    return;
  message = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf (_("%s; with the device “cpu” it runs on the processor"), message);
}

C2gPredictor *
c2g_predictor_new_from (const C2gPredictorSource  *source,
                        GCancellable              *cancellable,
                        GError                   **error)
{
  C2gPredictor *self = make (source, cancellable, error);

  if (self == NULL)
    suggest_cpu (source, error);
  return self;
}

/**
 * c2g_predictor_create: (constructor)
 * @init_net: (nullable): a net that fills blobs, run once
 * @predict_net: the net to run
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): the device on which all operators run; `NULL` keeps those in the definitions
 * @flags: the allowed optimizations: `C2G_OPTIMIZE_ALL` is best for most programs,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of the net
 * @error: return location for an error
 *
 * Makes a predictor from nets.
 *
 * With @flags the predictor runs a net that computes the same outputs, but faster or with less
 * memory; see [method@Predictor.optimize]. If no such net can be made, for example for lack of
 * memory, it runs the net as it was written.
 *
 * Parameters filled or loaded by the first net are copied to the device of the operators that read
 * them, unless one of these operators reads them where they are.
 *
 * The nets may not use files, unless [property@Workspace:file-access] or
 * [property@Workspace:model-folder] of @parent is set; with the latter they may read files below
 * that folder.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` with the names of all unknown operator types in both nets, and
 * those of making nets and of running the first one.
 *
 * Returns: (transfer full): a predictor
 */
C2gPredictor *
c2g_predictor_create (C2gNetDef         *init_net,
                      C2gNetDef         *predict_net,
                      C2gWorkspace      *parent,
                      C2gDevice         *device,
                      C2gOptimizeFlags   flags,
                      GError           **error)
{
  C2gPredictorSource source = { { init_net, NULL }, predict_net, .device = device, .flags = flags };
  g_autoptr (C2gWorkspace) workspace = NULL;

  g_return_val_if_fail (init_net == NULL || C2G_IS_NET_DEF (init_net), NULL);
  g_return_val_if_fail (C2G_IS_NET_DEF (predict_net), NULL);
  g_return_val_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  workspace = c2g_predictor_new_workspace (parent);
  source.workspace = workspace;
  return c2g_predictor_new_from (&source, NULL, error);
}

/**
 * c2g_predictor_get_workspace:
 * @self: a predictor
 *
 * Gets the workspace of the predictor, which contains the parameters.
 *
 * Returns: (transfer none): the workspace
 */
C2gWorkspace *
c2g_predictor_get_workspace (C2gPredictor *self)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  return self->workspace;
}

/**
 * c2g_predictor_get_net:
 * @self: a predictor
 *
 * Gets the net that the predictor runs.
 *
 * If it was optimized, it has other operators than the net as it was written.
 *
 * The net belongs to the predictor. A run replaces it if parameters have changed, and so does
 * [method@Predictor.optimize]. The predictor keeps a replaced net until the thread that got it gets
 * another one or ends, and no longer than it lives itself: take a reference to use it longer. Signal
 * handlers and observers stay with the net that they were connected to.
 *
 * Returns: (transfer none): the net
 */
C2gNet *
c2g_predictor_get_net (C2gPredictor *self)
{
  C2gNet *net;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  g_mutex_lock (&self->lock);
  net = g_object_ref (self->net);
  g_mutex_unlock (&self->lock);
  c2g_predictor_hold (self, &self->got_nets, net, g_object_unref, 0);
  return net;
}

/**
 * c2g_predictor_get_inputs:
 * @self: a predictor
 *
 * Gets the names of the inputs, in the order in which tensors are given.
 *
 * If the model does not declare its inputs, these are the blobs that the net reads and nothing
 * fills. If there are none, they are the blobs filled with a single zero, as in exported models. If
 * there are none of these either, they are all blobs that the net reads and does not write.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char * const *
c2g_predictor_get_inputs (C2gPredictor *self)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  return (const char * const *) self->inputs;
}

/**
 * c2g_predictor_get_outputs:
 * @self: a predictor
 *
 * Gets the names of the outputs, in the order in which tensors are returned.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char * const *
c2g_predictor_get_outputs (C2gPredictor *self)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  return (const char * const *) self->outputs;
}
