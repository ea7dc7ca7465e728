/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-operator-def-private.h>

/**
 * c2g_operator_def_get_inputs: (get-property inputs)
 * @self: a definition
 *
 * Gets the names of the blobs that the operator reads.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_operator_def_get_inputs (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_name_list_get (&self->inputs);
}

/**
 * c2g_operator_def_set_inputs: (set-property inputs)
 * @self: a definition
 * @inputs: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the blobs that the operator reads.
 */
void
c2g_operator_def_set_inputs (C2gOperatorDef    *self,
                             const char *const *inputs)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_name_list_set (&self->inputs, inputs))
    g_object_notify (G_OBJECT (self), "inputs");
}

/**
 * c2g_operator_def_get_n_inputs:
 * @self: a definition
 *
 * Counts the blobs that the operator reads.
 *
 * Returns: their number
 */
guint
c2g_operator_def_get_n_inputs (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), 0);

  return self->inputs.n_names;
}

/**
 * c2g_operator_def_add_input:
 * @self: a definition
 * @name: the name of a blob
 *
 * Adds a name at the end of [property@OperatorDef:inputs].
 */
void
c2g_operator_def_add_input (C2gOperatorDef *self,
                            const char     *name)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);

  c2g_name_list_add (&self->inputs, name);
  g_object_notify (G_OBJECT (self), "inputs");
}

/**
 * c2g_operator_def_get_outputs: (get-property outputs)
 * @self: a definition
 *
 * Gets the names of the blobs that the operator writes.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_operator_def_get_outputs (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_name_list_get (&self->outputs);
}

/**
 * c2g_operator_def_set_outputs: (set-property outputs)
 * @self: a definition
 * @outputs: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the blobs that the operator writes.
 */
void
c2g_operator_def_set_outputs (C2gOperatorDef    *self,
                              const char *const *outputs)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_name_list_set (&self->outputs, outputs))
    g_object_notify (G_OBJECT (self), "outputs");
}

/**
 * c2g_operator_def_get_n_outputs:
 * @self: a definition
 *
 * Counts the blobs that the operator writes.
 *
 * Returns: their number
 */
guint
c2g_operator_def_get_n_outputs (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), 0);

  return self->outputs.n_names;
}

/**
 * c2g_operator_def_add_output:
 * @self: a definition
 * @name: the name of a blob
 *
 * Adds a name at the end of [property@OperatorDef:outputs].
 */
void
c2g_operator_def_add_output (C2gOperatorDef *self,
                             const char     *name)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);

  c2g_name_list_add (&self->outputs, name);
  g_object_notify (G_OBJECT (self), "outputs");
}

/**
 * c2g_operator_def_get_control_inputs: (get-property control-inputs)
 * @self: a definition
 *
 * Gets the names of the blobs that have to be written before.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_operator_def_get_control_inputs (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_name_list_get (&self->control_inputs);
}

/**
 * c2g_operator_def_set_control_inputs: (set-property control-inputs)
 * @self: a definition
 * @control_inputs: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the blobs that have to be written before.
 */
void
c2g_operator_def_set_control_inputs (C2gOperatorDef    *self,
                                     const char *const *control_inputs)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_name_list_set (&self->control_inputs, control_inputs))
    g_object_notify (G_OBJECT (self), "control-inputs");
}

/**
 * c2g_operator_def_get_n_control_inputs:
 * @self: a definition
 *
 * Counts the blobs that have to be written before.
 *
 * Returns: their number
 */
guint
c2g_operator_def_get_n_control_inputs (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), 0);

  return self->control_inputs.n_names;
}

/**
 * c2g_operator_def_add_control_input:
 * @self: a definition
 * @name: the name of a blob
 *
 * Adds a name at the end of [property@OperatorDef:control-inputs].
 */
void
c2g_operator_def_add_control_input (C2gOperatorDef *self,
                                    const char     *name)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (name != NULL);

  c2g_name_list_add (&self->control_inputs, name);
  g_object_notify (G_OBJECT (self), "control-inputs");
}
