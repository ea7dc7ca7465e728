/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-source-private.h>

#include <c2g/io/stream/c2g-net-file-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads bytes at any position of a file, stream or memory. All readers of file formats use it. */

/* Size of the first read where the size of the file or stream is not known. */
#define FIRST_BYTES (64 << 10)

/* Size according to the file system. It is only a hint: a pipe has none, and it may be wrong. */
static gsize
guess_size (GFileInputStream *stream,
            GCancellable     *cancellable)
{
  g_autoptr (GFileInfo) info = NULL;
  goffset size = 0;

  info = g_file_input_stream_query_info (stream, G_FILE_ATTRIBUTE_STANDARD_SIZE, cancellable, NULL);
  if (info != NULL && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_STANDARD_SIZE))
    size = g_file_info_get_size (info);
  if (size < FIRST_BYTES || (guint64) size > G_MAXSIZE / 2)
    return FIRST_BYTES;

  /* One byte more, so that the first read also meets the end of the file. */
  return (gsize) size + 1;
}

static gboolean
set_no_memory (gsize    n_bytes,
               GError **error)
{
  return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"), n_bytes);
}

static gboolean
grow (guint8 **data,
      gsize   *capacity,
      gsize    wanted,
      GError **error)
{
  guint8 *more = g_try_realloc (*data, wanted);

  if (more == NULL)
    return set_no_memory (wanted, error);
  *data = more;
  *capacity = wanted;
  return TRUE;
}

static gboolean
check_size (gsize    n_bytes,
            gsize    max_bytes,
            GError **error)
{
  if (n_bytes <= max_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("More than %zu bytes, which is more than can be read"),
                   max_bytes);
}

/* Reads to the end; the buffer has size_hint bytes at first. */
static GBytes *
read_all (GInputStream  *stream,
          gsize          size_hint,
          gsize          max_bytes,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autofree guint8 *data = NULL;
  gsize capacity = 0;
  gsize n_bytes = 0;
  gsize n_read;

  if (!grow (&data, &capacity, size_hint, error))
    return NULL;

  for (;;)
    {
      if (!g_input_stream_read_all (stream, data + n_bytes, capacity - n_bytes, &n_read,
                                    cancellable, error))
        return NULL;
      n_bytes += n_read;
      if (!check_size (n_bytes, max_bytes, error))
        return NULL;
      if (n_bytes < capacity)
        break;
      if (capacity > G_MAXSIZE / 2)
        {
          set_no_memory (G_MAXSIZE, error);
          return NULL;
        }
      if (!grow (&data, &capacity, 2 * capacity, error))
        return NULL;
    }

  return g_bytes_new_take (g_steal_pointer (&data), n_bytes);
}

/* Reads a file. Unlike g_file_load_bytes() it sets an error, and does not abort, if there is no
 * memory. */
static GBytes *
file_bytes_load (GFile         *file,
                 GCancellable  *cancellable,
                 GError       **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);

  if (stream == NULL)
    return NULL;

  return read_all (G_INPUT_STREAM (stream), guess_size (stream, cancellable), G_MAXSIZE,
                   cancellable, error);
}

/* Reads the rest of a stream; an error if it is more than max_bytes. */
static GBytes *
file_bytes_read_stream (GInputStream  *stream,
                        gsize          max_bytes,
                        GCancellable  *cancellable,
                        GError       **error)
{
  return read_all (stream, FIRST_BYTES, max_bytes, cancellable, error);
}

/* Maximum size of one read; the job is asked between reads whether to continue. */
#define MAX_PIECE (8u << 20)

struct _C2gSource
{
  gatomicrefcount ref_count;

  char           *name;
  guint64         n_bytes;

  /* The file descriptor of a file, or -1 and either a stream that starts at BASE, or memory. */
  int             fd;
  GInputStream   *stream;
  goffset         base;
  GBytes         *bytes;
  const guint8   *data;
};

static C2gSource *
new_source (char *name)
{
  C2gSource *self = g_new0 (C2gSource, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = name;
  self->fd = -1;
  return self;
}

static void
set_bytes (C2gSource *self,
           GBytes    *bytes)
{
  gsize n_bytes;

  self->bytes = bytes;
  self->data = g_bytes_get_data (bytes, &n_bytes);
  self->n_bytes = n_bytes;
  /* Never NULL, so that an empty source also counts as being in memory. */
  if (self->data == NULL)
    self->data = (const guint8 *) "";
}

/* Only regular files have a known size. */
static gboolean
check_regular (C2gSource          *self,
               const struct stat  *status,
               GError            **error)
{
  if (S_ISREG (status->st_mode))
    return TRUE;

  if (S_ISDIR (status->st_mode))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                 _("%s: This is a folder"), self->name);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                 _("%s: This is a pipe or a device, not a regular file"), self->name);
  return FALSE;
}

