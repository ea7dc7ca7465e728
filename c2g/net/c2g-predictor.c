/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-predictor-private.h>

#include <c2g/net/c2g-net-private.h>
#include <c2g/net/c2g-operator-registry-private.h>
#include <c2g/net/c2g-workspace-net.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-tensor-private.h>
#include <c2g/core/c2g-workspace-private.h>
#include <c2g/io/c2g-context-call-private.h>

/**
 * C2gPredictor:
 *
 * A trained model that is ready to be run.
 *
 * A model is two nets: one that fills blobs with what was learned, which is run when the
 * predictor is made, and one that makes outputs of inputs. They are in a workspace of the
 * predictor's own.
 *
 * ```python
 * predictor = C2g.Predictor.load(Gio.File.new_for_path('squeezenet'), None, None,
 *                                C2g.OptimizeFlags.ALL, None)
 * probabilities, = predictor.run([picture], None)
 * ```
 *
 * Tensors that are given are used where they are, without a copy, unless the net writes
 * over its input. Tensors that come back are copies: later runs do not change them.
 *
 * The net that runs is a faster and smaller one with the same outputs, as far as the flags that a
 * predictor is made with allow; [method@Predictor.optimize] changes that later.
 *
 * A model is a program of somebody else. It may read files below the folder that it was loaded
 * from, and no others; it may write none. A program that trusts it gives a parent whose
 * [property@Workspace:file-access] says what it may use.
 *
 * ```python
 * parent = C2g.Workspace(file_access=C2g.FileAccess.ROOT_FOLDER, root_folder='/tmp/model')
 * predictor = C2g.Predictor.load(file, parent, None, C2g.OptimizeFlags.ALL, None)
 * ```
 *
 * ## Threads
 *
 * Runs, and inputs that are given by name, may come from any thread. One run at a time has the
 * predictor, one of [method@Predictor.run_async] until [method@Predictor.run_finish]: runs
 * that are asked for by [method@Predictor.run_async] meanwhile wait, and run in their order,
 * whereas [method@Predictor.run] and [method@Predictor.optimize] get `C2G_ERROR_BUSY`. What
 * [method@Predictor.get_output] and the workspace give is the model's own, and for the thread
 * that runs it.
 */

/* For how many threads outputs are kept.  In languages there is a moment between the return of a
 * function and their own reference: no other threads run the model so often in it. */
#define MAX_HANDED_OVER 16

/* The outputs that a thread got. */
typedef struct
{
  GThread    *thread;
  C2gTensor **outputs;
} HandedOver;

G_DEFINE_FINAL_TYPE (C2gPredictor, c2g_predictor, G_TYPE_OBJECT)

static void
handed_over_free (gpointer data)
{
  HandedOver *self = data;

  c2g_predictor_free_tensors (self->outputs);
  g_free (self);
}

static void
c2g_predictor_finalize (GObject *object)
{
  C2gPredictor *self = C2G_PREDICTOR (object);

  for (gsize i = 0; self->given != NULL && self->inputs[i] != NULL; i++)
    g_clear_object (&self->given[i]);
  g_free (self->given);
  g_free (self->former);
  g_free (self->contents);
  g_strfreev (self->inputs);
  g_strfreev (self->outputs);
  g_clear_object (&self->net);
  g_clear_object (&self->left_net);
  g_clear_object (&self->def);
  g_clear_object (&self->workspace);
  g_queue_clear_full (&self->handed_over, handed_over_free);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_predictor_parent_class)->finalize (object);
}

static void
c2g_predictor_class_init (C2gPredictorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_predictor_finalize;
}

static void
c2g_predictor_init (C2gPredictor *self)
{
  g_mutex_init (&self->lock);
}

/* A model is a stranger's program, unless somebody has said what it may use. */
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

