/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>

#include <math.h>

/* BatchBoxCox: the Box-Cox transformation. X (N, D), lambda1 (D), lambda2 (D), of float or
 * double. With z = max (x + lambda2, 1e-6), y = (z^lambda1 - 1) / lambda1, or log (z) if lambda1
 * is 0. Y has the shape of X and may be in place. The rule is Caffe2's. The operator runs on the
 * CPU only. */

typedef struct
{
  /* The size is checked, and has no effect on the result. */
  gint64 min_block_size;
} BoxCoxState;

/* Lower bound for z. */
#define MIN_BASE 1e-6

#define DEFINE_LOOP(name, type, pow_function, log_function)                                        \
  static void                                                                                      \
  name (gconstpointer source,                                                                      \
        gconstpointer powers,                                                                      \
        gconstpointer shifts,                                                                      \
        gpointer      target,                                                                      \
        gint64        n_rows,                                                                      \
        gint64        n_columns)                                                                   \
  {                                                                                                \
    for (gint64 i = 0; i < n_rows; i++)                                                            \
      for (gint64 j = 0; j < n_columns; j++)                                                       \
        {                                                                                          \
          const gint64 at = i * n_columns + j;                                                     \
          const type power = ((const type *) powers)[j];                                           \
          const type sum = ((const type *) source)[at] + ((const type *) shifts)[j];               \
          const type base = sum < (type) MIN_BASE ? (type) MIN_BASE : sum;                         \
                                                                                                   \
          ((type *) target)[at] =                                                                  \
            power == 0 ? log_function (base) : (pow_function (base, power) - 1) / power;           \
        }                                                                                          \
  }

DEFINE_LOOP (run_floats, float, powf, logf)
DEFINE_LOOP (run_doubles, double, pow, log)

static gboolean
box_cox_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  const C2gDataType type = x != NULL ? c2g_tensor_get_data_type (x) : C2G_DATA_TYPE_UNDEFINED;
  C2gTensor *powers, *shifts, *y;
  gint64 n;

  if (x == NULL)
    return FALSE;
  if (type != C2G_DATA_TYPE_FLOAT && type != C2G_DATA_TYPE_DOUBLE)
    return c2g_operator_set_types_error (
      op, 0, 1U << C2G_DATA_TYPE_FLOAT | 1U << C2G_DATA_TYPE_DOUBLE, error);
  if (x->n_dims < 1)
    return c2g_operator_set_shape_error (op, 0, error, _("at least %d dimensions"), 1);
  if (x->n_elements == 0)
    return c2g_operator_output_like (op, 0, x, type, error) != NULL;

  n = x->n_elements / x->dims[0];
  powers = c2g_operator_input_sized (op, 1, type, n, error);
  shifts = powers != NULL ? c2g_operator_input_sized (op, 2, type, n, error) : NULL;
  y = shifts != NULL ? c2g_operator_output_like (op, 0, x, type, error) : NULL;
  if (y == NULL)
    return FALSE;

  (type == C2G_DATA_TYPE_FLOAT ? run_floats : run_doubles) (
    c2g_tensor_address (x), c2g_tensor_address (powers), c2g_tensor_address (shifts),
    c2g_tensor_address (y), x->dims[0], n);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "BatchBoxCox",
    .min_inputs = 3,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .in_place = "0>0",
    .arguments = C2G_ARGS (C2G_ARG_INT (BoxCoxState, min_block_size, "min_block_size", 256),
                           C2G_ARG_IGNORED ("naive")),
    .state_size = sizeof (BoxCoxState),
    .run = box_cox_run,
    .infer = box_cox_run,
    .count_flops = c2g_count_elements,
    .summary = "The Box-Cox transformation of each column",
  },
};

C2G_OPS_FAMILY (box_cox);
