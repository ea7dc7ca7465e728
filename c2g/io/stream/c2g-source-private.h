/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-job-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* Bytes that can be read at any position: of a file, with pread(), or in memory. It is immutable
 * and thread-safe. A read beyond the end is C2G_ERROR_CORRUPT: the file claims to be longer, or
 * was truncated. */
typedef struct _C2gSource C2gSource;

/* Opens a regular file; folders, pipes and devices are errors. A file that is not local is read
 * into memory. */
C2gSource    *c2g_source_new_for_file   (GFile         *file,
                                         GCancellable  *cancellable,
                                         GError       **error);
/* The same with a memory mapping: reading raises SIGBUS if others truncate the file. */
C2gSource    *c2g_source_new_mapped     (GFile         *file,
                                         GCancellable  *cancellable,
                                         GError       **error);
C2gSource    *c2g_source_new_for_bytes  (GBytes        *bytes,
                                         const char    *name);
/* The rest of a stream, at most max_bytes. A seekable stream is read in place, by one thread
 * only, and its position changes. Other streams are read into memory. */
C2gSource    *c2g_source_new_for_stream (GInputStream  *stream,
                                         gsize          max_bytes,
                                         GCancellable  *cancellable,
                                         GError       **error);
C2gSource    *c2g_source_ref            (C2gSource     *self);
void          c2g_source_unref          (C2gSource     *self);

/* Returns the name for messages. */
const char   *c2g_source_get_name       (C2gSource     *self);
guint64       c2g_source_get_n_bytes    (C2gSource     *self);
/* Returns all bytes if the source is in memory, else NULL. */
const guint8 *c2g_source_peek           (C2gSource     *self);

/* Reads exactly n_bytes bytes and reports them to the job, which may be NULL. */
gboolean      c2g_source_read           (C2gSource     *self,
                                         guint64        offset,
                                         gpointer       buffer,
                                         gsize          n_bytes,
                                         const C2gJob  *job,
                                         GError       **error);
/* The same as GBytes, without a copy if the source is in memory. */
GBytes       *c2g_source_ref_bytes      (C2gSource     *self,
                                         guint64        offset,
                                         gsize          n_bytes,
                                         const C2gJob  *job,
                                         GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gSource, c2g_source_unref)

G_END_DECLS
