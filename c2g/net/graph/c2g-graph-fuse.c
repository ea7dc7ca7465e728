/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/def/c2g-operator-def-private.h>

#include <math.h>

/* Fuses a Conv with the Sum and the Relu that alone use its output. The result is Caffe2's
 * ConvFusion with its argument fusion_type. A Clip from 0 on is a Relu with a limit. */

enum
{
  NO_FUSION = 0,
  FUSION_CONV_RELU = 1,
  FUSION_CONV_SUM = 2,
  FUSION_CONV_SUM_RELU = 3,
};

static int
get_fusion (const C2gGraphNode *conv)
{
  C2gArgument *argument = c2g_operator_def_find (conv->def, "fusion_type");

  return argument != NULL ? (int) c2g_argument_get_int (argument, NULL) : NO_FUSION;
}

gboolean
c2g_graph_adds (const C2gGraphNode *node)
{
  return c2g_graph_has_role (node, C2G_ROLE_CONV_FUSION) &&
         (get_fusion (node) == FUSION_CONV_SUM || get_fusion (node) == FUSION_CONV_SUM_RELU);
}

static void
set_fusion (C2gGraphNode *conv,
            int           fusion)
{
  c2g_graph_set_role (conv, C2G_ROLE_CONV_FUSION);
  c2g_operator_def_set_int (conv->def, "fusion_type", fusion);
}

static double
get_float (const C2gGraphNode *node,
           const char         *name,
           double              otherwise)
{
  C2gArgument *argument = c2g_operator_def_find (node->def, name);

  return argument != NULL && c2g_argument_get_kind (argument) == C2G_ARGUMENT_KIND_FLOAT
           ? c2g_argument_get_float (argument, NULL)
           : otherwise;
}

/* Returns TRUE for a Relu, and for a Clip that begins at 0. */
static gboolean
is_relu (const C2gGraphNode *node,
         double             *max)
{
  *max = INFINITY;
  if (!c2g_graph_has_role (node, C2G_ROLE_CLIP))
    return c2g_graph_has_role (node, C2G_ROLE_RELU);
  *max = get_float (node, "max", -1);
  return get_float (node, "min", -1) == 0 && *max >= 0;
}

static void
fuse_relu (C2gGraph     *graph,
           C2gGraphNode *conv)
{
  C2gGraphNode *relu = c2g_graph_only_user (c2g_graph_output (conv, 0));
  const int fusion = get_fusion (conv);
  double max;

  if (!is_relu (relu, &max) || (fusion != NO_FUSION && fusion != FUSION_CONV_SUM))
    return;

  set_fusion (conv, fusion == NO_FUSION ? FUSION_CONV_RELU : FUSION_CONV_SUM_RELU);
  if (isfinite (max) || c2g_operator_def_find (conv->def, "max") != NULL)
    c2g_operator_def_set_float (conv->def, "max", max);
  c2g_graph_take_output (conv, 0, c2g_graph_output (relu, 0));
  c2g_graph_remove_node (graph, relu);
}

/* Returns the input of the Sum that is not VALUE. */
static C2gGraphValue *
find_other (const C2gGraphNode  *sum,
            const C2gGraphValue *value)
{
  C2gGraphValue *first = c2g_graph_input (sum, 0);

  return first == value ? c2g_graph_input (sum, 1) : first;
}

/* Fuses the Sum with the last Conv before it. The Conv moves to the position of the Sum, because
 * the other input of the Sum must be computed before. */
static void
fuse_sum (C2gGraph     *graph,
          C2gGraphNode *sum)
{
  C2gGraphNode *conv = NULL;
  C2gGraphValue *other;
  guint from, to;

  if (sum->inputs->len != 2 || !g_ptr_array_find (graph->nodes, sum, &to))
    return;
  for (from = to; from > 0 && conv == NULL; from--)
    {
      C2gGraphNode *node = g_ptr_array_index (graph->nodes, from - 1);

      if (c2g_graph_has_role (node, C2G_ROLE_CONV) && !c2g_graph_has_engine (node) &&
          c2g_graph_only_user (c2g_graph_output (node, 0)) == sum)
        conv = node;
    }
  if (conv == NULL)
    return;

  other = find_other (sum, c2g_graph_output (conv, 0));
  set_fusion (conv, FUSION_CONV_SUM);
  c2g_graph_add_input (conv, other);
  c2g_graph_take_output (conv, 0, c2g_graph_output (sum, 0));
  g_ptr_array_insert (graph->nodes, (int) to, g_ptr_array_steal_index (graph->nodes, from));
  c2g_graph_remove_node (graph, sum);
}

void
c2g_graph_fuse (C2gGraph *self)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_copy (self->nodes, NULL, NULL);

  /* Iterates over a copy: fuse_sum() reorders the graph's own list. */
  g_ptr_array_set_free_func (nodes, NULL);
  for (guint i = 0; i < nodes->len; i++)
    if (c2g_graph_has_role (g_ptr_array_index (nodes, i), C2G_ROLE_SUM))
      fuse_sum (self, g_ptr_array_index (nodes, i));
  for (guint i = 0; i < self->nodes->len; i++)
    {
      C2gGraphNode *node = g_ptr_array_index (self->nodes, i);

      if ((c2g_graph_has_role (node, C2G_ROLE_CONV) || c2g_graph_has_role (node, C2G_ROLE_CONV_FUSION)) &&
          !c2g_graph_has_engine (node))
        fuse_relu (self, node);
    }
}
