/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* A reader returns an array of C2gFileEntry, which hold a reference to the source. If the source is
 * in memory and aligned, loaded tensors are read-only views of it. */

/* METADATA: the strings of __metadata__ by name, to be freed by the caller. The pointer may be
 * NULL. */
GPtrArray *c2g_safetensors_read_entries (C2gSource           *source,
                                         GHashTable         **metadata,
                                         GError             **error);
gboolean   c2g_safetensors_looks_like   (const guint8        *data,
                                         gsize                n_bytes,
                                         guint64              n_bytes_file);
/* Returns FALSE with an error that names blob and type if the format cannot hold the blob. */
gboolean   c2g_safetensors_check        (const C2gSaveItem   *item,
                                         GError             **error);
/* ITEMS: array of C2gSaveItem. */
gboolean   c2g_safetensors_write        (GPtrArray           *items,
                                         GHashTable          *metadata,
                                         C2gSink             *sink,
                                         const C2gJob        *job,
                                         GError             **error);

G_END_DECLS
