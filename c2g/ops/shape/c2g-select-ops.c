/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <math.h>
#include <string.h>

/* Operators that select, scale or check elements.
 *
 * Where: condition (bool), A, B; y = condition ? A : B.  The condition has the shape of A, or one
 * value per row with broadcast_on_rows.
 * ElementwiseLinear: X, a, b; y = x a + b, where a and b have a value for each column of X cut at
 * axis.
 * SquareRootDivide: X, s; row i divided by sqrt (s[i]), or unchanged if s[i] is 0.
 * ClipTensorByScaling: X, its norm, optional factor; X min (1, threshold · factor / norm).
 * NegateGradient: y = x. NanCheck: y = x, or an error if an element is infinite or NaN.
 *
 * All but Where are of float (NegateGradient: any type) and may be in place. The rules are
 * Caffe2's. On CUDA kernels/choose.cu computes Where, kernels/channels.cu ElementwiseLinear and
 * kernels/unary.cu ClipTensorByScaling; NanCheck copies its input to the CPU.  SquareRootDivide
 * runs on the CPU only. */

/* Where */

typedef struct
{
  gboolean is_by_row;
} Where;

#define DEFINE_CHOOSE(bits)                                                                        \
  C2G_HOT                                                                                          \
  static void                                                                                      \
  choose_##bits (const guint8 *choice,                                                             \
                 gconstpointer left,                                                               \
                 gconstpointer right,                                                              \
                 gpointer      target,                                                             \
                 gsize         n)                                                                  \
  {                                                                                                \
    const guint##bits *lefts = left, *rights = right;                                              \
    guint##bits *to = target;                                                                      \
                                                                                                   \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      to[i] = choice[i] ? lefts[i] : rights[i];                                                    \
  }

DEFINE_CHOOSE (8)
DEFINE_CHOOSE (16)
DEFINE_CHOOSE (32)
DEFINE_CHOOSE (64)

/* Selects rows of n_columns items of any type. */
static void
choose_rows (C2gTypeMeta  *meta,
             const guint8 *choice,
             const char   *left,
             const char   *right,
             char         *target,
             gint64        n_rows,
             gint64        n_columns)
{
  gsize row_size = n_columns * meta->item_size;

  for (gint64 i = 0; i < n_rows; i++)
    c2g_move_items (meta, n_columns, (choice[i] ? left : right) + i * row_size,
                    target + i * row_size);
}

static void
choose (C2gTypeMeta  *meta,
        const guint8 *choice,
        gconstpointer left,
        gconstpointer right,
        gpointer      target,
        gint64        n)
{
  gsize item_size = meta->is_plain ? meta->item_size : 0;

  if (item_size == 1)
    choose_8 (choice, left, right, target, n);
  else if (item_size == 2)
    choose_16 (choice, left, right, target, n);
  else if (item_size == 4)
    choose_32 (choice, left, right, target, n);
  else if (item_size == 8)
    choose_64 (choice, left, right, target, n);
  else
    choose_rows (meta, choice, left, right, target, n, 1);
}

static C2gTensor *
get_choice (Where        *self,
            C2gOperator  *op,
            C2gTensor    *left,
            GError      **error)
{
  C2gTensor *choice;

  if (!self->is_by_row)
    return c2g_operator_input_like (op, 0, C2G_DATA_TYPE_BOOL, left, error);

  choice = c2g_operator_input (op, 0, C2G_DATA_TYPE_BOOL, error);
  if (choice == NULL ||
      (choice->n_dims == 1 && left->n_dims > 0 && choice->dims[0] == left->dims[0]))
    return choice;
  c2g_operator_set_shape_error (op, 0, error, _("one dimension of %" PRId64),
                                left->n_dims > 0 ? left->dims[0] : 1);
  return NULL;
}

static gboolean
where_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  Where *self = state;
  C2gTensor *left = c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *right, *choice, *y;

  if (left == NULL)
    return FALSE;
  right = c2g_operator_input_like (op, 2, c2g_tensor_get_data_type (left), left, error);
  choice = right != NULL ? get_choice (self, op, left, error) : NULL;
  if (choice == NULL)
    return FALSE;
  y = c2g_operator_output_like (op, 0, left, c2g_tensor_get_data_type (left), error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_choose (op, c2g_tensor_address (choice), y->n_elements / choice->n_elements,
                                 left, right, y, error);

  if (self->is_by_row)
    choose_rows (y->meta, c2g_tensor_address (choice), c2g_tensor_address (left),
                 c2g_tensor_address (right), c2g_tensor_address (y), y->dims[0],
                 y->n_elements / y->dims[0]);
  else
    choose (y->meta, c2g_tensor_address (choice), c2g_tensor_address (left),
            c2g_tensor_address (right), c2g_tensor_address (y), y->n_elements);
  return TRUE;
}

