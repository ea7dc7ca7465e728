/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Produces chunks of items ahead of the consumer, in order, in several threads. The chunks that
 * are in work, ready or taken last are never more than the threads, the consumer included. */
typedef struct _C2gChunkQueue C2gChunkQueue;

typedef struct
{
  guint    n_chunks;
  /* Only the consumer thread may make the chunks of this item. */
  gboolean is_of_taker;
} C2gChunkItem;

/* Makes a chunk, in any thread. */
typedef GBytes *(*C2gChunkFunc) (guint      item,
                                 guint      chunk,
                                 gpointer   user_data,
                                 GError   **error);

/* The items must stay valid; they are not copied. */
C2gChunkQueue *c2g_chunk_queue_new  (const C2gChunkItem  *items,
                                     guint                n_items,
                                     guint                n_threads,
                                     C2gChunkFunc         func,
                                     gpointer             user_data);
/* Stops, and waits for the threads. */
void           c2g_chunk_queue_free (C2gChunkQueue       *self);

/* Returns the next chunk; there must be one. Release the chunk before first. No call may follow
 * an error. */
GBytes        *c2g_chunk_queue_take (C2gChunkQueue       *self,
                                     GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gChunkQueue, c2g_chunk_queue_free)

G_END_DECLS
