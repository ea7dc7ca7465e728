/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/cuda/stream/c2g-cuda-stream.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_CONTEXT (c2g_cuda_context_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaContext, c2g_cuda_context, C2G_CUDA, CONTEXT, C2gContext)

C2G_AVAILABLE_IN_ALL
C2gContext    *c2g_cuda_context_new                   (C2gDevice       *device,
                                                       GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gContext    *c2g_cuda_context_new_for_stream        (C2gCudaStream   *stream) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gCudaStream *c2g_cuda_context_get_stream            (C2gCudaContext  *self);

C2G_AVAILABLE_IN_ALL
gboolean       c2g_cuda_context_get_tf32_products     (C2gCudaContext  *self);
C2G_AVAILABLE_IN_ALL
void           c2g_cuda_context_set_tf32_products     (C2gCudaContext  *self,
                                                       gboolean         tf32_products);

C2G_AVAILABLE_IN_ALL
gboolean       c2g_cuda_context_get_tf32_convolutions (C2gCudaContext  *self);
C2G_AVAILABLE_IN_ALL
void           c2g_cuda_context_set_tf32_convolutions (C2gCudaContext  *self,
                                                       gboolean         tf32_convolutions);

G_END_DECLS
