/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-similar-private.h>

#include <c2g/core/types/c2g-names-private.h>

#include <string.h>

/* Finds the type of operators that was meant by an unknown one, for errors. The command compiles this
 * file, too, because the library does not export it. */

/* The names of other frameworks for what types of Caffe2 compute. */
static const struct
{
  const char *other;
  const char *op_type;
} synonyms[] = {
  { "AvgPool", "AveragePool" },
  { "AvgPool2d", "AveragePool" },
  { "AveragePooling2D", "AveragePool" },
  { "BatchNorm", "SpatialBN" },
  { "BatchNorm2d", "SpatialBN" },
  { "BatchNormalization", "SpatialBN" },
  { "Concatenate", "Concat" },
  { "Constant", "GivenTensorFill" },
  { "Conv2dTranspose", "ConvTranspose" },
  { "ConvTranspose2d", "ConvTranspose" },
  { "Convolution", "Conv" },
  { "Deconvolution", "ConvTranspose" },
  { "Dense", "FC" },
  { "Embedding", "Gather" },
  { "Gemm", "FC" },
  { "GlobalAveragePool", "AveragePool" },
  { "GroupNormalization", "GroupNorm" },
  { "Identity", "Copy" },
  { "InnerProduct", "FC" },
  { "InstanceNormalization", "InstanceNorm" },
  { "LayerNormalization", "LayerNorm" },
  { "Linear", "FC" },
  { "MaxPooling2D", "MaxPool" },
  { "Permute", "Transpose" },
  { "Unsqueeze", "ExpandDims" },
};

const char *
c2g_operator_similar_find (const char *const *types,
                           const char        *op_type)
{
  const char *near = NULL;

  for (; *types != NULL; types++)
    if (g_ascii_strcasecmp (*types, op_type) == 0)
      return *types;
    else if (strlen (op_type) > 3 && c2g_names_are_near (op_type, *types) &&
             (near == NULL || strcmp (*types, near) < 0))
      near = *types;
  for (gsize i = 0; i < G_N_ELEMENTS (synonyms); i++)
    if (g_ascii_strcasecmp (synonyms[i].other, op_type) == 0)
      return synonyms[i].op_type;
  return near;
}
