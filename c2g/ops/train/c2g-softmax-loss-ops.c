/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-labels-private.h>
#include <c2g/ops/support/c2g-matrix-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/support/c2g-vector-math-private.h>

#include <math.h>
#include <string.h>

/* SoftmaxWithLoss: X, seen as a matrix (rows, classes) cut at axis, labels, optional weights per
 * row. Y = Softmax (X); loss = scale Σ w (-log Y[label]) / Σ w, or divided by the number of
 * rows with average_by_batch_size. Labels are int32, or with label_prob one probability per
 * class.
 *
 * SpatialSoftmaxWithLoss: X (N, C, H, W), labels (N, H, W), optional weights (N, H, W); softmax
 * over the channels of each pixel, loss = Σ w (-log Y[label]) / Σ w over pixels whose label is
 * not -1.
 *
 * Outputs Y in the shape of X and the loss without dimensions, of float. Nothing is in place.
 * The rules are Caffe2's. On CUDA kernels/softmax.cu computes Y, after kernels/transpose.cu has
 * put the channels last for images; kernels/gather.cu takes the numbers of the labels, and
 * kernels/reduce.cu sums. */

/* Label of a pixel that has no effect on the loss. */
#define NO_LABEL (-1)

enum
{
  IN_X,
  IN_LABELS,
  IN_WEIGHTS,
};

typedef struct
{
  int        axis;
  float      scale;
  gboolean   has_probabilities;
  gboolean   divides_by_rows;
  C2gScratch scratch;
} LossState;

/* Inputs and sums of a run: n_rows rows, or n_rows images of n_places pixels. */
typedef struct
{
  const float  *x;
  float        *y;
  gint64        n_rows;
  gint64        n_classes;
  gint64        n_places;
  const gint32 *labels;
  const float  *probabilities;
  const float  *weights;
  double        loss;
  double        weight;
} Loss;

static float
find_weight (const Loss *self,
             gint64      at)
{
  return self->weights != NULL ? self->weights[at] : 1;
}

/* SoftmaxWithLoss */

static gboolean
check_probabilities (C2gOperator  *op,
                     const float  *wanted,
                     gint64        n_classes,
                     gint64        row,
                     GError      **error)
{
  double sum = 0;
  gboolean is_right = TRUE;

  for (gint64 i = 0; i < n_classes; i++)
    {
      is_right &= wanted[i] >= 0;
      sum += wanted[i];
    }
  return (is_right && fabs (sum - 1) < 1e-5) ||
         c2g_operator_set_probability_error (op, IN_LABELS, row, error);
}

static gboolean
add_probabilities (C2gOperator  *op,
                   Loss         *self,
                   gint64        row,
                   GError      **error)
{
  const float *wanted = self->probabilities + row * self->n_classes;
  const float *y = self->y + row * self->n_classes;
  double loss = 0;

  if (!check_probabilities (op, wanted, self->n_classes, row, error))
    return FALSE;
  for (gint64 i = 0; i < self->n_classes; i++)
    loss -= log (MAX (y[i], C2G_MIN_PROBABILITY)) * wanted[i];
  self->loss += find_weight (self, row) * loss;
  return TRUE;
}

static gboolean
run_row (C2gOperator  *op,
         Loss         *self,
         gint64        row,
         GError      **error)
{
  const gsize n = self->n_classes;
  const float *x = self->x + row * n;
  float *y = self->y + row * n;
  const float max = c2g_row_max (x, n);
  const float sum = c2g_row_exp (x, max, y, n);

  c2g_row_scale (y, 1 / sum, 0, y, n);
  self->weight += find_weight (self, row);
  if (self->labels == NULL)
    return add_probabilities (op, self, row, error);

  if (!c2g_operator_check_label (op, IN_LABELS, self->labels[row], self->n_classes, error))
    return FALSE;
  /* log y, computed as x - max - log Σ, which is exact for small probabilities too. */
  self->loss -= find_weight (self, row) * ((double) x[self->labels[row]] - max - log (sum));
  return TRUE;
}

