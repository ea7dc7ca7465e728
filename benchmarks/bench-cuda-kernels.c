/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures the library's own kernels by the bytes that they move. Kernels for each element are
 * compared with a copy within the device, and reductions with other libraries (peers/torch-cuda.py,
 * peers/cupy-cuda.py), whose rows have the same names. */

#include "bench-cuda.h"

#include <c2g/cuda/compute/c2g-cuda-kernels-private.h>

#include <c2g/core/types/c2g-version.h>

#include <stdlib.h>

/* Number of elements of each operand; reductions get them as a square. */
#define SIDE       8192
#define SMALL_SIDE 64

static gsize side, n;
static gpointer x, y, z, scratch;

#define CHECK bench_cuda_check

/* Starts a kernel with scratch memory, or NULL, and the fields of a request. */
#define RUN(name, memory, ...)                                                                     \
  CHECK (c2g_cuda_kernel_##name (&(C2gComputeRequest){ __VA_ARGS__ }, memory, NULL))

static void
run_copy (gpointer state)
{
  CHECK (cudaMemcpyAsync (y, x, n * sizeof (float), cudaMemcpyDeviceToDevice, NULL));
}

static void
run_fill (gpointer state)
{
  static const float one = 1;

  RUN (fill, NULL, .y = y, .item = &one, .item_size = sizeof one, .n = n);
}

static void
run_unary (gpointer state)
{
  RUN (unary, NULL, .unary = GPOINTER_TO_INT (state), .type = C2G_DATA_TYPE_FLOAT, .x = x, .y = y,
       .n = n);
}

static void
run_binary (gpointer state)
{
  const gint64 dims[] = { (gint64) n }, strides[] = { 1 };

  RUN (binary, NULL, .binary = GPOINTER_TO_INT (state), .type = C2G_DATA_TYPE_FLOAT, .dims = dims,
       .n_dims = 1, .x = x, .x_strides = strides, .other = y, .other_strides = strides, .y = z);
}

/* One row is added to all rows. */
static void
run_broadcast (gpointer state)
{
  const gint64 dims[] = { (gint64) side, (gint64) side };
  const gint64 x_strides[] = { (gint64) side, 1 }, y_strides[] = { 0, 1 };

  RUN (binary, NULL, .binary = C2G_COMPUTE_BINARY_ADD, .type = C2G_DATA_TYPE_FLOAT, .dims = dims,
       .n_dims = 2, .x = x, .x_strides = x_strides, .other = y, .other_strides = y_strides, .y = z);
}

static void
run_scale (gpointer state)
{
  RUN (axpby, NULL, .type = C2G_DATA_TYPE_FLOAT, .n = n, .alpha = 2, .x = x, .y = y);
}

static void
run_axpy (gpointer state)
{
  RUN (axpby, NULL, .type = C2G_DATA_TYPE_FLOAT, .n = n, .alpha = 2, .x = x, .y = y, .beta = 1);
}

static void
run_convert (gpointer state)
{
  const C2gDataType *types = state;

  RUN (convert, NULL, .type = types[0], .x = x, .y_type = types[1], .y = y, .n = n);
}

typedef struct
{
  C2gComputeReduce op;
  guint32       axes;
} Reduction;

static void
run_reduce (gpointer state)
{
  const Reduction *reduction = state;
  const gint64 dims[] = { (gint64) side, (gint64) side };

  RUN (reduce, scratch, .reduce = reduction->op, .type = C2G_DATA_TYPE_FLOAT, .x = x, .dims = dims,
       .n_dims = 2, .axes = reduction->axes, .y = y);
}

static void
run_dot (gpointer state)
{
  RUN (measure, scratch, .measure = C2G_COMPUTE_MEASURE_DOT, .type = C2G_DATA_TYPE_FLOAT, .n = n,
       .x = x, .other = y);
}

static void
run_arg (gpointer state)
{
  RUN (arg, NULL, .is_max = TRUE, .type = C2G_DATA_TYPE_FLOAT, .x = x, .n_outer = side, .n = side,
       .n_inner = 1, .y = y);
}

static void
run_softmax (gpointer state)
{
  RUN (softmax, NULL, .type = C2G_DATA_TYPE_FLOAT, .x = x, .y = y, .n_outer = side, .n = side);
}

static void
run_transpose (gpointer state)
{
  const gint64 dims[] = { (gint64) side, (gint64) side };
  const int axes[] = { 1, 0 };

  RUN (transpose, NULL, .item_size = sizeof (float), .dims = dims, .n_dims = 2, .order = axes,
       .x = x, .y = y);
}

static void
measure_elements (void)
{
  const double bytes = (double) (n * sizeof (float));

  bench_cuda_row ("copy within the GPU", 2 * bytes, run_copy, NULL);
  bench_cuda_row ("fill", bytes, run_fill, NULL);
  bench_cuda_row ("Relu", 2 * bytes, run_unary, GINT_TO_POINTER (C2G_COMPUTE_UNARY_RELU));
  bench_cuda_row ("Sigmoid", 2 * bytes, run_unary, GINT_TO_POINTER (C2G_COMPUTE_UNARY_SIGMOID));
  bench_cuda_row ("Tanh", 2 * bytes, run_unary, GINT_TO_POINTER (C2G_COMPUTE_UNARY_TANH));
  bench_cuda_row ("Add", 3 * bytes, run_binary, GINT_TO_POINTER (C2G_COMPUTE_BINARY_ADD));
  bench_cuda_row ("Mul", 3 * bytes, run_binary, GINT_TO_POINTER (C2G_COMPUTE_BINARY_MUL));
  bench_cuda_row ("Div", 3 * bytes, run_binary, GINT_TO_POINTER (C2G_COMPUTE_BINARY_DIV));
  bench_cuda_row ("Add a row", 2 * bytes, run_broadcast, NULL);
  bench_cuda_row ("scale", 2 * bytes, run_scale, NULL);
  bench_cuda_row ("axpy", 3 * bytes, run_axpy, NULL);
  bench_cuda_row ("transpose", 2 * bytes, run_transpose, NULL);
}

static void
measure_conversions (void)
{
  static C2gDataType pairs[][2] = {
    { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16 },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT },
    { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_BFLOAT16 },
    { C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_FLOAT },
    { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32 },
    { C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_FLOAT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      gsize size = c2g_data_type_get_item_size (pairs[i][0]) +
                   c2g_data_type_get_item_size (pairs[i][1]);
      g_autofree char *name = g_strdup_printf ("%s to %s", c2g_data_type_get_name (pairs[i][0]),
                                               c2g_data_type_get_name (pairs[i][1]));

      bench_cuda_row (name, (double) (n * size), run_convert, pairs[i]);
    }
}

static void
measure_reductions (void)
{
  static Reduction all = { C2G_COMPUTE_REDUCE_SUM, 3 }, rows = { C2G_COMPUTE_REDUCE_SUM, 2 },
                   columns = { C2G_COMPUTE_REDUCE_SUM, 1 }, largest = { C2G_COMPUTE_REDUCE_MAX, 3 },
                   largest_rows = { C2G_COMPUTE_REDUCE_MAX, 2 };
  const double bytes = (double) (n * sizeof (float));

  bench_cuda_row ("sum", bytes, run_reduce, &all);
  bench_cuda_row ("sum of rows", bytes, run_reduce, &rows);
  bench_cuda_row ("sum of columns", bytes, run_reduce, &columns);
  bench_cuda_row ("max", bytes, run_reduce, &largest);
  bench_cuda_row ("max of rows", bytes, run_reduce, &largest_rows);
  bench_cuda_row ("arg max of rows", bytes, run_arg, NULL);
  bench_cuda_row ("dot", 2 * bytes, run_dot, NULL);
  bench_cuda_row ("softmax of rows", 2 * bytes, run_softmax, NULL);
}

static gsize
find_scratch_size (void)
{
  const gint64 dims[] = { (gint64) side, (gint64) side };
  gsize size = c2g_cuda_kernel_measure_size ();

  for (guint32 axes = 1; axes <= 3; axes++)
    {
      const C2gComputeRequest request = { .dims = dims, .n_dims = 2, .axes = axes };

      size = MAX (size, c2g_cuda_kernel_reduce_size (&request));
    }
  return size;
}

int
main (int   argc,
      char *argv[])
{
  bench_cuda_begin ("c2g-cuda-kernels", c2g_get_version_string ());
  side = bench_cuda_size (SIDE, SMALL_SIDE);
  n = side * side;

  /* The largest items are numbers of 64 bits. */
  CHECK (cudaMalloc (&x, n * sizeof (gint64)));
  CHECK (cudaMalloc (&y, n * sizeof (gint64)));
  CHECK (cudaMalloc (&z, n * sizeof (gint64)));
  CHECK (cudaMalloc (&scratch, MAX (find_scratch_size (), 1)));
  /* One number of each type. */
  CHECK (cudaMemset (x, 0, n * sizeof (gint64)));
  CHECK (cudaMemset (y, 0, n * sizeof (gint64)));

  measure_elements ();
  measure_conversions ();
  measure_reductions ();
  bench_cuda_end ();

  CHECK (cudaFree (x));
  CHECK (cudaFree (y));
  CHECK (cudaFree (z));
  CHECK (cudaFree (scratch));
  return EXIT_SUCCESS;
}
