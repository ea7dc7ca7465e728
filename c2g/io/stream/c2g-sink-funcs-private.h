/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-sink-private.h>

G_BEGIN_DECLS

/* Functions of a kind of sink; free also discards uncommitted bytes. */
typedef struct
{
  gboolean (*write)  (C2gSink        *self,
                      gconstpointer   data,
                      gsize           n_bytes,
                      GError        **error);
  gboolean (*commit) (C2gSink        *self,
                      GCancellable   *cancellable,
                      GError        **error);
  void     (*free)   (C2gSink        *self);
} C2gSinkFuncs;

struct _C2gSink
{
  const C2gSinkFuncs *funcs;
  guint64             position;

  /* Collects small writes; NULL for a sink without a buffer. */
  guint8             *buffer;
  gsize               n_buffered;
};

/* For implementations: initializes a sink, with a buffer if wanted. */
void c2g_sink_init (C2gSink            *self,
                    const C2gSinkFuncs *funcs,
                    gboolean            is_buffered);

/* Writes a file through GIO, for files that are not local. */
C2gSink *c2g_stream_sink_new_for_file (GFile         *file,
                                       GCancellable  *cancellable,
                                       GError       **error);

G_END_DECLS
