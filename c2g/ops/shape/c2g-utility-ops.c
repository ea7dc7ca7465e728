/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <math.h>

/* Free: empties its output blobs, which are its inputs.
 * ReplaceNaN: y = value where x is NaN, otherwise x, of float or double; may be in place.
 * Conditional: condition (bool), A, B of any type; row i of the output is A's if condition[i] is
 * TRUE, otherwise B's. A condition without dimensions holds for all rows. Not in place.
 *
 * The rules are Caffe2's. On CUDA kernels/unary.cu replaces NaN, and kernels/choose.cu chooses
 * rows. */

static gboolean
free_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  for (guint i = 0; i < c2g_operator_get_n_outputs (op); i++)
    c2g_blob_reset (c2g_operator_get_output (op, i));
  return TRUE;
}

typedef struct
{
  float value;
} ReplaceNan;

static gboolean
replace_nan_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *output;
  C2gDataType data_type;
  const float value = ((ReplaceNan *) state)->value;

  if (input == NULL)
    return FALSE;
  data_type = c2g_tensor_get_data_type (input);
  if (data_type != C2G_DATA_TYPE_FLOAT && data_type != C2G_DATA_TYPE_DOUBLE)
    return c2g_operator_set_type_error (op, 0, _("float or double"), error);
  output = c2g_operator_output_like (op, 0, input, data_type, error);
  if (output == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_REPLACE_NAN,
                        .type = data_type, .x = c2g_tensor_address (input),
                        .y = c2g_tensor_address (output), .n = input->n_elements, .a = value);

  for (gint64 i = 0; i < input->n_elements; i++)
    if (data_type == C2G_DATA_TYPE_FLOAT)
      {
        float x = ((const float *) c2g_tensor_address (input))[i];

        ((float *) c2g_tensor_address (output))[i] = isnan (x) ? value : x;
      }
    else
      {
        double x = ((const double *) c2g_tensor_address (input))[i];

        ((double *) c2g_tensor_address (output))[i] = isnan (x) ? value : x;
      }
  return TRUE;
}

/* Conditional */

static gboolean
check_choices (C2gOperator  *op,
               C2gTensor    *condition,
               C2gTensor    *yes,
               C2gTensor    *no,
               GError      **error)
{
  if (yes->meta != no->meta)
    return c2g_operator_set_type_error (op, 2, c2g_type_meta_get_name (yes->meta), error);
  if (yes->n_dims != no->n_dims ||
      memcmp (yes->dims, no->dims, yes->n_dims * sizeof (gint64)) != 0)
    return c2g_operator_set_shape_error (op, 2, error, _("the shape of input %d"), 1);
  if (condition->n_dims == 0 ||
      (condition->n_dims == 1 && yes->n_dims > 0 && condition->dims[0] == yes->dims[0]))
    return TRUE;
  return c2g_operator_set_shape_error (op, 0, error,
                                       _("one element, or one for each row of input %d"), 1);
}

static gboolean
conditional_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gTensor *condition = c2g_operator_input (op, 0, C2G_DATA_TYPE_BOOL, error);
  C2gTensor *yes = condition != NULL ? c2g_move_input (op, 1, error) : NULL;
  C2gTensor *no = yes != NULL ? c2g_move_input (op, 2, error) : NULL;
  C2gTensor *output;
  const guint8 *truths;
  gint64 row;
  C2gDims dims;

  if (no == NULL || !check_choices (op, condition, yes, no, error) ||
      !c2g_dims_copy (&dims, yes, error))
    return FALSE;
  output = c2g_dims_output (&dims, op, 0, yes->meta, error);
  if (output == NULL)
    return FALSE;

  truths = c2g_tensor_address (condition);
  row = condition->n_elements > 0 ? yes->n_elements / condition->n_elements : 0;
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_choose (op, truths, row, yes, no, output, error);
  for (gint64 i = 0; i < condition->n_elements; i++)
    {
      gsize offset = (gsize) (i * row) * yes->meta->item_size;
      C2gTensor *chosen = truths[i] != 0 ? yes : no;

      c2g_move_items (yes->meta, row, (const char *) c2g_tensor_address (chosen) + offset,
                      (char *) c2g_tensor_address (output) + offset);
    }
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "Free", NULL, 1, C2G_MANY, 1, C2G_MANY, "*", NULL, 0, NULL, free_run, NULL, NULL,
    "Empties blobs", .infer = c2g_operator_infer_nothing,
    .is_for_devices = TRUE },
  { "ReplaceNaN", NULL, 1, 1, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_FLOAT (ReplaceNan, value, "value", 0)), sizeof (ReplaceNan), NULL,
    replace_nan_run, NULL, NULL, "Replaces NaN by a number",
    .infer = replace_nan_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "Conditional", NULL, 3, 3, 1, 1, NULL, NULL, 0, NULL, conditional_run, NULL, NULL,
    "Chooses rows of two tensors by a condition",
    .infer = conditional_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
};

C2G_OPS_FAMILY (utility);
