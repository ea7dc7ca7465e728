/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-job-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where bytes are written to, from the first to the last.  Of one thread. */
typedef struct _C2gSink C2gSink;

/* A file that appears under its name, whole and on the disk, with commit; until then, and
 * after a crash at any moment, what was there before is there. */
C2gSink  *c2g_sink_new_for_file   (GFile          *file,
                                   GCancellable   *cancellable,
                                   GError        **error);
C2gSink  *c2g_sink_new_for_stream (GOutputStream  *stream);
/* Memory for so many bytes; writing more makes it grow. */
C2gSink  *c2g_sink_new_for_memory (gsize           n_bytes);
/* The same in memory that is there, of g_malloc(), and is taken. */
C2gSink  *c2g_sink_new_for_buffer (gpointer        buffer,
                                   gsize           n_bytes);
/* Without commit nothing is left of the file. */
void      c2g_sink_free           (C2gSink        *self);

guint64   c2g_sink_get_position   (C2gSink        *self);
/* Small pieces are collected, large ones go where they belong at once. */
gboolean  c2g_sink_write          (C2gSink        *self,
                                   gconstpointer   data,
                                   gsize           n_bytes,
                                   const C2gJob   *job,
                                   GError        **error);
/* So many bytes are to come: memory that grows does it once.  Only a hint: where there is
 * none, writing says so. */
void      c2g_sink_reserve        (C2gSink        *self,
                                   gsize           n_bytes);
/* Of memory: room for exactly n_bytes, to be filled in by the caller; NULL for others and
 * where there is no memory. */
guint8   *c2g_sink_extend         (C2gSink        *self,
                                   gsize           n_bytes);
gboolean  c2g_sink_commit         (C2gSink        *self,
                                   GCancellable   *cancellable,
                                   GError        **error);
/* Of memory: what has been written. */
GBytes   *c2g_sink_steal_bytes    (C2gSink        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gSink, c2g_sink_free)

G_END_DECLS
