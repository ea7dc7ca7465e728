/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Needed for dladdr(). */
#define _GNU_SOURCE

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

#include <dlfcn.h>

/**
 * C2gOperator:
 *
 * One step of a net: reads blobs and makes others.
 *
 * An operator is made from a definition in a workspace. The blobs that it reads must be there;
 * those that it writes are created, empty, and get their memory when it first runs. It holds
 * references to its blobs: renaming or removing them in the workspace does not affect it.
 *
 * The registry selects the class of an operator by the type, the device and the engine of its
 * definition, see [func@Operator.register].
 *
 * ## Subclassing
 *
 * A class derived from this one, in any language, can be used in nets like the built-in ones.
 *
 * ```python
 * class Double(C2g.Operator):
 *     def do_run(self):
 *         source = self.get_input_tensor(0)
 *         target = self.get_output_tensor(0)
 *         target.copy_from(source)
 *         for i in range(target.get_n_elements()):
 *             target.set_value(i, 2 * source.get_value(i))
 *         return True
 *
 * C2g.Operator.register('Double', C2g.DeviceType.CPU, None, Double, None)
 * ```
 *
 * A method that fails should set an error (in Python: raise a `GLib.Error`); without one the
 * error is `C2G_ERROR_FAILED` with the name of the class. If `set_up` fails with
 * `C2G_ERROR_NOT_SUPPORTED`, the next engine is tried.
 *
 * A class can compute the shapes of its outputs without running, see [method@Operator.infer]:
 *
 * ```python
 *     def do_infer(self):
 *         source = self.get_input_tensor(0)
 *         target = self.get_output_tensor(0)
 *         target.resize_like(source)
 *         target.set_data_type(source.get_data_type())
 *         return True
 * ```
 *
 * ## Threads
 *
 * One thread at a time may run an operator. Nets that use several threads run operators
 * compiled from C, Vala and the like in any of them, and operators written in Python,
 * JavaScript or Lua in the thread that runs the net.
 */

gint c2g_operator_private_offset;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gOperator, c2g_operator, G_TYPE_OBJECT)

static void
free_blobs (C2gBlob **blobs,
            guint     n_blobs)
{
  for (guint i = 0; i < n_blobs && blobs != NULL; i++)
    g_clear_object (&blobs[i]);
  g_free (blobs);
}

static void
c2g_operator_finalize (GObject *object)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (C2G_OPERATOR (object));

  if (priv->kernel != NULL && priv->kernel->clear != NULL && priv->state != NULL)
    priv->kernel->clear (priv->state);
  g_free (priv->state);
  c2g_operator_clear_near (priv);
  g_free (priv->held);
  free_blobs (priv->inputs, priv->n_inputs);
  free_blobs (priv->outputs, priv->n_outputs);
  g_clear_object (&priv->context);
  g_clear_object (&priv->def);
  g_clear_object (&priv->shown);
  g_weak_ref_clear (&priv->workspace);
  g_free (priv->net_name);
  c2g_observer_list_clear (&priv->observers);

  G_OBJECT_CLASS (c2g_operator_parent_class)->finalize (object);
}

static gboolean
c2g_operator_real_set_up (C2gOperator  *self,
                          GError      **error)
{
  return TRUE;
}

static void
c2g_operator_class_init (C2gOperatorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_operator_finalize;
  klass->set_up = c2g_operator_real_set_up;
  c2g_operator_private_offset = C2gOperator_private_offset;

  /**
   * C2gOperatorClass::set_up:
   * @self: an operator
   * @error: return location for an error
   *
   * Reads the arguments and prepares what all runs need.
   *
   * It is called once, when inputs and outputs are there but may still be empty.
   *
   * Returns: `TRUE` if the operator can run
   */

  /**
   * C2gOperatorClass::run:
   * @self: an operator
   * @error: return location for an error
   *
   * Reads the inputs and makes the outputs.
   *
   * Returns: `TRUE` if the outputs are made
   */

  /**
   * C2gOperatorClass::infer:
   * @self: an operator
   * @error: return location for an error
   *
   * Gives the outputs the shapes and types that a run would give them, without data.
   *
   * The input tensors have a shape and a type, but maybe no memory. The method is optional;
   * without it the shapes are known only after a run.
   *
   * Returns: `TRUE` if the outputs have their shapes and types
   */
}

