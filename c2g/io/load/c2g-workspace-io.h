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
#include <c2g/io/load/c2g-load-options.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
GFile  *c2g_workspace_resolve_path           (C2gWorkspace         *self,
                                              const char           *path) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
char  **c2g_workspace_load_checkpoint        (C2gWorkspace         *self,
                                              GFile                *file,
                                              C2gLoadOptions       *options,
                                              GCancellable         *cancellable,
                                              GError              **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void    c2g_workspace_load_checkpoint_async  (C2gWorkspace         *self,
                                              GFile                *file,
                                              C2gLoadOptions       *options,
                                              GCancellable         *cancellable,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
C2G_AVAILABLE_IN_ALL
char  **c2g_workspace_load_checkpoint_finish (C2gWorkspace         *self,
                                              GAsyncResult         *result,
                                              GError              **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
