/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-matrix-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* MatMul: A and B are seen as matrices, cut at axis_a and axis_b; Y = A B, where trans_a and trans_b
 * transpose A and B first. They are float; on devices also float16, bfloat16 and double. Y is
 * (M, N), or has the shape of input 2, which MatMul's gradients use. Nothing is in place. The rule
 * is Caffe2's. On CUDA cuBLAS multiplies; floats that it cannot multiply go to kernels/gemm.cu. */

typedef struct
{
  int      axis_a;
  int      axis_b;
  gboolean trans_a;
  gboolean trans_b;
} MatMulState;

static gboolean
prepare (C2gOperator        *op,
         const MatMulState  *self,
         C2gTensor         **inputs,
         C2gGemm            *gemm,
         GError            **error)
{
  C2gMatrix a, b;

  gemm->type = c2g_on_device_factor_type (op);
  if (!c2g_operator_read_inputs (op, 2, gemm->type, inputs, error) ||
      !c2g_matrix_cut (&a, op, 0, inputs[0], self->axis_a, error) ||
      !c2g_matrix_cut (&b, op, 1, inputs[1], self->axis_b, error))
    return FALSE;

  gemm->trans_a = self->trans_a;
  gemm->trans_b = self->trans_b;
  gemm->m = self->trans_a ? a.n_columns : a.n_rows;
  gemm->k = self->trans_a ? a.n_rows : a.n_columns;
  gemm->n = self->trans_b ? b.n_rows : b.n_columns;
  c2g_gemm_pack (gemm);
  if ((self->trans_b ? b.n_columns : b.n_rows) == gemm->k)
    return c2g_gemm_check (gemm, error);

  return c2g_operator_set_shape_error (
    op, 1, error,
    self->trans_b ? _("a matrix of %" PRId64 " columns") : _("a matrix of %" PRId64 " rows"),
    gemm->k);
}

static C2gTensor *
resize_output (C2gOperator    *op,
               const C2gGemm  *gemm,
               GError        **error)
{
  const gint64 dims[] = { gemm->m, gemm->n };
  C2gTensor *like;

  if (c2g_operator_get_n_inputs (op) < 3)
    return c2g_operator_output (op, 0, dims, G_N_ELEMENTS (dims), gemm->type, error);

  like = c2g_operator_input (op, 2, C2G_DATA_TYPE_UNDEFINED, error);
  if (like == NULL)
    return NULL;
  if ((double) like->n_elements != (double) gemm->m * (double) gemm->n)
    {
      c2g_operator_set_shape_error (op, 2, error, _("%" PRId64 " times %" PRId64 " elements"),
                                    gemm->m, gemm->n);
      return NULL;
    }
  return c2g_operator_output_like (op, 0, like, gemm->type, error);
}

static gboolean
matmul_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  MatMulState *self = state;
  C2gTensor *inputs[2];
  C2gTensor *y;
  C2gGemm gemm = { 0 };

  if (!prepare (op, self, inputs, &gemm, error))
    return FALSE;
  y = resize_output (op, &gemm, error);
  if (y == NULL)
    return FALSE;

  gemm.a = c2g_tensor_address (inputs[0]);
  gemm.b = c2g_tensor_address (inputs[1]);
  gemm.c = c2g_tensor_address (y);
  if (c2g_operator_get_compute (op) != NULL && !c2g_on_device_gemm (op, &gemm, NULL, error))
    return FALSE;
  if (c2g_operator_get_compute (op) == NULL)
    c2g_gemm_run (&gemm);
  c2g_operator_set_flops (op, c2g_gemm_flops (&gemm));
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "MatMul",
    .min_inputs = 2,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (C2G_ARG_INT (MatMulState, axis_a, "axis_a", 1),
                           C2G_ARG_INT (MatMulState, axis_b, "axis_b", 1),
                           C2G_ARG_BOOLEAN (MatMulState, trans_a, "trans_a", FALSE),
                           C2G_ARG_BOOLEAN (MatMulState, trans_b, "trans_b", FALSE)),
    .state_size = sizeof (MatMulState),
    .run = matmul_run,
    .infer = matmul_run,
    .count_flops = c2g_operator_count_flops,
    .is_for_devices = TRUE,
    .summary = "The product of two matrices, either of them transposed if wanted",
    .traits = C2G_TRAITS_FLOAT | C2G_TRAIT_HALF,
  },
};

C2G_OPS_FAMILY (matmul);
