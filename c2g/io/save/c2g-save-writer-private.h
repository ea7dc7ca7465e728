/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/save/c2g-save-plan-private.h>

G_BEGIN_DECLS

/* Writes the file atomically. Serializers and databases of the program are called in the thread
 * that iterates CONTEXT, or in this thread if it is NULL. */
gboolean  c2g_save_plan_write       (C2gSavePlan   *self,
                                     GFile         *file,
                                     GMainContext  *context,
                                     GCancellable  *cancellable,
                                     GError       **error);
/* The same into memory. */
GBytes   *c2g_save_plan_write_bytes (C2gSavePlan   *self,
                                     GCancellable  *cancellable,
                                     GError       **error);

G_END_DECLS