static C2gOperatorDef *
get_empty_def (void)
{
  static gsize def;

  if (g_once_init_enter (&def))
    g_once_init_leave (&def, (gsize) c2g_operator_def_new (""));
  return (C2gOperatorDef *) def;
}

static void
c2g_operator_init (C2gOperator *self)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  /* Language bindings may call getters before the definition is set: start with an empty one. */
  priv->def = g_object_ref (get_empty_def ());
  priv->engine = "";
  priv->device = c2g_device_cpu ();
  g_weak_ref_init (&priv->workspace, NULL);
  priv->position = -1;
}

static gboolean
run_class (C2gOperator  *self,
           gpointer      state,
           GError      **error)
{
  return c2g_vfunc_check_result (self, C2G_OPERATOR_GET_CLASS (self)->run (self, error), "run",
                                 error);
}

static gboolean
run_class_on_device (C2gOperator  *self,
                     gpointer      state,
                     GError      **error)
{
  return c2g_operator_run_in_order (self, state, run_class, error);
}

static gboolean
set_up (C2gOperator  *self,
        GError      **error)
{
  return c2g_vfunc_check_result (self, C2G_OPERATOR_GET_CLASS (self)->set_up (self, error),
                                 "set_up", error);
}

/* Returns TRUE if a vfunc was generated by a language binding: then dladdr() finds no program or
 * library that contains it. JavaScript must run only in its own thread, and other languages
 * should. */
static gboolean
is_of_binding (C2gOperatorClass *klass)
{
  gpointer functions[] = { klass->run, klass->set_up, klass->infer };
  Dl_info info;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (functions[i] != NULL && dladdr (functions[i], &info) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
find_inputs (C2gOperatorPrivate  *priv,
             C2gWorkspace        *workspace,
             GError             **error)
{
  const char * const *names = c2g_operator_def_get_inputs (priv->def);

  priv->n_inputs = c2g_operator_def_get_n_inputs (priv->def);
  priv->inputs = g_new0 (C2gBlob *, priv->n_inputs + 1);
  for (guint i = 0; i < priv->n_inputs; i++)
    {
      priv->inputs[i] = c2g_workspace_get_blob (workspace, names[i], error);
      if (priv->inputs[i] == NULL)
        {
          g_prefix_error (error, _("Input %u: "), i);
          return FALSE;
        }
    }

  return TRUE;
}

static gboolean
check_different (const char * const  *outputs,
                 GError             **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; outputs[i] != NULL; i++)
    if (!g_hash_table_add (seen, (gpointer) outputs[i]))
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("“%s” is an output twice"), outputs[i]);

  return TRUE;
}

static gboolean
create_outputs (C2gOperatorPrivate  *priv,
                C2gWorkspace        *workspace,
                GError             **error)
{
  const char * const *names = c2g_operator_def_get_outputs (priv->def);

  if (!check_different (names, error))
    return FALSE;

  priv->n_outputs = c2g_operator_def_get_n_outputs (priv->def);
  priv->outputs = g_new0 (C2gBlob *, priv->n_outputs + 1);
  for (guint i = 0; i < priv->n_outputs; i++)
    {
      priv->outputs[i] = c2g_workspace_create_blob (workspace, names[i], error);
      if (priv->outputs[i] == NULL)
        {
          g_prefix_error (error, _("Output %u: "), i);
          return FALSE;
        }
    }

  return TRUE;
}

static gboolean
fail_same (const char  *name,
           const char  *other,
           GError     **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("“%s” and “%s” are the same blob, expected different ones"), name, other);
}

/* Repeats the in-place checks for blobs: a mapped workspace may have one blob under two names,
 * and the schema compared only names. */
