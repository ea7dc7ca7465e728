/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-net-def-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>

/**
 * C2gNetDef:
 *
 * Operators in order, which together are a net.
 *
 * A net has a name, operators, the names of its external inputs and outputs, and arguments of
 * its own. It is built call by call, or read from a file.
 *
 * ```c
 * g_autoptr (C2gNetDef) net = c2g_net_def_load_file (file, NULL, &error);
 *
 * for (gsize i = 0; i < c2g_net_def_get_n_operators (net); i++)
 *   g_print ("%s\n", c2g_operator_def_get_op_type (c2g_net_def_get_operator (net, i)));
 * ```
 *
 * ```python
 * net = C2g.NetDef(name='mlp', external_inputs=['data', 'w', 'b'])
 * net.add_operator(C2g.OperatorDef(op_type='FC', inputs=['data', 'w', 'b'], outputs=['y']))
 * for op in net:
 *     print(op.get_op_type())
 * ```
 *
 * As a [iface@Gio.ListModel] it lists its operators.
 *
 * Operators are held by reference: one that is changed is changed in the net. A net or
 * operator made from a definition keeps a copy: later changes of the definition do not affect
 * it.
 *
 * ## Files
 *
 * Nets are read and written as Caffe2 does, as messages in binary and in protobuf's text
 * format. Fields of a file that c2g does not know are kept and written again. Names that are
 * not UTF-8 are converted to it.
 *
 * ## Threads
 *
 * A definition belongs to one thread at a time. As long as nobody changes it, several threads
 * can read it.
 */

enum
{
  PROP_0,
  PROP_NAME,
  PROP_NET_TYPE,
  PROP_N_WORKERS,
  PROP_DEVICE,
  PROP_EXTERNAL_INPUTS,
  PROP_EXTERNAL_OUTPUTS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static GType
get_item_type (GListModel *model)
{
  return C2G_TYPE_OPERATOR_DEF;
}

static guint
get_n_items (GListModel *model)
{
  return C2G_NET_DEF (model)->message.n_op;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  C2gOperatorDef *op = c2g_net_def_get_operator (C2G_NET_DEF (model), position);

  return op != NULL ? g_object_ref (op) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (C2gNetDef, c2g_net_def, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static const C2gProperty rows[N_PROPS] = {
  [PROP_NAME] = C2G_PROPERTY_FIELD (C2gNetDef, message.name),
  [PROP_NET_TYPE] = C2G_PROPERTY_FIELD (C2gNetDef, message.type),
  [PROP_N_WORKERS] = C2G_PROPERTY (c2g_net_def, n_workers),
  [PROP_DEVICE] = C2G_PROPERTY (c2g_net_def, device),
  [PROP_EXTERNAL_INPUTS] = C2G_PROPERTY (c2g_net_def, external_inputs),
  [PROP_EXTERNAL_OUTPUTS] = C2G_PROPERTY (c2g_net_def, external_outputs),
};

#define GETTER(type, name, field)     C2G_DEFINE_GETTER (C2gNetDef, c2g_net_def, C2G_IS_NET_DEF, type, name, field)
#define SETTER(type, name, field, id) C2G_DEFINE_SETTER (C2gNetDef, c2g_net_def, C2G_IS_NET_DEF, type, name, field, props[PROP_##id])

static void
install_how (GParamFlags flags)
{
  /**
   * C2gNetDef:name: (getter get_name) (setter set_name)
   *
   * The name of the net in a workspace.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  /**
   * C2gNetDef:net-type: (getter get_net_type) (setter set_net_type)
   *
   * The type of the net: `simple` runs one operator after the other, `dag` runs them in
   * several threads.
   *
   * `NULL` is `simple`.
   */
  props[PROP_NET_TYPE] = g_param_spec_string ("net-type", NULL, NULL, NULL, flags);

  /**
   * C2gNetDef:n-workers: (getter get_n_workers) (setter set_n_workers)
   *
   * The number of threads that the net wants, or 0 if it is not set.
   */
  props[PROP_N_WORKERS] = g_param_spec_int ("n-workers", NULL, NULL, 0, G_MAXINT, 0, flags);

  /**
   * C2gNetDef:device: (getter get_device) (setter set_device)
   *
   * The device of operators that name none.
   *
   * It is also `NULL` for an unknown kind of device in a file.
   */
  props[PROP_DEVICE] = g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE, flags);
}

static void
install_names (GParamFlags flags)
{
  /**
   * C2gNetDef:external-inputs: (getter get_external_inputs) (setter set_external_inputs)
   *
   * The names of the blobs that have to be there before the net runs.
   */
  props[PROP_EXTERNAL_INPUTS] =
    g_param_spec_boxed ("external-inputs", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * C2gNetDef:external-outputs: (getter get_external_outputs) (setter set_external_outputs)
   *
   * The names of the blobs that are results of the net.
   */
  props[PROP_EXTERNAL_OUTPUTS] =
    g_param_spec_boxed ("external-outputs", NULL, NULL, G_TYPE_STRV, flags);
}

static void
c2g_net_def_class_init (C2gNetDefClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_def_finalize;

  install_how (flags);
  install_names (flags);
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_net_def_init (C2gNetDef *self)
{
  caffe2__net_def__init (&self->message);
}

gboolean
c2g_net_def_resolve_device (C2gNetDef  *self,
                            C2gDevice **device,
                            GError    **error)
{
  return c2g_device_option_resolve (self->message.device_option, device, error);
}

/**
 * c2g_net_def_new:
 * @name: (nullable): what the net is called
 *
 * Makes a net without operators.
 *
 * Returns: (transfer full): a new net
 */
C2gNetDef *
c2g_net_def_new (const char *name)
{
  return g_object_new (C2G_TYPE_NET_DEF, "name", name, NULL);
}

/**
 * c2g_net_def_copy:
 * @self: a net
 *
 * Makes a net with the same content, and copies of the operators.
 *
 * Returns: (transfer full): a new net
 */
C2gNetDef *
c2g_net_def_copy (C2gNetDef *self)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);

  return c2g_def_copy (self);
}

/**
 * c2g_net_def_get_name: (get-property name)
 * @self: a net
 *
 * Gets the name of the net.
 *
 * Returns: (transfer none) (nullable): the name
 */
GETTER (const char *, name, message.name)

/**
 * c2g_net_def_set_name: (set-property name)
 * @self: a net
 * @name: (nullable): the name
 *
 * Sets the name of the net.
 */
SETTER (const char *, name, message.name, NAME)

/**
 * c2g_net_def_get_net_type: (get-property net-type)
 * @self: a net
 *
 * Gets the type of the net.
 *
 * Returns: (transfer none) (nullable): the type, or `NULL` for `simple`
 */
GETTER (const char *, net_type, message.type)

/**
 * c2g_net_def_set_net_type: (set-property net-type)
 * @self: a net
 * @net_type: (nullable): the type, or `NULL` for `simple`
 *
 * Sets the type of the net.
 */
SETTER (const char *, net_type, message.type, NET_TYPE)

/**
 * c2g_net_def_get_n_workers: (get-property n-workers)
 * @self: a net
 *
 * Gets the number of threads that the net wants.
 *
 * Returns: the number, or 0 if the net does not say
 */
int
c2g_net_def_get_n_workers (C2gNetDef *self)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), 0);

  return MAX (self->message.num_workers, 0);
}

