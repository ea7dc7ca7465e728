/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-subnet-private.h>

/* If: runs then_net if input 0 is TRUE, otherwise else_net if there is one. While: runs cond_net,
 * if there is one, then loop_net, as long as input 0 is TRUE.  Input 0 has one element, a bool or
 * an integer. The nets run on the workspace of the operator; the other inputs and the outputs
 * only tell what they use. The rules are Caffe2's. Both operators run on the CPU only. */

typedef struct
{
  /* then_net runs if the condition is TRUE, else_net otherwise; it may be NULL. */
  C2gNet *then_net;
  C2gNet *else_net;
} IfState;

/* Sets *net to NULL and returns TRUE if the argument is missing and not required. */
static gboolean
new_net (C2gOperator  *op,
         const char   *name,
         gboolean      is_required,
         C2gNet      **net,
         GError      **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_operator_ref_workspace (op, error);
  g_autoptr (C2gNetDef) def = NULL;

  if (workspace == NULL || !c2g_subnet_find_def (op, name, is_required, &def, error))
    return FALSE;
  if (def == NULL)
    return TRUE;
  *net = c2g_subnet_new (op, def, workspace, error);
  return *net != NULL;
}

static gboolean
if_set_up (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  IfState *self = state;

  return new_net (op, "then_net", TRUE, &self->then_net, error) &&
         new_net (op, "else_net", FALSE, &self->else_net, error);
}

static gboolean
if_run (C2gOperator  *op,
        gpointer      state,
        GError      **error)
{
  IfState *self = state;
  gboolean is_true = FALSE;

  if (!c2g_subnet_condition (op, 0, &is_true, error))
    return FALSE;
  if (is_true)
    return c2g_subnet_run (op, self->then_net, error);
  return self->else_net == NULL || c2g_subnet_run (op, self->else_net, error);
}

static void
if_clear (gpointer state)
{
  IfState *self = state;

  g_clear_object (&self->then_net);
  g_clear_object (&self->else_net);
}

typedef struct
{
  C2gNet *loop_net;
  /* Computes the condition before each iteration. NULL if loop_net does that. */
  C2gNet *cond_net;
} WhileState;

static gboolean
while_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  WhileState *self = state;

  return new_net (op, "loop_net", TRUE, &self->loop_net, error) &&
         new_net (op, "cond_net", FALSE, &self->cond_net, error);
}

static gboolean
while_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  WhileState *self = state;
  gboolean is_true = TRUE;

  while (TRUE)
    {
      if (self->cond_net != NULL && !c2g_subnet_run (op, self->cond_net, error))
        return FALSE;
      if (!c2g_subnet_condition (op, 0, &is_true, error))
        return FALSE;
      if (!is_true)
        return TRUE;
      if (!c2g_subnet_run (op, self->loop_net, error))
        return FALSE;
    }
}

static void
while_clear (gpointer state)
{
  WhileState *self = state;

  g_clear_object (&self->loop_net);
  g_clear_object (&self->cond_net);
}

static const C2gKernel kernels[] = {
  { "If", NULL, 1, C2G_MANY, 0, C2G_MANY, "**", C2G_ARGS (C2G_ARG_READ ("else_net then_net")),
    sizeof (IfState), if_set_up, if_run,
    if_clear, NULL, "Runs one of two nets by a condition" },
  { "While", NULL, 1, C2G_MANY, 0, C2G_MANY, "**", C2G_ARGS (C2G_ARG_READ ("cond_net loop_net")),
    sizeof (WhileState), while_set_up,
    while_run, while_clear, NULL, "Runs a net as long as a condition is true" },
};

C2G_OPS_FAMILY (if);
