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
 * predictor = C2g.Predictor.load(Gio.File.new_for_path('squeezenet'), None, None, None)
 * probabilities, = predictor.run([picture], None)
 * ```
 *
 * Tensors that are given are used where they are, without a copy: what a net writes to its
 * input, it writes there. Tensors that come back are the model's own, and change when it is
 * run again.
 *
 * ## Threads
 *
 * One thread at a time may use a predictor.
 */

struct _C2gPredictor
{
  GObject        parent_instance;

  C2gWorkspace  *workspace;
  /* As it came; the net may be another. */
  C2gNetDef     *def;
  /* Where all operators run, wherever they say, or NULL. */
  C2gDevice     *device;
  C2gNet        *net;
  char         **inputs;
  char         **outputs;
};

G_DEFINE_FINAL_TYPE (C2gPredictor, c2g_predictor, G_TYPE_OBJECT)

static void
c2g_predictor_finalize (GObject *object)
{
  C2gPredictor *self = C2G_PREDICTOR (object);

  g_strfreev (self->inputs);
  g_strfreev (self->outputs);
  g_clear_object (&self->net);
  g_clear_object (&self->def);
  g_clear_object (&self->workspace);

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
}

C2gWorkspace *
c2g_predictor_new_workspace (C2gWorkspace *parent)
{
  return parent != NULL ? c2g_workspace_new_with_parent (parent) : c2g_workspace_new ();
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
        g_string_append_printf (text, "%s“%s”", text->len > 0 ? ", " : "", op_type);
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

static gboolean
fill_blobs (const C2gPredictorSource  *source,
            const C2gNetOptions       *options,
            GCancellable              *cancellable,
            GError                   **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (source->init_nets); i++)
    {
      g_autoptr (C2gNet) net = NULL;

      if (source->init_nets[i] == NULL)
        continue;
      net = c2g_net_new (source->init_nets[i], source->workspace, options, error);
      if (net == NULL || !c2g_net_run (net, cancellable, error))
        return FALSE;
    }

  return TRUE;
}

static void
add_outputs (GHashTable *made,
             C2gNetDef  *def)
{
  for (gsize i = 0; def != NULL && i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);
      const char * const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; outputs[j] != NULL; j++)
        g_hash_table_add (made, (gpointer) outputs[j]);
    }
}

static void
add_input (GPtrArray  *inputs,
           GHashTable *made,
           const char *name)
{
  if (g_hash_table_add (made, (gpointer) name))
    g_ptr_array_add (inputs, g_strdup (name));
}

/* What the net reads although nobody has made it. */
static char **
find_unmade (const C2gPredictorSource *source,
             const char * const       *externals)
{
  g_autoptr (GHashTable) made = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *inputs = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (source->init_nets); i++)
    add_outputs (made, source->init_nets[i]);
  for (gsize i = 0; externals[i] != NULL; i++)
    if (!c2g_workspace_has_blob (source->workspace, externals[i]))
      add_input (inputs, made, externals[i]);

  for (gsize i = 0; externals[0] == NULL && i < c2g_net_def_get_n_operators (source->predict_net);
       i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (source->predict_net, i);
      const char * const *names = c2g_operator_def_get_inputs (op);

      for (gsize j = 0; names[j] != NULL; j++)
        if (!c2g_workspace_has_blob (source->workspace, names[j]))
          add_input (inputs, made, names[j]);
      names = c2g_operator_def_get_outputs (op);
      for (gsize j = 0; names[j] != NULL; j++)
        g_hash_table_add (made, (gpointer) names[j]);
    }

  g_ptr_array_add (inputs, NULL);
  return (char **) g_ptr_array_free (inputs, FALSE);
}

/* A single zero, or nothing at all. */
static gboolean
is_placeholder (C2gWorkspace *workspace,
                const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, NULL);
  C2gTensor *tensor = blob != NULL ? c2g_blob_get_tensor (blob, NULL) : NULL;
  gint64 n_elements = tensor != NULL ? c2g_tensor_get_n_elements (tensor) : 2;

  return n_elements == 0 ||
         (n_elements == 1 && c2g_tensor_get_value (tensor, 0, NULL) == 0);
}

static char **
find_placeholders (const C2gPredictorSource *source,
                   const char * const       *externals)
{
  GPtrArray *inputs = g_ptr_array_new ();

  for (gsize i = 0; externals[i] != NULL; i++)
    if (is_placeholder (source->workspace, externals[i]))
      g_ptr_array_add (inputs, g_strdup (externals[i]));

  g_ptr_array_add (inputs, NULL);
  return (char **) g_ptr_array_free (inputs, FALSE);
}

/* Exported models fill all blobs, inputs with a single zero; where none stands out all may be
 * given, as in Caffe2. */
static char **
find_inputs (const C2gPredictorSource *source)
{
  const char * const *externals = c2g_net_def_get_external_inputs (source->predict_net);
  char **inputs;

  if (source->inputs != NULL && source->inputs[0] != NULL)
    return g_strdupv ((char **) source->inputs);

  inputs = find_unmade (source, externals);
  if (inputs[0] != NULL)
    return inputs;
  g_strfreev (inputs);

  inputs = find_placeholders (source, externals);
  if (inputs[0] != NULL)
    return inputs;
  g_strfreev (inputs);
  return g_strdupv ((char **) externals);
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

/* The net wants its inputs to be there, if only by name. */
static gboolean
create_inputs (C2gPredictor  *self,
               GError       **error)
{
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = NULL;

      if (c2g_workspace_has_blob (self->workspace, self->inputs[i]))
        continue;
      blob = c2g_workspace_create_local_blob (self->workspace, self->inputs[i], error);
      if (blob == NULL)
        return FALSE;
    }

  return TRUE;
}

C2gPredictor *
c2g_predictor_new_from (const C2gPredictorSource  *source,
                        GCancellable              *cancellable,
                        GError                   **error)
{
  C2gNetOptions options = { source->device, source->device != NULL };
  g_autoptr (C2gPredictor) self = g_object_new (C2G_TYPE_PREDICTOR, NULL);

  self->workspace = g_object_ref (source->workspace);
  self->def = g_object_ref (source->predict_net);
  self->device = source->device;
  if (!check_types (source, error) || !fill_blobs (source, &options, cancellable, error))
    return NULL;

  self->inputs = find_inputs (source);
  self->outputs = find_outputs (source);
  if (!create_inputs (self, error))
    return NULL;
  self->net = c2g_net_new (source->predict_net, self->workspace, &options, error);
  return self->net != NULL ? g_steal_pointer (&self) : NULL;
}

/**
 * c2g_predictor_create: (constructor)
 * @init_net: (nullable): a net that fills blobs, run once
 * @predict_net: the net that makes outputs of inputs
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): where all operators run, whatever the nets say; `NULL` for where they
 *   say
 * @error: return location for an error
 *
 * Makes a predictor from nets.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` naming all types of operators of both nets that are not
 * known, and those of making nets and of running the first one.
 *
 * Returns: (transfer full): a predictor
 */