static void
collect_missing (C2gNetDef  *def,
                 GHashTable *seen,
                 GString    *text)
{
  for (gsize i = 0; def != NULL && i < c2g_net_def_get_n_operators (def); i++)
    {
      const char *op_type = c2g_operator_def_get_op_type (c2g_net_def_get_operator (def, i));

      if (op_type == NULL || c2g_operator_registry_has (op_type))
        continue;
      if (g_hash_table_add (seen, (gpointer) op_type))
        g_string_append_printf (text, "%s“%s”", text->len > 0 ? _(", ") : "", op_type);
    }
}

/* Of all nets at once: who ports a model wants to know what he is in for. */
static gboolean
check_types (const C2gPredictorSource  *source,
             GError                   **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (source->init_nets); i++)
    collect_missing (source->init_nets[i], seen, text);
  collect_missing (source->predict_net, seen, text);
  if (text->len == 0)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("The model “%s” needs operators of types that are not known: %s"),
               c2g_net_get_def_name (source->predict_net), text->str);
  return FALSE;
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

static void
keep (gpointer data)
{
}

/* Operators that are not written in C are made where they run. */
C2gNet *
c2g_predictor_make_net (const C2gPredictorSource  *source,
                        C2gNetDef                 *def,
                        GError                   **error)
{
  Making making = { source, def, NULL };
  GBytes *done = c2g_context_call (source->home, make_net_cb, &making, keep, NULL, error);

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

/* Where none are declared, those of the last operator. */
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

/* The net wants its inputs to be there, if only by name; no blob of the parent is one. */
static gboolean
create_inputs (C2gPredictor  *self,
               GError       **error)
{
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob =
        c2g_workspace_create_local_blob (self->workspace, self->inputs[i], error);

      if (blob == NULL)
        return FALSE;
    }

  self->given = g_new0 (C2gTensor *, g_strv_length (self->inputs) + 1);
  self->former = g_new0 (C2gTensor *, g_strv_length (self->inputs) + 1);
  self->contents = g_new0 (C2gBlob *, g_strv_length (self->inputs) + 1);
  return TRUE;
}

