/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/def/c2g-operator-def-private.h>

#include <math.h>

/* Folds the scale s and the shift t of SpatialBN into the filters and the bias of the Conv before
 * it: (W x + b) s + t = (W s) x + (b s + t). Without such a Conv, makes a depthwise 1x1 Conv. */

enum
{
  CONV_X,
  CONV_FILTERS,
  CONV_BIAS,
};

enum
{
  BN_X,
  BN_SCALE,
  BN_BIAS,
  BN_MEAN,
  BN_VARIANCE,
  BN_N_INPUTS,
};

typedef struct
{
  /* NULL stands for one filter of 1.0 for each channel. */
  C2gTensor   *filters;
  /* NULL if the Conv has no bias. */
  C2gTensor   *bias;
  const float *bn[BN_N_INPUTS];
  double       epsilon;
  gint64       n_channels;
} Fold;

static gboolean
find_channels (C2gGraph      *graph,
               C2gGraphValue *value,
               Fold          *fold,
               C2gTensor    **tensor)
{
  *tensor = c2g_graph_find_parameter (graph, value);
  return *tensor != NULL && (*tensor)->n_elements == fold->n_channels;
}

/* Returns TRUE if the scale, bias, mean and variance of the SpatialBN are all known parameters. */
static gboolean
find_statistics (C2gGraph     *graph,
                 C2gGraphNode *bn,
                 Fold         *fold)
{
  C2gArgument *epsilon = c2g_operator_def_find (bn->def, "epsilon");

  if (bn->inputs->len < BN_N_INPUTS)
    return FALSE;
  fold->epsilon = epsilon != NULL ? c2g_argument_get_float (epsilon, NULL) : 1e-5;
  for (guint i = BN_SCALE; i < BN_N_INPUTS; i++)
    {
      C2gTensor *tensor;

      if (!find_channels (graph, c2g_graph_input (bn, i), fold, &tensor))
        return FALSE;
      fold->bn[i] = c2g_tensor_address (tensor);
    }
  return TRUE;
}

static gboolean
find_parameters (C2gGraph     *graph,
                 C2gGraphNode *conv,
                 C2gGraphNode *bn,
                 Fold         *fold)
{
  fold->filters = c2g_graph_find_parameter (graph, c2g_graph_input (conv, CONV_FILTERS));
  if (fold->filters == NULL || fold->filters->n_dims == 0)
    return FALSE;
  fold->n_channels = fold->filters->dims[0];
  return (conv->inputs->len <= CONV_BIAS ||
          find_channels (graph, c2g_graph_input (conv, CONV_BIAS), fold, &fold->bias)) &&
         find_statistics (graph, bn, fold);
}

static void
compute (const Fold *fold,
         float      *filters,
         float      *bias)
{
  const float *old_filters = fold->filters != NULL ? c2g_tensor_address (fold->filters) : NULL;
  const float *old_bias = fold->bias != NULL ? c2g_tensor_address (fold->bias) : NULL;
  const gint64 size = fold->filters != NULL ? fold->filters->n_elements / fold->n_channels : 1;

  for (gint64 i = 0; i < fold->n_channels; i++)
    {
      const double scale = fold->bn[BN_SCALE][i] / sqrt (fold->bn[BN_VARIANCE][i] + fold->epsilon);
      const double old = old_bias != NULL ? old_bias[i] : 0;

      bias[i] = (float) ((old - fold->bn[BN_MEAN][i]) * scale + fold->bn[BN_BIAS][i]);
      for (gint64 j = i * size; j < (i + 1) * size; j++)
        filters[j] = (float) (old_filters != NULL ? old_filters[j] * scale : scale);
    }
}

/* Adds parameters for the folded filters and bias, with names derived from NAME. */
static gboolean
add_parameters (C2gGraph       *graph,
                const char     *name,
                const Fold     *fold,
                C2gGraphValue **filters,
                C2gGraphValue **bias,
                GError        **error)
{
  const gint64 ones[] = { fold->n_channels, 1, 1, 1 };
  const gint64 *dims = fold->filters != NULL ? fold->filters->dims : ones;
  const gsize n_dims = fold->filters != NULL ? fold->filters->n_dims : G_N_ELEMENTS (ones);
  C2gTensor *tensors[2];
  float *filters_data, *bias_data;

  *filters = c2g_graph_add_parameter (graph, name, "_folded", &tensors[0], error);
  if (*filters == NULL || !c2g_tensor_resize (tensors[0], dims, n_dims, error))
    return FALSE;
  *bias = c2g_graph_add_parameter (graph, name, "_folded_b", &tensors[1], error);
  if (*bias == NULL || !c2g_tensor_resize (tensors[1], &fold->n_channels, 1, error))
    return FALSE;
  filters_data = c2g_tensor_mutable_data (tensors[0], C2G_DATA_TYPE_FLOAT, error);
  if (filters_data == NULL)
    return FALSE;
  bias_data = c2g_tensor_mutable_data (tensors[1], C2G_DATA_TYPE_FLOAT, error);
  if (bias_data == NULL)
    return FALSE;

  compute (fold, filters_data, bias_data);
  return TRUE;
}

