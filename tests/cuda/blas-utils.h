/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/libraries-utils.h"

#include <c2g/c2g-backend.h>
#include <c2g/cuda/c2g-cuda-backend.h>

#include <math.h>

/* Products of random matrices, compared with loops here, and a product of two numbers. */

static inline C2gContext *
new_context (C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gContext *context = c2g_context_for_device (device, &error);

  g_assert_no_error (error);
  return context;
}

/* Numbers that every type represents exactly, so that only the result is rounded. */
static inline C2gTensor *
new_numbers (C2gDataType type,
             gint64      n,
             guint       seed)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, type, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    {
      seed = seed * 1664525 + 1013904223;
      c2g_tensor_set_value (tensor, i, ((int) (seed >> 24) - 128) / 64.0, NULL);
    }

  return tensor;
}

static inline C2gTensor *
to_device (C2gTensor *tensor,
           C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *result = c2g_tensor_to_device (tensor, device, &error);

  g_assert_no_error (error);
  return result;
}

static inline double
get (C2gTensor *tensor,
     gint64     i)
{
  return c2g_tensor_get_value (tensor, i, NULL);
}

static inline double
expect (const C2gComputeGemm *gemm,
        C2gTensor            *a,
        C2gTensor            *b,
        C2gTensor            *c,
        gsize                 matrix,
        gsize                 row,
        gsize                 column)
{
  double sum = 0;

  for (gsize k = 0; k < gemm->depth; k++)
    sum += get (a, matrix * gemm->a_matrix +
                     (gemm->a_is_transposed ? k * gemm->a_stride + row
                                            : row * gemm->a_stride + k)) *
           get (b, matrix * gemm->b_matrix +
                     (gemm->b_is_transposed ? column * gemm->b_stride + k
                                            : k * gemm->b_stride + column));

  return gemm->alpha * sum +
         gemm->beta * get (c, matrix * gemm->c_matrix + row * gemm->c_stride + column);
}

static inline void
assert_products (const C2gComputeGemm *gemm,
                 C2gTensor            *a,
                 C2gTensor            *b,
                 C2gTensor            *c,
                 C2gTensor            *result)
{
  const double precision = gemm->type == C2G_DATA_TYPE_BFLOAT16  ? 1e-2
                           : gemm->type == C2G_DATA_TYPE_FLOAT16 ? 2e-3
                           : gemm->type == C2G_DATA_TYPE_DOUBLE  ? 1e-13
                                                                 : 1e-5;

  for (gsize matrix = 0; matrix < gemm->n_matrices; matrix++)
    for (gsize row = 0; row < gemm->n_rows; row++)
      for (gsize column = 0; column < gemm->c_stride; column++)
        {
          const gsize i = matrix * gemm->c_matrix + row * gemm->c_stride + column;
          const gboolean is_part = column < gemm->n_columns;
          const double expected = is_part ? expect (gemm, a, b, c, matrix, row, column) : get (c, i);

          g_assert_cmpfloat (fabs (get (result, i) - expected), <=,
                             is_part ? precision * (fabs (expected) + 1) : 0);
        }
}

static inline gboolean
multiply (C2gContext            *context,
          const C2gComputeGemm  *gemm,
          GError               **error)
{
  const C2gComputeRequest request = { .kind = C2G_COMPUTE_KIND_GEMM, .gemm = gemm };

  return c2g_cuda_device_backend (NULL)->compute->run (context, &request, error);
}

/* Sets the strides, with gaps between rows and matrices, or without. */
static inline void
lay_out (C2gComputeGemm *gemm,
         gsize           gap)
{
  gemm->a_stride = (gemm->a_is_transposed ? gemm->n_rows : gemm->depth) + gap;
  gemm->a_matrix = (gemm->a_is_transposed ? gemm->depth : gemm->n_rows) * gemm->a_stride + gap;
  gemm->b_stride = (gemm->b_is_transposed ? gemm->depth : gemm->n_columns) + gap;
  gemm->b_matrix = (gemm->b_is_transposed ? gemm->n_columns : gemm->depth) * gemm->b_stride + gap;
  gemm->c_stride = gemm->n_columns + gap;
  gemm->c_matrix = gemm->n_rows * gemm->c_stride + gap;
}

