/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

/* Protects kernels from elements that run foreign code. Copying or releasing such an element may
 * free, resize or retype any tensor.
 *
 * So during a run the kernel works on private tensors with the memory and shape that the inputs
 * have at the start, and the outputs when the kernel requests them. If elements were copied and the
 * tensor of a blob differs at the end of the run, the run fails.
 *
 * Kernels copy elements deep inside their loops, which cannot report an error. So the run keeps the
 * first error, stops copying, and fails when the kernel has ended. */

typedef struct
{
  C2gBlob     *blob;
  C2gTensorPin pin;
  /* The tensor that the kernel uses: a private one, or for in-place outputs the blob's own. */
  C2gTensor   *tensor;
  /* TRUE if the blob's tensor must be unchanged at the end. */
  gboolean     is_checked;
} Held;

struct _C2gHeldElements
{
  /* The outer run of this thread, if runs are nested. */
  C2gHeldElements *outer;
  GArray          *held;
  /* The tensors of the inputs in order; NULL for a blob that holds no tensor. */
  C2gTensor      **inputs;
  gboolean         has_copied;
  GError          *error;
};

/* The innermost run of this thread whose elements run code. */
static __thread C2gHeldElements *current;

static void
held_clear (gpointer data)
{
  Held *self = data;

  g_clear_object (&self->tensor);
  c2g_tensor_unpin (&self->pin);
}

static gboolean
has_blob (C2gBlob *const *blobs,
          guint           n_blobs,
          C2gBlob        *blob)
{
  for (guint i = 0; i < n_blobs; i++)
    if (blobs[i] == blob)
      return TRUE;
  return FALSE;
}

static Held *
find_held (const C2gHeldElements *self,
           C2gTensor             *tensor)
{
  for (guint i = self->held->len; i-- > 0;)
    if (g_array_index (self->held, Held, i).pin.tensor == tensor)
      return &g_array_index (self->held, Held, i);
  return NULL;
}

static C2gTensor *
hold (C2gHeldElements *self,
      C2gBlob         *blob,
      C2gTensor       *tensor,
      gboolean         is_in_place,
      gboolean         is_checked)
{
  Held held = { .blob = blob, .is_checked = is_checked };

  held.tensor = is_in_place ? g_object_ref (tensor) : c2g_tensor_new_sharing (tensor);
  c2g_tensor_pin (tensor, &held.pin);
  g_array_append_val (self->held, held);
  return held.tensor;
}

/* An in-place kernel may change the tensor itself, so that tensor is not checked. */
static C2gTensor *
hold_input (C2gOperatorPrivate *priv,
            C2gBlob            *blob)
{
  const gboolean is_in_place = has_blob (priv->outputs, priv->n_outputs, blob);
  C2gTensor *tensor = c2g_blob_content_get_tensor (&blob->content);
  Held *held = tensor != NULL ? find_held (priv->elements, tensor) : NULL;

  if (tensor == NULL || held != NULL)
    return held != NULL ? held->tensor : NULL;
  return hold (priv->elements, blob, tensor, is_in_place, !is_in_place);
}

static gboolean
has_code (C2gBlob *const *blobs,
          guint           n_blobs)
{
  for (guint i = 0; i < n_blobs; i++)
    {
      const C2gTensor *tensor = c2g_blob_content_get_tensor (&blobs[i]->content);

      if (tensor != NULL && tensor->meta != NULL && tensor->meta->runs_code)
        return TRUE;
    }
  return FALSE;
}

static void
hold_elements (C2gOperatorPrivate *priv)
{
  C2gHeldElements *self = g_new0 (C2gHeldElements, 1);

  self->outer = current;
  self->held = g_array_new (FALSE, FALSE, sizeof (Held));
  g_array_set_clear_func (self->held, held_clear);
  self->inputs = g_new0 (C2gTensor *, priv->n_inputs + 1);
  current = priv->elements = self;
  for (guint i = 0; i < priv->n_inputs; i++)
    self->inputs[i] = hold_input (priv, priv->inputs[i]);
}

static gboolean
check_held (const Held  *self,
            GError     **error)
{
  if (!self->is_checked)
    return TRUE;
  if (c2g_blob_content_get_tensor (&self->blob->content) != self->pin.tensor)
    return c2g_tensor_fail_changed (error);
  return c2g_tensor_check_pin (&self->pin, error);
}

/* Drops all private tensors. The last holder of a block releases its elements, which runs foreign
 * code. */
static gboolean
release_elements (C2gOperatorPrivate  *priv,
                  gboolean             is_done,
                  GError             **error)
{
  C2gHeldElements *self = g_steal_pointer (&priv->elements);

  current = self->outer;
  if (is_done && self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      is_done = FALSE;
    }
  for (guint i = 0; is_done && self->has_copied && i < self->held->len; i++)
    is_done = check_held (&g_array_index (self->held, Held, i), error);

  g_array_unref (self->held);
  g_free (self->inputs);
  g_clear_error (&self->error);
  g_free (self);
  return is_done;
}

gboolean
c2g_operator_run_with_code (C2gOperator  *self,
                            GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  if (priv->elements != NULL)
    return c2g_fail (error, C2G_ERROR_BUSY, _("The operator is running"));
  if (priv->kernel == NULL || priv->compute != NULL ||
      (!has_code (priv->inputs, priv->n_inputs) && !has_code (priv->outputs, priv->n_outputs)))
    return priv->run (self, priv->state, error);

  hold_elements (priv);
  return release_elements (priv, priv->run (self, priv->state, error), error);
}

C2gTensor *
c2g_operator_get_held_input (const C2gOperatorPrivate *priv,
                             guint                     input)
{
  return priv->elements->inputs[input];
}

/* Keeps the old tensor of an output until the run ends, because dropping its elements runs foreign
 * code. */
void
c2g_operator_hold_former_output (C2gOperatorPrivate *priv,
                                 C2gTensor          *tensor)
{
  Held held = { 0 };

  if (find_held (priv->elements, tensor) != NULL)
    return;
  held.pin.tensor = g_object_ref (tensor);
  g_array_append_val (priv->elements->held, held);
}

C2gTensor *
c2g_operator_hold_output (C2gOperatorPrivate *priv,
                          C2gBlob            *blob,
                          C2gTensor          *tensor)
{
  Held *held = find_held (priv->elements, tensor);

  if (held != NULL)
    held->is_checked = FALSE;
  return hold (priv->elements, blob, tensor, has_blob (priv->inputs, priv->n_inputs, blob), TRUE);
}

void
c2g_operator_copy_elements (C2gTypeMeta   *meta,
                            gsize          n_items,
                            gconstpointer  source,
                            gpointer       target)
{
  C2gHeldElements *self = current;

  if (!meta->runs_code)
    {
      c2g_type_meta_copy_items (meta, source, target, n_items, NULL);
      return;
    }
  g_return_if_fail (self != NULL);

  self->has_copied = TRUE;
  if (self->error == NULL)
    c2g_type_meta_copy_items (meta, source, target, n_items, &self->error);
}
