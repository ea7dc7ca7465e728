/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-job-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* A destination for bytes that are written in order. Not thread-safe. */
typedef struct _C2gSink C2gSink;

/* A file that appears under its name with the commit, complete and on the disk. Until then, and
 * after a crash at any moment, the old file is there. */
C2gSink  *c2g_sink_new_for_file   (GFile          *file,
                                   GCancellable   *cancellable,
                                   GError        **error);
C2gSink  *c2g_sink_new_for_stream (GOutputStream  *stream);
/* Memory for n_bytes bytes, which grows if more are written. */
C2gSink  *c2g_sink_new_for_memory (gsize           n_bytes);
/* The same in an existing buffer of g_malloc(), which the sink takes over. */
C2gSink  *c2g_sink_new_for_buffer (gpointer        buffer,
                                   gsize           n_bytes);
/* Without a commit the file is discarded. */
void      c2g_sink_free           (C2gSink        *self);

guint64   c2g_sink_get_position   (C2gSink        *self);
/* Small pieces are collected in the buffer, large ones are written directly. */
gboolean  c2g_sink_write          (C2gSink        *self,
                                   gconstpointer   data,
                                   gsize           n_bytes,
                                   const C2gJob   *job,
                                   GError        **error);
/* Announces n_bytes more bytes, so that memory grows only once. This is a hint: a lack of memory
 * is reported when writing. */
void      c2g_sink_reserve        (C2gSink        *self,
                                   gsize           n_bytes);
/* For a memory sink: returns room for exactly n_bytes bytes that the caller fills. NULL for other
 * sinks, and if there is no memory. */
guint8   *c2g_sink_extend         (C2gSink        *self,
                                   gsize           n_bytes);
gboolean  c2g_sink_commit         (C2gSink        *self,
                                   GCancellable   *cancellable,
                                   GError        **error);
/* For a memory sink: returns what was written. */
GBytes   *c2g_sink_steal_bytes    (C2gSink        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gSink, c2g_sink_free)

G_END_DECLS
