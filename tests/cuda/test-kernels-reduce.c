/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <math.h>
#include <string.h>

/* Kernels for reductions over axes, ArgMax and ArgMin, and softmax */

static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_DOUBLE,
                                     C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16,
                                     C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT64 };

typedef struct
{
  C2gComputeReduce op;
  const char *type;
  gboolean is_for_integers;
} Reduce;

static const Reduce reduces[] = {
  { C2G_COMPUTE_REDUCE_SUM, "ReduceSum", TRUE },
  { C2G_COMPUTE_REDUCE_MEAN, "ReduceMean", TRUE },
  { C2G_COMPUTE_REDUCE_MAX, "ReduceMax", TRUE },
  { C2G_COMPUTE_REDUCE_MIN, "ReduceMin", TRUE },
  { C2G_COMPUTE_REDUCE_L1, "ReduceL1", FALSE },
  { C2G_COMPUTE_REDUCE_L2, "ReduceL2", FALSE },
};

static gboolean
is_whole (C2gDataType type)
{
  return type == C2G_DATA_TYPE_INT32 || type == C2G_DATA_TYPE_INT64;
}

static C2gTensor *
run_reduce (C2gComputeReduce  op,
            C2gTensor     *x,
            guint32        axes,
            gsize          shift,
            const gint64  *dims,
            gsize          n_dims)
{
  C2gDataType type = c2g_tensor_get_data_type (x);
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) scratch = { NULL };
  C2gComputeRequest request = { .reduce = op, .type = type, .dims = x->dims, .n_dims = x->n_dims, .axes = axes };
  gsize n_results = 1;

  for (gsize i = 0; i < n_dims; i++)
    n_results *= dims[i];
  kernels_buffer_upload (&source, x, shift * x->meta->item_size);
  kernels_buffer_init (&target, n_results * x->meta->item_size, 0);
  kernels_buffer_init (&scratch, c2g_cuda_kernel_reduce_size (&request), 0);
  request.x = source.data;
  request.y = target.data;
  kernels_assert_success (c2g_cuda_kernel_reduce (&request, scratch.data, NULL));
  return kernels_buffer_fetch (&target, type, dims, n_dims);
}

static void
check_reduce (const Reduce  *reduce,
              C2gDataType    type,
              const gint64  *dims,
              gsize          n_dims,
              guint32        axes,
              gsize          shift)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (C2gTensor) x = kernels_new_random (type, dims, n_dims, is_whole (type) ? 50 : 1);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  double tolerance = 3e-6;

  g_string_printf (text, "type: '%s' arg { name: 'keepdims' i: 0 } arg { name: 'axes' ",
                   reduce->type);
  for (gsize i = 0; i < n_dims; i++)
    if ((axes >> i & 1) != 0)
      g_string_append_printf (text, "ints: %zu ", i);
  g_string_append (text, "}");
  expected = kernels_run_operator (text->str, &x, 1);
  result = run_reduce (reduce->op, x, axes, shift, expected->dims, expected->n_dims);
  /* The rounding errors of large sums add up. */
  if (reduce->op == C2G_COMPUTE_REDUCE_SUM && x->n_elements > 1000)
    tolerance = 1e-4;
  kernels_assert_alike (result, expected, tolerance);
}

static void
check_all_axes (const gint64 *dims,
                gsize         n_dims)
{
  for (guint32 axes = 1; axes < 1U << n_dims; axes++)
    for (gsize i = 0; i < G_N_ELEMENTS (reduces); i++)
      /* The small shapes are tested with every type. */
      for (gsize k = 0; k < G_N_ELEMENTS (types); k += n_dims > 3 || c2g_test_is_quick () ? 4 : 1)
        if ((reduces[i].is_for_integers || !is_whole (types[k])) &&
            /* Every reduction reads and writes the same places, so one of them does for each set of axes. */
            (!c2g_test_is_quick () || i == axes % G_N_ELEMENTS (reduces)))
          check_reduce (&reduces[i], types[k], dims, n_dims, axes, axes % 2);
}

static void
test_axes (void)
{
  check_all_axes (KERNELS_DIMS (1));
  check_all_axes (KERNELS_DIMS (7));
  check_all_axes (KERNELS_DIMS (3, 1, 5));
  check_all_axes (KERNELS_DIMS (33, 40));
  check_all_axes (KERNELS_DIMS (2, 35, 4, 3));
  check_all_axes (KERNELS_DIMS (2, 3, 2, 3, 2));
}

