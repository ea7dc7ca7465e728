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
#include <c2g/def/c2g-operator-def.h>
#include <c2g/net/run/c2g-net.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gNet   *c2g_workspace_create_net        (C2gWorkspace    *self,
                                           C2gNetDef       *definition,
                                           gboolean         overwrite,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
C2gNet   *c2g_workspace_get_net           (C2gWorkspace    *self,
                                           const char      *name,
                                           GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean  c2g_workspace_remove_net        (C2gWorkspace    *self,
                                           const char      *name,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_workspace_delete_net        (C2gWorkspace    *self,
                                           const char      *name,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
char    **c2g_workspace_list_nets         (C2gWorkspace    *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean  c2g_workspace_run_net           (C2gWorkspace    *self,
                                           const char      *name,
                                           GCancellable    *cancellable,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_workspace_run_net_once      (C2gWorkspace    *self,
                                           C2gNetDef       *definition,
                                           GCancellable    *cancellable,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_workspace_infer_net_once    (C2gWorkspace    *self,
                                           C2gNetDef       *definition,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_workspace_run_operator_once (C2gWorkspace    *self,
                                           C2gOperatorDef  *definition,
                                           GCancellable    *cancellable,
                                           GError         **error);

G_END_DECLS