static inline void
check_product (C2gContext     *context,
               C2gComputeGemm  gemm)
{
  C2gDevice *device = c2g_context_get_device (context);
  g_autoptr (C2gTensor) a = new_numbers (gemm.type, gemm.a_matrix * gemm.n_matrices + 1, 1);
  g_autoptr (C2gTensor) b = new_numbers (gemm.type, gemm.b_matrix * gemm.n_matrices + 1, 2);
  g_autoptr (C2gTensor) c = new_numbers (gemm.type, gemm.c_matrix * gemm.n_matrices + 1, 3);
  g_autoptr (C2gTensor) far_a = to_device (a, device);
  g_autoptr (C2gTensor) far_b = to_device (b, device);
  g_autoptr (C2gTensor) far_c = to_device (c, device);
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (GError) error = NULL;

  gemm.a = c2g_tensor_raw_data (far_a, NULL);
  gemm.b = c2g_tensor_raw_data (far_b, NULL);
  gemm.c = c2g_tensor_raw_mutable_data (far_c, c2g_tensor_get_type_meta (far_c), NULL);
  multiply (context, &gemm, &error);
  g_assert_no_error (error);
  c2g_context_finish (context, &error);
  g_assert_no_error (error);

  result = to_device (far_c, c2g_device_cpu ());
  assert_products (&gemm, a, b, c, result);
}

static const C2gComputeGemm sizes[] = {
  { .n_rows = 1, .n_columns = 1, .depth = 1, .alpha = 1, .beta = 0, .n_matrices = 1 },
  { .n_rows = 3, .n_columns = 5, .depth = 7, .alpha = 1, .beta = 0, .n_matrices = 1 },
  { .n_rows = 8, .n_columns = 1, .depth = 4, .alpha = 0.5, .beta = 1, .n_matrices = 1 },
  { .n_rows = 5, .n_columns = 4, .depth = 3, .alpha = 2, .beta = -1, .n_matrices = 3 },
  { .n_rows = 4, .n_columns = 6, .depth = 0, .alpha = 2, .beta = 0.5, .n_matrices = 2 },
  { .n_rows = 0, .n_columns = 6, .depth = 2, .alpha = 2, .beta = 0.5, .n_matrices = 2 },
  { .n_rows = 2, .n_columns = 6, .depth = 2, .alpha = 2, .beta = 0.5, .n_matrices = 0 },
};

static inline void
check_products (C2gDataType type)
{
  g_autoptr (C2gContext) context = new_context (first_device ());

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint how = 0; how < 8; how++)
      {
        C2gComputeGemm gemm = sizes[i];

        gemm.type = type;
        gemm.a_is_transposed = (how & 1) != 0;
        gemm.b_is_transposed = (how & 2) != 0;
        lay_out (&gemm, how & 4 ? 3 : 0);
        check_product (context, gemm);
      }
}

/* Two numbers and a result, to be multiplied repeatedly. */
typedef struct
{
  C2gTensor      *far;
  C2gContext     *context;
  C2gComputeGemm  gemm;
} Square;

/* Each product computes c = c + 2 · 3. */
static inline void
square_init (Square    *self,
             C2gDevice *device)
{
  gint64 n = 3;
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (&n, 1, NULL, NULL);
  float *values = c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  float *address;

  values[0] = 2;
  values[1] = 3;
  values[2] = 0;
  self->context = new_context (device);
  self->far = c2g_tensor_new_for_device (device);
  c2g_tensor_copy_from (self->far, near, self->context, NULL);
  address = c2g_tensor_mutable_data (self->far, C2G_DATA_TYPE_FLOAT, NULL);
  self->gemm = (C2gComputeGemm) {
    .type = C2G_DATA_TYPE_FLOAT,
    .n_rows = 1,
    .n_columns = 1,
    .depth = 1,
    .alpha = 1,
    .beta = 1,
    .a = address,
    .b = address + 1,
    .c = address + 2,
    .a_stride = 1,
    .b_stride = 1,
    .c_stride = 1,
    .n_matrices = 1,
  };
}

static inline double
square_read (Square *self)
{
  g_autoptr (C2gTensor) near = c2g_tensor_new ();
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (near, self->far, self->context, &error);
  g_assert_no_error (error);
  c2g_context_finish (self->context, &error);
  g_assert_no_error (error);
  return get (near, 2);
}

static inline void
square_clear (Square *self)
{
  g_clear_object (&self->far);
  g_clear_object (&self->context);
}
