/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-claim.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* A claim is a locked file beside the one that is to be written, which may not exist yet. The locked file is found by
 * every name that leads to the written one: symbolic links are followed, and folders are those of the system. Hard links
 * need nothing, because a file is written by taking the place of one name, and other names keep the old file. */

/* The lock of FOLDER/NAME is FOLDER/.NAME.c2gstore. File systems take names of 255 bytes, so a longer NAME is replaced
 * by its checksum. */
#define LOCK_FORMAT ".%s.c2gstore"
#define MAX_NAME    245

/* More links in a row than this are taken for a circle. */
#define MAX_LINKS   40
/* Others may remove the lock just when it is opened, and rarely do so again. */
#define MAX_TRIES   100

struct _C2gGstClaim
{
  char *lock_path;
  int   fd;
};

/* A link may lead to a file that does not exist yet. */
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
      target = g_path_is_absolute (link) ? g_steal_pointer (&link) : g_build_filename (folder, link, NULL);
    }

  return target;
}

static char *
make_lock_path (const char *path)
{
  g_autofree char *target = follow_links (path);
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *name = g_path_get_basename (target);
  g_autofree char *sum = strlen (name) > MAX_NAME ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1) : NULL;
  g_autofree char *lock_name = g_strdup_printf (LOCK_FORMAT, sum != NULL ? sum : name);

  return g_build_filename (folder, lock_name, NULL);
}

/* Returns FALSE if the path leads to another file, or to none, because somebody has removed the opened one. */
static gboolean
is_at (const char *path,
       int         fd)
{
  struct stat named, opened;

  return lstat (path, &named) == 0 && fstat (fd, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

/* Locks on NFS need a file that is open for writing. The file of another user, which a killed process has left, cannot be
 * written, and folders such as /tmp may not even let it be opened with O_CREAT. */
static int
open_lock (const char *path)
{
  const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int fd = open (path, O_RDWR | O_CREAT | flags, 0666);

  return fd >= 0 || errno != EACCES ? fd : open (path, O_RDONLY | flags);
}

/* Users have not heard of the lock, so errors of its folder name the file that is to be written. */
static gboolean
set_errno (const char  *lock_path,
           const char  *path,
           int          code,
           GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (lock_path);

  if (code == ENOENT)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("%s: The folder %s does not exist"), path, folder);
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s",
                 g_file_test (lock_path, G_FILE_TEST_IS_SYMLINK | G_FILE_TEST_EXISTS) ? lock_path : path, g_strerror (code));
  return FALSE;
}

/* File systems without locks are accepted. A process that was killed leaves its file, but no lock. */
static gboolean
lock (C2gGstClaim  *self,
      const char   *path,
      GError      **error)
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      self->fd = open_lock (self->lock_path);
      if (self->fd < 0)
        return set_errno (self->lock_path, path, errno, error);
      if (flock (self->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        break;
      if (is_at (self->lock_path, self->fd))
        return TRUE;
      close (g_steal_fd (&self->fd));
    }

  if (self->fd >= 0)
    close (g_steal_fd (&self->fd));
  g_set_error (error, C2G_ERROR, C2G_ERROR_BUSY, _("%s: Another c2gstore writes this file"), path);
  return FALSE;
}

C2gGstClaim *
c2g_gst_claim_new (const char  *path,
                   GError     **error)
{
  C2gGstClaim *self = g_new (C2gGstClaim, 1);

  self->lock_path = make_lock_path (path);
  if (lock (self, path, error))
    return self;

  c2g_gst_claim_free (self);
  return NULL;
}

void
c2g_gst_claim_free (C2gGstClaim *self)
{
  if (self->fd >= 0)
    {
      /* Somebody may have removed the file. Another one of this name belongs to another claim. */
      if (is_at (self->lock_path, self->fd))
        g_unlink (self->lock_path);
      close (self->fd);
    }
  g_free (self->lock_path);
  g_free (self);
}
