/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-workspace.h>

G_BEGIN_DECLS

/* Loaded blobs by name, in order, before they are put into a workspace. */
typedef struct _C2gStaging C2gStaging;

C2gStaging *c2g_staging_new    (void);
void        c2g_staging_free   (C2gStaging    *self);

/* Takes ownership of the blob. It replaces another one of that name in the same position. */
void        c2g_staging_put    (C2gStaging    *self,
                                const char    *name,
                                C2gBlob       *blob);
/* Removes the blob and its position. */
void        c2g_staging_remove (C2gStaging    *self,
                                const char    *name);
/* Makes the tensors fit those of the same names that the workspace has: other types or shapes are an
 * error, and if moves, they come to the same devices. */
gboolean    c2g_staging_fit    (C2gStaging    *self,
                                C2gWorkspace  *workspace,
                                gboolean       moves,
                                GError       **error);
/* Puts all blobs into the workspace, or none. Returns the names in order. */
char      **c2g_staging_commit (C2gStaging    *self,
                                C2gWorkspace  *workspace,
                                GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gStaging, c2g_staging_free)

G_END_DECLS
