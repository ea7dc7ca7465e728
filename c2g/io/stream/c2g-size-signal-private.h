/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <signal.h>

G_BEGIN_DECLS

/* A write beyond the file size limit (ulimit -f) fails with EFBIG, but also sends SIGXFSZ to the
 * thread, which ends the process. Between these two calls the signal is blocked in this thread,
 * and removed if it came. The program's handling of it elsewhere does not change. */
typedef struct
{
  sigset_t mask;
  gboolean was_pending;
} C2gSizeSignal;

void c2g_size_signal_block   (C2gSizeSignal *self);
/* Does not change errno. */
void c2g_size_signal_unblock (C2gSizeSignal *self);

G_END_DECLS
