/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-reduce-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Norms and products of vectors, of float.
 *
 * Normalize: each vector along axis divided by max (sqrt (Σ x² + epsilon), 1e-12). Caffe2 has no
 * epsilon, so it is 0 by default; that of Caffe's Normalize is 1e-10.
 * NormalizeL1: each vector along axis divided by Σ |x|, or by 1 if that is 0.
 * DotProduct: y[i] = Σ a[i, …] b[i, …], over all dimensions but the first.
 * SinusoidPositionEncoding: positions (M, N), int32 or int64; y[i, j, k] = amplitude · f (x[i, 0]
 * alpha^(-k / embedding_size)), where f is sin for even k and cos for odd k.
 *
 * Normalize and NormalizeL1 may be in place. The rules are Caffe2's. On CUDA kernels/reduce.cu,
 * unary.cu and binary.cu compute all but SinusoidPositionEncoding, which runs on the CPU only. */

/* Normalize and NormalizeL1 */

typedef struct
{
  int        axis;
  float      epsilon;
  /* Norms of n_inner vectors whose elements are interleaved. */
  C2gScratch lengths;
} Normalize;

C2G_SCRATCH_DEFINE_CLEAR (normalize_clear, Normalize, lengths)

C2G_HOT
static void
divide_rows (const float *source,
             const float *lengths,
             float       *target,
             gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    target[i] = source[i] / lengths[i];
}

C2G_HOT
static void
divide_row (const float *source,
            float        length,
            float       *target,
            gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    target[i] = source[i] / length;
}

/* Computes divisors from sums of absolute values or squares. A vector of zeros stays so. */
static void
finish_lengths (float    *lengths,
                gsize     n,
                float     epsilon,
                gboolean  is_l1)
{
  for (gsize i = 0; i < n; i++)
    if (is_l1)
      lengths[i] = lengths[i] != 0 ? lengths[i] : 1;
    else
      lengths[i] = MAX (sqrtf (lengths[i] + epsilon), 1e-12f);
}

/* Normalizes n_inner interleaved vectors of n elements: element k of each is n_inner floats after
 * element k - 1. */
static void
normalize_block (const C2gReducer *reducer,
                 const float      *source,
                 float            *lengths,
                 float            *target,
                 gint64            n,
                 gint64            n_inner,
                 float             epsilon,
                 gboolean          is_l1)
{
  reducer->start (lengths, n_inner);
  if (n_inner == 1)
    reducer->row (lengths, source, n);
  for (gint64 k = 0; k < n && n_inner > 1; k++)
    reducer->column (lengths, source + k * n_inner, n_inner);

  finish_lengths (lengths, n_inner, epsilon, is_l1);
  if (n_inner == 1)
    divide_row (source, *lengths, target, n);
  for (gint64 k = 0; k < n && n_inner > 1; k++)
    divide_rows (source + k * n_inner, lengths, target + k * n_inner, n_inner);
}

/* Computes sums of absolute values, or the roots of sums of squares and epsilon. */
static gboolean
find_lengths_on_device (C2gOperator   *op,
                        gconstpointer  x,
                        const gint64  *dims,
                        float          epsilon,
                        gboolean       is_l1,
                        gpointer       lengths,
                        GError       **error)
{
  const gsize n = dims[0] * dims[2];

  if (epsilon > 0)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SQUARES,
                        .type = C2G_DATA_TYPE_FLOAT, .x = x, .dims = dims, .n_dims = 3,
                        .axes = 1U << 1, .y = lengths) &&
           c2g_on_device_linear (op, lengths, 1, epsilon, lengths, n, error) &&
           C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_SQRT,
                        .type = C2G_DATA_TYPE_FLOAT, .x = lengths, .y = lengths, .n = n);
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE,
                      .reduce = is_l1 ? C2G_COMPUTE_REDUCE_L1 : C2G_COMPUTE_REDUCE_L2,
                      .type = C2G_DATA_TYPE_FLOAT, .x = x, .dims = dims, .n_dims = 3,
                      .axes = 1U << 1, .y = lengths);
}

/* Uses the divisors of finish_lengths(). With a sum of 0 all elements are 0, so that any divisor
 * other than 0 gives the same result. */
