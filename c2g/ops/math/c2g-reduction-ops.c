/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-reduce-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Reductions of whole tensors, and searches.
 *
 * SumElements, SumElementsInt: Σ x, of float or int32. SumSqrElements: Σ x².  LpNorm: Σ |x|
 * (p = 1) or Σ x² (p = 2, without a root), as one dimension of 1. With average they are divided
 * by the number of elements. All but LpNorm have no dimensions.
 * RowwiseMax, ColwiseMax: X (N, R, C) gives (N, R) or (N, C).
 * ArgMax, ArgMin: the index (int64) of the first largest or smallest element along axis, which
 * becomes 1 or is dropped without keepdims.
 * Accuracy: scores (N, classes), labels (N, int32); the share of rows whose label is among the
 * top_k best scores.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/reduce.cu computes the sums and
 * maxima, kernels/arg.cu finds the index, and kernels/top-k.cu tells which labels are among the
 * best. */

typedef struct
{
  gboolean is_average;
  int      p;
} Reduction;

static gboolean
reduce_on_device (C2gOperator       *op,
                  C2gComputeReduce   function,
                  C2gDataType        type,
                  C2gTensor         *x,
                  gboolean           is_average,
                  C2gTensor         *y,
                  GError           **error)
{
  if (is_average && function == C2G_COMPUTE_REDUCE_SUM)
    function = C2G_COMPUTE_REDUCE_MEAN;
  if (!C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = function, .type = type,
                    .x = c2g_tensor_address (x), .dims = &x->n_elements, .n_dims = 1, .axes = 1,
                    .y = c2g_tensor_address (y)))
    return FALSE;

  return !is_average || function == C2G_COMPUTE_REDUCE_MEAN || x->n_elements == 0 ||
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = type, .n = 1,
                      .alpha = 1.0 / (double) x->n_elements, .x = c2g_tensor_address (y),
                      .y = c2g_tensor_address (y));
}

/* Reduces all elements to an output of n_dims dimensions, each 1.  is_average divides by their
 * number. */
static gboolean
reduce_all (C2gOperator       *op,
            const C2gReducer  *reducers,
            C2gComputeReduce   function,
            C2gDataType        type,
            gboolean           is_average,
            gsize              n_dims,
            GError           **error)
{
  static const gint64 ones[] = { 1 };
  const C2gReducer *reducer = &reducers[type];
  C2gTensor *x = c2g_operator_input (op, 0, type, error);
  C2gTensor *y = x != NULL ? c2g_operator_output (op, 0, ones, n_dims, type, error) : NULL;

  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return reduce_on_device (op, function, type, x, is_average, y, error);

  reducer->start (c2g_tensor_address (y), 1);
  if (x->n_elements == 0)
    return TRUE;
  reducer->row (c2g_tensor_address (y), c2g_tensor_address (x), x->n_elements);
  if (is_average)
    c2g_mean_reducers[type].finish (c2g_tensor_address (y), 1, x->n_elements);
  return TRUE;
}

static gboolean
sum_elements_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return reduce_all (op, c2g_sum_reducers, C2G_COMPUTE_REDUCE_SUM, C2G_DATA_TYPE_FLOAT,
                     ((Reduction *) state)->is_average, 0, error);
}

static gboolean
sum_elements_int_run (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  return reduce_all (op, c2g_sum_reducers, C2G_COMPUTE_REDUCE_SUM, C2G_DATA_TYPE_INT32,
                     ((Reduction *) state)->is_average, 0, error);
}

static gboolean
sum_sqr_elements_run (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  return reduce_all (op, c2g_square_reducers, C2G_COMPUTE_REDUCE_SQUARES, C2G_DATA_TYPE_FLOAT,
                     ((Reduction *) state)->is_average, 0, error);
}

static gboolean
lp_norm_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  Reduction *self = state;

  return reduce_all (op, self->p == 1 ? c2g_l1_reducers : c2g_square_reducers,
                     self->p == 1 ? C2G_COMPUTE_REDUCE_L1 : C2G_COMPUTE_REDUCE_SQUARES,
                     C2G_DATA_TYPE_FLOAT, self->is_average, 1, error);
}

/* RowwiseMax and ColwiseMax */
static gboolean
run_max (C2gOperator  *op,
         guint32       axes,
         GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  const C2gReducer *reducer =
    x != NULL ? c2g_reducer_find (c2g_max_reducers, op, x, error) : NULL;

  if (reducer == NULL)
    return FALSE;
  if (x->n_dims != 3)
    return c2g_operator_set_shape_error (op, 0, error, _("%d dimensions"), 3);
  return c2g_reduce (reducer, C2G_COMPUTE_REDUCE_MAX, op, x, axes, FALSE, error);
}

static gboolean
rowwise_max_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  return run_max (op, 1U << 2, error);
}

static gboolean
colwise_max_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  return run_max (op, 1U << 1, error);
}

/* ArgMax and ArgMin */

