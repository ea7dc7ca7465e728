/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The class of the built-in operators. All of its behaviour is in the C2gKernel. */

typedef struct
{
  C2gOperator parent_instance;
} C2gKernelOperator;

typedef struct
{
  C2gOperatorClass parent_class;
} C2gKernelOperatorClass;

G_DEFINE_FINAL_TYPE (C2gKernelOperator, c2g_kernel_operator, C2G_TYPE_OPERATOR)

static gboolean
c2g_kernel_operator_set_up (C2gOperator  *op,
                            GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (op);
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  if (priv->kernel->arguments != NULL)
    c2g_arguments_read (&arguments, priv->kernel->arguments, priv->state);
  return c2g_arguments_finish (&arguments, error) &&
         (priv->kernel->set_up == NULL || priv->kernel->set_up (op, priv->state, error));
}

static gboolean
c2g_kernel_operator_run (C2gOperator  *op,
                         GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (op);

  return priv->kernel->run (op, priv->state, error);
}

/* A kernel that fails after it sized its last output has done all that inference needs. */
static gboolean
c2g_kernel_operator_infer (C2gOperator  *op,
                           GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (op);
  g_autoptr (GError) local_error = NULL;

  if (priv->kernel->infer == NULL)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The shapes of the outputs depend on what is in the inputs"));

  priv->n_unsized = priv->n_outputs;
  if (priv->kernel->infer (op, priv->state, &local_error) || priv->n_unsized == 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static void
c2g_kernel_operator_class_init (C2gKernelOperatorClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->set_up = c2g_kernel_operator_set_up;
  C2G_OPERATOR_CLASS (klass)->run = c2g_kernel_operator_run;
  C2G_OPERATOR_CLASS (klass)->infer = c2g_kernel_operator_infer;
}

static void
c2g_kernel_operator_init (C2gKernelOperator *self)
{
}

void
c2g_operator_set_flops (C2gOperator *self,
                        double       n_flops)
{
  c2g_operator_get_private (self)->n_flops = n_flops;
}

double
c2g_operator_count_flops (C2gOperator *self,
                          gpointer     state)
{
  return c2g_operator_get_private (self)->n_flops;
}
