/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/tensor/c2g-tensor-convert.h>

/* Makes the operators of a device compute with float16, as far as they can. Products, such as
 * convolutions, always do. Other operators do if an input is float16 anyway, so that no value is
 * converted only for them. A value in a blob of its own name, such as an output, stays float. Where the
 * two types meet, a value is converted once, by an operator; a parameter is converted now. */

/* Returns the trait that an operator has if this input may be float16. */
static C2gTraits
input_trait (guint input)
{
  return input == 0 ? C2G_TRAIT_HALF_FIRST : C2G_TRAIT_HALF_OTHERS;
}

static gboolean
is_product (const C2gGraphNode *node)
{
  return (node->traits & C2G_TRAIT_FLOAT) != 0 &&
         ((node->traits & C2G_TRAIT_IMAGES) == 0 || (node->traits & C2G_TRAIT_FILTERS) != 0);
}

static gboolean
has_half (const C2gGraphValue *value)
{
  return value->is_half || value->other != NULL;
}

/* Returns FALSE for a blob of the workspace that is not floats. */
static gboolean
may_be_float (C2gGraph      *graph,
              C2gGraphValue *value)
{
  return value->producer != NULL || g_hash_table_contains (graph->written, value->name) ||
         c2g_graph_has_parameter (graph, value);
}

static gboolean
can_be_half (C2gGraph           *graph,
             const C2gGraphNode *node)
{
  gboolean is_wanted = is_product (node);

  if ((node->traits & C2G_TRAIT_HALF_FIRST) == 0)
    return FALSE;
  for (guint i = 0; i < node->inputs->len; i++)
    if ((node->traits & input_trait (i)) != 0)
      {
        C2gGraphValue *value = c2g_graph_input (node, i);

        if (!has_half (value) && !may_be_float (graph, value))
          return FALSE;
        is_wanted |= has_half (value);
      }
  return is_wanted;
}

static C2gGraphValue *
add_value (C2gGraph            *graph,
           const C2gGraphValue *value,
           gboolean             is_half)
{
  g_autofree char *name = g_strconcat (value->name, is_half ? "_half" : "_float", NULL);
  C2gGraphValue *other = c2g_graph_add_value (graph, name);

  other->is_half = is_half;
  return other;
}

/* Makes a value of float16 if the other one is a parameter whose changes will be noticed. */
static gboolean
convert_parameter (C2gGraph       *graph,
                   C2gGraphValue  *value,
                   GError        **error)
{
  C2gTensor *tensor = c2g_graph_find_parameter (graph, value);
  g_autoptr (C2gTensor) half = NULL;
  g_autoptr (C2gTensor) placed = NULL;
  C2gGraphValue *made;

  if (tensor == NULL)
    return TRUE;

  half = c2g_tensor_convert (tensor, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_SATURATE, error);
  if (half != NULL)
    placed = c2g_tensor_to_device (half, graph->device, error);
  made = placed != NULL ? c2g_graph_put_parameter (graph, value, "_half", placed, error) : NULL;
  if (made == NULL)
    return FALSE;
  made->is_half = TRUE;
  value->other = made;
  return TRUE;
}

/* Makes the input of the node float16 or float. A conversion is inserted before the node, and then
 * *position moves on with the node. */
static gboolean
set_type (C2gGraph      *graph,
          guint         *position,
          C2gGraphNode  *node,
          guint          input,
          gboolean       is_half,
          GError       **error)
{
  C2gGraphValue *value = c2g_graph_input (node, input);

  if (value->is_half == is_half)
    return TRUE;
  if (value->other == NULL && is_half && !convert_parameter (graph, value, error))
    return FALSE;
  if (value->other == NULL)
    c2g_graph_convert (graph, (*position)++, is_half ? C2G_ROLE_TO_HALF : C2G_ROLE_TO_FLOAT, value,
                       add_value (graph, value, is_half));
  c2g_graph_set_input (node, input, value->other);
  return TRUE;
}

/* Makes the first output float16. A fixed one is converted back behind the node. */
static void
halve_output (C2gGraph     *graph,
              guint        *position,
              C2gGraphNode *node)
{
  C2gGraphValue *value = c2g_graph_output (node, 0), *half;

  if (!value->is_fixed)
    {
      value->is_half = TRUE;
      return;
    }

  half = add_value (graph, value, TRUE);
  c2g_graph_take_output (node, 0, half);
  c2g_graph_convert (graph, ++(*position), C2G_ROLE_TO_FLOAT, half, value);
}

gboolean
c2g_graph_halve (C2gGraph  *graph,
                 GError   **error)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      C2gGraphNode *node = g_ptr_array_index (graph->nodes, i);
      const gboolean is_half = can_be_half (graph, node);

      for (guint k = 0; k < node->inputs->len; k++)
        if (!set_type (graph, &i, node, k, is_half && (node->traits & input_trait (k)) != 0, error))
          return FALSE;
      if (is_half)
        halve_output (graph, &i, node);
    }
  return TRUE;
}
