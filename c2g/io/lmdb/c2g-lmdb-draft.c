/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* For linkat() with a file descriptor. */
#define _GNU_SOURCE

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-draft-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/io/stream/c2g-draft-private.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new LMDB database before its first commit. C2gLmdbStore writes into it and publishes it. */

#define DATA_NAME "data.mdb"

struct _C2gLmdbDraft
{
  /* The target: its name for messages, its path, and its parent folder. */
  char *name;
  char *path;
  char *parent;

  int   fd;
  char *data_path;
  /* The temporary folder with the data, once it exists, and the descriptor that holds its lock. */
  char *temporary_path;
  int   folder_fd;
};

static gboolean
set_errno (C2gLmdbDraft  *self,
           int            code,
           GError       **error)
{
  if (code == EEXIST || code == ENOTEMPTY)
    g_set_error (error, C2G_ERROR, C2G_ERROR_EXISTS,
                 _("%s is there already; an LMDB database is made only where nothing is"),
                 self->name);
  else
    c2g_set_errno (error, self->name, code);
  return FALSE;
}

static gboolean
check_free (C2gLmdbDraft  *self,
            GError       **error)
{
  struct stat status;

  if (lstat (self->path, &status) == 0)
    return set_errno (self, EEXIST, error);
  return errno == ENOENT || set_errno (self, errno, error);
}

static gboolean
make_folder (C2gLmdbDraft  *self,
             GError       **error)
{
  self->temporary_path = c2g_draft_make_folder (self->parent, &self->folder_fd);
  return self->temporary_path != NULL || set_errno (self, errno, error);
}

static gboolean
open_data (C2gLmdbDraft  *self,
           GError       **error)
{
  c2g_draft_sweep (self->parent);
  self->fd = c2g_draft_open_nameless (self->parent);
  if (self->fd >= 0)
    {
      self->data_path = g_strdup_printf ("/proc/self/fd/%d", self->fd);
      return TRUE;
    }

  if (!make_folder (self, error))
    return FALSE;
  self->data_path = g_build_filename (self->temporary_path, DATA_NAME, NULL);
  self->fd = open (self->data_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return self->fd >= 0 || set_errno (self, errno, error);
}

C2gLmdbDraft *
c2g_lmdb_draft_new (const char  *path,
                    const char  *name,
                    GError     **error)
{
  g_autoptr (C2gLmdbDraft) self = g_new0 (C2gLmdbDraft, 1);

  self->name = g_strdup (name);
  self->path = g_strdup (path);
  self->parent = g_path_get_dirname (path);
  self->fd = -1;
  self->folder_fd = -1;

  if (!check_free (self, error) || !open_data (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
c2g_lmdb_draft_free (C2gLmdbDraft *self)
{
  if (self->fd >= 0)
    close (self->fd);
  if (self->temporary_path != NULL)
    c2g_draft_remove_folder (self->temporary_path, self->folder_fd);
  if (self->folder_fd >= 0)
    close (self->folder_fd);
  g_free (self->temporary_path);
  g_free (self->data_path);
  g_free (self->parent);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

const char *
c2g_lmdb_draft_get_path (C2gLmdbDraft *self)
{
  return self->data_path;
}

/* The database has its name already, so the error must say that it exists. */
static gboolean
sync_parent (C2gLmdbDraft  *self,
             GError       **error)
{
  int code;

  if (c2g_draft_sync_folder (self->parent))
    return TRUE;

  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               _("%s: The new database is in its place, but may be lost if the machine stops: %s"),
               self->name, g_strerror (code));
  return FALSE;
}

/* Gives the unnamed file a name in a new temporary folder. */
static gboolean
link_data (C2gLmdbDraft  *self,
           GError       **error)
{
  g_autofree char *path = NULL;

  if (self->temporary_path != NULL)
    return TRUE;
  if (!make_folder (self, error))
    return FALSE;

  path = g_build_filename (self->temporary_path, DATA_NAME, NULL);
  return linkat (AT_FDCWD, self->data_path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ||
         set_errno (self, errno, error);
}

gboolean
c2g_lmdb_draft_publish (C2gLmdbDraft  *self,
                        GError       **error)
{
  if (!check_free (self, error))
    return FALSE;
  if (fsync (self->fd) != 0)
    return set_errno (self, errno, error);
  if (!link_data (self, error))
    return FALSE;
  if (!c2g_draft_sync_folder (self->temporary_path))
    return set_errno (self, errno, error);
  /* rename() never replaces a file or folder that appeared meanwhile, except an empty folder. */
  if (g_rename (self->temporary_path, self->path) != 0)
    return set_errno (self, errno == ENOTDIR ? EEXIST : errno, error);

  g_clear_pointer (&self->temporary_path, g_free);
  return sync_parent (self, error);
}
