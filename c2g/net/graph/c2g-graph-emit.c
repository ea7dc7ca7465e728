/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/net/operator/c2g-operator-registry-private.h>

/* Assigns blob names to the values again, and turns the graph into a net definition. */

typedef struct
{
  C2gGraph   *graph;
  /* shares_memory: values that are not needed at the same time may share a blob. is_ordered:
   * operators run in the order of the net; without it values only share in place. */
  gboolean    shares_memory;
  gboolean    is_ordered;

  /* Strings that live as long as the plan. */
  GHashTable *names;
  /* A stack of names whose blobs hold no value any more. */
  GPtrArray  *free_names;
  /* Maps each value to the number of its uses that are still to come. */
  GHashTable *n_uses;
} Plan;

static void
plan_clear (Plan *self)
{
  g_hash_table_unref (self->names);
  g_ptr_array_unref (self->free_names);
  g_hash_table_unref (self->n_uses);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* Adds a name that no other blob has. A name that the net writes itself may be used again. */
static const char *
add_name (Plan       *self,
          const char *name)
{
  char *unique = g_hash_table_contains (self->graph->written, name)
                   ? g_strdup (name)
                   : c2g_graph_find_name (self->graph, name);

  for (guint i = 2; g_hash_table_contains (self->names, unique); i++)
    {
      g_autofree char *other = g_strdup_printf ("%s_%u", name, i);

      g_free (unique);
      unique = c2g_graph_find_name (self->graph, other);
    }
  g_hash_table_add (self->names, unique);
  return unique;
}

/* Fixed values keep their own names. Counts the uses of every value. */
static void
plan_init (Plan     *self,
           C2gGraph *graph)
{
  self->graph = graph;
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->free_names = g_ptr_array_new ();
  self->n_uses = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < graph->values->len; i++)
    {
      C2gGraphValue *value = g_ptr_array_index (graph->values, i);

      g_hash_table_insert (self->n_uses, value, GUINT_TO_POINTER (value->users->len));
      if (!value->is_fixed)
        continue;
      value->place = value->name;
      if (!g_hash_table_contains (self->names, value->name))
        g_hash_table_add (self->names, g_strdup (value->name));
    }
}

static guint
get_n_uses (const Plan          *self,
            const C2gGraphValue *value)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->n_uses, value));
}

/* Returns TRUE if the value may share a blob. Only float values do: a blob whose element type
 * changes would be reallocated in each run. */
static gboolean
may_share (const Plan          *self,
           const C2gGraphValue *value)
{
  return self->shares_memory && !value->is_fixed && value->is_float;
}

/* Returns an input that is not used after this node and that the output may overwrite, or NULL. */
static C2gGraphValue *
find_in_place (const Plan         *self,
               const C2gGraphNode *node)
{
  C2gOperatorSchema *schema =
    c2g_operator_registry_find_schema (c2g_operator_def_get_op_type (node->def));

  for (guint i = 0; schema != NULL && i < node->inputs->len; i++)
    {
      C2gGraphValue *input = c2g_graph_input (node, i);

      if (may_share (self, input) && input->is_half == c2g_graph_output (node, 0)->is_half &&
          get_n_uses (self, input) == 1 &&
          c2g_operator_schema_is_in_place_allowed (schema, i, 0))
        return input;
    }
  return NULL;
}

static const char *
take_name (Plan                *self,
           const C2gGraphValue *value)
{
  if (may_share (self, value) && self->is_ordered && self->free_names->len > 0)
    return g_ptr_array_steal_index (self->free_names, self->free_names->len - 1);
  return add_name (self, value->name);
}

static void
drop_use (Plan                *self,
          C2gGraphValue       *value,
          const C2gGraphValue *in_place)
{
  const guint n_uses = get_n_uses (self, value);

  g_hash_table_insert (self->n_uses, value, GUINT_TO_POINTER (n_uses - 1));
  if (n_uses == 1 && value != in_place && may_share (self, value))
    g_ptr_array_add (self->free_names, value->place);
}

static gboolean
is_float (C2gGraph           *graph,
          const C2gGraphNode *node)
{
  C2gGraphValue *input = c2g_graph_input (node, 0);

  if ((node->traits & C2G_TRAIT_FLOAT) != 0)
    return TRUE;
  return (node->traits & C2G_TRAIT_SAME_TYPE) != 0 && input != NULL &&
         (input->is_float || c2g_graph_has_parameter (graph, input));
}