typedef struct
{
  int      axis;
  gboolean keep_dims;
} Arg;

typedef void (*ArgLoop) (gconstpointer x,
                         gint64        n,
                         gint64        n_inner,
                         gint64       *y);

/* Finds the best of n rows for each of n_inner columns. */
#define DEFINE_ARG(name, type, operator)                                                           \
  static void                                                                                      \
  name (gconstpointer x,                                                                           \
        gint64        n,                                                                           \
        gint64        n_inner,                                                                     \
        gint64       *y)                                                                           \
  {                                                                                                \
    const type *xs = x;                                                                            \
                                                                                                   \
    memset (y, 0, n_inner * sizeof *y);                                                            \
    for (gint64 k = 1; k < n; k++)                                                                 \
      for (gint64 i = 0; i < n_inner; i++)                                                         \
        if (xs[k * n_inner + i] operator xs[y[i] * n_inner + i])                                   \
          y[i] = k;                                                                                \
  }

DEFINE_ARG (arg_max_floats, float, >)
DEFINE_ARG (arg_max_doubles, double, >)
DEFINE_ARG (arg_max_int32s, gint32, >)
DEFINE_ARG (arg_max_int64s, gint64, >)
DEFINE_ARG (arg_min_floats, float, <)
DEFINE_ARG (arg_min_doubles, double, <)
DEFINE_ARG (arg_min_int32s, gint32, <)
DEFINE_ARG (arg_min_int64s, gint64, <)

static const ArgLoop arg_max_loops[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = arg_max_floats,
  [C2G_DATA_TYPE_DOUBLE] = arg_max_doubles,
  [C2G_DATA_TYPE_INT32] = arg_max_int32s,
  [C2G_DATA_TYPE_INT64] = arg_max_int64s,
};

static const ArgLoop arg_min_loops[C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = arg_min_floats,
  [C2G_DATA_TYPE_DOUBLE] = arg_min_doubles,
  [C2G_DATA_TYPE_INT32] = arg_min_int32s,
  [C2G_DATA_TYPE_INT64] = arg_min_int64s,
};

static C2gTensor *
prepare_arg_output (Arg          *self,
                    C2gOperator  *op,
                    C2gTensor    *x,
                    int           axis,
                    GError      **error)
{
  C2gDims dims;

  if (!c2g_dims_copy (&dims, x, error))
    return NULL;

  dims.dims[axis] = 1;
  if (!self->keep_dims)
    c2g_dims_remove (&dims, axis);
  return c2g_operator_output (op, 0, dims.dims, dims.n, C2G_DATA_TYPE_INT64, error);
}

static gboolean
arg_on_device (C2gOperator  *op,
               gboolean      is_max,
               C2gTensor    *x,
               int           axis,
               gint64        n_inner,
               C2gTensor    *y,
               GError      **error)
{
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_ARG, .is_max = is_max,
                      .type = c2g_tensor_get_data_type (x), .x = c2g_tensor_address (x),
                      .n_outer = n_inner > 0 ? y->n_elements / n_inner : 0, .n = x->dims[axis],
                      .n_inner = n_inner, .y = c2g_tensor_address (y));
}

static gboolean
run_arg (C2gOperator    *op,
         gboolean        is_max,
         Arg            *self,
         const ArgLoop  *loops,
         GError        **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType type = x != NULL ? c2g_tensor_get_data_type (x) : C2G_DATA_TYPE_UNDEFINED;
  int axis = x != NULL ? c2g_dims_axis (op, 0, self->axis, error) : -1;
  gint64 n_inner = axis >= 0 ? c2g_tensor_size_from_dim (x, axis + 1, error) : -1;
  C2gTensor *y;

  if (n_inner < 0)
    return FALSE;
  if (type >= C2G_N_LOOPS || loops[type] == NULL)
    return c2g_operator_set_types_error (op, 0, C2G_LOOP_TYPES (loops), error);
  y = prepare_arg_output (self, op, x, axis, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return arg_on_device (op, is_max, x, axis, n_inner, y, error);

  /* As in Caffe2, an axis of size 0 gives index 0. */
  for (gint64 i = 0; i < y->n_elements; i += n_inner)
    loops[type] ((const char *) c2g_tensor_address (x) +
                 i * x->dims[axis] * (gint64) x->meta->item_size,
                 x->dims[axis], n_inner, (gint64 *) c2g_tensor_address (y) + i);
  return TRUE;
}

static gboolean
arg_max_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return run_arg (op, TRUE, state, arg_max_loops, error);
}

static gboolean
arg_min_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return run_arg (op, FALSE, state, arg_min_loops, error);
}

/* Accuracy */

typedef struct
{
  int top_k;
} Accuracy;

/* Counts the scores that rank before the label's: larger ones, and equal ones with a smaller
 * index. */
static gint64
count_better (const float *scores,
              gint64       n,
              gint64       label)
{
  gint64 n_better = 0;

  for (gint64 i = 0; i < n; i++)
    n_better += scores[i] > scores[label] || (scores[i] == scores[label] && i < label);
  return n_better;
}

