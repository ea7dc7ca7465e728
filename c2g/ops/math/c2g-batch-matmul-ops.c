/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

/* BatchMatMul: A (…, M, K) and B (…, K, N) give Y (…, M, N) = A B for each matrix of the
 * batch. With trans_a A is (…, K, M), with trans_b B is (…, N, K). The batch dimensions
 * must be equal; with the argument broadcast they follow NumPy's rule. A tensor of one dimension
 * is a row vector as A and a column vector as B, and its M or N is left out of Y.  All tensors are
 * float, on a device float16, bfloat16 or double, too; nothing is in place. The rules are
 * Caffe2's. On CUDA cuBLAS multiplies; floats that it cannot multiply go to kernels/gemm.cu. */

typedef struct
{
  gboolean trans_a;
  gboolean trans_b;
  gboolean broadcast;
  /* Shape of the output. */
  gint64  *dims;
  gsize    n_allocated;
} BatchState;

/* One input, as a batch of matrices. */
typedef struct
{
  C2gTensor *tensor;
  gboolean   is_vector;
  gsize      n_batch_dims;
  gint64     n_rows;
  gint64     n_columns;
} Side;

typedef struct
{
  Side          a;
  Side          b;
  C2gGemm       gemm;
  /* Batch dimensions of the output. */
  const gint64 *batch_dims;
  gsize         n_batch_dims;
  gint64        n_batch;
} Batch;

static gboolean
read_side (C2gOperator  *op,
           guint         input,
           C2gDataType   type,
           Side         *side,
           GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, type, error);
  const gsize n = tensor != NULL ? tensor->n_dims : 0;

  if (tensor == NULL)
    return FALSE;
  if (n == 0)
    return c2g_operator_set_shape_error (op, input, error, _("at least one dimension"));

  side->tensor = tensor;
  side->is_vector = n == 1;
  side->n_batch_dims = n > 2 ? n - 2 : 0;
  side->n_rows = n == 1 ? (input == 0 ? 1 : tensor->dims[0]) : tensor->dims[n - 2];
  side->n_columns = n == 1 && input == 1 ? 1 : tensor->dims[n - 1];
  return TRUE;
}

static gboolean
prepare_product (C2gOperator       *op,
                 const BatchState  *self,
                 C2gDataType        type,
                 Batch             *batch,
                 GError           **error)
{
  C2gGemm *gemm = &batch->gemm;
  const Side *a = &batch->a;
  const Side *b = &batch->b;

  *gemm = (C2gGemm){ self->trans_a && !a->is_vector, self->trans_b && !b->is_vector };
  gemm->m = gemm->trans_a ? a->n_columns : a->n_rows;
  gemm->k = gemm->trans_a ? a->n_rows : a->n_columns;
  gemm->n = gemm->trans_b ? b->n_rows : b->n_columns;
  gemm->type = type;
  c2g_gemm_pack (gemm);
  if ((gemm->trans_b ? b->n_columns : b->n_rows) == gemm->k)
    return c2g_gemm_check (gemm, error);

  return c2g_operator_set_shape_error (
    op, 1, error,
    gemm->trans_b ? _("matrices of %" PRId64 " columns") : _("matrices of %" PRId64 " rows"),
    gemm->k);
}

/* Returns batch dimension i of n_dims. Missing leading dimensions are 1. */
static gint64
batch_dim (const Side *side,
           gsize       n_dims,
           gsize       i)
{
  const gsize n_missing = n_dims - side->n_batch_dims;

  return i < n_missing ? 1 : side->tensor->dims[i - n_missing];
}

