/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-net-def-private.h>
#include <c2g/net/run/c2g-net-check-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

/**
 * C2gNet:
 *
 * Operators that run one after the other, or as soon as their inputs are ready.
 *
 * A net is made from a [class@NetDef] by [method@Workspace.create_net]. It holds references to its
 * blobs: renaming or removing them in the workspace does not affect it.
 *
 * The definition names the type of the net. `simple` runs the operators in order in the thread that
 * runs the net; `dag` runs them in several threads, with the same results. Every other type of
 * Caffe2 is treated like the more similar one of these two.
 *
 * ## Threads
 *
 * Only one thread at a time may run a net; another one gets `C2G_ERROR_BUSY`. Different nets of a
 * workspace may run at the same time, as long as none writes blobs that another one uses.
 *
 * Signals are emitted in the thread that runs the net, even if an operator runs in another one. A
 * net that is run by [method@Net.run_async] emits them in the caller's main context; operators
 * written in Python, JavaScript or Lua run there too.
 */

enum
{
  PROP_0,
  PROP_NAME,
  PROP_DEFINITION,
  PROP_DEVICE_GRAPH,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
guint c2g_net_signals[C2G_NET_N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gNet, c2g_net, G_TYPE_OBJECT)

C2gNetPrivate *
c2g_net_get_private (C2gNet *self)
{
  return c2g_net_get_instance_private (self);
}

static void
forget_runs (C2gNet        *self,
             C2gNetPrivate *priv)
{
  C2gNetReplay *replay = g_atomic_pointer_exchange (&priv->kept_replay, NULL);

  if (replay != NULL)
    C2G_NET_GET_CLASS (self)->free_replay (replay);
}

/* The run puts its replay back before it reads the switch, and the setter turns the switch off before it
 * looks for the replay. So one of them finds it and frees it. */
void
c2g_net_keep_run (C2gNet        *self,
                  C2gNetPrivate *priv)
{
  if (G_LIKELY (priv->replay == NULL))
    return;

  g_atomic_pointer_set (&priv->kept_replay, g_steal_pointer (&priv->replay));
  if (!g_atomic_int_get (&priv->has_device_graph))
    forget_runs (self, priv);
}

static void
c2g_net_finalize (GObject *object)
{
  C2gNetPrivate *priv = c2g_net_get_instance_private (C2G_NET (object));

  forget_runs (C2G_NET (object), priv);
  for (guint i = 0; i < priv->n_operators; i++)
    g_clear_object (&priv->operators[i]);
  g_free (priv->operators);
  g_ptr_array_unref (priv->contexts);
  g_clear_object (&priv->def);
  g_clear_object (&priv->shown);
  c2g_observer_list_clear (&priv->observers);

  G_OBJECT_CLASS (c2g_net_parent_class)->finalize (object);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_NAME] = C2G_PROPERTY_READ_ONLY (c2g_net, name),
  [PROP_DEFINITION] = C2G_PROPERTY_READ_ONLY (c2g_net, definition),
  [PROP_DEVICE_GRAPH] = C2G_PROPERTY (c2g_net, device_graph),
};

