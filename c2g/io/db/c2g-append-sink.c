/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-append-sink-private.h>

#include <c2g/io/stream/c2g-net-file-private.h>
#include <c2g/io/stream/c2g-sink-funcs-private.h>
#include <c2g/io/stream/c2g-size-signal-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A sink that appends to a file, and truncates it to its old size without a commit. */

typedef struct
{
  C2gSink  parent;

  int      fd;
  char    *name;
  /* Size of the file at the last commit; without a commit it is truncated to this. */
  guint64  n_bytes;
  guint64  position;
} AppendSink;

static gboolean
append_sink_write (C2gSink        *sink,
                   gconstpointer   data,
                   gsize           n_bytes,
                   GError        **error)
{
  AppendSink *self = (AppendSink *) sink;
  const char *bytes = data;

  while (n_bytes > 0)
    {
      C2gSizeSignal size_signal;
      gssize n_written;

      c2g_size_signal_block (&size_signal);
      n_written = pwrite (self->fd, bytes, n_bytes, self->position);
      c2g_size_signal_unblock (&size_signal);

      if (n_written < 0 && errno == EINTR)
        continue;
      if (n_written < 0)
        return c2g_set_errno (error, self->name, errno);
      bytes += n_written;
      n_bytes -= n_written;
      self->position += n_written;
    }

  return TRUE;
}

static gboolean
append_sink_commit (C2gSink       *sink,
                    GCancellable  *cancellable,
                    GError       **error)
{
  AppendSink *self = (AppendSink *) sink;

  if (fsync (self->fd) != 0)
    return c2g_set_errno (error, self->name, errno);

  self->n_bytes = self->position;
  return TRUE;
}

/* Truncates the file after a failed write too: a part of it may have been written. */
static void
append_sink_free (C2gSink *sink)
{
  AppendSink *self = (AppendSink *) sink;
  struct stat status;

  if (self->fd >= 0 && self->position != self->n_bytes && fstat (self->fd, &status) == 0 &&
      (guint64) status.st_size > self->n_bytes && ftruncate (self->fd, self->n_bytes) != 0)
    g_warning ("Cannot make %s as long as it was: %s", self->name, g_strerror (errno));
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->name);
  g_free (self);
}

static const C2gSinkFuncs append_sink_funcs = {
  .write = append_sink_write,
  .commit = append_sink_commit,
  .free = append_sink_free,
};

/* Takes an flock(), which ends when the file is closed. File systems without locks are accepted. */
static gboolean
lock (AppendSink  *self,
      GError     **error)
{
  if (flock (self->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY, _("%s: Somebody else is writing to it"), self->name);
}

static gboolean
check_unchanged (AppendSink  *self,
                 GError     **error)
{
  struct stat status;

  if (fstat (self->fd, &status) != 0)
    return c2g_set_errno (error, self->name, errno);
  if (S_ISREG (status.st_mode) && (guint64) status.st_size == self->n_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("%s: Somebody else has written to it: expected %" PRIu64 " bytes, got %" PRIu64),
                   self->name, self->n_bytes, (guint64) status.st_size);
}

C2gSink *
c2g_append_sink_new (GFile    *file,
                     guint64   n_bytes,
                     GError  **error)
{
  g_autoptr (C2gSink) sink = NULL;
  AppendSink *self = g_new0 (AppendSink, 1);

  c2g_sink_init (&self->parent, &append_sink_funcs, TRUE);
  sink = &self->parent;
  self->fd = -1;
  self->name = g_file_get_parse_name (file);
  self->n_bytes = self->position = n_bytes;

  if (g_file_peek_path (file) == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("%s: Nothing can be added to a file that is not on this machine"),
                          self->name);

  self->fd = c2g_net_file_open (file, O_WRONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (self->fd < 0)
    {
      c2g_set_errno (error, self->name, errno);
      return NULL;
    }
  if (!lock (self, error) || !check_unchanged (self, error))
    return NULL;
  return g_steal_pointer (&sink);
}
