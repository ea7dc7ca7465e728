/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-size-signal-private.h>

#include <errno.h>
#include <time.h>

/* Blocks SIGXFSZ while a file is written, so that the file size limit is an error and does not end
 * the process. */

static gboolean
is_pending (void)
{
  sigset_t pending;

  return sigpending (&pending) == 0 && sigismember (&pending, SIGXFSZ) == 1;
}

void
c2g_size_signal_block (C2gSizeSignal *self)
{
  sigset_t blocked;

  self->was_pending = is_pending ();
  sigemptyset (&blocked);
  sigaddset (&blocked, SIGXFSZ);
  pthread_sigmask (SIG_BLOCK, &blocked, &self->mask);
}

void
c2g_size_signal_unblock (C2gSizeSignal *self)
{
  static const struct timespec no_time;
  int code = errno;
  sigset_t blocked;

  sigemptyset (&blocked);
  sigaddset (&blocked, SIGXFSZ);
  /* A signal that was pending before belongs to the program. sigtimedwait() with no time, because
   * another thread may have taken a signal that is pending for the whole process. */
  while (!self->was_pending && sigtimedwait (&blocked, NULL, &no_time) < 0 && errno == EINTR)
    continue;
  pthread_sigmask (SIG_SETMASK, &self->mask, NULL);
  errno = code;
}
