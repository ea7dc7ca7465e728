/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-dims-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-labels-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-rows-private.h>

#include <math.h>

/* Losses of float tensors. X has rows: its first dimension, or one row if there is only one
 * dimension.
 *
 * AveragedLoss: the mean of all elements, without dimensions.
 * LabelCrossEntropy: y = -log (max (x[label], 1e-20)) per row; labels are int32.
 * CrossEntropy: y = -Σ label · log (max (x, 1e-20)) per row, with a probability for each
 * element.
 * SigmoidCrossEntropyWithLogits: softplus (x) - x t, with unjoined_lr_loss (1 - t) softplus (x) -
 * x t, with log_D_trick (2 t - 1) (softplus (x) - x); the mean over the last dimension.
 * WeightedSigmoidCrossEntropyWithLogits: the same with input 2 as a factor for each element.
 * SquaredL2Distance: Σ (a - b)² / 2 per row.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/binary.cu and unary.cu compute the
 * losses, kernels/gather.cu takes the numbers of the labels, and kernels/reduce.cu the sums and
 * means. */

static gboolean
averaged_loss_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y;
  float sum;

  if (x == NULL)
    return FALSE;
  y = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_MEAN,
                        .type = C2G_DATA_TYPE_FLOAT, .x = c2g_tensor_address (x),
                        .dims = &x->n_elements, .n_dims = 1, .axes = 1,
                        .y = c2g_tensor_address (y));

  sum = c2g_row_sum (c2g_tensor_address (x), x->n_elements);
  sum = x->n_elements > 0 ? sum / (float) x->n_elements : 0;
  *(float *) c2g_tensor_address (y) = sum;
  return TRUE;
}

/* Computes the number of rows and their length. A tensor of one dimension is one row. */
static gboolean
read_rows (C2gOperator  *op,
           C2gTensor    *x,
           gint64       *n_rows,
           gint64       *n_each,
           GError      **error)
{
  C2gDims dims;

  if (x->n_dims < 1)
    return c2g_operator_set_shape_error (op, 0, error, _("at least %d dimensions"), 1);
  *n_rows = x->n_dims > 1 ? x->dims[0] : 1;
  return c2g_dims_copy (&dims, x, error) &&
         c2g_dims_count (&dims, x->n_dims > 1, dims.n, n_each, error);
}

/* A loss of two tensors: the function of their elements, times the weights if they are not NULL, and
 * each row of it reduced to an element of y. */
typedef struct
{
  C2gComputeBinary function;
  C2gTensor       *a;
  C2gTensor       *b;
  const float     *weights;
  C2gComputeReduce ending;
  C2gTensor       *y;
} RowLoss;

static gboolean
lose_on_device (C2gOperator    *op,
                const RowLoss  *self,
                GError        **error)
{
  const gint64 n = self->a->n_elements, n_rows = self->y->n_elements, stride = 1;
  const gint64 dims[] = { n_rows, n_rows > 0 ? n / n_rows : 0 };
  float *results;
  g_autoptr (C2gStorage) scratch = c2g_on_device_scratch (op, n, sizeof (float), &results, error);

  return scratch != NULL &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = self->function,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = &n, .n_dims = 1,
                      .x = c2g_tensor_address (self->a), .x_strides = &stride,
                      .other = c2g_tensor_address (self->b), .other_strides = &stride,
                      .y = results) &&
         (self->weights == NULL ||
          C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                       .type = C2G_DATA_TYPE_FLOAT, .dims = &n, .n_dims = 1, .x = results,
                       .x_strides = &stride, .other = self->weights, .other_strides = &stride,
                       .y = results)) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = self->ending,
                      .type = C2G_DATA_TYPE_FLOAT, .x = results, .dims = dims, .n_dims = 2,
                      .axes = 1U << 1, .y = c2g_tensor_address (self->y));
}

/* Gathers the probability of each row's label, which checks the labels, and computes -log of it. */
static gboolean
label_cross_entropy_on_device (C2gOperator  *op,
                               C2gTensor    *x,
                               C2gTensor    *labels,
                               gint64        n_each,
                               C2gTensor    *y,
                               GError      **error)
{
  const gsize n = y->n_elements;
  float *result = c2g_tensor_address (y);

  return n == 0 ||
         (C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_GATHER, .x = c2g_tensor_address (x), .n_outer = n,
                       .n = n_each, .item_size = sizeof (float), .type = C2G_DATA_TYPE_INT32,
                       .indices = c2g_tensor_address (labels), .n_indices = 1, .has_own = TRUE,
                       .y = result) &&
          C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_CLIP,
                       .type = C2G_DATA_TYPE_FLOAT, .x = result, .y = result, .n = n,
                       .a = C2G_MIN_PROBABILITY, .b = INFINITY) &&
          C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_LOG,
                       .type = C2G_DATA_TYPE_FLOAT, .x = result, .y = result, .n = n) &&
          c2g_on_device_linear (op, result, -1, 0, result, n, error));
}

