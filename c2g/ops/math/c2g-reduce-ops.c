/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-reduce-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Reductions over axes, of the element types in c2g-reducer.c.
 *
 * ReduceSum, Mean, Max, Min, L1 (Σ |x|), L2 (sqrt (Σ x²)): over axes, or over all by default;
 * the axes become 1, or are dropped without keepdims.
 * ReduceFrontSum, Mean, Max and ReduceBack…: over the first or last num_reduce_dim axes, which
 * are dropped. With input 1 (int32, only for one axis) result i is reduced from its first
 * lengths[i] elements; it is 0 if that is 0.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/reduce.cu computes all of them,
 * but only without input 1. */

typedef struct
{
  const gint64 *axes;
  gsize         n_axes;
  gboolean      keep_dims;
} Reduce;

/* Computes the bit mask of the axes. */
static gboolean
find_axes (Reduce       *self,
           C2gOperator  *op,
           C2gTensor    *x,
           guint32      *axes,
           GError      **error)
{
  if (!c2g_operator_check_rank (op, 0, x, error))
    return FALSE;

  *axes = self->n_axes == 0 ? G_MAXUINT32 : 0;
  for (gsize i = 0; i < self->n_axes; i++)
    {
      int axis = c2g_dims_axis (op, 0, self->axes[i], error);

      if (axis < 0)
        return FALSE;
      *axes |= 1U << axis;
    }

  return TRUE;
}

static gboolean
run_reduce (C2gOperator       *op,
            Reduce            *self,
            const C2gReducer  *reducers,
            C2gComputeReduce   function,
            GError           **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  const C2gReducer *reducer = x != NULL ? c2g_reducer_find (reducers, op, x, error) : NULL;
  guint32 axes;

  return reducer != NULL && find_axes (self, op, x, &axes, error) &&
         c2g_reduce (reducer, function, op, x, axes, self->keep_dims, error);
}

/* ReduceFront… and ReduceBack… */

typedef struct
{
  int n_axes;
} ReduceDims;

static gboolean
reduce_dims_set_up (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  ReduceDims *self = state;

  if (self->n_axes == 1 || c2g_operator_get_n_inputs (op) == 1)
    return c2g_operator_get_n_inputs (op) == 1 || c2g_operator_get_compute (op) == NULL ||
           c2g_operator_fail_on_device (op, error);

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “%s” is %d, expected 1 where there are lengths"),
                     "num_reduce_dim", self->n_axes);
}

static gboolean
check_lengths (C2gOperator  *op,
               C2gTensor    *lengths,
               gint64        limit,
               GError      **error)
{
  const gint32 *items = c2g_tensor_address (lengths);

  if (c2g_operator_is_inferring (op))
    return TRUE;
  for (gint64 i = 0; i < lengths->n_elements; i++)
    if (items[i] < 0 || items[i] > limit)
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("Length %" PRId64 " of “%s” is %d, expected one from 0 to %" PRId64), i,
                       c2g_operator_input_name (op, 1), items[i], limit);

  return TRUE;
}

/* Reduces with lengths.  limit is the size of the axis. */
static void
run_lengths (const C2gReducer *reducer,
             C2gTensor        *x,
             C2gTensor        *y,
             const gint32     *lengths,
             gint64            limit,
             gboolean          is_front)
{
  gsize item_size = y->meta->item_size;
  const char *source = c2g_tensor_address (x);
  char *target = c2g_tensor_address (y);

  reducer->start (target, y->n_elements);
  for (gint64 i = 0; i < y->n_elements; i++)
    {
      char *result = target + i * item_size;

      if (is_front)
        for (gint64 k = 0; k < lengths[i]; k++)
          reducer->row (result, source + (k * y->n_elements + i) * item_size, 1);
      else
        reducer->row (result, source + i * limit * item_size, lengths[i]);

      if (lengths[i] == 0)
        memset (result, 0, item_size);
      else if (reducer->finish != NULL)
        reducer->finish (result, 1, lengths[i]);
    }
}

static gboolean
reduce_lengths (C2gOperator       *op,
                const C2gReducer  *reducer,
                C2gTensor         *x,
                gboolean           is_front,
                GError           **error)
{
  gsize axis = is_front ? 0 : x->n_dims - 1;
  gint64 n_results = is_front ? c2g_tensor_size_from_dim (x, 1, error)
                              : c2g_tensor_size_to_dim (x, (int) axis, error);
  C2gTensor *lengths, *y;

  if (n_results < 0)
    return FALSE;
  lengths = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_INT32, n_results, error);
  if (lengths == NULL || !check_lengths (op, lengths, x->dims[axis], error))
    return FALSE;
  y = c2g_operator_output (op, 0, is_front ? x->dims + 1 : x->dims, x->n_dims - 1,
                           c2g_tensor_get_data_type (x), error);
  if (y == NULL)
    return FALSE;

  run_lengths (reducer, x, y, c2g_tensor_address (lengths), x->dims[axis], is_front);
  return TRUE;
}

/* As in Caffe2, reducing no elements gives 0, also for the maximum. */
static gboolean
clear_output (C2gOperator  *op,
              GError      **error)
{
  C2gTensor *y = c2g_blob_get_tensor (c2g_operator_get_output (op, 0), NULL);

  return c2g_operator_clear_items (op, c2g_tensor_address (y), c2g_tensor_byte_size (y), error);
}

