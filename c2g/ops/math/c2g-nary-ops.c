/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-binary-loop-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Operators with any number of inputs.
 *
 * Sum, Max, Min: element by element; float, double, int32 or int64 of one shape. Integer sums
 * wrap around.
 * Mean: the mean of float tensors, broadcast by NumPy's rule.
 * WeightedSum: inputs X₀ w₀ X₁ w₁ …; y = Σ wᵢ Xᵢ, of float; each w has one element.
 * ScatterWeightedSum: inputs X₀ w₀ indices X₁ w₁ …; X₀[indices[j]] = w₀
 * X₀[indices[j]] + Σ wᵢ Xᵢ[j].
 *
 * The output may be in place of the first input; for ScatterWeightedSum it must be. The rules are
 * Caffe2's. On CUDA kernels/sum.cu computes Sum, Max and Min, kernels/binary.cu and blas.cu Mean
 * and WeightedSum, and kernels/update.cu ScatterWeightedSum. */

/* Number of elements that stay in the cache while all inputs are added. */
#define BLOCK_SIZE 4096

#define DEFINE_NUMERIC(name, expression, integer)                                                  \
  C2G_DEFINE_BINARY_LOOP (name##_floats, C2G_HOT, float, float, expression)                        \
  C2G_DEFINE_BINARY_LOOP (name##_doubles, , double, double, expression)                            \
  C2G_DEFINE_BINARY_LOOP (name##_int32s, , gint32, gint32, integer (gint32, guint32))              \
  C2G_DEFINE_BINARY_LOOP (name##_int64s, , gint64, gint64, integer (gint64, guint64))              \
                                                                                                   \
  static const C2gBinaryLoop name##_loops[C2G_N_LOOPS] = {                                         \
    [C2G_DATA_TYPE_FLOAT] = name##_floats,                                                         \
    [C2G_DATA_TYPE_DOUBLE] = name##_doubles,                                                       \
    [C2G_DATA_TYPE_INT32] = name##_int32s,                                                         \
    [C2G_DATA_TYPE_INT64] = name##_int64s,                                                         \
  };

#define ADD_INTEGERS(type, unsigned_type) (type) ((unsigned_type) x + (unsigned_type) y)
#define MAX_INTEGERS(type, unsigned_type) (x < y ? y : x)
#define MIN_INTEGERS(type, unsigned_type) (y < x ? y : x)

DEFINE_NUMERIC (sum, x + y, ADD_INTEGERS)
DEFINE_NUMERIC (max, (x < y ? y : x), MAX_INTEGERS)
DEFINE_NUMERIC (min, (y < x ? y : x), MIN_INTEGERS)

/* Checks that all inputs have one type and shape. */
static gboolean
check_alike (C2gOperator  *op,
             C2gTensor    *x,
             GError      **error)
{
  for (guint i = 1; i < c2g_operator_get_n_inputs (op); i++)
    if (c2g_operator_input_like (op, i, c2g_tensor_get_data_type (x), x, error) == NULL)
      return FALSE;
  return TRUE;
}

static const char *
get_items (C2gOperator *op,
           guint        input)
{
  return c2g_tensor_address (c2g_blob_get_tensor (c2g_operator_get_input (op, input), NULL));
}

static void
fold (C2gOperator   *op,
      C2gBinaryLoop  loop,
      char          *target,
      gsize          item_size,
      gint64         n_elements)
{
  guint n_inputs = c2g_operator_get_n_inputs (op);

  for (gint64 i = 0; i < n_elements && !c2g_interrupt_is_wanted (); i += BLOCK_SIZE)
    {
      gsize n = MIN (n_elements - i, BLOCK_SIZE);
      gsize offset = i * item_size;

      loop (get_items (op, 0) + offset, 1, get_items (op, 1) + offset, 1, target + offset, n);
      for (guint input = 2; input < n_inputs; input++)
        loop (target + offset, 1, get_items (op, input) + offset, 1, target + offset, n);
    }
}

static gboolean
fold_on_device (C2gOperator       *op,
                C2gComputeReduce   function,
                C2gTensor         *y,
                GError           **error)
{
  guint n_inputs = c2g_operator_get_n_inputs (op);
  g_autofree gconstpointer *xs = g_new (gconstpointer, n_inputs);

  for (guint i = 0; i < n_inputs; i++)
    xs[i] = get_items (op, i);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_FOLD, .reduce = function,
                      .type = c2g_tensor_get_data_type (y), .xs = xs, .n_xs = n_inputs,
                      .y = c2g_tensor_address (y), .n = y->n_elements);
}

static gboolean
run_fold (C2gOperator          *op,
          C2gComputeReduce      function,
          const C2gBinaryLoop  *loops,
          GError              **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType type;
  C2gTensor *y;

  if (x == NULL)
    return FALSE;
  if (c2g_operator_get_n_inputs (op) == 1)
    return c2g_operator_copy (op, error);

  type = c2g_tensor_get_data_type (x);
  if (!(type < C2G_N_LOOPS && loops[type] != NULL) &&
      (type != c2g_on_device_real_type (op) || loops[C2G_DATA_TYPE_FLOAT] == NULL))
    return c2g_operator_set_types_error (op, 0, C2G_LOOP_TYPES (loops), error);
  if (!check_alike (op, x, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, type, error);
  if (y == NULL)
    return FALSE;

  if (c2g_operator_get_compute (op) != NULL)
    return fold_on_device (op, function, y, error);
  fold (op, loops[type], c2g_tensor_address (y), y->meta->item_size, y->n_elements);
  return TRUE;
}

#define DEFINE_FOLD(name, NAME)                                                                    \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    return run_fold (op, C2G_COMPUTE_REDUCE_##NAME, name##_loops, error);                          \
  }

DEFINE_FOLD (sum, SUM)
DEFINE_FOLD (max, MAX)
DEFINE_FOLD (min, MIN)

static double
fold_count_flops (C2gOperator *op,
                  gpointer     state)
{
  return c2g_count_elements (op, state) * (c2g_operator_get_n_inputs (op) - 1);
}

/* Mean */

C2G_DEFINE_BINARY_LOOP (mul_floats, C2G_HOT, float, float, x * y)

static gboolean
find_common_dims (C2gOperator  *op,
                  gint64       *dims,
                  gsize        *n_dims,
                  GError      **error)
{
  g_autofree char *shape = NULL;

  *n_dims = 0;
  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gTensor *x = c2g_operator_input (op, i, C2G_DATA_TYPE_FLOAT, error);

      if (x == NULL || !c2g_operator_check_rank (op, i, x, error))
        return FALSE;
      if (c2g_broadcast_dims (dims, *n_dims, x->dims, x->n_dims, dims, n_dims))
        continue;

      shape = c2g_shape_to_string (dims, *n_dims);
      return c2g_operator_set_shape_error (op, i, error, _("one that broadcasts with %s"), shape);
    }

  return TRUE;
}

static gboolean
check_first_in_place (C2gOperator   *op,
                      const gint64  *dims,
                      gsize          n_dims,
                      GError       **error)
{
  C2gTensor *x = c2g_blob_get_tensor (c2g_operator_get_input (op, 0), NULL);
  g_autofree char *shape = NULL;

  if (c2g_operator_get_input (op, 0) != c2g_operator_get_output (op, 0) ||
      c2g_shape_equal (x->dims, x->n_dims, dims, n_dims))
    return TRUE;

  shape = c2g_shape_to_string (dims, n_dims);
  return c2g_operator_set_shape_error (op, 0, error, _("%s, for it is the output too"), shape);
}

/* Computes y = loop (x, other), where other is y, or one number if n_other_dims is 0. */
static void
run_broadcast (C2gTensor     *y,
               C2gTensor     *x,
               C2gBinaryLoop  loop,
               const float   *other,
               gsize          n_other_dims)
{
  C2gBroadcast plan;

  c2g_broadcast_plan (&plan, y->dims, y->n_dims, x->dims, x->n_dims, y->dims, n_other_dims);
  c2g_broadcast_run (&plan, loop, c2g_tensor_address (x), other, sizeof (float),
                     c2g_tensor_address (y), sizeof (float));
}

static void
plan_broadcast (C2gTensor    *y,
                C2gTensor    *x,
                C2gBroadcast *plan)
{
  c2g_broadcast_plan (plan, y->dims, y->n_dims, x->dims, x->n_dims, y->dims, y->n_dims);
}

/* Broadcasts the first input to the output, adds the others and divides. */
static gboolean
mean_on_device (C2gOperator  *op,
                C2gTensor    *y,
                GError      **error)
{
  const guint n_inputs = c2g_operator_get_n_inputs (op);
  C2gTensor *first = c2g_blob_get_tensor (c2g_operator_get_input (op, 0), NULL);
  gpointer target = c2g_tensor_address (y);
  C2gBroadcast plan;

  plan_broadcast (y, first, &plan);
  if (first != y && !C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_MOVE, .item_size = sizeof (float),
                                  .dims = plan.dims, .n_dims = plan.n_dims,
                                  .x = c2g_tensor_address (first), .x_strides = plan.a_strides,
                                  .y = target, .y_strides = plan.b_strides))
    return FALSE;
  for (guint i = 1; i < n_inputs; i++)
    {
      C2gTensor *x = c2g_blob_get_tensor (c2g_operator_get_input (op, i), NULL);

      plan_broadcast (y, x, &plan);
      if (!C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_ADD,
                        .type = C2G_DATA_TYPE_FLOAT, .dims = plan.dims, .n_dims = plan.n_dims,
                        .x = c2g_tensor_address (x), .x_strides = plan.a_strides, .other = target,
                        .other_strides = plan.b_strides, .y = target))
        return FALSE;
    }

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = y->n_elements,
                      .alpha = 1 / (double) n_inputs, .x = target, .y = target);
}