C2gPredictor *
c2g_predictor_create (C2gNetDef     *init_net,
                      C2gNetDef     *predict_net,
                      C2gWorkspace  *parent,
                      C2gDevice     *device,
                      GError       **error)
{
  C2gPredictorSource source = { { init_net, NULL }, predict_net, .device = device };
  g_autoptr (C2gWorkspace) workspace = NULL;

  g_return_val_if_fail (init_net == NULL || C2G_IS_NET_DEF (init_net), NULL);
  g_return_val_if_fail (C2G_IS_NET_DEF (predict_net), NULL);
  g_return_val_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  workspace = c2g_predictor_new_workspace (parent);
  source.workspace = workspace;
  return c2g_predictor_new_from (&source, NULL, error);
}

/* The net with everything said that the predictor knows besides. */
static C2gNetDef *
complete_def (C2gPredictor *self)
{
  C2gNetDef *def = c2g_net_def_copy (self->def);

  c2g_net_def_set_external_outputs (def, (const char * const *) self->outputs);
  for (gsize i = 0; self->device != NULL && i < c2g_net_def_get_n_operators (def); i++)
    c2g_operator_def_set_device (c2g_net_def_get_operator (def, i), self->device);
  return def;
}

/**
 * c2g_predictor_optimize:
 * @self: a predictor
 * @flags: what may be done; with `C2G_OPTIMIZE_NONE` the net is as it was again
 * @error: return location for an error
 *
 * Runs another net from now on, which computes the same outputs, but faster or with less
 * memory; see [method@NetDef.optimize] for what it may not do.
 *
 * Only inputs and outputs of the predictor keep their names.
 *
 * Errors: those of [method@NetDef.optimize] and of making nets. The predictor is as it was
 * then.
 *
 * Returns: `TRUE` if it is done
 */