static gboolean
prepare_batch (C2gOperator  *op,
               BatchState   *self,
               Batch        *batch,
               GError      **error)
{
  const gsize n_dims = MAX (batch->a.n_batch_dims, batch->b.n_batch_dims);
  const gboolean may_differ = self->broadcast || batch->a.is_vector || batch->b.is_vector;
  gboolean fits = may_differ || batch->a.n_batch_dims == batch->b.n_batch_dims;

  if (n_dims + 2 > self->n_allocated)
    {
      self->dims = g_renew (gint64, self->dims, n_dims + 2);
      self->n_allocated = n_dims + 2;
    }
  for (gsize i = 0; i < n_dims; i++)
    {
      const gint64 a = batch_dim (&batch->a, n_dims, i);
      const gint64 b = batch_dim (&batch->b, n_dims, i);

      fits &= a == b || (may_differ && (a == 1 || b == 1));
      self->dims[i] = a == 1 ? b : a;
    }

  batch->batch_dims = self->dims;
  batch->n_batch_dims = n_dims;
  if (fits)
    return c2g_shape_count (self->dims, n_dims, &batch->n_batch, error);
  return c2g_operator_set_shape_error (op, 1, error,
                                       self->broadcast
                                         ? _("dimensions that can be broadcast with A's")
                                         : _("as many matrices as A, or the argument “broadcast”"));
}

static C2gTensor *
resize_output (C2gOperator  *op,
               BatchState   *self,
               const Batch  *batch,
               GError      **error)
{
  gsize n = batch->n_batch_dims;

  /* The product of two vectors has the shape (1). */
  if (!batch->a.is_vector)
    self->dims[n++] = batch->gemm.m;
  if (!batch->b.is_vector || batch->a.is_vector)
    self->dims[n++] = batch->gemm.n;
  return c2g_operator_output (op, 0, self->dims, n, batch->gemm.type, error);
}

/* Returns the place of the matrix of one side for product i, by the broadcasting rule. */
static gint64
find_matrix (const Batch *batch,
             const Side  *side,
             gint64       i)
{
  gint64 distance = side->n_rows * side->n_columns;
  gint64 place = 0;

  for (gsize dim = batch->n_batch_dims; dim-- > 0;)
    {
      const gint64 n = batch_dim (side, batch->n_batch_dims, dim);

      if (n != 1)
        place += i % batch->batch_dims[dim] * distance;
      distance *= n;
      i /= batch->batch_dims[dim];
    }
  return place;
}

static void
run_products_cb (gsize    begin,
                 gsize    end,
                 guint    worker,
                 gpointer data)
{
  const Batch *batch = data;

  for (gsize i = begin; i < end; i++)
    {
      C2gGemm gemm = batch->gemm;

      gemm.a += find_matrix (batch, &batch->a, i);
      gemm.b += find_matrix (batch, &batch->b, i);
      gemm.c += (gint64) i * gemm.m * gemm.n;
      c2g_gemm_run (&gemm);
    }
}

static gint64
count_matrices (const Side *side)
{
  gint64 n = 1;

  for (gsize i = 0; i < side->n_batch_dims; i++)
    n *= side->tensor->dims[i];
  return n;
}

static void
compute (Batch *batch)
{
  const double work = c2g_gemm_flops (&batch->gemm) / 2;
  C2gGemm whole = batch->gemm;

  /* With a single B, all matrices of A form one tall matrix: one product is enough. */
  whole.m *= batch->n_batch;
  if (!whole.trans_a && count_matrices (&batch->b) == 1 &&
      count_matrices (&batch->a) == batch->n_batch && whole.m <= G_MAXINT32)
    c2g_gemm_run (&whole);
  else
    {
      batch->gemm.is_alone = c2g_gemm_runs_alone (batch->n_batch, work);
      c2g_parallel_for_workers (batch->n_batch, (gsize) (C2G_GEMM_GRAIN / (work + 1)),
                                batch->gemm.is_alone ? c2g_parallel_get_n_workers () : 1,
                                run_products_cb, batch);
    }
}

/* Returns the distance between the matrices of one side: 0 if there is only one matrix, -1 if
 * broadcasting does not give a constant distance. */
static gint64
find_distance (const Batch *batch,
               const Side  *side)
{
  const gint64 n = count_matrices (side);

  if (n == batch->n_batch)
    return side->n_rows * side->n_columns;
  return n == 1 ? 0 : -1;
}

