/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Drops a reference that an object holds to another one while it is finalized. A long chain of
 * objects is freed without deep recursion: beyond a certain depth, references wait in a list,
 * which the outermost call empties before it returns. */
void c2g_drop_object (gpointer object);

G_END_DECLS