static gboolean
mean_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  guint n_inputs = c2g_operator_get_n_inputs (op);
  float factor = 1 / (float) n_inputs, one = 1;
  gint64 dims[C2G_DIMS_MAX];
  gsize n_dims;
  C2gTensor *y;

  if (!find_common_dims (op, dims, &n_dims, error) ||
      !check_first_in_place (op, dims, n_dims, error))
    return FALSE;
  y = c2g_operator_output (op, 0, dims, n_dims, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;
  if (c2g_operator_get_compute (op) != NULL)
    return mean_on_device (op, y, error);

  run_broadcast (y, c2g_blob_get_tensor (c2g_operator_get_input (op, 0), NULL), mul_floats, &one,
                 0);
  for (guint i = 1; i < n_inputs; i++)
    run_broadcast (y, c2g_blob_get_tensor (c2g_operator_get_input (op, i), NULL), sum_floats,
                   c2g_tensor_address (y), y->n_dims);
  mul_floats (c2g_tensor_address (y), 1, &factor, 0, c2g_tensor_address (y), y->n_elements);
  return TRUE;
}

/* WeightedSum */

C2G_HOT
static void
add_scaled (const float *x,
            float        weight,
            float       *y,
            gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] += weight * x[i];
}

/* Checks that all tensors have the size of x and all weights have one element. */
static gboolean
check_weighted (C2gOperator  *op,
                C2gTensor    *x,
                GError      **error)
{
  guint n_inputs = c2g_operator_get_n_inputs (op);

  if (n_inputs % 2 != 0)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("There are %u inputs, expected a weight for each tensor"), n_inputs);

  for (guint i = 0; i < n_inputs; i += 2)
    if (c2g_operator_input_sized (op, i, C2G_DATA_TYPE_FLOAT, x->n_elements, error) == NULL ||
        c2g_operator_input_sized (op, i + 1, C2G_DATA_TYPE_FLOAT, 1, error) == NULL)
      return FALSE;
  return TRUE;
}

