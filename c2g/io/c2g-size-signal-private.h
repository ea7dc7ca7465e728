/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <signal.h>

G_BEGIN_DECLS

/* A write beyond the limit on the size of files (ulimit -f) sends SIGXFSZ to the thread, which ends
 * the process, besides failing with EFBIG.  Between these two calls the thread is spared: the signal
 * is blocked, and taken away if it came.  What the program does about it elsewhere stays as it is. */
typedef struct
{
  sigset_t mask;
  gboolean was_pending;
} C2gSizeSignal;

void c2g_size_signal_block   (C2gSizeSignal *self);
/* Leaves errno as it is. */
void c2g_size_signal_unblock (C2gSizeSignal *self);

G_END_DECLS
