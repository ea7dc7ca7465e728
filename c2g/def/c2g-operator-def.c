/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-operator-def-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-def-io-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>

/**
 * C2gOperatorDef:
 *
 * The definition of an operator: its type, blobs and arguments.
 *
 * A definition has the type of the operator, the names of the blobs that it reads and writes,
 * and arguments. It is part of a [class@NetDef], or run by itself.
 *
 * ```c
 * g_autoptr (C2gOperatorDef) op = c2g_operator_def_new ("Conv");
 *
 * c2g_operator_def_add_input (op, "data");
 * c2g_operator_def_add_input (op, "weights");
 * c2g_operator_def_add_output (op, "features");
 * c2g_operator_def_set_int (op, "kernel", 3);
 * ```
 *
 * ```python
 * op = C2g.OperatorDef(op_type='Conv', inputs=['data', 'weights'], outputs=['features'])
 * op.set_int('kernel', 3)
 * ```
 *
 * An operator made from a definition keeps a copy: later changes of the definition do not
 * affect it. A copy costs little: arguments do not change, and are shared.
 *
 * Fields of a file that c2g does not know are kept and written again.
 *
 * ## Threads
 *
 * A definition belongs to one thread at a time. As long as nobody changes it, several threads
 * can read it.
 */

enum
{
  PROP_0,
  PROP_OP_TYPE,
  PROP_NAME,
  PROP_ENGINE,
  PROP_DEVICE,
  PROP_RANDOM_SEED,
  PROP_IS_GRADIENT_OP,
  PROP_DEBUG_INFO,
  PROP_INPUTS,
  PROP_OUTPUTS,
  PROP_CONTROL_INPUTS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gOperatorDef, c2g_operator_def, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_OP_TYPE] = C2G_PROPERTY (c2g_operator_def, op_type),
  [PROP_NAME] = C2G_PROPERTY_FIELD (C2gOperatorDef, message.name),
  [PROP_ENGINE] = C2G_PROPERTY_FIELD (C2gOperatorDef, message.engine),
  [PROP_DEVICE] = C2G_PROPERTY (c2g_operator_def, device),
  [PROP_RANDOM_SEED] = C2G_PROPERTY (c2g_operator_def, random_seed),
  [PROP_IS_GRADIENT_OP] = C2G_PROPERTY (c2g_operator_def, is_gradient_op),
  [PROP_DEBUG_INFO] = C2G_PROPERTY_FIELD (C2gOperatorDef, message.debug_info),
  [PROP_INPUTS] = C2G_PROPERTY (c2g_operator_def, inputs),
  [PROP_OUTPUTS] = C2G_PROPERTY (c2g_operator_def, outputs),
  [PROP_CONTROL_INPUTS] = C2G_PROPERTY (c2g_operator_def, control_inputs),
};

#define GETTER(type, name, field)     C2G_DEFINE_GETTER (C2gOperatorDef, c2g_operator_def, C2G_IS_OPERATOR_DEF, type, name, field)
#define SETTER(type, name, field, id) C2G_DEFINE_SETTER (C2gOperatorDef, c2g_operator_def, C2G_IS_OPERATOR_DEF, type, name, field, props[PROP_##id])

static void
install_what (GParamFlags flags)
{
  /**
   * C2gOperatorDef:op-type: (getter get_op_type) (setter set_op_type)
   *
   * The type of the operator, such as `Conv`.
   */
  props[PROP_OP_TYPE] = g_param_spec_string ("op-type", NULL, NULL, "", flags);

  /**
   * C2gOperatorDef:name: (getter get_name) (setter set_name)
   *
   * The name of the operator in messages; optional.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * C2gOperatorDef:is-gradient-op: (getter get_is_gradient_op) (setter set_is_gradient_op)
   *
   * Whether the operator computes gradients: a hint for shape inference.
   */
  props[PROP_IS_GRADIENT_OP] = g_param_spec_boolean ("is-gradient-op", NULL, NULL, FALSE, flags);

  /**
   * C2gOperatorDef:debug-info: (getter get_debug_info) (setter set_debug_info)
   *
   * Text about the origin of the operator.
   */
  props[PROP_DEBUG_INFO] = g_param_spec_string ("debug-info", NULL, NULL, NULL, flags);
}

