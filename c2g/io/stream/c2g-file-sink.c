/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-net-file-private.h>
#include <c2g/io/stream/c2g-sink-funcs-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/io/stream/c2g-draft-private.h>
#include <c2g/io/stream/c2g-size-signal-private.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* Writes an unnamed file (O_TMPFILE), which the kernel deletes if the process ends. When it is
 * complete, it gets a temporary name beside the target and is renamed over it. On file systems
 * without O_TMPFILE it has the temporary name from the beginning. */

/* Limit on symbolic links, the same as in the kernel. */
#define MAX_LINKS 40

typedef struct
{
  C2gSink  parent;

  int      fd;
  /* Path and folder of the target, after symbolic links. */
  char    *path;
  char    *folder;
  /* Path for system calls. For a confined file it goes through an open folder, so that nobody can
   * replace a part of it by a link. */
  char    *target;
  int      folder_fd;
  /* The temporary name while there is one; then fd holds its lock. */
  char    *temporary_path;
} FileSink;

static gboolean
set_errno (const char  *path,
           int          code,
           GError     **error)
{
  g_autofree char *name = g_filename_display_name (path);

  return c2g_set_errno (error, name, code);
}

static gboolean
file_sink_write (C2gSink        *sink,
                 gconstpointer   data,
                 gsize           n_bytes,
                 GError        **error)
{
  FileSink *self = (FileSink *) sink;
  const char *bytes = data;

  while (n_bytes > 0)
    {
      C2gSizeSignal size_signal;
      gssize n_written;

      c2g_size_signal_block (&size_signal);
      n_written = write (self->fd, bytes, n_bytes);
      c2g_size_signal_unblock (&size_signal);

      if (n_written < 0 && errno == EINTR)
        continue;
      if (n_written < 0)
        return set_errno (self->path, errno, error);
      bytes += n_written;
      n_bytes -= n_written;
    }

  return TRUE;
}

/* Flushes the folder, so that the new name is on the disk. The old file is gone already, so the
 * error must say what the state is. */
static gboolean
sync_folder (FileSink  *self,
             GError   **error)
{
  g_autofree char *name = NULL;
  int code;

  if (c2g_draft_sync_folder (self->folder))
    return TRUE;

  code = errno;
  name = g_filename_display_name (self->path);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               _("%s: The new file is in its place, but may be lost if the machine stops: %s"),
               name, g_strerror (code));
  return FALSE;
}

static gboolean
file_sink_commit (C2gSink       *sink,
                  GCancellable  *cancellable,
                  GError       **error)
{
  FileSink *self = (FileSink *) sink;

  if (fsync (self->fd) != 0)
    return set_errno (self->path, errno, error);
  if (self->temporary_path == NULL)
    self->temporary_path = c2g_draft_link_file (self->folder, self->fd);
  if (self->temporary_path == NULL)
    return set_errno (self->path, errno, error);
  if (g_rename (self->temporary_path, self->target) != 0)
    return set_errno (self->path, errno, error);

  g_clear_pointer (&self->temporary_path, g_free);
  return sync_folder (self, error);
}

static void
file_sink_free (C2gSink *sink)
{
  FileSink *self = (FileSink *) sink;

  if (self->temporary_path != NULL)
    g_unlink (self->temporary_path);
  if (self->fd >= 0)
    close (self->fd);
  if (self->folder_fd >= 0)
    close (self->folder_fd);
  g_free (self->temporary_path);
  g_free (self->target);
  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

static const C2gSinkFuncs file_sink_funcs = {
  .write = file_sink_write,
  .commit = file_sink_commit,
  .free = file_sink_free,
};

/* Refuses devices, pipes and folders: rename() would replace them. Uses the file's own path,
 * because links in /proc, such as /dev/stdout, lead to pipes that have no path. */
static gboolean
check_target (FileSink     *self,
              GFile        *file,
              struct stat  *status,
              gboolean     *exists,
              GError      **error)
{
  const char *path = c2g_net_file_is_confined (file) ? self->target : g_file_peek_path (file);
  g_autofree char *name = NULL;

  *exists = stat (path, status) == 0;
  if (!*exists)
    return errno == ENOENT || set_errno (self->path, errno, error);
  if (S_ISREG (status->st_mode))
    return TRUE;

  if (S_ISDIR (status->st_mode))
    return set_errno (self->path, EISDIR, error);

  name = g_filename_display_name (g_file_peek_path (file));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
               _("%s: This is a pipe or a device, and only a file can be replaced"), name);
  return FALSE;
}

