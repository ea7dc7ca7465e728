/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/def/c2g-net-def-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/net/graph/c2g-graph-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>
#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/workspace/c2g-workspace-private.h>

/* Replaces the net of a predictor by an optimized one, and goes back to the net as written when an
 * input or an error requires it. */

static gboolean
is_given_anew (C2gPredictor *self,
               const char   *name)
{
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    if (g_str_equal (self->inputs[i], name))
      return !c2g_predictor_is_learned (self, i);
  return FALSE;
}

/* Finds the outputs, and the state that the net keeps from one run to the next: blobs that it reads
 * before it writes them. */
static char **
list_outputs (C2gPredictor *self)
{
  g_autoptr (GHashTable) written = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) state = g_hash_table_new (g_str_hash, g_str_equal);
  GStrvBuilder *names = g_strv_builder_new ();
  char **list;

  g_strv_builder_addv (names, (const char **) self->outputs);
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (self->def, i);
      const char * const *inputs = c2g_operator_def_get_inputs (op);
      const char * const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; inputs[j] != NULL; j++)
        if (!g_hash_table_contains (written, inputs[j]) && !is_given_anew (self, inputs[j]))
          g_hash_table_add (state, (gpointer) inputs[j]);
      for (gsize j = 0; outputs[j] != NULL; j++)
        if (g_hash_table_add (written, (gpointer) outputs[j]) &&
            g_hash_table_contains (state, outputs[j]) &&
            !g_strv_contains ((const char * const *) self->outputs, outputs[j]))
          g_strv_builder_add (names, outputs[j]);
    }

  list = g_strv_builder_end (names);
  g_strv_builder_unref (names);
  return list;
}

/* Returns the device that an operator of the definition runs on. */
static C2gDevice *
find_device (C2gPredictor   *self,
             C2gNetDef      *def,
             C2gOperatorDef *op)
{
  C2gDevice *device = self->device;

  if (device == NULL)
    c2g_operator_def_resolve_device (op, &device, NULL);
  if (device == NULL)
    c2g_net_def_resolve_device (def, &device, NULL);
  return device != NULL ? device : c2g_device_cpu ();
}

/* Optimizing is for the operators on the device of the net, so that becomes the first one that is not
 * the CPU. */
static void
set_devices (C2gPredictor *self,
             C2gNetDef    *def)
{
  C2gDevice *device = c2g_device_cpu ();
  const gsize n = c2g_net_def_get_n_operators (def);

  for (gsize i = 0; i < n && device == c2g_device_cpu (); i++)
    device = find_device (self, def, c2g_net_def_get_operator (def, i));
  if (self->device == NULL && device == c2g_device_cpu ())
    return;

  for (gsize i = 0; i < n; i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);

      c2g_operator_def_set_device (op, find_device (self, def, op));
    }
  c2g_net_def_set_device (def, device);
}

/* Returns the definition with everything that the predictor knows added: its outputs and devices. */
static C2gNetDef *
complete_def (C2gPredictor *self)
{
  C2gNetDef *def = c2g_net_def_copy (self->def);
  g_auto (GStrv) outputs = list_outputs (self);

  c2g_net_def_set_external_outputs (def, (const char * const *) outputs);
  set_devices (self, def);
  return def;
}

static void
add_names (GHashTable         *set,
           const char * const *names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    g_hash_table_add (set, (gpointer) names[i]);
}

static void
add_operators (GHashTable *set,
               C2gNetDef  *def,
               gboolean    with_inputs)
{
  for (gsize i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);

      add_names (set, c2g_operator_def_get_outputs (op));
      if (with_inputs)
        add_names (set, c2g_operator_def_get_inputs (op));
    }
}

/* Removes blobs only the old net used (its intermediates). Keeps parameters. */
static void
drop_blobs (C2gPredictor *self,
            C2gNetDef    *old,
            C2gNetDef    *def)
{
  g_autoptr (GHashTable) needed = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) made = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) learned = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer name;

  add_operators (needed, def, TRUE);
  add_names (needed, (const char * const *) self->inputs);
  add_names (needed, (const char * const *) self->outputs);
  add_operators (made, old, FALSE);
  add_operators (learned, self->def, TRUE);

  add_operators (names, old, TRUE);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (needed, name) &&
        (g_hash_table_contains (made, name) || !g_hash_table_contains (learned, name)))
      c2g_workspace_remove_blob (self->workspace, name);
}

