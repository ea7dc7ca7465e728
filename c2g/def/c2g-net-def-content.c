/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-net-def-private.h>

#include <c2g/def/c2g-argument-list-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-operator-def-private.h>

/* Reads and changes the operators and arguments of a net. */

/**
 * c2g_net_def_get_n_operators:
 * @self: a net
 *
 * Counts the operators.
 *
 * Returns: their number
 */
guint
c2g_net_def_get_n_operators (C2gNetDef *self)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), 0);

  return self->message.n_op;
}

/**
 * c2g_net_def_get_operator:
 * @self: a net
 * @position: a position, from 0 on
 *
 * Gets an operator.
 *
 * Returns: (transfer none) (nullable): the operator, or `NULL` if there is none
 */
C2gOperatorDef *
c2g_net_def_get_operator (C2gNetDef *self,
                          guint      position)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);

  return c2g_def_list_get (self->message.op, self->message.n_op, position);
}

/**
 * c2g_net_def_add_operator:
 * @self: a net
 * @op: an operator
 *
 * Puts an operator behind all others.
 *
 * The net takes a reference: later changes of @op are changes of the net.
 */
void
c2g_net_def_add_operator (C2gNetDef      *self,
                          C2gOperatorDef *op)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));
  g_return_if_fail (C2G_IS_OPERATOR_DEF (op));

  c2g_net_def_insert_operator (self, self->message.n_op, op);
}

/**
 * c2g_net_def_insert_operator:
 * @self: a net
 * @position: where it shall be, at most the number of operators
 * @op: an operator
 *
 * Puts an operator before others.
 *
 * The net takes a reference: later changes of @op are changes of the net.
 *
 * Returns: whether there is such a position; if not, nothing changes
 */
gboolean
c2g_net_def_insert_operator (C2gNetDef      *self,
                             guint           position,
                             C2gOperatorDef *op)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), FALSE);
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (op), FALSE);

  if (position > self->message.n_op)
    return FALSE;

  c2g_def_list_insert (&self->message.op, &self->message.n_op, position, op);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);

  return TRUE;
}

/**
 * c2g_net_def_remove_operator:
 * @self: a net
 * @position: a position, from 0 on
 *
 * Removes an operator.
 *
 * Returns: whether there was one
 */
gboolean
c2g_net_def_remove_operator (C2gNetDef *self,
                             guint      position)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), FALSE);
  if (!c2g_def_list_remove (&self->message.op, &self->message.n_op, position))
    return FALSE;

  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);

  return TRUE;
}

/**
 * c2g_net_def_get_argument:
 * @self: a net
 * @name: the name of an argument
 *
 * Finds an argument of the net itself.
 *
 * If several have the same name, which is possible in a file, this is the first.
 *
 * Returns: (transfer none) (nullable): the argument, or `NULL` if there is none of that name
 */
C2gArgument *
c2g_net_def_get_argument (C2gNetDef  *self,
                          const char *name)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return c2g_keyed_list_find (self->message.arg, self->message.n_arg, name);
}

/**
 * c2g_net_def_set_argument:
 * @self: a net
 * @argument: an argument
 *
 * Adds an argument, or puts it in the place of those with the same name.
 */
void
c2g_net_def_set_argument (C2gNetDef   *self,
                          C2gArgument *argument)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));
  g_return_if_fail (argument != NULL);

  c2g_argument_list_set (&self->message.arg, &self->message.n_arg, argument);
}

/**
 * c2g_net_def_remove_argument:
 * @self: a net
 * @name: the name of an argument
 *
 * Removes an argument.
 *
 * Returns: whether there was one of that name
 */
gboolean
c2g_net_def_remove_argument (C2gNetDef  *self,
                             const char *name)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  return c2g_keyed_list_remove (&self->message.arg, &self->message.n_arg, name);
}

/**
 * c2g_net_def_list_arguments:
 * @self: a net
 * @n_arguments: (out): return location for their number
 *
 * Lists the arguments.
 *
 * Returns: (transfer full) (array length=n_arguments): the arguments, in order
 */
C2gArgument **
c2g_net_def_list_arguments (C2gNetDef *self,
                            guint     *n_arguments)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);
  g_return_val_if_fail (n_arguments != NULL, NULL);

  return c2g_argument_list_dup (self->message.arg, self->message.n_arg, n_arguments);
}
