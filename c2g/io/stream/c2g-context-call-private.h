/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef GBytes *(*C2gContextCallFunc) (gpointer   data,
                                       GError   **error);

/* Calls FUNC in the thread that iterates the main context and waits for the result; without a
 * context calls it directly. Takes ownership of DATA, which is destroyed by the last user. If the
 * context is never iterated, cancelling ends the wait; if it is freed, the call fails. DESTROY may
 * be NULL for data on the caller's stack, but not with a cancellable: the wait could end before FUNC. */
GBytes *c2g_context_call (GMainContext        *context,
                          C2gContextCallFunc   func,
                          gpointer             data,
                          GDestroyNotify       destroy,
                          GCancellable        *cancellable,
                          GError             **error);

G_END_DECLS