/* Marks the blobs that the net as written does not know: folded parameters, and intermediates with
 * new names. */
static void
mark_derived (C2gPredictor *self,
              C2gNetDef    *def)
{
  g_autoptr (GHashTable) written = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer name;

  add_operators (written, self->def, TRUE);
  add_operators (names, def, TRUE);
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (written, name))
      c2g_workspace_mark_derived (self->workspace, name);
}

static gboolean
is_learned_given (C2gPredictor *self,
                  guint         n_inputs)
{
  for (gsize i = 0; self->inputs[i] != NULL; i++)
    if ((i < n_inputs || self->given[i] != NULL) && c2g_predictor_is_learned (self, i))
      return TRUE;
  return FALSE;
}

/* Lists the inputs that are set for each run. The optimizer must not treat them as constants. */
static char **
list_given (C2gPredictor *self)
{
  GPtrArray *names = g_ptr_array_new ();

  for (gsize i = 0; self->inputs[i] != NULL; i++)
    if (!c2g_predictor_is_learned (self, i))
      g_ptr_array_add (names, g_strdup (self->inputs[i]));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* Makes the net and replaces the present one. SOURCES are the parameters that it was made from, NULL
 * for the net as written. */
static gboolean
use_net (C2gPredictor  *self,
         C2gNetDef     *def,
         GPtrArray     *sources,
         GMainContext  *home,
         GError       **error)
{
  const C2gPredictorSource source = {
    .workspace = self->workspace, .device = self->device, .home = home
  };
  C2gNet *net = c2g_predictor_make_net (&source, def, error);
  g_autoptr (C2gNet) former = NULL;

  if (net == NULL)
    {
      drop_blobs (self, def, c2g_net_get_private (self->net)->def);
      return FALSE;
    }

  drop_blobs (self, c2g_net_get_private (self->net)->def, def);
  mark_derived (self, def);
  c2g_net_set_device_graph (net, c2g_net_get_device_graph (self->net));
  g_mutex_lock (&self->lock);
  former = self->net;
  self->net = net;
  g_mutex_unlock (&self->lock);
  self->is_rewritten = def != self->def;
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  self->sources = sources != NULL ? g_ptr_array_ref (sources) : NULL;
  return TRUE;
}

static gboolean
use_written_net (C2gPredictor  *self,
                 GMainContext  *home,
                 GError       **error)
{
  return !self->is_rewritten || use_net (self, self->def, NULL, home, error);
}

static gboolean
change_net (C2gPredictor      *self,
            C2gOptimizeFlags   flags,
            GMainContext      *home,
            GError           **error)
{
  g_autoptr (GPtrArray) sources = c2g_graph_sources_new ();
  g_auto (GStrv) given = NULL;
  g_autoptr (C2gNetDef) complete = NULL;
  g_autoptr (C2gNetDef) def = NULL;

  if (flags == C2G_OPTIMIZE_NONE || is_learned_given (self, 0))
    return use_written_net (self, home, error);

  given = list_given (self);
  complete = complete_def (self);
  def = c2g_net_def_optimize_for (complete, self->workspace, (const char * const *) given, sources,
                                  flags, error);
  if (def == NULL)
    return FALSE;
  if (c2g_net_def_equal (def, complete))
    return use_written_net (self, home, error);
  return use_net (self, def, sources, home, error);
}

gboolean
c2g_predictor_change_net (C2gPredictor      *self,
                          C2gOptimizeFlags   flags,
                          GMainContext      *home,
                          GError           **error)
{
  if (!change_net (self, flags, home, error))
    return FALSE;

  self->flags = flags;
  return TRUE;
}

/* If no faster net can be made of the new parameters, as without memory, the net as written computes
 * with them, until somebody asks for a faster one. */
gboolean
c2g_predictor_heed_changes (C2gPredictor  *self,
                            guint          n_inputs,
                            GMainContext  *home,
                            GError       **error)
{
  g_autoptr (GError) reason = NULL;

  if (!self->is_rewritten)
    return TRUE;
  if (is_learned_given (self, n_inputs))
    return use_written_net (self, home, error);
  if (c2g_graph_sources_are_same (self->sources) ||
      change_net (self, self->flags, home, &reason))
    return TRUE;

  g_debug ("The net runs as it was written, for its parameters have changed, and it cannot be "
           "optimized anew: %s",
           reason->message);
  return use_written_net (self, home, error);
}

/* Returns TRUE if the net as written can safely run a second time: its operators are built in, and
 * only write their outputs. */
static gboolean
is_pure (C2gPredictor *self)
{
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->def); i++)
    if ((c2g_operator_registry_find_traits (c2g_net_def_get_operator (self->def, i)) &
         C2G_TRAIT_PURE) == 0)
      return FALSE;
  return TRUE;
}