static gboolean
normalize_on_device (C2gOperator  *op,
                     C2gTensor    *x,
                     int           axis,
                     gint64        n_inner,
                     float         epsilon,
                     gboolean      is_l1,
                     C2gTensor    *y,
                     GError      **error)
{
  const gint64 n = y->dims[axis];
  const gint64 dims[] = { y->n_elements / n / n_inner, n, n_inner };
  const gint64 strides[] = { n * n_inner, n_inner, 1 };
  const gint64 length_strides[] = { n_inner, 0, 1 };
  const gsize n_lengths = dims[0] * n_inner;
  const float least = is_l1 ? FLT_MIN : 1e-12f;
  gpointer lengths;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, n_lengths, sizeof (float), &lengths, error);

  return scratch != NULL &&
         find_lengths_on_device (op, c2g_tensor_address (x), dims, epsilon, is_l1, lengths,
                                 error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_CLIP,
                      .type = C2G_DATA_TYPE_FLOAT, .x = lengths, .y = lengths, .n = n_lengths,
                      .a = least, .b = INFINITY) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_DIV,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 3,
                      .x = c2g_tensor_address (x), .x_strides = strides, .other = lengths,
                      .other_strides = length_strides, .y = c2g_tensor_address (y));
}

static gboolean
run_normalize (C2gOperator       *op,
               Normalize         *self,
               const C2gReducer  *reducers,
               gboolean           is_l1,
               GError           **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  int axis = x != NULL ? c2g_dims_axis (op, 0, self->axis, error) : -1;
  gint64 n_inner = axis >= 0 ? c2g_tensor_size_from_dim (x, axis + 1, error) : -1;
  C2gTensor *y;

  if (n_inner < 0)
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;
  if (c2g_operator_get_compute (op) != NULL)
    return normalize_on_device (op, x, axis, n_inner, self->epsilon, is_l1, y, error);
  if (!c2g_scratch_reserve (&self->lengths, 1, n_inner, error))
    return FALSE;

  for (gint64 i = 0; i < y->n_elements; i += n_inner * y->dims[axis])
    normalize_block (&reducers[C2G_DATA_TYPE_FLOAT], (const float *) c2g_tensor_address (x) + i,
                     self->lengths.data, (float *) c2g_tensor_address (y) + i, y->dims[axis],
                     n_inner, self->epsilon, is_l1);
  return TRUE;
}

static gboolean
normalize_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return run_normalize (op, state, c2g_square_reducers, FALSE, error);
}

static gboolean
normalize_l1_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return run_normalize (op, state, c2g_l1_reducers, TRUE, error);
}

/* DotProduct */

#define N_LANES 32

C2G_HOT
static float
dot (const float *x,
     const float *y,
     gsize        n)
{
  float lanes[N_LANES] = { 0 };
  float sum = 0;
  gsize i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    for (gsize lane = 0; lane < N_LANES; lane++)
      lanes[lane] += x[i + lane] * y[i + lane];
  for (gsize lane = 0; lane < N_LANES; lane++)
    sum += lanes[lane];
  for (; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static gboolean
dot_on_device (C2gOperator  *op,
               C2gTensor    *x,
               C2gTensor    *other,
               gint64        n_rows,
               C2gTensor    *y,
               GError      **error)
{
  const gint64 dims[] = { n_rows, x->n_elements / n_rows };
  const gint64 each = 1;
  gpointer products;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, x->n_elements, sizeof (float), &products, error);

  return scratch != NULL &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = &x->n_elements, .n_dims = 1,
                      .x = c2g_tensor_address (x), .x_strides = &each,
                      .other = c2g_tensor_address (other), .other_strides = &each, .y = products) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SUM,
                      .type = C2G_DATA_TYPE_FLOAT, .x = products, .dims = dims, .n_dims = 2,
                      .axes = 1U << 1, .y = c2g_tensor_address (y));
}

static gboolean
dot_product_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *other =
    x != NULL ? c2g_operator_input_like (op, 1, C2G_DATA_TYPE_FLOAT, x, error) : NULL;
  gint64 n_rows, n_columns;
  C2gTensor *y;

  if (other == NULL)
    return FALSE;

  n_rows = x->n_dims > 0 ? x->dims[0] : 1;
  if (x->n_elements == 0)
    n_rows = 0;
  n_columns = n_rows > 0 ? x->n_elements / n_rows : 0;
  y = c2g_operator_output (op, 0, &n_rows, 1, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return n_rows == 0 || dot_on_device (op, x, other, n_rows, y, error);
  for (gint64 i = 0; i < n_rows; i++)
    ((float *) c2g_tensor_address (y))[i] =
      dot ((const float *) c2g_tensor_address (x) + i * n_columns,
           (const float *) c2g_tensor_address (other) + i * n_columns, n_columns);
  return TRUE;
}

