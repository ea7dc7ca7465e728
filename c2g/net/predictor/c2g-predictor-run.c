/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-names-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>
#include <c2g/io/content/c2g-blob-io-private.h>

/* Runs predictors: shares the given tensors with the blobs of the inputs, runs the net, and copies
 * its outputs. */

/* Limit on the threads whose last outputs are kept although they have ended. */
#define MAX_ENDED 16

void
c2g_predictor_free_tensors (C2gTensor **tensors)
{
  for (gsize i = 0; tensors[i] != NULL; i++)
    g_object_unref (tensors[i]);
  g_free (tensors);
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

/* Gives TENSOR the elements of GIVEN, as a copy or by sharing their memory. GIVEN itself stays as it
 * is, because other predictors may read it in other threads. A copy to a device is only queued,
 * before the work of the net: the run waits for both at its end. */
static gboolean
lay_over (C2gNet     *net,
          C2gTensor  *tensor,
          C2gTensor  *given,
          gboolean    is_copied,
          GError    **error)
{
  if (tensor == given)
    return TRUE;
  if (is_copied)
    return c2g_tensor_copy_from (tensor, given,
                                 c2g_net_find_context (net, c2g_tensor_get_device (tensor)), error);
  return c2g_tensor_resize_like (tensor, given, error) &&
         c2g_tensor_share_to_read (tensor, given, error);
}

/* Makes the blob of an input share the memory of the given tensor. If the net writes the blob, or
 * the tensor is on another device, the blob gets a copy. */
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
      lay_over (net, tensor, given,
                is_written (net, blob) || device != c2g_tensor_get_device (given), error))
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

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Input “%s”: The tensor has no data"),
                   self->inputs[input]);
}

static gboolean
check_given (C2gPredictor  *self,
             gsize          input,
             GError       **error)
{
  if (!self->are_required ||
      !c2g_predictor_is_placeholder (self->workspace, self->inputs[input]))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_FOUND, _("Nothing was given for the input “%s”"),
                   self->inputs[input]);
}

/* If an output of the last run is given as an input, this run must not overwrite it: the output
 * gets new memory. */
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
 * @tensor: the tensor for all later runs
 * @error: return location for an error
 *
 * Sets an input by name, for all later runs.
 *
 * Each run uses the content that the tensor has at that time, and puts it into the blob. Until the
 * next run the blob keeps its old content. So to run or measure [method@Predictor.get_net] itself,
 * run the predictor first.
 *
 * Runs requested before by [method@Predictor.run_async] do not use the tensor, even if they have
 * not begun.
 *
 * Type and shape of the tensor are only checked by runs, which fail until the input is corrected.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no input of that name, `C2G_ERROR_INVALID_ARGUMENT` if
 * the tensor has no data.
 *
 * Returns: `TRUE` if the tensor will be used
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

  if (!c2g_predictor_check_model (self, error))
    return FALSE;
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    if (g_str_equal (self->inputs[i], name))
      {
        if (!check_input (self, i, tensor, error))
          return FALSE;
        c2g_predictor_queue_input (self, i, tensor);
        return TRUE;
      }

  names = g_strjoinv ("”, “", self->inputs);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("There is no input “%s”, there are: “%s”"), name,
               names);
  c2g_names_suggest ((const char *const *) self->inputs, name, error);
  return FALSE;
}

/* Replaces the error for a name that neither an output nor another blob has by one that lists the outputs
 * only, for a net has many other blobs. A forward without its blob keeps its own error. */
static void
explain_name (C2gPredictor  *self,
              const char    *name,
              GError       **error)
{
  C2gMiss miss;
  g_autoptr (C2gBlob) blob = c2g_workspace_find (self->workspace, name, &miss);
  const gboolean is_known = blob != NULL || miss.is_forwarded;
  g_autoptr (GStrvBuilder) names = NULL;
  g_autofree char *outputs = NULL;
  g_auto (GStrv) blobs = NULL;
  g_auto (GStrv) all = NULL;

  c2g_miss_clear (&miss);
  if (is_known || error == NULL)
    return;

  g_clear_error (error);
  outputs = c2g_names_join ((const char *const *) self->outputs, g_strv_length (self->outputs));
  blobs = c2g_workspace_list_known_blobs (self->workspace);
  names = g_strv_builder_new ();
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("There is no output “%s”, there are: %s"), name, outputs);
  g_strv_builder_addv (names, (const char **) self->outputs);
  g_strv_builder_addv (names, (const char **) blobs);
  all = g_strv_builder_end (names);
  c2g_names_suggest ((const char *const *) all, name, error);
}

