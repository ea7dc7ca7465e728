/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A function …_async() calls this in another thread. Returns a new object, or NULL and an error. */
typedef gpointer (*C2gTaskFunc) (gpointer       data,
                                 GCancellable  *cancellable,
                                 GError       **error);

/* Calls FUNC in another thread, and the callback in the caller's main context. Takes the data; FUNC
 * is the tag of the task. */
void     c2g_task_start  (C2gTaskFunc          func,
                          gpointer             data,
                          GDestroyNotify       free_data,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data);
/* Takes the object that FUNC has made. */
gpointer c2g_task_finish (C2gTaskFunc          func,
                          GAsyncResult        *result,
                          GError             **error);

G_END_DECLS