/* Long rows, which several blocks reduce. */
static void
test_large (void)
{
  const gint64 n = 20011;
  const C2gComputeRequest large = { .dims = &n, .n_dims = 1, .axes = 1 };

  for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (reduces); i++)
      if ((reduces[i].is_for_integers || !is_whole (types[k])) &&
          /* Each type and each reduction once. */
          (!c2g_test_is_quick () || (k + i) % G_N_ELEMENTS (types) == 0))
        {
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (20011), 1, 0);
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (3, 9001), 2, 1);
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (5003, 5), 1, 1);
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (2, 1301, 37), 2, 0);
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (1100, 9), 2, 0);
          /* More results than blocks. */
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (70, 1030), 2, 0);
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (70, 9, 40), 2, 0);
          check_reduce (&reduces[i], types[k], KERNELS_DIMS (3, 10, 7, 60), 5, 0);
        }
  g_assert_cmpuint (c2g_cuda_kernel_reduce_size (&large), >, 0);
}

/* No axis is reduced, or there are no elements. */
static void
test_nothing (void)
{
  const gint64 none[] = { 3, 0, 5 }, kept[] = { 3, 5 };
  g_autoptr (C2gTensor) empty = kernels_new_tensor (C2G_DATA_TYPE_FLOAT, none, 3);
  g_autoptr (C2gTensor) x = kernels_new_random (C2G_DATA_TYPE_FLOAT, kept, 2, 1);
  g_autoptr (C2gTensor) same = run_reduce (C2G_COMPUTE_REDUCE_MAX, x, 0, 0, kept, 2);
  g_autoptr (C2gTensor) sum = run_reduce (C2G_COMPUTE_REDUCE_SUM, empty, 2, 0, kept, 2);
  g_autoptr (C2gTensor) max = run_reduce (C2G_COMPUTE_REDUCE_MAX, empty, 2, 0, kept, 2);
  g_autoptr (C2gTensor) ends = run_reduce (C2G_COMPUTE_REDUCE_MIN, empty, 7, 0, kept, 0);
  g_autoptr (C2gTensor) nothing = run_reduce (C2G_COMPUTE_REDUCE_SUM, empty, 1, 0, none + 1, 2);

  kernels_assert_alike (same, x, 0);
  for (int i = 0; i < 15; i++)
    {
      g_assert_cmpfloat (((float *) kernels_data (sum))[i], ==, 0);
      g_assert_cmpfloat (((float *) kernels_data (max))[i], ==, -INFINITY);
    }
  g_assert_cmpfloat (*(float *) kernels_data (ends), ==, INFINITY);
  g_assert_cmpint (nothing->n_elements, ==, 0);
}

/* NaN is never the maximum, but makes the sum NaN. */
static void
test_nan (void)
{
  const gint64 n = 40;
  g_autoptr (C2gTensor) x = kernels_new_random (C2G_DATA_TYPE_FLOAT, &n, 1, 1);
  g_autoptr (C2gTensor) sum = NULL;
  g_autoptr (C2gTensor) max = NULL;

  ((float *) kernels_data (x))[17] = NAN;
  ((float *) kernels_data (x))[3] = 2;
  sum = run_reduce (C2G_COMPUTE_REDUCE_SUM, x, 1, 0, &n, 0);
  max = run_reduce (C2G_COMPUTE_REDUCE_MAX, x, 1, 0, &n, 0);
  g_assert_true (isnan (*(float *) kernels_data (sum)));
  g_assert_cmpfloat (*(float *) kernels_data (max), ==, 2);
}

static void
test_unknown (void)
{
  const gint64 n = 1;
  float byte = 0;

  g_assert_cmpint (KERNELS_RUN (reduce, NULL, .reduce = C2G_COMPUTE_REDUCE_L1,
                                .type = C2G_DATA_TYPE_INT32, .x = &byte, .dims = &n, .n_dims = 1,
                                .axes = 1, .y = &byte),
                   ==, cudaErrorNotSupported);
  g_assert_cmpint (KERNELS_RUN (reduce, NULL, .reduce = C2G_COMPUTE_REDUCE_SUM,
                                .type = C2G_DATA_TYPE_UINT8, .x = &byte, .dims = &n, .n_dims = 1,
                                .axes = 1, .y = &byte),
                   ==, cudaErrorNotSupported);
}