static gboolean
check_labels (C2gOperator  *op,
              C2gTensor    *labels,
              gint64        n_classes,
              GError      **error)
{
  C2gTensor *near;
  const gint32 *items;

  if (c2g_operator_is_inferring (op))
    return TRUE;
  near = c2g_operator_bring_near (op, 1, labels, error);
  if (near == NULL)
    return FALSE;

  items = c2g_tensor_address (near);
  for (gint64 i = 0; i < labels->n_elements; i++)
    if (items[i] < 0 || items[i] >= n_classes)
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("Label %" PRId64 " of “%s” is %d, expected one from 0 to %" PRId64), i,
                       c2g_operator_input_name (op, 1), items[i], n_classes - 1);

  return TRUE;
}

/* Computes the mean of 1 for each row that is right, else 0. */
static gboolean
accuracy_on_device (C2gOperator  *op,
                    Accuracy     *self,
                    C2gTensor    *x,
                    C2gTensor    *labels,
                    C2gTensor    *y,
                    GError      **error)
{
  float *rows;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, x->dims[0], sizeof (float), &rows, error);

  return scratch != NULL &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_IS_AMONG, .x = c2g_tensor_address (x),
                      .indices = c2g_tensor_address (labels), .n_outer = x->dims[0],
                      .n = x->dims[1], .k = self->top_k, .y = rows) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_MEAN,
                      .type = C2G_DATA_TYPE_FLOAT, .x = rows, .dims = x->dims, .n_dims = 1,
                      .axes = 1, .y = c2g_tensor_address (y));
}

static gboolean
accuracy_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  Accuracy *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *labels, *y;
  gint64 n_correct = 0;

  if (x == NULL)
    return FALSE;
  if (x->n_dims != 2)
    return c2g_operator_set_shape_error (op, 0, error, _("%d dimensions"), 2);
  labels = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_INT32, x->dims[0], error);
  if (labels == NULL || !check_labels (op, labels, x->dims[1], error))
    return FALSE;
  y = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return accuracy_on_device (op, self, x, labels, y, error);

  for (gint64 i = 0; i < labels->n_elements; i++)
    n_correct += count_better ((const float *) c2g_tensor_address (x) + i * x->dims[1], x->dims[1],
                               ((const gint32 *) c2g_tensor_address (labels))[i]) < self->top_k;
  *(float *) c2g_tensor_address (y) = (float) n_correct / (float) MAX (x->dims[0], 1);
  return TRUE;
}

#define REDUCTION(type, name, arguments, summary)                                                  \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, NULL, arguments, sizeof (Reduction), NULL, name##_run, NULL,           \
      c2g_count_input_elements, summary, .infer = name##_run, .is_for_devices = TRUE,              \
      .traits = C2G_TRAIT_PURE                                                                     \
  }
#define AVERAGE C2G_ARG_BOOLEAN (Reduction, is_average, "average", FALSE)
#define ARG(type, name, summary)                                                                   \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, NULL,                                                                  \
      C2G_ARGS (C2G_ARG_INT (Arg, axis, "axis", -1),                                               \
                C2G_ARG_BOOLEAN (Arg, keep_dims, "keepdims", TRUE)),                               \
      sizeof (Arg), NULL, name##_run, NULL,                                                        \
      c2g_count_input_elements, summary, .infer = name##_run, .is_for_devices = TRUE,              \
      .traits = C2G_TRAIT_PURE                                                                     \
  }

static const C2gKernel kernels[] = {
  REDUCTION ("SumElements", sum_elements, C2G_ARGS (AVERAGE), "The sum or mean of all elements"),
  REDUCTION ("SumElementsInt", sum_elements_int, C2G_ARGS (AVERAGE), "The sum of all integers"),
  REDUCTION ("SumSqrElements", sum_sqr_elements, C2G_ARGS (AVERAGE),
             "The sum or mean of all elements' squares"),
  REDUCTION ("LpNorm", lp_norm,
             C2G_ARGS (C2G_ARG_INT (Reduction, p, "p", 2, C2G_RANGE (1, 2), C2G_IS_INVALID), AVERAGE),
             "The sum of absolute values or squares"),
  REDUCTION ("RowwiseMax", rowwise_max, NULL, "The largest element of each row"),
  REDUCTION ("ColwiseMax", colwise_max, NULL, "The largest element of each column"),
  ARG ("ArgMax", arg_max, "The index of the largest element along an axis"),
  ARG ("ArgMin", arg_min, "The index of the smallest element along an axis"),
  { "Accuracy", NULL, 2, 2, 1, 1, NULL, C2G_ARGS (C2G_ARG_INT (Accuracy, top_k, "top_k", 1)),
    sizeof (Accuracy), NULL, accuracy_run, NULL, c2g_count_input_elements,
    "The fraction of rows whose label is among the top_k best scores",
    .infer = accuracy_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
};

C2G_OPS_FAMILY (reduction);
