/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-context.h>

#include <c2g/cuda/c2g-cuda-workspace-private.h>

G_BEGIN_DECLS

/* The stream of a CUDA context; NULL for NULL, and for contexts of other devices. */
C2gCudaStream    *c2g_cuda_context_peek_stream (C2gContext *context);

/* Makes another context on the same stream, which shares the workspace. */
C2gContext       *c2g_cuda_context_new_like (C2gContext *context);

/* The workspace, which contexts made by c2g_cuda_context_new_like() share. */
C2gCudaWorkspace *c2g_cuda_context_peek_workspace (C2gContext *context);

G_END_DECLS
