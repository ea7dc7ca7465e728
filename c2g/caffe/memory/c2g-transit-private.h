/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The right to change something, which one thread has at a time.  Others wait for it.  It is no
 * lock: allocators and copies run meanwhile, and when they come back to the same thing in the
 * same thread they get an error instead of waiting for themselves. */
typedef struct
{
  GMutex   lock;
  GCond    left;
  GThread *owner;
} C2gTransit;

void     c2g_transit_init  (C2gTransit  *self);
void     c2g_transit_clear (C2gTransit  *self);

/* Waits for the right; C2G_ERROR_BUSY if this thread has it already. */
gboolean c2g_transit_enter (C2gTransit  *self,
                            GError     **error);
void     c2g_transit_leave (C2gTransit  *self);

G_END_DECLS
