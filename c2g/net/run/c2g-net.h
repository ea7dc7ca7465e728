/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/net/operator/c2g-observer.h>
#include <c2g/net/operator/c2g-operator.h>

G_BEGIN_DECLS

#define C2G_TYPE_NET (c2g_net_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gNet, c2g_net, C2G, NET, GObject)

C2G_AVAILABLE_IN_ALL
C2gNetDef          *c2g_net_get_definition        (C2gNet               *self);
C2G_AVAILABLE_IN_ALL
const char         *c2g_net_get_name              (C2gNet               *self);
C2G_AVAILABLE_IN_ALL
guint               c2g_net_get_n_operators       (C2gNet               *self);
C2G_AVAILABLE_IN_ALL
C2gOperator        *c2g_net_get_operator          (C2gNet               *self,
                                                   guint                 position);
C2G_AVAILABLE_IN_ALL
C2gDevice          *c2g_net_get_input_device      (C2gNet               *self,
                                                   const char           *name);
C2G_AVAILABLE_IN_ALL
int                 c2g_net_get_failed_position   (C2gNet               *self);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_net_get_device_graph      (C2gNet               *self);
C2G_AVAILABLE_IN_ALL
void                c2g_net_set_device_graph      (C2gNet               *self,
                                                   gboolean              device_graph);

C2G_AVAILABLE_IN_ALL
gboolean            c2g_net_infer                 (C2gNet               *self,
                                                   GError              **error);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_net_run                   (C2gNet               *self,
                                                   GCancellable         *cancellable,
                                                   GError              **error);
C2G_AVAILABLE_IN_ALL
void                c2g_net_run_async             (C2gNet               *self,
                                                   GCancellable         *cancellable,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_net_run_finish            (C2gNet               *self,
                                                   GAsyncResult         *result,
                                                   GError              **error);

C2G_AVAILABLE_IN_ALL
gboolean            c2g_net_add_observer          (C2gNet               *self,
                                                   C2gObserver          *observer);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_net_remove_observer       (C2gNet               *self,
                                                   C2gObserver          *observer);
C2G_AVAILABLE_IN_ALL
GListModel         *c2g_net_dup_observers         (C2gNet               *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
