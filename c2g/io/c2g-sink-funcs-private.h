/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* What each kind of sink has; free also gives up what has not been committed. */
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

  /* What has been collected; NULL for a sink that needs no collecting. */
  guint8             *buffer;
  gsize               n_buffered;
};

/* For the kinds: gives a new one its buffer, if it wants one. */
void c2g_sink_init (C2gSink            *self,
                    const C2gSinkFuncs *funcs,
                    gboolean            is_buffered);

/* Where what belongs to files that GIO reaches goes. */
C2gSink *c2g_stream_sink_new_for_file (GFile         *file,
                                       GCancellable  *cancellable,
                                       GError       **error);

G_END_DECLS