static double
dot_product_count_flops (C2gOperator *op,
                         gpointer     state)
{
  return 2 * c2g_count_input_elements (op, state);
}

/* SinusoidPositionEncoding */

typedef struct
{
  int        embedding_size;
  float      alpha;
  float      amplitude;
  C2gScratch frequencies;
} Sinusoid;

/* Computes the frequencies in the first run. */
static gboolean
ensure_frequencies (Sinusoid  *self,
                    GError   **error)
{
  if (self->frequencies.data != NULL)
    return TRUE;
  if (!c2g_scratch_reserve (&self->frequencies, 1, self->embedding_size, error))
    return FALSE;

  for (int i = 0; i < self->embedding_size; i++)
    self->frequencies.data[i] = (float) pow (self->alpha, -(double) i / self->embedding_size);
  return TRUE;
}

C2G_SCRATCH_DEFINE_CLEAR (sinusoid_clear, Sinusoid, frequencies)

static void
sinusoid_row (Sinusoid *self,
              double    position,
              float    *target)
{
  for (int i = 0; i < self->embedding_size; i++)
    {
      double angle = position * self->frequencies.data[i];

      target[i] = self->amplitude * (float) (i % 2 == 0 ? sin (angle) : cos (angle));
    }
}

/* As in Caffe2, the position in column 0 is used for the whole row. */
static gboolean
sinusoid_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  Sinusoid *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  gsize n_row = self->embedding_size;
  C2gIndices positions;
  C2gTensor *y;
  float *target;

  if (x == NULL || !c2g_indices_init (&positions, op, 0, error))
    return FALSE;
  if (x->n_dims != 2)
    return c2g_operator_set_shape_error (op, 0, error, _("%d dimensions"), 2);
  y = c2g_operator_output (op, 0, (gint64[]) { x->dims[0], x->dims[1], (gint64) n_row }, 3,
                           C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || (y->n_elements > 0 && !ensure_frequencies (self, error)))
    return FALSE;

  target = c2g_tensor_address (y);
  for (gint64 i = 0; i < x->n_elements; i++, target += n_row)
    if (i % x->dims[1] == 0)
      sinusoid_row (self, (double) c2g_indices_get (&positions, i), target);
    else
      memcpy (target, target - n_row, n_row * sizeof *target);
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "Normalize", NULL, 1, 1, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_INT (Normalize, axis, "axis", -1),
              C2G_ARG_FLOAT (Normalize, epsilon, "epsilon", 0, C2G_AT_LEAST (0))),
    sizeof (Normalize), NULL, normalize_run, normalize_clear, c2g_count_elements,
    "Vectors along an axis divided by their L2 norm", .infer = normalize_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "NormalizeL1", NULL, 1, 1, 1, 1, "0>0", C2G_ARGS (C2G_ARG_INT (Normalize, axis, "axis", -1)),
    sizeof (Normalize), NULL, normalize_l1_run, normalize_clear, c2g_count_elements,
    "Vectors along an axis divided by their L1 norm", .infer = normalize_l1_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "DotProduct", NULL, 2, 2, 1, 1, NULL, NULL, 0, NULL, dot_product_run, NULL,
    dot_product_count_flops, "The dot product of each row with the same row of the other tensor",
    .infer = dot_product_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "SinusoidPositionEncoding", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (Sinusoid, embedding_size, "embedding_size", 100, C2G_AT_LEAST (1),
                           C2G_IS_INVALID),
              C2G_ARG_FLOAT (Sinusoid, alpha, "alpha", 10000, C2G_AT_LEAST (C2G_ABOVE_0),
                             C2G_IS_INVALID),
              C2G_ARG_FLOAT (Sinusoid, amplitude, "amplitude", 1)),
    sizeof (Sinusoid), NULL, sinusoid_run, sinusoid_clear, c2g_count_elements,
    "Positions as sines and cosines of many frequencies", .infer = sinusoid_run },
};

C2G_OPS_FAMILY (norm);
