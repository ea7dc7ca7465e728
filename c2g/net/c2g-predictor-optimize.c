/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-predictor-private.h>

#include <c2g/net/c2g-net-private.h>

/* Predictors that run another net than they came with. */

/* The net with everything said that the predictor knows besides. */
static C2gNetDef *
complete_def (C2gPredictor *self)
{
  C2gNetDef *def = c2g_net_def_copy (self->def);

  c2g_net_def_set_external_outputs (def, (const char * const *) self->outputs);
  if (self->device != NULL)
    c2g_net_def_set_device (def, self->device);
  for (gsize i = 0; self->device != NULL && i < c2g_net_def_get_n_operators (def); i++)
    c2g_operator_def_set_device (c2g_net_def_get_operator (def, i), self->device);
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

static gboolean
is_all_on_cpu (const C2gNetPrivate *net)
{
  for (guint i = 0; i < net->n_operators; i++)
    if (c2g_operator_get_device (net->operators[i]) != c2g_device_cpu ())
      return FALSE;
  return TRUE;
}

static gboolean
optimize (C2gPredictor      *self,
          C2gOptimizeFlags   flags,
          GError           **error)
{
  const C2gNetOptions options = { self->device, self->device != NULL };
  g_autoptr (C2gNetDef) complete = NULL;
  g_autoptr (C2gNetDef) def = NULL;
  C2gNet *net;

  if (!is_all_on_cpu (c2g_net_get_private (self->net)))
    return TRUE;

  complete = complete_def (self);
  def = flags != C2G_OPTIMIZE_NONE
          ? c2g_net_def_optimize (complete, self->workspace, flags, error)
          : g_object_ref (self->def);
  net = def != NULL ? c2g_net_new (def, self->workspace, &options, error) : NULL;
  if (net == NULL)
    return FALSE;

  drop_blobs (self, c2g_net_get_definition (self->net), def);
  g_object_unref (self->net);
  self->net = net;
  return TRUE;
}

/**
 * c2g_predictor_optimize:
 * @self: a predictor
 * @flags: what may be done; with `C2G_OPTIMIZE_NONE` the net is as it was again
 * @error: return location for an error
 *
 * Runs another net from now on, which computes the same outputs, but faster or with less
 * memory; see [method@NetDef.optimize] for what it may not do.
 *
 * Only inputs and outputs of the predictor keep their names, and a net that
 * [method@Predictor.get_net] gave is not the predictor's any more. Blobs that only the net
 * before has written are removed from the workspace.
 *
 * What the rewriting is for is the CPU: a model with operators on other devices runs as
 * it is.
 *
 * Errors: `C2G_ERROR_BUSY` if a run has not been finished, those of [method@NetDef.optimize]
 * and of making nets. The predictor runs the net it ran then.
 *
 * Returns: `TRUE` if it is done
 */
gboolean
c2g_predictor_optimize (C2gPredictor      *self,
                        C2gOptimizeFlags   flags,
                        GError           **error)
{
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_predictor_reserve (self, error))
    return FALSE;
  is_done = optimize (self, flags, error);
  c2g_predictor_release (self);
  return is_done;
}
