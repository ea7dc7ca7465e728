/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-elementwise-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/workspace/c2g-blob.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Runs elementwise operators with one input: chooses the loop by element type, and runs it in the
 * calling thread for one block after another, between which a run can be cancelled. On CUDA
 * kernels/unary.cu does the same. Some small checks that many operators need are here, too. */

/* Runs the operation on the device. */
static gboolean
run_on_device (C2gOperator  *op,
               int           function,
               C2gTensor    *x,
               C2gTensor    *y,
               const float  *parameters,
               GError      **error)
{
  if (function == C2G_NOT_FOR_DEVICES)
    return c2g_operator_fail_on_device (op, error);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = function,
                      .type = c2g_tensor_get_data_type (x), .x = c2g_tensor_address (x),
                      .y = c2g_tensor_address (y), .n = x->n_elements,
                      .a = parameters != NULL ? parameters[0] : 0,
                      .b = parameters != NULL ? parameters[1] : 0);
}

static void
run_blocks (C2gUnaryLoop   loop,
            C2gTensor     *x,
            C2gTensor     *y,
            gconstpointer  parameters)
{
  const char *from = c2g_tensor_address (x);
  char *to = c2g_tensor_address (y);

  for (gint64 i = 0; i < x->n_elements && !c2g_interrupt_is_wanted (); i += C2G_INTERRUPT_ELEMENTS)
    loop (from + i * x->meta->item_size, to + i * y->meta->item_size,
          MIN (x->n_elements - i, C2G_INTERRUPT_ELEMENTS), parameters);
}

gboolean
c2g_unary_run (C2gOperator    *op,
               int             function,
               C2gUnaryLoop    loop,
               C2gDataType     from,
               C2gDataType     to,
               gconstpointer   parameters,
               GError        **error)
{
  const C2gDataType real = from == C2G_DATA_TYPE_FLOAT ? c2g_on_device_real_type (op) : from;
  C2gTensor *x = c2g_operator_input (op, 0, real, error);
  C2gTensor *y =
    x != NULL ? c2g_operator_output_like (op, 0, x, to == from ? real : to, error) : NULL;

  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, function, x, y, parameters, error);

  run_blocks (loop, x, y, parameters);
  return TRUE;
}

gboolean
c2g_unary_run_any (C2gOperator         *op,
                   int                  function,
                   const C2gUnaryLoop  *loops,
                   gconstpointer        parameters,
                   GError             **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType type;

  if (x == NULL)
    return FALSE;

  type = c2g_tensor_get_data_type (x);
  if (type == c2g_on_device_real_type (op) && loops[C2G_DATA_TYPE_FLOAT] != NULL)
    return c2g_unary_run (op, function, loops[C2G_DATA_TYPE_FLOAT], C2G_DATA_TYPE_FLOAT,
                          C2G_DATA_TYPE_FLOAT, parameters, error);
  if (type >= C2G_N_LOOPS || loops[type] == NULL)
    return c2g_operator_set_types_error (op, 0, C2G_LOOP_TYPES (loops), error);
  return c2g_unary_run (op, function, loops[type], type, type, parameters, error);
}

gboolean
c2g_operator_copy (C2gOperator  *op,
                   GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *y;

  if (x != NULL && c2g_operator_is_inferring (op))
    return c2g_operator_output_meta (op, 0, x->dims, x->n_dims, x->meta, error) != NULL;
  y = x != NULL ? c2g_operator_get_output_tensor (op, 0, error) : NULL;
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return x == y || c2g_tensor_copy_from (y, x, c2g_operator_get_context (op), error);
  return x == y || c2g_tensor_copy_from (y, x, NULL, error);
}

gboolean
c2g_operator_check_rank (C2gOperator  *op,
                         guint         input,
                         C2gTensor    *tensor,
                         GError      **error)
{
  if (tensor->n_dims <= C2G_DIMS_MAX)
    return TRUE;
  return c2g_operator_set_shape_error (op, input, error, _("at most %d dimensions"),
                                       C2G_DIMS_MAX);
}

C2gTensor *
c2g_operator_input_sized (C2gOperator  *op,
                          guint         input,
                          C2gDataType   wanted,
                          gint64        n_elements,
                          GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, wanted, error);

  if (tensor == NULL || tensor->n_elements == n_elements)
    return tensor;

  c2g_operator_set_shape_error (op, input, error, _("%" PRId64 " elements"), n_elements);
  return NULL;
}

C2gTensor *
c2g_operator_input_like (C2gOperator  *op,
                         guint         input,
                         C2gDataType   wanted,
                         C2gTensor    *like,
                         GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, wanted, error);
  g_autofree char *shape = NULL;

  if (tensor == NULL ||
      c2g_shape_equal (tensor->dims, tensor->n_dims, like->dims, like->n_dims))
    return tensor;

  shape = c2g_shape_to_string (like->dims, like->n_dims);
  c2g_operator_set_shape_error (op, input, error, "%s", shape);
  return NULL;
}

double
c2g_count_elements (C2gOperator *op,
                    gpointer     state)
{
  C2gTensor *y = c2g_blob_get_tensor (c2g_operator_get_output (op, 0), NULL);

  return y != NULL ? (double) y->n_elements : 0;
}

double
c2g_count_input_elements (C2gOperator *op,
                          gpointer     state)
{
  C2gTensor *x = c2g_blob_get_tensor (c2g_operator_get_input (op, 0), NULL);

  return x != NULL ? (double) x->n_elements : 0;
}

gboolean
c2g_operator_set_types_error (C2gOperator  *op,
                              guint         input,
                              guint32       types,
                              GError      **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < C2G_N_LOOPS; i++)
    if (types & (1U << i))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              c2g_data_type_get_name (i));
  return c2g_operator_set_type_error (op, input, names->str, error);
}