static void
install_where (GParamFlags flags)
{
  /**
   * C2gOperatorDef:engine: (getter get_engine) (setter set_engine)
   *
   * The implementation that is wanted, such as `CUDNN`.
   *
   * If there is none of that name, the default one is used.
   */
  props[PROP_ENGINE] = g_param_spec_string ("engine", NULL, NULL, NULL, flags);

  /**
   * C2gOperatorDef:device: (getter get_device) (setter set_device)
   *
   * The device that the operator runs on; `NULL` leaves it to the net.
   *
   * It is also `NULL` for an unknown kind of device in a file.
   */
  props[PROP_DEVICE] = g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE, flags);

  /**
   * C2gOperatorDef:random-seed: (getter get_random_seed) (setter set_random_seed)
   *
   * The seed of random numbers, or -1 if it is not set.
   *
   * In Caffe2 the seed is part of the device option: an operator with a seed and without a
   * device runs on the CPU, whatever the net says.
   */
  props[PROP_RANDOM_SEED] =
    g_param_spec_int64 ("random-seed", NULL, NULL, -1, G_MAXUINT32, -1, flags);
}

static void
install_names (GParamFlags flags)
{
  /**
   * C2gOperatorDef:inputs: (getter get_inputs) (setter set_inputs)
   *
   * The names of the blobs that the operator reads.
   */
  props[PROP_INPUTS] = g_param_spec_boxed ("inputs", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gOperatorDef:outputs: (getter get_outputs) (setter set_outputs)
   *
   * The names of the blobs that the operator writes.
   */
  props[PROP_OUTPUTS] = g_param_spec_boxed ("outputs", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gOperatorDef:control-inputs: (getter get_control_inputs) (setter set_control_inputs)
   *
   * The names of blobs that others have to write before the operator runs.
   *
   * It does not read them.
   */
  props[PROP_CONTROL_INPUTS] =
    g_param_spec_boxed ("control-inputs", NULL, NULL, G_TYPE_STRV, flags);
}

static void
c2g_operator_def_class_init (C2gOperatorDefClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_def_finalize;

  install_what (flags);
  install_where (flags);
  install_names (flags);
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_operator_def_init (C2gOperatorDef *self)
{
  caffe2__operator_def__init (&self->message);
}

C2gArgument *
c2g_operator_def_find (C2gOperatorDef *self,
                       const char     *name)
{
  return c2g_keyed_list_find (self->message.arg, self->message.n_arg, name);
}

C2gArgument *const *
c2g_operator_def_peek_arguments (C2gOperatorDef *self,
                                 gsize          *n_arguments)
{
  *n_arguments = self->message.n_arg;
  return (C2gArgument *const *) self->message.arg;
}

gboolean
c2g_operator_def_resolve_device (C2gOperatorDef  *self,
                                 C2gDevice      **device,
                                 GError         **error)
{
  return c2g_device_option_resolve (self->message.device_option, device, error);
}

/**
 * c2g_operator_def_new:
 * @op_type: the type of the operator
 *
 * Makes a definition without blobs and arguments.
 *
 * The type is looked up only when the operator is made.
 *
 * Returns: (transfer full): a new definition
 */
C2gOperatorDef *
c2g_operator_def_new (const char *op_type)
{
  g_return_val_if_fail (op_type != NULL, NULL);

  return g_object_new (C2G_TYPE_OPERATOR_DEF, "op-type", op_type, NULL);
}

/**
 * c2g_operator_def_copy:
 * @self: a definition
 *
 * Makes a definition with the same content.
 *
 * Returns: (transfer full): a new definition
 */
C2gOperatorDef *
c2g_operator_def_copy (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_def_copy (self);
}

/**
 * c2g_operator_def_get_op_type: (get-property op-type)
 * @self: a definition
 *
 * Gets the type of the operator.
 *
 * Returns: (transfer none): the type, `""` if a file says none
 */
const char *
c2g_operator_def_get_op_type (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return self->message.type == NULL ? "" : self->message.type;
}

/**
 * c2g_operator_def_set_op_type: (set-property op-type)
 * @self: a definition
 * @op_type: the type
 *
 * Sets the type of the operator.
 */
void
c2g_operator_def_set_op_type (C2gOperatorDef *self,
                              const char     *op_type)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (op_type != NULL);

  c2g_property_set_field (self, props[PROP_OP_TYPE], &self->message.type, &op_type);
}

/**
 * c2g_operator_def_get_name: (get-property name)
 * @self: a definition
 *
 * Gets the name of the operator.
 *
 * Returns: (transfer none) (nullable): the name
 */
GETTER (const char *, name, message.name)

/**
 * c2g_operator_def_set_name: (set-property name)
 * @self: a definition
 * @name: (nullable): the name
 *
 * Sets the name of the operator.
 */
SETTER (const char *, name, message.name, NAME)

/**
 * c2g_operator_def_get_engine: (get-property engine)
 * @self: a definition
 *
 * Gets which implementation is wanted.
 *
 * Returns: (transfer none) (nullable): the engine, or `NULL` for any
 */
GETTER (const char *, engine, message.engine)

/**
 * c2g_operator_def_set_engine: (set-property engine)
 * @self: a definition
 * @engine: (nullable): the engine, or `NULL` for any
 *
 * Sets which implementation is wanted.
 */
SETTER (const char *, engine, message.engine, ENGINE)

/**
 * c2g_operator_def_get_debug_info: (get-property debug-info)
 * @self: a definition
 *
 * Gets the text about the origin of the operator.
 *
 * Returns: (transfer none) (nullable): a text for people
 */
GETTER (const char *, debug_info, message.debug_info)

/**
 * c2g_operator_def_set_debug_info: (set-property debug-info)
 * @self: a definition
 * @debug_info: (nullable): a text for people
 *
 * Sets the text about the origin of the operator.
 */
SETTER (const char *, debug_info, message.debug_info, DEBUG_INFO)

/**
 * c2g_operator_def_get_device: (get-property device)
 * @self: a definition
 *
 * Gets the device that the operator runs on.
 *
 * Returns: (transfer none) (nullable): the device, or `NULL` if it is left to the net
 */
C2gDevice *
c2g_operator_def_get_device (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_device_option_get_device (self->message.device_option);
}

/**
 * c2g_operator_def_set_device: (set-property device)
 * @self: a definition
 * @device: (nullable): a device, or `NULL` to leave it to the net
 *
 * Sets the device that the operator runs on.
 *
 * `NULL` also removes the random seed, because Caffe2 stores both in the same message.
 */
void
c2g_operator_def_set_device (C2gOperatorDef *self,
                             C2gDevice      *device)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_device_option_set_device (&self->message.device_option, device))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DEVICE]);
}

