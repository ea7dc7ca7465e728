/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* The work that CUDA devices do for operators and tensors. */
extern const C2gDeviceCompute c2g_cuda_compute;

/* In c2g-cuda-search.c: these wait for a result. */
gboolean c2g_cuda_compute_gather  (C2gContext               *context,
                                   const C2gComputeRequest  *request,
                                   GError                  **error);
gboolean c2g_cuda_compute_find    (C2gContext               *context,
                                   const C2gComputeRequest  *request,
                                   GError                  **error);
gboolean c2g_cuda_compute_measure (C2gContext               *context,
                                   const C2gComputeRequest  *request,
                                   GError                  **error);

/* In c2g-cuda-conv.c and c2g-cuda-gemm.c, because libraries can compute these two faster. conv is
 * for operators without an engine, and what the engine CUDNN falls back to. gemm tries cuBLAS, then
 * c2g's own kernel. */
gboolean c2g_cuda_compute_conv (C2gContext            *context,
                                const C2gComputeConv  *conv,
                                GError               **error);
gboolean c2g_cuda_compute_gemm (C2gContext            *context,
                                const C2gComputeGemm  *gemm,
                                GError               **error);

/* The first and the last step of every convolution. start copies conv->sum, if there is one, into
 * the output, so that the products are added to it. finish adds the biases and applies Relu. */
gboolean c2g_cuda_conv_start   (C2gContext            *context,
                                const C2gComputeConv  *conv,
                                GError               **error);
gboolean c2g_cuda_conv_finish  (C2gContext            *context,
                                const C2gComputeConv  *conv,
                                GError               **error);
/* Number of elements of the output. */
gsize    c2g_cuda_conv_count   (const C2gComputeConv  *conv);

G_END_DECLS
