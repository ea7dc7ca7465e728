/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-compute-private.h>

#include <c2g/cuda/compute/c2g-cuda-blas-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

/* Matrix products of operators: chooses cuBLAS or the kernel of c2g. */

static gboolean
multiply (C2gContext            *context,
          const C2gComputeGemm  *gemm,
          GError               **error)
{
  const C2gComputeRequest request = { .type = gemm->type, .gemm = gemm };

  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_gemm, &request, NULL);
}

static gboolean
is_left_to_us (const GError *error)
{
  return g_error_matches (error, C2G_ERROR, C2G_ERROR_NO_MEMORY) ||
         g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

/* Multiplies with cuBLAS, which needs a workspace. c2g's own kernel needs none. It multiplies if there
 * is no memory left, or no cuBLAS that can do it. */
gboolean
c2g_cuda_compute_gemm (C2gContext            *context,
                       const C2gComputeGemm  *gemm,
                       GError               **error)
{
  g_autoptr (GError) local_error = NULL;

  if (gemm->n_rows == 0 || gemm->n_columns == 0 || gemm->n_matrices == 0)
    return TRUE;
  if (!c2g_cuda_blas_takes (gemm))
    return multiply (context, gemm, error);
  if (c2g_cuda_blas_gemm (context, gemm, &local_error))
    return TRUE;
  if (is_left_to_us (local_error))
    return multiply (context, gemm, error);

  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