/* Computes the product for each tensor in scratch memory and adds it; the first one directly. */
static gboolean
weighted_sum_on_device (C2gOperator  *op,
                        C2gTensor    *y,
                        GError      **error)
{
  static const gint64 each = 1, same = 0;
  const gint64 *n = &y->n_elements;
  gpointer target = c2g_tensor_address (y);
  gpointer product;
  g_autoptr (C2gStorage) scratch = c2g_on_device_scratch (op, *n, sizeof (float), &product, error);

  if (scratch == NULL)
    return FALSE;
  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i += 2)
    {
      if (!C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                        .type = C2G_DATA_TYPE_FLOAT, .dims = n, .n_dims = 1, .x = get_items (op, i),
                        .x_strides = &each, .other = get_items (op, i + 1), .other_strides = &same,
                        .y = i == 0 ? target : product) ||
          (i > 0 && !C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT,
                                  .n = *n, .alpha = 1, .x = product, .beta = 1, .y = target)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
weighted_sum_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  float *target;
  C2gTensor *y;

  if (x == NULL || !check_weighted (op, x, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return weighted_sum_on_device (op, y, error);

  target = c2g_tensor_address (y);
  for (gint64 i = 0; i < y->n_elements; i += BLOCK_SIZE)
    {
      gsize n = MIN (y->n_elements - i, BLOCK_SIZE);

      mul_floats ((const float *) get_items (op, 0) + i, 1, get_items (op, 1), 0, target + i, n);
      for (guint input = 2; input < c2g_operator_get_n_inputs (op); input += 2)
        add_scaled ((const float *) get_items (op, input) + i,
                    *(const float *) get_items (op, input + 1), target + i, n);
    }
  return TRUE;
}

/* ScatterWeightedSum */

/* Checks the tensors and weights from input 3 on. */
static gboolean
check_updates (C2gOperator  *op,
               gint64        n_elements,
               GError      **error)
{
  guint n_inputs = c2g_operator_get_n_inputs (op);

  if (n_inputs % 2 != 1)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("There are %u inputs, expected a weight for each tensor"), n_inputs);

  for (guint i = 3; i < n_inputs; i += 2)
    if (c2g_operator_input_sized (op, i, C2G_DATA_TYPE_FLOAT, n_elements, error) == NULL ||
        c2g_operator_input_sized (op, i + 1, C2G_DATA_TYPE_FLOAT, 1, error) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
check_scatter (C2gOperator  *op,
               C2gTensor    *x,
               C2gIndices   *indices,
               GError      **error)
{
  gint64 n_elements;

  if (x->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  if (!c2g_indices_init (indices, op, 2, error) ||
      !c2g_indices_check (indices, x->dims[0], FALSE, error) ||
      c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, 1, error) == NULL)
    return FALSE;

  n_elements = x->n_elements > 0 ? x->n_elements / x->dims[0] : 0;
  if (!__builtin_mul_overflow (n_elements, (gint64) indices->n, &n_elements))
    return check_updates (op, n_elements, error);
  return c2g_operator_set_shape_error (op, 2, error, _("fewer elements"));
}

static void
scatter (C2gOperator *op,
         float       *target,
         C2gIndices  *indices,
         gint64       n_columns)
{
  const float *first_weight = (const float *) get_items (op, 1);

  for (gsize i = 0; i < indices->n; i++)
    {
      float *row = target + c2g_indices_get (indices, i) * n_columns;

      mul_floats (row, 1, first_weight, 0, row, n_columns);
    }

  for (guint input = 3; input < c2g_operator_get_n_inputs (op); input += 2)
    for (gsize i = 0; i < indices->n; i++)
      add_scaled ((const float *) get_items (op, input) + i * n_columns,
                  *(const float *) get_items (op, input + 1),
                  target + c2g_indices_get (indices, i) * n_columns, n_columns);
}

/* As on the CPU, a row that occurs several times in indices is scaled by w₀ as many times. */
static gboolean
scatter_on_device (C2gOperator       *op,
                   float             *target,
                   const C2gIndices  *indices,
                   gint64             n_columns,
                   GError           **error)
{
  C2gComputeUpdate update = {
    .rule = C2G_COMPUTE_RULE_SCALE,
    .index_type = c2g_tensor_get_data_type (indices->tensor),
    .indices = c2g_tensor_address (indices->tensor),
    .n_indices = indices->n,
    .n = n_columns,
    .rate = (const float *) get_items (op, 1),
    .in = { target },
    .out = { target },
  };

  if (indices->n == 0)
    return TRUE;
  if (!C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UPDATE, .update = &update))
    return FALSE;

  update.rule = C2G_COMPUTE_RULE_ADD;
  for (guint input = 3; input < c2g_operator_get_n_inputs (op); input += 2)
    {
      update.x = (const float *) get_items (op, input);
      update.rate = (const float *) get_items (op, input + 1);
      if (!C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UPDATE, .update = &update))
        return FALSE;
    }
  return TRUE;
}

static gboolean
scatter_weighted_sum_run (C2gOperator  *op,
                          gpointer      state,
                          GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gIndices indices;
  C2gTensor *y;

  if (x == NULL || !check_scatter (op, x, &indices, error))
    return FALSE;
  if (c2g_operator_get_input (op, 0) != c2g_operator_get_output (op, 0))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The output is “%s”, expected the first input, “%s”"),
                     c2g_operator_def_get_outputs (c2g_operator_peek_def (op))[0],
                     c2g_operator_input_name (op, 0));

  /* Moves the tensor to memory of its own if its memory is read-only. */
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (y->n_elements > 0 && c2g_operator_get_compute (op) != NULL)
    return scatter_on_device (op, c2g_tensor_address (y), &indices, y->n_elements / y->dims[0],
                              error);
  if (y->n_elements > 0)
    scatter (op, c2g_tensor_address (y), &indices, y->n_elements / y->dims[0]);
  return TRUE;
}

