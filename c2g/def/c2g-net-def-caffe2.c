/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-net-def.h>

#include <c2g/core/types/c2g-error-private.h>

/* Finds nets that run in c2g but not in Caffe2.
 *
 * The tables below come from a test that made Caffe2 (in PyTorch 1.8.1) create every operator
 * type that c2g has. Limits on element types are left out: a definition does not say them. */

/* Types that Caffe2 does not have. */
static const char *const own_types[] = {
  "CaffeArgMax",
  "CaffeLSTM",
  "CaffeRNN",
  "ConvFusion",
  "Crop",
  "DetectionOutput",
  "GlorotUniformFill",
  "LogSoftmax",
  "MVN",
  "PriorBox",
  "SparseLengthsMax",
  "SparseLengthsWeightedMean",
};

/* Pairs of input and output that Caffe2 does not allow in place. */
static const struct
{
  const char *type;
  guint       input;
  guint       output;
} own_in_place[] = {
  { "Abs", 0, 0 },
  { "Acos", 0, 0 },
  { "Alias", 0, 0 },
  { "Asin", 0, 0 },
  { "Atan", 0, 0 },
  { "Cos", 0, 0 },
  { "Cosh", 0, 0 },
  { "Cube", 0, 0 },
  { "Div", 1, 0 },
  { "ElementwiseLinear", 0, 0 },
  { "Erf", 0, 0 },
  { "Flatten", 0, 0 },
  { "FlattenToVec", 0, 0 },
  { "Gelu", 0, 0 },
  { "GroupNorm", 0, 0 },
  { "Normalize", 0, 0 },
  { "NormalizeL1", 0, 0 },
  { "Not", 0, 0 },
  { "SequenceMask", 0, 0 },
  { "Sign", 0, 0 },
  { "Sin", 0, 0 },
  { "Sinh", 0, 0 },
  { "Softmax", 0, 0 },
  { "SoftmaxGradient", 0, 0 },
  { "SoftmaxGradient", 1, 0 },
  { "Swish", 0, 0 },
  { "Tan", 0, 0 },
};

/* Types for which Caffe2 requires the second output: the sizes of the joined inputs, or the old
 * shape. */
static const char *const two_outputs[] = { "Concat", "DepthConcat", "Reshape" };

static gboolean
is_one_of (const char        *type,
           const char *const *types,
           gsize              n_types)
{
  for (gsize i = 0; i < n_types; i++)
    if (g_str_equal (type, types[i]))
      return TRUE;
  return FALSE;
}

static gboolean
check_in_place (C2gOperatorDef  *op,
                const char      *type,
                GError         **error)
{
  const char *const *inputs = c2g_operator_def_get_inputs (op);
  const char *const *outputs = c2g_operator_def_get_outputs (op);
  const guint n_inputs = g_strv_length ((char **) inputs);
  const guint n_outputs = g_strv_length ((char **) outputs);

  for (gsize i = 0; i < G_N_ELEMENTS (own_in_place); i++)
    {
      const guint input = own_in_place[i].input;
      const guint output = own_in_place[i].output;

      if (!g_str_equal (own_in_place[i].type, type) || input >= n_inputs || output >= n_outputs ||
          !g_str_equal (inputs[input], outputs[output]))
        continue;
      return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                       _("Caffe2 does not let output %u, “%s”, take the place of input %u"), output,
                       outputs[output], input);
    }
  return TRUE;
}

/* Flatten's axis is the only argument for which Caffe2 accepts fewer values: it must not be
 * negative. */
static gboolean
check_axis (C2gOperatorDef  *op,
            const char      *type,
            GError         **error)
{
  C2gArgument *axis = g_str_equal (type, "Flatten") ? c2g_operator_def_get_argument (op, "axis") : NULL;
  const gint64 value = axis != NULL ? c2g_argument_get_int (axis, NULL) : 0;

  if (value >= 0)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("Caffe2 does not count axes from the end, expected one from 0, got %" PRId64),
                   value);
}

static gboolean
check_outputs (C2gOperatorDef  *op,
               const char      *type,
               GError         **error)
{
  if (!is_one_of (type, two_outputs, G_N_ELEMENTS (two_outputs)) ||
      g_strv_length ((char **) c2g_operator_def_get_outputs (op)) != 1)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Caffe2 demands two outputs, got one"));
}

static gboolean
check_nets (C2gArgument  *argument,
            GError      **error)
{
  gboolean is_right = TRUE;
  gsize n_nets = 0;
  C2gNetDef **nets;

  if (c2g_argument_get_kind (argument) == C2G_ARGUMENT_KIND_NET)
    {
      g_autoptr (C2gNetDef) net = c2g_argument_dup_net (argument, error);

      return net != NULL && c2g_net_def_check_for_caffe2 (net, error);
    }
  if (c2g_argument_get_kind (argument) != C2G_ARGUMENT_KIND_NETS)
    return TRUE;

  nets = c2g_argument_dup_nets (argument, &n_nets, error);
  if (nets == NULL)
    return FALSE;
  for (gsize i = 0; i < n_nets; i++)
    {
      is_right = is_right && c2g_net_def_check_for_caffe2 (nets[i], error);
      g_object_unref (nets[i]);
    }
  g_free (nets);
  return is_right;
}

/* Checks nets in arguments too, such as those of If. */
static gboolean
check_arguments (C2gOperatorDef  *op,
                 GError         **error)
{
  guint n_arguments;
  g_autofree C2gArgument **arguments = c2g_operator_def_list_arguments (op, &n_arguments);
  gboolean is_right = TRUE;

  for (gsize i = 0; i < n_arguments; i++)
    {
      is_right = is_right && check_nets (arguments[i], error);
      c2g_argument_unref (arguments[i]);
    }
  return is_right;
}

static gboolean
check_operator (C2gOperatorDef  *op,
                GError         **error)
{
  const char *type = c2g_operator_def_get_op_type (op);

  if (type == NULL)
    return TRUE;
  if (is_one_of (type, own_types, G_N_ELEMENTS (own_types)))
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Caffe2 has no operator “%s”"), type);
  return check_outputs (op, type, error) && check_in_place (op, type, error) &&
         check_axis (op, type, error) && check_arguments (op, error);
}

/**
 * c2g_net_def_check_for_caffe2:
 * @self: a definition
 * @error: return location for an error
 *
 * Checks that Caffe2 does not refuse what c2g accepts.
 *
 * This is for nets that are built here and run there. It looks at types of operators, outputs
 * in the place of inputs, numbers of outputs and arguments, also of nets within arguments; the
 * facts are those of the last Caffe2, in PyTorch 1.8. Limits on element types, which only a
 * run can check, are listed in [Differences from Caffe2](differences.html). Operators of types
 * that c2g does not have are skipped, because Caffe2 may have them.
 *
 * Errors: `C2G_ERROR_NOT_SUPPORTED`, which names the first operator that Caffe2 refuses.
 *
 * Returns: `TRUE` if nothing was found that Caffe2 refuses
 */
gboolean
c2g_net_def_check_for_caffe2 (C2gNetDef  *self,
                              GError    **error)
{
  const char *name;

  g_return_val_if_fail (C2G_IS_NET_DEF (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  name = c2g_net_def_get_name (self);
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (self, i);

      if (check_operator (op, error))
        continue;
      g_prefix_error (error, "%s: ", c2g_operator_def_get_op_type (op));
      g_prefix_error (error, _("Net “%s”, operator %d: "), name != NULL ? name : "", (int) i);
      return FALSE;
    }
  return TRUE;
}