/**
 * c2g_net_def_set_n_workers: (set-property n-workers)
 * @self: a net
 * @n_workers: the number, or 0 to leave it open
 *
 * Sets the number of threads that the net wants.
 */
void
c2g_net_def_set_n_workers (C2gNetDef *self,
                           int        n_workers)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));
  g_return_if_fail (n_workers >= 0);

  if (n_workers == c2g_net_def_get_n_workers (self))
    return;

  self->message.has_num_workers = n_workers > 0;
  self->message.num_workers = n_workers;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_WORKERS]);
}

/**
 * c2g_net_def_get_device: (get-property device)
 * @self: a net
 *
 * Gets the device of operators that name none.
 *
 * Returns: (transfer none) (nullable): the device, or `NULL` if the net does not say either
 */
C2gDevice *
c2g_net_def_get_device (C2gNetDef *self)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);

  return c2g_device_option_get_device (self->message.device_option);
}

/**
 * c2g_net_def_set_device: (set-property device)
 * @self: a net
 * @device: (nullable): a device, or `NULL` to say nothing
 *
 * Sets the device of operators that name none.
 */
void
c2g_net_def_set_device (C2gNetDef *self,
                        C2gDevice *device)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));

  if (c2g_device_option_set_device (&self->message.device_option, device))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DEVICE]);
}

/**
 * c2g_net_def_get_external_inputs: (get-property external-inputs)
 * @self: a net
 *
 * Gets the names of the blobs that come from outside.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_net_def_get_external_inputs (C2gNetDef *self)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);

  return c2g_names_get (self->message.external_input);
}

/**
 * c2g_net_def_set_external_inputs: (set-property external-inputs)
 * @self: a net
 * @external_inputs: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the blobs that come from outside.
 */
void
c2g_net_def_set_external_inputs (C2gNetDef         *self,
                                 const char *const *external_inputs)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));

  c2g_names_set (self, &self->message.external_input, &self->message.n_external_input,
                 external_inputs, props[PROP_EXTERNAL_INPUTS]);
}

/**
 * c2g_net_def_add_external_input:
 * @self: a net
 * @name: the name of a blob
 *
 * Adds a name at the end of [property@NetDef:external-inputs].
 */
void
c2g_net_def_add_external_input (C2gNetDef  *self,
                                const char *name)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));
  g_return_if_fail (name != NULL);

  c2g_names_add (self, &self->message.external_input, &self->message.n_external_input, name,
                 props[PROP_EXTERNAL_INPUTS]);
}

/**
 * c2g_net_def_get_external_outputs: (get-property external-outputs)
 * @self: a net
 *
 * Gets the names of the blobs that are results of the net.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_net_def_get_external_outputs (C2gNetDef *self)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);

  return c2g_names_get (self->message.external_output);
}

/**
 * c2g_net_def_set_external_outputs: (set-property external-outputs)
 * @self: a net
 * @external_outputs: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the blobs that are results of the net.
 */
void
c2g_net_def_set_external_outputs (C2gNetDef         *self,
                                  const char *const *external_outputs)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));

  c2g_names_set (self, &self->message.external_output, &self->message.n_external_output,
                 external_outputs, props[PROP_EXTERNAL_OUTPUTS]);
}

/**
 * c2g_net_def_add_external_output:
 * @self: a net
 * @name: the name of a blob
 *
 * Adds a name at the end of [property@NetDef:external-outputs].
 */
void
c2g_net_def_add_external_output (C2gNetDef  *self,
                                 const char *name)
{
  g_return_if_fail (C2G_IS_NET_DEF (self));
  g_return_if_fail (name != NULL);

  c2g_names_add (self, &self->message.external_output, &self->message.n_external_output, name,
                 props[PROP_EXTERNAL_OUTPUTS]);
}
