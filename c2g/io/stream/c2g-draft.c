/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* For O_TMPFILE. */
#define _GNU_SOURCE

#include "config.h"

#include <c2g/io/stream/c2g-draft-private.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* Creates, locks and removes the temporary files and folders of saves. */

/* Files with this prefix are removed by c2g_draft_sweep(). So it is long enough that no user
 * chooses it. */
#define PREFIX          ".c2g-unfinished-save-"
#define TEMPORARY_NAME  PREFIX "XXXXXX"

/* Limit on tries to find a free temporary name. */
#define MAX_TRIES       100

/* The files of a draft folder: a database and, if a reader has opened it, its locks. */
static const char *const folder_files[] = { "data.mdb", "lock.mdb" };

/* Six characters follow the prefix after mkstemp(), eight after c2g_draft_link_file(). */
static gboolean
is_draft_name (const char *name)
{
  gsize n_prefix = strlen (PREFIX);
  gsize n = strlen (name);

  if (!g_str_has_prefix (name, PREFIX) || (n != n_prefix + 6 && n != n_prefix + 8))
    return FALSE;
  for (const char *c = name + n_prefix; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      return FALSE;
  return TRUE;
}

/* Returns TRUE if the path still leads to the file of the descriptor. */
static gboolean
is_at (const char *path,
       int         fd)
{
  struct stat named, opened;

  return lstat (path, &named) == 0 && fstat (fd, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

/* Locks a new draft. A sweep may hold the lock and remove the draft; waits for it and reports that. */
static gboolean
lock_new (const char *path,
          int         fd)
{
  /* On a file system without locks the draft stays unlocked; there, c2g_draft_sweep() removes
   * nothing. */
  while (flock (fd, LOCK_EX) != 0)
    if (errno != EINTR)
      return TRUE;
  return is_at (path, fd);
}

void
c2g_draft_remove_folder (const char *path,
                         int         fd)
{
  for (gsize i = 0; i < G_N_ELEMENTS (folder_files); i++)
    unlinkat (fd, folder_files[i], 0);
  g_rmdir (path);
}

/* Removes a draft that belongs to this user and is not locked. A draft of the superuser may already
 * have the owner of the file that it replaces, so the superuser's drafts have any owner. */
static void
sweep_draft (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat status;

  if (fd < 0)
    return;

  if (fstat (fd, &status) == 0 && (status.st_uid == geteuid () || geteuid () == 0) &&
      (S_ISREG (status.st_mode) || S_ISDIR (status.st_mode)) &&
      flock (fd, LOCK_EX | LOCK_NB) == 0 && is_at (path, fd))
    {
      if (S_ISDIR (status.st_mode))
        c2g_draft_remove_folder (path, fd);
      else
        g_unlink (path);
    }
  close (fd);
}

void
c2g_draft_sweep (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_draft_name (name))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        sweep_draft (path);
      }
}

int
c2g_draft_open_nameless (const char *folder)
{
  int fd = -1;

#ifdef O_TMPFILE
  /* Giving the file a name later needs /proc. */
  if (g_file_test ("/proc/self/fd", G_FILE_TEST_IS_DIR))
    fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  /* Locking cannot fail: no other process can open an unnamed file. */
  if (fd >= 0)
    flock (fd, LOCK_EX | LOCK_NB);
#endif
  return fd;
}

int
c2g_draft_open_file (const char  *folder,
                     char       **path)
{
  int fd = c2g_draft_open_nameless (folder);

  *path = NULL;
  if (fd >= 0)
    return fd;

  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *name = g_build_filename (folder, TEMPORARY_NAME, NULL);

      fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0666);
      if (fd < 0)
        return -1;
      if (lock_new (name, fd))
        {
          *path = g_steal_pointer (&name);
          return fd;
        }
      close (fd);
    }

  errno = EBUSY;
  return -1;
}

char *
c2g_draft_link_file (const char *folder,
                     int         fd)
{
  g_autofree char *link_path = g_strdup_printf ("/proc/self/fd/%d", fd);

  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *name = g_strdup_printf (PREFIX "%08x", g_random_int ());
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (linkat (AT_FDCWD, link_path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
        return g_steal_pointer (&path);
      if (errno != EEXIST)
        return NULL;
    }

  return NULL;
}

/* Opens a folder that was just created. On failure removes it and keeps errno of open(). ENOENT
 * means that a sweep has removed the folder already. */
static int
open_folder (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW);

  if (fd < 0)
    {
      int code = errno;

      g_rmdir (path);
      errno = code;
    }
  return fd;
}

char *
c2g_draft_make_folder (const char *parent,
                       int        *fd)
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *path = g_build_filename (parent, TEMPORARY_NAME, NULL);

      if (g_mkdtemp_full (path, 0777) == NULL)
        return NULL;
      *fd = open_folder (path);
      if (*fd >= 0 && lock_new (path, *fd))
        return g_steal_pointer (&path);
      if (*fd < 0 && errno != ENOENT)
        return NULL;
      if (*fd >= 0)
        close (g_steal_fd (fd));
    }

  errno = EBUSY;
  return NULL;
}

gboolean
c2g_draft_sync_folder (const char *folder)
{
  int fd = open (folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  int code = 0;

  /* Some file systems cannot flush a folder, which is no error. */
  if (fd >= 0 && fsync (fd) != 0 && errno != EINVAL && errno != EROFS)
    code = errno;
  if (fd >= 0)
    close (fd);
  errno = code;
  return code == 0;
}