static gboolean
make_outputs (C2gOperator  *op,
              C2gTensor    *x,
              Loss         *self,
              float       **loss,
              GError      **error)
{
  C2gTensor *y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *number =
    y != NULL ? c2g_operator_output (op, 1, NULL, 0, C2G_DATA_TYPE_FLOAT, error) : NULL;

  if (number == NULL)
    return FALSE;
  self->x = c2g_tensor_address (x);
  self->y = c2g_tensor_address (y);
  *loss = c2g_tensor_address (number);
  return TRUE;
}

/* Reads labels or probabilities, and the weights, for n rows or pixels. */
static gboolean
read_labels (C2gOperator  *op,
             LossState    *self,
             Loss         *loss,
             gint64        n,
             GError      **error)
{
  const gboolean has_labels = !self->has_probabilities;
  const gint64 n_labels = has_labels ? n : n * loss->n_classes;
  C2gTensor *labels = c2g_operator_input_sized (
    op, IN_LABELS, has_labels ? C2G_DATA_TYPE_INT32 : C2G_DATA_TYPE_FLOAT, n_labels, error);
  C2gTensor *weights;

  if (labels == NULL)
    return FALSE;
  if (has_labels)
    loss->labels = c2g_tensor_address (labels);
  else
    loss->probabilities = c2g_tensor_address (labels);
  if (c2g_operator_get_n_inputs (op) <= IN_WEIGHTS)
    return TRUE;

  weights = c2g_operator_input_sized (op, IN_WEIGHTS, C2G_DATA_TYPE_FLOAT, n, error);
  if (weights == NULL)
    return FALSE;
  loss->weights = c2g_tensor_address (weights);
  return TRUE;
}

/* On a device: scratch memory is as many floats as X has, one per row, and three more. */

/* Computes the unweighted loss of each row. With labels the sign is the opposite: log y[label]. */
static gboolean
find_row_losses (C2gOperator  *op,
                 const Loss   *self,
                 float        *numbers,
                 float        *losses,
                 GError      **error)
{
  const gint64 dims[] = { self->n_rows, self->n_classes };
  const gint64 strides[] = { self->n_classes, 1 };

  if (self->labels != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SOFTMAX, .is_log = TRUE, .type = C2G_DATA_TYPE_FLOAT,
                        .x = self->x, .y = numbers, .n_outer = self->n_rows,
                        .n = self->n_classes) &&
           C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_GATHER, .x = numbers, .n_outer = self->n_rows,
                        .n = self->n_classes, .item_size = sizeof (float),
                        .type = C2G_DATA_TYPE_INT32, .indices = self->labels, .n_indices = 1,
                        .has_own = TRUE, .y = losses);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_CROSS_ENTROPY,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 2, .x = self->y,
                      .x_strides = strides, .other = self->probabilities, .other_strides = strides,
                      .y = numbers) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SUM,
                      .type = C2G_DATA_TYPE_FLOAT, .x = numbers, .dims = dims, .n_dims = 2,
                      .axes = 1U << 1, .y = losses);
}

/* Computes Σ losses / Σ weights, or Σ losses / divisor if that is not 0. The result is 0 if Σ
 * weights is 0.  scratch has three floats. */
static gboolean
average_weighted (C2gOperator  *op,
                  const float  *losses,
                  const float  *weights,
                  gint64        n,
                  float         divisor,
                  float        *scratch,
                  float        *result,
                  GError      **error)
{
  const C2gDataType type = C2G_DATA_TYPE_FLOAT;
  const gint64 one = 1, stride = 1;
  float *total = scratch, *zero = scratch + 1;
  guint8 *has_weight = (guint8 *) (scratch + 2);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SUM, .type = type,
                      .x = losses, .dims = &n, .n_dims = 1, .axes = 1, .y = result) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SUM, .type = type,
                      .x = weights, .dims = &n, .n_dims = 1, .axes = 1, .y = total) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CONVERT, .type = type, .x = total,
                      .y_type = C2G_DATA_TYPE_BOOL, .y = has_weight, .n = 1) &&
         (divisor != 0
            ? c2g_on_device_linear (op, result, 1 / divisor, 0, result, 1, error)
            : C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_DIV,
                           .type = type, .dims = &one, .n_dims = 1, .x = result,
                           .x_strides = &stride, .other = total, .other_strides = &stride,
                           .y = result)) &&
         c2g_on_device_clear (op, zero, sizeof *zero, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CHOOSE, .item_size = sizeof (float),
                      .choice = has_weight, .n_alike = 1, .x = result, .other = zero, .y = result,
                      .n = 1);
}