/**
 * c2g_predictor_get_output:
 * @self: a predictor
 * @name: the name of an output, or of another blob of the model
 * @error: return location for an error
 *
 * Gets an output of the last run by name.
 *
 * The tensor is the model's own, not a copy: the next run overwrites it, and a run in another
 * thread may be writing it now.
 *
 * Only outputs are guaranteed to exist, with the contents that the net as written computes. Other
 * blobs exist if the predictor was made with `C2G_OPTIMIZE_NONE`.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no blob of that name, `C2G_ERROR_TYPE` if it does not
 * hold a tensor.
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

  if (!c2g_predictor_check_model (self, error))
    return NULL;
  tensor = get_output (self, name, error);
  if (tensor == NULL)
    explain_name (self, name, error);
  return tensor != NULL ? g_object_ref (tensor) : NULL;
}

/* Copies an output, because the next run overwrites the blob. */
static C2gTensor *
copy_output (C2gTensor   *tensor,
             const char  *name,
             C2gContext  *context,
             GError     **error)
{
  C2gTensor *copy = c2g_tensor_clone (tensor, context, error);

  if (copy == NULL)
    g_prefix_error (error, _("Output “%s”: "), name);
  return copy;
}

/* Copies the outputs that were not copied yet. Before the net is waited for, these are outputs on
 * devices, whose copies are queued after its work. */
static gboolean
copy_outputs (C2gPredictor  *self,
              C2gTensor    **outputs,
              gboolean       is_queued,
              GError       **error)
{
  for (gsize i = 0; self->outputs[i] != NULL; i++)
    {
      C2gTensor *tensor = outputs[i] == NULL ? get_output (self, self->outputs[i], error) : NULL;
      C2gContext *context = NULL;

      if (outputs[i] != NULL)
        continue;
      if (tensor == NULL)
        return FALSE;
      if (is_queued)
        context = c2g_net_find_context (self->net, c2g_tensor_get_device (tensor));
      if (is_queued && context == NULL)
        continue;

      outputs[i] = copy_output (tensor, self->outputs[i], context, error);
      if (outputs[i] == NULL)
        return FALSE;
    }

  return TRUE;
}

C2gTensor **
c2g_predictor_hand_over (C2gPredictor *self,
                         C2gTensor   **outputs,
                         guint         n_outputs)
{
  C2gTensor **copy = g_memdup2 (outputs, (n_outputs + 1) * sizeof *outputs);

  c2g_predictor_hold (self, &self->handed_over, outputs,
                      (GDestroyNotify) c2g_predictor_free_tensors, MAX_ENDED);
  return copy;
}

/* Checks the array, because a binding may pass any objects in it. */
gboolean
c2g_predictor_check_tensors (C2gPredictor  *self,
                             C2gTensor    **inputs,
                             guint          n_inputs,
                             GError       **error)
{
  const gsize n = g_strv_length (self->inputs);
  g_autofree char *names = NULL;

  if (!c2g_predictor_check_model (self, error))
    return FALSE;
  if (n_inputs > n)
    {
      names = g_strjoinv ("”, “", self->inputs);
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       _("Expected at most %zu tensors, for the inputs “%s”, got %u"), n, names,
                       n_inputs);
    }
  for (gsize i = 0; i < n_inputs; i++)
    if (!C2G_IS_TENSOR (inputs[i]))
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Input “%s”: This is no tensor"),
                       self->inputs[i]);
  return TRUE;
}

/* Saves the model's own value of the input, to restore it if the run fails. */
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
      /* Nothing was saved, so nothing must be restored. */
      g_clear_object (&self->contents[input]);
      return FALSE;
    }
  c2g_blob_take_loaded (self->contents[input], blob);
  return TRUE;
}

static void
return_input (C2gPredictor *self,
              gsize         input)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (self->workspace, self->inputs[input], NULL);

  g_set_object (&self->given[input], self->former[input]);
  if (blob != NULL && self->contents[input] != NULL)
    c2g_blob_take_loaded (blob, self->contents[input]);
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

typedef struct
{
  C2gPredictor *predictor;
  C2gTensor   **outputs;
  GError       *error;
} Copying;