/* Opens a file with a path. Without O_NONBLOCK, opening a pipe would wait for a writer. */
static gboolean
open_path (C2gSource  *self,
           GFile      *file,
           GError    **error)
{
  struct stat status;

  self->fd = c2g_net_file_open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (self->fd < 0 || fstat (self->fd, &status) != 0)
    return c2g_set_errno (error, self->name, errno);
  if (!check_regular (self, &status, error))
    return FALSE;

  self->n_bytes = status.st_size;
  return TRUE;
}

static gboolean
load (C2gSource     *self,
      GFile         *file,
      GCancellable  *cancellable,
      GError       **error)
{
  GBytes *bytes = file_bytes_load (file, cancellable, error);

  if (bytes == NULL)
    {
      g_prefix_error (error, "%s: ", self->name);
      return FALSE;
    }

  set_bytes (self, bytes);
  return TRUE;
}

C2gSource *
c2g_source_new_for_file (GFile         *file,
                         GCancellable  *cancellable,
                         GError       **error)
{
  g_autoptr (C2gSource) self = new_source (g_file_get_parse_name (file));

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (g_file_peek_path (file) != NULL ? !open_path (self, file, error)
                                      : !load (self, file, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Converts the GFileError of a mapping to the domains of other errors. */
static void
set_map_error (C2gSource     *self,
               const GError  *map_error,
               GError       **error)
{
  if (g_error_matches (map_error, G_FILE_ERROR, G_FILE_ERROR_NOMEM))
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, "%s: %s", self->name, map_error->message);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", self->name, map_error->message);
}

C2gSource *
c2g_source_new_mapped (GFile         *file,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autoptr (C2gSource) self = c2g_source_new_for_file (file, cancellable, error);
  g_autoptr (GMappedFile) mapped = NULL;
  g_autoptr (GError) map_error = NULL;

  if (self == NULL)
    return NULL;
  if (self->fd >= 0)
    {
      mapped = g_mapped_file_new_from_fd (self->fd, FALSE, &map_error);
      if (mapped == NULL)
        {
          set_map_error (self, map_error, error);
          return NULL;
        }
      set_bytes (self, g_mapped_file_get_bytes (mapped));
      close (g_steal_fd (&self->fd));
    }
  return g_steal_pointer (&self);
}

C2gSource *
c2g_source_new_for_bytes (GBytes     *bytes,
                          const char *name)
{
  C2gSource *self = new_source (g_strdup (name));

  set_bytes (self, g_bytes_ref (bytes));
  return self;
}

/* Measures from the current position of the stream to its end. */
static gboolean
measure_stream (C2gSource     *self,
                GCancellable  *cancellable,
                GError       **error)
{
  GSeekable *seekable = G_SEEKABLE (self->stream);
  goffset end;

  self->base = g_seekable_tell (seekable);
  if (!g_seekable_seek (seekable, 0, G_SEEK_END, cancellable, error))
    return FALSE;
  end = g_seekable_tell (seekable);
  if (!g_seekable_seek (seekable, self->base, G_SEEK_SET, cancellable, error))
    return FALSE;

  self->n_bytes = MAX (end, self->base) - self->base;
  return TRUE;
}

static gboolean
open_stream (C2gSource     *self,
             GInputStream  *stream,
             gsize          max_bytes,
             GCancellable  *cancellable,
             GError       **error)
{
  GBytes *bytes;

  if (G_IS_SEEKABLE (stream) && g_seekable_can_seek (G_SEEKABLE (stream)))
    {
      self->stream = g_object_ref (stream);
      return measure_stream (self, cancellable, error);
    }

  bytes = file_bytes_read_stream (stream, max_bytes, cancellable, error);
  if (bytes == NULL)
    return FALSE;
  set_bytes (self, bytes);
  return TRUE;
}

C2gSource *
c2g_source_new_for_stream (GInputStream  *stream,
                           gsize          max_bytes,
                           GCancellable  *cancellable,
                           GError       **error)
{
  g_autoptr (C2gSource) self = new_source (g_strdup (_("stream")));

  if (!open_stream (self, stream, max_bytes, cancellable, error))
    return NULL;
  if (self->n_bytes > max_bytes)
    return c2g_fail_null (error, C2G_ERROR_RANGE,
                          _("More than %zu bytes, which is more than can be read"), max_bytes);
  return g_steal_pointer (&self);
}

C2gSource *
c2g_source_ref (C2gSource *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
c2g_source_unref (C2gSource *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->fd >= 0)
    close (self->fd);
  g_clear_object (&self->stream);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->name);
  g_free (self);
}

const char *
c2g_source_get_name (C2gSource *self)
{
  return self->name;
}

guint64
c2g_source_get_n_bytes (C2gSource *self)
{
  return self->n_bytes;
}

const guint8 *
c2g_source_peek (C2gSource *self)
{
  return self->data;
}

static gboolean
check_range (C2gSource  *self,
             guint64     offset,
             gsize       n_bytes,
             GError    **error)
{
  if (offset <= self->n_bytes && n_bytes <= self->n_bytes - offset)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("%zu bytes at offset %" PRIu64 " of a file of %" PRIu64), n_bytes, offset,
                   self->n_bytes);
}