static gboolean
open_temporary (FileSink  *self,
                GError   **error)
{
  c2g_draft_sweep (self->folder);
  self->fd = c2g_draft_open_file (self->folder, &self->temporary_path);
  return self->fd >= 0 || set_errno (self->path, errno, error);
}

/* Copies the access rights of the old file. Keeps owner and group if the process may set them. If
 * the group differs now, it gets only the rights of others. Bits such as setuid are not kept for
 * new content. */
static void
keep_access (FileSink          *self,
             const struct stat *old)
{
  mode_t mode = old->st_mode & 0777;
  struct stat status;

  if (fchown (self->fd, old->st_uid, old->st_gid) != 0 &&
      fchown (self->fd, (uid_t) -1, old->st_gid) != 0)
    g_debug ("Cannot keep the owner of %s: %s", self->path, g_strerror (errno));
  if (fstat (self->fd, &status) != 0 || status.st_gid != old->st_gid)
    mode &= 0707 | (mode & 0007) << 3;
  if (fchmod (self->fd, mode) != 0)
    g_debug ("Cannot keep the mode of %s: %s", self->path, g_strerror (errno));
}

/* Follows symbolic links, also to a target that does not exist yet. */
static char *
follow_links (const char *path)
{
  char *target = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *link = g_file_read_link (target, NULL);
      g_autofree char *folder = g_path_get_dirname (target);

      if (link == NULL)
        break;
      g_free (target);
      target = g_path_is_absolute (link) ? g_strdup (link) : g_build_filename (folder, link, NULL);
    }

  return target;
}

static char *
resolve (const char *path)
{
  char *resolved = realpath (path, NULL);
  char *target = resolved != NULL ? g_strdup (resolved) : follow_links (path);

  free (resolved);
  return target;
}

static gboolean
find_folder (FileSink  *self,
             GFile     *file,
             GError   **error)
{
  const char *path = g_file_peek_path (file);
  g_autofree char *name = NULL;

  if (!c2g_net_file_is_confined (file))
    {
      self->path = resolve (path);
      self->folder = g_path_get_dirname (self->path);
      self->target = g_strdup (self->path);
      return TRUE;
    }

  self->path = g_strdup (path);
  self->folder_fd = c2g_net_file_open_folder (file);
  if (self->folder_fd < 0)
    return set_errno (self->path, errno, error);
  name = g_path_get_basename (path);
  self->folder = g_strdup_printf ("/proc/self/fd/%d", self->folder_fd);
  self->target = g_build_filename (self->folder, name, NULL);
  return TRUE;
}

C2gSink *
c2g_sink_new_for_file (GFile         *file,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autoptr (C2gSink) sink = NULL;
  FileSink *self;
  struct stat status;
  gboolean exists;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (g_file_peek_path (file) == NULL)
    return c2g_stream_sink_new_for_file (file, cancellable, error);

  self = g_new0 (FileSink, 1);
  c2g_sink_init (&self->parent, &file_sink_funcs, TRUE);
  sink = &self->parent;
  self->fd = -1;
  self->folder_fd = -1;

  if (!find_folder (self, file, error) || !check_target (self, file, &status, &exists, error) ||
      !open_temporary (self, error))
    return NULL;
  if (exists)
    keep_access (self, &status);
  return g_steal_pointer (&sink);
}
