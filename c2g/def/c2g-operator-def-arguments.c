/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-operator-def-private.h>

#include <c2g/def/c2g-argument-list-private.h>
#include <c2g/def/c2g-def-list-private.h>

/* Looks up the arguments of an operator definition, and sets them by type. */

/**
 * c2g_operator_def_get_argument:
 * @self: a definition
 * @name: the name of an argument
 *
 * Finds an argument.
 *
 * If several have the same name, which is possible in a file, this is the first.
 *
 * Returns: (transfer none) (nullable): the argument, or `NULL` if there is none of that name
 */
C2gArgument *
c2g_operator_def_get_argument (C2gOperatorDef *self,
                               const char     *name)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return c2g_keyed_list_find (self->message.arg, self->message.n_arg, name);
}

/**
 * c2g_operator_def_set_argument:
 * @self: a definition
 * @argument: an argument
 *
 * Adds an argument, or puts it in the place of those with the same name.
 */
void
c2g_operator_def_set_argument (C2gOperatorDef *self,
                               C2gArgument    *argument)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (argument != NULL);

  c2g_argument_list_set (&self->message.arg, &self->message.n_arg, argument);
}

/**
 * c2g_operator_def_remove_argument:
 * @self: a definition
 * @name: the name of an argument
 *
 * Removes an argument.
 *
 * Returns: whether there was one of that name
 */
gboolean
c2g_operator_def_remove_argument (C2gOperatorDef *self,
                                  const char     *name)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  return c2g_keyed_list_remove (&self->message.arg, &self->message.n_arg, name);
}

/**
 * c2g_operator_def_list_arguments:
 * @self: a definition
 * @n_arguments: (out): return location for their number
 *
 * Lists the arguments.
 *
 * Returns: (transfer full) (array length=n_arguments): the arguments, in order
 */
C2gArgument **
c2g_operator_def_list_arguments (C2gOperatorDef *self,
                                 guint          *n_arguments)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);
  g_return_val_if_fail (n_arguments != NULL, NULL);

  return c2g_argument_list_dup (self->message.arg, self->message.n_arg, n_arguments);
}

static void
take_argument (C2gOperatorDef *self,
               C2gArgument    *argument)
{
  c2g_argument_list_set (&self->message.arg, &self->message.n_arg, argument);
  c2g_argument_unref (argument);
}

/**
 * c2g_operator_def_set_int:
 * @self: a definition
 * @name: the name of the argument
 * @value: an integer
 *
 * Sets an argument to an integer.
 */
void
c2g_operator_def_set_int (C2gOperatorDef *self,
                          const char     *name,
                          gint64          value)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);

  take_argument (self, c2g_argument_new_int (name, value));
}

/**
 * c2g_operator_def_set_float:
 * @self: a definition
 * @name: the name of the argument
 * @value: a number of single precision
 *
 * Sets an argument to a number of single precision.
 */
void
c2g_operator_def_set_float (C2gOperatorDef *self,
                            const char     *name,
                            double          value)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);

  take_argument (self, c2g_argument_new_float (name, value));
}

/**
 * c2g_operator_def_set_boolean:
 * @self: a definition
 * @name: the name of the argument
 * @value: a truth value
 *
 * Sets an argument to a truth value.
 *
 * As in Caffe2 it is an integer.
 */
void
c2g_operator_def_set_boolean (C2gOperatorDef *self,
                              const char     *name,
                              gboolean        value)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);

  take_argument (self, c2g_argument_new_int (name, !!value));
}

/**
 * c2g_operator_def_set_string:
 * @self: a definition
 * @name: the name of the argument
 * @value: a text
 *
 * Sets an argument to a text.
 */
void
c2g_operator_def_set_string (C2gOperatorDef *self,
                             const char     *name,
                             const char     *value)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (value != NULL);

  take_argument (self, c2g_argument_new_string (name, value));
}

/**
 * c2g_operator_def_set_ints:
 * @self: a definition
 * @name: the name of the argument
 * @values: (nullable) (array length=n_values): integers
 * @n_values: how many there are
 *
 * Sets an argument to a list of integers.
 */
void
c2g_operator_def_set_ints (C2gOperatorDef *self,
                           const char     *name,
                           const gint64   *values,
                           gsize           n_values)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (n_values == 0 || values != NULL);

  take_argument (self, c2g_argument_new_ints (name, values, n_values));
}

/**
 * c2g_operator_def_set_floats:
 * @self: a definition
 * @name: the name of the argument
 * @values: (nullable) (array length=n_values): numbers
 * @n_values: how many there are
 *
 * Sets an argument to a list of numbers.
 */
void
c2g_operator_def_set_floats (C2gOperatorDef *self,
                             const char     *name,
                             const float    *values,
                             gsize           n_values)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (n_values == 0 || values != NULL);

  take_argument (self, c2g_argument_new_floats (name, values, n_values));
}

/**
 * c2g_operator_def_set_strings:
 * @self: a definition
 * @name: the name of the argument
 * @values: (array zero-terminated=1): texts
 *
 * Sets an argument to a list of texts.
 */
void
c2g_operator_def_set_strings (C2gOperatorDef    *self,
                              const char        *name,
                              const char *const *values)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (values != NULL);

  take_argument (self, c2g_argument_new_strings (name, values));
}