static gboolean
replace (C2gGraph      *graph,
         C2gGraphNode  *conv,
         C2gGraphNode  *bn,
         const Fold    *fold,
         GError       **error)
{
  C2gGraphValue *filters, *bias;

  if (!add_parameters (graph, c2g_graph_input (conv, CONV_FILTERS)->name, fold, &filters, &bias,
                       error))
    return FALSE;

  c2g_graph_set_input (conv, CONV_FILTERS, filters);
  if (conv->inputs->len > CONV_BIAS)
    c2g_graph_set_input (conv, CONV_BIAS, bias);
  else
    c2g_graph_add_input (conv, bias);
  c2g_graph_take_output (conv, 0, c2g_graph_output (bn, 0));
  c2g_graph_remove_node (graph, bn);
  return TRUE;
}

gboolean
c2g_graph_fold (C2gGraph  *self,
                GError   **error)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      C2gGraphNode *conv = g_ptr_array_index (self->nodes, i);
      C2gGraphNode *bn;
      Fold fold = { .bias = NULL };

      if (!c2g_graph_has_role (conv, C2G_ROLE_CONV))
        continue;
      bn = c2g_graph_only_user (c2g_graph_output (conv, 0));
      if (c2g_graph_has_role (bn, C2G_ROLE_BATCH_NORM) &&
          c2g_graph_is_nhwc (conv) == c2g_graph_is_nhwc (bn) &&
          find_parameters (self, conv, bn, &fold) && !replace (self, conv, bn, &fold, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns TRUE if the value holds 2-D images: a 2-D convolution made it, with only operators
 * after it that keep the number of dimensions. */
static gboolean
is_images (C2gGraph            *graph,
           const C2gGraphValue *value)
{
  const C2gGraphNode *node = value->producer;
  C2gTensor *filters;

  while (node != NULL && (node->traits & C2G_TRAIT_FILTERS) == 0 &&
         (node->traits & (C2G_TRAIT_IMAGES | C2G_TRAIT_ELEMENTWISE)) != 0)
    node = c2g_graph_input (node, 0)->producer;
  if (node == NULL || (node->traits & C2G_TRAIT_FILTERS) == 0)
    return FALSE;
  filters = c2g_graph_find_parameter (graph, c2g_graph_input (node, CONV_FILTERS));
  return filters != NULL && filters->n_dims == 4;
}

static gboolean
turn_into_conv (C2gGraph      *graph,
                guint          position,
                C2gGraphNode  *bn,
                const Fold    *fold,
                GError       **error)
{
  C2gGraphValue *filters, *bias;
  C2gGraphNode *conv;

  if (!add_parameters (graph, c2g_graph_input (bn, BN_SCALE)->name, fold, &filters, &bias, error))
    return FALSE;

  conv = c2g_graph_add_node (graph, position, C2G_ROLE_CONV);
  c2g_operator_def_set_int (conv->def, "kernel", 1);
  c2g_operator_def_set_int (conv->def, "group", fold->n_channels);
  c2g_graph_add_input (conv, c2g_graph_input (bn, BN_X));
  c2g_graph_add_input (conv, filters);
  c2g_graph_add_input (conv, bias);
  c2g_graph_take_output (conv, 0, c2g_graph_output (bn, 0));
  c2g_graph_remove_node (graph, bn);
  return TRUE;
}

gboolean
c2g_graph_fold_alone (C2gGraph  *self,
                      GError   **error)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      C2gGraphNode *bn = g_ptr_array_index (self->nodes, i);
      C2gTensor *scale;
      Fold fold = { .bias = NULL };

      if (!c2g_graph_has_role (bn, C2G_ROLE_BATCH_NORM) || c2g_graph_is_nhwc (bn) ||
          !is_images (self, c2g_graph_input (bn, BN_X)))
        continue;
      scale = c2g_graph_find_parameter (self, c2g_graph_input (bn, BN_SCALE));
      fold.n_channels = scale != NULL ? scale->n_elements : 0;
      if (fold.n_channels > 0 && find_statistics (self, bn, &fold) &&
          !turn_into_conv (self, i, bn, &fold, error))
        return FALSE;
    }
  return TRUE;
}
