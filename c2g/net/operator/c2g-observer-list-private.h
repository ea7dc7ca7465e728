/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-observer.h>

G_BEGIN_DECLS

/* Observers of one net or operator. They can be added and removed during a run: an array never
 * changes, it is replaced. NULL is an empty list. */
typedef struct
{
  /* Atomic; holds a reference. */
  GPtrArray *array;
} C2gObserverList;

static inline gboolean
c2g_observer_list_is_empty (C2gObserverList *self)
{
  return g_atomic_pointer_get (&self->array) == NULL;
}

/* Attaches or detaches an observer. Returns FALSE if nothing changed. */
gboolean    c2g_observer_list_change (C2gObserverList *self,
                                      C2gObserver     *observer,
                                      gboolean         is_attached);
GListModel *c2g_observer_list_copy   (C2gObserverList *self);

void        c2g_observer_list_clear  (C2gObserverList *self);
void        c2g_observer_list_before (C2gObserverList *self,
                                      gpointer         subject);
void        c2g_observer_list_after  (C2gObserverList *self,
                                      gpointer         subject,
                                      gboolean         is_done);

G_END_DECLS