static gboolean
label_cross_entropy_run (C2gOperator  *op,
                         gpointer      state,
                         GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *labels, *y;
  gint64 n_rows, n_each;

  if (x == NULL || !read_rows (op, x, &n_rows, &n_each, error))
    return FALSE;
  labels = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_INT32, n_rows, error);
  y = labels != NULL ? c2g_operator_output (op, 0, &n_rows, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return label_cross_entropy_on_device (op, x, labels, n_each, y, error);

  for (gint64 i = 0; i < n_rows; i++)
    {
      const float *row = (const float *) c2g_tensor_address (x) + i * n_each;
      const gint32 label = ((const gint32 *) c2g_tensor_address (labels))[i];

      if (!c2g_operator_check_label (op, 1, label, n_each, error))
        return FALSE;
      ((float *) c2g_tensor_address (y))[i] = -logf (MAX (row[label], C2G_MIN_PROBABILITY));
    }
  return TRUE;
}

static gboolean
check_probabilities (C2gOperator  *op,
                     C2gTensor    *labels,
                     gint64        n_each,
                     GError      **error)
{
  C2gTensor *near = c2g_operator_bring_near (op, 1, labels, error);

  for (gint64 i = 0; near != NULL && i < near->n_elements; i++)
    {
      const float wanted = ((const float *) c2g_tensor_address (near))[i];

      if (!(wanted >= 0 && wanted <= 1))
        return c2g_operator_set_probability_error (op, 1, i / n_each, error);
    }
  return near != NULL;
}

static gboolean
cross_entropy_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *labels, *y;
  gint64 n_rows, n_each;

  if (x == NULL || !read_rows (op, x, &n_rows, &n_each, error))
    return FALSE;
  labels = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, x->n_elements, error);
  y = labels != NULL ? c2g_operator_output (op, 0, &n_rows, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  if (y == NULL || !check_probabilities (op, labels, n_each, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return lose_on_device (op,
                           &(RowLoss) { C2G_COMPUTE_BINARY_CROSS_ENTROPY, x, labels, NULL,
                                        C2G_COMPUTE_REDUCE_SUM, y },
                           error);

  for (gint64 i = 0; i < n_rows; i++)
    {
      const float *row = (const float *) c2g_tensor_address (x) + i * n_each;
      const float *wanted = (const float *) c2g_tensor_address (labels) + i * n_each;
      double sum = 0;

      for (gint64 j = 0; j < n_each; j++)
        sum -= wanted[j] * logf (MAX (row[j], C2G_MIN_PROBABILITY));
      ((float *) c2g_tensor_address (y))[i] = (float) sum;
    }
  return TRUE;
}

/* SigmoidCrossEntropyWithLogits and WeightedSigmoidCrossEntropyWithLogits */

typedef struct
{
  gboolean has_log_d_trick;
  gboolean is_unjoined;
} SigmoidState;

static gboolean
sigmoid_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  SigmoidState *self = state;

  if (!self->has_log_d_trick || !self->is_unjoined)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The arguments “%s” and “%s” exclude each other"), "log_D_trick",
                     "unjoined_lr_loss");
}

/* log (1 + exp (x)) in a form that does not overflow. */
static float
softplus (float x)
{
  return MAX (x, 0) + log1pf (expf (-fabsf (x)));
}

static float
find_sigmoid_loss (const SigmoidState *self,
                   float               x,
                   float               target)
{
  if (self->is_unjoined)
    return (1 - target) * softplus (x) - x * target;
  if (self->has_log_d_trick)
    return (2 * target - 1) * (softplus (x) - x);
  return softplus (x) - x * target;
}

static C2gComputeBinary
find_sigmoid_function (const SigmoidState *self)
{
  if (self->is_unjoined)
    return C2G_COMPUTE_BINARY_SIGMOID_LOSS_UNJOINED;
  return self->has_log_d_trick ? C2G_COMPUTE_BINARY_SIGMOID_LOSS_LOG_D
                               : C2G_COMPUTE_BINARY_SIGMOID_LOSS;
}