static gboolean
multiply_on_device (C2gOperator  *op,
                    const float  *x,
                    float        *y,
                    gint64        n,
                    GError      **error)
{
  const gint64 stride = 1;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = &n, .n_dims = 1, .x = x,
                      .x_strides = &stride, .other = y, .other_strides = &stride, .y = y);
}

static gboolean
average_rows (C2gOperator      *op,
              const LossState  *self,
              const Loss       *loss,
              float            *losses,
              float            *result,
              GError          **error)
{
  const gint64 n = loss->n_rows;

  if (loss->weights == NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_MEAN,
                        .type = C2G_DATA_TYPE_FLOAT, .x = losses, .dims = &n, .n_dims = 1,
                        .axes = 1, .y = result);
  return multiply_on_device (op, loss->weights, losses, n, error) &&
         average_weighted (op, losses, loss->weights, n, self->divides_by_rows ? (float) n : 0,
                           losses + n, result, error);
}

static gboolean
check_all_probabilities (C2gOperator  *op,
                         const Loss   *self,
                         GError      **error)
{
  C2gTensor *labels = c2g_operator_input (op, IN_LABELS, C2G_DATA_TYPE_FLOAT, error);

  labels = labels != NULL ? c2g_operator_bring_near (op, IN_LABELS, labels, error) : NULL;
  for (gint64 i = 0; labels != NULL && i < self->n_rows; i++)
    if (!check_probabilities (op, (const float *) c2g_tensor_address (labels) + i * self->n_classes,
                              self->n_classes, i, error))
      return FALSE;
  return labels != NULL;
}

static gboolean
run_rows_on_device (C2gOperator      *op,
                    const LossState  *self,
                    const Loss       *loss,
                    float            *result,
                    GError          **error)
{
  const gsize n = loss->n_rows * loss->n_classes;
  const float scale = self->has_probabilities ? self->scale : -self->scale;
  float *numbers;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, n + loss->n_rows + 3, sizeof (float), &numbers, error);

  if (scratch == NULL)
    return FALSE;
  if (loss->n_rows == 0)
    return c2g_on_device_clear (op, result, sizeof *result, error);

  return (!self->has_probabilities || check_all_probabilities (op, loss, error)) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SOFTMAX, .type = C2G_DATA_TYPE_FLOAT, .x = loss->x,
                      .y = loss->y, .n_outer = loss->n_rows, .n = loss->n_classes) &&
         find_row_losses (op, loss, numbers, numbers + n, error) &&
         average_rows (op, self, loss, numbers + n, result, error) &&
         c2g_on_device_linear (op, result, scale, 0, result, 1, error);
}

static gboolean
rows_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  LossState *self = state;
  C2gTensor *x = c2g_operator_input (op, IN_X, C2G_DATA_TYPE_FLOAT, error);
  C2gMatrix matrix;
  Loss loss = { .loss = 0 };
  float *result;

  if (x == NULL || !c2g_matrix_cut (&matrix, op, IN_X, x, self->axis, error))
    return FALSE;
  loss.n_rows = matrix.n_rows;
  loss.n_classes = matrix.n_columns;
  if (!read_labels (op, self, &loss, matrix.n_rows, error) ||
      !make_outputs (op, x, &loss, &result, error))
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return run_rows_on_device (op, self, &loss, result, error);
  for (gint64 i = 0; i < loss.n_rows && !c2g_interrupt_is_wanted (); i++)
    if (!run_row (op, &loss, i, error))
      return FALSE;
  if (loss.weight != 0)
    loss.loss *= self->scale / (self->divides_by_rows ? (double) loss.n_rows : loss.weight);
  *result = loss.weight != 0 ? (float) loss.loss : 0;
  return TRUE;
}

/* SpatialSoftmaxWithLoss */

C2G_HOT static void
max_each (const float *restrict x,
          float *restrict       max,
          gsize                 n)
{
  for (gsize i = 0; i < n; i++)
    max[i] = x[i] > max[i] ? x[i] : max[i];
}

