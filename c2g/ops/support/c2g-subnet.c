/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-subnet-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/net/run/c2g-net-private.h>

/* Nets inside operators, such as those of If and While: finds and runs them. */

/* Limit on the nesting of nets. Each level uses stack of the thread. */
#define MAX_DEPTH 20

static GPrivate depth_key;

gboolean
c2g_subnet_find_def (C2gOperator  *op,
                     const char   *name,
                     gboolean      is_required,
                     C2gNetDef   **def,
                     GError      **error)
{
  C2gArgument *argument = c2g_operator_def_get_argument (c2g_operator_peek_def (op), name);

  *def = NULL;
  if (argument == NULL && !is_required)
    return TRUE;
  if (argument == NULL)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The argument “%s” is missing or empty"),
                     name);

  *def = c2g_argument_dup_net (argument, error);
  return *def != NULL;
}

/* If the net has operators that must run in the caller's thread, because they are implemented in
 * another language, the operator that contains the net must run there too. */
static void
inherit_thread (C2gOperator *op,
                C2gNet      *net)
{
  for (guint i = 0; i < c2g_net_get_n_operators (net); i++)
    if (c2g_operator_get_private (c2g_net_get_operator (net, i))->is_caller_thread_only)
      c2g_operator_get_private (op)->is_caller_thread_only = TRUE;
}

C2gNet *
c2g_subnet_new (C2gOperator   *op,
                C2gNetDef     *def,
                C2gWorkspace  *workspace,
                GError       **error)
{
  const C2gOperatorPrivate *priv = c2g_operator_get_private (op);
  const C2gNetOptions options = { priv->device, priv->is_device_forced };
  guint depth = GPOINTER_TO_UINT (g_private_get (&depth_key));
  C2gNet *net;

  if (depth >= MAX_DEPTH)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("More than %u nets stand in each other"),
                          MAX_DEPTH);

  g_private_set (&depth_key, GUINT_TO_POINTER (depth + 1));
  net = c2g_net_new (def, workspace, &options, error);
  g_private_set (&depth_key, GUINT_TO_POINTER (depth));
  if (net != NULL)
    inherit_thread (op, net);
  return net;
}

gboolean
c2g_subnet_run (C2gOperator  *op,
                C2gNet       *net,
                GError      **error)
{
  GCancellable *cancellable = c2g_operator_get_cancellable (op);

  /* A net without operators would not notice that the run was cancelled. */
  return !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         c2g_net_run (net, cancellable, error);
}

gboolean
c2g_subnet_condition (C2gOperator  *op,
                      guint         input,
                      gboolean     *is_true,
                      GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_UNDEFINED, error);

  if (tensor == NULL)
    return FALSE;
  if (tensor->n_elements != 1)
    return c2g_operator_set_shape_error (op, input, error, _("one element"));

  switch (c2g_tensor_get_data_type (tensor))
    {
    case C2G_DATA_TYPE_BOOL:
      *is_true = *(const guint8 *) c2g_tensor_address (tensor) != 0;
      return TRUE;

    case C2G_DATA_TYPE_INT32:
      *is_true = *(const gint32 *) c2g_tensor_address (tensor) != 0;
      return TRUE;

    case C2G_DATA_TYPE_INT64:
      *is_true = *(const gint64 *) c2g_tensor_address (tensor) != 0;
      return TRUE;

    default:
      return c2g_operator_set_type_error (op, input, _("bool, int32 or int64"), error);
    }
}
