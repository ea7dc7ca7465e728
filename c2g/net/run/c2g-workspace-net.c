/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-workspace-net.h>

#include <c2g/net/run/c2g-net-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Creates, finds and runs the nets of a workspace. They are attached to it as GObject data, so
 * that C2gWorkspace itself does not depend on nets. */
typedef struct
{
  GMutex     lock;
  /* Maps the name that a net had when it was added to the C2gNet. */
  GHashTable *table;
  /* The nets in order of creation, without references. */
  GPtrArray  *order;
} Nets;

static GQuark
nets_quark (void)
{
  return g_quark_from_static_string ("c2g-workspace-nets");
}

static void
nets_free (gpointer data)
{
  Nets *self = data;

  g_hash_table_unref (self->table);
  g_ptr_array_unref (self->order);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static Nets *
nets_new (void)
{
  Nets *self = g_new0 (Nets, 1);

  g_mutex_init (&self->lock);
  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->order = g_ptr_array_new ();
  return self;
}

/* Returns the nets of the workspace; makes the table on first use. Threads may race to attach
 * it. */
static Nets *
get_nets (C2gWorkspace *workspace)
{
  Nets *self = g_object_get_qdata (G_OBJECT (workspace), nets_quark ());
  Nets *mine;

  if (self != NULL)
    return self;

  mine = nets_new ();
  if (g_object_replace_qdata (G_OBJECT (workspace), nets_quark (), NULL, mine, nets_free, NULL))
    return mine;
  nets_free (mine);
  return g_object_get_qdata (G_OBJECT (workspace), nets_quark ());
}

static C2gNet *
find (Nets       *self,
      const char *name)
{
  C2gNet *net;

  g_mutex_lock (&self->lock);
  net = g_hash_table_lookup (self->table, name);
  if (net != NULL)
    g_object_ref (net);
  g_mutex_unlock (&self->lock);

  return net;
}

/* Removes the net from the table. The caller gets the reference and drops it after unlocking. */
static C2gNet *
steal_locked (Nets       *self,
              const char *name)
{
  g_autofree char *key = NULL;
  C2gNet *net;

  if (!g_hash_table_steal_extended (self->table, name, (gpointer *) &key, (gpointer *) &net))
    return NULL;

  g_ptr_array_remove (self->order, net);
  return net;
}

static gboolean
fail_taken (const char  *name,
            GError     **error)
{
  return c2g_fail (error, C2G_ERROR_EXISTS, _("There is a net “%s” already"), name);
}

static gboolean
check_free (Nets        *self,
            const char  *name,
            GError     **error)
{
  g_autoptr (C2gNet) net = find (self, name);

  return net == NULL || fail_taken (name, error);
}

/* Adds the net. Without OVERWRITE it fails if another thread has added a net of that name
 * meanwhile. *OLD is the net that was replaced. */
static gboolean
put (Nets      *self,
     C2gNet    *net,
     gboolean   overwrite,
     C2gNet   **old,
     GError   **error)
{
  const char *name = c2g_net_get_name (net);
  gboolean is_put;

  g_mutex_lock (&self->lock);
  is_put = overwrite || !g_hash_table_contains (self->table, name);
  if (is_put)
    {
      *old = steal_locked (self, name);
      g_hash_table_insert (self->table, g_strdup (name), g_object_ref (net));
      g_ptr_array_add (self->order, net);
    }
  g_mutex_unlock (&self->lock);

  return is_put || fail_taken (name, error);
}

/**
 * c2g_workspace_create_net:
 * @self: a workspace
 * @definition: the definition of the net
 * @overwrite: whether it may take the place of a net of the same name
 * @error: return location for an error
 *
 * Makes a net, and keeps it under its name.
 *
 * The definition is copied. Blobs that operators write are created, empty; what they read must
 * be there or be made by an operator before. A net that is replaced lives on as long as it has
 * references. Emits the signal `net-added`, after `net-removed` if a net was replaced.
 *
 * A net without a name, as some converters make, is kept under an empty name.
 *
 * Errors: `C2G_ERROR_EXISTS` if there is a net of that name, `C2G_ERROR_NOT_FOUND` naming all
 * unknown types of operators or all missing inputs, and those of [func@Operator.create].
 *
 * Returns: (transfer full): the net
 */
C2gNet *
c2g_workspace_create_net (C2gWorkspace  *self,
                          C2gNetDef     *definition,
                          gboolean       overwrite,
                          GError       **error)
{
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (C2gNet) old = NULL;
  const char *name;
  Nets *nets;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (C2G_IS_NET_DEF (definition), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  nets = get_nets (self);
  name = c2g_net_get_def_name (definition);
  if (!overwrite && !check_free (nets, name, error))
    return NULL;

  net = c2g_net_new (definition, self, NULL, error);
  if (net == NULL || !put (nets, net, overwrite, &old, error))
    return NULL;

  if (old != NULL)
    g_signal_emit_by_name (self, "net-removed", old);
  g_signal_emit_by_name (self, "net-added", net);
  return g_steal_pointer (&net);
}

/**
 * c2g_workspace_get_net:
 * @self: a workspace
 * @name: the name of a net
 * @error: return location for an error
 *
 * Gets a net.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is none of that name.
 *
 * Returns: (transfer full): the net
 */
C2gNet *
c2g_workspace_get_net (C2gWorkspace  *self,
                       const char    *name,
                       GError       **error)
{
  C2gNet *net;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  net = find (get_nets (self), name);
  if (net == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("There is no net “%s”"), name);
  return net;
}

/**
 * c2g_workspace_remove_net:
 * @self: a workspace
 * @name: the name of a net
 * @error: return location for an error
 *
 * Removes a net. It lives on while it runs and as long as it has other references.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is none of that name.
 *
 * Returns: `TRUE` if it was there
 */
gboolean
c2g_workspace_remove_net (C2gWorkspace  *self,
                          const char    *name,
                          GError       **error)
{
  g_autoptr (C2gNet) net = NULL;
  Nets *nets;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  nets = get_nets (self);
  g_mutex_lock (&nets->lock);
  net = steal_locked (nets, name);
  g_mutex_unlock (&nets->lock);

  if (net == NULL)
    return c2g_fail (error, C2G_ERROR_NOT_FOUND, _("There is no net “%s”"), name);
  g_signal_emit_by_name (self, "net-removed", net);
  return TRUE;
}

/**
 * c2g_workspace_delete_net:
 * @self: a workspace
 * @name: the name of a net
 * @error: return location for an error
 *
 * An alias of [method@Workspace.remove_net], kept for existing programs.
 *
 * Returns: `TRUE` if it was there
 */
gboolean
c2g_workspace_delete_net (C2gWorkspace  *self,
                          const char    *name,
                          GError       **error)
{
  return c2g_workspace_remove_net (self, name, error);
}

/**
 * c2g_workspace_list_nets:
 * @self: a workspace
 *
 * Lists the nets that the workspace keeps, in the order of their creation.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names
 */
char **
c2g_workspace_list_nets (C2gWorkspace *self)
{
  Nets *nets;
  char **names;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);

  nets = get_nets (self);
  g_mutex_lock (&nets->lock);
  names = g_new0 (char *, nets->order->len + 1);
  for (guint i = 0; i < nets->order->len; i++)
    names[i] = g_strdup (c2g_net_get_name (g_ptr_array_index (nets->order, i)));
  g_mutex_unlock (&nets->lock);

  return names;
}

/**
 * c2g_workspace_run_net:
 * @self: a workspace
 * @name: the name of a net
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs a net: [method@Workspace.get_net] and [method@Net.run] in one.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is none of that name, and those of the run.
 *
 * Returns: `TRUE` if all operators succeeded
 */
gboolean
c2g_workspace_run_net (C2gWorkspace  *self,
                       const char    *name,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autoptr (C2gNet) net = c2g_workspace_get_net (self, name, error);

  return net != NULL && c2g_net_run (net, cancellable, error);
}

/**
 * c2g_workspace_run_net_once:
 * @self: a workspace
 * @definition: the definition of the net
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Makes a net, runs it and releases it. This is useful for nets that initialize blobs.
 *
 * It needs no name, and is not in the workspace at any time.
 *
 * Errors: those of making a net, see [method@Workspace.create_net], and of running it.
 *
 * Returns: `TRUE` if all operators succeeded
 */
gboolean
c2g_workspace_run_net_once (C2gWorkspace  *self,
                            C2gNetDef     *definition,
                            GCancellable  *cancellable,
                            GError       **error)
{
  g_autoptr (C2gNet) net = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (C2G_IS_NET_DEF (definition), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  net = c2g_net_new (definition, self, NULL, error);
  return net != NULL && c2g_net_run (net, cancellable, error);
}

/**
 * c2g_workspace_run_operator_once:
 * @self: a workspace
 * @definition: the definition of the operator
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Makes an operator, runs it and releases it.
 *
 * Errors: those of [func@Operator.create] and [method@Operator.run].
 *
 * Returns: `TRUE` if it succeeded
 */
gboolean
c2g_workspace_run_operator_once (C2gWorkspace    *self,
                                 C2gOperatorDef  *definition,
                                 GCancellable    *cancellable,
                                 GError         **error)
{
  g_autoptr (C2gOperator) op = NULL;
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (definition), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  op = c2g_operator_create (definition, self, error);
  if (op == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  c2g_operator_get_private (op)->cancellable = cancellable;
  is_done = c2g_operator_run (op, error);
  c2g_operator_get_private (op)->cancellable = NULL;
  return is_done;
}