/**
 * c2g_operator_def_get_random_seed: (get-property random-seed)
 * @self: a definition
 *
 * Gets the seed of random numbers.
 *
 * Returns: the seed, or -1 if it is not set
 */
gint64
c2g_operator_def_get_random_seed (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), -1);

  return c2g_device_option_get_random_seed (self->message.device_option);
}

/**
 * c2g_operator_def_set_random_seed: (set-property random-seed)
 * @self: a definition
 * @random_seed: a number of 32 bits, or -1 for none
 *
 * Sets the seed of random numbers.
 */
void
c2g_operator_def_set_random_seed (C2gOperatorDef *self,
                                  gint64          random_seed)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));
  g_return_if_fail (random_seed >= -1 && random_seed <= G_MAXUINT32);

  if (c2g_device_option_set_random_seed (&self->message.device_option, random_seed))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RANDOM_SEED]);
}

/**
 * c2g_operator_def_get_is_gradient_op: (get-property is-gradient-op)
 * @self: a definition
 *
 * Gets whether the operator computes gradients.
 *
 * Returns: whether it does
 */
gboolean
c2g_operator_def_get_is_gradient_op (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), FALSE);

  return self->message.has_is_gradient_op && self->message.is_gradient_op;
}

/**
 * c2g_operator_def_set_is_gradient_op: (set-property is-gradient-op)
 * @self: a definition
 * @is_gradient_op: whether it does
 *
 * Sets whether the operator computes gradients.
 */