/* Computes the mean over the last dimension. */
static gboolean
run_sigmoid (C2gOperator         *op,
             const SigmoidState  *self,
             C2gTensor           *x,
             C2gTensor           *targets,
             const float         *weights,
             GError             **error)
{
  const gint64 n = x->n_dims > 0 ? x->dims[x->n_dims - 1] : 1;
  const float *values = c2g_tensor_address (x);
  const float *wanted = c2g_tensor_address (targets);
  C2gTensor *y;
  C2gDims dims;

  if (!c2g_dims_copy (&dims, x, error))
    return FALSE;
  dims.n = dims.n > 0 ? dims.n - 1 : 0;
  y = c2g_operator_output (op, 0, dims.dims, dims.n, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return lose_on_device (op,
                           &(RowLoss) { find_sigmoid_function (self), x, targets, weights,
                                        C2G_COMPUTE_REDUCE_MEAN, y },
                           error);

  for (gint64 i = 0; i < y->n_elements; i++)
    {
      double sum = 0;

      for (gint64 j = i * n; j < (i + 1) * n; j++)
        sum += find_sigmoid_loss (self, values[j], wanted[j]) *
               (weights != NULL ? weights[j] : 1);
      ((float *) c2g_tensor_address (y))[i] = n > 0 ? (float) (sum / (double) n) : 0;
    }
  return TRUE;
}

static gboolean
sigmoid_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *targets =
    x != NULL ? c2g_operator_input_like (op, 1, C2G_DATA_TYPE_FLOAT, x, error) : NULL;

  return targets != NULL && run_sigmoid (op, state, x, targets, NULL, error);
}

static gboolean
weighted_sigmoid_run (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  static const SigmoidState plain;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *targets =
    x != NULL ? c2g_operator_input_like (op, 1, C2G_DATA_TYPE_FLOAT, x, error) : NULL;
  C2gTensor *weights =
    targets != NULL ? c2g_operator_input_like (op, 2, C2G_DATA_TYPE_FLOAT, x, error) : NULL;

  return weights != NULL &&
         run_sigmoid (op, &plain, x, targets, c2g_tensor_address (weights), error);
}

/* Half of the squared distance, as in Caffe2, in spite of the name. */
static gboolean
squared_l2_distance_run (C2gOperator  *op,
                         gpointer      state,
                         GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *other =
    x != NULL ? c2g_operator_input_like (op, 1, C2G_DATA_TYPE_FLOAT, x, error) : NULL;
  const gint64 n_rows = x != NULL && x->n_dims > 0 ? x->dims[0] : 1;
  C2gTensor *y;
  gint64 n;

  if (other == NULL)
    return FALSE;
  n = n_rows > 0 ? x->n_elements / n_rows : 0;
  y = c2g_operator_output (op, 0, &n_rows, 1, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return lose_on_device (op,
                           &(RowLoss) { C2G_COMPUTE_BINARY_SUB, x, other, NULL,
                                        C2G_COMPUTE_REDUCE_SQUARES, y },
                           error) &&
           c2g_on_device_linear (op, c2g_tensor_address (y), 0.5f, 0, c2g_tensor_address (y),
                                 n_rows, error);

  for (gint64 i = 0; i < n_rows; i++)
    {
      const float *a = (const float *) c2g_tensor_address (x) + i * n;
      const float *b = (const float *) c2g_tensor_address (other) + i * n;
      double sum = 0;

      for (gint64 j = 0; j < n; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
      ((float *) c2g_tensor_address (y))[i] = (float) (sum / 2);
    }
  return TRUE;
}

#define LOSS(name, n, size, set_up_function, function, text, ...)                                  \
  {                                                                                                \
    .type = name, .min_inputs = n, .max_inputs = n, .min_outputs = 1, .max_outputs = 1,            \
    .state_size = size, .set_up = set_up_function, .run = function, .infer = function,             \
    .is_for_devices = TRUE, .traits = C2G_TRAITS_FLOAT, .summary = text, __VA_ARGS__               \
  }

static const C2gKernel kernels[] = {
  {
    .type = "AveragedLoss",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 1,
    .run = averaged_loss_run,
    .infer = averaged_loss_run,
    .is_for_devices = TRUE,
    .traits = C2G_TRAITS_FLOAT,
    .summary = "The average of all elements",
  },
  LOSS ("CrossEntropy", 2, 0, NULL, cross_entropy_run, "The cross entropy of each row of probabilities with another row"),
  LOSS ("LabelCrossEntropy", 2, 0, NULL, label_cross_entropy_run,
        "The cross entropy of each row of probabilities with a label"),
  LOSS ("SigmoidCrossEntropyWithLogits", 2, sizeof (SigmoidState), sigmoid_set_up, sigmoid_run,
        "The cross entropy of Sigmoid with targets, averaged over each row",
        .arguments =
          C2G_ARGS (C2G_ARG_BOOLEAN (SigmoidState, has_log_d_trick, "log_D_trick", FALSE),
                    C2G_ARG_BOOLEAN (SigmoidState, is_unjoined, "unjoined_lr_loss", FALSE))),
  LOSS ("SquaredL2Distance", 2, 0, NULL, squared_l2_distance_run,
        "Half the sum of the squares of the differences in each row"),
  LOSS ("WeightedSigmoidCrossEntropyWithLogits", 3, 0, NULL, weighted_sigmoid_run,
        "The weighted cross entropy of Sigmoid with targets, averaged over each row"),
};

C2G_OPS_FAMILY (loss);
