/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef GBytes *(*C2gContextCallFunc) (gpointer   data,
                                       GError   **error);

/* Calls func in the thread that iterates the main context, and waits for what it gives;
 * without a context it is called here.  Takes data, which is destroyed by whoever is the
 * last to need it.  Nobody waits for a context that is never iterated once cancellable
 * is cancelled, nor for one that is gone.
 */
GBytes *c2g_context_call (GMainContext        *context,
                          C2gContextCallFunc   func,
                          gpointer             data,
                          GDestroyNotify       destroy,
                          GCancellable        *cancellable,
                          GError             **error);

G_END_DECLS