static gboolean
check_blobs (C2gOperatorPrivate  *priv,
             GError             **error)
{
  const char * const *inputs = c2g_operator_def_get_inputs (priv->def);
  const char * const *outputs = c2g_operator_def_get_outputs (priv->def);
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_autoptr (C2gOperatorSchema) schema = NULL;

  for (guint i = 0; i < priv->n_outputs; i++)
    {
      gpointer other = g_hash_table_lookup (numbers, priv->outputs[i]);

      if (other != NULL)
        return fail_same (outputs[GPOINTER_TO_UINT (other) - 1], outputs[i], error);
      g_hash_table_insert (numbers, priv->outputs[i], GUINT_TO_POINTER (i + 1));
    }

  for (guint i = 0; i < priv->n_inputs; i++)
    {
      guint output = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, priv->inputs[i]));

      if (output == 0 || g_str_equal (inputs[i], outputs[output - 1]))
        continue;
      if (schema == NULL)
        schema = c2g_operator_registry_find_schema (c2g_operator_def_get_op_type (priv->def));
      if (schema != NULL && !c2g_operator_schema_is_in_place_allowed (schema, i, output - 1))
        return fail_same (inputs[i], outputs[output - 1], error);
    }

  return TRUE;
}

/* Like the device, the random seed of the net applies only if the operator has no device option. */
static gboolean
find_context (C2gOperatorPrivate      *priv,
              const C2gOperatorPlace  *place,
              GError                 **error)
{
  gint64 seed = priv->def->message.device_option != NULL
                  ? c2g_operator_def_get_random_seed (priv->def)
                  : place->random_seed;

  priv->context = c2g_operator_create_context (priv, place->contexts, error);
  if (priv->context == NULL)
    return FALSE;

  if (seed >= 0)
    c2g_context_seed (priv->context, seed);
  return TRUE;
}

static C2gOperator *
make (const C2gImplementation *implementation,
      C2gOperatorDef          *def,
      const C2gOperatorPlace  *place,
      C2gDevice               *device)
{
  GType gtype = implementation->kernel != NULL ? c2g_kernel_operator_get_type ()
                                               : implementation->gtype;
  C2gOperator *self = g_object_new (gtype, NULL);
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  g_set_object (&priv->def, def);
  g_clear_object (&priv->shown);
  priv->engine = implementation->engine;
  priv->device = device;
  priv->compute = c2g_operator_find_compute (implementation, device, NULL);
  priv->is_device_forced = place->is_device_forced;
  priv->position = place->position;
  priv->net_name = g_strdup (place->net_name);
  priv->kernel = implementation->kernel;
  g_weak_ref_set (&priv->workspace, place->workspace);
  if (priv->kernel != NULL)
    {
      priv->run = c2g_operator_choose_run (priv);
      priv->known = c2g_operator_registry_find_known (c2g_operator_def_get_op_type (def));
      priv->state = g_malloc0 (MAX (priv->kernel->state_size, 1));
    }
  else
    {
      priv->run = device->type == C2G_DEVICE_TYPE_CPU ? run_class : run_class_on_device;
      priv->is_caller_thread_only = is_of_binding (C2G_OPERATOR_GET_CLASS (self));
    }

  return self;
}

