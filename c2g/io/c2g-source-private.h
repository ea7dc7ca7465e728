/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-job-private.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* Bytes that can be read from anywhere: of a file, by pread(), or in memory.  It does not
 * change, and can be used in several threads at once.  What lies beyond its end is
 * C2G_ERROR_CORRUPT: the file says of itself that it is longer, or has been cut off.
 */
typedef struct _C2gSource C2gSource;

/* A regular file; other files of the system (folders, pipes, devices) are errors.  What
 * GIO has to fetch from elsewhere is read into memory. */
C2gSource    *c2g_source_new_for_file   (GFile         *file,
                                         GCancellable  *cancellable,
                                         GError       **error);
/* The same, mapped: reading may fault when others make the file shorter. */
C2gSource    *c2g_source_new_mapped     (GFile         *file,
                                         GCancellable  *cancellable,
                                         GError       **error);
C2gSource    *c2g_source_new_for_bytes  (GBytes        *bytes,
                                         const char    *name);
/* What is left of a stream, max_bytes at most.  One that can seek is read where it lies:
 * in one thread, and it is elsewhere afterwards; others are read into memory. */
C2gSource    *c2g_source_new_for_stream (GInputStream  *stream,
                                         gsize          max_bytes,
                                         GCancellable  *cancellable,
                                         GError       **error);
C2gSource    *c2g_source_ref            (C2gSource     *self);
void          c2g_source_unref          (C2gSource     *self);

/* What to call it in messages. */
const char   *c2g_source_get_name       (C2gSource     *self);
guint64       c2g_source_get_n_bytes    (C2gSource     *self);
/* All of it, if it is in memory, else NULL. */
const guint8 *c2g_source_peek           (C2gSource     *self);

/* Exactly so many bytes; job, which may be NULL, is told of them piece by piece. */
gboolean      c2g_source_read           (C2gSource     *self,
                                         guint64        offset,
                                         gpointer       buffer,
                                         gsize          n_bytes,
                                         const C2gJob  *job,
                                         GError       **error);
/* The same as bytes, without a copy if the source is in memory. */
GBytes       *c2g_source_ref_bytes      (C2gSource     *self,
                                         guint64        offset,
                                         gsize          n_bytes,
                                         const C2gJob  *job,
                                         GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gSource, c2g_source_unref)

G_END_DECLS
