/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/net/operator/c2g-operator.h>

G_BEGIN_DECLS

#define C2G_TYPE_OBSERVER (c2g_observer_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (C2gObserver, c2g_observer, C2G, OBSERVER, GObject)

/**
 * C2gObserverInterface:
 * @before_run: called before what is observed runs
 * @after_run: called when it has run
 *
 * The methods of an observer; both are optional.
 */
struct _C2gObserverInterface
{
  GTypeInterface parent_interface;

  void (*before_run) (C2gObserver *self,
                      GObject     *subject);
  void (*after_run)  (C2gObserver *self,
                      GObject     *subject,
                      gboolean     is_done);

  /*< private >*/
  gpointer _reserved[6];
};

C2G_AVAILABLE_IN_ALL
gboolean      c2g_operator_add_observer    (C2gOperator  *self,
                                            C2gObserver  *observer);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_operator_remove_observer (C2gOperator  *self,
                                            C2gObserver  *observer);
C2G_AVAILABLE_IN_ALL
GListModel   *c2g_operator_dup_observers   (C2gOperator  *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
