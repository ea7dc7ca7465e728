/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-compute-private.h>

#include <c2g/cuda/c2g-cuda-kernels-private.h>
#include <c2g/cuda/c2g-cuda-launch-private.h>

gboolean
c2g_cuda_compute_gemm (C2gContext            *context,
                       const C2gComputeGemm  *gemm,
                       GError               **error)
{
  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_gemm, gemm->a_is_transposed,
                          gemm->b_is_transposed, gemm->n_rows, gemm->n_columns, gemm->depth,
                          gemm->alpha, gemm->a, gemm->a_stride, gemm->a_matrix, gemm->b,
                          gemm->b_stride, gemm->b_matrix, gemm->beta, gemm->c, gemm->c_stride,
                          gemm->c_matrix, gemm->n_matrices);
}
