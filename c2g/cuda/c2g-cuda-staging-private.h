/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <c2g/cuda/c2g-cuda-stream.h>

G_BEGIN_DECLS

/* Memory of the processor that CUDA can read by itself while the processor goes on, for
 * what lies in memory that it cannot.  A few blocks for all of the process.
 */

/* Puts a copy from any memory of the processor on a context's stream, and has read it when it
 * returns. */
gboolean c2g_cuda_staging_upload (C2gContext     *context,
                                  C2gCudaStream  *stream,
                                  gconstpointer   source,
                                  gpointer        destination,
                                  gsize           n_bytes,
                                  GError        **error);

G_END_DECLS
