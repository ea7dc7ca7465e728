/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

/* Attaches observers to nets, and to all operators in a net. */

/**
 * c2g_net_add_observer:
 * @self: a net
 * @observer: an observer
 *
 * Attaches an observer, which is called for every run of the net, not of its operators.
 *
 * Returns: `TRUE` if it is attached, `FALSE` if it was already
 */
gboolean
c2g_net_add_observer (C2gNet      *self,
                      C2gObserver *observer)
{
  g_return_val_if_fail (C2G_IS_NET (self), FALSE);
  g_return_val_if_fail (C2G_IS_OBSERVER (observer), FALSE);

  return c2g_observer_list_change (&c2g_net_get_private (self)->observers, observer, TRUE);
}

/**
 * c2g_net_remove_observer:
 * @self: a net
 * @observer: an observer
 *
 * Detaches an observer from the net.
 *
 * Returns: `TRUE` if it is detached, `FALSE` if it was not attached
 */
gboolean
c2g_net_remove_observer (C2gNet      *self,
                         C2gObserver *observer)
{
  g_return_val_if_fail (C2G_IS_NET (self), FALSE);
  g_return_val_if_fail (C2G_IS_OBSERVER (observer), FALSE);

  return c2g_observer_list_change (&c2g_net_get_private (self)->observers, observer, FALSE);
}

/**
 * c2g_net_dup_observers:
 * @self: a net
 *
 * Lists the observers that are attached to the net now, in the order that they are called.
 *
 * Returns: (transfer full): a list of [iface@Observer]
 */
GListModel *
c2g_net_dup_observers (C2gNet *self)
{
  g_return_val_if_fail (C2G_IS_NET (self), NULL);

  return c2g_observer_list_copy (&c2g_net_get_private (self)->observers);
}