C2G_HOT static void
exp_each (const float *restrict x,
          const float *restrict max,
          float *restrict       y,
          float *restrict       sums,
          gsize                 n)
{
  for (gsize i = 0; i < n; i++)
    {
      y[i] = c2g_vector_exp (x[i] - max[i]);
      sums[i] += y[i];
    }
}

C2G_HOT static void
divide_each (float *restrict       y,
             const float *restrict sums,
             gsize                 n)
{
  for (gsize i = 0; i < n; i++)
    y[i] /= sums[i];
}

/* Computes the softmax of one image.  scratch has two floats per pixel. */
static void
run_image (const Loss *self,
           gint64      image,
           float      *scratch)
{
  const gsize n = self->n_places;
  const gint64 offset = image * self->n_classes * self->n_places;
  const float *x = self->x + offset;
  float *y = self->y + offset;
  float *max = scratch;
  float *sums = scratch + n;

  memcpy (max, x, n * sizeof (float));
  memset (sums, 0, n * sizeof (float));
  for (gint64 i = 1; i < self->n_classes; i++)
    max_each (x + i * n, max, n);
  for (gint64 i = 0; i < self->n_classes; i++)
    exp_each (x + i * n, max, y + i * n, sums, n);
  for (gint64 i = 0; i < self->n_classes; i++)
    divide_each (y + i * n, sums, n);
}

static gboolean
add_image (C2gOperator  *op,
           Loss         *self,
           gint64        image,
           GError      **error)
{
  const float *y = self->y + image * self->n_classes * self->n_places;

  for (gint64 i = 0; i < self->n_places; i++)
    {
      const gint64 at = image * self->n_places + i;
      const gint32 label = self->labels[at];

      if (label == NO_LABEL)
        continue;
      if (!c2g_operator_check_label (op, IN_LABELS, label, self->n_classes, error))
        return FALSE;
      self->loss -= find_weight (self, at) *
                    log (MAX (y[label * self->n_places + i], C2G_MIN_PROBABILITY));
      self->weight += find_weight (self, at);
    }
  return TRUE;
}

/* Writes the pixel weights to memory of the device: 0 for NO_LABEL, otherwise 1, times the weights
 * of the input. Checks the labels. */
static gboolean
write_weights (C2gOperator  *op,
               const Loss   *self,
               gint64        n,
               float        *far_weights,
               GError      **error)
{
  g_autoptr (C2gTensor) weights = c2g_tensor_new_sized (&n, 1, NULL, error);
  C2gTensor *labels = c2g_operator_input (op, IN_LABELS, C2G_DATA_TYPE_INT32, error);
  float *items = weights != NULL
                   ? c2g_tensor_mutable_data (weights, C2G_DATA_TYPE_FLOAT, error)
                   : NULL;

  labels = labels != NULL ? c2g_operator_bring_near (op, IN_LABELS, labels, error) : NULL;
  if (items == NULL || labels == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      const gint32 label = ((const gint32 *) c2g_tensor_address (labels))[i];

      if (label != NO_LABEL &&
          !c2g_operator_check_label (op, IN_LABELS, label, self->n_classes, error))
        return FALSE;
      items[i] = label != NO_LABEL ? 1 : 0;
    }

  return c2g_on_device_write (op, items, n * sizeof (float), far_weights, error) &&
         (self->weights == NULL || multiply_on_device (op, self->weights, far_weights, n, error));
}

/* Transposes to NHWC, where the softmax is over rows; leaves that in turned, and writes Y in
 * NCHW. */
static gboolean
turn_and_run (C2gOperator  *op,
              const Loss   *self,
              float        *turned,
              GError      **error)
{
  const gint64 dims[] = { self->n_rows, self->n_classes, self->n_places };
  const gint64 turned_dims[] = { self->n_rows, self->n_places, self->n_classes };
  const int axes[] = { 0, 2, 1 };

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_TRANSPOSE, .item_size = sizeof (float), .dims = dims,
                      .n_dims = 3, .order = axes, .x = self->x, .y = turned) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SOFTMAX, .type = C2G_DATA_TYPE_FLOAT, .x = turned,
                      .y = turned, .n_outer = self->n_rows * self->n_places,
                      .n = self->n_classes) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_TRANSPOSE, .item_size = sizeof (float),
                      .dims = turned_dims, .n_dims = 3, .order = axes, .x = turned, .y = self->y);
}

