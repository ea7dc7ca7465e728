/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/numpy/c2g-npy-header-private.h>
#include <c2g/io/stream/c2g-job-private.h>

G_BEGIN_DECLS

/* Reads the next n_bytes bytes. */
typedef gboolean (*C2gNpyReadFunc) (gpointer   stream,
                                    gpointer   buffer,
                                    gsize      n_bytes,
                                    GError   **error);

/* Reads the values behind a header from a stream, in order and once, and stores them in row-major
 * order. Reports header->n_bytes bytes to the job. */
C2gTensor *c2g_npy_values_read (const C2gNpyHeader  *header,
                                C2gNpyReadFunc       read,
                                gpointer             stream,
                                const C2gJob        *job,
                                GError             **error);

G_END_DECLS
