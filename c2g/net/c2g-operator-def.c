/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-operator-def-private.h>

#include <c2g/io/c2g-options-private.h>
#include <c2g/io/c2g-wire-private.h>

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

static void
c2g_operator_def_get_property (GObject    *object,
                               guint       prop_id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  C2gOperatorDef *self = C2G_OPERATOR_DEF (object);

  switch (prop_id)
    {
    case PROP_OP_TYPE:
      g_value_set_string (value, c2g_operator_def_get_op_type (self));
      break;

    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;

    case PROP_ENGINE:
      g_value_set_string (value, self->engine);
      break;

    case PROP_DEVICE:
      g_value_set_boxed (value, c2g_operator_def_get_device (self));
      break;

    case PROP_RANDOM_SEED:
      g_value_set_int64 (value, c2g_operator_def_get_random_seed (self));
      break;

    case PROP_IS_GRADIENT_OP:
      g_value_set_boolean (value, c2g_operator_def_get_is_gradient_op (self));
      break;

    case PROP_DEBUG_INFO:
      g_value_set_string (value, self->debug_info);
      break;

    case PROP_INPUTS:
      g_value_set_boxed (value, c2g_operator_def_get_inputs (self));
      break;

    case PROP_OUTPUTS:
      g_value_set_boxed (value, c2g_operator_def_get_outputs (self));
      break;

    case PROP_CONTROL_INPUTS:
      g_value_set_boxed (value, c2g_operator_def_get_control_inputs (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_operator_def_set_property (GObject      *object,
                               guint         prop_id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  C2gOperatorDef *self = C2G_OPERATOR_DEF (object);

  switch (prop_id)
    {
    case PROP_OP_TYPE:
      c2g_operator_def_set_op_type (self, g_value_get_string (value));
      break;

    case PROP_NAME:
      c2g_operator_def_set_name (self, g_value_get_string (value));
      break;

    case PROP_ENGINE:
      c2g_operator_def_set_engine (self, g_value_get_string (value));
      break;

    case PROP_DEVICE:
      c2g_operator_def_set_device (self, g_value_get_boxed (value));
      break;

    case PROP_RANDOM_SEED:
      c2g_operator_def_set_random_seed (self, g_value_get_int64 (value));
      break;

    case PROP_IS_GRADIENT_OP:
      c2g_operator_def_set_is_gradient_op (self, g_value_get_boolean (value));
      break;

    case PROP_DEBUG_INFO:
      c2g_operator_def_set_debug_info (self, g_value_get_string (value));
      break;

    case PROP_INPUTS:
      c2g_operator_def_set_inputs (self, g_value_get_boxed (value));
      break;

    case PROP_OUTPUTS:
      c2g_operator_def_set_outputs (self, g_value_get_boxed (value));
      break;

    case PROP_CONTROL_INPUTS:
      c2g_operator_def_set_control_inputs (self, g_value_get_boxed (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_operator_def_finalize (GObject *object)
{
  C2gOperatorDef *self = C2G_OPERATOR_DEF (object);

  g_free (self->op_type);
  g_free (self->name);
  g_free (self->engine);
  g_free (self->debug_info);
  c2g_device_option_clear (&self->device_option);
  c2g_name_list_clear (&self->inputs);
  c2g_name_list_clear (&self->outputs);
  c2g_name_list_clear (&self->control_inputs);
  g_clear_pointer (&self->arguments, g_ptr_array_unref);
  c2g_message_box_unref (self->rest);

  G_OBJECT_CLASS (c2g_operator_def_parent_class)->finalize (object);
}

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

  object_class->get_property = c2g_operator_def_get_property;
  object_class->set_property = c2g_operator_def_set_property;
  object_class->finalize = c2g_operator_def_finalize;

  install_what (flags);
  install_where (flags);
  install_names (flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
c2g_operator_def_init (C2gOperatorDef *self)
{
  self->is_gradient_op = -1;
}

/* Keeps the message if it has fields that C2gOperatorDef has no member for; NULL otherwise. */
static C2gMessageBox *
new_rest (Caffe2__OperatorDef *message)
{
  if (message->domain != NULL || message->has_op_version || message->base.n_unknown_fields > 0)
    return c2g_message_box_new (message);

  c2g_wire_free (message);
  return NULL;
}

C2gOperatorDef *
c2g_operator_def_new_take (Caffe2__OperatorDef *message)
{
  C2gOperatorDef *self = g_object_new (C2G_TYPE_OPERATOR_DEF, NULL);

  self->op_type = c2g_name_from_message (message->type);
  self->name = c2g_name_from_message (message->name);
  self->engine = c2g_name_from_message (message->engine);
  self->debug_info = c2g_name_from_message (message->debug_info);
  if (message->has_is_gradient_op)
    self->is_gradient_op = message->is_gradient_op;

  c2g_name_list_add_all (&self->inputs, message->input, message->n_input);
  c2g_name_list_add_all (&self->outputs, message->output, message->n_output);
  c2g_name_list_add_all (&self->control_inputs, message->control_input, message->n_control_input);

  c2g_device_option_init_take (&self->device_option, g_steal_pointer (&message->device_option));
  self->arguments = c2g_argument_list_new_take (message->arg, message->n_arg);
  message->n_arg = 0;

  self->rest = new_rest (message);
  return self;
}

/* Lends the names to the message without a copy. Fields that are only kept come from the rest. */
static void
lend_names (C2gOperatorDef      *self,
            Caffe2__OperatorDef *message)
{
  message->type = self->op_type;
  message->name = self->name;
  message->engine = self->engine;
  message->debug_info = self->debug_info;

  message->input = self->inputs.names;
  message->n_input = self->inputs.n_names;
  message->output = self->outputs.names;
  message->n_output = self->outputs.n_names;
  message->control_input = self->control_inputs.names;
  message->n_control_input = self->control_inputs.n_names;
}

void
c2g_operator_def_get_message (C2gOperatorDef      *self,
                              Caffe2__OperatorDef *message,
                              GPtrArray           *owned)
{
  const Caffe2__OperatorDef *rest = c2g_message_box_peek (self->rest);

  caffe2__operator_def__init (message);
  if (rest != NULL)
    *message = *rest;

  lend_names (self, message);
  message->device_option = c2g_device_option_get_message (&self->device_option);
  message->has_is_gradient_op = self->is_gradient_op >= 0;
  message->is_gradient_op = self->is_gradient_op > 0;
  message->arg = c2g_argument_list_get_messages (self->arguments, &message->n_arg);
  g_ptr_array_add (owned, message->arg);
}

C2gArgument *
c2g_operator_def_find (C2gOperatorDef *self,
                       const char     *name)
{
  return c2g_argument_list_find (self->arguments, name);
}

C2gArgument *const *
c2g_operator_def_peek_arguments (C2gOperatorDef *self,
                                 gsize          *n_arguments)
{
  *n_arguments = self->arguments == NULL ? 0 : self->arguments->len;
  return self->arguments == NULL ? NULL : (C2gArgument *const *) self->arguments->pdata;
}

gboolean
c2g_operator_def_resolve_device (C2gOperatorDef  *self,
                                 C2gDevice      **device,
                                 GError         **error)
{
  return c2g_device_option_resolve (&self->device_option, device, error);
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
  C2gOperatorDef *copy;

  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  copy = g_object_new (C2G_TYPE_OPERATOR_DEF, NULL);
  copy->op_type = g_strdup (self->op_type);
  copy->name = g_strdup (self->name);
  copy->engine = g_strdup (self->engine);
  copy->debug_info = g_strdup (self->debug_info);
  copy->is_gradient_op = self->is_gradient_op;

  c2g_name_list_set (&copy->inputs, c2g_name_list_get (&self->inputs));
  c2g_name_list_set (&copy->outputs, c2g_name_list_get (&self->outputs));
  c2g_name_list_set (&copy->control_inputs, c2g_name_list_get (&self->control_inputs));

  c2g_device_option_init_copy (&copy->device_option, &self->device_option);
  copy->arguments = c2g_argument_list_copy (self->arguments);
  copy->rest = c2g_message_box_ref (self->rest);
  return copy;
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

  return self->op_type == NULL ? "" : self->op_type;
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

  if (c2g_set_string (&self->op_type, op_type))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_OP_TYPE]);
}

/**
 * c2g_operator_def_get_name: (get-property name)
 * @self: a definition
 *
 * Gets the name of the operator.
 *
 * Returns: (transfer none) (nullable): the name
 */
const char *
c2g_operator_def_get_name (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return self->name;
}

/**
 * c2g_operator_def_set_name: (set-property name)
 * @self: a definition
 * @name: (nullable): the name
 *
 * Sets the name of the operator.
 */
void
c2g_operator_def_set_name (C2gOperatorDef *self,
                                 const char     *name)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_set_string (&self->name, name))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
}

/**
 * c2g_operator_def_get_engine: (get-property engine)
 * @self: a definition
 *
 * Gets which implementation is wanted.
 *
 * Returns: (transfer none) (nullable): the engine, or `NULL` for any
 */
const char *
c2g_operator_def_get_engine (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return self->engine;
}

/**
 * c2g_operator_def_set_engine: (set-property engine)
 * @self: a definition
 * @engine: (nullable): the engine, or `NULL` for any
 *
 * Sets which implementation is wanted.
 */
void
c2g_operator_def_set_engine (C2gOperatorDef *self,
                                   const char     *engine)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_set_string (&self->engine, engine))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ENGINE]);
}

/**
 * c2g_operator_def_get_debug_info: (get-property debug-info)
 * @self: a definition
 *
 * Gets the text about the origin of the operator.
 *
 * Returns: (transfer none) (nullable): a text for people
 */
const char *
c2g_operator_def_get_debug_info (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return self->debug_info;
}

/**
 * c2g_operator_def_set_debug_info: (set-property debug-info)
 * @self: a definition
 * @debug_info: (nullable): a text for people
 *
 * Sets the text about the origin of the operator.
 */
void
c2g_operator_def_set_debug_info (C2gOperatorDef *self,
                                       const char     *debug_info)
{
  g_return_if_fail (C2G_IS_OPERATOR_DEF (self));

  if (c2g_set_string (&self->debug_info, debug_info))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DEBUG_INFO]);
}

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

  return c2g_device_option_get_device (&self->device_option);
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

  if (c2g_device_option_set_device (&self->device_option, device))
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

  return c2g_device_option_get_random_seed (&self->device_option);
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

  if (c2g_device_option_set_random_seed (&self->device_option, random_seed))
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

  return self->is_gradient_op > 0;
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

  self->is_gradient_op = is_gradient_op;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IS_GRADIENT_OP]);
}

