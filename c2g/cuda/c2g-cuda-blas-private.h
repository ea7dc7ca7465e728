/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* Products of matrices by cuBLAS, where that is installed. */

/* "13.1.0", or why it is not there, or was of no use to the device.  Nothing is started. */
char    *c2g_cuda_blas_describe (int device);

/* Whether it is there and takes such numbers that lie so; otherwise C2G_ERROR_NOT_SUPPORTED with
 * the reason.  There is something to compute. */
gboolean c2g_cuda_blas_takes    (const C2gComputeGemm  *gemm,
                                 GError               **error);
/* Of what it takes. */
gboolean c2g_cuda_blas_gemm     (C2gContext            *context,
                                 const C2gComputeGemm  *gemm,
                                 GError               **error);

G_END_DECLS
