/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-sink-funcs-private.h>

#include <zlib.h>

G_BEGIN_DECLS

/* A sink for the content of a member: counts bytes, computes the checksum and, if wanted,
 * compresses. Lives on the stack of its user. */
typedef struct
{
  C2gSink   parent;

  /* NULL to count only. */
  C2gSink  *target;
  guint32   crc;
  guint64   n_bytes;
  guint64   n_packed;

  gboolean  is_deflating;
  z_stream  deflater;
  guint8   *buffer;
} C2gZipSink;

gboolean c2g_zip_sink_init   (C2gZipSink  *self,
                              C2gSink     *target,
                              gboolean     compress,
                              GError     **error);
void     c2g_zip_sink_clear  (C2gZipSink  *self);
/* Writes the rest of the compressed bytes. */
gboolean c2g_zip_sink_finish (C2gZipSink  *self,
                              GError     **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gZipSink, c2g_zip_sink_clear)

G_END_DECLS
