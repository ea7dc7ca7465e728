/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-blas-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Compiled if the toolkit has no header of cuBLAS. */

char *
c2g_cuda_blas_describe (int device)
{
  return g_strdup_printf (_("c2g was made without %s"), "cuBLAS");
}

gboolean
c2g_cuda_blas_takes (const C2gComputeGemm *gemm)
{
  return FALSE;
}

gboolean
c2g_cuda_blas_gemm (C2gContext            *context,
                    const C2gComputeGemm  *gemm,
                    GError               **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("c2g was made without %s"), "cuBLAS");
}
