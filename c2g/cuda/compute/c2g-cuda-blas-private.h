/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* Matrix products by cuBLAS, where it is installed. */

/* Returns the version ("13.1.0"), or the reason why cuBLAS cannot be used. Makes no handle. */
char    *c2g_cuda_blas_describe (int device);

/* Returns TRUE if cuBLAS is there and takes this type and these strides, of which none overlap. The
 * result must have elements. */
gboolean c2g_cuda_blas_takes    (const C2gComputeGemm  *gemm);
/* Multiplies matrices that c2g_cuda_blas_takes() accepted. */
gboolean c2g_cuda_blas_gemm     (C2gContext            *context,
                                 const C2gComputeGemm  *gemm,
                                 GError               **error);

G_END_DECLS