/* Computes y = factor x for a row. */
C2G_HOT
static void
scale_row (const float *source,
           float        factor,
           float       *target,
           gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    target[i] = factor * source[i];
}

/* ElementwiseLinear */

typedef struct
{
  int axis;
} Linear;

C2G_HOT
static void
linear_row (const float *source,
            const float *factors,
            const float *offsets,
            float       *target,
            gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    target[i] = source[i] * factors[i] + offsets[i];
}

static gboolean
linear_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  Linear *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  int axis = x != NULL ? c2g_shape_axis (self->axis, x->n_dims, error) : -1;
  gint64 n_columns = axis >= 0 ? c2g_tensor_size_from_dim (x, axis, error) : -1;
  C2gTensor *a, *b, *y;

  if (n_columns < 0)
    return FALSE;
  a = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, n_columns, error);
  b = a != NULL ? c2g_operator_input_sized (op, 2, C2G_DATA_TYPE_FLOAT, n_columns, error) : NULL;
  y = b != NULL ? c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SCALE_CHANNELS, .type = C2G_DATA_TYPE_FLOAT,
                        .x = c2g_tensor_address (x), .scale = c2g_tensor_address (a),
                        .bias = c2g_tensor_address (b), .y = c2g_tensor_address (y),
                        .n_outer = y->n_elements / MAX (n_columns, 1), .n = n_columns,
                        .n_inner = 1);

  for (gint64 i = 0; i < y->n_elements; i += n_columns)
    linear_row ((const float *) c2g_tensor_address (x) + i, c2g_tensor_address (a),
                c2g_tensor_address (b), (float *) c2g_tensor_address (y) + i, n_columns);
  return TRUE;
}

/* SquareRootDivide */

static gboolean
get_scale (C2gTensor *scales,
           gint64     i,
           double    *scale)
{
  gconstpointer items = c2g_tensor_address (scales);
  C2gDataType type = c2g_tensor_get_data_type (scales);

  if (type == C2G_DATA_TYPE_FLOAT)
    *scale = ((const float *) items)[i];
  else if (type == C2G_DATA_TYPE_INT32)
    *scale = ((const gint32 *) items)[i];
  else
    *scale = (double) ((const gint64 *) items)[i];
  return *scale >= 0;
}

static gboolean
check_scales (C2gOperator  *op,
              C2gTensor    *scales,
              gint64        n_rows,
              GError      **error)
{
  const guint32 types =
    1U << C2G_DATA_TYPE_FLOAT | 1U << C2G_DATA_TYPE_INT32 | 1U << C2G_DATA_TYPE_INT64;
  C2gDataType type = c2g_tensor_get_data_type (scales);
  double scale;

  if (type >= C2G_N_LOOPS || (types & 1U << type) == 0)
    return c2g_operator_set_types_error (op, 1, types, error);
  if (scales->n_elements != n_rows)
    return c2g_operator_set_shape_error (op, 1, error, _("%" PRId64 " elements"), n_rows);
  if (c2g_operator_is_inferring (op))
    return TRUE;

  for (gint64 i = 0; i < n_rows; i++)
    if (!get_scale (scales, i, &scale))
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("Element %" PRId64 " of “%s” is %g, expected no negative number"), i,
                       c2g_operator_input_name (op, 1), scale);

  return TRUE;
}