C2gPredictor *
c2g_predictor_new_from (const C2gPredictorSource  *source,
                        GCancellable              *cancellable,
                        GError                   **error)
{
  g_autoptr (C2gPredictor) self = g_object_new (C2G_TYPE_PREDICTOR, NULL);

  self->workspace = g_object_ref (source->workspace);
  self->def = c2g_net_def_copy (source->predict_net);
  self->device = source->device;
  if (!check_types (source, error) || !fill_blobs (source, cancellable, error))
    return NULL;

  self->inputs = c2g_predictor_find_inputs (source, &self->are_required);
  self->outputs = find_outputs (source);
  if (!create_inputs (self, error))
    return NULL;
  self->net = c2g_predictor_make_net (source, source->predict_net, error);
  if (self->net == NULL || !c2g_predictor_place_parameters (self, error))
    return NULL;

  /* The net as it is written could be made, so nothing is wrong with the model.  Where memory is
   * too short to make a faster one, for example, it runs as it is. */
  c2g_predictor_change_net (self, source->flags, source->home, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * c2g_predictor_create: (constructor)
 * @init_net: (nullable): a net that fills blobs, run once
 * @predict_net: the net that makes outputs of inputs
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): where all operators run, whatever the nets say; `NULL` for where they
 *   say
 * @flags: what may be done to the net: `C2G_OPTIMIZE_ALL` is what most want,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of it
 * @error: return location for an error
 *
 * Makes a predictor from nets.
 *
 * With @flags the predictor runs a net that computes the same outputs, but faster or with less
 * memory; [method@Predictor.optimize] tells more. Where no such net can be made, for lack of memory
 * for example, it runs the one that was written.
 *
 * Where the nets name devices, what the first one has filled, or loaded, comes to the device
 * of the operators that read it, unless one of them is where it is already.
 *
 * The nets may use no files, unless [property@Workspace:file-access] of @parent was set, or
 * [property@Workspace:model-folder], below which they may read.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` naming all types of operators of both nets that are not
 * known, and those of making nets and of running the first one.
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
 * Gets the workspace of the predictor, with what the model has learned.
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
 * Gets the net that makes outputs of inputs, as the predictor runs it: it may have other operators
 * than the one that was written.
 *
 * Returns: (transfer none): the net
 */
C2gNet *
c2g_predictor_get_net (C2gPredictor *self)
{
  C2gNet *net;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  g_mutex_lock (&self->lock);
  net = self->net;
  g_mutex_unlock (&self->lock);
  return net;
}

/**
 * c2g_predictor_get_inputs:
 * @self: a predictor
 *
 * Gets the names of the inputs, in the order in which tensors are given.
 *
 * Where the model does not tell which they are, they are what its net reads from outside
 * and was not filled before; if all was, what was filled with a single zero, which is how
 * models are exported; or else all that it reads from outside.
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
 * Gets the names of the outputs, in the order in which tensors come back.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char * const *
c2g_predictor_get_outputs (C2gPredictor *self)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  return (const char * const *) self->outputs;
}

static gboolean
is_written (C2gNet  *net,
            C2gBlob *blob)
{
  C2gNetPrivate *priv = c2g_net_get_private (net);

  for (guint i = 0; i < priv->n_operators; i++)
    for (guint j = 0; j < c2g_operator_get_n_outputs (priv->operators[i]); j++)
      if (c2g_operator_get_output (priv->operators[i], j) == blob)
        return TRUE;
  return FALSE;
}

static gboolean
lay_over (C2gTensor  *tensor,
          C2gTensor  *given,
          gboolean    is_copied,
          GError    **error)
{
  if (tensor == given)
    return TRUE;
  if (is_copied)
    return c2g_tensor_copy_from (tensor, given, NULL, error);
  return c2g_tensor_resize_like (tensor, given, error) &&
         c2g_tensor_share_data (tensor, given, error);
}

/* Lays the blob of an input over what was given for it; where the net is going to write the
 * blob it has a copy. */
static gboolean
share_input (C2gPredictor  *self,
             C2gNet        *net,
             gsize          input,
             GError       **error)
{
  C2gTensor *given = self->given[input];
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor = NULL;
  C2gDevice *device;

  blob = c2g_workspace_get_blob (self->workspace, self->inputs[input], error);
  device = c2g_net_get_input_device (net, self->inputs[input]);
  if (device == NULL)
    device = c2g_tensor_get_device (given);
  if (blob != NULL)
    tensor = c2g_blob_ensure_tensor (blob, device, error);
  if (tensor != NULL &&
      lay_over (tensor, given, is_written (net, blob) || device != c2g_tensor_get_device (given),
                error))
    return TRUE;

  g_prefix_error (error, _("Input “%s”: "), self->inputs[input]);
  return FALSE;
}

static gboolean
check_input (C2gPredictor  *self,
             gsize          input,
             C2gTensor     *tensor,
             GError       **error)
{
  if (c2g_tensor_is_defined (tensor) &&
      (c2g_tensor_get_n_elements (tensor) == 0 || c2g_tensor_is_allocated (tensor)))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("Input “%s”: The tensor has no data"), self->inputs[input]);
  return FALSE;
}

static gboolean
check_given (C2gPredictor  *self,
             gsize          input,
             GError       **error)
{
  if (!self->are_required ||
      !c2g_predictor_is_placeholder (self->workspace, self->inputs[input]))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("Nothing was given for the input “%s”"),
               self->inputs[input]);
  return FALSE;
}

/* A tensor from get_output() may be given as an input: then this run writes it
 * elsewhere. */
static void
part_from_outputs (C2gNet    *net,
                   C2gTensor *input)
{
  C2gNetPrivate *priv = c2g_net_get_private (net);

  for (guint i = 0; i < priv->n_operators; i++)
    for (guint j = 0; j < c2g_operator_get_n_outputs (priv->operators[i]); j++)
      {
        C2gBlob *blob = c2g_operator_get_output (priv->operators[i], j);
        C2gTensor *output = c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;

        if (output != NULL && output != input && output->storage != NULL &&
            output->storage == input->storage)
          c2g_tensor_free_memory (output);
      }
}

gboolean
c2g_predictor_prepare_inputs (C2gPredictor  *self,
                              C2gNet        *net,
                              GError       **error)
{
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    if (self->given[i] == NULL ? !check_given (self, i, error) : !share_input (self, net, i, error))
      return FALSE;

  for (gsize i = 0; self->inputs[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = NULL;

      if (self->given[i] == NULL)
        continue;
      blob = c2g_workspace_get_blob (self->workspace, self->inputs[i], NULL);
      part_from_outputs (net, c2g_blob_get_tensor (blob, NULL));
    }
  return TRUE;
}

static C2gTensor *
get_output (C2gPredictor  *self,
            const char    *name,
            GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, name, error);
  C2gTensor *tensor = blob != NULL ? c2g_blob_get_tensor (blob, error) : NULL;

  if (tensor == NULL)
    g_prefix_error (error, _("Output “%s”: "), name);
  return tensor;
}

/**
 * c2g_predictor_set_input:
 * @self: a predictor
 * @name: the name of an input
 * @tensor: what it is from now on
 * @error: return location for an error
 *
 * Gives an input by its name, for all later runs of the predictor: each uses what the tensor
 * is then, and brings it into the blob. Until the next of them the blob has what it had before:
 * whoever runs or measures [method@Predictor.get_net] by itself runs the predictor first.
 *
 * A run that was asked for before, by [method@Predictor.run_async], does not use it, also if it
 * has not begun.
 *
 * What the tensor is like is seen by runs alone, which fail as long as a wrong one is given.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no input of that name,
 * `C2G_ERROR_INVALID_ARGUMENT` if the tensor has no data.
 *
 * Returns: `TRUE` if the tensor is used
 */
gboolean
c2g_predictor_set_input (C2gPredictor  *self,
                         const char    *name,
                         C2gTensor     *tensor,
                         GError       **error)
{
  g_autofree char *names = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  for (gsize i = 0; self->inputs[i] != NULL; i++)
    if (g_str_equal (self->inputs[i], name))
      {
        if (!check_input (self, i, tensor, error))
          return FALSE;
        c2g_predictor_queue_input (self, i, tensor);
        return TRUE;
      }

  names = g_strjoinv ("”, “", self->inputs);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("There is no input “%s”, there are: “%s”"), name, names);
  return FALSE;
}

/**
 * c2g_predictor_get_output:
 * @self: a predictor
 * @name: the name of an output, or of another blob of the model
 * @error: return location for an error
 *
 * Gets what the last run has made, by its name.
 *
 * The tensor is the model's own, no copy: the next run overwrites it, and a run that goes on
 * in another thread is writing it now.
 *
 * Only outputs are sure to be there, with the contents that the net was written for. Other blobs
 * are if the predictor was made with `C2G_OPTIMIZE_NONE`.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no blob of that name, `C2G_ERROR_TYPE` if it
 * holds no tensor.
 *
 * Returns: (transfer full): the tensor
 */
C2gTensor *
c2g_predictor_get_output (C2gPredictor  *self,
                          const char    *name,
                          GError       **error)
{
  C2gTensor *tensor;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  tensor = get_output (self, name, error);
  return tensor != NULL ? g_object_ref (tensor) : NULL;
}

void
c2g_predictor_free_tensors (C2gTensor **tensors)
{
  for (gsize i = 0; tensors[i] != NULL; i++)
    g_object_unref (tensors[i]);
  g_free (tensors);
}

/* The run's own: the model writes over what it has. */
static C2gTensor *
copy_output (C2gPredictor  *self,
             const char    *name,
             GError       **error)
{
  C2gTensor *tensor = get_output (self, name, error);
  C2gTensor *copy;

  if (tensor == NULL)
    return NULL;
  copy = c2g_tensor_clone (tensor, NULL, error);
  if (copy == NULL)
    g_prefix_error (error, _("Output “%s”: "), name);
  return copy;
}

static C2gTensor **
copy_outputs (C2gPredictor  *self,
              guint         *n_outputs,
              GError       **error)
{
  guint n = g_strv_length (self->outputs);
  C2gTensor **outputs = g_new0 (C2gTensor *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      outputs[i] = copy_output (self, self->outputs[i], error);
      if (outputs[i] == NULL)
        {
          c2g_predictor_free_tensors (outputs);
          return NULL;
        }
    }

  *n_outputs = n;
  return outputs;
}

/* The thread's own outputs go first: they make room without those of another one. */
static GQueue
take_old_locked (C2gPredictor *self,
                 GThread      *thread)
{
  GQueue old = G_QUEUE_INIT;

  for (GList *link = self->handed_over.head, *next; link != NULL; link = next)
    {
      next = link->next;
      if (((HandedOver *) link->data)->thread != thread)
        continue;
      g_queue_unlink (&self->handed_over, link);
      g_queue_push_tail_link (&old, link);
    }
  while (self->handed_over.length >= MAX_HANDED_OVER)
    g_queue_push_tail_link (&old, g_queue_pop_head_link (&self->handed_over));
  return old;
}

C2gTensor **
c2g_predictor_hand_over (C2gPredictor *self,
                         C2gTensor   **outputs,
                         guint         n_outputs)
{
  HandedOver *new = g_new (HandedOver, 1);
  GQueue old;

  *new = (HandedOver){ g_thread_self (), outputs };
  g_mutex_lock (&self->lock);
  old = take_old_locked (self, new->thread);
  g_queue_push_tail (&self->handed_over, new);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&old, handed_over_free);
  return g_memdup2 (outputs, (n_outputs + 1) * sizeof *outputs);
}

/* An array from a language may have anything in it. */
gboolean
c2g_predictor_check_tensors (C2gPredictor  *self,
                             C2gTensor    **inputs,
                             guint          n_inputs,
                             GError       **error)
{
  const gsize n = g_strv_length (self->inputs);
  g_autofree char *names = NULL;

  if (n_inputs > n)
    {
      names = g_strjoinv ("”, “", self->inputs);
      g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                   _("Expected at most %zu tensors, for the inputs “%s”, got %u"), n, names,
                   n_inputs);
      return FALSE;
    }
  for (gsize i = 0; i < n_inputs; i++)
    if (!C2G_IS_TENSOR (inputs[i]))
      {
        g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                     _("Input “%s”: This is no tensor"), self->inputs[i]);
        return FALSE;
      }
  return TRUE;
}

/* A tensor stays the object that it is, where it can. */
static void
move_content (C2gBlob *from,
              C2gBlob *to)
{
  C2gTensor *tensor = c2g_blob_is_tensor (from, NULL) ? c2g_blob_get_tensor (from, NULL) : NULL;

  if (tensor != NULL && c2g_blob_is_tensor (to, c2g_tensor_get_device (tensor)))
    c2g_tensor_swap (c2g_blob_get_tensor (to, NULL), tensor);
  else
    c2g_blob_move_from (to, from);
}

/* Keeps the model's own value of the input, to restore it if the run fails. */
static gboolean
keep_input (C2gPredictor  *self,
            gsize          input,
            GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, self->inputs[input], error);
  C2gTensor *tensor;

  if (blob == NULL)
    return FALSE;
  if (self->given[input] != NULL)
    {
      self->former[input] = g_object_ref (self->given[input]);
      return TRUE;
    }

  self->contents[input] = c2g_blob_new ();
  tensor = c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;
  if (tensor != NULL &&
      c2g_blob_ensure_tensor (self->contents[input], c2g_tensor_get_device (tensor), error) == NULL)
    {
      /* Nothing was kept, so nothing must be brought back. */
      g_clear_object (&self->contents[input]);
      return FALSE;
    }
  move_content (blob, self->contents[input]);
  return TRUE;
}

static void
return_input (C2gPredictor *self,
              gsize         input)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, self->inputs[input], NULL);

  g_set_object (&self->given[input], self->former[input]);
  if (blob != NULL && self->contents[input] != NULL)
    move_content (self->contents[input], blob);
}

void
c2g_predictor_end_run (C2gPredictor *self,
                       gboolean      is_done)
{
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    {
      if (!is_done && (self->former[i] != NULL || self->contents[i] != NULL))
        return_input (self, i);
      g_clear_object (&self->former[i]);
      g_clear_object (&self->contents[i]);
    }
}

static gboolean
take_inputs (C2gPredictor  *self,
             C2gTensor    **inputs,
             guint          n_inputs,
             GError       **error)
{
  for (gsize i = 0; i < n_inputs; i++)
    {
      if (!keep_input (self, i, error) || !check_input (self, i, inputs[i], error))
        return FALSE;
      g_set_object (&self->given[i], inputs[i]);
    }
  return c2g_predictor_prepare_inputs (self, self->net, error);
}

static gboolean
run_net (C2gPredictor  *self,
         GMainContext  *home,
         GCancellable  *cancellable,
         GError       **error)
{
  GError *local_error = NULL;

  if (c2g_net_run_away (self->net, home, cancellable, &local_error))
    return TRUE;

  c2g_predictor_explain (self, cancellable, &local_error);
  g_propagate_error (error, local_error);
  return FALSE;
}

C2gTensor **
c2g_predictor_run_reserved (C2gPredictor  *self,
                            C2gTensor    **inputs,
                            guint          n_inputs,
                            GMainContext  *home,
                            guint         *n_outputs,
                            GCancellable  *cancellable,
                            GError       **error)
{
  C2gTensor **outputs;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !c2g_predictor_heed_inputs (self, n_inputs, home, error) ||
      !take_inputs (self, inputs, n_inputs, error) ||
      !run_net (self, home, cancellable, error))
    return NULL;

  outputs = copy_outputs (self, n_outputs, error);
  if (outputs == NULL || !g_cancellable_set_error_if_cancelled (cancellable, error))
    return outputs;
  c2g_predictor_free_tensors (outputs);
  *n_outputs = 0;
  return NULL;
}

/**
 * c2g_predictor_run:
 * @self: a predictor
 * @inputs: (array length=n_inputs): tensors for the first inputs, in their order
 * @n_inputs: how many there are
 * @n_outputs: (out): how many outputs there are
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs the model.
 *
 * Inputs that are not given are what was given the last time; they can be given by their
 * names, too, see [method@Predictor.set_input].
 *
 * The outputs are copies that belong to this run: later runs do not change them. Without a
 * reference the caller may use them until this thread gets those of another run. The predictor
 * keeps them for 16 threads, and no longer than it lives: take a reference before more threads run
 * the model, and before the predictor is released. Whoever wants no copy of a large one gets the
 * model's own with [method@Predictor.get_output].
 *
 * A run that fails, or is cancelled, leaves the inputs as they were given before it: what it was
 * given is not kept.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` if there are more tensors than inputs or one has no
 * data, `C2G_ERROR_NOT_FOUND` if nothing was ever given for an input that the model does not
 * fill itself, `C2G_ERROR_BUSY` if a run goes on, waits, or has not been finished by
 * [method@Predictor.run_finish], and those of [method@Net.run].
 *
 * Returns: (transfer container) (array length=n_outputs): the outputs
 */
C2gTensor **
c2g_predictor_run (C2gPredictor  *self,
                   C2gTensor    **inputs,
                   guint          n_inputs,
                   guint         *n_outputs,
                   GCancellable  *cancellable,
                   GError       **error)
{
  C2gTensor **outputs;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (inputs != NULL || n_inputs == 0, NULL);
  g_return_val_if_fail (n_outputs != NULL, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_outputs = 0;
  if (!c2g_predictor_check_tensors (self, inputs, n_inputs, error) ||
      !c2g_predictor_reserve (self, error))
    return NULL;
  outputs = c2g_predictor_run_reserved (self, inputs, n_inputs, NULL, n_outputs, cancellable,
                                        error);
  c2g_predictor_end_run (self, outputs != NULL);
  c2g_predictor_release (self);
  return outputs != NULL ? c2g_predictor_hand_over (self, outputs, *n_outputs) : NULL;
}
