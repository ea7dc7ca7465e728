/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

/* Infers the shapes and types of outputs without data. The function `infer` of a kernel is often
 * its `run`: c2g_operator_output() then allocates no memory, and stops the kernel when its last
 * output is sized. */

gboolean
c2g_operator_is_inferring (C2gOperator *self)
{
  return c2g_operator_get_private (self)->is_inferring;
}

/* Returns FALSE if the elements are unknown: there is no data, or an operator before this one
 * will overwrite them in a run. */
static gboolean
has_values (C2gOperatorPrivate *priv,
            C2gBlob            *blob)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (&blob->content);

  if (tensor == NULL || tensor->n_elements == 0)
    return TRUE;
  return tensor->storage != NULL &&
         (priv->inferred == NULL || !g_hash_table_contains (priv->inferred, blob));
}

gboolean
c2g_operator_need_values (C2gOperator  *self,
                          guint         input,
                          GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  if (!priv->is_inferring || has_values (priv, priv->inputs[input]))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("The shapes of the outputs depend on what is in input %u, “%s”"), input,
                   c2g_operator_def_get_inputs (priv->def)[input]);
}

gboolean
c2g_operator_infer_nothing (C2gOperator  *self,
                            gpointer      state,
                            GError      **error)
{
  return TRUE;
}

static gboolean
infer (C2gOperator  *self,
       GError      **error)
{
  C2gOperatorClass *klass = C2G_OPERATOR_GET_CLASS (self);

  if (klass->infer != NULL)
    return c2g_vfunc_check_result (self, klass->infer (self, error), "infer", error);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("The class %s does not say what shapes its outputs have"),
                   G_OBJECT_TYPE_NAME (self));
}

gboolean
c2g_operator_infer_after (C2gOperator  *self,
                          GHashTable   *inferred,
                          GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  gboolean is_done;

  priv->inferred = inferred;
  priv->is_inferring = TRUE;
  is_done = infer (self, error);
  priv->is_inferring = FALSE;
  priv->inferred = NULL;

  if (!is_done)
    c2g_operator_prefix_error (self, error);
  return is_done;
}

/**
 * c2g_operator_infer: (virtual infer)
 * @self: an operator
 * @error: return location for an error
 *
 * Gives the outputs the shapes and types that a run would give them, without running.
 *
 * The tensors that are inputs need a shape and a type, not data, see
 * [method@Tensor.set_data_type]; those that are outputs get no memory. They keep the memory
 * that they have as far as the new shape allows, see [method@Tensor.resize]: a tensor whose
 * shape and type do not change, such as one written in place, keeps its data.
 *
 * Some shapes depend on the elements of an input, as that of `Reshape` with a second input:
 * they are known if that input has its data. Other shapes are known only after a run.
 *
 * Errors: `C2G_ERROR_NOT_SUPPORTED` if only a run can tell, which the message explains;
 * `C2G_ERROR_NOT_FOUND` if an input has no shape or no type; those of a run that have to do
 * with shapes and types. The message names the operator and, in a net, that.
 *
 * Returns: `TRUE` if the outputs have their shapes and types
 */
gboolean
c2g_operator_infer (C2gOperator  *self,
                    GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), FALSE);
  g_return_val_if_fail (c2g_operator_get_private (self)->run != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return c2g_operator_infer_after (self, NULL, error);
}
