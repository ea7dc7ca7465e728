/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/compute/c2g-cuda-context.h>

#include <c2g/cuda/memory/c2g-cuda-workspace-private.h>

G_BEGIN_DECLS

/* The stream of a CUDA context; NULL for NULL, and for contexts of other devices. */
C2gCudaStream    *c2g_cuda_context_peek_stream (C2gContext *context);

/* Makes another context on the same stream, which shares the workspaces. */
C2gContext       *c2g_cuda_context_new_like (C2gContext *context);

/* The workspaces, which contexts made by c2g_cuda_context_new_like() share: one for the products of
 * cuBLAS, whose size is always the same, and one for the kernels and cuDNN, which may call cuBLAS
 * meanwhile. */
typedef enum
{
  C2G_CUDA_WORKSPACE_BLAS,
  C2G_CUDA_WORKSPACE_SCRATCH,
  C2G_CUDA_N_WORKSPACES
} C2gCudaWorkspaceKind;

C2gCudaWorkspace *c2g_cuda_context_peek_workspace (C2gContext           *context,
                                                   C2gCudaWorkspaceKind  kind);

/* Work whose factors may be rounded to the 10 bits of TensorFloat-32. */
typedef enum
{
  C2G_CUDA_TF32_PRODUCTS,
  C2G_CUDA_TF32_CONVOLUTIONS,
  C2G_CUDA_N_TF32
} C2gCudaTf32;

gboolean          c2g_cuda_context_has_tf32      (C2gContext  *context,
                                                  C2gCudaTf32  kind);

G_END_DECLS
