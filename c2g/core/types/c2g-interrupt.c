/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-interrupt-private.h>

/* Ends long loops early when the run of a net is cancelled. */

C2G_HOT_THREAD GCancellable *c2g_interrupt_cancellable;

/* The cancellable is read only once, because it may be reset at any time. */
gboolean
c2g_interrupt_conclude (GCancellable  *cancellable,
                        gboolean       is_done,
                        GError       **error)
{
  GError *cancelled = NULL;

  if (!g_cancellable_set_error_if_cancelled (cancellable, &cancelled))
    return is_done;

  g_clear_error (error);
  g_propagate_error (error, cancelled);
  return FALSE;
}
