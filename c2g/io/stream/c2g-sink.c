/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-sink-funcs-private.h>

#include <string.h>

/* The common part of all sinks: buffering, progress and cancellation. */

#define BUFFER_SIZE (64u << 10)

/* Maximum size of one write; the job is asked between writes whether to continue. */
#define MAX_PIECE (8u << 20)

void
c2g_sink_init (C2gSink            *self,
               const C2gSinkFuncs *funcs,
               gboolean            is_buffered)
{
  self->funcs = funcs;
  if (is_buffered)
    self->buffer = g_malloc (BUFFER_SIZE);
}

void
c2g_sink_free (C2gSink *self)
{
  g_free (self->buffer);
  self->funcs->free (self);
}

guint64
c2g_sink_get_position (C2gSink *self)
{
  return self->position;
}

static gboolean
flush (C2gSink  *self,
       GError  **error)
{
  gsize n_bytes = self->n_buffered;

  self->n_buffered = 0;
  return n_bytes == 0 || self->funcs->write (self, self->buffer, n_bytes, error);
}

static gboolean
write_pieces (C2gSink       *self,
              const guint8  *data,
              gsize          n_bytes,
              const C2gJob  *job,
              GError       **error)
{
  while (n_bytes > 0)
    {
      gsize n = job == NULL ? n_bytes : MIN (n_bytes, MAX_PIECE);

      if (!self->funcs->write (self, data, n, error) || !c2g_job_advance (job, n, error))
        return FALSE;
      data += n;
      n_bytes -= n;
    }

  return TRUE;
}

gboolean
c2g_sink_write (C2gSink        *self,
                gconstpointer   data,
                gsize           n_bytes,
                const C2gJob   *job,
                GError        **error)
{
  if (n_bytes == 0)
    return TRUE;

  self->position += n_bytes;
  if (self->buffer == NULL)
    return write_pieces (self, data, n_bytes, job, error);

  if (n_bytes > BUFFER_SIZE - self->n_buffered && !flush (self, error))
    return FALSE;
  if (n_bytes >= BUFFER_SIZE)
    return write_pieces (self, data, n_bytes, job, error);

  memcpy (self->buffer + self->n_buffered, data, n_bytes);
  self->n_buffered += n_bytes;
  return c2g_job_advance (job, n_bytes, error);
}

gboolean
c2g_sink_commit (C2gSink       *self,
                 GCancellable  *cancellable,
                 GError       **error)
{
  return !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         flush (self, error) &&
         self->funcs->commit (self, cancellable, error);
}
