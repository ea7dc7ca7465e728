/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-job-private.h>
#include <c2g/io/c2g-npy-header-private.h>

G_BEGIN_DECLS

/* The next so many bytes. */
typedef gboolean (*C2gNpyReadFunc) (gpointer   stream,
                                    gpointer   buffer,
                                    gsize      n_bytes,
                                    GError   **error);

/* What follows a header, from wherever it comes: the bytes are read in order, once, and
 * are put where they belong in row-major order.  Tells the job of header->n_bytes. */
C2gTensor *c2g_npy_values_read (const C2gNpyHeader  *header,
                                C2gNpyReadFunc       read,
                                gpointer             stream,
                                const C2gJob        *job,
                                GError             **error);

G_END_DECLS