static gboolean
run_places_on_device (C2gOperator  *op,
                      const Loss   *self,
                      float        *result,
                      GError      **error)
{
  const gint64 n = self->n_rows * self->n_places, stride = 1;
  float *turned, *losses, *weights;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, n * self->n_classes + 2 * n + 3, sizeof (float), &turned, error);

  if (scratch == NULL)
    return FALSE;
  if (n == 0)
    return c2g_on_device_clear (op, result, sizeof *result, error);

  losses = turned + n * self->n_classes;
  weights = losses + n;
  return write_weights (op, self, n, weights, error) && turn_and_run (op, self, turned, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_GATHER, .x = turned, .n_outer = n,
                      .n = self->n_classes, .item_size = sizeof (float),
                      .type = C2G_DATA_TYPE_INT32, .indices = self->labels, .n_indices = 1,
                      .wraps = TRUE, .has_own = TRUE, .y = losses) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_CROSS_ENTROPY,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = &n, .n_dims = 1, .x = losses,
                      .x_strides = &stride, .other = weights, .other_strides = &stride,
                      .y = losses) &&
         average_weighted (op, losses, weights, n, 0, weights + n, result, error);
}

static gboolean
places_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  LossState *self = state;
  C2gTensor *x = c2g_operator_input (op, IN_X, C2G_DATA_TYPE_FLOAT, error);
  Loss loss = { .loss = 0 };
  float *result;

  if (x == NULL)
    return FALSE;
  if (x->n_dims != 4 || x->dims[1] < 1)
    return c2g_operator_set_shape_error (op, IN_X, error, _("4 dimensions and channels"));
  loss.n_rows = x->dims[0];
  loss.n_classes = x->dims[1];
  loss.n_places = x->n_elements > 0 ? x->dims[2] * x->dims[3] : 0;
  if (!read_labels (op, self, &loss, loss.n_rows * loss.n_places, error) ||
      !make_outputs (op, x, &loss, &result, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return run_places_on_device (op, &loss, result, error);
  if (!c2g_scratch_reserve (&self->scratch, 2, loss.n_places, error))
    return FALSE;

  for (gint64 i = 0; i < loss.n_rows && loss.n_places > 0; i++)
    {
      run_image (&loss, i, self->scratch.data);
      if (!add_image (op, &loss, i, error))
        return FALSE;
    }
  /* As in Caffe2, scale is only used by the gradient. */
  *result = loss.weight != 0 ? (float) (loss.loss / loss.weight) : 0;
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (loss_clear, LossState, scratch)

#define LOSS(name, function, text, ...)                                                            \
  {                                                                                                \
    .type = name, .min_inputs = 2, .max_inputs = 3, .min_outputs = 2, .max_outputs = 2,            \
    .arguments = C2G_ARGS (C2G_ARG_FLOAT (LossState, scale, "scale", 1, C2G_AT_LEAST (0)),         \
                           C2G_ARG_IGNORED ("only_loss"), C2G_ARG_NCHW,                            \
                           __VA_ARGS__),                                                           \
    .state_size = sizeof (LossState), .run = function, .infer = function, .clear = loss_clear,     \
    .summary = text, .is_for_devices = TRUE                                                        \
  }

static const C2gKernel kernels[] = {
  LOSS ("SoftmaxWithLoss", rows_run, "Softmax, and its mean cross entropy with labels",
        C2G_ARG_INT (LossState, axis, "axis", 1),
        C2G_ARG_BOOLEAN (LossState, has_probabilities, "label_prob", FALSE),
        C2G_ARG_BOOLEAN (LossState, divides_by_rows, "average_by_batch_size", FALSE)),
  LOSS ("SpatialSoftmaxWithLoss", places_run,
        "Softmax of the channels at each pixel, and its mean cross entropy with labels", { 0 }),
};

C2G_OPS_FAMILY (softmax_loss);
