/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* A reader returns an array of C2gFileEntry, which hold a reference to the source. If the source is
 * in memory and aligned, loaded tensors are read-only views of it. */

/* A single array: the file has no name for it. */
GPtrArray *c2g_npy_read_entries         (C2gSource           *source,
                                         const char          *name,
                                         GError             **error);
gboolean   c2g_npy_looks_like           (const guint8        *data,
                                         gsize                n_bytes);
gboolean   c2g_npy_check                (const C2gSaveItem   *item,
                                         const char          *format,
                                         GError             **error);
gboolean   c2g_npy_write                (C2gTensor           *tensor,
                                         C2gSink             *sink,
                                         const C2gJob        *job,
                                         GError             **error);

/* An archive of such arrays, stored or deflated. */
GPtrArray *c2g_npz_read_entries         (C2gSource           *source,
                                         GError             **error);
gboolean   c2g_npz_check                (const C2gSaveItem   *item,
                                         GError             **error);
gboolean   c2g_npz_write                (GPtrArray           *items,
                                         gboolean             compress,
                                         C2gSink             *sink,
                                         const C2gJob        *job,
                                         GError             **error);

G_END_DECLS
