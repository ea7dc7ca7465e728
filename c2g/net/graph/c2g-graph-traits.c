/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/def/c2g-operator-def-private.h>

/* The table of operator types that the optimizer knows, with their traits. */

#define ELEMENTWISE (C2G_TRAIT_PURE | C2G_TRAIT_SAME_TYPE | C2G_TRAIT_ELEMENTWISE)
#define SAME_TYPE   (C2G_TRAIT_PURE | C2G_TRAIT_SAME_TYPE)
#define FLOAT       (C2G_TRAIT_PURE | C2G_TRAIT_FLOAT)
#define IMAGES      (FLOAT | C2G_TRAIT_IMAGES)
#define IDENTITY    (ELEMENTWISE | C2G_TRAIT_IDENTITY)

static const struct
{
  const char *op_type;
  C2gTraits   traits;
  /* An argument that must be true for the traits to hold, or NULL. */
  const char *argument;
} rows[] = {
  { "Conv", IMAGES | C2G_TRAIT_FILTERS },
  { "ConvFusion", IMAGES | C2G_TRAIT_FILTERS },
  { "MaxPool", IMAGES },
  { "AveragePool", IMAGES },
  { "SpatialBN", IMAGES, "is_test" },
  { "LRN", IMAGES },
  { "ConvTranspose", FLOAT },
  { "InstanceNorm", FLOAT },
  { "NCHW2NHWC", SAME_TYPE },
  { "NHWC2NCHW", SAME_TYPE },

  { "FC", FLOAT },
  { "MatMul", FLOAT },
  { "BatchMatMul", FLOAT },
  { "Softmax", FLOAT },
  { "LogSoftmax", FLOAT },
  { "PRelu", FLOAT },

  { "Dropout", IDENTITY, "is_test" },
  { "StopGradient", IDENTITY },
  { "Copy", IDENTITY },

  { "Relu", ELEMENTWISE },
  { "LeakyRelu", ELEMENTWISE },
  { "Elu", ELEMENTWISE },
  { "Selu", ELEMENTWISE },
  { "Gelu", ELEMENTWISE },
  { "Clip", ELEMENTWISE },
  { "Scale", ELEMENTWISE },
  { "Sigmoid", ELEMENTWISE },
  { "Tanh", ELEMENTWISE },
  { "Swish", ELEMENTWISE },
  { "Softplus", ELEMENTWISE },
  { "Softsign", ELEMENTWISE },
  { "Exp", ELEMENTWISE },
  { "Log", ELEMENTWISE },
  { "Sqrt", ELEMENTWISE },
  { "Sqr", ELEMENTWISE },
  { "Abs", ELEMENTWISE },
  { "Negative", ELEMENTWISE },
  { "Sum", ELEMENTWISE },
  { "Max", ELEMENTWISE },
  { "Min", ELEMENTWISE },
  { "Mean", ELEMENTWISE },

  { "Add", SAME_TYPE },
  { "Sub", SAME_TYPE },
  { "Mul", SAME_TYPE },
  { "Div", SAME_TYPE },
  { "Concat", SAME_TYPE },
  { "Split", SAME_TYPE },
  { "Slice", SAME_TYPE },
  { "Flatten", SAME_TYPE },
  { "FlattenToVec", SAME_TYPE },
  { "Reshape", SAME_TYPE },
  { "ExpandDims", SAME_TYPE },
  { "Squeeze", SAME_TYPE },
  { "Transpose", SAME_TYPE },
  { "PadImage", SAME_TYPE },
  { "ResizeNearest", SAME_TYPE },
};

static gboolean
is_on_cpu (C2gOperatorDef *def)
{
  C2gDevice *device = NULL;

  return c2g_operator_def_resolve_device (def, &device, NULL) &&
         (device == NULL || device == c2g_device_cpu ());
}

static gboolean
is_true (C2gOperatorDef *def,
         const char     *name)
{
  C2gArgument *argument = c2g_operator_def_find (def, name);

  return argument != NULL && c2g_argument_get_int (argument, NULL) != 0;
}

C2gTraits
c2g_graph_find_traits (C2gOperatorDef *def)
{
  const char *op_type = c2g_operator_def_get_op_type (def);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_strcmp0 (rows[i].op_type, op_type) == 0)
      return is_on_cpu (def) && (rows[i].argument == NULL || is_true (def, rows[i].argument))
               ? rows[i].traits
               : C2G_TRAIT_NONE;
  return C2G_TRAIT_NONE;
}
