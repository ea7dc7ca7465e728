/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The right to change an object; one thread at a time has it, and others wait. Unlike a mutex it
 * may be held while foreign code runs, such as allocators: if that code comes back to the same
 * object in the same thread, it gets an error instead of a deadlock. */
typedef struct
{
  GMutex   lock;
  GCond    left;
  GThread *owner;
} C2gTransit;

void     c2g_transit_init  (C2gTransit  *self);
void     c2g_transit_clear (C2gTransit  *self);

/* Waits for the right. Fails with C2G_ERROR_BUSY if this thread has it already. */
gboolean c2g_transit_enter (C2gTransit  *self,
                            GError     **error);
void     c2g_transit_leave (C2gTransit  *self);

G_END_DECLS
