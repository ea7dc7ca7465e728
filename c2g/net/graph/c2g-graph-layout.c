/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>
#include <c2g/net/run/c2g-workspace-net.h>

/* Changes a net of NCHW images to NHWC, which the faster engine computes, and assigns this
 * engine to its operators. Conversions are added where images enter, before operators that need
 * NCHW, and behind outputs that others read. */

/* oneDNN, if the library was built with it. */
#define ENGINE "MKLDNN"

static void
add_conversion (C2gGraph      *graph,
                guint          position,
                C2gRole        role,
                C2gGraphValue *from,
                C2gGraphValue *to)
{
  c2g_graph_convert (graph, position, role, from, to);
  to->is_nhwc = !from->is_nhwc;
}

/* Gives the node its input in the wanted layout. A conversion is inserted before the node, and
 * then *POSITION moves on with the node. */
static void
turn_input (C2gGraph     *graph,
            guint        *position,
            C2gGraphNode *node,
            guint         index,
            gboolean      is_nhwc)
{
  C2gGraphValue *value = c2g_graph_input (node, index);

  if (value->is_nhwc == is_nhwc)
    return;
  if (value->other == NULL)
    {
      g_autofree char *name = g_strconcat (value->name, is_nhwc ? "_nhwc" : "_nchw", NULL);

      add_conversion (graph, (*position)++, is_nhwc ? C2G_ROLE_TO_NHWC : C2G_ROLE_TO_NCHW, value,
                      c2g_graph_add_value (graph, name));
    }
  c2g_graph_set_input (node, index, value->other);
}

/* A fixed output keeps the layout that the user of its blob expects: convert back to NCHW. */
static void
turn_output (C2gGraph     *graph,
             guint        *position,
             C2gGraphNode *node)
{
  C2gGraphValue *output = c2g_graph_output (node, 0);
  C2gGraphValue *turned;
  g_autofree char *name = NULL;

  if (!output->is_fixed)
    {
      output->is_nhwc = TRUE;
      return;
    }

  name = g_strconcat (output->name, "_nhwc", NULL);
  turned = c2g_graph_add_value (graph, name);
  turned->is_nhwc = TRUE;
  c2g_graph_take_output (node, 0, turned);
  add_conversion (graph, ++*position, C2G_ROLE_TO_NCHW, turned, output);
}

static gboolean
turn_filters (C2gGraph      *graph,
              C2gGraphNode  *node,
              GError       **error)
{
  C2gGraphValue *filters = c2g_graph_input (node, 1);
  g_autoptr (C2gOperatorDef) op = NULL;
  C2gGraphValue *turned;
  C2gTensor *tensor;

  if (filters->other == NULL)
    {
      turned = c2g_graph_add_parameter (graph, filters->name, "_nhwc", &tensor, error);
      if (turned == NULL)
        return FALSE;
      op = c2g_operator_def_new (c2g_operator_registry_find_role (C2G_ROLE_TO_NHWC));
      c2g_operator_def_add_input (op, filters->name);
      c2g_operator_def_add_output (op, turned->name);
      if (!c2g_workspace_run_operator_once (graph->workspace, op, NULL, error))
        return FALSE;
      filters->other = turned;
    }
  c2g_graph_set_input (node, 1, filters->other);
  return TRUE;
}

static gboolean
has_nhwc_inputs (const C2gGraphNode *node)
{
  gboolean all = node->inputs->len > 0;

  for (guint i = 0; i < node->inputs->len; i++)
    all &= c2g_graph_input (node, i)->is_nhwc;
  return all;
}

/* Returns TRUE for a Concat of NHWC images along the channels. */
static gboolean
is_turning_concat (const C2gGraphNode *node)
{
  C2gArgument *axis = c2g_operator_def_find (node->def, "axis");

  return c2g_graph_has_role (node, C2G_ROLE_CONCAT) && has_nhwc_inputs (node) &&
         (axis == NULL || c2g_argument_get_int (axis, NULL) == 1);
}