static void
create_signals (GType gtype)
{
  /**
   * C2gNet::before-run:
   * @self: a net
   *
   * Emitted before the first operator of a run.
   */
  c2g_net_signals[C2G_NET_SIGNAL_BEFORE_RUN] =
    g_signal_new ("before-run", gtype, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  /**
   * C2gNet::after-run:
   * @self: a net
   * @is_done: whether every operator succeeded
   *
   * Emitted when a run is over.
   *
   * The net counts as running until all handlers have returned: a handler that runs it again
   * gets `C2G_ERROR_BUSY`. Run it again in the callback of [method@Net.run_async] instead.
   */
  c2g_net_signals[C2G_NET_SIGNAL_AFTER_RUN] =
    g_signal_new ("after-run", gtype, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                  G_TYPE_BOOLEAN);

  /**
   * C2gNet::before-operator:
   * @self: a net
   * @op: the operator
   *
   * Emitted before an operator runs.
   */
  c2g_net_signals[C2G_NET_SIGNAL_BEFORE_OPERATOR] =
    g_signal_new ("before-operator", gtype, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                  1, C2G_TYPE_OPERATOR);

  /**
   * C2gNet::after-operator:
   * @self: a net
   * @op: the operator
   * @is_done: whether it succeeded
   *
   * Emitted when an operator has run.
   */
  c2g_net_signals[C2G_NET_SIGNAL_AFTER_OPERATOR] =
    g_signal_new ("after-operator", gtype, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                  2, C2G_TYPE_OPERATOR, G_TYPE_BOOLEAN);
}

/* Bindings can make an object of a class of their own. It has no operators. */
static gboolean
c2g_net_run_operators (C2gNet        *self,
                       GCancellable  *cancellable,
                       GError       **error)
{
  return TRUE;
}

static C2gNetDef *
get_empty_def (void)
{
  static gsize def;

  if (g_once_init_enter (&def))
    g_once_init_leave (&def, (gsize) c2g_net_def_new (""));
  return (C2gNetDef *) def;
}

static void
c2g_net_class_init (C2gNetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_net_finalize;
  klass->run_operators = c2g_net_run_operators;

  /**
   * C2gNet:name:
   *
   * The name of the net, which it has in its workspace.
   */
  properties[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * C2gNet:definition:
   *
   * The definition that the net was made from.
   */
  properties[PROP_DEFINITION] =
    g_param_spec_object ("definition", NULL, NULL, C2G_TYPE_NET_DEF,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * C2gNet:device-graph: (getter get_device_graph) (setter set_device_graph)
   *
   * Whether a device may keep the work of a run as a graph (a CUDA graph), and repeat it.
   *
   * A run then starts all its work by one call, which takes less time where the operators are small.
   * This needs a net of type `simple` whose operators all run on one GPU and depend on nothing but
   * their inputs there; other nets run as always. A run that finds every blob of the net in the same
   * memory and with the same shape as the run before records a graph. Later runs launch it, until a
   * blob moves or changes its shape: then the operators run again. So blobs must be written where they
   * are, as [method@Predictor.run] does with tensors on the CPU.
   *
   * Operators whose signals or observers are heard run themselves. The statistic `net/graph_runs`
   * counts runs by a graph.
   *
   * The graph keeps the scratch memory that it uses, until the property is turned off, or until the
   * end of the run that is in progress then. It is off by default, as in PyTorch and ONNX Runtime.
   */
  properties[PROP_DEVICE_GRAPH] =
    g_param_spec_boolean ("device-graph", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  c2g_properties_install (object_class, N_PROPS, properties, rows);
  create_signals (G_TYPE_FROM_CLASS (klass));
}

static void
c2g_net_init (C2gNet *self)
{
  C2gNetPrivate *priv = c2g_net_get_instance_private (self);

  /* Bindings may call getters of an object that was made without a definition. */
  priv->def = g_object_ref (get_empty_def ());
  priv->failed_position = -1;
  priv->contexts = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
choose_device (C2gNetDef            *def,
               const C2gNetOptions  *options,
               C2gOperatorPlace     *place,
               GError              **error)
{
  if (options != NULL && options->device != NULL && options->is_device_forced)
    {
      place->device = options->device;
      place->is_device_forced = TRUE;
      return TRUE;
    }

  if (!c2g_net_def_resolve_device (def, &place->device, error))
    {
      g_prefix_error (error, _("Net “%s”: "), c2g_net_get_def_name (def));
      return FALSE;
    }
  if (place->device == NULL && options != NULL)
    place->device = options->device;
  return TRUE;
}

static gboolean
create_operators (C2gNetPrivate        *priv,
                  C2gWorkspace         *workspace,
                  const C2gNetOptions  *options,
                  GError              **error)
{
  guint n_operators = c2g_net_def_get_n_operators (priv->def);
  C2gOperatorPlace place = {
    .workspace = workspace,
    .net_name = c2g_net_get_def_name (priv->def),
    .random_seed = c2g_device_option_get_random_seed (priv->def->message.device_option),
    .contexts = priv->contexts,
  };

  if (!choose_device (priv->def, options, &place, error) ||
      !c2g_net_check_devices (priv->def, &place, error))
    return FALSE;

  priv->operators = g_new0 (C2gOperator *, n_operators + 1);
  for (guint i = 0; i < n_operators; i++)
    {
      place.position = i;
      priv->operators[i] = c2g_operator_new_at (c2g_net_def_get_operator (priv->def, i), &place,
                                                error);
      if (priv->operators[i] == NULL)
        return FALSE;
      priv->n_operators++;
    }

  return TRUE;
}

C2gNet *
c2g_net_new (C2gNetDef            *def,
             C2gWorkspace         *workspace,
             const C2gNetOptions  *options,
             GError              **error)
{
  g_autoptr (C2gNetDef) copy = c2g_net_def_copy (def);
  GType gtype = c2g_net_check_type (copy, error);
  g_autoptr (C2gNet) self = NULL;
  C2gNetPrivate *priv;
  C2gNetClass *klass;

  if (gtype == G_TYPE_INVALID || !c2g_net_check_def (copy, workspace, error))
    return NULL;

  self = g_object_new (gtype, NULL);
  priv = c2g_net_get_instance_private (self);
  g_set_object (&priv->def, copy);
  if (!create_operators (priv, workspace, options, error))
    return NULL;

  klass = C2G_NET_GET_CLASS (self);
  if (klass->set_up != NULL && !klass->set_up (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * c2g_net_get_definition:
 * @self: a net
 *
 * Gets the definition that the net was made from. It is a copy, the same at each call: changes of
 * it do not change the net.
 *
 * Returns: (transfer none): the definition
 */
C2gNetDef *
c2g_net_get_definition (C2gNet *self)
{
  C2gNetPrivate *priv;

  g_return_val_if_fail (C2G_IS_NET (self), NULL);

  priv = c2g_net_get_private (self);
  if (g_once_init_enter (&priv->shown))
    g_once_init_leave (&priv->shown, c2g_net_def_copy (priv->def));
  return priv->shown;
}

/**
 * c2g_net_get_name:
 * @self: a net
 *
 * Gets the name of the net.
 *
 * Returns: (transfer none): the name, empty if the definition has none
 */
const char *
c2g_net_get_name (C2gNet *self)
{
  g_return_val_if_fail (C2G_IS_NET (self), NULL);

  return c2g_net_get_def_name (c2g_net_get_private (self)->def);
}

/**
 * c2g_net_get_n_operators:
 * @self: a net
 *
 * Tells how many operators the net has.
 *
 * Returns: how many
 */
guint
c2g_net_get_n_operators (C2gNet *self)
{
  g_return_val_if_fail (C2G_IS_NET (self), 0);

  return c2g_net_get_private (self)->n_operators;
}

/**
 * c2g_net_get_operator:
 * @self: a net
 * @position: which operator, from 0 on
 *
 * Gets an operator of the net.
 *
 * Returns: (transfer none) (nullable): the operator, or `NULL` if there is none
 */
C2gOperator *
c2g_net_get_operator (C2gNet *self,
                      guint   position)
{
  g_return_val_if_fail (C2G_IS_NET (self), NULL);

  return position < c2g_net_get_private (self)->n_operators
           ? c2g_net_get_private (self)->operators[position]
           : NULL;
}

C2gDevice *
c2g_net_get_operator_input_device (C2gOperator *op)
{
  const C2gKernel *kernel = c2g_operator_get_private (op)->kernel;

  return kernel != NULL && kernel->reads_on_cpu ? c2g_device_cpu () : c2g_operator_get_device (op);
}

/**
 * c2g_net_get_input_device:
 * @self: a net
 * @name: the name of a blob
 *
 * Tells on which device the blob has to be when the net is run: where the first operator is
 * that reads it. An operator that brings blobs to a device, such as `CopyCPUToGPU`, reads them
 * on the CPU, and so does `Iter`.
 *
 * Returns: (transfer none) (nullable): a device, `NULL` if no operator reads the blob
 */
C2gDevice *
c2g_net_get_input_device (C2gNet     *self,
                          const char *name)
{
  C2gNetPrivate *priv;

  g_return_val_if_fail (C2G_IS_NET (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  priv = c2g_net_get_private (self);
  for (guint i = 0; i < priv->n_operators; i++)
    if (c2g_operator_find_input (priv->operators[i], name) >= 0)
      return c2g_net_get_operator_input_device (priv->operators[i]);

  return NULL;
}

/**
 * c2g_net_get_failed_position:
 * @self: a net
 *
 * Tells which operator the last run failed at.
 *
 * Returns: its number, -1 if the last run did not fail, or not at an operator
 */
int
c2g_net_get_failed_position (C2gNet *self)
{
  g_return_val_if_fail (C2G_IS_NET (self), -1);

  return g_atomic_int_get (&c2g_net_get_private (self)->failed_position);
}

/**
 * c2g_net_get_device_graph: (get-property device-graph)
 * @self: a net
 *
 * Gets whether a device may keep the work of a run as a graph, and repeat it.
 *
 * Returns: true if it may
 */
gboolean
c2g_net_get_device_graph (C2gNet *self)
{
  g_return_val_if_fail (C2G_IS_NET (self), FALSE);

  return g_atomic_int_get (&c2g_net_get_private (self)->has_device_graph);
}

/**
 * c2g_net_set_device_graph: (set-property device-graph)
 * @self: a net
 * @device_graph: whether it may
 *
 * Sets whether a device may keep the work of a run as a graph, and repeat it.
 *
 * It counts for runs that begin later.
 */
void
c2g_net_set_device_graph (C2gNet   *self,
                          gboolean  device_graph)
{
  C2gNetPrivate *priv;

  g_return_if_fail (C2G_IS_NET (self));

  priv = c2g_net_get_private (self);
  device_graph = !!device_graph;
  if (!g_atomic_int_compare_and_exchange (&priv->has_device_graph, !device_graph, device_graph))
    return;

  if (!device_graph)
    forget_runs (self, priv);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DEVICE_GRAPH]);
}