static gboolean
square_root_divide_run (C2gOperator  *op,
                        gpointer      state,
                        GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *scales =
    x != NULL ? c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error) : NULL;
  gint64 n_columns;
  double scale;
  C2gTensor *y;

  if (scales == NULL)
    return FALSE;
  if (x->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  if (!check_scales (op, scales, x->dims[0], error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;

  n_columns = y->n_elements / y->dims[0];
  for (gint64 i = 0; i < y->dims[0]; i++)
    {
      get_scale (scales, i, &scale);
      scale_row ((const float *) c2g_tensor_address (x) + i * n_columns,
                 scale == 0 ? 1 : (float) (1 / sqrt (scale)),
                 (float *) c2g_tensor_address (y) + i * n_columns, n_columns);
    }
  return TRUE;
}

/* ClipTensorByScaling */

typedef struct
{
  float threshold;
} ClipTensor;

static gboolean
clip_tensor_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  ClipTensor *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *length, *more = NULL, *y;
  float threshold = self->threshold, value;

  length = x != NULL ? c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, 1, error) : NULL;
  if (length == NULL)
    return FALSE;
  if (c2g_operator_get_n_inputs (op) > 2)
    {
      more = c2g_operator_input_sized (op, 2, C2G_DATA_TYPE_FLOAT, 1, error);
      if (more == NULL)
        return FALSE;
    }
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;

  length = c2g_operator_bring_near (op, 1, length, error);
  if (length == NULL)
    return FALSE;
  more = more != NULL ? c2g_operator_bring_near (op, 2, more, error) : NULL;
  if (c2g_operator_get_n_inputs (op) > 2 && more == NULL)
    return FALSE;

  /* Caffe2 multiplies its stored threshold, so the factor accumulates over runs. Here each run
   * starts from the argument. */
  if (more != NULL)
    threshold *= *(const float *) c2g_tensor_address (more);
  value = *(const float *) c2g_tensor_address (length);
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_linear (op, c2g_tensor_address (x), value > threshold ? threshold / value : 1,
                                 0, c2g_tensor_address (y), y->n_elements, error);
  scale_row (c2g_tensor_address (x), value > threshold ? threshold / value : 1,
             c2g_tensor_address (y), y->n_elements);
  return TRUE;
}

/* NegateGradient: only its gradient operator does something. */
static gboolean
negate_gradient_run (C2gOperator  *op,
                     gpointer      state,
                     GError      **error)
{
  return c2g_operator_copy (op, error);
}

/* NanCheck */
static gboolean
nan_check_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *near;
  const float *items;

  if (x != NULL && c2g_operator_is_inferring (op))
    return c2g_operator_copy (op, error);
  near = x != NULL ? c2g_operator_bring_near (op, 0, x, error) : NULL;
  if (near == NULL)
    return FALSE;

  items = c2g_tensor_address (near);
  for (gint64 i = 0; i < x->n_elements; i++)
    if (!isfinite (items[i]))
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("Element %" PRId64 " of “%s” is %g, expected finite numbers"), i,
                       c2g_operator_input_name (op, 0), items[i]);

  return c2g_operator_copy (op, error);
}

static const C2gKernel kernels[] = {
  { "Where", NULL, 3, 3, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_BOOLEAN (Where, is_by_row, "broadcast_on_rows", FALSE)), sizeof (Where), NULL,
    where_run, NULL, c2g_count_elements,
    "Chooses elements of two tensors by a condition",
    .infer = where_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "ElementwiseLinear", NULL, 3, 3, 1, 1, "0>0", C2G_ARGS (C2G_ARG_INT (Linear, axis, "axis", 1)),
    sizeof (Linear), NULL, linear_run, NULL, c2g_count_elements,
    "Scales and shifts each column",
    .infer = linear_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_FLOAT },
  { "SquareRootDivide", NULL, 2, 2, 1, 1, "0>0", NULL, 0, NULL, square_root_divide_run, NULL,
    c2g_count_elements, "Divides each row by the square root of its number",
    .infer = square_root_divide_run },
  { "ClipTensorByScaling", NULL, 2, 3, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_FLOAT (ClipTensor, threshold, "threshold", 0, C2G_AT_LEAST (C2G_ABOVE_0),
                             C2G_IS_INVALID)),
    sizeof (ClipTensor), NULL, clip_tensor_run, NULL, c2g_count_elements,
    "Scales a tensor down whose norm is above a threshold", .infer = clip_tensor_run,
    .is_for_devices = TRUE },
  { "NegateGradient", NULL, 1, 1, 1, 1, "0>0", NULL, 0, NULL, negate_gradient_run, NULL, NULL,
    "Gives the input, and turns the sign of its gradient", .infer = negate_gradient_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE, .gradient = { "Negative", "GO0", "GI0" } },
  { "NanCheck", NULL, 1, C2G_MANY, 1, 1, "0>0", NULL, 0, NULL, nan_check_run, NULL, NULL,
    "Gives the first input if all elements are finite, otherwise fails", .infer = nan_check_run,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (select);