/* Returns TRUE if a second output is used, which the layout change cannot handle. The second
 * output of Concat is only a list of sizes. */
static gboolean
has_other_images (const C2gGraphNode *node)
{
  gboolean found = FALSE;

  for (guint i = 1; i < node->outputs->len && !c2g_graph_has_role (node, C2G_ROLE_CONCAT); i++)
    found |= c2g_graph_output (node, i)->is_fixed || c2g_graph_output (node, i)->users->len > 0;
  return found;
}

/* Returns TRUE if the node shall compute NHWC. */
static gboolean
is_turning (C2gGraph           *graph,
            const C2gGraphNode *node)
{
  C2gTensor *filters;

  if (c2g_graph_is_nhwc (node) || c2g_graph_has_engine (node) || has_other_images (node))
    return FALSE;
  if ((node->traits & C2G_TRAIT_FILTERS) != 0)
    {
      filters = c2g_graph_find_parameter (graph, c2g_graph_input (node, 1));
      return filters != NULL && filters->n_dims == 4;
    }
  if ((node->traits & C2G_TRAIT_IMAGES) != 0)
    return c2g_graph_input (node, 0)->is_nhwc;
  return ((node->traits & C2G_TRAIT_ELEMENTWISE) != 0 && has_nhwc_inputs (node)) ||
         is_turning_concat (node);
}

static void
set_order (C2gGraphNode *node)
{
  if ((node->traits & C2G_TRAIT_IMAGES) != 0)
    c2g_operator_def_set_string (node->def, "order", "NHWC");
  else if (!c2g_graph_has_role (node, C2G_ROLE_CONCAT))
    return;
  else if (c2g_operator_def_find (node->def, "axis") != NULL)
    c2g_operator_def_set_int (node->def, "axis", 3);
  else
    c2g_operator_def_set_string (node->def, "order", "NHWC");
}

static gboolean
turn_node (C2gGraph      *graph,
           guint         *position,
           C2gGraphNode  *node,
           GError       **error)
{
  const guint n_inputs = node->inputs->len;

  if ((node->traits & C2G_TRAIT_FILTERS) != 0)
    {
      turn_input (graph, position, node, 0, TRUE);
      if (!turn_filters (graph, node, error))
        return FALSE;
      if (c2g_graph_adds (node))
        turn_input (graph, position, node, n_inputs - 1, TRUE);
    }

  set_order (node);
  turn_output (graph, position, node);
  return TRUE;
}

/* Assigns the engine. Constant filters are transformed once by the engine, with the strategy
 * PRECOMPUTE. */
static void
set_engine (C2gGraph     *graph,
            C2gGraphNode *node)
{
  if (!c2g_graph_is_nhwc (node) || c2g_graph_has_engine (node) || !c2g_graph_knows_engine (node->def, ENGINE))
    return;

  c2g_operator_def_set_engine (node->def, ENGINE);
  if ((node->traits & C2G_TRAIT_FILTERS) != 0 &&
      c2g_graph_find_parameter (graph, c2g_graph_input (node, 1)) != NULL)
    c2g_operator_def_set_string (node->def, "convolution_transform_strategy", "PRECOMPUTE");
}

gboolean
c2g_graph_can_lay_out (void)
{
  g_autoptr (C2gOperatorDef) op = c2g_operator_def_new (c2g_operator_registry_find_role (C2G_ROLE_CONV));

  return c2g_graph_knows_engine (op, ENGINE);
}

gboolean
c2g_graph_lay_out (C2gGraph  *self,
                   GError   **error)
{
  if (!c2g_graph_can_lay_out ())
    return TRUE;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      C2gGraphNode *node = g_ptr_array_index (self->nodes, i);

      if (is_turning (self, node))
        {
          if (!turn_node (self, &i, node, error))
            return FALSE;
        }
      else
        for (guint j = 0; j < node->inputs->len; j++)
          turn_input (self, &i, node, j, FALSE);
      set_engine (self, node);
    }
  return TRUE;
}
