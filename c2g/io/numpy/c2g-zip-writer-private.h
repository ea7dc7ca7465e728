/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* Writes a ZIP archive sequentially into any sink. The size is not limited. */
typedef struct _C2gZipWriter C2gZipWriter;

/* Writes the bytes of a member into the sink. It may be called twice and must write the same
 * bytes each time. */
typedef gboolean (*C2gZipFillFunc) (gpointer        data,
                                    C2gSink        *sink,
                                    const C2gJob   *job,
                                    GError        **error);

#define C2G_ZIP_MAX_NAME G_MAXUINT16

/* Keeps the sink without a reference. */
C2gZipWriter *c2g_zip_writer_new    (C2gSink         *sink);
void          c2g_zip_writer_free   (C2gZipWriter    *self);

/* The name has at most C2G_ZIP_MAX_NAME bytes; n_bytes is the size that FILL writes. */
gboolean      c2g_zip_writer_add    (C2gZipWriter    *self,
                                     const char      *name,
                                     guint64          n_bytes,
                                     gboolean         compress,
                                     C2gZipFillFunc   fill,
                                     gpointer         data,
                                     const C2gJob    *job,
                                     GError         **error);
/* Writes the directory, which completes the archive. */
gboolean      c2g_zip_writer_finish (C2gZipWriter    *self,
                                     GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gZipWriter, c2g_zip_writer_free)

G_END_DECLS
