/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Runs in a thread during long work: a signal such as Ctrl-C cancels the work, and a bar on the
 * terminal shows its progress. */
typedef struct _C2gWatch C2gWatch;

C2gWatch *c2g_watch_new  (void);
void      c2g_watch_free (C2gWatch *self);

GCancellable *c2g_watch_get_cancellable (C2gWatch *self);

/* Begins a part of the work of n_bytes, which c2g_watch_advance() counts. */
void         c2g_watch_begin          (C2gWatch   *self,
                                       const char *title,
                                       guint64     n_bytes);
void         c2g_watch_advance        (C2gWatch   *self,
                                       guint64     n_bytes);
/* Begins a part of the work that the library counts in the returned progress. */
C2gProgress *c2g_watch_begin_progress (C2gWatch   *self,
                                       const char *title);

/* Ends the watch, prints the error if there is one, and returns the exit status: success, failure,
 * or the status that shells use for a signal. */
int c2g_watch_end (C2gWatch     *self,
                   const GError *error,
                   int           failure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gWatch, c2g_watch_free)

G_END_DECLS