static void
place_outputs (Plan         *self,
               C2gGraphNode *node)
{
  C2gGraphValue *first = c2g_graph_output (node, 0);
  C2gGraphValue *in_place = NULL;

  if (first != NULL)
    {
      first->is_float = is_float (self->graph, node);
      if (may_share (self, first))
        in_place = find_in_place (self, node);
    }
  for (guint i = 0; i < node->outputs->len; i++)
    {
      C2gGraphValue *output = c2g_graph_output (node, i);

      if (i == 0 && in_place != NULL)
        output->place = in_place->place;
      else if (!output->is_fixed)
        output->place = (gpointer) take_name (self, output);
    }

  for (guint i = 0; i < node->inputs->len; i++)
    drop_use (self, c2g_graph_input (node, i), in_place);
  if (first != NULL && first->users->len == 0 && may_share (self, first))
    g_ptr_array_add (self->free_names, first->place);
}

/* Returns FALSE if an output would overwrite an input that the operator does not allow in place. */
static gboolean
check_in_place (const C2gGraphNode *node)
{
  C2gOperatorSchema *schema =
    c2g_operator_registry_find_schema (c2g_operator_def_get_op_type (node->def));
  gboolean is_allowed = TRUE;

  for (guint i = 0; schema != NULL && i < node->inputs->len; i++)
    for (guint j = 0; j < node->outputs->len; j++)
      if (g_strcmp0 (c2g_graph_input (node, i)->place, c2g_graph_output (node, j)->place) == 0)
        is_allowed &= c2g_operator_schema_is_in_place_allowed (schema, i, j);
  return is_allowed;
}

/* Simulates the net: returns TRUE if every blob still holds the right value when a node reads
 * it. */
static gboolean
check_names (const Plan *self)
{
  g_autoptr (GHashTable) blobs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->graph->nodes->len; i++)
    {
      const C2gGraphNode *node = g_ptr_array_index (self->graph->nodes, i);

      for (guint j = 0; j < node->inputs->len; j++)
        {
          C2gGraphValue *input = c2g_graph_input (node, j);
          const C2gGraphValue *value = g_hash_table_lookup (blobs, input->place);

          if (value != (input->producer != NULL ? input : NULL))
            return FALSE;
        }
      if (!check_in_place (node))
        return FALSE;
      for (guint j = 0; j < node->outputs->len; j++)
        g_hash_table_insert (blobs, c2g_graph_output (node, j)->place, c2g_graph_output (node, j));
    }
  return TRUE;
}

static void
set_names (C2gGraphNode *node)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) outputs = g_ptr_array_new ();

  for (guint i = 0; i < node->inputs->len; i++)
    g_ptr_array_add (inputs, c2g_graph_input (node, i)->place);
  for (guint i = 0; i < node->outputs->len; i++)
    g_ptr_array_add (outputs, c2g_graph_output (node, i)->place);
  g_ptr_array_add (inputs, NULL);
  g_ptr_array_add (outputs, NULL);

  c2g_operator_def_set_inputs (node->def, (const char * const *) inputs->pdata);
  c2g_operator_def_set_outputs (node->def, (const char * const *) outputs->pdata);
}

/* If a net declares its external inputs, it has to declare the new parameters too. */
static void
declare_inputs (C2gGraph *graph)
{
  for (guint i = 0; i < graph->made->len; i++)
    {
      const C2gGraphValue *value = g_ptr_array_index (graph->made, i);

      c2g_net_def_add_external_input (graph->def, value->name);
    }
}

C2gNetDef *
c2g_graph_to_net_def (C2gGraph *self,
                      gboolean  shares_memory,
                      gboolean  is_ordered)
{
  g_auto (Plan) plan = { .shares_memory = shares_memory, .is_ordered = is_ordered };

  plan_init (&plan, self);
  for (guint i = 0; i < self->nodes->len; i++)
    place_outputs (&plan, g_ptr_array_index (self->nodes, i));
  if (!check_names (&plan))
    return NULL;

  while (c2g_net_def_get_n_operators (self->def) > 0)
    c2g_net_def_remove_operator (self->def, c2g_net_def_get_n_operators (self->def) - 1);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      C2gGraphNode *node = g_ptr_array_index (self->nodes, i);

      set_names (node);
      c2g_net_def_add_operator (self->def, node->def);
    }
  c2g_graph_drop_parameters (self, FALSE);
  if (c2g_net_def_get_external_inputs (self->def)[0] != NULL)
    declare_inputs (self);
  return g_object_ref (self->def);
}
