/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-ops-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-tensor-private.h>
#include <c2g/ops/c2g-argument-range-private.h>
#include <c2g/ops/c2g-elementwise-private.h>
#include <c2g/ops/c2g-hot-private.h>
#include <c2g/ops/c2g-labels-private.h>
#include <c2g/ops/c2g-matrix-private.h>
#include <c2g/ops/c2g-rows-private.h>
#include <c2g/ops/c2g-scratch-private.h>
#include <c2g/ops/c2g-vector-math-private.h>

#include <math.h>
#include <string.h>

/* Softmax and how far it is, on average, from the labels: of whole rows, and of the channels
 * at each place of images. */

/* The label of a place that does not matter. */
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

/* Rows, or images of n_places. */
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

static gboolean
set_up (C2gOperator   *op,
        LossState     *self,
        C2gArguments  *arguments,
        GError       **error)
{
  self->scale = c2g_arguments_float (arguments, "scale", 1);
  c2g_arguments_check_range (arguments, "scale", self->scale, self->scale >= 0);
  if (c2g_arguments_order (arguments) && arguments->error == NULL)
    g_set_error (&arguments->error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("The argument “%s” is “%s”, expected “%s”"), "order", "NHWC", "NCHW");
  return c2g_arguments_finish (arguments, error);
}

static gboolean
rows_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  LossState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->axis = c2g_arguments_int32 (&arguments, "axis", 1);
  self->has_probabilities = c2g_arguments_int (&arguments, "label_prob", 0) != 0;
  self->divides_by_rows = c2g_arguments_int (&arguments, "average_by_batch_size", 0) != 0;
  return set_up (op, self, &arguments, error);
}

static gboolean
places_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  return set_up (op, state, &arguments, error);
}

static float
find_weight (const Loss *self,
             gint64      at)
{
  return self->weights != NULL ? self->weights[at] : 1;
}

/* Rows */

static gboolean
add_probabilities (C2gOperator  *op,
                   Loss         *self,
                   gint64        row,
                   GError      **error)
{
  const float *wanted = self->probabilities + row * self->n_classes;
  const float *y = self->y + row * self->n_classes;
  double sum = 0, loss = 0;
  gboolean is_right = TRUE;

  for (gint64 i = 0; i < self->n_classes; i++)
    {
      is_right &= wanted[i] >= 0;
      loss -= log (MAX (y[i], C2G_MIN_PROBABILITY)) * wanted[i];
      sum += wanted[i];
    }
  if (!is_right || !(fabs (sum - 1) < 1e-5))
    return c2g_operator_set_probability_error (op, IN_LABELS, row, error);
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
  /* Which loses nothing where the probability is small. */
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

/* Labels or probabilities, and weights, for all rows. */
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

  for (gint64 i = 0; i < loss.n_rows; i++)
    if (!run_row (op, &loss, i, error))
      return FALSE;
  if (loss.weight != 0)
    loss.loss *= self->scale / (self->divides_by_rows ? (double) loss.n_rows : loss.weight);
  *result = loss.weight != 0 ? (float) loss.loss : 0;
  return TRUE;
}

/* Places */

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

/* Softmax of one image; scratch has room for two numbers a place. */
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
      !make_outputs (op, x, &loss, &result, error) ||
      !c2g_scratch_reserve (&self->scratch, 2, loss.n_places, error))
    return FALSE;

  for (gint64 i = 0; i < loss.n_rows && loss.n_places > 0; i++)
    {
      run_image (&loss, i, self->scratch.data);
      if (!add_image (op, &loss, i, error))
        return FALSE;
    }
  /* The scale is for the gradient alone. */
  *result = loss.weight != 0 ? (float) (loss.loss / loss.weight) : 0;
  return TRUE;
}

static void
loss_clear (gpointer state)
{
  LossState *self = state;

  c2g_scratch_clear (&self->scratch);
}

#define LOSS(name, prefix, text)                                                                   \
  {                                                                                                \
    .type = name, .min_inputs = 2, .max_inputs = 3, .min_outputs = 2, .max_outputs = 2,            \
    .state_size = sizeof (LossState), .set_up = prefix##_set_up, .run = prefix##_run,              \
    .infer = prefix##_run, .clear = loss_clear, .summary = text                                    \
  }

static const C2gKernel kernels[] = {
  LOSS ("SoftmaxWithLoss", rows, "Softmax, and its average distance from labels"),
  LOSS ("SpatialSoftmaxWithLoss", places,
        "Softmax of the channels at each place, and its average distance from labels"),
};

void
c2g_ops_register_softmax_loss (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
