/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-progress.h>

G_BEGIN_DECLS

/* Starts new work in this thread. With a context the signal is emitted there, whichever thread
 * works. Without one it is emitted in this thread, when this thread reports bytes. */
void c2g_progress_begin  (C2gProgress   *self,
                          GMainContext  *context);
void c2g_progress_expect (C2gProgress   *self,
                          guint64        n_bytes);
void c2g_progress_add    (C2gProgress   *self,
                          guint64        n_bytes);

G_END_DECLS
