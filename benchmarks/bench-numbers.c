/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures sums, updates and conversions of whole tensors, compared with OpenBLAS and with memcpy()
 * of as many bytes. */

#include "bench.h"

#include <c2g/c2g.h>

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One element shows the cost of a call; the others fit into a core's cache, or do not. */
#define ONE   1
#define SMALL 262144
#define LARGE 4194304

static volatile double sink;
static void *(*volatile copy_bytes) (void *, const void *, size_t) = memcpy;

static void
check (GError *error)
{
  if (error == NULL)
    return;
  g_printerr ("bench-numbers: %s\n", error->message);
  exit (EXIT_FAILURE);
}

/* Two tensors of the same length, and the addresses of their elements. */

typedef struct
{
  C2gTensor *x;
  C2gTensor *y;
  void *xs;
  void *ys;
  int n;
} Pair;

static C2gTensor *
new_tensor (C2gDataType data_type,
            gint64 n,
            void **elements)
{
  GError *error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, &error);

  check (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  check (error);
  c2g_tensor_fill (tensor, 1, &error);
  check (error);
  *elements = GSIZE_TO_POINTER (c2g_tensor_get_address (tensor));
  return tensor;
}

/* All rows with the same types and length share a pair, because the distance between two arrays can
 * change the time by half, whoever computes. */
static void *
get_pair (C2gDataType x_type,
          C2gDataType y_type,
          int n)
{
  static GHashTable *pairs;
  g_autofree char *key = g_strdup_printf ("%d %d %d", x_type, y_type, n);
  Pair *self;

  if (pairs == NULL)
    pairs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self = g_hash_table_lookup (pairs, key);
  if (self == NULL)
    {
      self = g_new (Pair, 1);
      self->n = n;
      self->x = new_tensor (x_type, n, &self->xs);
      self->y = new_tensor (y_type, n, &self->ys);
      g_hash_table_insert (pairs, g_steal_pointer (&key), self);
    }
  return self;
}

#define DEFINE_SET_UP(name, x_type, y_type, n)                           \
  static void *set_up_##name##_##n (void)                                \
  {                                                                      \
    return get_pair (C2G_DATA_TYPE_##x_type, C2G_DATA_TYPE_##y_type, n); \
  }
#define DEFINE_SET_UPS(name, x_type, y_type)  \
  DEFINE_SET_UP (name, x_type, y_type, SMALL) \
  DEFINE_SET_UP (name, x_type, y_type, LARGE)

DEFINE_SET_UP (float, FLOAT, FLOAT, ONE)
DEFINE_SET_UP (to_float16, FLOAT, FLOAT16, ONE)
DEFINE_SET_UPS (float, FLOAT, FLOAT)
DEFINE_SET_UPS (double, DOUBLE, DOUBLE)
DEFINE_SET_UPS (float16, FLOAT16, FLOAT16)
DEFINE_SET_UPS (to_float16, FLOAT, FLOAT16)
DEFINE_SET_UPS (from_float16, FLOAT16, FLOAT)

#define DEFINE_RUN(name, expression) \
  static void name (void *data,      \
                    unsigned long n) \
  {                                  \
    Pair *self = data;               \
    GError *error = NULL;            \
                                     \
    while (n-- > 0)                  \
      expression;                    \
    check (error);                   \
  }

DEFINE_RUN (axpy, c2g_tensor_axpy (self->y, 0.001, self->x, &error))
DEFINE_RUN (scale, c2g_tensor_scale (self->y, -1, &error))
DEFINE_RUN (dot, sink = c2g_tensor_dot (self->x, self->y, &error))
DEFINE_RUN (asum, sink = c2g_tensor_asum (self->x, &error))
DEFINE_RUN (amax, sink = c2g_tensor_amax (self->x, &error))
DEFINE_RUN (convert, c2g_tensor_convert_from (self->y, self->x, C2G_CONVERT_SATURATE, &error))

DEFINE_RUN (blas_axpy_float, cblas_saxpy (self->n, 0.001f, self->xs, 1, self->ys, 1))
DEFINE_RUN (blas_scale_float, cblas_sscal (self->n, -1, self->ys, 1))
DEFINE_RUN (blas_dot_float, sink = cblas_sdot (self->n, self->xs, 1, self->ys, 1))
DEFINE_RUN (blas_asum_float, sink = cblas_sasum (self->n, self->xs, 1))
DEFINE_RUN (blas_amax_float, sink = (double) cblas_isamax (self->n, self->xs, 1))
DEFINE_RUN (blas_axpy_double, cblas_daxpy (self->n, 0.001, self->xs, 1, self->ys, 1))
DEFINE_RUN (blas_scale_double, cblas_dscal (self->n, -1, self->ys, 1))
DEFINE_RUN (blas_dot_double, sink = cblas_ddot (self->n, self->xs, 1, self->ys, 1))
DEFINE_RUN (blas_asum_double, sink = cblas_dasum (self->n, self->xs, 1))
DEFINE_RUN (blas_amax_double, sink = (double) cblas_idamax (self->n, self->xs, 1))

/* Reads and writes as many bytes as a conversion between floats and float16 does. */
DEFINE_RUN (copy, copy_bytes (self->ys, self->xs, 3 * (size_t) self->n))

#define ROW(operation, pair, n)                                                \
  {                                                                            \
    "" #operation "-" #pair "-" #n, set_up_##pair##_##n, NULL, operation, 0    \
  }
#define ROWS(operation, pair) ROW (operation, pair, SMALL), ROW (operation, pair, LARGE)
#define BLAS_ROW(operation, type, n) \
  {                                                                                              \
    "blas-" #operation "-" #type "-" #n, set_up_##type##_##n, NULL, blas_##operation##_##type, 0 \
  }
#define BLAS_ROWS(operation, type)                                 \
  ROW (operation, type, SMALL), BLAS_ROW (operation, type, SMALL), \
  ROW (operation, type, LARGE), BLAS_ROW (operation, type, LARGE)

int
main (int    argc,
      char **argv)
{
  static const BenchRow rows[] = {
    ROW (axpy, float, ONE),
    ROW (asum, float, ONE),
    ROW (convert, to_float16, ONE),
    BLAS_ROWS (axpy, float),
    BLAS_ROWS (scale, float),
    BLAS_ROWS (asum, float),
    BLAS_ROWS (amax, float),
    BLAS_ROWS (dot, float),
    BLAS_ROWS (axpy, double),
    BLAS_ROWS (scale, double),
    BLAS_ROWS (asum, double),
    BLAS_ROWS (amax, double),
    BLAS_ROWS (dot, double),
    ROWS (axpy, float16),
    ROWS (asum, float16),
    ROWS (convert, to_float16),
    ROWS (convert, from_float16),
    ROWS (copy, float),
  };

  /* Both use one thread, because processor time is the sum over all threads. */
  openblas_set_num_threads (1);
  return bench_main (argc, argv, "c2g", c2g_get_version_string (), rows, G_N_ELEMENTS (rows));
}
