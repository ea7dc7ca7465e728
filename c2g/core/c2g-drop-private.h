/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Drops a reference that an object which ends has to another one.  A chain of any length ends
 * without deep recursion: far down in it the reference waits until the outermost call comes to
 * it, which is before that returns. */
void c2g_drop_object (gpointer object);

G_END_DECLS