void
c2g_operator_def_set_is_gradient_op (C2gOperatorDef *self,
                                     gboolean        is_gradient_op)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  is_gradient_op = !!is_gradient_op;
  if (is_gradient_op == c2g_operator_def_get_is_gradient_op (self))
    return;

  self->message.has_is_gradient_op = TRUE;
  self->message.is_gradient_op = is_gradient_op;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IS_GRADIENT_OP]);
}

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

  return c2g_names_get (self->message.input);
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

  c2g_names_set (self, &self->message.input, &self->message.n_input, inputs, props[PROP_INPUTS]);
}

/**
 * c2g_operator_def_get_n_inputs:
 * @self: a definition
 *
 * Counts the blobs that the operator reads.
 *
 * Returns: their number
 */
GETTER (guint, n_inputs, message.n_input)

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

  c2g_names_add (self, &self->message.input, &self->message.n_input, name, props[PROP_INPUTS]);
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

  return c2g_names_get (self->message.output);
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

  c2g_names_set (self, &self->message.output, &self->message.n_output, outputs, props[PROP_OUTPUTS]);
}

/**
 * c2g_operator_def_get_n_outputs:
 * @self: a definition
 *
 * Counts the blobs that the operator writes.
 *
 * Returns: their number
 */
GETTER (guint, n_outputs, message.n_output)

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

  c2g_names_add (self, &self->message.output, &self->message.n_output, name, props[PROP_OUTPUTS]);
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

  return c2g_names_get (self->message.control_input);
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

  c2g_names_set (self, &self->message.control_input, &self->message.n_control_input,
                 control_inputs, props[PROP_CONTROL_INPUTS]);
}

/**
 * c2g_operator_def_get_n_control_inputs:
 * @self: a definition
 *
 * Counts the blobs that have to be written before.
 *
 * Returns: their number
 */
GETTER (guint, n_control_inputs, message.n_control_input)

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

  c2g_names_add (self, &self->message.control_input, &self->message.n_control_input, name,
                 props[PROP_CONTROL_INPUTS]);
}

/**
 * c2g_operator_def_equal:
 * @self: a definition
 * @other: another one
 *
 * Compares two definitions.
 *
 * A text that is not set equals an empty one; the order of names and arguments counts.
 *
 * Returns: true if they are equal
 */
gboolean
c2g_operator_def_equal (C2gOperatorDef *self,
                        C2gOperatorDef *other)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), FALSE);
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (other), FALSE);

  return c2g_def_equal (self, other);
}

/**
 * c2g_operator_def_new_from_bytes:
 * @bytes: a binary message
 * @error: return location for an error
 *
 * Reads an operator.
 *
 * Damaged bytes are `C2G_ERROR_CORRUPT`, with the place.
 *
 * Returns: (transfer full): a new operator
 */
C2gOperatorDef *
c2g_operator_def_new_from_bytes (GBytes  *bytes,
                                 GError **error)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_bytes (&caffe2__operator_def__descriptor, bytes, error);
}

/**
 * c2g_operator_def_new_from_text:
 * @text: an operator in protobuf's text format
 * @error: return location for an error
 *
 * Reads an operator.
 *
 * Invalid text is `C2G_ERROR_CORRUPT`, with line and column.
 *
 * Returns: (transfer full): a new operator
 */
C2gOperatorDef *
c2g_operator_def_new_from_text (const char  *text,
                                GError     **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_text (&caffe2__operator_def__descriptor, text, error);
}

/**
 * c2g_operator_def_to_bytes:
 * @self: an operator
 * @error: return location for an error
 *
 * Writes the operator as a binary message.
 *
 * Returns: (transfer full): the message; `NULL` with `C2G_ERROR_RANGE` if it would be larger than
 *   the format allows, or with `C2G_ERROR_NO_MEMORY`
 */
GBytes *
c2g_operator_def_to_bytes (C2gOperatorDef  *self,
                           GError         **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_to_bytes (self, error);
}

/**
 * c2g_operator_def_to_text:
 * @self: a definition
 *
 * Writes the definition in protobuf's text format.
 *
 * Returns: (transfer full): the text
 */
char *
c2g_operator_def_to_text (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_def_io_to_text (self);
}