/* Returns a message with only the unknown fields, the domain and the version of the file. */
static Caffe2__OperatorDef
get_rest (C2gOperatorDef *self)
{
  const Caffe2__OperatorDef *rest = c2g_message_box_peek (self->rest);
  Caffe2__OperatorDef message = CAFFE2__OPERATOR_DEF__INIT;

  if (rest == NULL)
    return message;

  message.base = rest->base;
  message.domain = rest->domain;
  message.has_op_version = rest->has_op_version;
  message.op_version = rest->op_version;
  return message;
}

static gboolean
rests_equal (C2gOperatorDef *self,
             C2gOperatorDef *other)
{
  Caffe2__OperatorDef rest = get_rest (self);
  Caffe2__OperatorDef other_rest = get_rest (other);

  return c2g_message_equal (&rest.base, &other_rest.base);
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

  return c2g_name_equal (self->op_type, other->op_type) &&
         c2g_name_equal (self->name, other->name) &&
         c2g_name_equal (self->engine, other->engine) &&
         c2g_name_equal (self->debug_info, other->debug_info) &&
         c2g_operator_def_get_is_gradient_op (self) ==
           c2g_operator_def_get_is_gradient_op (other) &&
         c2g_name_list_equal (&self->inputs, &other->inputs) &&
         c2g_name_list_equal (&self->outputs, &other->outputs) &&
         c2g_name_list_equal (&self->control_inputs, &other->control_inputs) &&
         c2g_device_option_equal (&self->device_option, &other->device_option) &&
         c2g_argument_list_equal (self->arguments, other->arguments) &&
         rests_equal (self, other);
}
