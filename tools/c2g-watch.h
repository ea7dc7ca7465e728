/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* What goes on beside long work, in a thread: whoever wants it to end (Ctrl-C) cancels it,
 * and on a terminal a bar shows how far it has come. */
typedef struct _C2gWatch C2gWatch;

C2gWatch *c2g_watch_new  (void);
void      c2g_watch_free (C2gWatch *self);

GCancellable *c2g_watch_get_cancellable (C2gWatch *self);

/* One part of the work of so many bytes, which c2g_watch_advance() counts. */
void         c2g_watch_begin          (C2gWatch   *self,
                                       const char *title,
                                       guint64     n_bytes);
void         c2g_watch_advance        (C2gWatch   *self,
                                       guint64     n_bytes);
/* One that the library counts, in the progress that is given back. */
C2gProgress *c2g_watch_begin_progress (C2gWatch   *self,
                                       const char *title);

/* Ends it, says what went wrong if there is an error, and gives the command's status:
 * success, failure, or what a shell expects of what a signal has ended. */
int c2g_watch_end (C2gWatch     *self,
                   const GError *error,
                   int           failure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gWatch, c2g_watch_free)

G_END_DECLS
