/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <c2g/cuda/stream/c2g-cuda-stream.h>

G_BEGIN_DECLS

/* Copies of pageable memory to a device go through pinned blocks, which CUDA reads by itself while
 * the processor goes on. The process has a few such blocks. */

/* Puts a copy from any host memory on a context's stream. The source has been read when this
 * returns. */
gboolean c2g_cuda_staging_upload (C2gContext     *context,
                                  C2gCudaStream  *stream,
                                  gconstpointer   source,
                                  gpointer        destination,
                                  gsize           n_bytes,
                                  GError        **error);

G_END_DECLS
