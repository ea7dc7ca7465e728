/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-sink-funcs-private.h>

/* A sink that writes through GIO, for streams and for files that are not local. */

typedef struct
{
  C2gSink        parent;

  GOutputStream *stream;
  /* TRUE if the sink opened the file and must discard it without a commit. */
  gboolean       is_file;
} StreamSink;

static gboolean
stream_sink_write (C2gSink        *sink,
                   gconstpointer   data,
                   gsize           n_bytes,
                   GError        **error)
{
  StreamSink *self = (StreamSink *) sink;

  return g_output_stream_write_all (self->stream, data, n_bytes, NULL, NULL, error);
}

static gboolean
stream_sink_commit (C2gSink       *sink,
                    GCancellable  *cancellable,
                    GError       **error)
{
  StreamSink *self = (StreamSink *) sink;

  if (!self->is_file)
    return g_output_stream_flush (self->stream, cancellable, error);

  self->is_file = FALSE;
  return g_output_stream_close (self->stream, cancellable, error);
}

/* GIO discards a replacement whose stream is closed with a cancelled cancellable. */
static void
stream_sink_free (C2gSink *sink)
{
  StreamSink *self = (StreamSink *) sink;
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();

  if (self->is_file)
    {
      g_cancellable_cancel (cancelled);
      g_output_stream_close (self->stream, cancelled, NULL);
    }
  g_object_unref (self->stream);
  g_free (self);
}

static const C2gSinkFuncs stream_sink_funcs = {
  .write = stream_sink_write,
  .commit = stream_sink_commit,
  .free = stream_sink_free,
};

C2gSink *
c2g_sink_new_for_stream (GOutputStream *stream)
{
  StreamSink *self = g_new0 (StreamSink, 1);

  c2g_sink_init (&self->parent, &stream_sink_funcs, TRUE);
  self->stream = g_object_ref (stream);
  return &self->parent;
}

C2gSink *
c2g_stream_sink_new_for_file (GFile         *file,
                              GCancellable  *cancellable,
                              GError       **error)
{
  g_autoptr (GFileOutputStream) stream = NULL;
  C2gSink *sink;

  stream = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, cancellable, error);
  if (stream == NULL)
    return NULL;

  sink = c2g_sink_new_for_stream (G_OUTPUT_STREAM (stream));
  ((StreamSink *) sink)->is_file = TRUE;
  return sink;
}