#define FOLD(type, name, ...)                                                                      \
  {                                                                                                \
    type, NULL, 1, C2G_MANY, 1, 1, "0>0", NULL, 0, NULL, name##_run, NULL, fold_count_flops,       \
      __VA_ARGS__, .infer = name##_run, .is_for_devices = TRUE,                                    \
      .traits = C2G_TRAITS_ELEMENTWISE | C2G_TRAIT_HALF                                            \
  }

static const C2gKernel kernels[] = {
  FOLD ("Sum", sum, "The sum of all inputs", .role = C2G_ROLE_SUM),
  FOLD ("Max", max, "The largest of all inputs, element by element"),
  FOLD ("Min", min, "The smallest of all inputs, element by element"),
  FOLD ("Mean", mean, "The mean of all inputs"),
  { "WeightedSum", NULL, 2, C2G_MANY, 1, 1, "0>0", C2G_ARGS (C2G_ARG_IGNORED ("grad_on_w")), 0,
    NULL, weighted_sum_run, NULL,
    c2g_count_elements, "The weighted sum of tensors",
    .infer = weighted_sum_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "ScatterWeightedSum", NULL, 3, C2G_MANY, 1, 1, "0>0", NULL, 0, NULL, scatter_weighted_sum_run,
    NULL, NULL, "Adds weighted rows to rows given by indices",
    .infer = scatter_weighted_sum_run,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (nary);
