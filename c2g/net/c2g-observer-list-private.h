/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The observers of one net or operator, which may come and go while it runs: of an array
 * that is there nothing changes any more.  NULL is what is there at first. */
typedef struct
{
  /* Atomic, owned. */
  GPtrArray *array;
} C2gObserverList;

static inline gboolean
c2g_observer_list_is_empty (C2gObserverList *self)
{
  return g_atomic_pointer_get (&self->array) == NULL;
}

void c2g_observer_list_clear  (C2gObserverList *self);
void c2g_observer_list_before (C2gObserverList *self,
                               gpointer         subject);
void c2g_observer_list_after  (C2gObserverList *self,
                               gpointer         subject,
                               gboolean         is_done);

G_END_DECLS