static gboolean
run_reduce_dims (C2gOperator       *op,
                 ReduceDims        *self,
                 const C2gReducer  *reducers,
                 C2gComputeReduce   function,
                 gboolean           is_front,
                 GError           **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  const C2gReducer *reducer = x != NULL ? c2g_reducer_find (reducers, op, x, error) : NULL;
  guint64 axes;

  if (reducer == NULL || !c2g_operator_check_rank (op, 0, x, error))
    return FALSE;
  if ((gsize) self->n_axes > x->n_dims)
    return c2g_operator_set_shape_error (op, 0, error, _("at least %d dimensions"), self->n_axes);
  if (c2g_operator_get_n_inputs (op) > 1)
    return reduce_lengths (op, reducer, x, is_front, error);

  axes = (G_GUINT64_CONSTANT (1) << self->n_axes) - 1;
  if (!is_front)
    axes <<= x->n_dims - self->n_axes;
  return c2g_reduce (reducer, function, op, x, (guint32) axes, FALSE, error) &&
         (x->n_elements > 0 || clear_output (op, error));
}

#define DEFINE_REDUCE(name, NAME)                                                                  \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    return run_reduce (op, state, c2g_##name##_reducers, C2G_COMPUTE_REDUCE_##NAME, error);        \
  }

#define DEFINE_REDUCE_DIMS(name, NAME)                                                             \
  static gboolean                                                                                  \
  front_##name##_run (C2gOperator  *op,                                                            \
                      gpointer      state,                                                         \
                      GError      **error)                                                         \
  {                                                                                                \
    return run_reduce_dims (op, state, c2g_##name##_reducers, C2G_COMPUTE_REDUCE_##NAME, TRUE,     \
                            error);                                                                \
  }                                                                                                \
                                                                                                   \
  static gboolean                                                                                  \
  back_##name##_run (C2gOperator  *op,                                                             \
                     gpointer      state,                                                          \
                     GError      **error)                                                          \
  {                                                                                                \
    return run_reduce_dims (op, state, c2g_##name##_reducers, C2G_COMPUTE_REDUCE_##NAME, FALSE,    \
                            error);                                                                \
  }

DEFINE_REDUCE (sum, SUM)
DEFINE_REDUCE (mean, MEAN)
DEFINE_REDUCE (max, MAX)
DEFINE_REDUCE (min, MIN)
DEFINE_REDUCE (l1, L1)
DEFINE_REDUCE (l2, L2)
DEFINE_REDUCE_DIMS (sum, SUM)
DEFINE_REDUCE_DIMS (mean, MEAN)
DEFINE_REDUCE_DIMS (max, MAX)

static const C2gKernelArgument reduce_arguments[] = {
  C2G_ARG_INTS (Reduce, axes, n_axes, "axes"),
  C2G_ARG_BOOLEAN (Reduce, keep_dims, "keepdims", TRUE),
  C2G_ARG_IGNORED ("allow_broadcast_fastpath"),
  { 0 },
};

static const C2gKernelArgument reduce_dims_arguments[] = {
  C2G_ARG_INT (ReduceDims, n_axes, "num_reduce_dim", 1, C2G_AT_LEAST (0), C2G_IS_INVALID),
  C2G_ARG_IGNORED ("num_reduce_dims"),
  { 0 },
};

#define REDUCE(type, name, summary)                                                                \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, NULL, reduce_arguments, sizeof (Reduce), NULL, name##_run, NULL,       \
      c2g_count_input_elements, summary, .infer = name##_run, .is_for_devices = TRUE,              \
      .traits = C2G_TRAIT_PURE                                                                     \
  }
#define REDUCE_DIMS(type, name, summary)                                                           \
  {                                                                                                \
    type, NULL, 1, 2, 1, 1, NULL, reduce_dims_arguments, sizeof (ReduceDims), reduce_dims_set_up,  \
      name##_run, NULL, c2g_count_input_elements, summary, .infer = name##_run,                    \
      .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE                                             \
  }

static const C2gKernel kernels[] = {
  REDUCE ("ReduceSum", sum, "The sum over some axes"),
  REDUCE ("ReduceMean", mean, "The mean over some axes"),
  REDUCE ("ReduceMax", max, "The largest element over some axes"),
  REDUCE ("ReduceMin", min, "The smallest element over some axes"),
  REDUCE ("ReduceL1", l1, "The sum of absolute values over some axes"),
  REDUCE ("ReduceL2", l2, "The root of the sum of squares over some axes"),
  REDUCE_DIMS ("ReduceFrontSum", front_sum, "The sum over the first axes"),
  REDUCE_DIMS ("ReduceBackSum", back_sum, "The sum over the last axes"),
  REDUCE_DIMS ("ReduceFrontMean", front_mean, "The mean over the first axes"),
  REDUCE_DIMS ("ReduceBackMean", back_mean, "The mean over the last axes"),
  REDUCE_DIMS ("ReduceFrontMax", front_max, "The largest element over the first axes"),
  REDUCE_DIMS ("ReduceBackMax", back_max, "The largest element over the last axes"),
};

C2G_OPS_FAMILY (reduce);