/* ArgMax and ArgMin */

static void
check_arg (gboolean      is_max,
           C2gDataType   type,
           const gint64 *dims,
           gsize         axis)
{
  g_autofree char *text = g_strdup_printf ("type: '%s' arg { name: 'axis' i: %zu }",
                                           is_max ? "ArgMax" : "ArgMin", axis);
  /* Few different numbers, so that several are the best. */
  g_autoptr (C2gTensor) x = kernels_new_random (type, dims, 3, is_whole (type) ? 4 : 1);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  gint64 n_outer = 1, n_inner = 1;

  for (gsize i = 0; i < 3; i++)
    if (i < axis)
      n_outer *= dims[i];
    else if (i > axis)
      n_inner *= dims[i];
  if (type == C2G_DATA_TYPE_FLOAT && x->n_elements > 40)
    {
      ((float *) kernels_data (x))[0] = NAN;
      ((float *) kernels_data (x))[37] = NAN;
    }

  expected = kernels_run_operator (text, &x, 1);
  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, expected->n_elements * sizeof (gint64), 0);
  kernels_assert_success (KERNELS_RUN (arg, NULL, .is_max = is_max, .type = type, .x = source.data,
                                       .n_outer = n_outer, .n = dims[axis], .n_inner = n_inner,
                                       .y = target.data));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_INT64, expected->dims, expected->n_dims);
  kernels_assert_alike (result, expected, 0);
}

static void
test_arg (void)
{
  static const gint64 dims[][3] = { { 1, 1, 1 }, { 5, 3, 200 }, { 2, 40, 7 }, { 0, 3, 4 }, { 3, 4, 1 } };

  for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (dims); i++)
      for (gsize axis = 0; axis < 3; axis++)
        for (int is_max = 0; is_max < 2; is_max++)
          if (dims[i][axis] > 0)
            check_arg (is_max, types[k], dims[i], axis);
}

/* Softmax */

static void
check_softmax (gboolean    is_log,
               C2gDataType type,
               gint64      n_rows,
               gint64      n,
               gsize       shift)
{
  const gint64 dims[] = { n_rows, n };
  g_autoptr (C2gTensor) x = kernels_new_random (type, dims, 2, 5);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  if (type == C2G_DATA_TYPE_FLOAT && x->n_elements > 2)
    {
      ((float *) kernels_data (x))[0] = 1000;
      ((float *) kernels_data (x))[1] = -INFINITY;
    }
  expected = kernels_run_operator (is_log ? "type: 'LogSoftmax'" : "type: 'Softmax'", &x, 1);
  kernels_buffer_upload (&source, x, shift * x->meta->item_size);
  kernels_buffer_init (&target, source.n_bytes, 0);
  kernels_assert_success (KERNELS_RUN (softmax, NULL, .is_log = is_log, .type = type,
                                       .x = source.data, .y = target.data, .n_outer = n_rows,
                                       .n = n));
  result = kernels_buffer_fetch (&target, type, dims, 2);
  kernels_assert_alike (result, expected, 1e-5);
}

static void
test_softmax (void)
{
  static const gint64 dims[][2] = { { 0, 3 }, { 1, 1 }, { 3, 7 }, { 5, 1000 }, { 2, 5001 }, { 70, 2051 }, { 100, 33 } };

  for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (dims) && k != 1 && k < 4; i++)
      {
        check_softmax (FALSE, types[k], dims[i][0], dims[i][1], 0);
        check_softmax (TRUE, types[k], dims[i][0], dims[i][1], 1);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/cuda-kernels/reduce/axes", test_axes);
  c2g_test_add_func ("/cuda-kernels/reduce/large", test_large);
  c2g_test_add_func ("/cuda-kernels/reduce/nothing", test_nothing);
  c2g_test_add_func ("/cuda-kernels/reduce/nan", test_nan);
  c2g_test_add_func ("/cuda-kernels/reduce/unknown", test_unknown);
  c2g_test_add_func ("/cuda-kernels/arg", test_arg);
  c2g_test_add_func ("/cuda-kernels/softmax", test_softmax);

  return kernels_test_run ();
}
