/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Replaces functions of the C library in the test program, to imitate file systems that lack
 * features. */

/* There is no O_TMPFILE, as on NFS. */
static gboolean system_has_no_nameless;
/* fsync() of a folder fails. */
static gboolean system_fails_folders;
/* Files cannot be given to another user; the superuser could otherwise do that. */
static gboolean system_fails_owners;
/* Folders cannot be opened, as when there are too many open files. */
static gboolean system_opens_no_folders;
/* Another thread takes a pending signal as soon as it was seen. */
static gboolean system_loses_signals;

int
open (const char *path,
      int         flags,
      ...)
{
  va_list arguments;
  guint mode;

  va_start (arguments, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (arguments, guint) : 0;
  va_end (arguments);
  if (system_has_no_nameless && (flags & O_TMPFILE) == O_TMPFILE)
    {
      errno = EOPNOTSUPP;
      return -1;
    }
  if (system_opens_no_folders && (flags & O_TMPFILE) == O_DIRECTORY)
    {
      errno = EMFILE;
      return -1;
    }
  return (int) syscall (SYS_openat, AT_FDCWD, path, flags, mode);
}

int
fsync (int fd)
{
  struct stat status;

  if (system_fails_folders && fstat (fd, &status) == 0 && S_ISDIR (status.st_mode))
    {
      errno = EIO;
      return -1;
    }
  return (int) syscall (SYS_fsync, fd);
}

int
fchown (int   fd,
        uid_t owner,
        gid_t group)
{
  if (system_fails_owners)
    {
      errno = EPERM;
      return -1;
    }
  return (int) syscall (SYS_fchown, fd, owner, group);
}

int
sigpending (sigset_t *set)
{
  sigemptyset (set);
  if (system_loses_signals)
    return sigaddset (set, SIGXFSZ);
  return (int) syscall (SYS_rt_sigpending, set, _NSIG / 8);
}