static C2gOperator *
make_and_set_up (const C2gImplementation  *implementation,
                 C2gOperatorDef           *def,
                 const C2gOperatorPlace   *place,
                 C2gDevice                *device,
                 GError                  **error)
{
  g_autoptr (C2gOperator) self = make (implementation, def, place, device);
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  if (C2G_OPERATOR_GET_CLASS (self)->run == NULL)
    {
      c2g_vfunc_fail_not_implemented (self, "run", error);
      return NULL;
    }
  if (!c2g_operator_check_compute (priv, implementation, error) ||
      !find_inputs (priv, place->workspace, error) ||
      !create_outputs (priv, place->workspace, error) || !check_blobs (priv, error) ||
      !find_context (priv, place, error) ||
      !set_up (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

C2gDevice *
c2g_operator_choose_device (C2gOperatorDef          *def,
                            const C2gOperatorPlace  *place,
                            GError                 **error)
{
  C2gDevice *device = NULL;

  if (place->device != NULL && place->is_device_forced)
    return place->device;
  if (!c2g_operator_def_resolve_device (def, &device, error))
    return NULL;
  if (device == NULL)
    device = place->device;
  return device != NULL ? device : c2g_device_cpu ();
}

/* Returns an operator of the first engine that accepts it. If none does, reports the error of the
 * first one, which is the engine asked for. */
static C2gOperator *
try_engines (C2gOperatorDef          *def,
             const C2gOperatorPlace  *place,
             GError                 **error)
{
  C2gDevice *device = c2g_operator_choose_device (def, place, error);
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GError) first_error = NULL;

  if (device == NULL)
    return NULL;
  found = c2g_operator_registry_find (c2g_operator_def_get_op_type (def),
                                      c2g_device_get_device_type (device),
                                      c2g_operator_def_get_engine (def), error);
  if (found == NULL)
    return NULL;

  for (guint i = 0; i < found->len; i++)
    {
      g_autoptr (GError) local_error = NULL;
      C2gOperator *self = make_and_set_up (g_ptr_array_index (found, i), def, place, device,
                                           &local_error);

      if (self != NULL)
        return self;
      if (!g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
      if (first_error == NULL)
        first_error = g_steal_pointer (&local_error);
    }

  g_propagate_error (error, g_steal_pointer (&first_error));
  return NULL;
}

/* Describes the operator and its net for messages. */
static char *
describe (C2gOperatorDef *def,
          const char     *net_name,
          int             position)
{
  const char *op_type = c2g_operator_def_get_op_type (def);
  const char *name = c2g_operator_def_get_name (def);
  g_autoptr (GString) text = g_string_new (NULL);

  if (net_name != NULL && *net_name != '\0')
    g_string_append_printf (text, _("Net “%s”, operator %d: "), net_name, position);
  else if (net_name != NULL)
    g_string_append_printf (text, _("Operator %d: "), position);
  g_string_append (text, op_type != NULL ? op_type : "");
  if (name != NULL && *name != '\0')
    g_string_append_printf (text, " “%s”", name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
prefix_error (C2gOperatorDef  *def,
              const char      *net_name,
              int              position,
              GError         **error)
{
  g_autofree char *text = describe (def, net_name, position);

  g_prefix_error (error, "%s: ", text);
}

void
c2g_operator_prefix_error (C2gOperator  *self,
                           GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  if (error != NULL && *error == NULL)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_FAILED,
                         _("The operator failed, and did not say why"));
  prefix_error (priv->def, priv->net_name, priv->position, error);
}

gboolean
c2g_operator_finish (C2gOperator  *self,
                     GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  if (priv->device->type == C2G_DEVICE_TYPE_CPU || c2g_context_finish (priv->context, error))
    return TRUE;

  c2g_operator_prefix_error (self, error);
  return FALSE;
}

gboolean
c2g_operator_check_def (C2gOperatorDef  *def,
                        const char      *net_name,
                        int              position,
                        GError         **error)
{
  g_autoptr (C2gOperatorSchema) schema = NULL;

  schema = c2g_operator_registry_find_schema (c2g_operator_def_get_op_type (def));
  if (schema == NULL || c2g_operator_schema_check (schema, def, error))
    return TRUE;

  prefix_error (def, net_name, position, error);
  return FALSE;
}

/* Logs arguments that are unknown and not read: their names may be mistyped. This is not an
 * error, because models may carry notes of the tools that made them. */
static void
tell_unknown_arguments (C2gOperator *self)
{
  const C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  gsize n_arguments;
  C2gArgument *const *arguments = c2g_operator_def_peek_arguments (priv->def, &n_arguments);

  for (gsize i = 0; priv->known != NULL && i < n_arguments; i++)
    {
      const char *name = c2g_argument_get_name (arguments[i]);
      g_autofree char *text = NULL;

      if (!c2g_kernel_arguments_is_news (priv->known, c2g_operator_get_op_type (self), name))
        continue;
      text = describe (priv->def, priv->net_name, priv->position);
      g_message (_("%s: The argument “%s” is unknown, and nothing reads it"), text, name);
    }
}

C2gOperator *
c2g_operator_new_at (C2gOperatorDef          *def,
                     const C2gOperatorPlace  *place,
                     GError                 **error)
{
  g_autoptr (C2gOperatorDef) copy = c2g_operator_def_copy (def);
  C2gOperator *self;

  if (!c2g_operator_check_def (copy, place->net_name, place->position, error))
    return NULL;

  self = try_engines (copy, place, error);
  if (self != NULL)
    tell_unknown_arguments (self);
  else
    prefix_error (copy, place->net_name, place->position, error);
  return self;
}

/**
 * c2g_operator_create:
 * @definition: the definition of the operator
 * @workspace: the workspace with its blobs
 * @error: return location for an error
 *
 * Makes an operator that stands alone.
 *
 * The definition is copied. Blobs that are written are created; blobs that are read must be
 * there.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if the type is not known or an input is not there,
 * `C2G_ERROR_DEVICE` if the device is absent or nothing runs the type on it,
 * `C2G_ERROR_INVALID_ARGUMENT` if the definition does not keep to the schema,
 * `C2G_ERROR_NOT_SUPPORTED` if it has an argument of Caffe2 that the library does not implement,
 * and those of the class.
 *
 * Returns: (transfer full): an operator
 */
C2gOperator *
c2g_operator_create (C2gOperatorDef  *definition,
                     C2gWorkspace    *workspace,
                     GError         **error)
{
  C2gOperatorPlace place = { .workspace = workspace, .position = -1, .random_seed = -1 };

  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (definition), NULL);
  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_operator_new_at (definition, &place, error);
}

/* A cancelled run always fails, because its loops may have ended early. Only built-in operators
 * are interrupted; others can check c2g_operator_get_cancellable(). */
gboolean
c2g_operator_run_cancellable (C2gOperator  *self,
                              GError      **error)
{
  const C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  GCancellable *former = c2g_interrupt_set (priv->kernel != NULL ? priv->cancellable : NULL);
  const gboolean is_done = c2g_operator_run_through (self, error);

  c2g_interrupt_set (former);
  return c2g_interrupt_conclude (priv->cancellable, is_done, error);
}

static gboolean
run_observed (C2gOperator  *self,
              GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  gboolean is_done;

  if (c2g_observer_list_is_empty (&priv->observers))
    return c2g_operator_run_unchecked (self, error) && c2g_operator_finish (self, error);

  c2g_observer_list_before (&priv->observers, self);
  is_done = c2g_operator_run_unchecked (self, error) && c2g_operator_finish (self, error);
  c2g_observer_list_after (&priv->observers, self, is_done);
  return is_done;
}

/**
 * c2g_operator_run:
 * @self: an operator
 * @error: return location for an error
 *
 * Runs the operator.
 *
 * Errors: those of the class; the message names the operator and, in a net, that.
 *
 * Returns: `TRUE` if the outputs are made
 */
gboolean
c2g_operator_run (C2gOperator  *self,
                  GError      **error)
{
  GCancellable *former;
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_OPERATOR (self), FALSE);
  g_return_val_if_fail (c2g_operator_get_private (self)->run != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  /* This may be called by a handler within another run, whose cancellable must not stop this
   * run. */
  former = c2g_interrupt_set (NULL);
  is_done = run_observed (self, error);
  c2g_interrupt_set (former);
  return is_done;
}

C2gOperatorDef *
c2g_operator_peek_def (C2gOperator *self)
{
  return c2g_operator_get_private (self)->def;
}

/**
 * c2g_operator_get_definition:
 * @self: an operator
 *
 * Gets the definition that the operator was made from. It is a copy, the same at each call:
 * changes of it do not change the operator.
 *
 * Returns: (transfer none): the definition
 */
C2gOperatorDef *
c2g_operator_get_definition (C2gOperator *self)
{
  C2gOperatorPrivate *priv;

  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  priv = c2g_operator_get_private (self);
  if (g_once_init_enter (&priv->shown))
    g_once_init_leave (&priv->shown, c2g_operator_def_copy (priv->def));
  return priv->shown;
}

/**
 * c2g_operator_get_op_type:
 * @self: an operator
 *
 * Gets the type that the definition names.
 *
 * Returns: (transfer none): the type
 */
const char *
c2g_operator_get_op_type (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_operator_def_get_op_type (c2g_operator_get_private (self)->def);
}

/**
 * c2g_operator_get_name:
 * @self: an operator
 *
 * Gets the operator's name, which most do not have.
 *
 * Returns: (transfer none) (nullable): the name
 */
const char *
c2g_operator_get_name (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_operator_def_get_name (c2g_operator_get_private (self)->def);
}

/**
 * c2g_operator_get_engine:
 * @self: an operator
 *
 * Gets the engine that runs the operator, which need not be what the definition asks for.
 *
 * Returns: (transfer none): the engine, empty for the default
 */
const char *
c2g_operator_get_engine (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_operator_get_private (self)->engine;
}

/**
 * c2g_operator_get_implementation:
 * @self: an operator
 *
 * Gets the name of the code that computed the last run, for operators that can compute in several
 * ways.
 *
 * Which one it is depends on shapes and on the processor. Convolutions by oneDNN have its names,
 * such as `brgconv:avx512_core`, others `im2col` or `depthwise`.
 *
 * Returns: (transfer none) (nullable): the name, or `NULL` if the operator has only one way, runs
 *   on a device, or has not run
 */
const char *
c2g_operator_get_implementation (C2gOperator *self)
{
  C2gOperatorPrivate *priv;

  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  priv = c2g_operator_get_private (self);
  if (priv->kernel == NULL || priv->kernel->get_implementation == NULL)
    return NULL;
  return priv->kernel->get_implementation (priv->state);
}

/**
 * c2g_operator_get_position:
 * @self: an operator
 *
 * Gets which operator of its net this is.
 *
 * Returns: its number, from 0 on; -1 for one that stands alone
 */
int
c2g_operator_get_position (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), -1);

  return c2g_operator_get_private (self)->position;
}

/**
 * c2g_operator_get_device:
 * @self: an operator
 *
 * Gets the device that the operator runs on.
 *
 * Returns: (transfer none): the device
 */
C2gDevice *
c2g_operator_get_device (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_operator_get_private (self)->device;
}

/**
 * c2g_operator_get_context:
 * @self: an operator
 *
 * Gets the context that the operator copies and draws random numbers with.
 *
 * Random numbers start from the seed of the definition or, without one, from that of the net,
 * if there is one.
 *
 * Returns: (transfer none): the context
 */
C2gContext *
c2g_operator_get_context (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_operator_get_private (self)->context;
}

/**
 * c2g_operator_ref_workspace:
 * @self: an operator
 * @error: return location for an error
 *
 * Gets the workspace that the operator was made in. The operator does not keep it.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if it is gone.
 *
 * Returns: (transfer full): the workspace
 */
C2gWorkspace *
c2g_operator_ref_workspace (C2gOperator  *self,
                            GError      **error)
{
  C2gWorkspace *workspace;

  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  workspace = g_weak_ref_get (&c2g_operator_get_private (self)->workspace);
  if (workspace == NULL)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                         _("The workspace of the operator is gone"));
  return workspace;
}

/**
 * c2g_operator_get_cancellable:
 * @self: an operator that runs
 *
 * Gets the cancellable that a long run should check.
 *
 * Returns: (transfer none) (nullable): the cancellable that the net is run with
 */
GCancellable *
c2g_operator_get_cancellable (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return c2g_operator_get_private (self)->cancellable;
}
