/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include <c2g/core/types/c2g-hot-private.h>

G_BEGIN_DECLS

/* Long computations of the library stop early when their run is cancelled. The cancellable is
 * stored in the thread instead of being passed through many levels of functions. The code that
 * sets it discards the results after a cancellation, so a loop may simply end. It has to fail
 * only if other code would take missing results for valid ones. State that outlives the run must
 * not be updated after an interruption, because it would come from partial results. */

/* Number of elements of some milliseconds of work: check for cancellation after each such part. */
#define C2G_INTERRUPT_ELEMENTS (1 << 18)

/* Most products of elements in one call of a library for matrices or convolutions, which cannot be
 * interrupted. They take a processor core about ten milliseconds. Smaller parts would make the
 * libraries slower. */
#define C2G_INTERRUPT_PRODUCTS (G_GINT64_CONSTANT (1) << 28)

/* The cancellable of the current work of this thread, or NULL. */
extern C2G_HOT_THREAD GCancellable *c2g_interrupt_cancellable;

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

/* Steps through n elements in parts, for long loops. begin and n_part are 0 at first. Returns FALSE
 * at the end, and between two parts when the work may end. */
static inline gboolean
c2g_interrupt_next_part (gsize  n,
                         gsize *begin,
                         gsize *n_part)
{
  *begin += *n_part;
  *n_part = MIN (n - *begin, C2G_INTERRUPT_ELEMENTS);
  return *n_part > 0 && (*begin == 0 || !c2g_interrupt_is_wanted ());
}

/* Checks for cancellation once enough elements have been worked on, for loops over rows of any
 * length. n_done counts them. */
static inline gboolean
c2g_interrupt_is_due (gsize *n_done,
                      gsize  n)
{
  *n_done += n;
  if (G_LIKELY (*n_done < C2G_INTERRUPT_ELEMENTS))
    return FALSE;
  *n_done = 0;
  return c2g_interrupt_is_wanted ();
}

/* Returns is_done. After a cancellation it returns FALSE, and the error of cancelling replaces
 * any other error. */
gboolean c2g_interrupt_conclude (GCancellable  *cancellable,
                                 gboolean       is_done,
                                 GError       **error);

G_END_DECLS