static gboolean
read_piece (C2gSource  *self,
            guint64     offset,
            guint8     *buffer,
            gsize       n_bytes,
            GError    **error)
{
  while (n_bytes > 0)
    {
      gssize n_read = pread (self->fd, buffer, n_bytes, offset);

      if (n_read < 0 && errno == EINTR)
        continue;
      if (n_read < 0)
        return c2g_set_errno (error, self->name, errno);
      if (n_read == 0)
        return c2g_fail (error, C2G_ERROR_CORRUPT,
                         _("The file has become shorter: there is nothing at offset %" PRIu64), offset);
      buffer += n_read;
      offset += n_read;
      n_bytes -= n_read;
    }

  return TRUE;
}

static gboolean
read_stream (C2gSource     *self,
             guint64        offset,
             guint8        *buffer,
             gsize          n_bytes,
             GCancellable  *cancellable,
             GError       **error)
{
  gsize n_read;

  if (!g_seekable_seek (G_SEEKABLE (self->stream), self->base + (goffset) offset, G_SEEK_SET,
                        cancellable, error) ||
      !g_input_stream_read_all (self->stream, buffer, n_bytes, &n_read, cancellable, error))
    return FALSE;
  if (n_read == n_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The file has become shorter: there is nothing at offset %" PRIu64), offset + n_read);
}

/* Reads from the file or the stream. */
static gboolean
read_file (C2gSource     *self,
           guint64        offset,
           guint8        *buffer,
           gsize          n_bytes,
           const C2gJob  *job,
           GError       **error)
{
  GCancellable *cancellable = job != NULL ? job->cancellable : NULL;

  if (self->stream != NULL)
    return read_stream (self, offset, buffer, n_bytes, cancellable, error);

  return read_piece (self, offset, buffer, n_bytes, error);
}

gboolean
c2g_source_read (C2gSource     *self,
                 guint64        offset,
                 gpointer       buffer,
                 gsize          n_bytes,
                 const C2gJob  *job,
                 GError       **error)
{
  guint8 *bytes = buffer;

  if (!check_range (self, offset, n_bytes, error))
    return FALSE;

  while (n_bytes > 0)
    {
      gsize n = job == NULL && self->data != NULL ? n_bytes : MIN (n_bytes, MAX_PIECE);

      if (self->data != NULL)
        memcpy (bytes, self->data + offset, n);
      else if (!read_file (self, offset, bytes, n, job, error))
        return FALSE;
      if (!c2g_job_advance (job, n, error))
        return FALSE;
      bytes += n;
      offset += n;
      n_bytes -= n;
    }

  return TRUE;
}

GBytes *
c2g_source_ref_bytes (C2gSource     *self,
                      guint64        offset,
                      gsize          n_bytes,
                      const C2gJob  *job,
                      GError       **error)
{
  g_autofree guint8 *data = NULL;

  if (!check_range (self, offset, n_bytes, error))
    return NULL;
  if (self->data != NULL)
    return c2g_job_advance (job, n_bytes, error)
             ? g_bytes_new_from_bytes (self->bytes, offset, n_bytes)
             : NULL;

  data = g_try_malloc (MAX (n_bytes, 1));
  if (data == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"), n_bytes);
  if (!c2g_source_read (self, offset, data, n_bytes, job, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), n_bytes);
}
