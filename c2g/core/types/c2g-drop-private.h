/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Calls a function that releases a reference of an object that is being freed. A long chain of
 * objects is freed without deep recursion: beyond a certain depth, calls are put into a list, which
 * the outermost call empties before it returns. */
void c2g_drop        (GDestroyNotify func,
                      gpointer       data);
/* Drops a reference to an object the same way. */
void c2g_drop_object (gpointer       object);

/* Between these two, releases of this thread are put into the list: they may run foreign code,
 * which could use what the caller is about to change. The calls can be nested. */
void c2g_drop_hold   (void);
void c2g_drop_let_go (void);

G_END_DECLS
