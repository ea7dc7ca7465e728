/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-context.h>

G_BEGIN_DECLS

/* What a context puts its work on; NULL for NULL, and for contexts of other devices. */
C2gCudaStream *c2g_cuda_context_peek_stream (C2gContext *context);

/* Another one on the same stream, which shares its workspace. */
C2gContext    *c2g_cuda_context_new_like (C2gContext  *context);

/* What cuBLAS works in, always as many bytes. It is kept for whoever comes next; as long as one has
 * it nobody else does, for a product may be several kernels. */
C2gStorage    *c2g_cuda_context_take_workspace (C2gContext  *context,
                                                gsize        n_bytes,
                                                GError     **error);
void           c2g_cuda_context_give_workspace (C2gContext  *context,
                                                C2gStorage  *storage);

G_END_DECLS
