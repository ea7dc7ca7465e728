/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Makes the chunks of items ahead of the one who takes them out, in order, in several
 * threads.  Those that are being made, are made or have been taken out last are never
 * more than there are threads, that of the taker among them.
 */
typedef struct _C2gChunkQueue C2gChunkQueue;

typedef struct
{
  guint    n_chunks;
  /* Only the thread that takes it out may make it. */
  gboolean is_of_taker;
} C2gChunkItem;

/* Makes a chunk, in any thread. */
typedef GBytes *(*C2gChunkFunc) (guint      item,
                                 guint      chunk,
                                 gpointer   user_data,
                                 GError   **error);

/* The items are the caller's, and stay. */
C2gChunkQueue *c2g_chunk_queue_new  (const C2gChunkItem  *items,
                                     guint                n_items,
                                     guint                n_threads,
                                     C2gChunkFunc         func,
                                     gpointer             user_data);
/* Makes no more chunks, and waits until nobody is making one. */
void           c2g_chunk_queue_free (C2gChunkQueue       *self);

/* The next chunk, the first one of the first item at first; there must be one.  The one
 * before is to be let go first.  After an error there is no going on. */
GBytes        *c2g_chunk_queue_take (C2gChunkQueue       *self,
                                     GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gChunkQueue, c2g_chunk_queue_free)

G_END_DECLS
