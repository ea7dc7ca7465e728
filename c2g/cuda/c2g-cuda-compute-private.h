/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* What operators of nets ask of CUDA devices. */
extern const C2gDeviceCompute c2g_cuda_compute;

/* The two that are worth a library: c2g-cuda-conv.c and c2g-cuda-gemm.c. */
gboolean c2g_cuda_compute_conv (C2gContext            *context,
                                const C2gComputeConv  *conv,
                                GError               **error);
gboolean c2g_cuda_compute_gemm (C2gContext            *context,
                                const C2gComputeGemm  *gemm,
                                GError               **error);

/* What any convolution begins and ends with: the output is what is added to it; biases and Relu. */
gboolean c2g_cuda_conv_start   (C2gContext            *context,
                                const C2gComputeConv  *conv,
                                GError               **error);
gboolean c2g_cuda_conv_finish  (C2gContext            *context,
                                const C2gComputeConv  *conv,
                                GError               **error);
/* How many elements the output has. */
gsize    c2g_cuda_conv_count   (const C2gComputeConv  *conv);

G_END_DECLS
