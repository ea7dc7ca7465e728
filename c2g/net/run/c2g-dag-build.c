/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-dag-private.h>

#include <c2g/def/c2g-argument-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>
#include <c2g/net/operator/c2g-operator-schema-private.h>

/* Finds out which operators of a net depend on each other, from the blobs that they read and write.
 * Nets of type “dag” and similar ones use it. */

typedef struct
{
  C2gDag       *dag;
  /* Workspace of the operators, or NULL. */
  C2gWorkspace *workspace;
  /* Maps the names that the operators before this one used to their blobs. */
  GHashTable   *names;
  /* Maps a blob to the blob that it shares memory with (a union-find parent link). */
  GHashTable   *places;
  /* TRUE if an operator writes blobs that its definition does not name, like Load with load_all. */
  gboolean      has_barrier;
} Build;

typedef void (*VisitFunc) (C2gOperatorDef *def,
                           gpointer        data);

/* Calls VISIT for the operators of all nets in the arguments, recursively. */
static void
visit_nested (C2gOperatorDef *def,
              VisitFunc       visit,
              gpointer        data)
{
  gsize n_arguments;
  C2gArgument *const *arguments = c2g_operator_def_peek_arguments (def, &n_arguments);

  for (gsize i = 0; i < n_arguments; i++)
    {
      g_autoptr (C2gNetDef) net = NULL;

      if (c2g_argument_peek (arguments[i])->n == NULL)
        continue;
      net = c2g_argument_dup_net (arguments[i], NULL);
      for (gsize j = 0; net != NULL && j < c2g_net_def_get_n_operators (net); j++)
        {
          C2gOperatorDef *nested = c2g_net_def_get_operator (net, j);

          visit (nested, data);
          visit_nested (nested, visit, data);
        }
    }
}

/* Returns the representative of all blobs that share memory with BLOB. */
static gpointer
find_place (Build    *self,
            gpointer  blob)
{
  gpointer place = g_hash_table_lookup (self->places, blob);

  while (place != NULL)
    {
      blob = place;
      place = g_hash_table_lookup (self->places, blob);
    }

  return blob;
}

/* Returns the representative of the blob of that name in the workspace, or NULL if there is none:
 * then the blob is local to the nested net. */
static gpointer
find_named_place (Build      *self,
                  const char *name)
{
  g_autoptr (C2gBlob) blob = NULL;

  if (self->workspace == NULL || name == NULL)
    return NULL;
  /* The pointer stays valid without a reference as long as the workspace has the blob. */
  blob = c2g_workspace_get_blob (self->workspace, name, NULL);
  return blob != NULL ? find_place (self, blob) : NULL;
}

static void
join_places (Build    *self,
             gpointer  source,
             gpointer  target)
{
  if (source != NULL && target != NULL && source != target)
    g_hash_table_insert (self->places, target, source);
}

/* Treats an output that shares memory with an input as the same blob, so that a write to one
 * counts as a write to the other. An operator of a nested net (PRIV is NULL) has only names yet. */
static void
join_shared (Build              *self,
             C2gOperatorDef     *def,
             C2gOperatorPrivate *priv)
{
  const char *const *inputs = c2g_operator_def_get_inputs (def);
  const char *const *outputs = c2g_operator_def_get_outputs (def);
  g_autoptr (C2gOperatorSchema) schema = NULL;
  const C2gSchemaPair *pairs = NULL;
  gsize n_pairs = 0;

  if (c2g_operator_def_get_op_type (def) != NULL)
    schema = c2g_operator_registry_find_schema (c2g_operator_def_get_op_type (def));
  if (schema != NULL)
    pairs = c2g_operator_schema_peek_shared (schema, &n_pairs);
  for (gsize i = 0; i < n_pairs; i++)
    {
      guint input = pairs[i].input, output = pairs[i].output;

      if (input >= c2g_operator_def_get_n_inputs (def) ||
          output >= c2g_operator_def_get_n_outputs (def))
        continue;
      if (priv != NULL)
        join_places (self, find_place (self, priv->inputs[input]),
                     find_place (self, priv->outputs[output]));
      else
        join_places (self, find_named_place (self, inputs[input]),
                     find_named_place (self, outputs[output]));
    }
}