/* Drops the copies that a failed run has queued. */
static void
drop_copies (Copying *self)
{
  for (gsize i = 0; self->predictor->outputs[i] != NULL; i++)
    g_clear_object (&self->outputs[i]);
  g_clear_error (&self->error);
}

static void
queue_copies_cb (gpointer data)
{
  Copying *self = data;

  copy_outputs (self->predictor, self->outputs, TRUE, &self->error);
}

/* Adds to an error of a shape that the init net gives the first input another one. The number of images may differ. */
static void
explain_shape (C2gPredictor  *self,
               GError       **error)
{
  C2gTensor *tensor = self->inputs[0] != NULL ? self->given[0] : NULL;
  C2gTensor *pattern = tensor != NULL ? self->patterns[0] : NULL;
  g_autofree char *message = NULL;
  g_autofree char *shape = NULL;

  if (pattern == NULL || pattern->n_dims == 0 || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_SHAPE) ||
      (tensor->n_dims > 0 &&
       c2g_shape_equal (tensor->dims + 1, tensor->n_dims - 1, pattern->dims + 1, pattern->n_dims - 1)))
    return;
  message = g_steal_pointer (&(*error)->message);
  shape = c2g_shape_to_string (pattern->dims, pattern->n_dims);
  (*error)->message = g_strdup_printf (_("%s. The net says %s for “%s”"), message, shape, self->inputs[0]);
}

static gboolean
run_net (Copying       *copying,
         GMainContext  *home,
         GCancellable  *cancellable,
         GError       **error)
{
  C2gPredictor *self = copying->predictor;
  gboolean is_done = c2g_net_run_with (self->net, home, queue_copies_cb, copying, cancellable, error);

  if (!is_done && c2g_predictor_explain (self, home, cancellable, error))
    {
      drop_copies (copying);
      g_clear_error (error);
      is_done = c2g_predictor_prepare_inputs (self, self->net, error) &&
                c2g_net_run_with (self->net, home, queue_copies_cb, copying, cancellable, error);
    }
  if (!is_done)
    explain_shape (self, error);
  return is_done;
}

/* Runs the net, and puts copies of its outputs into the array. */
static gboolean
run_and_copy (C2gPredictor  *self,
              C2gTensor    **outputs,
              GMainContext  *home,
              GCancellable  *cancellable,
              GError       **error)
{
  Copying copying = { .predictor = self, .outputs = outputs };
  GError *local_error = NULL;

  if (run_net (&copying, home, cancellable, &local_error) && copying.error == NULL &&
      copy_outputs (self, outputs, FALSE, &local_error) &&
      !g_cancellable_set_error_if_cancelled (cancellable, &local_error))
    return TRUE;

  if (local_error == NULL)
    local_error = g_steal_pointer (&copying.error);
  g_clear_error (&copying.error);
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
  const guint n = g_strv_length (self->outputs);
  C2gTensor **outputs;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !c2g_predictor_heed_changes (self, n_inputs, home, error) ||
      !take_inputs (self, inputs, n_inputs, error))
    return NULL;

  outputs = g_new0 (C2gTensor *, n + 1);
  if (run_and_copy (self, outputs, home, cancellable, error))
    {
      *n_outputs = n;
      return outputs;
    }

  for (guint i = 0; i < n; i++)
    g_clear_object (&outputs[i]);
  g_free (outputs);
  return NULL;
}

/**
 * c2g_predictor_run:
 * @self: a predictor
 * @inputs: (array length=n_inputs): tensors for the first inputs, in their order
 * @n_inputs: the number of tensors
 * @n_outputs: (out): the number of outputs
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs the model.
 *
 * Inputs that are not given keep the tensors of the last run. They can also be set by name, see
 * [method@Predictor.set_input].
 *
 * The outputs are copies that later runs do not change. The caller may use them without a reference
 * until the same thread runs the model again or ends. The predictor keeps them no longer than it
 * lives itself: take references before it is released. To avoid the copy of a large output use [method@Predictor.get_output].
 *
 * A run that fails or is cancelled restores the inputs: the tensors given to it are not kept.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` if there are more tensors than inputs or one has no data;
 * `C2G_ERROR_NOT_FOUND` if an input that the model does not fill itself was never given;
 * `C2G_ERROR_BUSY` if a run is active, waits, or has not been finished by
 * [method@Predictor.run_finish]; and those of [method@Net.run].
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