gboolean
c2g_predictor_optimize (C2gPredictor      *self,
                        C2gOptimizeFlags   flags,
                        GError           **error)
{
  g_autoptr (C2gNetDef) complete = NULL;
  g_autoptr (C2gNetDef) def = NULL;
  C2gNetOptions options;
  C2gNet *net;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  options = (C2gNetOptions) { self->device, self->device != NULL };
  complete = complete_def (self);
  def = flags != C2G_OPTIMIZE_NONE
          ? c2g_net_def_optimize (complete, self->workspace, flags, error)
          : g_object_ref (self->def);
  net = def != NULL ? c2g_net_new (def, self->workspace, &options, error) : NULL;
  if (net == NULL)
    return FALSE;

  g_object_unref (self->net);
  self->net = net;
  return TRUE;
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
 * Gets the net that makes outputs of inputs.
 *
 * Returns: (transfer none): the net
 */
C2gNet *
c2g_predictor_get_net (C2gPredictor *self)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  return self->net;
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
set_input (C2gPredictor  *self,
           const char    *name,
           C2gTensor     *input,
           GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, name, error);
  C2gTensor *tensor = NULL;

  if (blob != NULL)
    tensor = c2g_blob_ensure_tensor (blob, c2g_tensor_get_device (input), error);
  if (tensor != NULL &&
      (tensor == input || (c2g_tensor_resize_like (tensor, input, error) &&
                           c2g_tensor_share_data (tensor, input, error))))
    return TRUE;

  g_prefix_error (error, _("Input “%s”: "), name);
  return FALSE;
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
 * Gives an input by its name, for the next runs.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no input of that name, and those of
 * [method@Tensor.share_data].
 *
 * Returns: `TRUE` if the tensor is used
 */
gboolean
c2g_predictor_set_input (C2gPredictor  *self,
                         const char    *name,
                         C2gTensor     *tensor,
                         GError       **error)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (g_strv_contains ((const char * const *) self->inputs, name))
    return set_input (self, name, tensor, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("There is no input “%s”"), name);
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

static C2gTensor **
get_outputs (C2gPredictor  *self,
             gsize         *n_outputs,
             GError       **error)
{
  gsize n = g_strv_length (self->outputs);
  g_autofree C2gTensor **outputs = g_new0 (C2gTensor *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      outputs[i] = get_output (self, self->outputs[i], error);
      if (outputs[i] == NULL)
        return NULL;
    }

  *n_outputs = n;
  return g_steal_pointer (&outputs);
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
 * Inputs that are not given have what they had the last time; they can be given by their
 * names, too, see [method@Predictor.set_input].
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` if there are more tensors than inputs, and those of
 * [method@Net.run].
 *
 * Returns: (transfer container) (array length=n_outputs): the outputs
 */
C2gTensor **
c2g_predictor_run (C2gPredictor  *self,
                   C2gTensor    **inputs,
                   gsize          n_inputs,
                   gsize         *n_outputs,
                   GCancellable  *cancellable,
                   GError       **error)
{
  gsize n;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (inputs != NULL || n_inputs == 0, NULL);
  g_return_val_if_fail (n_outputs != NULL, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_outputs = 0;
  n = g_strv_length (self->inputs);
  if (n_inputs > n)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                   _("There are %zu tensors, expected at most %zu"), n_inputs, n);
      return NULL;
    }

  for (gsize i = 0; i < n_inputs; i++)
    if (!set_input (self, self->inputs[i], inputs[i], error))
      return NULL;
  if (!c2g_net_run (self->net, cancellable, error))
    return NULL;
  return get_outputs (self, n_outputs, error);
}