/* Returns TRUE if an argument makes the operator write blobs that the definition does not list. */
static gboolean
is_barrier (C2gOperatorDef *def)
{
  const char *op_type = c2g_operator_def_get_op_type (def);
  const C2gKernelArgument *row = op_type != NULL ? c2g_operator_registry_find_known (op_type) : NULL;

  for (; row != NULL && row->kind != C2G_KERNEL_ARGUMENT_END; row++)
    {
      C2gArgument *argument =
        row->adds_outputs ? c2g_operator_def_get_argument (def, row->name) : NULL;

      if (argument != NULL && c2g_argument_get_int (argument, NULL) != 0)
        return TRUE;
    }
  return FALSE;
}

static void
prepare_nested (C2gOperatorDef *def,
                gpointer        data)
{
  Build *self = data;

  self->has_barrier |= is_barrier (def);
  join_shared (self, def, NULL);
}

static void
prepare_operator (Build       *self,
                  C2gOperator *op)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (op);

  self->has_barrier |= is_barrier (priv->def);
  join_shared (self, priv->def, priv);
  visit_nested (priv->def, prepare_nested, self);
}

static void
touch_names (Build              *self,
             const char *const  *names,
             void              (*touch) (C2gDag        *dag,
                                         gconstpointer  thing))
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      gpointer place = find_named_place (self, names[i]);

      if (place != NULL)
        touch (self->dag, place);
    }
}

/* Orders the operator and the barriers of the net, whose writes are not listed. Each barrier
 * counts as a writer, and each other operator as a reader, of one imaginary place. SELF stands
 * for that place. */
static void
touch_barrier (Build          *self,
               C2gOperatorDef *def)
{
  if (is_barrier (def))
    c2g_dag_add_write (self->dag, self);
  else if (self->has_barrier)
    c2g_dag_add_read (self->dag, self);
}

/* A loop writes the external inputs of its body itself, even if no operator in the body writes
 * them. */
static void
touch_body (Build          *self,
            C2gOperatorDef *def)
{
  C2gArgument *argument = c2g_operator_def_get_argument (def, "body");
  g_autoptr (C2gNetDef) body = NULL;

  if (argument != NULL && c2g_argument_peek (argument)->n != NULL)
    body = c2g_argument_dup_net (argument, NULL);
  if (body != NULL)
    touch_names (self, c2g_net_def_get_external_inputs (body), c2g_dag_add_write);
}

static void
touch_nested (C2gOperatorDef *def,
              gpointer        data)
{
  touch_names (data, c2g_operator_def_get_inputs (def), c2g_dag_add_read);
  touch_names (data, c2g_operator_def_get_outputs (def), c2g_dag_add_write);
  touch_body (data, def);
  touch_barrier (data, def);
}

static void
add_names (GHashTable         *table,
           const char *const  *names,
           C2gBlob           **blobs)
{
  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_insert (table, (gpointer) names[i], blobs[i]);
}

static void
add_operator (Build       *self,
              C2gOperator *op)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (op);
  const char *const *controls = c2g_operator_def_get_control_inputs (priv->def);

  c2g_dag_add_node (self->dag, priv->is_caller_thread_only ? C2G_DAG_GROUP_CALLER
                                                           : C2G_DAG_GROUP_ANY);
  touch_barrier (self, priv->def);
  for (guint i = 0; i < priv->n_inputs; i++)
    c2g_dag_add_read (self->dag, find_place (self, priv->inputs[i]));
  for (guint i = 0; controls[i] != NULL; i++)
    if (g_hash_table_contains (self->names, controls[i]))
      c2g_dag_add_read (self->dag,
                        find_place (self, g_hash_table_lookup (self->names, controls[i])));
  for (guint i = 0; i < priv->n_outputs; i++)
    c2g_dag_add_write (self->dag, find_place (self, priv->outputs[i]));
  touch_body (self, priv->def);
  visit_nested (priv->def, touch_nested, self);

  add_names (self->names, c2g_operator_def_get_inputs (priv->def), priv->inputs);
  add_names (self->names, c2g_operator_def_get_outputs (priv->def), priv->outputs);
}

C2gDag *
c2g_dag_new_for_operators (C2gOperator **operators,
                           guint         n_operators)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autoptr (C2gWorkspace) workspace = NULL;
  Build self = { .dag = c2g_dag_new (), .names = names, .places = places };

  if (n_operators > 0)
    workspace = c2g_operator_ref_workspace (operators[0], NULL);
  self.workspace = workspace;
  for (guint i = 0; i < n_operators; i++)
    prepare_operator (&self, operators[i]);
  for (guint i = 0; i < n_operators; i++)
    add_operator (&self, operators[i]);
  c2g_dag_finish (self.dag);
  return self.dag;
}