static gboolean
multiply_on_device (C2gOperator  *op,
                    const Batch  *batch,
                    gint64        first,
                    gint64        n,
                    gint64        a_matrix,
                    gint64        b_matrix,
                    GError      **error)
{
  const C2gGemm *gemm = &batch->gemm;
  const gsize item_size = c2g_data_type_get_item_size (gemm->type);
  const C2gComputeGemm wanted = {
    .type = gemm->type,
    .a_is_transposed = gemm->trans_a,
    .b_is_transposed = gemm->trans_b,
    .n_rows = gemm->m,
    .n_columns = gemm->n,
    .depth = gemm->k,
    .alpha = 1,
    .a = (const char *) gemm->a + item_size * find_matrix (batch, &batch->a, first),
    .b = (const char *) gemm->b + item_size * find_matrix (batch, &batch->b, first),
    .c = (char *) gemm->c + item_size * first * gemm->m * gemm->n,
    .a_stride = gemm->lda,
    .b_stride = gemm->ldb,
    .c_stride = gemm->ldc,
    .n_matrices = n,
    .a_matrix = a_matrix,
    .b_matrix = b_matrix,
    .c_matrix = gemm->m * gemm->n,
  };

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_GEMM, .gemm = &wanted);
}

static gboolean
compute_on_device (C2gOperator  *op,
                   const Batch  *batch,
                   GError      **error)
{
  const gint64 a_matrix = find_distance (batch, &batch->a);
  const gint64 b_matrix = find_distance (batch, &batch->b);

  if (a_matrix >= 0 && b_matrix >= 0)
    return multiply_on_device (op, batch, 0, batch->n_batch, a_matrix, b_matrix, error);

  for (gint64 i = 0; i < batch->n_batch; i++)
    if (!multiply_on_device (op, batch, i, 1, 0, 0, error))
      return FALSE;
  return TRUE;
}

static gboolean
batch_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  BatchState *self = state;
  const C2gDataType type = c2g_on_device_factor_type (op);
  C2gTensor *y;
  Batch batch;

  if (!read_side (op, 0, type, &batch.a, error) || !read_side (op, 1, type, &batch.b, error) ||
      !prepare_product (op, self, type, &batch, error) || !prepare_batch (op, self, &batch, error))
    return FALSE;
  y = resize_output (op, self, &batch, error);
  if (y == NULL)
    return FALSE;
  if (y->n_elements == 0)
    return TRUE;

  batch.gemm.a = c2g_tensor_address (batch.a.tensor);
  batch.gemm.b = c2g_tensor_address (batch.b.tensor);
  batch.gemm.c = c2g_tensor_address (y);
  if (c2g_operator_get_compute (op) == NULL)
    compute (&batch);
  else if (!compute_on_device (op, &batch, error))
    return FALSE;
  c2g_operator_set_flops (op, c2g_gemm_flops (&batch.gemm) * (double) batch.n_batch);
  return TRUE;
}

static void
batch_clear (gpointer state)
{
  BatchState *self = state;

  g_free (self->dims);
}

static const C2gKernel kernels[] = {
  {
    .type = "BatchMatMul",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (C2G_ARG_BOOLEAN (BatchState, trans_a, "trans_a", FALSE),
                           C2G_ARG_BOOLEAN (BatchState, trans_b, "trans_b", FALSE),
                           C2G_ARG_BOOLEAN (BatchState, broadcast, "broadcast", FALSE)),
    .state_size = sizeof (BatchState),
    .run = batch_run,
    .infer = batch_run,
    .clear = batch_clear,
    .count_flops = c2g_operator_count_flops,
    .is_for_devices = TRUE,
    .summary = "The products of matrices, batch by batch",
    .traits = C2G_TRAITS_FLOAT | C2G_TRAIT_HALF,
  },
};

C2G_OPS_FAMILY (batch_matmul);
