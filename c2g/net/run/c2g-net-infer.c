/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/net/run/c2g-workspace-net.h>

#include <c2g/core/types/c2g-error-private.h>

/* Infers the shapes and types of the blobs of a net without running it. */

static void
add_outputs (C2gOperator *op,
             GHashTable  *inferred)
{
  const C2gOperatorPrivate *priv = c2g_operator_get_private (op);

  for (guint i = 0; i < priv->n_outputs; i++)
    g_hash_table_add (inferred, priv->outputs[i]);
}

/* Infers in the order of the definition: every blob is written before it is read. */
static gboolean
infer_operators (const C2gNetPrivate  *priv,
                 GError              **error)
{
  g_autoptr (GHashTable) inferred = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < priv->n_operators; i++)
    {
      if (!c2g_operator_infer_after (priv->operators[i], inferred, error))
        return FALSE;
      add_outputs (priv->operators[i], inferred);
    }

  return TRUE;
}

/**
 * c2g_net_infer:
 * @self: a net
 * @error: return location for an error
 *
 * Gives all blobs that the net writes the shapes and types that a run would give them,
 * without running.
 *
 * The blobs that the net reads need tensors with a shape and a type, not data: see
 * [method@Operator.infer], which is called for one operator after the other. No memory is
 * allocated, no signals are emitted, and no observers are called. As in a run, no other net
 * may use the same blobs meanwhile.
 *
 * Errors: `C2G_ERROR_BUSY` if the net is running, `C2G_ERROR_NOT_SUPPORTED` if only a run can
 * tell the shapes of some output, and the other errors of [method@Operator.infer]. The
 * message names the operator; the outputs of those before it have their shapes.
 *
 * Returns: `TRUE` if all outputs have their shapes and types
 */
gboolean
c2g_net_infer (C2gNet  *self,
               GError **error)
{
  C2gNetPrivate *priv;
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_NET (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  priv = c2g_net_get_private (self);
  if (!g_atomic_int_compare_and_exchange (&priv->is_running, FALSE, TRUE))
    return c2g_fail (error, C2G_ERROR_BUSY, _("Net “%s” is running"), c2g_net_get_name (self));

  is_done = infer_operators (priv, error);
  g_atomic_int_set (&priv->is_running, FALSE);
  return is_done;
}

/**
 * c2g_workspace_infer_net_once:
 * @self: a workspace
 * @definition: the definition of the net
 * @error: return location for an error
 *
 * Makes a net, infers the shapes and types of its outputs, see [method@Net.infer], and
 * releases it.
 *
 * In this way shapes can be found from definitions alone: first of the net that fills the
 * parameters, then of the net that reads them.
 *
 * ```python
 * workspace = C2g.Workspace.new()
 * workspace.infer_net_once(init_net)
 * workspace.create_tensor('data', C2g.DataType.FLOAT, [1, 3, 224, 224])
 * workspace.infer_net_once(predict_net)
 * print(workspace.get_tensor('softmax').get_dims())
 * ```
 *
 * Errors: those of making a net, see [method@Workspace.create_net], and of
 * [method@Net.infer].
 *
 * Returns: `TRUE` if all outputs have their shapes and types
 */
gboolean
c2g_workspace_infer_net_once (C2gWorkspace  *self,
                              C2gNetDef     *definition,
                              GError       **error)
{
  g_autoptr (C2gNet) net = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (C2G_IS_NET_DEF (definition), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  net = c2g_net_new (definition, self, NULL, error);
  return net != NULL && c2g_net_infer (net, error);
}
