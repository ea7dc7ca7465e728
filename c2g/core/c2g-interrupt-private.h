/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Long computations of the library end early when the run that they belong to is cancelled.  They
 * do not get a cancellable as an argument, for they are many and deep: the thread has it.  Whoever
 * sets it throws the results away when it was cancelled, so that a loop may just end; it fails by
 * itself only where others would take what is missing for something valid.  State that outlives
 * the run is not updated after an interruption, because it would be made of partial results. */

/* This work takes some milliseconds: between two such parts it is worth to look. */
#define C2G_INTERRUPT_ELEMENTS (1 << 18)

/* The cancellable of the work that this thread does now, or NULL. */
extern __thread GCancellable *c2g_interrupt_cancellable;

/* Returns the former cancellable, which is to be set again afterwards. */
static inline GCancellable *
c2g_interrupt_set (GCancellable *cancellable)
{
  GCancellable *former = c2g_interrupt_cancellable;

  c2g_interrupt_cancellable = cancellable;
  return former;
}

/* Returns TRUE if the work may end now. */
static inline gboolean
c2g_interrupt_is_wanted (void)
{
  return G_UNLIKELY (c2g_interrupt_cancellable != NULL) &&
         g_cancellable_is_cancelled (c2g_interrupt_cancellable);
}

/* Returns is_done, or FALSE with the error of a cancelled run in place of another one. */
gboolean c2g_interrupt_conclude (GCancellable  *cancellable,
                                 gboolean       is_done,
                                 GError       **error);

G_END_DECLS
