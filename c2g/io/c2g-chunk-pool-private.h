/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* Memory that one chunk after the other is written to: it is asked for, and its pages are
 * touched, once.  Every function may be called in any thread.
 */
typedef struct _C2gChunkPool C2gChunkPool;

/* For chunks of at most so many bytes; no more than some size are kept here. */
C2gChunkPool *c2g_chunk_pool_new      (guint64        n_bytes);
/* Bytes that are still out go to nobody. */
void          c2g_chunk_pool_free     (C2gChunkPool  *self);

/* For at most so many bytes, if that is known, or else for any number.  Tells where that
 * is: the sink's, or NULL. */
C2gSink      *c2g_chunk_pool_new_sink (C2gChunkPool  *self,
                                       guint64        n_bytes,
                                       gconstpointer *buffer);
/* What was written to such a sink; its memory comes back with the last reference. */
GBytes       *c2g_chunk_pool_take     (C2gChunkPool  *self,
                                       C2gSink       *sink,
                                       gconstpointer  buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gChunkPool, c2g_chunk_pool_free)

G_END_DECLS
