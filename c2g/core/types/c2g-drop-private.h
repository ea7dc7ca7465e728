/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Calls a function that drops what its caller holds, while the caller is freed. A long chain of holders is
 * freed without deep recursion: beyond a certain depth, calls wait in a list, which the outermost call
 * empties before it returns. */
void c2g_drop        (GDestroyNotify func,
                      gpointer       data);
/* The same for a reference to an object. */
void c2g_drop_object (gpointer       object);

/* Calls of this thread wait between these two, which can be nested: what is dropped is code of others, which
 * may use what the caller is about to change. */
void c2g_drop_hold   (void);
void c2g_drop_let_go (void);

G_END_DECLS
