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
#include <c2g/def/c2g-plan-def.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_run_plan        (C2gWorkspace         *self,
                                        C2gPlanDef           *plan,
                                        GCancellable         *cancellable,
                                        GError              **error);
C2G_AVAILABLE_IN_ALL
void     c2g_workspace_run_plan_async  (C2gWorkspace         *self,
                                        C2gPlanDef           *plan,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_run_plan_finish (C2gWorkspace         *self,
                                        GAsyncResult         *result,
                                        GError              **error);

G_END_DECLS
