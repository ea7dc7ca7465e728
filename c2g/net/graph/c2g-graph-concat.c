/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/def/c2g-operator-def-private.h>

#include <string.h>

/* Removes a Concat of channels whose only user is a convolution. A convolution is linear, so
 * W [a, b] = W₁ a + W₂ b, where W₁ and W₂ are the filters' parts for the channels of a and b: it
 * becomes one convolution for each input, and Sums, which c2g_graph_fuse() makes a part of the
 * convolutions. The Concat would have copied all channels: oneDNN's convolutions cannot write
 * some of the channels of an image.
 *
 * Pooling between the Concat and the convolution moves before the Concat, because it computes each
 * channel by itself. */

enum
{
  CONV_X,
  CONV_FILTERS,
  CONV_BIAS,
};

/* More parts make products with short sums, which are slow. */
#define MAX_PARTS 4

typedef struct
{
  C2gGraphNode *concat;
  /* Between the Concat and the convolution, or NULL. */
  C2gGraphNode *pool;
  C2gGraphNode *conv;
  C2gTensor    *filters;
  gint64        n_channels[MAX_PARTS];
} Split;

/* Returns the number of channels if a convolution made the value, with only operators after it
 * that keep the channels; 0 if that is not known. */
static gint64
count_channels (C2gGraph      *graph,
                C2gGraphValue *value)
{
  const C2gGraphNode *node = value->producer;
  C2gTensor *filters;

  while (node != NULL && (node->traits & C2G_TRAIT_FILTERS) == 0 &&
         (node->traits & (C2G_TRAIT_IMAGES | C2G_TRAIT_ELEMENTWISE)) != 0)
    node = c2g_graph_input (node, 0)->producer;
  if (node == NULL || (node->traits & C2G_TRAIT_FILTERS) == 0 || c2g_graph_is_nhwc (node))
    return 0;
  filters = c2g_graph_find_parameter (graph, c2g_graph_input (node, CONV_FILTERS));
  return filters != NULL && filters->n_dims == 4 ? filters->dims[0] : 0;
}

static gboolean
is_pool (const C2gGraphNode *node)
{
  return (node->traits & C2G_TRAIT_CHANNELWISE) != 0 && node->inputs->len == 1 &&
         node->outputs->len == 1 && !c2g_graph_is_nhwc (node);
}

/* Returns TRUE for a Concat of NCHW images along the channels whose second output is not used. */
static gboolean
is_concat (const C2gGraphNode *node)
{
  C2gArgument *axis = c2g_operator_def_find (node->def, "axis");
  const C2gGraphValue *sizes = c2g_graph_output (node, 1);

  return c2g_graph_has_role (node, C2G_ROLE_CONCAT) && !c2g_graph_is_nhwc (node) &&
         (axis == NULL || c2g_argument_get_int (axis, NULL) == 1) &&
         c2g_operator_def_find (node->def, "add_axis") == NULL && node->inputs->len >= 2 &&
         node->inputs->len <= MAX_PARTS &&
         (sizes == NULL || (!sizes->is_fixed && sizes->users->len == 0));
}

/* Returns TRUE for a convolution without groups. */
static gboolean
is_conv (const C2gGraphNode *node)
{
  C2gArgument *group = c2g_operator_def_find (node->def, "group");

  return c2g_graph_has_role (node, C2G_ROLE_CONV) && !c2g_graph_is_nhwc (node) &&
         !c2g_graph_has_engine (node) &&
         (group == NULL || c2g_argument_get_int (group, NULL) == 1);
}

static gboolean
find_split (C2gGraph     *graph,
            C2gGraphNode *concat,
            Split        *split)
{
  C2gGraphNode *user = is_concat (concat) ? c2g_graph_only_user (c2g_graph_output (concat, 0)) : NULL;
  gint64 n_channels = 0;

  split->concat = concat;
  split->pool = user != NULL && is_pool (user) ? user : NULL;
  split->conv = split->pool != NULL ? c2g_graph_only_user (c2g_graph_output (user, 0)) : user;
  if (split->conv == NULL || !is_conv (split->conv))
    return FALSE;
  split->filters = c2g_graph_find_parameter (graph, c2g_graph_input (split->conv, CONV_FILTERS));

  for (guint i = 0; i < concat->inputs->len; i++)
    {
      split->n_channels[i] = count_channels (graph, c2g_graph_input (concat, i));
      if (split->n_channels[i] == 0)
        return FALSE;
      n_channels += split->n_channels[i];
    }

  /* Each part writes all of the output, which must not be larger than what the Concat copied. */
  return split->filters != NULL && split->filters->n_dims == 4 &&
         split->filters->dims[1] == n_channels && split->filters->dims[0] <= n_channels;
}

