/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Long computations of the library stop early when their run is cancelled. The cancellable is
 * stored in the thread instead of being passed through many levels of functions. The code that
 * sets it discards the results after a cancellation, so a loop may simply end. It has to fail
 * only if other code would take missing results for valid ones. State that outlives the run must
 * not be updated after an interruption, because it would come from partial results. */

/* Number of elements of some milliseconds of work: check for cancellation after each such part. */
#define C2G_INTERRUPT_ELEMENTS (1 << 18)

/* The cancellable of the current work of this thread, or NULL. */
extern __thread GCancellable *c2g_interrupt_cancellable;

/* Sets the cancellable of this thread. Returns the former one, which must be restored
 * afterwards. */
static inline GCancellable *
c2g_interrupt_set (GCancellable *cancellable)
{
  GCancellable *former = c2g_interrupt_cancellable;

  c2g_interrupt_cancellable = cancellable;
  return former;
}

/* Returns TRUE if the work should stop now. */
static inline gboolean
c2g_interrupt_is_wanted (void)
{
  return G_UNLIKELY (c2g_interrupt_cancellable != NULL) &&
         g_cancellable_is_cancelled (c2g_interrupt_cancellable);
}

/* Returns is_done. After a cancellation it returns FALSE, and the error of cancelling replaces
 * any other error. */
gboolean c2g_interrupt_conclude (GCancellable  *cancellable,
                                 gboolean       is_done,
                                 GError       **error);

G_END_DECLS
