/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* A pool of buffers for chunks. Reuse saves allocating the memory and touching its pages for each
 * chunk. All functions are thread-safe. */
typedef struct _C2gChunkPool C2gChunkPool;

/* For chunks of at most n_bytes. Chunks larger than a fixed limit do not use the pool. */
C2gChunkPool *c2g_chunk_pool_new      (guint64        n_bytes);
/* Bytes that are still in use stay valid; their memory is freed with the last reference. */
void          c2g_chunk_pool_free     (C2gChunkPool  *self);

/* Returns a sink for at most n_bytes bytes; 0 means unknown. *BUFFER is the memory of the pool,
 * or NULL if the sink has its own. */
C2gSink      *c2g_chunk_pool_new_sink (C2gChunkPool  *self,
                                       guint64        n_bytes,
                                       gconstpointer *buffer);
/* Returns the bytes of such a sink. Their buffer returns to the pool with the last reference. */
GBytes       *c2g_chunk_pool_take     (C2gChunkPool  *self,
                                       C2gSink       *sink,
                                       gconstpointer  buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gChunkPool, c2g_chunk_pool_free)

G_END_DECLS