/* Makes a parameter of the filters for some of the channels. */
static C2gGraphValue *
cut_filters (C2gGraph     *graph,
             const Split  *split,
             gint64        begin,
             gint64        n_channels,
             GError      **error)
{
  const gint64 *dims = split->filters->dims;
  const gint64 part[] = { dims[0], n_channels, dims[2], dims[3] };
  const gint64 n_kernel = dims[2] * dims[3];
  const float *from = (const float *) c2g_tensor_address (split->filters) + begin * n_kernel;
  C2gTensor *tensor;
  C2gGraphValue *value = c2g_graph_add_parameter (
    graph, c2g_graph_input (split->conv, CONV_FILTERS)->name, "_part", &tensor, error);
  float *to;

  if (value == NULL || !c2g_tensor_resize (tensor, part, G_N_ELEMENTS (part), error))
    return NULL;
  to = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, error);
  if (to == NULL)
    return NULL;
  for (gint64 i = 0; i < dims[0]; i++)
    memcpy (to + i * n_channels * n_kernel, from + i * dims[1] * n_kernel,
            n_channels * n_kernel * sizeof (float));
  return value;
}

/* Adds a node like the other one, but for its name and inputs, before the convolution. It writes a
 * new value. */
static C2gGraphNode *
add_node_like (C2gGraph           *graph,
               const Split        *split,
               const C2gGraphNode *like)
{
  C2gGraphNode *node;
  guint position = 0;

  g_ptr_array_find (graph->nodes, split->conv, &position);
  node = c2g_graph_add_node_like (graph, position, like);
  /* Several operators would have the name. */
  c2g_operator_def_set_name (node->def, NULL);
  c2g_graph_take_output (node, 0, c2g_graph_add_value (graph, c2g_graph_output (like, 0)->name));
  return node;
}

/* Adds the convolution of one input of the Concat, and before it the pool. Returns its output. */
static C2gGraphValue *
add_part (C2gGraph       *graph,
          const Split    *split,
          guint           index,
          C2gGraphValue  *filters)
{
  C2gGraphValue *bias = c2g_graph_input (split->conv, CONV_BIAS);
  C2gGraphValue *x = c2g_graph_input (split->concat, index);
  C2gGraphNode *node;

  if (split->pool != NULL)
    {
      node = add_node_like (graph, split, split->pool);
      c2g_graph_add_input (node, x);
      x = c2g_graph_output (node, 0);
    }
  node = add_node_like (graph, split, split->conv);
  c2g_graph_add_input (node, x);
  c2g_graph_add_input (node, filters);
  if (index == 0 && bias != NULL)
    c2g_graph_add_input (node, bias);
  return c2g_graph_output (node, 0);
}

/* Adds the sum of two parts, which c2g_graph_fuse() makes a part of the second convolution. */
static C2gGraphValue *
add_sum (C2gGraph      *graph,
         const Split   *split,
         C2gGraphValue *a,
         C2gGraphValue *b)
{
  C2gGraphNode *sum;
  guint position = 0;

  g_ptr_array_find (graph->nodes, split->conv, &position);
  sum = c2g_graph_add_node (graph, position, C2G_ROLE_SUM);
  c2g_graph_add_input (sum, a);
  c2g_graph_add_input (sum, b);
  c2g_graph_take_output (sum, 0, c2g_graph_add_value (graph, a->name));
  return c2g_graph_output (sum, 0);
}

static gboolean
run_split (C2gGraph     *graph,
           const Split  *split,
           GError      **error)
{
  C2gGraphValue *sum = NULL;
  gint64 begin = 0;

  for (guint i = 0; i < split->concat->inputs->len; i++)
    {
      C2gGraphValue *filters = cut_filters (graph, split, begin, split->n_channels[i], error);
      C2gGraphValue *part;

      if (filters == NULL)
        return FALSE;
      part = add_part (graph, split, i, filters);
      sum = sum == NULL ? part : add_sum (graph, split, sum, part);
      begin += split->n_channels[i];
    }

  c2g_graph_take_output (sum->producer, 0, c2g_graph_output (split->conv, 0));
  c2g_graph_remove_node (graph, split->conv);
  if (split->pool != NULL)
    c2g_graph_remove_node (graph, split->pool);
  c2g_graph_remove_node (graph, split->concat);
  return TRUE;
}

gboolean
c2g_graph_split_concats (C2gGraph  *self,
                         GError   **error)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      C2gGraphNode *node = g_ptr_array_index (self->nodes, i);
      Split split;

      if (!find_split (self, node, &split))
        continue;
      if (!run_split (self, &split, error))
        return FALSE;
      /* The Concat is gone, and the next node has its place. */
      i--;
    }
  return TRUE;
}