/* With float16 a net can fail that does not as it is written, for a type that nobody knew before. Other
 * errors, such as a lack of memory, say nothing about float16: the next run tries it again. */
static gboolean
give_up_half (C2gPredictor *self,
              GMainContext *home,
              GError       *error)
{
  const gboolean is_unable = g_error_matches (error, C2G_ERROR, C2G_ERROR_TYPE) ||
                             g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);

  if ((self->flags & C2G_OPTIMIZE_HALF) == 0 || !is_unable || !use_written_net (self, home, NULL))
    return FALSE;

  g_debug ("The net runs as it was written, for it fails with float16: %s", error->message);
  return TRUE;
}

gboolean
c2g_predictor_explain (C2gPredictor  *self,
                       GMainContext  *home,
                       GCancellable  *cancellable,
                       GError       **error)
{
  const C2gPredictorSource source = { .workspace = self->workspace, .device = self->device };
  g_autoptr (C2gNet) written = NULL;
  GError *local_error = NULL;

  if (!self->is_rewritten || g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      !is_pure (self))
    return FALSE;
  written = c2g_predictor_make_net (&source, self->def, NULL);
  if (written != NULL && (!c2g_predictor_prepare_inputs (self, written, &local_error) ||
                          !c2g_net_run (written, cancellable, &local_error)))
    {
      g_clear_error (error);
      g_propagate_error (error, local_error);
    }
  drop_blobs (self, self->def, c2g_net_get_private (self->net)->def);
  return written != NULL && local_error == NULL && give_up_half (self, home, *error);
}

/**
 * c2g_predictor_optimize:
 * @self: a predictor
 * @flags: the allowed optimizations; `C2G_OPTIMIZE_NONE` restores the net as it was written
 * @error: return location for an error
 *
 * Replaces the net by an optimized one.
 *
 * The new net computes the same outputs, but faster or with less memory; [method@NetDef.optimize]
 * says which changes are possible. A predictor does this when it is made, with the flags given
 * then. This method changes the flags later.
 *
 * Only inputs and outputs of the predictor keep their names. A net that [method@Predictor.get_net]
 * returned before does not belong to the predictor any more, and signal handlers and observers stay
 * with it. Blobs that only the old net wrote are removed from the workspace.
 *
 * If parameters change that the new net was made from, the next run makes it anew; if that fails,
 * as without memory, the net as it was written runs until this method is called again. Only a write
 * to an address goes unnoticed, if [method@Tensor.mutable_data] or
 * [method@Tensor.raw_mutable_data] returned it before a run, or before the predictor was made or
 * optimized.
 *
 * If a model does not declare its inputs, its parameters can be given like inputs. As soon as a
 * parameter is given, in a run or by name, the predictor uses the net as it was written.
 *
 * A model with operators on other devices than the CPU is not changed, except by
 * `C2G_OPTIMIZE_HALF`. If an operator or the device cannot do that, and the net as it was written can
 * run, it runs as it was written from then on. After other errors the next run tries again.
 *
 * Errors: `C2G_ERROR_BUSY` if a run, or a load of parameters, has not been finished, and those of [method@NetDef.optimize]
 * and of making nets. After an error the predictor keeps its present net.
 *
 * Returns: `TRUE` if the net was replaced
 */
gboolean
c2g_predictor_optimize (C2gPredictor      *self,
                        C2gOptimizeFlags   flags,
                        GError           **error)
{
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_predictor_check_model (self, error) || !c2g_predictor_reserve (self, error))
    return FALSE;
  is_done = c2g_predictor_change_net (self, flags, NULL, error);
  c2g_predictor_release (self);
  return is_done;
}
