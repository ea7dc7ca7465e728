/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/numpy/c2g-npy-header-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>

G_BEGIN_DECLS

/* Reads the tensor with its values at OFFSET; makes a read-only view if possible. */
C2gTensor *c2g_npy_reader_read      (const C2gNpyHeader  *header,
                                     C2gSource           *source,
                                     guint64              offset,
                                     const C2gJob        *job,
                                     GError             **error);
/* Sets type and shape of the entry from the header. */
gboolean   c2g_npy_reader_set_entry (C2gFileEntry        *entry,
                                     const C2gNpyHeader  *header,
                                     GError             **error);

G_END_DECLS
